// Package api is the daemon's own wire: paths, headers, requests and replies.
// The mod's door is among them. Claude Code's hook JSON is package hook's.
//
// Every path but none asks for the token; every body is JSON. On any trouble a
// door answers 200 with an empty body, which means: leave the result alone.
package api

import (
	"encoding/json"

	"winnow/internal/prune"
)

// Paths. All are served on the socket and on 127.0.0.1.
const (
	PathHook   = "/hook"      // POST Claude Code hook JSON -> hook output or empty
	PathResult = "/v1/result" // POST ResultRequest -> ResultReply
	PathEarly  = "/v1/early"  // POST ResultRequest -> EarlyReply or empty; scores are kept for the coming /v1/result
	PathHello  = "/v1/hello"  // POST HelloRequest -> ModeReply
	PathOffer  = "/v1/offer"  // POST OfferRequest -> ModeReply
	PathRecall = "/v1/recall" // POST RecallRequest -> RecallReply
	PathLive   = "/v1/live"   // POST LiveRequest -> LiveReply
	PathStatus = "/v1/status" // GET -> Status
	PathStop   = "/v1/stop"   // POST {} -> empty; the daemon leaves
	PathClean  = "/v1/clean"  // POST CleanRequest -> CleanReply
	PathCheck  = "/v1/check"  // POST {} -> CheckReply
)

// Wire is the version of what this package describes. What is added to it keeps
// the number; a change that an older mod or command would misread raises it.
const Wire = 1

// TokenHeader carries the token of the state folder's token file.
const TokenHeader = "X-Winnow-Token"

// Row is a raw row of the conversation as the mod saw it; the daemon decides
// which of them is a request.
type Row struct {
	Text string `json:"text"`
	// Door is "prompt", "delivery", "messages" (filled in once after a load).
	Door string `json:"door"`
	// Origin is the row's origin kind: "composer", "unclassified", "coordinator",
	// "task-notification", "command", or "" where unknown.
	Origin string `json:"origin,omitempty"`
}

// ResultRequest is one tool result on its way into a loop's context.
type ResultRequest struct {
	Session string `json:"session"`
	// Loop is "main" or the subagent's id.
	Loop      string          `json:"loop"`
	ToolUseID string          `json:"tool_use_id"`
	Tool      string          `json:"tool"`
	Input     json.RawMessage `json:"input"`
	// Args identifies the arguments as in Calls, for the mod's own way to name
	// long ones; may be empty.
	Args   string `json:"args,omitempty"`
	Failed bool   `json:"failed,omitempty"`
	// Texts are the result's text blocks in order (a plain string is one block).
	Texts []string `json:"texts"`
	// Rows are the loop's newest candidate requests, oldest first.
	Rows []Row `json:"rows"`
	// Assistant is the assistant's newest text since the last of Rows.
	Assistant string `json:"assistant"`
	// Calls are the loop's earlier calls, oldest first, without this one.
	Calls []prune.Call `json:"calls"`
	// Standing are the calls whose results still stand in the loop's context, of
	// those that the mod asked about lately; without it none does.
	Standing []string `json:"standing,omitempty"`
	// Model is the model that reads this loop, Turn counts its requests so far, and
	// LeftMS is what this row may still wait for a question (0: not said). Asked
	// says that no question is wanted any more.
	Model  string `json:"model,omitempty"`
	Turn   int    `json:"turn,omitempty"`
	LeftMS int    `json:"left_ms,omitempty"`
	Asked  bool   `json:"asked,omitempty"`
	// Transcript and Cwd complete what the door lacks, where known.
	Transcript string `json:"transcript,omitempty"`
	Cwd        string `json:"cwd,omitempty"`
}

// ResultReply gives each of the request's texts back: null leaves it alone.
type ResultReply struct {
	Mode  string    `json:"mode"`
	Texts []*string `json:"texts"`
	// Keys are those now live in this loop because of this answer.
	Keys []string `json:"keys,omitempty"`
	// Questions are those that texts wait for; what they come to is posted to
	// [PathSecond], which answers with these texts.
	Questions []Question `json:"questions,omitempty"`
	// Second says that there may be more of them.
	Second bool `json:"second,omitempty"`
	// Seen says that the daemon keeps track of what the loop is shown, and so wants
	// to know which results still stand.
	Seen bool `json:"seen,omitempty"`
	// Notice, when set, is shown once to the person, never to the model.
	Notice string `json:"notice,omitempty"`
}

// OfferRequest says that a loop was offered the recall tool.
type OfferRequest struct {
	Session string `json:"session"`
	Loop    string `json:"loop"`
}

// ModeReply tells the mod the daemon's mode: "shadow", "active" or "off".
type ModeReply struct {
	Mode string `json:"mode"`
	// Second says that there may be questions for the client's model.
	Second bool `json:"second,omitempty"`
}

// RecallRequest asks for hidden lines.
type RecallRequest struct {
	// Key is whatever the agent passed: a key, a whole marker, quoted or not.
	Key string `json:"key"`
	// Lines is "a-b", "a", or "a+OFFSET-b" as a "next:" note printed it; numbers as the marker shows them.
	Lines string `json:"lines,omitempty"`
	// Pattern is an RE2 regular expression; matching lines come with their numbers.
	Pattern string `json:"pattern,omitempty"`
	Session string `json:"session,omitempty"`
	Loop    string `json:"loop,omitempty"`
}

// RecallReply is one page of an answer.
type RecallReply struct {
	// Text is the exact hidden bytes of the page (or the matching lines).
	Text string `json:"text"`
	// Note follows the text as a block of its own: "next: lines a-b", or what to do on a miss.
	Note string `json:"note,omitempty"`
	// Found reports whether the key was known.
	Found bool `json:"found"`
	// Bad reports that lines or pattern asked for something that is not there.
	Bad bool `json:"bad,omitempty"`
}

// LiveRequest asks which of these keys winnow has issued and still holds.
type LiveRequest struct {
	Keys []string `json:"keys"`
}

// LiveReply lists the live ones.
type LiveReply struct {
	Live []string `json:"live"`
}

// Status is what the daemon says of itself.
type Status struct {
	Pid     int    `json:"pid"`
	Version string `json:"version"`
	Build   string `json:"build"`
	// Wire is the daemon's [Wire]; 0 is 1, from before it had a number.
	Wire int `json:"wire"`
	// Leaving says that the daemon was asked to leave and finishes what it answers.
	Leaving bool `json:"leaving,omitempty"`
	// UptimeMS is the time since start in milliseconds.
	UptimeMS int64 `json:"uptime_ms"`
	// Mode is what the mod goes by: "shadow", "active" or "off". Setting is what
	// was set; with "auto", ActiveFor names the calls that it is active for.
	Mode      string   `json:"mode"`
	Setting   string   `json:"setting"`
	ActiveFor []string `json:"active_for,omitempty"`
	// Judge is "onnx", "lexical", "fake"; JudgeState is "loading", "ready" or "failed: why".
	Judge      string `json:"judge"`
	JudgeState string `json:"judge_state"`
	Socket     string `json:"socket"`
	Port       int    `json:"port"`
	// PortError says why there is no port, and who has it where that is known.
	PortError string `json:"port_error,omitempty"`
	// Doors are the ways by which anybody came, and when last.
	Doors []Door `json:"doors"`
	// ConfigError is the last bad reload, "" when the file in force is the file on disk.
	ConfigError string `json:"config_error,omitempty"`
	// Settings are those in force in the daemon, which has the environment of the
	// session that started it.
	Settings []Setting `json:"settings,omitempty"`
	// StoreOpening says that the store is not open yet: nothing is hidden meanwhile.
	// StoreError says why nothing can be hidden, or what became of a damaged store.
	StoreOpening bool   `json:"store_opening,omitempty"`
	StoreError   string `json:"store_error,omitempty"`
	// Second is the second judge, nil while it is off.
	Second *SecondStatus `json:"second,omitempty"`
	// Counts holds every counter: reasons, hidden characters, pruned and recalled keys.
	Counts map[string]int64 `json:"counts"`
}

// Door is one way to the daemon: "mod" or "hook".
type Door struct {
	Name     string `json:"name"`
	Requests int64  `json:"requests"`
	// LastMS is how long ago the newest was, in milliseconds.
	LastMS int64 `json:"last_ms"`
}

// Setting is one setting: its variable, its value as the settings file would
// have it, and where it came from: "default", "environment", or a file's line.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from"`
}

// Daemon is the state folder's daemon.json (0600): where the daemon listens.
// It is written when the daemon listens and removed when it leaves.
type Daemon struct {
	Pid int `json:"pid"`
	// Started identifies the process beside its pid: the kernel's start time
	// (Linux: field 22 of /proc/PID/stat), "" where unknown.
	Started string `json:"started"`
	Version string `json:"version"`
	Socket  string `json:"socket"`
	Port    int    `json:"port"`
	// Token is the same as in the token file.
	Token string `json:"token"`
	Mode  string `json:"mode"`
}

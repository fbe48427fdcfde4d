package api

import (
	"encoding/json"

	"winnow/internal/second"
)

// PathSecond takes what a model replied to a [Question].
const PathSecond = "/v1/second" // POST SecondRequest -> SecondReply

// Question asks the mod to put a request to the client's own model, and to post
// what comes of it with the ticket. The text at Index waits for it: its local
// result comes with the answer, whatever became of the request.
type Question struct {
	Index  int    `json:"index"`
	Ticket string `json:"ticket"`
	// Request is nil where the mod has it already, from an early result.
	Request *second.Request `json:"request,omitempty"`
}

// EarlyReply is what comes of a result that was handed over early.
type EarlyReply struct {
	Questions []Question `json:"questions,omitempty"`
}

// SecondRequest is what became of a question.
type SecondRequest struct {
	Session string `json:"session"`
	Loop    string `json:"loop"`
	Ticket  string `json:"ticket"`
	// Text is the model's reply where it Answered; else Reason is why not, as the
	// client says it ("api-error", "empty-reply", "aborted"), or [NoTime].
	Answered bool   `json:"answered,omitempty"`
	Text     string `json:"text,omitempty"`
	Reason   string `json:"reason,omitempty"`
	// Usage is the client's own record, null where it gave none.
	Usage json.RawMessage `json:"usage,omitempty"`
}

// NoTime is the reason of a row that does not wait any longer: the model may yet
// answer, and its usage is posted then.
const NoTime = "no-time"

// What became of a question.
const (
	SecondUsed    = "used"    // the reply decided
	SecondRefused = "refused" // it was not understood
	SecondFailed  = "failed"  // there was none
	SecondLate    = "late"    // it came after its time
	SecondAgain   = "again"   // the ticket had its reply
	SecondUnknown = "unknown" // no such ticket, or another loop's
	SecondKept    = "kept"    // understood, and kept until the result comes
	SecondStale   = "stale"   // the task changed meanwhile
	SecondLocal   = "local"   // the row gave up
)

// SecondReply gives the text that waited: null leaves it alone.
type SecondReply struct {
	Mode    string `json:"mode,omitempty"`
	Outcome string `json:"outcome"`
	// Settled says that Text is the row's answer; else the daemon does not know the
	// row, and the mod may post it once more, with Asked.
	Settled bool     `json:"settled,omitempty"`
	Text    *string  `json:"text"`
	Keys    []string `json:"keys,omitempty"`
	Notice  string   `json:"notice,omitempty"`
}

// SecondStatus is what the daemon says of its second judge. Money is in dollars.
type SecondStatus struct {
	// Mode is "cascade" or "client"; Model is asked, at prices AsOf.
	Mode  string `json:"mode"`
	Model string `json:"model"`
	AsOf  string `json:"prices_as_of"`
	// Stopped says why nothing is asked now: "budget", "paused", "off", "price", "";
	// Why says more of it.
	Stopped string `json:"stopped,omitempty"`
	Why     string `json:"why,omitempty"`
	// Budget is the day's, Spent what of it is spent or set aside.
	Budget float64 `json:"budget_usd"`
	Spent  float64 `json:"spent_usd"`
}

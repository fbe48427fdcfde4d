package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"winnow/internal/api"
	"winnow/internal/decisions"
	"winnow/internal/door"
	"winnow/internal/prune"
	"winnow/internal/text"
)

const canary = "CANARY7f3a"

// scorer is a judge that misbehaves.
type scorer func(d text.Doc) (prune.Scores, error)

func (s scorer) Score(_ context.Context, _ prune.Query, d text.Doc) (prune.Scores, error) {
	return s(d)
}

// logged gathers what the daemon would write to daemon.log.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// faults are what can be wrong with a daemon while an output is in its hands.
var faults = map[string]func(*rig){
	"none":    func(*rig) {},
	"shadow":  func(r *rig) { r.SetMode(door.Shadow, Proven{}) },
	"loading": func(r *rig) { r.SetPruner(prune.New(nil, prune.Options{}), "onnx", "loading") },
	"judge panics with the text": func(r *rig) {
		r.judge(func(d text.Doc) (prune.Scores, error) { panic("cannot judge: " + d.Src) })
	},
	"judge panics with an error about the text": func(r *rig) {
		r.judge(func(d text.Doc) (prune.Scores, error) { panic(errors.New(d.Src)) })
	},
	"judge panics with what it holds": func(r *rig) {
		r.judge(func(d text.Doc) (prune.Scores, error) { panic(struct{ Line string }{d.Src}) })
	},
	"judge reads out of bounds": func(r *rig) {
		r.judge(func(d text.Doc) (prune.Scores, error) { return prune.Scores{}, errors.New(d.Src[:len(d.Src)+1]) })
	},
	"judge fails": func(r *rig) {
		r.judge(func(text.Doc) (prune.Scores, error) { return prune.Scores{}, errors.New("out of order") })
	},
	"judge is late": func(r *rig) {
		r.judge(func(text.Doc) (prune.Scores, error) { return prune.Scores{}, context.DeadlineExceeded })
	},
	"judge answers nonsense": func(r *rig) {
		r.judge(func(text.Doc) (prune.Scores, error) { return prune.Scores{Line: []float64{-1, 7}, Failure: 2}, nil })
	},
	"handler panics":  func(r *rig) { r.door.Kind = func(prune.Tool) string { panic("about " + canary) } },
	"no store":        func(r *rig) { r.SetStore(nil, "gone") },
	"store is closed": func(r *rig) { r.store.Close() },
}

func (r *rig) judge(s scorer) {
	r.SetPruner(prune.New(s, prune.Options{AllowNothing: true, Live: r.store.Live}), "x", "ready")
}

// said is a random output with the canary in many of its lines; a clean one can
// be hidden.
func said(rng *rand.Rand, clean bool) string {
	kinds := []string{"entry %d " + canary + " of a listing that nobody asked for", canary + " %d of a listing", "ERROR %d: " + canary + " failed", "{\"" + canary + "\": %d}", "%d\t" + canary + "\x1b[31m", "/p/" + canary + "/%d.go:12: x", ""}
	if clean {
		kinds = kinds[:2]
	}
	var b strings.Builder
	for i := range 150 + rng.IntN(100) {
		if k := kinds[rng.IntN(len(kinds))]; k != "" {
			fmt.Fprintf(&b, k, i)
		}
		b.WriteByte('\n')
	}
	return b.String() + canary
}

// posts are requests that carry an output, well formed and not.
func posts(t *testing.T, rng *rand.Rand, n int) (out [][2]string) {
	t.Helper()
	js := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	id := fmt.Sprintf("toolu_%d", n)
	mod := func(tool string, texts ...string) {
		body := js(api.ResultRequest{Session: "s", Loop: "main", ToolUseID: id, Tool: tool, Input: json.RawMessage(fmt.Sprintf(`{"command":"ls -R %d"}`, n)),
			Texts: texts, Rows: []api.Row{{Text: "Which file holds the parser?", Door: "prompt"}}})
		out = append(out, [2]string{api.PathEarly, body}, [2]string{api.PathResult, body})
	}
	hook := func(tool string, response any) {
		out = append(out, [2]string{api.PathHook, js(map[string]any{"session_id": "s", "transcript_path": "/none/s.jsonl", "cwd": "/p", "hook_event_name": "PostToolUse",
			"tool_name": tool, "tool_use_id": id, "tool_input": map[string]any{"command": "ls"}, "tool_response": response})})
	}
	o := said(rng, n == 0)
	saved := "<persisted-output>\nOutput too large (1MB). Full output saved to: /" + canary + "/s/tool-results/" + canary + ".txt\n\nPreview:\n" + o + "\n</persisted-output>"
	mod("Bash", o)
	mod("mcp__x__y", o, "", o)
	mod("Bash", saved)
	mod("Read", saved)
	hook("Bash", map[string]any{"stdout": o, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false})
	hook("Bash", map[string]any{"stdout": o, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false,
		"persistedOutputPath": "/" + canary + "/s/tool-results/x.txt", "persistedOutputSize": 100000})
	hook("Read", map[string]any{"type": "text", "file": map[string]any{"filePath": "/p/x", "content": o, "numLines": 1, "startLine": 1, "totalLines": 1}})
	hook("Read", map[string]any{"type": canary, "file": o})
	hook("Grep", map[string]any{"mode": canary, "content": o})
	hook("mcp__x__y", []any{map[string]any{"type": "text", "text": o}})
	hook("mcp__x__y", o)
	hook("WebFetch", map[string]any{"result": o, canary: 1})
	for _, p := range out[:len(out):len(out)] { // cut anywhere
		out = append(out, [2]string{p[0], p[1][:rng.IntN(len(p[1]))]})
	}
	return append(out, [2]string{api.PathHook, `{"` + canary + `":1,"` + canary + `":2,"hook_event_name":"PostToolUse"}`},
		[2]string{api.PathResult, `{"texts":"` + canary + `"}`})
}

// TestNoOutputInTheLogs: whatever goes wrong with an output in the daemon's
// hands, none of it comes into daemon.log or the decision log, also not when
// tasks are logged with their words.
func TestNoOutputInTheLogs(t *testing.T) {
	for name, spoil := range faults {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, uint64(len(name))))
			log, path := &logged{}, filepath.Join(t.TempDir(), decisions.FileName)
			logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			d := decisions.Open(path, decisions.Options{Log: logger})
			d.Words(true)
			r := start(t, func(o *Options) { o.Log, o.Decided = logger, d.Add })
			r.offer(t)
			spoil(r)
			keys := 0
			for n := range 3 {
				for _, p := range posts(t, rng, n) {
					_, body := r.post(t, p[0], p[1])
					var reply api.ResultReply
					_ = json.Unmarshal([]byte(body), &reply)
					for _, k := range reply.Keys {
						keys++
						r.post(t, api.PathRecall, `{"key":"`+k+`","session":"s","loop":"main"}`)
						r.post(t, api.PathRecall, `{"key":"`+k+`","pattern":"(","session":"s"}`)
					}
				}
			}
			d.Close()
			b, err := os.ReadFile(path)
			if name != "handler panics" && (err != nil || len(b) == 0) {
				t.Fatalf("no decisions: %v", err)
			}
			for what, s := range map[string]string{"daemon.log": log.String(), "decisions.jsonl": string(b)} {
				if i := strings.Index(s, canary); i >= 0 {
					t.Errorf("%s holds output: ...%s", what, s[max(0, i-200):min(len(s), i+100)])
				}
			}
			if name == "none" && keys == 0 {
				t.Errorf("nothing was hidden or recalled\n%.3000s", log.String())
			}
			if panics := strings.Contains(log.String(), "panic: "); panics != (strings.Contains(name, "panics") || name == "judge reads out of bounds") {
				t.Errorf("the log speaks of a panic: %v\n%.600s", panics, log.String())
			}
		})
	}
}

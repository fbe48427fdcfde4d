//go:build e2e

package lab

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"time"
)

// Run is one non-interactive run.
type Run struct {
	Prompt string
	// Allow names the tools that run without a question.
	Allow []string
	// Args are further arguments.
	Args []string
	// Limit ends a run that hangs; 0 means two minutes.
	Limit time.Duration
	// OnEvent, when set, sees each event as it is printed.
	OnEvent func(Event)
}

// Event is one line of the client's stream.
type Event struct {
	Type      string `json:"type"`
	Subtype   string `json:"subtype"`
	SessionID string `json:"session_id"`
	Result    string `json:"result"`
	IsError   bool   `json:"is_error"`
	Denials   []any  `json:"permission_denials"`
	At        time.Time
	Raw       string
}

// Done is how a run ended.
type Done struct {
	Events []Event
	// Result is the last event; SessionID its session.
	Result    Event
	SessionID string
	Stderr    string
	// Wall is the whole time, After the time from the result to the process's end.
	Wall, After time.Duration
}

// Do runs the client to its end. It fails the test when the client fails.
func (l *Lab) Do(r Run) Done {
	l.Helper()
	l.writeSettings()
	limit := r.Limit
	if limit == 0 {
		limit = 2 * time.Minute
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	args := append([]string{"-p", r.Prompt, "--output-format", "stream-json", "--verbose"}, l.args(r.Allow)...)
	cmd := exec.CommandContext(ctx, l.client, append(args, r.Args...)...)
	cmd.Dir, cmd.Env = l.Project, l.environ()
	cmd.WaitDelay = 2 * time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		l.Fatal(err)
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		l.Fatal(err)
	}
	var d Done
	for in := bufio.NewReader(out); ; {
		line, err := in.ReadString('\n')
		if e := event(line); e.Type != "" {
			d.Events = append(d.Events, e)
			if r.OnEvent != nil {
				r.OnEvent(e)
			}
		}
		if err != nil {
			break
		}
	}
	err = cmd.Wait()
	d.finish(start, stderr.String())
	if err != nil || d.Result.IsError {
		l.Fatalf("client: %v, result %q\n%s\n%s", err, d.Result.Result, d.Stderr, tail(l.Debug(), 4000))
	}
	return d
}

func event(line string) Event {
	e := Event{At: time.Now(), Raw: strings.TrimSpace(line)}
	if json.Unmarshal([]byte(line), &e) != nil {
		return Event{}
	}
	return e
}

func (d *Done) finish(start time.Time, stderr string) {
	end := time.Now()
	d.Wall, d.Stderr = end.Sub(start), stderr
	for _, e := range d.Events {
		if e.SessionID != "" {
			d.SessionID = e.SessionID
		}
		if e.Type == "result" {
			d.Result, d.After = e, end.Sub(e.At)
		}
	}
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }

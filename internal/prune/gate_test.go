package prune

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"winnow/internal/text"
)

// scorer is a judge made of a function.
type scorer func(ctx context.Context, q Query, d text.Doc) (Scores, error)

func (f scorer) Score(ctx context.Context, q Query, d text.Doc) (Scores, error) { return f(ctx, q, d) }

var _ Scorer = scorer(nil)

// rows are n plain lines that no rule protects.
func rows(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "row %04d of a table that nobody asked about\n", i)
	}
	return b.String()
}

func call(tool, input string) Tool { return Tool{Name: tool, Input: json.RawMessage(input)} }

// plain is an input that passes the gate.
func plain() Input {
	return Input{Task: Task{Request: "why is the total wrong?"}, Tool: call("Bash", `{"command":"make"}`), Text: rows(100), CanRecall: true}
}

func TestGate(t *testing.T) {
	read := func(in *Input, input string) { in.Tool = call("Read", input) }
	cut := func(tool, args, path string) Call { return Call{Tool: tool, Args: args, Path: path, Cut: true} }
	edit := func(tool, path string, since bool) Call { return Call{Tool: tool, Path: path, SinceRequest: since} }
	for _, tc := range []struct {
		name string
		o    Options
		set  func(in *Input)
		want Reason
	}{
		{"passes", Options{}, func(in *Input) {}, Pruned},
		{"failed tool", Options{}, func(in *Input) { in.Failed = true }, FailedTool},
		{"no task", Options{}, func(in *Input) { in.Task.Request = " \n" }, NoTask},
		{"an intent is no task", Options{}, func(in *Input) { in.Task = Task{Intent: "look"} }, NoTask},
		{"no recall", Options{}, func(in *Input) { in.CanRecall = false }, NoRecall},

		{"small", Options{}, func(in *Input) { in.Text = rows(20) }, Small},
		{"empty", Options{}, func(in *Input) { in.Text = "" }, Small},
		{"small in characters, not in bytes", Options{}, func(in *Input) { in.Text = strings.Repeat("äöü\n", 370) }, Small},
		{"own floor", Options{MinChars: 100}, func(in *Input) { in.Text = rows(20) }, Pruned},

		{"Edit", Options{}, func(in *Input) { in.Tool = call("Edit", `{}`) }, OtherTool},
		{"Agent", Options{}, func(in *Input) { in.Tool = call("Agent", `{}`) }, OtherTool},
		{"Task", Options{}, func(in *Input) { in.Tool = call("Task", `{}`) }, OtherTool},
		{"WebSearch", Options{}, func(in *Input) { in.Tool = call("WebSearch", `{}`) }, OtherTool},
		{"no name", Options{}, func(in *Input) { in.Tool = Tool{} }, OtherTool},
		{"an MCP tool", Options{}, func(in *Input) { in.Tool = call("mcp__db__query", `{"sql":"x"}`) }, Pruned},
		{"another agent's shell", Options{}, func(in *Input) { in.Tool = call("exec_command", `{"cmd":"make"}`) }, Pruned},
		{"arguments that are no object", Options{}, func(in *Input) { in.Tool = call("Bash", `"make"`) }, Pruned},
		{"no arguments", Options{}, func(in *Input) { in.Tool = call("Bash", ``) }, Pruned},
		{"narrowed away", Options{Tools: []string{"Read"}}, func(in *Input) {}, OtherTool},
		{"narrowed to it", Options{Tools: []string{"Bash"}}, func(in *Input) {}, Pruned},
		{"narrowed to an MCP server", Options{Tools: []string{"mcp__db__*"}}, func(in *Input) { in.Tool = call("mcp__db__query", `{}`) }, Pruned},
		{"narrowed to another server", Options{Tools: []string{"mcp__db__*"}}, func(in *Input) { in.Tool = call("mcp__web__get", `{}`) }, OtherTool},
		{"cannot be widened", Options{Tools: []string{"Edit"}}, func(in *Input) { in.Tool = call("Edit", `{}`) }, OtherTool},
		{"narrowed to nothing", Options{Tools: []string{}}, func(in *Input) {}, OtherTool},

		{"Read with an offset", Options{}, func(in *Input) { read(in, `{"file_path":"/p/a.go","offset":40}`) }, Aimed},
		{"Read with a limit", Options{}, func(in *Input) { read(in, `{"file_path":"/p/a.go","limit":40}`) }, Aimed},
		{"null is no offset", Options{}, func(in *Input) { read(in, `{"file_path":"/p/a.go","offset":null,"limit":null}`) }, Pruned},
		{"another tool's limit", Options{}, func(in *Input) { in.Tool = call("mcp__db__query", `{"limit":40}`) }, Pruned},

		{"edited since the request", Options{}, func(in *Input) {
			read(in, `{"file_path":"/p/a.go"}`)
			in.Calls = []Call{edit("Edit", "/p/a.go", true)}
		}, EditedFile},
		{"written, named another way", Options{}, func(in *Input) {
			read(in, `{"file_path":"/p/x/../a.go"}`)
			in.Calls = []Call{edit("Write", "a.go", true)}
		}, EditedFile},
		{"edited before the request", Options{}, func(in *Input) {
			read(in, `{"file_path":"/p/a.go"}`)
			in.Calls = []Call{edit("Edit", "/p/a.go", false)}
		}, Pruned},
		{"another file edited", Options{}, func(in *Input) {
			read(in, `{"file_path":"/p/a.go"}`)
			in.Calls = []Call{edit("MultiEdit", "/p/ba.go", true)}
		}, Pruned},
		{"only read before", Options{}, func(in *Input) {
			read(in, `{"file_path":"/p/a.go"}`)
			in.Calls = []Call{edit("Read", "/p/a.go", true)}
		}, Pruned},

		{"repeat of a cut call", Options{}, func(in *Input) { in.Calls = []Call{cut("Bash", `{"command":"make"}`, "")} }, Repeat},
		{"repeat, arguments in another order", Options{}, func(in *Input) {
			in.Tool = call("Bash", `{"timeout":3,"command":"make"}`)
			in.Calls = []Call{cut("Bash", `{ "command": "make", "timeout": 3 }`, "")}
		}, Repeat},
		{"repeat of an uncut call", Options{}, func(in *Input) { in.Calls = []Call{{Tool: "Bash", Args: `{"command":"make"}`}} }, Pruned},
		{"an uncut repeat between", Options{}, func(in *Input) {
			in.Calls = []Call{cut("Bash", `{"command":"make"}`, ""), {Tool: "Bash", Args: `{"command":"make"}`}}
		}, Repeat},
		{"another tool with the same arguments", Options{}, func(in *Input) { in.Calls = []Call{cut("Read", `{"command":"make"}`, "")} }, Pruned},
		{"other arguments", Options{}, func(in *Input) { in.Calls = []Call{cut("Bash", `{"command":"make test"}`, "")} }, Pruned},
		{"an edit between two commands", Options{}, func(in *Input) {
			in.Calls = []Call{cut("Bash", `{"command":"make"}`, ""), edit("Edit", "/p/a.go", false)}
		}, Repeat},
		{"an edit of the file between two reads", Options{}, func(in *Input) {
			read(in, `{"file_path":"/p/a.go"}`)
			in.Calls = []Call{cut("Read", `{"file_path":"/p/a.go"}`, "/p/a.go"), edit("Edit", "/p/a.go", false)}
		}, Pruned},
		{"an edit before the cut read", Options{}, func(in *Input) {
			read(in, `{"file_path":"/p/a.go"}`)
			in.Calls = []Call{edit("Edit", "/p/a.go", false), cut("Read", `{"file_path":"/p/a.go"}`, "/p/a.go")}
		}, Repeat},
		{"ten calls back", Options{}, func(in *Input) {
			in.Calls = append([]Call{cut("Bash", `{"command":"make"}`, "")}, make([]Call, 9)...)
		}, Repeat},
		{"eleven calls back", Options{}, func(in *Input) {
			in.Calls = append([]Call{cut("Bash", `{"command":"make"}`, "")}, make([]Call, 10)...)
		}, Pruned},

		{"excluded path", Options{ExcludePaths: []string{"*.lock"}}, func(in *Input) { read(in, `{"file_path":"/p/yarn.lock"}`) }, Excluded},
		{"excluded command", Options{ExcludeCommands: []string{"terraform plan"}}, func(in *Input) {
			in.Tool = call("Bash", `{"command":"cd x && terraform plan -out p"}`)
		}, Excluded},
		{"a path pattern is for no command", Options{ExcludePaths: []string{"*.lock"}}, func(in *Input) {
			in.Tool = call("Bash", `{"command":"cat yarn.lock"}`)
		}, Pruned},

		{"the whole is asked for", Options{}, func(in *Input) {
			in.Task.Request = "review the whole file"
			read(in, `{"file_path":"/p/a.go"}`)
		}, Whole},
		{"the whole, but a command", Options{}, func(in *Input) { in.Task.Request = "review the whole file" }, Pruned},

		{"NUL", Options{}, func(in *Input) { in.Text += "\x00" }, Binary},
		{"invalid UTF-8", Options{}, func(in *Input) { in.Text += "\xe4" }, Binary},
		{"UTF-16", Options{}, func(in *Input) { in.Text = "\xff\xfe" + in.Text }, Binary},
		{"replaced characters everywhere", Options{}, func(in *Input) { in.Text += strings.Repeat("\uFFFD", 50) }, Binary},
		{"one replaced character", Options{}, func(in *Input) { in.Text += "\uFFFD" }, Pruned},

		{"JSON", Options{}, func(in *Input) { in.Text = "\n[\n" + strings.Repeat(" {\"id\": 1},\n", 200) + " {}\n]\n" }, JSON},
		{"JSON of a Read", Options{}, func(in *Input) {
			read(in, `{"file_path":"/p/a.json"}`)
			in.Text = numbered("{\n" + strings.Repeat(" \"a\": 1,\n", 300) + " \"b\": 2\n}\n")
		}, JSON},
		{"JSON with a reminder after it", Options{}, func(in *Input) {
			in.Text = "[" + strings.Repeat("1,\n", 900) + "1]\n\n<system-reminder>\nBe careful.\n</system-reminder>\n"
		}, JSON},
		{"JSON lines", Options{}, func(in *Input) { in.Text = strings.Repeat(`{"level":"info","msg":"x"}`+"\n", 100) }, JSON},
		{"JSON lines with a banner", Options{}, func(in *Input) {
			in.Text = "{starting}\n" + strings.Repeat(`{"level":"info","msg":"x"}`+"\n", 100) + "{\"done\":true}"
		}, JSON},
		{"cut JSON is text", Options{}, func(in *Input) { in.Text = "[" + strings.Repeat("\n {\"id\": 1},", 200) }, Pruned},
		{"braces are no JSON", Options{}, func(in *Input) { in.Text = "{" + in.Text + "}" }, Pruned},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := plain()
			tc.set(&in)
			tc.o.AllowNothing = true
			res := New(Fake{}, tc.o).Prune(context.Background(), in)
			checkResult(t, in, res)
			if res.Reason != tc.want {
				t.Errorf("reason = %q, want %q", res.Reason, tc.want)
			}
		})
	}
}

// numbered puts a Read's margin before each line, as the client does: the part
// after a final newline is a line too.
func numbered(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = fmt.Sprintf("%d\t%s", i+1, lines[i])
	}
	return strings.Join(lines, "\n")
}

// The gate that a door asks early must agree with what Prune says later, and
// must find everything but the task first.
func TestGateEarly(t *testing.T) {
	p := New(Fake{}, Options{})
	in := plain()
	in.Task = Task{}
	if got := p.Gate(in); got != NoTask {
		t.Errorf("Gate = %q, want %q", got, NoTask)
	}
	in.Tool = call("Read", `{"file_path":"a","limit":3}`)
	if got := p.Gate(in); got != Aimed {
		t.Errorf("Gate without a task = %q, want %q", got, Aimed)
	}
	if got := New(nil, Options{}).Gate(plain()); got != NotReady {
		t.Errorf("Gate without a judge = %q, want %q", got, NotReady)
	}
}

func TestJudge(t *testing.T) {
	boom := errors.New("boom")
	expired, cancel := context.WithCancel(context.Background())
	cancel()
	flat := func(p float64) scorer {
		return func(_ context.Context, _ Query, d text.Doc) (Scores, error) {
			s := Scores{Line: make([]float64, d.Len())}
			for i := range s.Line {
				s.Line[i] = p
			}
			return s, nil
		}
	}
	fails := func(err error) scorer {
		return func(context.Context, Query, text.Doc) (Scores, error) { return Scores{}, err }
	}
	for _, tc := range []struct {
		name string
		ctx  context.Context
		s    Scorer
		want Reason
		err  error
	}{
		{"no judge", context.Background(), nil, NotReady, nil},
		{"loading", context.Background(), fails(fmt.Errorf("onnx: %w", ErrNotReady)), NotReady, ErrNotReady},
		{"deadline", context.Background(), fails(context.DeadlineExceeded), Deadline, context.DeadlineExceeded},
		{"cancelled", context.Background(), fails(context.Canceled), Deadline, context.Canceled},
		{"cancelled while it judged", expired, Fake{}, Deadline, context.Canceled},
		{"broken", context.Background(), fails(boom), JudgeError, boom},
		{"panics", context.Background(), scorer(func(context.Context, Query, text.Doc) (Scores, error) { panic("x") }), Internal, nil},
		{"nothing is relevant", context.Background(), flat(0.02), NothingFound, nil},
		{"all is relevant", context.Background(), flat(0.9), TooLittle, nil},
		{"all is uncertain", context.Background(), flat(0.2), TooLittle, nil},
		{"no scores at all", context.Background(), fails(nil), NothingFound, nil},
		{"reports a failure", context.Background(), scorer(func(_ context.Context, _ Query, d text.Doc) (Scores, error) {
			return Scores{Line: make([]float64, d.Len()), Failure: 0.5}, nil
		}), Failure, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := plain()
			res := New(tc.s, Options{}).Prune(tc.ctx, in)
			if res.Reason != tc.want {
				t.Errorf("reason = %q, want %q", res.Reason, tc.want)
			}
			if res.Text != in.Text || len(res.Hidden) != 0 {
				t.Error("the text was changed")
			}
			if tc.err != nil && !errors.Is(res.Err, tc.err) {
				t.Errorf("error = %v, want %v", res.Err, tc.err)
			}
			if tc.want == Internal && res.Err == nil {
				t.Error("a panic left no error")
			}
		})
	}
}

// The judge reads the task and the text without its margin; the plan shows
// what it said, and a second judge may overrule it before Finish.
func TestPlan(t *testing.T) {
	in := plain()
	in.Tool, in.Text = call("Read", `{"file_path":"/p/a.txt"}`), numbered(rows(100))
	var got Query
	p := New(scorer(func(_ context.Context, q Query, d text.Doc) (Scores, error) {
		got = q
		if d.Src != rows(100) {
			t.Errorf("judged text = %.60q, want it without the margin", d.Src)
		}
		s := Scores{Line: make([]float64, d.Len())}
		s.Line[50] = 0.7
		return s, nil
	}), Options{})
	pl := p.Plan(context.Background(), in)
	if pl.Reason != Pruned || pl.Err != nil {
		t.Fatalf("Plan = %q, %v", pl.Reason, pl.Err)
	}
	if got.Task != in.Task || got.Tool.Name != "Read" {
		t.Errorf("query = %+v", got)
	}
	if pl.Doc.Len() != 101 || len(pl.Scores.Line) != 101 || len(pl.Protected) != 101 {
		t.Errorf("plan has %d lines, %d scores, %d causes, want 101 each", pl.Doc.Len(), len(pl.Scores.Line), len(pl.Protected))
	}
	first := p.Finish(pl, pl.Scores)
	checkResult(t, in, first)
	if !strings.Contains(first.Text, "51\trow 0050") || strings.Contains(first.Text, "row 0070") {
		t.Errorf("Finish:\n%s", first.Text)
	}
	second := Scores{Line: append([]float64(nil), pl.Scores.Line...)}
	second.Line[70] = 1
	if res := p.Finish(pl, second); !strings.Contains(res.Text, "71\trow 0070") {
		t.Errorf("Finish with other scores:\n%s", res.Text)
	}
	if d := Judged(in.Tool, in.Text); d.Src != pl.Doc.Src {
		t.Error("Judged differs from the plan's Doc")
	}
}

package prune

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/marker"
	"winnow/internal/text"
)

// checkFolds checks what must hold for every result with folds.
func checkFolds(t testing.TB, in Input, res Result) {
	t.Helper()
	all := append(append([]Hidden(nil), res.Hidden...), res.Folded...)
	for i := range all {
		for j := i; j > 0 && all[j].Start < all[j-1].Start; j-- {
			all[j], all[j-1] = all[j-1], all[j]
		}
	}
	for i, h := range all {
		if marker.KeyOf(h.Text) != h.Key || i > 0 && h.Start <= all[i-1].End {
			t.Errorf("hidden %d-%d: wrong key, or over the one before", h.Start, h.End)
		}
	}
	if got := restore(t, in, Result{Text: res.Text, Hidden: all}); got != in.Text {
		t.Errorf("hidden text put back gives another text:\n%s", firstDifference(in.Text, got))
	}
	if len(all) == 0 && res.Text != in.Text || len(all) > 0 && text.Chars(res.Text) >= text.Chars(in.Text) {
		t.Errorf("%d hidden, %d characters became %d", len(all), text.Chars(in.Text), text.Chars(res.Text))
	}
}

// spans says of hidden runs where they are.
func spans(hidden []Hidden) [][2]int {
	out := [][2]int{}
	for _, h := range hidden {
		out = append(out, [2]int{h.Start, h.End})
	}
	return out
}

// The judge works on what folds leave; both hide side by side, each by its own
// marker.
func TestFoldsAndJudge(t *testing.T) {
	in := plain()
	in.Text = rows(200)
	low := make(byteScores, 201) // all of it may go
	high := make(byteScores, 201)
	for i := range high {
		high[i] = 254
	}
	folds := []Fold{{Start: 20, End: 59, Digest: "unchanged, shown 1 call ago as lines 21-60 of x"}, {Start: 60, End: 99, Digest: "unchanged, shown 2 calls ago as lines 1-40 of y"}}
	for _, tc := range []struct {
		name           string
		scores         byteScores
		change         func(in *Input)
		hidden, folded [][2]int
		reason         Reason
	}{
		{"beside the judge's runs", low, nil, [][2]int{{2, 19}, {100, 197}}, [][2]int{{20, 59}, {60, 99}}, Pruned},
		{"all else is needed", high, nil, [][2]int{}, [][2]int{{20, 59}, {60, 99}}, TooLittle},
		{"no task: the folds alone", low, func(in *Input) { in.Task = Task{} }, [][2]int{}, [][2]int{{20, 59}, {60, 99}}, NoTask},
		{"a part of a file", low, func(in *Input) { in.Tool = call("Read", `{"file_path":"/p/a.txt","offset":3}`) }, [][2]int{}, [][2]int{{20, 59}, {60, 99}}, Aimed},
		{"a failed tool", low, func(in *Input) { in.Failed = true }, [][2]int{}, [][2]int{}, FailedTool},
		{"nobody can recall", low, func(in *Input) { in.CanRecall = false }, [][2]int{}, [][2]int{}, NoRecall},
		{"folds that overlap are none", low, func(in *Input) { in.Folds = []Fold{folds[0], {Start: 40, End: 70}} }, [][2]int{{2, 197}}, [][2]int{}, Pruned},
		{"folds beyond the end are none", high, func(in *Input) { in.Folds = []Fold{{Start: 190, End: 900}} }, [][2]int{}, [][2]int{}, TooLittle},
		{"not worth a marker", high, func(in *Input) { in.Folds = []Fold{{Start: 20, End: 21, Digest: folds[0].Digest}} }, [][2]int{}, [][2]int{}, TooLittle},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := in
			in.Folds = folds
			if tc.change != nil {
				tc.change(&in)
			}
			res := New(tc.scores, Options{AllowNothing: true}).Prune(context.Background(), in)
			checkFolds(t, in, res)
			if res.Reason != tc.reason {
				t.Errorf("reason = %q, want %q", res.Reason, tc.reason)
			}
			if diff := cmp.Diff(tc.hidden, spans(res.Hidden)); diff != "" {
				t.Errorf("hidden (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.folded, spans(res.Folded)); diff != "" {
				t.Errorf("folded (-want +got):\n%s\n%s", diff, res.Text)
			}
		})
	}
}

// The judge's floor is a share of what folds leave.
func TestFloorOfTheRest(t *testing.T) {
	in := plain()
	in.Text = rows(200)
	s := make(byteScores, 201)
	for i := range s {
		if i < 150 || i > 175 {
			s[i] = 254
		}
	}
	p := New(s, Options{})
	if res := p.Prune(context.Background(), in); res.Reason != TooLittle {
		t.Fatalf("without folds: %q", res.Reason)
	}
	in.Folds = []Fold{{Start: 2, End: 130, Digest: "x"}}
	if res := p.Prune(context.Background(), in); res.Reason != Pruned || len(res.Hidden) != 1 || len(res.Folded) != 1 {
		t.Errorf("with folds: %q, %v and %v", res.Reason, spans(res.Hidden), spans(res.Folded))
	}
}

func TestFoldGate(t *testing.T) {
	bash := func(command string) Call { return Call{ID: "x", Tool: "Bash", Args: `{"command":"` + command + `"}`} }
	read := Call{ID: "r", Tool: "Read", Args: `{"file_path":"/p/a.go"}`, Path: "/p/a.go"}
	other := Call{ID: "o", Tool: "Read", Args: `{"file_path":"/p/b.go"}`, Path: "/p/b.go"}
	edit := func(path string) Call { return Call{ID: "e", Tool: "Edit", Args: "{}", Path: path} }
	fill := func(n int) (out []Call) {
		for range n {
			out = append(out, other)
		}
		return out
	}
	for _, tc := range []struct {
		name  string
		tool  Tool
		calls []Call
		want  Reason
	}{
		{"never called", call("Read", `{"file_path":"/p/a.go"}`), []Call{other}, Pruned},
		{"called a moment ago", call("Read", `{"file_path":"/p/a.go"}`), []Call{read, other}, Again},
		{"ten calls ago", call("Read", `{"file_path":"/p/a.go"}`), append([]Call{read}, fill(9)...), Again},
		{"eleven calls ago", call("Read", `{"file_path":"/p/a.go"}`), append([]Call{read}, fill(10)...), Pruned},
		{"another part of it", call("Read", `{"file_path":"/p/a.go","offset":9}`), []Call{read}, Pruned},
		{"edited since", call("Read", `{"file_path":"/p/a.go"}`), []Call{read, edit("/p/a.go")}, Pruned},
		{"edited before", call("Read", `{"file_path":"/p/a.go"}`), []Call{edit("/p/a.go"), read}, Again},
		{"another file was edited", call("Read", `{"file_path":"/p/a.go"}`), []Call{read, edit("/p/b.go")}, Again},
		{"edited by a shell", call("Read", `{"file_path":"/p/a.go"}`), []Call{read, bash(`sed -i s/a/b/ /p/a.go`)}, Pruned},
		{"read by a shell", call("Read", `{"file_path":"/p/a.go"}`), []Call{read, bash(`cat /p/a.go`)}, Again},
		{"tests after an edit", call("Bash", `{"command":"go test ./..."}`), []Call{bash("go test ./..."), edit("/p/b.go")}, Pruned},
		{"tests after nothing", call("Bash", `{"command":"go test ./..."}`), []Call{bash("go test ./..."), bash("ls -l")}, Again},
		{"a file by a shell, another edited", call("Bash", `{"command":"cat a.go"}`), []Call{bash("cat a.go"), edit("/p/b.go")}, Again},
		{"a file by a shell, edited", call("Bash", `{"command":"cat a.go"}`), []Call{bash("cat a.go"), edit("/p/a.go")}, Pruned},
		{"winnow's own", call("Bash", `{"command":"winnow recall x"}`), nil, Own},
		{"a tool that is not pruned", call("Agent", `{}`), nil, OtherTool},
	} {
		in := plain()
		in.Tool, in.Calls, in.Text = tc.tool, tc.calls, rows(50)
		p := New(Fake{}, Options{})
		if got := p.FoldGate(p.Look(in)); got != tc.want {
			t.Errorf("%s: FoldGate = %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestWrites(t *testing.T) {
	for _, s := range []string{"echo x > a.go", "cat <<'EOF' > a.py\nx\nEOF", "x >>log", "sed -i 's/a/b/' a.go", "sed --in-place=.bak s/a/b/ a", "git checkout -- a.go", "cd x && git apply p", "mv a b", "tee a", "npm install", "pip install -q x", "bash -c 'rm a'; touch b", "eslint . --fix"} {
		if !writes(s) {
			t.Errorf("writes(%q) = false", s)
		}
	}
	for _, s := range []string{"", "cat a.go", "go test ./... 2>&1", "make >/dev/null 2>&1", "grep -n '->' a.go", "rg 'a > b'", "git diff", "git log -p", "sed -n 1,9p a.go", "npm test", "find . -name x"} {
		if writes(s) {
			t.Errorf("writes(%q) = true", s)
		}
	}
}

func TestLookNames(t *testing.T) {
	for _, tc := range []struct {
		tool     Tool
		name, of string
		file     bool
	}{
		{call("Read", `{"file_path":"/p/x/server.go"}`), "server.go", "/p/x/server.go", true},
		{call("Bash", `{"command":"sed -n '1,80p' src/server.go"}`), "server.go", "src/server.go", true},
		{call("Bash", `{"command":"cd /p && cat server.go | head -20"}`), "server.go", "server.go", true},
		{call("Bash", `{"command":"cat a.go b.go"}`), "`cat a.go b.go`", "cat a.go b.go", false},
		{call("Bash", `{"command":"go test   ./... -run TestSomethingLong"}`), "`go test ./... -run Test…`", "go test ./... -run TestSomethingLong", false},
		{call("Grep", `{"pattern":"x","path":"/p"}`), "the Grep result", "Grep /p", false},
	} {
		in := plain()
		in.Tool, in.Text = tc.tool, rows(20)
		l := New(Fake{}, Options{}).Look(in)
		if l.Name != tc.name || l.Of != tc.of || l.File != tc.file {
			t.Errorf("%s: %q, %q, %v; want %q, %q, %v", tc.tool.Input, l.Name, l.Of, l.File, tc.name, tc.of, tc.file)
		}
	}
}

// Failures, verdicts and notices stay; code that speaks of errors does not.
func TestCauses(t *testing.T) {
	stays := func(tool Tool, line string) bool {
		in := plain()
		in.Tool, in.Text = tool, rows(30)+line+"\n"+rows(30)
		l := New(Fake{}, Options{}).Look(in)
		return l.Causes()[30]&Fixes != 0
	}
	code := strings.Repeat("func f() error {\n\treturn nil\n}\n", 12)
	inCode := func(tool Tool, line string) bool {
		in := plain()
		in.Tool, in.Text = tool, code+line+"\n"+code
		l := New(Fake{}, Options{}).Look(in)
		return l.Causes()[36]&Fixes != 0
	}
	make := call("Bash", `{"command":"make"}`)
	for line, want := range map[string]bool{"src/a.c:3:1: error: no such thing": true, "3 passed, 1 failed in 2.1s": true, "... 120 lines omitted ...": true, "all is well here": false} {
		if got := stays(make, line); got != want {
			t.Errorf("make prints %q: stays = %v, want %v", line, got, want)
		}
	}
	for tool, want := range map[string]bool{"cat a.go": false, "sed -n '1,90p' a.go": false, "git show HEAD:a.go": false, "git diff": false, "make": true, "cat a.log": true} {
		if got := inCode(call("Bash", `{"command":"`+tool+`"}`), "\treturn fmt.Errorf(\"error: no such key\")"); got != want {
			t.Errorf("%s prints code that speaks of an error: stays = %v, want %v", tool, got, want)
		}
	}
}

// FuzzFolds: whatever runs are given as folds, hidden text put back is the input.
func FuzzFolds(f *testing.F) {
	f.Add(rows(60), []byte{0, 9, 200}, uint8(10), uint8(20), uint8(31), uint8(9), uint8(0))
	f.Add("1\ta\n2\tb\n3\tc\n", []byte{}, uint8(0), uint8(1), uint8(2), uint8(3), uint8(1))
	f.Fuzz(func(t *testing.T, src string, scores []byte, a, n, b, m, tool uint8) {
		in := plain()
		in.Tool, in.Text = fuzzTools[int(tool)%len(fuzzTools)], src
		in.Renumbered, in.StartLine = tool > 127, int(tool)
		in.Folds = []Fold{{Start: int(a), End: int(a) + int(n), Digest: "x"}, {Start: int(b), End: int(b) + int(m), Digest: "<<ccr:y"}}
		p := New(byteScores(scores), Options{MinChars: 1, MinSaving: 1e-9, AllowNothing: true})
		for _, res := range []Result{p.Prune(context.Background(), in), p.Fold(in)} {
			if res.Reason == Internal {
				t.Fatalf("internal: %v", res.Err)
			}
			if len(res.Hidden)+len(res.Folded) > 0 {
				checkFolds(t, in, res)
			}
		}
	})
}

// Numbers that a program prints before the lines of a file are looked through
// like a Read's margin; so are those of lines that were recalled.
func TestLookThroughNumbers(t *testing.T) {
	numbered := "    12\tone\n    13\ttwo\n    14\t"
	for _, tc := range []struct {
		name, tool, input, text string
		want                    string
		first                   int
	}{
		{"cat -n", "Bash", `{"command":"cat -n /p/a.go | sed -n '12,14p'"}`, numbered, "one\ntwo\n", 12},
		{"nl -ba", "Bash", `{"command":"nl -ba a.go"}`, numbered, "one\ntwo\n", 12},
		{"cat -An", "Bash", `{"command":"cat -An a.go"}`, numbered, "one\ntwo\n", 12},
		{"cat", "Bash", `{"command":"cat a.go"}`, numbered, numbered, 1},
		{"a program beside", "Bash", `{"command":"nl -ba a.go && make"}`, numbered, numbered, 1},
		{"a list", "Bash", `{"command":"nl -ba a.go"}`, "1. one\n2. two", "1. one\n2. two", 1},
		{"the recall tool", "mcp__winnow__recall", `{"key":"x"}`, "12\tone\n13\ttwo\n14\t", "one\ntwo\n", 12},
		{"the command", "Bash", `{"command":"winnow recall x"}`, "12\tone\n13\ttwo\n14\t", "one\ntwo\n", 12},
		{"recalled output", "mcp__winnow__recall", `{"key":"x"}`, "one\ntwo", "one\ntwo", 1},
	} {
		l := New(nil, Options{}).Look(Input{Tool: call(tc.tool, tc.input), Text: tc.text})
		if l.Doc.Src != tc.want || l.Numbers[0] != tc.first {
			t.Errorf("%s: text %q from %d on, want %q from %d on", tc.name, l.Doc.Src, l.Numbers[0], tc.want, tc.first)
		}
		if own := strings.Contains(tc.input+tc.tool, "recall"); own != (l.Name == "the recalled lines" && l.Of == "") {
			t.Errorf("%s: name %q of %q", tc.name, l.Name, l.Of)
		}
	}
}

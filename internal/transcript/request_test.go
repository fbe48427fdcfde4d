package transcript

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/api"
	"winnow/internal/prune"
)

func TestRequest(t *testing.T) {
	prompt := func(s string) api.Row { return api.Row{Text: s, Door: "prompt"} }
	for name, tc := range map[string]struct {
		rows []api.Row
		want string
	}{
		"none":                {nil, ""},
		"one":                 {[]api.Row{prompt(" fix it up \n")}, "fix it up"},
		"newest":              {[]api.Row{prompt("a first thing"), prompt("a second thing")}, "a second thing"},
		"bare":                {[]api.Row{prompt("a first thing"), prompt("ok do it")}, "a first thing\n\nok do it"},
		"bares":               {[]api.Row{prompt("a first thing"), prompt("yes"), prompt("1")}, "a first thing\n\n1"},
		"alone":               {[]api.Row{prompt("yes")}, ""},
		"by door":             {[]api.Row{{Text: "asked", Door: "messages"}, {Text: "no", Door: "response"}, {Text: "no"}, {Text: "no", Door: "delivery"}, {Text: "no", Door: "delivery", Origin: "task-notification"}}, "asked"},
		"typed while working": {[]api.Row{prompt("asked"), {Text: "and look at this", Door: "delivery", Origin: "composer"}}, "and look at this"},
		"print mode":          {[]api.Row{{Text: "print", Door: "delivery", Origin: "unclassified"}}, "print"},
		"delegated":           {[]api.Row{{Text: "sub task", Door: "delivery", Origin: "coordinator"}}, "sub task"},
		"reports, commands":   {[]api.Row{prompt("asked"), {Text: "no", Door: "prompt", Origin: "task-notification"}, {Text: "no", Door: "messages", Origin: "command"}}, "asked"},
		"from a person":       {[]api.Row{{Text: "asked", Door: "prompt", Origin: "human"}}, "asked"},
		"texts of nobody": {[]api.Row{prompt("asked"),
			prompt("<command-name>/x</command-name>"), prompt("<command-message>x</command-message>"), prompt("<local-command-stdout>x</local-command-stdout>"),
			prompt("<local-command-caveat>x"), prompt("<bash-input>ls</bash-input>"), prompt("<bash-stdout>x"), prompt("<task-notification>x"),
			prompt("<system-reminder>x</system-reminder>  "), prompt("This session is being continued from a previous conversation that"),
			prompt("[Request interrupted by user for tool use]"), prompt("Stop hook feedback:\n- x"), prompt("Caveat: The messages below"), prompt(" \n"),
		}, "asked"},
		"reminders inside":      {[]api.Row{prompt("<system-reminder>a</system-reminder>please <system-reminder>b</system-reminder>look at it<system-reminder>cut off")}, "please look at it"},
		"what an editor adds":   {[]api.Row{prompt("<ide_opened_file>The user opened /a.go</ide_opened_file>\nrename it everywhere<user-prompt-submit-hook>x</user-prompt-submit-hook>")}, "rename it everywhere"},
		"fork with a directive": {[]api.Row{prompt("<fork-boilerplate>x</fork-boilerplate>\nread all of it")}, "read all of it"},
		"fork without":          {[]api.Row{prompt("asked"), prompt("<fork-boilerplate>x</fork-boilerplate>")}, "asked"},
	} {
		got, ok := Request(tc.rows)
		if got != tc.want || ok != (tc.want != "") {
			t.Errorf("%s: Request = %q, %v; want %q", name, got, ok, tc.want)
		}
	}
}

func TestBare(t *testing.T) {
	for _, s := range []string{"yes", "Yes!", "y", "continue", "go on", "Go ahead.", "1", "2)", "#3", "b", "ok do it", "OK, continue please", "yes, go ahead", "do it",
		"option 2", "the second one", "sounds good, thanks", "no", "again", "keep going", "👍", "?", "...", "weiter", "继续", "続けて", "LGTM", "both", "do it all"} {
		if !bare(s) {
			t.Errorf("bare(%q) = false", s)
		}
	}
	for _, s := range []string{"fix the parser", "run tests", "why?", "yes, but keep the old name", "continue with the parser", "123 fails", "error 500",
		"f", "stop", "test it", "commit", "push it", strings.Repeat("yes ", 30)} {
		if bare(s) {
			t.Errorf("bare(%q) = true", s)
		}
	}
}

func TestTaskCaps(t *testing.T) {
	long := "HEAD " + strings.Repeat("丸", 3000) + " TAIL"
	rows := []api.Row{{Text: long, Door: "prompt"}, {Text: "ok, continue", Door: "prompt"}}
	got := TaskFrom(rows, long)
	if n := utf8.RuneCountInString(got.Request); n != prune.MaxRequest || !strings.HasPrefix(got.Request, "HEAD 丸") || !strings.HasSuffix(got.Request, "丸\n\nok, continue") {
		t.Errorf("request has %d characters: %.20q ... %q", n, got.Request, got.Request[len(got.Request)-20:])
	}
	if n := utf8.RuneCountInString(got.Intent); n != prune.MaxIntent || !strings.HasSuffix(got.Intent, " TAIL") || !strings.HasPrefix(got.Intent, "丸") {
		t.Errorf("intent has %d characters: %.20q", n, got.Intent)
	}
	want := prune.Task{Request: "what\uFFFDb", Intent: "x \uFFFD"}
	if diff := cmp.Diff(want, TaskFrom([]api.Row{{Text: "what\xffb", Door: "prompt"}}, "<system-reminder>r</system-reminder>x \xc3")); diff != "" {
		t.Errorf("TaskFrom of broken UTF-8 (-want +got):\n%s", diff)
	}
	if got := TaskFrom(nil, "I will"); got.Request != "" {
		t.Errorf("TaskFrom(nil) = %+v", got)
	}
}

func TestCallOf(t *testing.T) {
	a := CallOf("1", "Write", []byte(`{"content":"x","file_path":"/a"}`))
	b := CallOf("1", "Write", []byte("{ \"file_path\": \"/a\",\n\"content\": \"x\" }"))
	if diff := cmp.Diff(a, b); diff != "" || a.Path != "/a" {
		t.Errorf("two spellings differ, or have no path:\n%s", diff)
	}
	big := func(s string) prune.Call {
		return CallOf("1", "Write", []byte(`{"file_path":"/a","content":`+quote(strings.Repeat(s, maxArgs))+`}`))
	}
	if x, y := big("x"), big("y"); len(x.Args) > 200 || x.Args == y.Args || x != big("x") || x.Path != "/a" {
		t.Errorf("long arguments: %q and %q", x.Args, y.Args)
	}
	for _, in := range []string{"", "{", "7", `{"file_path":7}`, `{"file_path":["a"]}`} {
		if c := CallOf("1", "Read", []byte(in)); c.Path != "" || c.Args != in {
			t.Errorf("CallOf(%q) = %+v", in, c)
		}
	}
}

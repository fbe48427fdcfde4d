package prune

import "testing"

func TestOwn(t *testing.T) {
	p := New(Fake{}, Options{StateDir: "/home/u/.winnow"})
	bash := func(cmd string) Tool { return call("Bash", `{"command":`+quoteJSON(cmd)+`}`) }
	for _, tc := range []struct {
		tool Tool
		want bool
	}{
		{call("mcp__winnow__recall", `{}`), true},
		{call("mcp__plugin_winnow_winnow__recall", `{}`), true},
		{call("mcp__plugin_winnow_winnow__winnow_recall", `{}`), true},
		{call("mcp__plugin:winnow:winnow__stats", `{}`), true},
		{call("mcp__other__winnow_recall", `{}`), true},
		{call("mcp__winnowing__recall", `{}`), false},
		{call("mcp__memory__recall", `{}`), false},

		{bash("winnow recall abc"), true},
		{bash("/usr/local/bin/winnow recall abc | head"), true},
		{bash(`"$HOME/bin/winnow" status`), true},
		{bash("cd x && winnow status"), true},
		{bash("make; winnow status"), true},
		{bash("x=$(winnow recall abc)"), true},
		{bash("echo `winnow recall abc`"), true},
		{bash(`echo "$(winnow recall abc)"`), true},
		{bash("WINNOW_DIR=/x winnow recall abc"), true},
		{bash("sudo -E env A=b winnow status"), true},
		{bash("timeout 5 winnow status"), true},
		{bash("bash -c 'winnow recall abc'"), true},
		{bash("sh -ec \"cd x; winnow status\""), true},
		{bash("if true; then winnow status; fi"), true},
		{bash("cat a |\n  winnow prune"), true},
		{bash("C:\\\\bin\\\\winnow.exe status"), true},

		{bash("cd winnow && go test ./..."), false},
		{bash("grep winnow README.md"), false},
		{bash("grep 'a; winnow b' README.md"), false},
		{bash(`git commit -m "use | winnow | here"`), false},
		{bash("ls winnow"), false},
		{bash("go run ./cmd/winnow status"), false},
		{bash("winnow-old status"), false},
		{bash("./winnower"), false},
		{bash("cat winnow/winnow.go"), false},

		{bash("ls /home/u/.winnow/"), true},
		{bash("cat ~/.winnow/log"), true},
		{bash("cat $HOME/.winnow"), true},
		{bash("cat /home/u/.winnow-old/log"), false},
		{bash("cat /home/u/.winnow.toml"), false},
		{call("Read", `{"file_path":"/home/u/.winnow/log"}`), true},
		{call("Grep", `{"pattern":"x","path":"/home/u/.winnow"}`), true},
		{call("Read", `{"file_path":"/home/u/x/.winnow/log"}`), false},
		{call("WebFetch", `{"url":"https://example.com/~/.winnow"}`), false},
	} {
		in := plain()
		in.Tool = tc.tool
		if got := p.Gate(in) == Own; got != tc.want {
			t.Errorf("%s %s: own = %v, want %v", tc.tool.Name, tc.tool.Input, got, tc.want)
		}
	}
}

func quoteJSON(s string) string {
	out := []byte{'"'}
	for i := range len(s) {
		switch s[i] {
		case '"', '\\':
			out = append(out, '\\', s[i])
		case '\n':
			out = append(out, '\\', 'n')
		default:
			out = append(out, s[i])
		}
	}
	return string(append(out, '"'))
}

func TestMatchPath(t *testing.T) {
	for _, tc := range []struct {
		pattern, file string
		want          bool
	}{
		{"*.lock", "/p/yarn.lock", true},
		{"*.lock", "/p/yarn.lock.go", false},
		{"secrets", "/p/secrets/a.txt", true},
		{"secrets", "/p/secrets2/a.txt", false},
		{"docs/*.md", "/p/docs/a.md", true},
		{"docs/*.md", "/p/docs/x/a.md", false},
		{"docs/**/*.md", "/p/docs/x/y/a.md", true},
		{"docs/**", "docs/a.md", true},
		{"**/gen/*", "/p/q/gen/a.go", true},
		{"/p/gen", "/p/gen/a.go", true},
		{"/p/gen/", "/p/gen/a.go", true},
		{"/gen", "/p/gen/a.go", false},
		{"/p", "p/a", false},
		{"~/notes", "/home/u/notes/a", true},
		{"?.go", "/p/a.go", true},
		{"?.go", "/p/ab.go", false},
		{"*.go", `C:\p\a.go`, true},
		{"[", "/p/a.go", false},
		{"", "/p/a.go", false},
	} {
		if got := matchPath(tc.pattern, tc.file); got != tc.want {
			t.Errorf("matchPath(%q, %q) = %v, want %v", tc.pattern, tc.file, got, tc.want)
		}
	}
}

func TestArgs(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"keys are sorted", `{"b": 1, "a": [2 , 3]}`, `{"a":[2,3],"b":1}`},
		{"numbers stay as written", `{"n": 12345678901234567890, "f": 1.50}`, `{"f":1.50,"n":12345678901234567890}`},
		{"no JSON stands for itself", `abc`, `abc`},
		{"two documents are none", `{} {}`, `{} {}`},
		{"empty", ``, ``},
	} {
		if got := Args([]byte(tc.in)); got != tc.want {
			t.Errorf("%s: Args(%q) = %q, want %q", tc.name, tc.in, got, tc.want)
		}
	}
}

func TestAsksForWhole(t *testing.T) {
	for _, tc := range []struct {
		request, file string
		want          bool
	}{
		{"review this file", "/p/a.go", true},
		{"Please do a code review of internal/auth/session.go", "/p/internal/auth/session.go", true},
		{"rewrite the whole thing in Rust", "/p/a.py", true},
		{"port parser.py to Go", "/p/src/parser.py", true},
		{"Port the lexer module to TypeScript", "/p/lexer.py", true},
		{"translate README.md into German", "/p/README.md", true},
		{"refactor the entire class", "/p/A.java", true},
		{"audit the contract code for reentrancy", "/p/a.sol", true},
		{"Convert utils.js to TypeScript, keep the comments", "/p/utils.js", true},
		{"proofread docs/guide.md", "/p/docs/guide.md", true},
		{"summarize the document", "/p/a.md", true},
		{"read the whole file and tell me what it does", "/p/a.go", true},
		{"explain the full script", "/p/a.sh", true},
		{"can you refactor it?", "/p/a.go", true},
		{"we are rewriting session.go from scratch", "/p/session.go", true},
		{"migrate this component to hooks", "/p/a.tsx", true},

		{"fix the failing test in parser.py", "/p/parser.py", false},
		{"why does review.go not compile?", "/p/review.go", false},
		{"add a field to the review table", "/p/a.go", false},
		{"refactor parseHeader to return an error", "/p/http.go", false},
		{"rename the method in this file", "/p/a.go", false},
		{"review the changes in this PR", "/p/a.go", false},
		{"rewrite the error message in login", "/p/a.go", false},
		{"port 8080 is already in use, why?", "/p/a.go", false},
		{"translate the label of the save button", "/p/a.go", false},
		{"what does the whole pipeline print at the end?", "/p/a.go", false},
		{"review the comments on the issue", "/p/a.go", false},
		{"port parser.py to Go", "/p/lexer.py", false},
		{"find where the report is exported", "/p/report.go", false},
		{"", "/p/a.go", false},
	} {
		if got := asksForWhole(tc.request, tc.file); got != tc.want {
			t.Errorf("asksForWhole(%q, %q) = %v, want %v", tc.request, tc.file, got, tc.want)
		}
	}
}

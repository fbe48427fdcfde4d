package lexical

import (
	"encoding/json"
	"strings"

	"winnow/internal/prune"
)

// What a call and a task say by themselves: the same for every line, but what
// a relevant line looks like hangs on them.

// aspect is a word list: what a request or an intent asks for, what a command
// runs, what sort of file is named.
type aspect struct{ name, words string }

// A word ending in * stands for all that begin so.
var (
	wishes = []aspect{
		{"review", "review* audit* check* verif* inspect*"},
		{"fix", "fix* bug* error* fail* broken debug* crash* wrong issue*"},
		{"test", "test* spec coverage"},
		{"change", "refactor* rewrit* renam* mov* clean* simplif* replac* updat* chang* edit* migrat*"},
		{"add", "add* implement* creat* build* support* introduc* writ*"},
		{"docs", "doc docs document* readme* changelog* comment*"},
		{"ask", "why explain* how what where find* look* search* understand* explor* research* see read* investigat*"},
		{"ship", "commit* push* merg* releas* pr branch* deploy* rebas*"},
	}
	runs = []aspect{
		{"diff", "diff show"},
		{"log", "log status blame branch"},
		{"test", "test tests pytest jest vitest tox ctest"},
		{"build", "build make tsc cargo docker lint vet clippy install gradle mvn dotnet ci"},
		{"script", "python python3 node ruby curl gh kubectl psql sqlite3 jq npx bunx"},
		{"list", "ls find tree fd wc"},
		{"part", "sed head tail awk cut"},
	}
	files = []aspect{
		{"docs", "md rst txt adoc"},
		{"config", "json yaml yml toml xml lock cfg ini env"},
		{"test", "test tests spec e2e testdata fixtures"},
	}
)

func (a aspect) in(words map[string]bool) bool {
	for _, w := range strings.Fields(a.words) {
		if words[w] {
			return true
		}
	}
	return false
}

// wordsOf is the set of a text's words in lower case and of their parts (see
// [terms]), and of all beginnings of words of three and more letters as "fix*".
func wordsOf(s string) map[string]bool {
	m := map[string]bool{}
	for i := 0; i < len(s); {
		start, end := nextWord(s, i)
		i = end
		if start == end {
			break
		}
		if end-start > longest {
			continue
		}
		w := strings.ToLower(s[start:end])
		m[w] = true
		terms(s[start:end], func(t string) { m[t] = true })
		for n := 3; n <= min(len(w), 10); n++ {
			m[w[:n]+"*"] = true
		}
	}
	return m
}

// callFacts are what features take from a call's arguments.
type callFacts struct {
	offset, limit bool
	lines         float64 // the limit
	command, path string
}

func factsOf(t prune.Tool) callFacts {
	var in map[string]any
	if json.Unmarshal(t.Input, &in) != nil {
		return callFacts{}
	}
	f := callFacts{command: command(t.Input)}
	_, f.offset = in["offset"]
	_, f.limit = in["limit"]
	f.lines, _ = in["limit"].(float64)
	for _, name := range []string{"file_path", "path", "filePath", "notebook_path"} {
		if s, ok := in[name].(string); ok && s != "" {
			f.path = s
			break
		}
	}
	return f
}

// commonFeatures are those that all lines share.
func (t *Table) commonFeatures(q prune.Query) []float32 {
	f := factsOf(q.Tool)
	own := strings.ToLower(q.Tool.Name)
	out := []float32{
		flag(t.tool == toolShell), flag(t.tool == toolRead), flag(t.tool == toolSearch),
		flag(f.command == "" && own != "bash"),
		flag(f.offset), flag(f.limit), float32(min(max(f.lines, 0), 1000) / 1000),
	}
	path := f.path
	if path == "" && t.tool == toolRead {
		path = f.command
	}
	for _, g := range []struct {
		aspects []aspect
		text    string
	}{{wishes, q.Task.Request}, {wishes, q.Task.Intent}, {runs, f.command}, {files, path}} {
		words := wordsOf(g.text)
		for _, a := range g.aspects {
			out = append(out, flag(a.in(words)))
		}
	}
	return append(out, t.sizes(q)...)
}

// sizes describe the text as a whole and how much the query could say of it.
func (t *Table) sizes(q prune.Query) []float32 {
	var of [4]int32
	for i := range t.lines {
		for j, k := range []kind{kindDefine, kindDiffBody, kindHit, kindProse | kindItem | kindHeading} {
			if t.lines[i].kind&k != 0 {
				of[j]++
			}
		}
	}
	full := int32(max(1, t.full))
	out := []float32{
		t.size(), sat(float32(t.words)/float32(full), 8), sat(float32(t.terms), 10), sat(float32(t.best), 10),
		sat(float32(len(q.Task.Request)), 200), sat(float32(len(q.Task.Intent)), 200),
	}
	for _, n := range of {
		out = append(out, share(n, full))
	}
	return out
}

package fidelity

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/internal/prune"
	"winnow/internal/prune/detect"
)

// needle is the fact in the built-in cases, and ask the request that names it.
const (
	needle = "NEEDLE-7f3a91"
	ask    = "What does the record say that is marked NEEDLE-7f3a91?"
)

// Builtin is the cases that need no file: the seven by which such reducers are
// compared (a needle at the head, tail and middle of a JSON dump, in a wide
// table, an error and repeats in a log, plain prose), and the other kinds.
func Builtin() []Case {
	cases := []Case{
		{Name: "json-head", Kind: detect.JSON, Position: "head", Text: dump(200, 1)},
		{Name: "json-tail", Kind: detect.JSON, Position: "tail", Text: dump(200, 199)},
		{Name: "json-middle", Kind: detect.JSON, Position: "middle", Text: dump(200, 100)},
		{Name: "wide-table", Kind: detect.JSON, Position: "middle", Text: wide(120, 60)},
		{Name: "log-error", Kind: detect.Log, Position: "anywhere", Text: errorLog(400, 217)},
		{Name: "log-dupes", Kind: detect.Log, Position: "anywhere", Text: dupes(200)},
		{Name: "text-prose", Kind: detect.Prose, Position: "anywhere", Text: prosaic()},
	}
	return append(cases, more()...)
}

// Seven are the first seven of [Builtin].
func Seven() []Case { return withAsk(Builtin()[:7]) }

// All are all of [Builtin].
func All() []Case { return withAsk(Builtin()) }

func withAsk(cases []Case) []Case {
	for i := range cases {
		if cases[i].Needle == "" {
			cases[i].Needle, cases[i].Task = needle, ask
		}
	}
	return cases
}

// dump is an array of n objects, one of which has the needle.
func dump(n, at int) string {
	rows := make([]string, n)
	for i := range rows {
		note := "ok"
		if i == at {
			note = needle
		}
		rows[i] = fmt.Sprintf("  {\n    \"id\": %d,\n    \"name\": \"item-%d\",\n    \"active\": true,\n    \"score\": %d,\n    \"note\": %q\n  }", i, i, mix(i), note)
	}
	return "[\n" + strings.Join(rows, ",\n") + "\n]"
}

// wide is an array of objects with many fields that mostly repeat.
func wide(n, at int) string {
	rows := make([]string, n)
	for i := range rows {
		var b strings.Builder
		fmt.Fprintf(&b, `{"id":%d`, i)
		for f := range 18 {
			fmt.Fprintf(&b, `,"field_%02d":"value-%d"`, f, f%4)
		}
		owner := names[mix(i)%len(names)]
		if i == at {
			owner = needle
		}
		fmt.Fprintf(&b, `,"owner":%q}`, owner)
		rows[i] = b.String()
	}
	return "[" + strings.Join(rows, ",") + "]"
}

func errorLog(n, at int) string {
	var b strings.Builder
	for i := range n {
		if i == at {
			b.WriteString("2026-06-19T21:07:37Z ERROR checkout failed: " + needle + "\n")
			continue
		}
		b.WriteString("2026-06-19T21:04:11Z INFO  health check passed\n")
	}
	return b.String()
}

func dupes(n int) string {
	return strings.Repeat("2026-06-19T21:04:11Z INFO  cache hit for key="+needle+" (ttl 300s)\n", n)
}

func prosaic() string {
	return "The committee met on a Tuesday, as it had for nine years, and began with the minutes. Nobody had read them. " +
		"The treasurer asked whether the reference " + needle + " was a typing mistake; it was not. By noon the only thing agreed " +
		"upon was lunch, and the harbour lay so still under the windows that the gulls walked on their own reflections."
}

// more are the kinds that the seven lack.
func more() []Case {
	hide := func(name string, k detect.Kind, position string, size int, mark func(lines []string, i int)) Case {
		lines := strings.Split(Sample(k, size), "\n")
		i := map[string]int{"head": 2, "middle": len(lines) / 2, "tail": len(lines) - 3}[position]
		mark(lines, i)
		return Case{Name: name, Kind: k, Position: position, Text: strings.Join(lines, "\n")}
	}
	put := func(old string) func([]string, int) {
		return func(lines []string, i int) {
			for !strings.Contains(lines[i], old) {
				i--
			}
			lines[i] = strings.Replace(lines[i], old, needle, 1)
		}
	}
	failing := hide("trace-repeated", detect.Trace, "middle", 8<<10, put("is closed"))
	build := hide("log-lines", detect.JSONL, "middle", 12<<10, put("request done"))
	return []Case{
		failing, build,
		hide("csv-middle", detect.Table, "middle", 10<<10, put("true")),
		hide("csv-tail", detect.Table, "tail", 10<<10, put("true")),
		hide("search-middle", detect.Search, "middle", 12<<10, put("value")),
		hide("diff-change", detect.Diff, "middle", 12<<10, put("new :=")),
		hide("listing-middle", detect.Listing, "middle", 12<<10, put("component")),
		hide("log-service", detect.Log, "middle", 16<<10, put("connection refused")),
	}
}

// maxFile bounds a file of a folder.
const maxFile = 4 << 20

// Folder makes cases of the files of a folder: in each text, the lines nearest
// to its head, middle and tail that stand there only once are needles.
func Folder(dir string) ([]Case, error) {
	var cases []Case
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err != nil || info.Size() > maxFile || info.Size() == 0 {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err == nil {
			cases = append(cases, needles(name, string(data))...)
		}
		return err
	})
	if err == nil && len(cases) == 0 {
		err = fmt.Errorf("no file of %s has a line to look for", dir)
	}
	return cases, err
}

func needles(name, text string) []Case {
	lines := strings.Split(text, "\n")
	times := map[string]int{}
	for _, l := range lines {
		times[strings.TrimSpace(l)]++
	}
	h := detect.Hint{File: name}
	k := detect.Of(text, h).Kind
	var out []Case
	for _, p := range []struct {
		name string
		part int
	}{{"head", 5}, {"middle", 50}, {"tail", 95}} {
		i := slices.IndexFunc(lines[len(lines)*p.part/100:], func(l string) bool {
			t := strings.TrimSpace(l)
			return len(t) >= 12 && len(t) <= 400 && times[t] == 1 && utf8.ValidString(t)
		})
		if i < 0 {
			continue
		}
		t := strings.TrimSpace(lines[len(lines)*p.part/100+i])
		out = append(out, Case{Name: name + ":" + p.name, Kind: k, Position: p.name, Text: text, Needle: t, Task: "I look for: " + t, Tool: prune.Tool{Name: "Bash"}})
	}
	return out
}

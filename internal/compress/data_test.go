package compress_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"winnow/internal/compress"
	"winnow/internal/compress/blob"
	"winnow/internal/compress/blocks"
	"winnow/internal/compress/logs"
	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/text"
)

// TestLabelled measures the editors on graded tool results, one JSON object a
// line with id, tool, task, output and the ranges of needed lines, as a router
// would use them (protected lines stay, a marker must pay for itself):
//
//	WINNOW_CASES=/folder/cases.jsonl go test -run TestLabelled -v ./internal/compress
//
// WINNOW_SHOW=RE prints the cuts whose rule matches RE and that hide a needed line.
func TestLabelled(t *testing.T) {
	path := os.Getenv("WINNOW_CASES")
	if path == "" {
		t.Skip("WINNOW_CASES names no graded results")
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var show *regexp.Regexp
	if s := os.Getenv("WINNOW_SHOW"); s != "" {
		show = regexp.MustCompile(s)
	}
	m := measure{by: map[string]*figures{}, show: show}
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		var c graded
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		m.add(t, &c)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	m.report(t)
}

// TestRecorded checks the properties of all compressors on recorded results, of
// which only the output is read:
//
//	WINNOW_RECORDED=/folder/all.jsonl go test -run TestRecorded -v ./internal/compress
func TestRecorded(t *testing.T) {
	path := os.Getenv("WINNOW_RECORDED")
	if path == "" {
		t.Skip("WINNOW_RECORDED names no results")
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 64<<20)
	n, bytes, folded, saved := 0, 0, 0, 0
	for sc.Scan() {
		var c graded
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		n, bytes = n+1, bytes+len(c.Output)
		in := compress.Input{Text: c.Output, Tool: c.Tool.Name, Command: commandOf(c.Tool), Query: c.Task.Request}
		checkFolds(t, in)
		for _, e := range allEditors {
			in.Kind = e.kind
			if wrong := checkCuts(e, in); wrong != "" {
				t.Errorf("%s: %s: %s", c.ID, e.Name(), wrong)
			}
		}
		for _, s := range []compress.Sampler{logs.Screen{}, blob.Stub{}} {
			if form, ok := s.Sample(in, "TAG-OF-ALL"); ok && (len(form) > len(c.Output) || strings.Count(form, "TAG-OF-ALL") != 1) {
				t.Errorf("%s: %s: %d bytes for %d", c.ID, s.Name(), len(form), len(c.Output))
			}
		}
		if form, ok := (blocks.Codec{}).Encode(in); ok {
			folded, saved = folded+1, saved+text.Chars(c.Output)-text.Chars(form)
		}
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d results, %d bytes; blocks folds %d of them and saves %d characters", n, bytes, folded, saved)
}

type graded struct {
	ID, Output, Needed string
	Task               prune.Task
	Tool               prune.Tool
}

// figures are of one editor, or one rule of it.
type figures struct{ results, hurt, cuts, hidden, lines, lost int }

type measure struct {
	by                          map[string]*figures
	show                        *regexp.Regexp
	results, chars, lines, need int
}

func (m *measure) of(name string) *figures {
	if m.by[name] == nil {
		m.by[name] = &figures{}
	}
	return m.by[name]
}

// body takes off what another agent's shell prints above the output.
func body(s string) string {
	if i := strings.Index(s, "\nOutput:\n"); i >= 0 && i < 400 {
		return s[i+len("\nOutput:\n"):]
	}
	return s
}

func (m *measure) add(t *testing.T, c *graded) {
	src := body(c.Output)
	offset := strings.Count(c.Output, "\n") - strings.Count(src, "\n")
	d := text.Split(src)
	needed := map[int]bool{}
	for _, r := range strings.Split(c.Needed, ",") {
		a, b, span := strings.Cut(strings.TrimSpace(r), "-")
		from, err := strconv.Atoi(a)
		if err != nil {
			continue
		}
		to := from
		if span {
			to, _ = strconv.Atoi(b)
		}
		for i := from - offset; i <= to-offset; i++ {
			if i >= 0 && i < d.Len() && strings.TrimSpace(d.Line(i)) != "" {
				needed[i] = true
			}
		}
	}
	m.results++
	m.chars += text.Chars(c.Output)
	m.need += len(needed)
	for i := range d.Len() {
		if strings.TrimSpace(d.Line(i)) != "" {
			m.lines++
		}
	}
	in := compress.Input{Text: src, Tool: c.Tool.Name, Command: commandOf(c.Tool), Query: c.Task.Request + "\n" + c.Task.Intent}
	if len(src) < 1500 {
		return
	}
	prot := prune.Protected(prune.Input{Task: c.Task, Tool: c.Tool, Text: src})
	for _, e := range route(&in) {
		cuts := permitted(e.Cuts(in), prot, d)
		if len(cuts) == 0 {
			continue
		}
		m.count(t, c, e.Name(), d, cuts, needed)
		break
	}
}

// permitted splits cuts around protected lines and drops what does not pay.
func permitted(cuts []compress.Cut, prot []prune.Cause, d text.Doc) []compress.Cut {
	var out []compress.Cut
	for _, c := range cuts {
		for i := c.First; i <= c.Last; i++ {
			if prot[i] != 0 {
				continue
			}
			j := i
			for j+1 <= c.Last && prot[j+1] == 0 {
				j++
			}
			cut := compress.Cut{First: i, Last: j, Digest: c.Digest}
			if gain(d, cut) >= 32 {
				out = append(out, cut)
			}
			i = j
		}
	}
	return out
}

func gain(d text.Doc, c compress.Cut) int {
	run := d.Run(c.First, c.Last)
	return text.Chars(run) - text.Chars(marker.Line(marker.KeyOf(run), c.Last-c.First+1, c.First+1, c.Last+1, c.Digest, ""))
}

func (m *measure) count(t *testing.T, c *graded, name string, d text.Doc, cuts []compress.Cut, needed map[int]bool) {
	hidden := make([]bool, d.Len())
	for _, cut := range cuts {
		for i := cut.First; i <= cut.Last; i++ {
			hidden[i] = true
		}
	}
	kept := map[string]bool{}
	for i := range d.Len() {
		if !hidden[i] {
			kept[strings.TrimSpace(d.Line(i))] = true
		}
	}
	saved := -text.Chars(marker.DefaultHint) - 1
	for _, cut := range cuts {
		saved += gain(d, cut)
	}
	if saved <= 0 {
		return
	}
	names := []string{name, "all"}
	hurt := map[string]bool{}
	for _, cut := range cuts {
		rule := name + ": " + ruleOf(cut.Digest)
		lost := 0
		for i := cut.First; i <= cut.Last; i++ {
			if needed[i] && !kept[strings.TrimSpace(d.Line(i))] {
				lost++
			}
		}
		for _, n := range append(names, rule) {
			f := m.of(n)
			f.cuts++
			f.hidden += gain(d, cut)
			f.lines += cut.Last - cut.First + 1
			f.lost += lost
			if lost > 0 {
				hurt[n] = true
			}
		}
		if lost > 0 && m.show != nil && m.show.MatchString(rule) {
			fmt.Printf("=== %s [%s] %s\n%.200s\n", c.ID, rule, cut.Digest, commandOf(c.Tool))
			for i := max(0, cut.First-2); i <= min(d.Len()-1, cut.Last+1); i++ {
				mark := " "
				if i < cut.First || i > cut.Last {
					mark = "|"
				} else if needed[i] && !kept[strings.TrimSpace(d.Line(i))] {
					mark = "*"
				} else if i > cut.First+3 && i < cut.Last-2 {
					continue
				}
				fmt.Printf("%s %.160s\n", mark, d.Line(i))
			}
		}
		if !hurt[rule+"#"] {
			hurt[rule+"#"] = true
			m.of(rule).results++
		}
	}
	for _, n := range names {
		f := m.of(n)
		f.results++
		f.hidden -= text.Chars(marker.DefaultHint) + 1
	}
	for n := range hurt {
		if !strings.HasSuffix(n, "#") {
			m.of(n).hurt++
		}
	}
}

var digits = regexp.MustCompile(`[0-9]+ ?`)

// ruleOf names a cut by the words of its digest that do not depend on the text.
func ruleOf(digest string) string {
	digest, _, _ = strings.Cut(digest, ":")
	digest, _, _ = strings.Cut(digest, ",")
	digest, _, _ = strings.Cut(digest, " in ")
	digest, _, _ = strings.Cut(digest, " below ")
	return strings.Join(strings.Fields(digits.ReplaceAllString(digest, "")), " ")
}

func commandOf(tool prune.Tool) string {
	var in map[string]any
	if json.Unmarshal(tool.Input, &in) != nil {
		return ""
	}
	for _, k := range []string{"command", "cmd", "file_path", "path", "pattern"} {
		switch v := in[k].(type) {
		case string:
			return v
		case []any:
			if len(v) > 0 {
				s, _ := v[len(v)-1].(string)
				return s
			}
		}
	}
	return ""
}

func (m *measure) report(t *testing.T) {
	t.Logf("%d results, %d characters, %d lines, %d needed", m.results, m.chars, m.lines, m.need)
	var names []string
	for n := range m.by {
		names = append(names, n)
	}
	sort.Slice(names, func(i, j int) bool { return m.by[names[i]].hidden > m.by[names[j]].hidden })
	var b strings.Builder
	fmt.Fprintf(&b, "%-60s %7s %6s %8s %7s %6s %7s %6s\n", "editor: rule", "results", "cuts", "hidden", "% chars", "lost", "% need", "% hurt")
	for i, n := range names {
		if i > 45 {
			break
		}
		f := m.by[n]
		fmt.Fprintf(&b, "%-60.60s %7d %6d %8d %6.2f%% %6d %6.2f%% %5.1f%%\n", n, f.results, f.cuts, f.hidden,
			100*float64(f.hidden)/float64(m.chars), f.lost, 100*float64(f.lost)/float64(m.need), 100*float64(f.hurt)/float64(max(f.results, 1)))
	}
	t.Log("\n" + b.String())
}

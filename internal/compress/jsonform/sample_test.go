package jsonform

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/internal/compress"
)

const tag = "<<ccr:0123456789abcdef01234567 1_lines_offloaded>>"

// restored puts the hidden bytes back, each at the note that names it.
func restored(t testing.TB, in compress.Input) (string, bool) {
	t.Helper()
	hidden := map[string]string{}
	out, ok := Sampler{}.Render(in, Sampler{}.Gaps(in), func(s string) string {
		key := fmt.Sprintf("KEY%06d", len(hidden))
		hidden[key] = s
		return key
	})
	if !ok {
		return "", false
	}
	gaps := Sampler{}.Gaps(in)
	for i, g := range gaps {
		key := fmt.Sprintf("KEY%06d", i)
		at := strings.Index(out, key)
		if at < 0 {
			t.Fatalf("gap %d has no note in %q", i, out)
		}
		// The note is as Render made it, between what stands before and after.
		keys := ""
		for _, k := range []string{"", listOf(g.Keys)} {
			note := g.note(key, k)
			if p := strings.Index(out, note); p >= 0 {
				out, keys = out[:p]+hidden[key]+out[p+len(note):], "found"
				break
			}
		}
		if keys == "" {
			t.Fatalf("gap %d: no note of the right form in %q", i, out)
		}
	}
	return out, true
}

func TestSample(t *testing.T) {
	logs := func(odd string) string {
		var b strings.Builder
		for i := range 120 {
			line := fmt.Sprintf(`{"ts":%d,"level":"INFO","msg":"served request %d","ms":%d}`, 1700000000+i, i, 20+i*7%10)
			if i == 61 {
				line = odd
			}
			b.WriteString(line + "\n")
		}
		return b.String()
	}
	with := func(n int, odd string) string {
		return strings.Replace(dump(200, ""), fmt.Sprintf(`{"id":%d,"name":"item-%d","active":true,"score":0}`, n, n), odd, 1)
	}
	long := strings.Repeat("word and word ", 40)
	for _, tc := range []struct {
		name, src, query string
		tokens           int // at most
		stays, hides     []string
	}{
		{"plain dump", dump(200, ""), "", 80, []string{`"id":2,`, `"id":199,`, "196 items hidden: id, name, active, score"}, []string{`"id":137,`}},
		{"plain dump, indented", dump(200, "  "), "", 112, []string{"196 items hidden"}, nil},
		{"a row in the middle that the task names", dump(200, ""), "what about item-137?", 130, []string{`"name":"item-137"`}, []string{`"id":90,`}},
		{"and by its number", dump(200, ""), "show record 77", 130, []string{`{"id":77,`}, nil},
		{"an error in the middle", with(100, `{"id":100,"name":"item-100","active":true,"score":0,"error":"disk full"}`), "", 130, []string{"disk full"}, nil},
		{"an outlier", with(100, `{"id":100,"name":"item-100","active":true,"score":73}`), "", 130, []string{`"score":73`}, nil},
		{"a rare value", with(100, `{"id":100,"name":"item-100","active":false,"score":0}`), "", 130, []string{`"active":false`}, nil},
		{"a row of another form", with(100, `"needle"`), "", 130, []string{`"needle"`}, nil},
		{"a failure deep in a row", with(100, `{"id":100,"name":"item-100","active":true,"score":0,"a":{"b":{"c":{"d":[{"msg":"it failed"}]}}}}`), "", 150, []string{"it failed"}, nil},
		{"JSON lines", logs(`{"ts":1700000061,"level":"ERROR","msg":"boom","ms":22}`), "", 260, []string{"boom", " items hidden: ts, level, msg, ms"}, []string{"request 90"}},
		{"JSON lines, a status", logs(`{"ts":1700000061,"level":"INFO","msg":"served request 61","ms":22,"status":503}`), "", 260, []string{"503"}, nil},
		{"a map", strings.NewReplacer(`[`, `{`, `]`, `}`, `{"id":`, `"k0":{"id":`).Replace(dump(1, "")) + "\n", "", 0, nil, nil},
		{"long strings in a list", `[{"id":1,"text":"` + long + `"},{"id":2,"text":"` + long + `"},{"id":3,"text":"` + long + `"},{"id":4,"text":"` + long + `"}]`, "", 330,
			[]string{"360 characters hidden"}, nil},
		{"a long string that the task names", `[{"id":1,"text":"` + long + `the user_service"},{"id":2,"text":"` + long + `"},{"id":3,"text":"` + long + `"},{"id":4,"text":"` + long + `"}]`, "see user_service", 500,
			[]string{long + "the user_service"}, nil},
		{"one long text is what was asked for", `{"title":"x","body":"` + strings.Repeat(long, 4) + `"}`, "", 0, nil, nil},
		{"data without words", `{"title":"x","png":"` + strings.Repeat("iVBORw0KGgo", 200) + `"}`, "", 90, []string{"characters hidden"}, nil},
		{"JSON inside a string", `{"content":[{"type":"text","text":` + quoted(dump(200, "")) + `}]}`, "", 100, []string{`\"id\":199`, "196 items hidden"}, nil},
		{"small", dump(20, ""), "", 0, nil, nil},
		{"no JSON", strings.Repeat("text ", 900), "", 0, nil, nil},
		{"every row fails", strings.ReplaceAll(dump(200, ""), `"score":0`, `"error":"lost"`), "", 0, nil, nil},
		{"a record with many members", strings.ReplaceAll(strings.ReplaceAll(dump(1, ""), "[", ""), "]", "") + "\n", "", 0, nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := compress.Input{Text: tc.src, Query: tc.query}
			got, ok := Sampler{}.Sample(in, tag)
			if ok != (tc.tokens > 0) {
				t.Fatalf("Sample = %.300q, %v, want %v", got, ok, tc.tokens > 0)
			}
			if !ok {
				return
			}
			if len(got)/4 > tc.tokens {
				t.Errorf("%d tokens, want at most %d:\n%s", len(got)/4, tc.tokens, got)
			}
			for _, s := range tc.stays {
				if !strings.Contains(got, s) {
					t.Errorf("%q is not in\n%s", s, got)
				}
			}
			for _, s := range tc.hides {
				if strings.Contains(got, s) {
					t.Errorf("%q is in\n%s", s, got)
				}
			}
			if n := strings.Count(got, tag); n != 1 {
				t.Errorf("the tag stands %d times in\n%s", n, got)
			}
			for _, l := range strings.Split(got, "\n") {
				if !json.Valid([]byte(got)) && l != "" && !json.Valid([]byte(l)) {
					t.Fatalf("no JSON: %s", l)
				}
			}
			if back, _ := restored(t, in); back != tc.src {
				t.Errorf("text and recalls = %q, want %q", back, tc.src)
			}
		})
	}
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func TestMap(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, `,"node_modules/pkg%d":{"version":"1.%d.0","license":"MIT"}`, i, i)
	}
	in := compress.Input{Text: `{"name":"x","packages":{` + b.String()[1:] + `}}`, Query: "which version of pkg33 is it"}
	got, ok := Sampler{}.Sample(in, tag)
	if !ok || !json.Valid([]byte(got)) || !strings.Contains(got, "node_modules/pkg33") || strings.Contains(got, "pkg44") || !strings.Contains(got, `members hidden: version, license":null`) {
		t.Errorf("Sample = %s, %v", got, ok)
	}
	if back, _ := restored(t, in); back != in.Text {
		t.Errorf("text and recalls = %q, want %q", back, in.Text)
	}
}

// TestNeedles: with the task given, a needle at any place is there.
func TestNeedles(t *testing.T) {
	for i := range 200 {
		in := compress.Input{Text: dump(200, ""), Query: fmt.Sprintf("Why is item-%d inactive?", i)}
		got, ok := Sampler{}.Sample(in, tag)
		if !ok || !strings.Contains(got, fmt.Sprintf(`"name":"item-%d"`, i)) {
			t.Errorf("item-%d is not in %s", i, got)
		}
	}
}

func TestNeverInside(t *testing.T) {
	// A cut never parts an escape, a pair of surrogates or a character.
	for _, c := range []string{`\n`, `\u00e9`, `\ud83d\ude00`, "é", "日", "\xff", `\\`, `\"`} {
		for n := range 5 {
			s := strings.Repeat("a", 195+n) + strings.Repeat(c, 300)
			in := compress.Input{Text: `{"k":"` + s + `"}`, Limits: compress.Limits{MinTokens: 1}}
			got, ok := Sampler{}.Sample(in, tag)
			if !ok {
				continue
			}
			if _, err := parse(got); err != nil {
				t.Errorf("%q after %d: %v in %q", c, n, err, got)
			}
			cut := got[6:strings.Index(got, "… ")]
			if rest := cut[195+n:]; strings.Repeat(c, len(rest)/len(c)) != rest {
				t.Errorf("%q after %d: cut to %q", c, n, rest)
			}
		}
	}
}

func TestSampleBugInputs(t *testing.T) {
	for file, stays := range map[string]string{"B014": "booked after cut-off", "B031": `"total": 12`, "B034": `"CodeSize": 482193011`, "B049": `[{"a": 1}, 2]`, "B097": "116 items hidden"} {
		b, err := os.ReadFile(filepath.Join("testdata", file+".json"))
		if err != nil {
			t.Fatal(err)
		}
		in := compress.Input{Text: string(b), Limits: compress.Limits{MinTokens: 1}}
		got, ok := Sampler{}.Sample(in, tag)
		if !ok || !json.Valid([]byte(got)) || !strings.Contains(got, stays) {
			t.Errorf("%s: Sample = %s, %v, want %q in it", file, got, ok, stays)
		}
		if back, _ := restored(t, in); back != in.Text {
			t.Errorf("%s: text and recalls are not the original", file)
		}
	}
}

func FuzzSample(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s, "item-3 of 5 failed")
	}
	f.Add(`{"content":[{"type":"text","text":`+quoted(dump(30, "  "))+`}]}`, "item-17")
	f.Add(`["`+strings.Repeat(`\ud83d\ude00`, 300)+`"]`, "")
	f.Fuzz(func(t *testing.T, src, query string) {
		if strings.Contains(src, "KEY0") || strings.Contains(src, "hidden") {
			return
		}
		in := compress.Input{Text: src, Query: query, Limits: compress.Limits{MinTokens: 1, MaxString: 20}}
		got, ok := Sampler{}.Sample(in, tag)
		if !ok {
			return
		}
		if len(got) >= len(src) {
			t.Errorf("longer: %q", got)
		}
		if json.Valid([]byte(src)) && !json.Valid([]byte(got)) {
			t.Errorf("Sample(%q) = %q is no JSON", src, got)
		}
		if strings.Count(got, tag) != 1 {
			t.Errorf("Sample(%q) = %q: not one tag", src, got)
		}
		if back, ok := restored(t, in); ok && back != src {
			t.Errorf("text and recalls = %q, want %q", back, src)
		}
		if again, _ := (Sampler{}).Sample(in, tag); again != got {
			t.Errorf("not the same twice: %q, %q", got, again)
		}
	})
}

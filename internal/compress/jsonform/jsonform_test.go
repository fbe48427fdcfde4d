package jsonform

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/compress"
	"winnow/internal/compress/rows"
)

// dump is a list as services print them.
func dump(n int, indent string) string {
	type row struct {
		ID     int    `json:"id"`
		Name   string `json:"name"`
		Active bool   `json:"active"`
		Score  int    `json:"score"`
	}
	list := make([]row, n)
	for i := range list {
		list[i] = row{i, fmt.Sprintf("item-%d", i), true, 0}
	}
	b, err := json.Marshal(list)
	if indent != "" {
		b, err = json.MarshalIndent(list, "", indent)
	}
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestEncode(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"a counted and a named column, constants", dump(200, ""), `#json/1 | k=v: v in every row; a..b: counts; @k: the row's k
[200]{id=0..199,name="item-"+@id,active=true,score=0}`},
		{"a missing key is not null", `[{"a":1,"bee":null},{"a":2},{"a":3,"bee":""},{"a":9,"bee":"x"}]`, `#json/1 | empty cell: no such key
[4]{a,bee}:
1,null
2,
3,""
9,x`},
		{"digits stay", `[{"number":1.0,"other":1e5},{"number":1.00,"other":100000},{"number":12345678901234567890123,"other":-0}]`, `#json/1
[3]{number,other}:
1.0,1e5
1.00,100000
12345678901234567890123,-0`},
		{"key order, doubled keys and what is no object", `[{"key":1,"val":7},{"val":2,"key":5},{"key":3,"key":4},7,{"key":5,"val":9},{"key":6,"val":0},{"key":3,"val":1},{"key":5,"val":9},{"key":6,"val":0},{"key":3,"val":1}]`, `#json/1
[10]{key,val}:
1,7
!{val:2,key:5}
!{key:3,key:4}
!7
5,9
6,0
3,1
5,9
6,0
3,1`},
		{"objects in rows become columns", `[{"user":{"id":5,"admin":false},"title":"one"},{"user":{"id":7,"admin":false},"title":"two"},{"user":{"id":1,"admin":false},"title":"six"}]`, `#json/1 | k=v: v in every row
[3]{user{id,admin=false},title}:
5,one
7,two
1,six`},
		{"objects that are sometimes null", `[{"assignee":{"id":5,"login":"ada"},"n":4},{"assignee":null,"n":9},{"n":3},{"assignee":{"id":8,"login":"bob"},"n":5}]`, `#json/1 | empty cell: no such key
[4]{assignee?{id,login},n}:
(5,ada),4
null,9
,3
(8,bob),5`},
		{"lists in rows", `[{"labels":[{"id":5,"name":"bug"},{"id":7,"name":"ui"}],"n":4},{"labels":[],"n":9},{"labels":[{"id":1,"name":"x"}],"n":1}]`, `#json/1
[3]{labels[]{id,name},n}:
(5,bug;7,ui),4
[],9
(1,x),1`},
		{"what repeats is defined once", `{"one":"a rather long text to repeat","two":["a rather long text to repeat","b"],"three":{"x":"a rather long text to repeat"}}`, `#json/1 | &n: as defined
&1=a rather long text to repeat
{one:&1
two:[&1,b]
three:{x:&1}}`},
		{"common beginnings", `[{"url":"https://example.com/issues/15"},{"url":"https://example.com/issues/23"},{"url":"https://example.com/issues/7"}]`, `#json/1 | *: the cell
[3]{url="https://example.com/issues/"+*}:
"15"
"23"
"7"`},
		{"JSON inside a string", `{"content":[{"type":"text","text":"[{\"id\":1,\"name\":\"x\"},{\"id\":2,\"name\":\"y\"},{\"id\":3,\"name\":\"z\"}]"}]}`, `#json/1 | a..b: counts
{content:[{type:text
text:~[3]{id=1..3,name}(x;y;z)}]}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := encode(tc.src)
			if diff := cmp.Diff(tc.want, got); err != nil || diff != "" {
				t.Errorf("encode: %v (-want +got):\n%s", err, diff)
			}
			if back, err := Decode(got); err != nil || back != tc.src {
				t.Errorf("Decode = %q, %v, want %q", back, err, tc.src)
			}
		})
	}
}

func TestStyles(t *testing.T) {
	list := []any{map[string]any{"a": 1, "b": []int{1, 2}, "c": map[string]any{}}, map[string]any{"a": 2, "b": []int{}, "c": map[string]any{"d": nil}}}
	minified, _ := json.Marshal(list)
	two, _ := json.MarshalIndent(list, "", "  ")
	tab, _ := json.MarshalIndent(list, "", "\t")
	for name, src := range map[string]string{
		"minified":              string(minified),
		"two blanks":            string(two),
		"tabs, final newline":   string(tab) + "\n",
		"carriage returns":      strings.ReplaceAll(string(two), "\n", "\r\n") + "\r\n",
		"python":                `{"a": [1, 2, {"b": null}], "c": {}, "d": []}`,
		"padded braces":         `{ "a": 1, "b": { "c": [1, 2] } }`,
		"a line for each row":   "[\n{\"a\":1,\"b\":[1]},\n{\"a\":2,\"b\":[2]}\n]\n",
		"rows behind a comma":   "[{\"a\":1},\n{\"a\":2}]\n",
		"rows of a member":      "{\n  \"rows\": [\n    {\"a\": 1, \"b\": 2},\n    {\"a\": 2, \"b\": 2}\n  ]\n}",
		"JSON lines":            "{\"a\":1}\n{\"a\":2}\n{\"b\":[]}\n",
		"JSON lines of python":  "{\"a\": 1}\n{\"a\": 2, \"b\": [1, 2]}",
		"JSON lines of scalars": "1\n\"x\"\nnull\n",
		"blanks around":         "  {\"a\":1}\n\n",
		"a scalar":              `"text"`,
	} {
		t.Run(name, func(t *testing.T) {
			form, err := encode(src)
			if err != nil {
				t.Fatalf("encode(%q): %v", src, err)
			}
			if back, err := Decode(form); err != nil || back != src {
				t.Errorf("Decode(%q) = %q, %v, want %q", form, back, err, src)
			}
		})
	}
}

func TestRefuses(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		want      error
	}{
		{"empty", "", errNotJSON},
		{"prose", "[see below]", errNotJSON},
		{"cut off", dump(50, "  ")[:900], errNotJSON},
		{"a comma too many", `[1,2,]`, errNotJSON},
		{"text behind", `{"a":1} x`, errNotJSON},
		{"two values on a line", `{"a":1} {"a":2}`, errNotJSON},
		{"NUL in a string", "[\"a\x00b\"]", errNotJSON},
		{"a newline in a string", "[\"a\nb\"]", errNotJSON},
		{"bad escape", `["\x41"]`, errNotJSON},
		{"leading zero", `[01]`, errNotJSON},
		{"NaN", `[NaN]`, errNotJSON},
		{"deep", strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), errDeep},
		{"deep and open", strings.Repeat("{\"a\":[", 100_000), errDeep},
		{"wild layout", "[ 1,2 ,\n 3]", errStyle},
		{"nothing to gain", `{"a":1}`, errLonger},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if form, err := Encode(tc.src); !errors.Is(err, tc.want) {
				t.Errorf("Encode = %q, %v, want %v", form, err, tc.want)
			}
		})
	}
}

// TestKept: what a reader of values would change comes back as it was.
func TestKept(t *testing.T) {
	for name, cell := range map[string]string{
		"lone surrogate":      `"\ud800"`,
		"pair":                `"\ud83d\ude00"`,
		"escaped slash":       `"a\/b"`,
		"upper-case escape":   `"\u00E9"`,
		"escaped letter":      `"\u0041"`,
		"escaped NUL":         `"a\u0000b"`,
		"invalid UTF-8":       "\"a\xff\xfe\"",
		"half a character":    "\"\xe4\xb8\"",
		"line separator":      "\"a\u2028b\"",
		"delete":              "\"a\x7f\"",
		"huge number":         `1e999999`,
		"many digits":         "0." + strings.Repeat("3", 400),
		"minus zero":          `-0.0e-0`,
		"looks like a number": `"007"`,
		"looks like null":     `"null"`,
		"sign of a form":      `"&1"`,
		"a table's header":    `"[2]{a}"`,
		"a range":             `"1..5"`,
		"a reference":         `"@a"`,
		"a bang":              `"!x"`,
		"a tilde":             `"~{}"`,
		"a star":              `"*"`,
		"empty":               `""`,
		"blank":               `" "`,
	} {
		t.Run(name, func(t *testing.T) {
			for _, src := range []string{
				cell,
				"{" + `"k":` + cell + "}",
				`[{"key":` + cell + `,"n":1},{"key":` + cell + `,"n":5},{"key":` + cell + `,"n":3}]`,
				`[{"key":` + cell + `,"n":1},{"key":5,"n":5},{"key":` + cell + `,"n":3},{"n":3}]`,
				`[[` + cell + `],[` + cell + `,` + cell + `]]`,
			} {
				form, err := encode(src)
				if err != nil {
					t.Fatalf("encode(%q): %v", src, err)
				}
				if back, err := Decode(form); err != nil || back != src {
					t.Errorf("Decode(%q) = %q, %v, want %q", form, back, err, src)
				}
			}
		})
	}
}

func TestBugInputs(t *testing.T) {
	for _, tc := range []struct {
		file    string
		atMost  float64 // of the original's size
		mention string  // must stand in the form
	}{
		{"B014", 0.12, "booked after cut-off"}, // a row unlike the others
		{"B031", 0.10, "total:12"},
		{"B034", 0.13, "BUCKET:img-prod-7"}, // true values, no question marks
		{"B049", 0.85, "[{a:1},2]"},
		{"B050", 0.40, `"0x1F"`},
		{"B097", 0.65, "total:120"},
	} {
		t.Run(tc.file, func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join("testdata", tc.file+".json"))
			if err != nil {
				t.Fatal(err)
			}
			form, err := Encode(string(b))
			if err != nil {
				t.Fatal(err)
			}
			if got := float64(len(form)) / float64(len(b)); got > tc.atMost {
				t.Errorf("form is %.2f of the original, want at most %.2f", got, tc.atMost)
			}
			if !strings.Contains(form, tc.mention) {
				t.Errorf("form does not hold %q:\n%s", tc.mention, form)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, form := range []string{
		"", "#json/1", "#json/2\n1", "#json/1 x\n1", "#json/1\n", "#json/1\n{a:1", "#json/1\n[1,]",
		"#json/1\n&1=&1\n&1", "#json/1\n&2=x\n1", "#json/1\n&1", "#json/1\n[2]{a}:\n1", "#json/1\n[1]{a,b}(1)",
		"#json/1\n[99999999999999999999]{a=1}", "#json/1\n[200000000]{a=1,b=1,c=1}", "#json/1\n[2]{a=@b,b=@a}",
		"#json/1\n[2]{a=@a}", "#json/1 indent=999\n1", "#json/1 top=<x>\n1", "#json/1\n~{", "#json/1\n!1", "#json/1\n1 x,",
		"#json/1\n[1]{a=\"x\"+}", "#json/1\n" + strings.Repeat("[", 5000),
		"#json/1\n&1=[&2,&2]\n&2=[&3,&3]\n&3=[&1,&1]\n&1",
	} {
		if back, err := Decode(form); err == nil {
			t.Errorf("Decode(%.60q) = %.60q, want an error", form, back)
		}
	}
}

// TestLinear: four times an adversarial text is about four times the work.
func TestLinear(t *testing.T) {
	many := func(n int, f func(i int) string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(f(i))
		}
		return b.String()
	}
	for name, text := range map[string]func(n int) string{
		"rows": func(n int) string { return dump(n, "") },
		"always another key": func(n int) string {
			return "[" + many(n, func(i int) string { return fmt.Sprintf(`{"a":1,"k%d":%d}`, i, i) }) + "]"
		},
		"keys in another order": func(n int) string {
			return "[" + many(n, func(i int) string { return fmt.Sprintf(`{"a%d":1,"b":%d,"a%d":2}`, i%90, i, (i+1)%90) }) + "]"
		},
		"many members": func(n int) string {
			return "{" + many(n, func(i int) string { return fmt.Sprintf(`"k%d":{"a":%d}`, i, i) }) + "}"
		},
		"nearly equal columns": func(n int) string {
			return "[" + many(n, func(i int) string {
				return `{` + many(40, func(c int) string { return fmt.Sprintf(`"c%d":"text %d of %d"`, c, i, c/(n-i)) }) + `}`
			}) + "]"
		},
		"lists in lists": func(n int) string {
			return strings.Repeat(`[1,2,3,4,5,6,7,8,`, 90) + dump(n, "") + strings.Repeat("]", 90)
		},
		"tables in tables": func(n int) string {
			return "[" + many(n, func(i int) string { return `{"a":[{"b":[{"c":[{"d":[{"e":1},{"e":2}]},{"d":[]}]}]}]}` }) + "]"
		},
		"strings with brackets": func(n int) string {
			return "[" + many(n, func(i int) string { return quoted(strings.Repeat("{", 60)) }) + "]"
		},
		"one text many times": func(n int) string {
			return "[" + many(n, func(i int) string { return quoted(strings.Repeat("same ", 10)) }) + "]"
		},
		"JSON in JSON in a list": func(n int) string {
			return "[" + many(n/20, func(i int) string { return quoted(`{"x":` + quoted(dump(20, "")) + `}`) }) + "]"
		},
	} {
		t.Run(name, func(t *testing.T) {
			work := func(n int) (fold, sample, size float64) {
				src := text(n)
				tp, err := parse(src)
				if err != nil {
					t.Fatal(err)
				}
				e := newEncoder(tp, 0)
				e.dict = newDict(e.sh)
				e.value(0, true)
				in := compress.Input{Query: "item-17 of 200, text 3"}
				s := &sampler{t: tp, lim: in.Limits.WithDefaults(), query: rows.ParseQuery(in.Query)}
				s.walk(0, false)
				return float64(e.sh.work), float64(s.work), float64(len(src))
			}
			f1, s1, n1 := work(400)
			f4, s4, n4 := work(1600)
			if more := n4 / n1; f4 > 1.3*more*f1+1000 || s4 > 1.3*more*s1+1000 {
				t.Errorf("%.1f times the text: %.1f times the work to fold (%.0f), %.1f to sample (%.0f)", more, f4/f1, f4, s4/s1, s4)
			}
			if f4 > 30*n4 || s4 > 30*n4 {
				t.Errorf("work of %.0f and %.0f for %.0f bytes", f4, s4, n4)
			}
		})
	}
}

func FuzzEncode(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		form, err := encode(src)
		if err != nil {
			return
		}
		if back, err := Decode(form); err != nil || back != src {
			t.Fatalf("Decode(%q) = %q, %v, want %q", form, back, err, src)
		}
		if !json.Valid([]byte(src)) && !strings.Contains(src, "\n") {
			t.Errorf("encoded %q, which is no JSON", src)
		}
		if again, _ := encode(src); again != form {
			t.Errorf("encode is not deterministic on %q", src)
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, s := range seeds() {
		if form, err := encode(s); err == nil {
			f.Add(form)
		}
	}
	f.Fuzz(func(t *testing.T, form string) {
		if strings.Contains(form, "00000") {
			return // large counts only cost time
		}
		back, err := Decode(form)
		if err == nil && len(back) < 1<<16 && json.Valid([]byte(back)) {
			if again, err := encode(back); err == nil {
				if twice, err := Decode(again); err != nil || twice != back {
					t.Fatalf("Decode(encode(%q)) = %q, %v", back, twice, err)
				}
			}
		}
	})
}

func seeds() []string {
	out := []string{dump(9, ""), dump(5, "  "), dump(3, "\t") + "\n",
		`[{"a":{"b":1},"c":[{"d":1},{"d":2}]},{"a":{"b":2},"c":[]},{"a":{"b":1},"c":[{"d":4}]}]`,
		`[{"u":"https://x.example/a/1","v":"1"},{"u":"https://x.example/a/22","v":"22"},{"u":"https://x.example/a/3","v":"3"}]`,
		"{\"level\":\"info\",\"t\":\"2026-01-01T10:00:00Z\"}\n{\"level\":\"error\",\"t\":\"2026-01-01T10:00:05Z\",\"x\":null}\n",
		`{"text":"{\n  \"a\": [1, 2],\n  \"b\": {\"c\": \"some longer text\"}\n}"}`,
		`["sixteen bytes long","sixteen bytes long","sixteen bytes long",{"x":"sixteen bytes long"}]`,
		`[{"a":1,"b":{"c":null}},{"a":2,"b":null},{"a":2},{"b":{"c":[1]}}]`,
		`[{"a b":"x","":"\u00e9\\"},{"a b":"x\/","":"y\\"},{"a b":"x","":"\\"}]`,
	}
	files, _ := filepath.Glob("testdata/*.json")
	for _, name := range files {
		if b, err := os.ReadFile(name); err == nil {
			out = append(out, string(b))
		}
	}
	return append(out, recorded()...)
}

// recorded are tool results from files with one JSON object a line, if any are
// named:
//
//	WINNOW_DATA='/folder/*.jsonl' go test -fuzz FuzzEncode ./internal/compress/jsonform
func recorded() (out []string) {
	files, _ := filepath.Glob(os.Getenv("WINNOW_DATA"))
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		for l := range strings.Lines(string(b)) {
			var r struct{ Output string }
			if json.Unmarshal([]byte(l), &r) == nil && len(r.Output) < 8<<10 && json.Valid([]byte(r.Output)) {
				out = append(out, r.Output)
			}
		}
	}
	return out
}

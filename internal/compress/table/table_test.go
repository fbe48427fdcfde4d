package table

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/compress"
	"winnow/internal/text"
)

func TestEncode(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"CSV", "id,name,state,note\n1,ada,open,\n2,bob,open,\"a, b\"\n3,eve,open,x\n4,joe,open,007\n", `#tables/1 | k=v: v in every row; a..b: counts
#table csv 4 head=1
id,name,state,note
[4]{id=1..4,name,state=open,note}:
ada,
bob,"\"a, b\""
eve,x
joe,"007"
`},
		{"TSV without a header", "200\t/cache/a\n207\t/cache/b\n214\t/cache/c\n221\t/cache/d", `#tables/1 | a..b: counts; *: the cell
#table tsv 2
[4]{c1=200..221/7,c2="/cache/"+*}:
a
b
c
d`},
		{"Markdown between prose", "Here:\n\n| pkg  | cover |\n|------|------:|\n| ab   |  10.5 |\n| abcd |   3.0 |\n| x    | 100.0 |\n\nDone.", `#tables/1
Here:

#table md:4,5r 2 head=2
| pkg  | cover |
|------|------:|
[3]{pkg,cover}:
ab,10.5
abcd,3.0
x,100.0

Done.`},
		{"aligned columns and a line that is none", "NAME      READY   STATUS    AGE\nweb-000   1/1     Running   5d\nweb-001   1/1     Running   5d\nweb-002   1/1     Running   5d\nwarning: x  y\nweb-003   1/1     Running   5d\nweb-004   1/1     Running   5d", `#tables/1 | k=v: v in every row
#table cols:0,10,18,28 4 head=1
NAME      READY   STATUS    AGE
[6]{NAME,READY=1/1,STATUS=Running,AGE=5d}:
web-000
web-001
web-002
!"warning: x  y"
web-003
web-004`},
		{"flush right, padded at the end", "alpha      5  x  \nbe        50  y  \ngamma    500  z  \ndelta   5000  w  \n", `#tables/1
#table fixed:0,12r,14,17 3
[4]{c1,c2,c3}:
alpha,5,x
be,50,y
gamma,500,z
delta,5000,w
`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, ok := encode(tc.src, true)
			if diff := cmp.Diff(tc.want, got); !ok || diff != "" {
				t.Errorf("encode: %v (-want +got):\n%s", ok, diff)
			}
			if back, err := (Codec{}).Decode(got); err != nil || back != tc.src {
				t.Errorf("Decode = %q, %v, want %q", back, err, tc.src)
			}
		})
	}
}

func csv(n int) string {
	var b strings.Builder
	b.WriteString("id,name,state,ms\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,job-%d,done,%d\n", i, i*7%1000, 100+i*37%50)
	}
	return b.String()
}

func TestRefuses(t *testing.T) {
	for name, in := range map[string]compress.Input{
		"empty":                 {},
		"prose":                 {Text: strings.Repeat("It is, as ever, long.\nAnd then: nothing.\n", 20)},
		"a form of ours":        {Text: "#tables/1\n" + csv(50)},
		"a table's mark inside": {Text: csv(50) + "#table csv 4\n"},
		"another kind":          {Text: csv(50), Kind: "code"},
		"quotes over lines":     {Text: strings.Repeat("1,\"a\nb\",c\n", 30)},
		"too few rows":          {Text: "a,b,c\n1,2,3\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if form, ok := (Codec{}).Encode(in); ok {
				t.Errorf("Encode = %q, want a refusal", form)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, form := range []string{
		"", "#tables/1", "#tables/1\n", "#tables/1\nx", "#tables/1\n#table csv 2", "#tables/1\n#table csv 0\n[1]{a=1}",
		"#tables/1\n#table xml 2\n[1]{c1=1}", "#tables/1\n#table csv 2 head=9\n[1]{c1=1}", "#tables/1\n#table csv 2\n[1]{x=1}",
		"#tables/1\n#table cols:1,2 3\n[1]{c1=1,c2=2,c3=3}", "#tables/1\n#table cols:99999 1\n[1]{c1=1}", "#tables/1\n#table csv 2\n{c1:1}",
		"#tables/1\n#table csv 2\n[1]{c1=1}x", "#tables/1\n#table md:-1 1\n[1]{c1=1}",
	} {
		if back, err := (Codec{}).Decode(form); err == nil {
			t.Errorf("Decode(%q) = %q, want an error", form, back)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestCuts(t *testing.T) {
	needle := strings.Replace(csv(300), "150,job-50,done", "150,job-50,gone", 1)
	for _, tc := range []struct {
		name, src, query string
		atMost           float64  // of the lines kept
		stays            []string // parts of lines that are kept
	}{
		{"ends and header", csv(300), "", 0.05, []string{"id,name", "0,job-0,", "299,job-93,"}},
		{"a rare value", needle, "", 0.05, []string{"150,job-50,gone"}},
		{"a row that the task names", csv(300), "what about job-49?", 0.05, []string{"7,job-49,"}},
		{"a failure", strings.Replace(csv(300), "8,job-56,done", "8,job-56,failed", 1), "", 0.05, []string{"8,job-56,failed"}},
		{"B008: the largest of a listing stay", read(t, "B008.txt"), "", 0.2, []string{"com.example.render", "com.example.audio"}},
		{"B038: two tables, each with its header", read(t, "B038.txt"), "", 0.2, []string{"## container", "name               have"}},
		{"B055: pods unlike the others", read(t, "B055.txt"), "", 0.2, []string{"NAME "}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := text.Split(tc.src)
			cuts := Editor{}.Cuts(compress.Input{Text: tc.src, Query: tc.query})
			hidden, kept, at := 0, "", 0
			for _, c := range cuts {
				if c.First < at || c.Last < c.First || c.Last >= d.Len() {
					t.Fatalf("cut %v after line %d of %d", c, at, d.Len())
				}
				for ; at < c.First; at++ {
					kept += d.Line(at) + "\n"
				}
				hidden += c.Last - c.First + 1
				at = c.Last + 1
			}
			for ; at < d.Len(); at++ {
				kept += d.Line(at) + "\n"
			}
			if share := 1 - float64(hidden)/float64(d.Len()); share > tc.atMost {
				t.Errorf("kept %.2f of the lines, want at most %.2f:\n%s", share, tc.atMost, kept)
			}
			for _, s := range tc.stays {
				if !strings.Contains(kept, s) {
					t.Errorf("%q is hidden", s)
				}
			}
		})
	}
	if cuts := (Editor{}).Cuts(compress.Input{Text: csv(20)}); cuts != nil {
		t.Errorf("Cuts of a small table = %v, want none", cuts)
	}
}

func TestBytesAreKept(t *testing.T) {
	for name, cell := range map[string]string{
		"invalid UTF-8": "\xff\xfe", "NUL": "a\x00b", "escape": "\x1b[31mx\x1b[0m", "backslash": `a\nb\`, "quote": `a"b"c`,
		"number": "1.0", "not quite a number": "01", "null": "null", "reference": "&1", "bang": "!x", "wide": "日本", "box": "│", "carriage return": "a\rb",
	} {
		t.Run(name, func(t *testing.T) {
			for _, sep := range []string{",", "\t", ";", "  "} {
				src := ""
				for i := range 9 {
					src += strings.Join([]string{fmt.Sprint("k", i), cell, "same", cell}, sep) + "\n"
				}
				form, ok := encode(src, true)
				if !ok {
					continue // refused is as good
				}
				if back, err := (Codec{}).Decode(form); err != nil || back != src {
					t.Errorf("Decode(%q) = %q, %v, want %q", form, back, err, src)
				}
			}
		})
	}
}

func seeds(add func(s string)) {
	add(csv(9))
	add(strings.ReplaceAll(csv(5), ",", "\t"))
	add(strings.ReplaceAll(csv(5), "\n", "\r\n"))
	add("| a | b |\n|---|---|\n| 1 | x |\n| 2 | y |\n| 3 |  |\n\ntext\n")
	add("NAME   AGE\nab     5d\nabc    7d\nx     12d\ny      1d")
	add("a  b\nc  d\ne  f\ng  h\n\n| a | b |\n| - | --: |\n|  1 | x |\n|  2 | y |\n| 13 | z |")
	for _, n := range []string{"B008.txt", "B038.txt", "B055.txt"} {
		if b, err := os.ReadFile(filepath.Join("testdata", n)); err == nil {
			add(string(b))
		}
	}
}

func FuzzEncode(f *testing.F) {
	seeds(func(s string) { f.Add(s) })
	f.Fuzz(func(t *testing.T, src string) {
		if form, ok := encode(src, true); ok {
			if back, err := (Codec{}).Decode(form); err != nil || back != src {
				t.Fatalf("Decode(%q) = %q, %v, want %q", form, back, err, src)
			}
		}
		d := text.Split(src)
		at := 0
		for _, c := range (Editor{}).Cuts(compress.Input{Text: src, Query: "job-49", Limits: compress.Limits{MinTokens: 1}}) {
			if c.First < at || c.Last < c.First || c.Last >= d.Len() {
				t.Fatalf("cut %v after line %d of %d", c, at, d.Len())
			}
			at = c.Last + 2
		}
	})
}

func FuzzDecode(f *testing.F) {
	seeds(func(s string) {
		if form, ok := encode(s, true); ok {
			f.Add(form)
		}
	})
	f.Fuzz(func(t *testing.T, form string) {
		if strings.Contains(form, "00000") {
			return // large counts only cost time
		}
		back, err := Codec{}.Decode(form) // must not panic
		if err != nil && back != "" {
			t.Errorf("Decode(%q) = %q and %v", form, back, err)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	in := compress.Input{Text: csv(5000)}
	b.SetBytes(int64(len(in.Text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := (Codec{}).Encode(in); !ok {
			b.Fatal("refused")
		}
	}
}

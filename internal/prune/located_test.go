package prune

import "testing"

func TestLocatedLine(t *testing.T) {
	type answer struct{ column, ok bool }
	for line, want := range map[string]answer{
		"shop/tax.go:30:8: undefined: foo":                {true, true},
		"./tax.go:12:2: unreachable code":                 {true, true},
		"vet: ./tax.go:12:2: undefined: x":                {true, true},
		"tax.py:1:8: F401 [*] `os` imported but unused":   {true, true},
		"tax.py:3: note: See the book":                    {false, true},
		"src/tax.ts(7,5): error TS2322: x":                {true, true},
		"src/tax.cs(7): warning CS0168: x":                {false, true},
		`C:\shop\tax.cs(7,5): error CS0103: x`:            {true, true},
		"README.md:3:1 MD022 headings":                    {true, true},
		"src/Tax.hs:7:5-9: a range":                       {true, true},
		"Makefile:12: *** missing separator.  Stop.":      {false, true},
		"e: src/Tax.kt:3:5 x":                             {true, true},
		"shop/tax.go:12:\treturn nil":                     {},
		"shop/tax.go:12:func f() {":                       {},
		"shop/tax.go:12:3:func f() {":                     {true, false},
		"shop/tax.go:12:    indented source of some file": {},
		"tax.go:12":                       {},
		"10:02:11: started":               {},
		"2026-05-02 10:02:11":             {},
		"http://shop.example:3000: ready": {},
		"    tax_test.go:31: logged":      {},
		"see tax.go:12:3: x":              {},
		"":                                {},
	} {
		column, ok := locatedLine(line)
		if got := (answer{column, ok}); got.ok != want.ok || ok && got != want {
			t.Errorf("locatedLine(%q) = %v, want %v", line, got, want)
		}
	}
}

func TestCaretLine(t *testing.T) {
	for line, want := range map[string]bool{
		"        ^": true, "    ~~~~": true, "  ^~~~": true, "^-- SC2086: quote it": true, "\t^": true,
		"": false, "~": false, "~~~": false, "^x": false, "  ~/bin": false, "  | ^^": false,
	} {
		if got := caretLine(line); got != want {
			t.Errorf("caretLine(%q) = %v, want %v", line, got, want)
		}
	}
}

func TestSearchOf(t *testing.T) {
	for command, want := range map[string]searching{
		"rg -n foo src":                             onlySearch,
		"cd x && grep -rn 'a|b' . | head -40":       onlySearch,
		"git -C x grep -n foo":                      onlySearch,
		"cat -n x.go | sed -n 1,20p":                onlySearch,
		"find . -name '*.go' | xargs grep -n foo":   onlySearch,
		"find . -exec grep -n foo {} +":             onlySearch,
		"rg foo; echo ---; rg bar || true":          onlySearch,
		"for f in *.go; do grep -n foo $f; done":    onlySearch,
		`bash -lc "rg -n foo | head"`:               onlySearch,
		"bash -lc rg -n foo":                        onlySearch,
		"go build ./...":                            noSearch,
		"go vet ./... 2>&1 | grep -v vendor":        noSearch,
		`sh -c 'cd x && go test ./... | grep FAIL'`: noSearch,
		"go build ./... ; grep -rn foo .":           unknownSearch,
		"":                                          unknownSearch,
		"cat build.log":                             noSearch,
		"make lint || rg foo":                       unknownSearch,
	} {
		if got := searchOf(command); got != want {
			t.Errorf("searchOf(%q) = %v, want %v", command, got, want)
		}
	}
}

package rows

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBare(t *testing.T) {
	for _, s := range []string{"a", "up-to-date", "item 5", "2026-01-02T03:04:05Z", "1.2.3", "a=b", "/usr/bin", "été", "12ab", "x+y", "-flag"} {
		if !Bare(s) {
			t.Errorf("Bare(%q) = false", s)
		}
	}
	for _, s := range []string{"", " a", "a ", "a,b", "a: b", "[2]", "&1", "@a", "!x", "*", "=", "~", "#", "\"", `a\n`, "a\nb", "true", "NULL", "None", "no",
		"1", "-1", "+861", ".622", "0x1F", "1e5", "007", "-", "1_000", "1E-7", "(a)", "a;b", "\x7f", "a\tb"} {
		if Bare(s) {
			t.Errorf("Bare(%q) = true", s)
		}
	}
}

func TestCellEnd(t *testing.T) {
	for in, want := range map[string]int{"a,b": 1, "": 0, `"a,\"b",c`: 7, "(a,b;c),d": 7, "a)": 1, "{a:[1,2]}\n": 9, `"open`: 5, `"x\`: 3} {
		if got := CellEnd(in, 0); got != want && !(got > len(in) && want == len(in)) {
			t.Errorf("CellEnd(%q) = %d, want %d", in, got, want)
		}
	}
}

func TestFolds(t *testing.T) {
	for _, tc := range []struct {
		name    string
		columns [][]string
		json    bool
		want    []Fold
	}{
		{"constant", [][]string{{"a", "a"}}, false, []Fold{{Kind: Const, Value: "a"}}},
		{"one row is no column", [][]string{{"a"}}, false, []Fold{{}}},
		{"counted down by five", [][]string{{"10", "5", "0"}}, false, []Fold{{Kind: Count, First: 10, Step: -5}}},
		{"a number that a program would not print so", [][]string{{"01", "02", "03"}}, false, []Fold{{}}},
		{"missing cells are no constant", [][]string{{"", ""}}, true, []Fold{{}}},
		{"the other column's cell", [][]string{{"5", "9", "2"}, {"5", "9", "2"}}, true, []Fold{{Kind: Same, Ref: 1}, {}}},
		{"inside a text", [][]string{{"5", "9", "2"}, {`"n-5.go"`, `"n-9.go"`, `"n-2.go"`}}, true, []Fold{{}, {Kind: Around, Ref: 0, Pre: "n-", Suf: ".go"}}},
		{"no chains", [][]string{{"5", "9", "2"}, {`"5"`, `"9"`, `"2"`}, {`"n5"`, `"n9"`, `"n2"`}}, true,
			[]Fold{{}, {Kind: Around, Ref: 0}, {Kind: Around, Ref: 0, Pre: "n"}}},
		{"beginnings end with a word", [][]string{{"https://a.b/c/dog", "https://a.b/c/dig", "https://a.b/c/d"}}, false, []Fold{{Kind: Affix, Pre: "https://a.b/c/"}}},
		{"ends too", [][]string{{"a.test.example", "bc.test.example", "d.test.example"}}, false, []Fold{{Kind: Affix, Suf: ".test.example"}}},
		{"never inside an escape", [][]string{{`"long prefix \\x"`, `"long prefix \\y"`, `"long prefix \n"`}}, true, []Fold{{Kind: Affix, Pre: "long prefix "}}},
		{"escaped slashes", [][]string{{`"a\/same-end"`, `"b\/same-end"`, `"cc\/same-end"`}}, true, []Fold{{}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := Folder{Columns: tc.columns, JSON: tc.json}
			if diff := cmp.Diff(tc.want, f.Folds()); diff != "" {
				t.Errorf("Folds (-want +got):\n%s", diff)
			}
		})
	}
}

// TestFoldsAreLinear: twice the rows are twice the work, also where columns
// nearly refer to each other and differ in the last row.
func TestFoldsAreLinear(t *testing.T) {
	work := func(rows int) int {
		f := Folder{}
		for c := range 60 {
			var cells []string
			for r := range rows {
				cells = append(cells, strings.Repeat("x", 20)+strconv.Itoa(r*7%1000))
			}
			cells[rows-1] = "odd" + strconv.Itoa(c)
			f.Columns = append(f.Columns, cells)
		}
		f.Folds()
		return f.Work
	}
	a, b := work(1000), work(4000)
	if ratio := float64(b) / float64(a); ratio > 4.5 {
		t.Errorf("4 times the rows are %.1f times the work (%d, %d)", ratio, a, b)
	}
	if limit := 60 * 1000 * 24 * 20; a > limit {
		t.Errorf("work = %d, want at most %d", a, limit)
	}
}

func TestFailing(t *testing.T) {
	for _, tc := range []struct {
		name, cell string
		want       bool
	}{
		{"error", `"connection lost"`, true}, {"error", `""`, false}, {"error", "null", false}, {"last_error", "false", false},
		{"errors", "[", true}, {"errors", "[]", false}, {"error_count", "3", true}, {"error_count", "0", false},
		{"status", "404", true}, {"status", "200", false}, {"status", `"500"`, true}, {"response.status", "503", true}, {"status", "1404", false},
		{"exit_code", "1", true}, {"exit_code", "0", false}, {"exitCode", "-9", true},
		{"success", "false", true}, {"success", "true", false}, {"ok", `"False"`, true},
		{"level", `"ERROR"`, true}, {"level", `"info"`, false}, {"state", `"FAILURE"`, true}, {"phase", `"CrashLoopBackOff"`, true},
		{"msg", `"0 errors, 3 warnings"`, false}, {"msg", `"no errors"`, false}, {"msg", `"10 errors"`, true}, {"msg", `"1.0 failed"`, true},
		{"msg", `"raised TimeoutError"`, true}, {"path", `"src/errors.go"`, false}, {"path", `"/error/x"`, false}, {"msg", `"terror"`, false},
		{"msg", "Permission denied", true}, {"size", "500", false}, {"", `"panic: x"`, true},
	} {
		if got := Failing(tc.name, tc.cell); got != tc.want {
			t.Errorf("Failing(%q, %s) = %v, want %v", tc.name, tc.cell, got, tc.want)
		}
	}
}

func TestQuery(t *testing.T) {
	rows := make([]string, 400)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"id":%d,"name":"item-%d","city":"Lyon","sha":"a1b2%d"}`, i+1000, i, i)
	}
	rows[77] = `{"id":1077,"name":"item-77","city":"Zanzibar"}`
	rows[88] = `{"id":1088,"path":"a\nuser_service.go","sha":"x"}`
	for _, tc := range []struct {
		query string
		want  []int
	}{
		{"", nil},
		{"show the items of this list", nil},
		{"what is wrong with item-137?", []int{136, 137}}, // the place counts from 0 or 1,
		{"look at 1200 and 1300", []int{200, 300}},
		{"who lives in zanzibar", []int{77}},
		{"Lyon", nil}, // in every row: tells nothing apart
		{"see user_service.go:99", []int{88, 99}},
		{"commit A1B2301.", []int{301}},
		{"open row 5", []int{4, 5}},
	} {
		t.Run(tc.query, func(t *testing.T) {
			seen := map[int]bool{}
			for _, i := range ParseQuery(tc.query).Named(len(rows), func(i int) string { return rows[i] }, true) {
				seen[i] = true
			}
			for _, i := range tc.want {
				if !seen[i] {
					t.Errorf("row %d is not named", i)
				}
				delete(seen, i)
			}
			if len(seen) > 0 {
				t.Errorf("also named: %v", seen)
			}
		})
	}
}

func TestPick(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	column := func(n int, f func(i int) string) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = f(i)
		}
		return out
	}
	for _, tc := range []struct {
		name  string
		cells []string
		stays []int
		most  int // rows kept beside the ends
	}{
		{"all the same", column(200, func(int) string { return "1" }), nil, 0},
		{"counted", column(200, strconv.Itoa), nil, 0},
		{"a gap in what is counted", column(200, func(i int) string { return strconv.Itoa(i + i/120*500) }), []int{120}, 1},
		{"noise and an outlier", column(200, func(i int) string {
			if i == 101 {
				return "950"
			}
			return strconv.Itoa(100 + rnd.IntN(20))
		}), []int{101}, 2},
		{"one large value among zeros", column(200, func(i int) string {
			if i == 90 {
				return "7"
			}
			return "0"
		}), []int{90}, 2},
		{"a level that changes for good", column(200, func(i int) string { return strconv.Itoa(100 + i/80*40 + rnd.IntN(20)) }), nil, 4},
		{"huge", column(50, func(i int) string {
			if i == 30 {
				return "1e999999"
			}
			return strconv.Itoa(i % 7)
		}), []int{30}, 2},
		{"a rare category", column(200, func(i int) string {
			if i == 50 {
				return `"stuck"`
			}
			return []string{`"a"`, `"b"`, `"c"`}[i*7%3]
		}), []int{50}, 1},
		{"a state that changes", column(200, func(i int) string { return []string{`"old"`, `"new"`}[i/150] }), []int{150}, 1},
		{"names, and one unlike them", column(200, func(i int) string {
			if i == 60 {
				return `"Needle: 5 %"`
			}
			return fmt.Sprintf(`"user-%d"`, i)
		}), []int{60, 61}, 2},
		{"a key that one row has", column(200, func(i int) string {
			if i == 60 {
				return "5"
			}
			return ""
		}), []int{60, 61}, 2},
		{"free text", column(200, func(i int) string { return fmt.Sprintf(`"%x, %s!"`, i*i, strings.Repeat("word ", i%9)) }), nil, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := len(tc.cells)
			keep := Picker{Head: 3, Tail: 1, JSON: true}.Pick(n, func(i int) string { return tc.cells[i] }, []Field{{"x", tc.cells}})
			kept := []int{}
			for i, w := range keep {
				if w&^End != 0 {
					kept = append(kept, i)
				}
			}
			for _, i := range tc.stays {
				if keep[i] == 0 {
					t.Errorf("row %d does not stay; those that do: %v", i, kept)
				}
			}
			if len(kept) > tc.most {
				t.Errorf("%d rows stay, want at most %d: %v", len(kept), tc.most, kept)
			}
		})
	}
}

package prune

import (
	"fmt"
	"strings"
	"testing"
)

// deep writes n lines that no rule knows by itself.
func deep(indent string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%srow %d of what the test shows\n", indent, i)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// A report's block ends where its form says so, however long it is.
func TestLongReports(t *testing.T) {
	for _, tc := range []blockCase{
		{"jest", "  ● tax › rounds\n\n" + deep("    + ", 320)},
		{"mocha", "  1) tax\n       rounds:\n\n      + expected - actual\n\n" + deep("      -", 320)},
		{"vitest", "⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯\n\n FAIL  src/tax.test.ts > rounds\n" + deep("", 320) + "\n⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯"},
		{"cargo", "---- tests::rounds stdout ----\n" + deep("", 320) + "\nfailures:"},
		{"pytest", "____________ test_total ____________\n\n" + deep("    ", 320) + "\nE   assert 1\n\n----- Captured stdout call -----\n" + deep("", 100) + "\n===== short test summary info ====="},
		{"go test", "--- FAIL: TestTotal (0.00s)\n" + deep("    ", 320)},
		{"go test -v", "=== RUN   TestTotal\n" + deep("", 320) + "\n--- FAIL: TestTotal (0.00s)"},
		{"TAP", "not ok 2 - rounds\n  ---\n" + deep("  ", 320) + "\n  ..."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pruneKeeps(t, rows(400)+"\n"+tc.block+"\n\n"+rows(400), tc.block)
		})
	}
}

// The lines of a parallel test stand far above its verdict, between those of others.
func TestParallelGoTests(t *testing.T) {
	first := "=== CONT  TestTotal/eu,_(19)\n    total_test.go:80: have 3, want 4\n        as a table\n        of rows\n        and more\n        and the end"
	second := "=== NAME  TestTotal/eu,_(19)\nprinted by the test\nand more of it\nand again\nto the end"
	other := "=== CONT  TestOther\n" + deep("", 60) + "\n"
	pruneKeeps(t, "=== RUN   TestTotal/eu,_(19)\n=== PAUSE TestTotal/eu,_(19)\n"+other+first+"\n"+other+second+"\n"+other+
		"    --- PASS: TestOther (0.00s)\n"+deep("        ", 40)+"\n    --- FAIL: TestTotal/eu,_(19) (0.00s)\n"+other, first, second)
}

// Details behind the stamps that only a part of the log has.
func TestStampedDetails(t *testing.T) {
	block := "2026-05-02T09:00:01.1Z >       assert a == b\n2026-05-02T09:00:01.2Z E       assert 3 == 4\n" +
		"2026-05-02T09:00:01.3Z E        +  where 3 = f()\n2026-05-02T09:00:01.4Z E        +  and 4 = g()\n2026-05-02T09:00:01.5Z E        +  at index 0"
	pruneKeeps(t, rows(40)+block+"\n"+rows(40), block)
}

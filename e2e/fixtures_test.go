//go:build e2e

package e2e

import (
	"fmt"
	"strings"
)

// buildLog is n lines of a build with failures at some of them, and those lines.
func buildLog(n int, failAt ...int) (log string, failures []string) {
	at := map[int]bool{}
	for _, i := range failAt {
		at[i] = true
	}
	var b strings.Builder
	for i := 1; i <= n; i++ {
		line := fmt.Sprintf("[%05d] compiling unit_%05d.c into obj/unit_%05d.o with flags -O2 -g", i, i*7, i*7)
		if at[i] {
			line = fmt.Sprintf("unit_%05d.c:%d:9: error: unknown type name 'frob_%d_t'", i*7, i, i)
			failures = append(failures, line)
		}
		b.WriteString(line + "\n")
	}
	return b.String(), failures
}

// source is a Go file of n small functions.
func source(n int) string {
	var b strings.Builder
	b.WriteString("package shop\n\nimport \"strings\"\n\n")
	for i := range n {
		fmt.Fprintf(&b, "// Name%03d gives the display name of shelf %d.\nfunc Name%03d(s string) string {\n\tt := strings.TrimSpace(s)\n\treturn t + \"-%03d\"\n}\n\n", i, i, i, i)
	}
	return b.String()
}

// prose is n lines of plain text, none of which reports anything.
func prose(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "Shelf %04d holds %d boxes of tea and a note of row %d.\n", i, i%17, i)
	}
	return b.String()
}

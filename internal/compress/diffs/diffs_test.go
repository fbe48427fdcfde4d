package diffs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/compress"
	"winnow/internal/compress/compresstest"
	"winnow/internal/prune/detect"
)

func view(in compress.Input) string {
	in.Kind = detect.Diff
	return compresstest.View(Editor{}, in)
}

const show = `commit 3f2a9bc4d1e2f3a4b5c6d7e8f90123456789abcd
Author: A <a@example.com>

    order: price without tax

    Why: the tax is added by the till.

diff --git a/order.go b/order.go
index 1..2 100644
--- a/order.go
+++ b/order.go
@@ -10,12 +10,12 @@ func Price() int {
 a
 b
 c
 d
 e
-	return net + tax
+	return net
 f
 g
 h
 i
 j
 k
`

func TestCuts(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"context beyond a line", show, strings.NewReplacer(" a\n b\n c\n d\n", "[unchanged]\n", " g\n h\n i\n j\n k\n", "[unchanged]\n").Replace(show)},
		{"git's usual three lines stay", "--- a/x\n+++ b/x\n@@ -1,7 +1,7 @@\n a\n b\n c\n-d\n+D\n e\n f\n g\n", "--- a/x\n+++ b/x\n@@ -1,7 +1,7 @@\n a\n b\n c\n-d\n+D\n e\n f\n g\n"},
		{"between two changes", "--- a/x\n+++ b/x\n@@ -1,8 +1,8 @@\n-a\n+A\n b\n c\n d\n e\n f\n-g\n+G\n", "--- a/x\n+++ b/x\n@@ -1,8 +1,8 @@\n-a\n+A\n b\n[unchanged]\n f\n-g\n+G\n"},
		{"a lock file", "diff --git a/go.sum b/go.sum\n--- a/go.sum\n+++ b/go.sum\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n+C\n d\n", "diff --git a/go.sum b/go.sum\n--- a/go.sum\n+++ b/go.sum\n@@ -1,3 +1,4 @@\n[5 lines of a generated file]\n"},
		{"a new file stays whole", "--- /dev/null\n+++ b/x.go\n@@ -0,0 +1,5 @@\n+a\n+b\n+c\n+d\n+e\n", "--- /dev/null\n+++ b/x.go\n@@ -0,0 +1,5 @@\n+a\n+b\n+c\n+d\n+e\n"},
		{"no newline at the end", "--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n a\n b\n c\n d\n-e\n\\ No newline at end of file\n+E\n\\ No newline at end of file\n", "--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n[unchanged]\n d\n-e\n\\ No newline at end of file\n+E\n\\ No newline at end of file\n"},
		{"signs in what is no hunk", "- a\n- b\n+ c\n@@ not a hunk\n x\n y\n z\n w\n", "- a\n- b\n+ c\n@@ not a hunk\n x\n y\n z\n w\n"},
		{"cut short", "--- a/x\n+++ b/x\n@@ -1,90 +1,90 @@\n a\n b\n c\n d\n e\n-f\n... 80 more lines\nanother text\n", "--- a/x\n+++ b/x\n@@ -1,90 +1,90 @@\n[unchanged]\n e\n-f\n... 80 more lines\nanother text\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, view(compress.Input{Text: tc.in})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAskedFor(t *testing.T) {
	for _, command := range []string{"git diff -U30", "git diff --unified=8 a", "git diff -W"} {
		if got := view(compress.Input{Text: show, Command: command}); got != show {
			t.Errorf("%s: context that was asked for is cut:\n%s", command, got)
		}
	}
	in := strings.Replace(show, " b\n", " // incident_4411 is why\n", 1)
	if got := view(compress.Input{Text: in, Query: "what was incident_4411?"}); !strings.Contains(got, "incident_4411") {
		t.Errorf("the line that the task names is gone:\n%s", got)
	}
}

// Whatever a diff holds, its changes and headers stay.
func FuzzChangesStay(f *testing.F) {
	f.Add(show, 3)
	f.Fuzz(func(t *testing.T, s string, n int) {
		in := fmt.Sprintf("%s\n--- a/x\n+++ b/x\n@@ -1,%d +1,%d @@ f\n%s\n-old\n+new\n%s", s, n%50+1, n%50+1, s, s)
		got := view(compress.Input{Text: in})
		for l := range strings.SplitSeq(in, "\n") {
			if strings.HasPrefix(l, "@@ -") && !strings.Contains(got, l) {
				t.Errorf("gone: %q of %q", l, in)
			}
		}
		if (n%50+50)%50 >= 1 && s == "" && (!strings.Contains(got, "\n-old\n") || !strings.Contains(got, "\n+new")) {
			t.Errorf("changes gone: %q", got)
		}
	})
}

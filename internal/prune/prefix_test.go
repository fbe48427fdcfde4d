package prune

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// frames14 writes a header, so many frames that no neighbour hides a fault,
// and an end.
func frames14(head, frame, end string) string {
	var b strings.Builder
	b.WriteString(head)
	for i := range 14 {
		b.WriteByte('\n')
		b.WriteString(strings.ReplaceAll(frame, "%", fmt.Sprint(i+3)))
	}
	if end != "" {
		b.WriteByte('\n')
		b.WriteString(end)
	}
	return b.String()
}

var longTraces = []blockCase{
	{"python", frames14("Traceback (most recent call last):", "  File \"/shop/m%.py\", line %, in call%\n    return rate%(order)", "shop.Gone: away")},
	{"go", frames14("panic: no rates\n\ngoroutine 1 [running]:", "main.rate%(0xc000)\n\t/shop/m%.go:1% +0x1d", "exit status 2")},
	{"java", frames14("com.shop.Gone: away", "\tat com.shop.M%.rate(M%.java:1%)", "Caused by: com.shop.Lost: there\n\tat com.shop.A.b(A.java:1)\n\t... 12 more")},
	{"node", frames14("/shop/x.js:3\n  throw new Gone('x')\n  ^\n\nGone: x", "    at rate% (/shop/m%.js:3:9)", "")},
	{"dotnet", frames14("Unhandled exception. Shop.Gone: x", "   at Shop.M%.Rate() in /shop/m%.cs:line 12", "")},
	{"rust", frames14("thread 'main' panicked at src/main.rs:4:5:\nno rates\nstack backtrace:", "   %: shop::rate%\n             at ./src/m%.rs:4:5", "note: some details are left out")},
	{"ruby", frames14("x.rb:3:in `rate': no rates (Gone)", "\tfrom m%.rb:7:in `rate%'", "")},
	{"php", frames14("PHP Fatal error:  Uncaught Gone: x in /shop/a.php:3\nStack trace:", "#% /shop/m%.php(12): M%->rate()", "#17 {main}\n  thrown in /shop/a.php on line 3")},
	{"elixir", frames14("** (RuntimeError) no rates", "    (shop 0.1.0) lib/shop/m%.ex:33: Shop.M%.rate/1", "")},
}

// What is put before a trace's lines while other lines have nothing, or
// something else.
var prefixes = []struct {
	name string
	put  func(i int) string
}{
	{"none", func(int) string { return "" }},
	{"kubectl", func(int) string { return "[pod/app-7d/app] " }},
	{"journald", func(i int) string { return fmt.Sprintf("Nov %2d 10:00:%02d host app[%d]: ", i%7+5, i, 95+i) }},
	{"turbo", func(int) string { return "api:test: " }},
	{"a logger", func(i int) string { return fmt.Sprintf("2026-05-02 09:00:00,%d ERR app: ", 95+i) }},
	{"quoted", func(int) string { return "> " }},
	{"added", func(int) string { return "+" }},
	{"removed", func(int) string { return "-" }},
	{"compose", func(int) string { return "web-1  | " }},
	{"pm2", func(int) string { return "0|app  | " }},
	{"a worker", func(int) string { return "(worker pid=11) " }},
	{"CI", func(i int) string { return fmt.Sprintf("2026-05-02T09:00:%02d.1234567Z ", i) }},
	{"indented", func(int) string { return "    " }},
}

func TestPrefixedTraces(t *testing.T) {
	for _, tc := range longTraces {
		for _, p := range prefixes {
			lines := strings.Split(tc.block, "\n")
			for i := range lines {
				lines[i] = p.put(i) + lines[i]
			}
			t.Run(tc.name+"/"+p.name, func(t *testing.T) { keepsBlock(t, strings.Join(lines, "\n")) })
			if p.name == "none" || p.name == "indented" {
				continue
			}
			// Another stream's lines between them.
			mixed := strings.Join(lines[:5], "\n") + "\ndb: checkpoint\n" + strings.Join(lines[5:9], "\n") + "\ndb: checkpoint\n" + strings.Join(lines[9:], "\n")
			if tc.name == "go" { // a place without its function is one line
				mixed = strings.Join(lines[:7], "\n") + "\ndb: checkpoint\n" + strings.Join(lines[7:], "\n")
			}
			t.Run(tc.name+"/"+p.name+"/mixed", func(t *testing.T) { keepsBlock(t, mixed) })
		}
	}
}

// keepsBlock checks that a block between lines that nobody needs stays whole.
func keepsBlock(t *testing.T, block string) {
	t.Helper()
	pruneKeeps(t, rows(40)+"\n"+block+"\n\n"+rows(40), block)
}

// pruneKeeps checks that a shell's output is pruned and each part stays whole.
func pruneKeeps(t *testing.T, output string, parts ...string) {
	t.Helper()
	in := plain()
	in.Text = output
	res := New(Fake{}, Options{AllowNothing: true}).Prune(context.Background(), in)
	checkResult(t, in, res)
	for _, part := range parts {
		if res.Reason != Pruned || !strings.Contains(res.Text, part) {
			t.Errorf("reason %q: %q is not whole in\n%s", res.Reason, part, res.Text)
		}
	}
}

func TestBrokenTraces(t *testing.T) {
	for _, tc := range longTraces {
		lines := strings.Split(tc.block, "\n")
		for _, form := range []struct {
			name  string
			lines []string
		}{
			{"printed into", insert(lines, 9, "INFO another thread says hello")},
			{"cut in the middle", insert(lines, 9, "... [120 lines truncated] ...")},
			{"the head is missing", lines[5:]},
		} {
			t.Run(tc.name+"/"+form.name, func(t *testing.T) { keepsBlock(t, strings.Join(form.lines, "\n")) })
		}
	}
}

func insert(lines []string, at int, line string) []string {
	return append(append(append([]string{}, lines[:at]...), line), lines[at:]...)
}

func TestUnprefixLeavesOtherText(t *testing.T) {
	for _, tc := range []struct{ name, text string }{
		{"a log that mentions a panic", strings.Repeat("2026/05/02 09:00:00 web: row of the log\n", 40) + "2026/05/02 09:00:00 web: no panic: all is well\n" + strings.Repeat("2026/05/02 09:00:00 web: row of the log\n", 40)},
		{"prose", strings.Repeat("They look  at the table (by the sea) all day.\n", 60)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := plain()
			in.Text = tc.text
			res := New(Fake{}, Options{AllowNothing: true}).Prune(context.Background(), in)
			checkResult(t, in, res)
			if res.Reason != Pruned || len(res.Text) > len(in.Text)/2 {
				t.Errorf("reason %q, %d of %d bytes left", res.Reason, len(res.Text), len(in.Text))
			}
		})
	}
}

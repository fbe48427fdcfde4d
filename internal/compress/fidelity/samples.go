package fidelity

import (
	"fmt"
	"strings"

	"winnow/internal/prune/detect"
)

// Kinds are those that [Sample] writes.
var Kinds = []detect.Kind{
	detect.JSON, detect.JSONL, detect.Table, detect.Log, detect.Trace, detect.Search, detect.Diff, detect.Listing, detect.Config, detect.Code, detect.Prose, detect.HTML,
}

// Sample writes a text of a kind of about size bytes, the same for the same
// arguments. Rows, lines and words differ as they do in life: some of what a
// line says repeats, some does not.
func Sample(k detect.Kind, size int) string {
	head, line, tail := shapeOf(k)
	var b strings.Builder
	b.WriteString(head)
	for i := 0; b.Len() < size; i++ {
		b.WriteString(line(i))
	}
	s := b.String()
	if k == detect.JSON {
		s = strings.TrimSuffix(s, ",\n")
	}
	return s + tail
}

// mix is a small hash, so that values look unlike counters.
func mix(i int) int {
	x := uint32(i)*2654435761 + 12345
	return int(x>>7) & 0xffff
}

var names = []string{"ada", "grace", "edsger", "barbara", "donald", "radia", "leslie", "frances"}
var words = strings.Fields("the parser reads each record in order and hands what it understood to the writer while a small buffer keeps the rest until its turn comes")

func shapeOf(k detect.Kind) (head string, line func(i int) string, tail string) {
	switch k {
	case detect.JSON:
		return "[\n", func(i int) string {
			return fmt.Sprintf("  {\"id\": %d, \"name\": %q, \"active\": true, \"score\": %d, \"region\": \"eu-west-%d\"},\n", i, names[mix(i)%8]+fmt.Sprint(i), mix(i), mix(i)%3)
		}, "\n]\n"
	case detect.JSONL:
		return "", func(i int) string {
			return fmt.Sprintf("{\"ts\":\"2026-05-02T09:%02d:%02dZ\",\"level\":\"info\",\"msg\":\"request done\",\"ms\":%d,\"user\":%q}\n", i/60%60, i%60, mix(i)%900, names[mix(i)%8])
		}, ""
	case detect.Table:
		return "id,name,region,active,score\n", func(i int) string {
			return fmt.Sprintf("%d,%s,eu-west-%d,true,%d\n", i, names[mix(i)%8], mix(i)%3, mix(i))
		}, ""
	case detect.Log:
		return "", func(i int) string {
			switch {
			case i%200 == 77:
				return fmt.Sprintf("2026-05-02T09:%02d:%02dZ ERROR worker %d: connection refused by store-%d\n", i/60%60, i%60, i%5, mix(i)%9)
			case i%3 == 0:
				return fmt.Sprintf("2026-05-02T09:%02d:%02dZ INFO cache hit for key=session:abc123 (ttl 300s)\n", i/60%60, i%60)
			}
			return fmt.Sprintf("2026-05-02T09:%02d:%02dZ INFO request %d handled by worker %d in %d ms\n", i/60%60, i%60, mix(i), i%5, mix(i)%300)
		}, ""
	case detect.Trace:
		return "", func(i int) string {
			if i%12 == 0 {
				return fmt.Sprintf("java.lang.IllegalStateException: order %d is closed\n", mix(i/12)%5)
			}
			return fmt.Sprintf("\tat com.shop.order.Service%d.handle(Service%d.java:%d)\n", i%12, i%12, 40+i%12)
		}, ""
	case detect.Search:
		return "", func(i int) string {
			return fmt.Sprintf("internal/store/file%d.go:%d:\tif err := s.put(key%d, value); err != nil {\n", i/9, 10+i%9*17, mix(i)%50)
		}, ""
	case detect.Diff:
		return "", func(i int) string {
			if i%8 == 0 {
				return fmt.Sprintf("diff --git a/f%d.go b/f%d.go\n--- a/f%d.go\n+++ b/f%d.go\n@@ -%d,6 +%d,6 @@ func f()\n ctx one\n ctx two\n-\told := %d\n+\tnew := %d\n ctx three\n ctx four\n ctx five\n", i, i, i, i, i+1, i+1, mix(i), mix(i+1))
			}
			return ""
		}, ""
	case detect.Listing:
		return "", func(i int) string { return fmt.Sprintf("./src/module%d/component%d/file%d.ts\n", i/40, i/8%5, i%8) }, ""
	case detect.Config:
		return "", func(i int) string {
			return fmt.Sprintf("service%d:\n  image: registry/app:%d\n  replicas: %d\n  env:\n    MODE: live\n", i, mix(i)%99, i%4)
		}, ""
	case detect.Code:
		return "package store\n\nimport \"errors\"\n\n", func(i int) string {
			return fmt.Sprintf("// put%d stores a value.\nfunc (s *Store) put%d(key string, v int) error {\n\tif v > %d {\n\t\treturn errors.New(\"too large\")\n\t}\n\ts.m[key] = v\n\treturn nil\n}\n\n", i, i, mix(i))
		}, ""
	case detect.HTML:
		return "<!doctype html>\n<html><body>\n", func(i int) string {
			return fmt.Sprintf("<div class=\"row\">\n  <p>%s %d</p>\n</div>\n", sentence(i), i)
		}, "</body></html>\n"
	}
	return "", func(i int) string { return sentence(i) + "\n" }, ""
}

// sentence is words in an order of its own.
func sentence(i int) string {
	var b strings.Builder
	for j := range 14 {
		w := words[mix(i*31+j*7)%len(words)]
		if j == 0 {
			w = strings.ToUpper(w[:1]) + w[1:]
		} else {
			b.WriteByte(' ')
		}
		b.WriteString(w)
	}
	return b.String() + "."
}

package jsonform

import (
	"fmt"
	"strings"
	"testing"

	"winnow/internal/compress"
)

// records are rows as an API lists them: strings that differ, numbers, an object.
func records(n int) string {
	var b strings.Builder
	b.WriteString("[")
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"id":%d,"title":"Request %x of the queue %d","state":%q,"user":{"login":"user%d","admin":false},"labels":[{"name":"bug"},{"name":"p%d"}],"created":"2026-05-%02dT%02d:00:00Z","score":%d.5}`,
			i*7, i*i, i%13, []string{"open", "closed"}[i%2], i%9, i%3, i%28+1, i%24, i*37%100)
	}
	return b.String() + "]"
}

func BenchmarkScan(b *testing.B) {
	src := records(3000)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := parse(src); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, rows := range []int{30, 3000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			src := records(rows)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Encode(src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	src := records(3000)
	form, err := Encode(src)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(form); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSample(b *testing.B) {
	src := records(3000)
	in := compress.Input{Text: src, Query: "why is request 1a4 of user7 still open since 2026-05-03"}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := (Sampler{}).Sample(in, "<<ccr:0123456789abcdef01234567 1_lines_offloaded>>"); !ok {
			b.Fatal("refused")
		}
	}
}

package hook

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkDecode is what an unjudged call costs at the hook door.
func BenchmarkDecode(b *testing.B) {
	for _, kb := range []int{2, 30} {
		b.Run(fmt.Sprintf("kb=%d", kb), func(b *testing.B) {
			body := bash(`{"stdout":` + quote(strings.Repeat("line of output \"é\"\n", kb<<10/20)) + `,"stderr":"","interrupted":false}`)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := decode(b, bytes.Clone(body)).Leaves(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

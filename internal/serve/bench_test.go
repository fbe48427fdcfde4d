package serve

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"winnow/internal/api"
	"winnow/internal/door"
	"winnow/internal/metrics"
	"winnow/internal/prune"
)

// BenchmarkUnjudged is what the daemon does for a result that no judge sees
// (here: no request is known), without the transport.
func BenchmarkUnjudged(b *testing.B) {
	for _, size := range []int{2 << 10, 30 << 10} {
		b.Run(fmt.Sprintf("size=%dKB", size>>10), func(b *testing.B) {
			s := New(Options{Token: token, Counters: &metrics.Counters{}})
			s.SetPruner(prune.New(prune.Fake{}, prune.Options{}), "fake", "ready")
			s.SetMode(door.Active, Proven{})
			h := s.handler()
			body := `{"session":"s","loop":"main","tool_use_id":"t","tool":"Bash","input":{"command":"ls -R"},"texts":["` +
				strings.Repeat(`a line of some forty characters, no more\n`, size/41) + `"]}`
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				req := httptest.NewRequest("POST", "http://127.0.0.1"+api.PathResult, strings.NewReader(body))
				req.Header.Set(api.TokenHeader, token)
				req.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				h.ServeHTTP(w, req)
				if w.Code != 200 {
					b.Fatal(w.Code)
				}
			}
		})
	}
}

package reduce

import (
	"context"
	"errors"
	"strings"
	"testing"

	"winnow/internal/api"
	"winnow/internal/compress/router"
	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/recall"
)

// passes is a log that only an editor makes much shorter: no two lines are equal.
func passes() string {
	var b strings.Builder
	b.WriteString("$ go test -v ./...\nstarting up\n")
	for i := range 300 {
		n := strings.Repeat("x", i%7) + string(rune('a'+i%26)) + strings.Repeat("y", i%11) + string(rune('a'+i/26))
		b.WriteString("=== RUN   Test" + n + "\n--- PASS: Test" + n + " (0.00s)\n")
	}
	return b.String() + "FAIL: one broke\nexit status 1\n"
}

type store struct {
	err   error
	items []recall.Item
}

func (s *store) Put(items []recall.Item) error {
	s.items = append(s.items, items...)
	return s.err
}

func TestDo(t *testing.T) {
	r := router.New(router.Options{CacheBytes: -1})
	do := func(s Store, req api.CompressRequest) (api.CompressReply, error) {
		return Do(context.Background(), r, s, &req)
	}
	good := &store{}
	out, err := do(good, api.CompressRequest{ID: "t1", Text: passes(), Tool: "Bash"})
	if err != nil || out.Untouched != "" || len(out.Keys) == 0 || out.Original != string(marker.KeyOf(passes())) || out.ID != "t1" {
		t.Fatalf("%v %+v", err, out)
	}
	stored := map[string]bool{}
	for _, it := range good.items {
		if marker.KeyOf(it.Text) != it.Issue.Key || it.Issue.Session != Session || it.Issue.ToolUseID != "t1" || it.Issue.First < 1 || it.Issue.Last < it.Issue.First {
			t.Errorf("issued %+v", it.Issue)
		}
		stored[string(it.Issue.Key)] = true
	}
	for _, k := range append(out.Keys, out.Original) {
		if !stored[k] {
			t.Errorf("key %s is shown and not stored", k)
		}
	}
	for name, s := range map[string]Store{"no store": nil, "a store that fails": &store{err: errors.New("full")}} {
		out, err := do(s, api.CompressRequest{Text: passes(), Tool: "Bash"})
		if (err != nil) != (s != nil) || len(out.Keys) > 0 || out.Original != "" || len(marker.Find(out.Text)) > 0 {
			t.Errorf("%s: %v, keys %v, original %q", name, err, out.Keys, out.Original)
		}
	}
	before := len(good.items)
	if out, err := do(good, api.CompressRequest{Text: passes(), Role: "user"}); err != nil || out.Text != passes() || out.Untouched != "role" || len(good.items) != before || out.Original != "" {
		t.Errorf("a user's text: %v, %q, %d stored", err, out.Untouched, len(good.items)-before)
	}
}

func TestCheck(t *testing.T) {
	for _, tc := range []struct {
		name string
		req  api.CompressRequest
		want string
	}{
		{"good", api.CompressRequest{Kind: "log", Pressure: 1, Task: prune.Task{Request: "x"}}, ""},
		{"kind", api.CompressRequest{Kind: "novel"}, "no kind"},
		{"pressure", api.CompressRequest{Pressure: -0.1}, "pressure"},
		{"limit", api.CompressRequest{HeadItems: -1}, "limit"},
	} {
		err := Check(&tc.req)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

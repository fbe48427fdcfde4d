package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"winnow/internal/api"
	"winnow/internal/marker"
	"winnow/internal/recall"
)

func ask[T any](t *testing.T, r *rig, path, body string) (out T) {
	t.Helper()
	code, raw := r.post(t, path, body)
	if code != http.StatusOK {
		t.Fatalf("%s answered %d", path, code)
	}
	if err := json.Unmarshal([]byte(raw), &out); err != nil {
		t.Fatalf("%s answered %q: %v", path, raw, err)
	}
	return out
}

func TestClean(t *testing.T) {
	r := start(t, nil)
	text := "hidden"
	key := marker.KeyOf(text)
	if err := r.store.Put([]recall.Item{{Text: text, Issue: recall.Issue{Key: key, Session: "s"}}}); err != nil {
		t.Fatal(err)
	}
	if got := ask[api.CheckReply](t, r, api.PathCheck, `{}`); got.Originals != 1 || got.Bytes != 6 || len(got.Bad) != 0 || got.Error != "" {
		t.Errorf("check = %+v, want one good original of 6 bytes", got)
	}
	for _, tc := range []struct {
		body          string
		removed, kept int
		live          bool
	}{
		{`{}`, 0, 1, true},
		{`{"older_ms":1,"max_bytes":-1}`, 0, 1, true},
		{`{"all":true,"dry_run":true}`, 1, 0, true},
		{`{"all":true}`, 1, 0, false},
		{`{"all":true}`, 0, 0, false},
	} {
		got := ask[api.CleanReply](t, r, api.PathClean, tc.body)
		if got.Removed != tc.removed || got.Kept != tc.kept || got.Error != "" || r.store.Live(key) != tc.live {
			t.Errorf("clean %s = %+v, live %v; want %d removed, %d kept, live %v", tc.body, got, r.store.Live(key), tc.removed, tc.kept, tc.live)
		}
	}
	if got := ask[api.RecallReply](t, r, api.PathRecall, `{"key":"`+string(key)+`"}`); got.Found || !strings.Contains(got.Note, "expired") {
		t.Errorf("recall = %+v, want it to say that it has expired", got)
	}
}

// A daemon without a store says so, and a body that is none cleans nothing.
func TestCleanRefuses(t *testing.T) {
	r := start(t, nil)
	if code, raw := r.post(t, api.PathClean, `{"all":`); code != http.StatusOK || raw != "" {
		t.Errorf("half a request: %d %q, want an empty answer", code, raw)
	}
	none := start(t, func(o *Options) { o.Store = nil })
	if got := ask[api.CleanReply](t, none, api.PathClean, `{}`); got.Error == "" {
		t.Errorf("clean without a store = %+v, want an error", got)
	}
	if got := ask[api.CheckReply](t, none, api.PathCheck, `{}`); got.Error == "" {
		t.Errorf("check without a store = %+v, want an error", got)
	}
}

// Whoever hung up is not cleaned for.
func TestCleanEndsWithTheAsker(t *testing.T) {
	r := start(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.store.Put([]recall.Item{{Text: "x", Issue: recall.Issue{Key: marker.KeyOf("x")}}}); err != nil {
		t.Fatal(err)
	}
	if got := Clean(ctx, r.store, api.CleanRequest{All: true}); got.Error == "" {
		t.Errorf("Clean for nobody = %+v, want an error", got)
	}
	if got := Clean(t.Context(), r.store, api.CleanRequest{OlderMS: time.Hour.Milliseconds()}); got.Error != "" {
		t.Errorf("the next one = %+v", got)
	}
}

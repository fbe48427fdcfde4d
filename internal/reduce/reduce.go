// Package reduce answers requests for shorter texts: it asks the router, stores
// what the answer hides, and only then answers. Without a store, or when
// storing fails, nothing lossy is answered.
package reduce

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"winnow/internal/api"
	"winnow/internal/compress"
	"winnow/internal/compress/router"
	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/prune/detect"
	"winnow/internal/recall"
	"winnow/internal/text"
)

// Store is what is needed of a [recall.Store].
type Store interface {
	Put([]recall.Item) error
}

// Session is the session under which originals of this door are issued.
const Session = "compress"

// Do answers one request. An error means that storing failed; the reply is good
// all the same, and lossless.
func Do(ctx context.Context, r *router.Router, s Store, req *api.CompressRequest) (api.CompressReply, error) {
	b := block(req)
	if s == nil {
		b.NoRecall = true
	}
	res := r.Compress(ctx, b)
	if !res.Changed() || s == nil {
		return reply(req, &res, s), nil
	}
	err := s.Put(items(req, &res))
	if err == nil {
		return reply(req, &res, s), nil
	}
	b.NoRecall = true
	res = r.Compress(ctx, b)
	return reply(req, &res, nil), fmt.Errorf("store the originals: %w", err)
}

func block(req *api.CompressRequest) router.Block {
	return router.Block{
		Text: req.Text, Role: req.Role, Tool: prune.Tool{Name: req.Tool, Input: req.Input}, Task: req.Task, File: req.File, Kind: detect.Kind(req.Kind),
		Failed: req.Failed, Cached: req.CacheMarked, Lossless: req.Lossless, EditsOnly: req.EditsOnly, NoRecall: req.NoRecall, Pressure: req.Pressure,
		Limits:  compress.Limits{MinTokens: req.MinTokens, HeadItems: req.HeadItems, TailItems: req.TailItems, MaxString: req.MaxStringLength},
		NoJudge: !req.Judge,
	}
}

// items are what the answer hides, and the whole text.
func items(req *api.CompressRequest, res *router.Result) []recall.Item {
	hidden := append(slices.Clone(res.Hidden), router.Hidden{
		Key: marker.KeyOf(req.Text), Text: req.Text, First: 1, Last: text.Split(req.Text).Len(),
	})
	var out []recall.Item
	seen := map[marker.Key]bool{}
	for _, h := range hidden {
		if seen[h.Key] {
			continue
		}
		seen[h.Key] = true
		out = append(out, recall.Item{Text: h.Text, Issue: recall.Issue{
			Key: h.Key, First: h.First, Last: h.Last, Session: Session, Loop: "main", ToolUseID: req.ID,
		}})
	}
	return out
}

func reply(req *api.CompressRequest, res *router.Result, s Store) api.CompressReply {
	out := api.CompressReply{
		ID: req.ID, Text: res.Text, Kind: string(res.Kind), Chain: res.Accepted(), Keys: []string{},
		Untouched: res.Untouched, Before: res.Before, After: res.After,
	}
	if res.Changed() {
		for _, k := range marker.Find(res.Text) {
			out.Keys = append(out.Keys, string(k))
		}
		if s != nil {
			out.Original = string(marker.KeyOf(req.Text))
		}
	} else {
		out.Chain = []string{}
	}
	out.Decision, _ = json.Marshal(res.Decision)
	return out
}

// Kinds lists what a request may name.
func Kinds() []string {
	return []string{"json", "jsonl", "code", "search", "log", "diff", "html", "table", "config", "trace", "listing", "prose", "binary", "mixed"}
}

// Check says what is wrong with a request, nil for nothing.
func Check(req *api.CompressRequest) error {
	if req.Kind != "" && !slices.Contains(Kinds(), req.Kind) {
		return fmt.Errorf("no kind %q: it is one of %v", req.Kind, Kinds())
	}
	if req.Pressure < 0 || req.Pressure > 1 || req.Pressure != req.Pressure {
		return fmt.Errorf("pressure %v: it goes from 0 to 1", req.Pressure)
	}
	if min(req.MinTokens, req.HeadItems, req.TailItems, req.MaxStringLength) < 0 {
		return fmt.Errorf("a limit below 0")
	}
	return nil
}

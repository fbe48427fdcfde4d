package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"winnow/internal/config"
	"winnow/internal/door"
	"winnow/internal/eval"
	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/recall"
	"winnow/internal/second"
	"winnow/internal/state"
)

func pruneCmd() *cobra.Command {
	var f judgeFlags
	var dirFlag string
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Prune cases (JSONL in, JSONL out)",
		Long: "Read JSONL cases as for `winnow score` and print {\"id\",\"text\",\"hidden\":[{\"start\",\"end\",\"key\"}],\"reason\"}:\n" +
			"0-based inclusive lines; \"reason\" is empty for a pruned text. What is hidden is stored first:\n" +
			"`winnow recall KEY --state DIR` gives it back.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := stateDir(dirFlag)
			if err != nil {
				return err
			}
			return pruneCases(cmd, dir, f)
		},
	}
	f.add(cmd.Flags())
	cmd.Flags().StringVar(&dirFlag, "state", "", "state folder (default $WINNOW_DIR or ~/.winnow)")
	return cmd
}

type hiddenOut struct {
	Start int        `json:"start"`
	End   int        `json:"end"`
	Key   marker.Key `json:"key"`
}

type prunedOut struct {
	ID     string       `json:"id"`
	Text   string       `json:"text"`
	Hidden []hiddenOut  `json:"hidden"`
	Reason prune.Reason `json:"reason"`
}

func pruneCases(cmd *cobra.Command, dir state.Dir, f judgeFlags) error {
	cfg, err := config.Load(dir.Env(), activeByDefault)
	if err != nil {
		return err
	}
	j, err := f.open(cmd, second.Bands{Keep: cfg.Keep, Drop: cfg.Drop})
	if err != nil {
		return err
	}
	defer j.close()
	store, err := openStore(dir)
	if err != nil {
		return err
	}
	defer store.Close()
	b := &batch{store: store, w: bufio.NewWriter(cmd.OutOrStdout())}
	b.enc = jsonLines(b.w)
	p := pruner(j.judge, cfg, dir, store.Live)
	err = eachCase(cmd.InOrStdin(), func(c eval.Case) error {
		if j.replies != nil {
			own, err := j.of(c.ID)
			if err != nil {
				return err
			}
			p = pruner(own, cfg, dir, store.Live)
		}
		return b.add(c, pruneCase(cmd.Context(), p, c))
	})
	return errors.Join(err, b.flush())
}

func pruneCase(ctx context.Context, p *prune.Pruner, c eval.Case) prune.Result {
	return p.Prune(ctx, prune.Input{Task: c.Task, Tool: c.Tool, Text: c.Output, CanRecall: true})
}

// batch stores many results in one transaction before it prints them: one sync
// a case would be most of the time.
type batch struct {
	store *recall.Store
	w     *bufio.Writer
	enc   *json.Encoder
	items []recall.Item
	out   []prunedOut
	bytes int
}

// Sizes of a batch.
const (
	maxBatch      = 256
	maxBatchBytes = 16 << 20
)

func (b *batch) add(c eval.Case, res prune.Result) error {
	o := prunedOut{ID: c.ID, Text: res.Text, Hidden: []hiddenOut{}, Reason: res.Reason}
	for _, h := range res.Hidden {
		o.Hidden = append(o.Hidden, hiddenOut{h.Start, h.End, h.Key})
		b.items = append(b.items, recall.Item{Text: h.Text, Issue: recall.Issue{
			Key: h.Key, First: h.First, Last: h.Last, Session: "cli", Loop: door.Main, ToolUseID: c.ID,
		}})
		b.bytes += len(h.Text)
	}
	b.out = append(b.out, o)
	if len(b.out) >= maxBatch || b.bytes >= maxBatchBytes {
		return b.flush()
	}
	return nil
}

func (b *batch) flush() error {
	if len(b.items) > 0 {
		if err := b.store.Put(b.items); err != nil {
			return err
		}
	}
	for _, o := range b.out {
		if err := b.enc.Encode(o); err != nil {
			return err
		}
	}
	b.items, b.out, b.bytes = nil, nil, 0
	return b.w.Flush()
}

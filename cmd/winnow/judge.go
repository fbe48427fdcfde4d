package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"winnow/internal/admit"
	"winnow/internal/compress/propose"
	"winnow/internal/config"
	"winnow/internal/door"
	"winnow/internal/lexical"
	"winnow/internal/marker"
	"winnow/internal/model"
	"winnow/internal/prune"
	"winnow/internal/serve"
	"winnow/internal/state"
	"winnow/internal/text"
)

// judge is a scorer and what must be known of it.
type judge struct {
	name   string
	scorer prune.Scorer
	// note says why it is not the one that was asked for.
	note string
	// close gives its memory back; never nil.
	close func() error
}

func noClose() error { return nil }

// openJudge loads the judge of that name. Where the model cannot run, the
// lexical judge takes its place and says so.
func openJudge(ctx context.Context, name string) (judge, error) {
	switch name {
	case "fake":
		return judge{name: name, scorer: prune.Fake{}, close: noClose}, nil
	case "lexical":
		return judge{name: name, scorer: lexical.New(), close: noClose}, nil
	case "off":
		return judge{name: name, close: noClose}, nil
	case "onnx", "":
		m, err := model.Open(ctx, model.Options{})
		if err != nil {
			return judge{name: "lexical", scorer: lexical.New(), close: noClose,
				note: fmt.Sprintf("the onnx judge cannot run here (%v); the lexical judge stands in", err)}, nil
		}
		return judge{name: "onnx", scorer: m, close: m.Close}, nil
	}
	return judge{}, fmt.Errorf("no judge %q: it is onnx, lexical, fake or off", name)
}

// cliJudge opens a judge for a command, which says so when another stands in.
func cliJudge(cmd *cobra.Command, name string) (judge, error) {
	j, err := openJudge(cmd.Context(), name)
	if err == nil && j.note != "" {
		cmd.PrintErrln("winnow: " + j.note)
	}
	return j, err
}

// maxLines is the most lines of a text that the daemon has judged: what fits into
// its two seconds on the machine of docs/bench beside the reading. The bound is the
// same everywhere, so that what is judged does not depend on the machine's mood.
const maxLines = 12_000

// admitted puts a gate before a judge that takes long: what could not be judged in
// time must not cost anything.
func admitted(j judge) judge {
	if j.name == "onnx" {
		j.scorer = admit.Before(j.scorer, admit.Options{MaxLines: maxLines, Cost: admit.Onnx})
	}
	return j
}

// remembered is how many results' scores are kept: a message of parallel calls
// and its early judgements fit many times.
const remembered = 256

// pruner puts a judge and a configuration together.
func pruner(j judge, c config.Config, dir state.Dir, live func(marker.Key) bool) *prune.Pruner {
	scorer := j.scorer
	if scorer != nil {
		scorer = door.Reading(door.Cached(scorer, remembered), set(c.Keep), set(c.Drop))
	}
	return prune.New(scorer, prune.Options{
		Propose: proposer(j.name, c),
		Keep:    set(c.Keep), Drop: set(c.Drop), MinChars: max(c.MinChars, 1),
		Tools: c.Tools, ExcludePaths: c.ExcludePaths, ExcludeCommands: c.ExcludeCommands,
		StateDir: string(dir), Live: live, AllowNothing: j.name == "fake",
	})
}

// proposer is who names lines that only repeat others. Only the resident judge's
// agreement to that was ever measured.
func proposer(judge string, c config.Config) prune.Proposer {
	if judge != "onnx" || !c.Repeats {
		return nil
	}
	return propose.Repeats
}

// set keeps a band of 0 from meaning "unset" to prune: it hides nothing.
func set(band float64) float64 { return max(band, math.SmallestNonzeroFloat64) }

// proven is what mode auto goes by: figures that hold for the shipped judge at
// the shipped bands, and for nothing else.
func proven(c config.Config) serve.Proven {
	d := config.Default()
	if c.Judge != d.Judge || c.Keep != d.Keep || c.Drop != d.Drop || c.Repeats != d.Repeats || len(model.Proven) == 0 {
		return serve.Proven{}
	}
	return serve.Proven{Names: model.Proven, For: func(t prune.Tool) bool {
		return slices.Contains(model.Proven, lexical.Kind(t))
	}}
}

// whole is a judge for commands that go through many texts: one that is too long
// to be judged counts as needed, line by line, as the daemon lets it pass.
type whole struct{ prune.Scorer }

func (w whole) Score(ctx context.Context, q prune.Query, d text.Doc) (prune.Scores, error) {
	s, err := w.Scorer.Score(ctx, q, d)
	if errors.Is(err, model.ErrLong) {
		return prune.Scores{Line: slices.Repeat([]float64{1}, d.Len())}, nil
	}
	return s, err
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"winnow/internal/config"
	"winnow/internal/eval"
	"winnow/internal/model/inputs"
	"winnow/internal/prune"
	"winnow/internal/second"
)

func scoreCmd() *cobra.Command {
	var f judgeFlags
	cmd := &cobra.Command{
		Use:   "score",
		Short: "Score the lines of cases (JSONL in, JSONL out)",
		Long: "Read JSONL cases {\"id\",\"task\":{\"user_request\",\"assistant_intent\"},\"tool\":{\"name\",\"input\"},\"output\"} and print\n" +
			"{\"id\",\"scores\":[P(needed) for each line of the output split on \"\\n\"]}. A bad line is reported by its number; the\n" +
			"others are scored all the same, and the exit code is 1. A line without a judgement is null.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return score(cmd, f) },
	}
	f.add(cmd.Flags())
	return cmd
}

func score(cmd *cobra.Command, f judgeFlags) error {
	def := config.Default()
	j, err := f.open(cmd, second.Bands{Keep: def.Keep, Drop: def.Drop})
	if err != nil {
		return err
	}
	defer j.close()
	if j.scorer == nil {
		return withHint(prune.ErrNotReady, "--judge lexical")
	}
	w := bufio.NewWriter(cmd.OutOrStdout())
	enc := jsonLines(w)
	bad := 0
	for c, err := range eval.Cases(cmd.InOrStdin()) {
		var s prune.Scores
		if err == nil {
			if s, err = j.score(cmd.Context(), c); err != nil {
				err = fmt.Errorf("case %s: %w", c.ID, err)
			}
		} else if _, line := errors.AsType[*eval.LineError](err); !line {
			return errors.Join(err, w.Flush())
		}
		if err != nil {
			bad++
			cmd.PrintErrln("winnow: " + err.Error())
			continue
		}
		err = enc.Encode(struct {
			ID     string     `json:"id"`
			Scores []*float64 `json:"scores"`
		}{c.ID, orNull(s.Line)})
		if err != nil { // whoever read is gone
			return err
		}
	}
	if err := w.Flush(); err != nil || bad == 0 {
		return err
	}
	return fmt.Errorf("%s not scored", plural(bad, "case"))
}

// score gives the scores of a case, by its own judge.
func (c *caseJudge) score(ctx context.Context, k eval.Case) (prune.Scores, error) {
	j, err := c.of(k.ID)
	if err != nil {
		return prune.Scores{}, err
	}
	return scoreCase(ctx, whole{j.scorer}, k)
}

// orNull has null for what is no number, which JSON has not.
func orNull(line []float64) []*float64 {
	out := make([]*float64, len(line))
	for i := range line {
		if line[i] == line[i] {
			out[i] = &line[i]
		}
	}
	return out
}

func scoreCase(ctx context.Context, s prune.Scorer, c eval.Case) (prune.Scores, error) {
	return s.Score(ctx, prune.Query{Task: c.Task, Tool: c.Tool}, prune.Judged(c.Tool, c.Output))
}

func featuresCmd() *cobra.Command {
	return &cobra.Command{
		Use:    "features",
		Short:  "Print what the onnx judge is given of cases (for train/)",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return inputs.Write(cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}

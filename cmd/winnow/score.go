package main

import (
	"bufio"

	"github.com/spf13/cobra"

	"winnow/internal/eval"
	"winnow/internal/model/inputs"
	"winnow/internal/prune"
)

func scoreCmd() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "score",
		Short: "Score the lines of cases (JSONL in, JSONL out)",
		Long: "Read JSONL cases {\"id\",\"task\":{\"user_request\",\"assistant_intent\"},\"tool\":{\"name\",\"input\"},\"output\"} and print\n" +
			"{\"id\",\"scores\":[P(needed) for each line of the output split on \"\\n\"]}.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return score(cmd, name) },
	}
	cmd.Flags().StringVar(&name, "judge", "onnx", "judge: onnx, lexical, fake")
	return cmd
}

func score(cmd *cobra.Command, name string) error {
	j, err := cliJudge(cmd, name)
	if err != nil {
		return err
	}
	defer j.close()
	if j.scorer == nil {
		return withHint(prune.ErrNotReady, "--judge lexical")
	}
	w := bufio.NewWriter(cmd.OutOrStdout())
	enc := jsonLines(w)
	err = eachCase(cmd.InOrStdin(), func(c eval.Case) error {
		d := prune.Judged(c.Tool, c.Output)
		s, err := whole{j.scorer}.Score(cmd.Context(), prune.Query{Task: c.Task, Tool: c.Tool}, d)
		if err != nil {
			return err
		}
		return enc.Encode(struct {
			ID     string    `json:"id"`
			Scores []float64 `json:"scores"`
		}{c.ID, s.Line})
	})
	if ferr := w.Flush(); err == nil {
		err = ferr
	}
	return err
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

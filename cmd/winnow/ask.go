package main

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"winnow/internal/config"
	"winnow/internal/doctor"
	"winnow/internal/door"
	"winnow/internal/eval"
	"winnow/internal/price"
	"winnow/internal/prune"
	"winnow/internal/second"
	"winnow/internal/state"
	"winnow/internal/tokens"
)

type askFlags struct{ model, counter, state, local, main string }

func askCmd() *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   "ask",
		Short: "Print what the second judge would be asked about cases (JSONL in, JSONL out)",
		Long: "Read JSONL cases as for `winnow score` and print for each {\"id\",\"request\":{\"model\",\"system\",\"prompt\",\"maxTokens\",\n" +
			"\"timeoutMs\"}}, ready for a model, and what it would cost: \"asked\" of \"lines\", and an \"estimate\" in tokens and dollars.\n" +
			"The sum of all goes to standard error. With --local only what cascade would ask about beside that judge. Nobody is asked.\n" +
			"Answers, as JSONL {\"id\",\"reply\"}, are read by\n" +
			"`winnow score`, `winnow prune` and `winnow eval` with --judge replies --replies FILE.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return ask(cmd, f) },
	}
	cmd.Flags().StringVar(&f.model, "model", config.Default().ClientModel, "the model that is to be asked")
	cmd.Flags().StringVar(&f.counter, "tokens", "estimate", "how tokens are counted: estimate (4 characters each), o200k, cl100k")
	cmd.Flags().StringVar(&f.local, "local", "", "only what cascade would ask about, this being the local judge (onnx, lexical)")
	cmd.Flags().StringVar(&f.main, "main", "sonnet", "with --local: the model that reads the conversation")
	cmd.Flags().StringVar(&f.state, "state", "", "state folder, for its "+price.FileName+" (default $WINNOW_DIR or ~/.winnow)")
	return cmd
}

func pricesFile(dir state.Dir) string { return filepath.Join(string(dir), price.FileName) }

// cost is what a question would cost; dollars only where the model has a price.
type cost struct {
	Input    int      `json:"input_tokens"`
	Output   int      `json:"output_tokens"`
	USD      *float64 `json:"usd,omitempty"`
	WorstUSD *float64 `json:"worst_usd,omitempty"`
}

type asked struct {
	ID       string         `json:"id"`
	Request  second.Request `json:"request"`
	Asked    int            `json:"asked"`
	Lines    int            `json:"lines"`
	Estimate cost           `json:"estimate"`
}

func ask(cmd *cobra.Command, f askFlags) error {
	dir, err := stateDir(f.state)
	if err != nil {
		return err
	}
	table, err := price.Load(pricesFile(dir))
	if err != nil {
		return withHint(err, doctor.Edit(pricesFile(dir), "mend or remove it"))
	}
	count, err := tokens.Named(f.counter)
	if err != nil {
		return err
	}
	pick, done, err := f.picker(cmd, table)
	if err != nil {
		return err
	}
	defer done()
	w := bufio.NewWriter(cmd.OutOrStdout())
	enc := jsonLines(w)
	rate, priced := table.For(f.model)
	var sum cost
	cases := 0
	not := map[string]int{}
	err = eachCase(cmd.InOrStdin(), func(c eval.Case) error {
		if why := pick(c); why != "" {
			not[why]++
			return nil
		}
		d := prune.Judged(c.Tool, c.Output)
		q := second.Ask(f.model, prune.Query{Task: c.Task, Tool: c.Tool}, d)
		a := asked{ID: c.ID, Request: q.Request, Asked: q.Asked, Lines: d.Len(), Estimate: costOf(q.Request, count)}
		cases++
		sum.Input, sum.Output = sum.Input+a.Estimate.Input, sum.Output+a.Estimate.Output
		if priced {
			a.Estimate.price(rate, q.Request)
		}
		return enc.Encode(a)
	})
	if err = errors.Join(err, w.Flush()); err != nil {
		return err
	}
	for _, why := range slices.Sorted(maps.Keys(not)) {
		cmd.PrintErrf("%s not asked about: %s\n", plural(not[why], "case"), why)
	}
	if cases == 0 {
		return nil
	}
	if !priced {
		cmd.PrintErrf("%s, some %d tokens in and %d out; %s has no price in the table\n", plural(cases, "question"), sum.Input, sum.Output, f.model)
		return nil
	}
	cmd.PrintErrf("%s, some %d tokens in and %d out: $%.4f at prices of %s\n", plural(cases, "question"), sum.Input, sum.Output,
		rate.Of(price.Usage{Input: sum.Input, Output: sum.Output}).Dollars(), table.AsOf)
	return nil
}

// picker says of a case why it would not be asked about, "" if it would.
func (f askFlags) picker(cmd *cobra.Command, table price.Table) (func(eval.Case) string, func() error, error) {
	if f.local == "" {
		return func(eval.Case) string { return "" }, noClose, nil
	}
	s := door.Second{Mode: door.Cascade, Model: f.model, Prices: table}
	if s.Rate, s.Priced = table.For(f.model); !s.Priced {
		return nil, nil, fmt.Errorf("%s has no price in the table", f.model)
	}
	if _, ok := table.For(f.main); !ok {
		return nil, nil, fmt.Errorf("%s has no price in the table", f.main)
	}
	j, err := cliJudge(cmd, f.local)
	if err != nil {
		return nil, nil, err
	}
	if j.scorer == nil {
		return nil, nil, withHint(prune.ErrNotReady, "winnow ask --local lexical")
	}
	c := config.Default()
	p := prune.New(whole{j.scorer}, prune.Options{Keep: c.Keep, Drop: c.Drop, MinChars: c.MinChars})
	return func(c eval.Case) string {
		pl := p.Plan(cmd.Context(), prune.Input{Task: c.Task, Tool: c.Tool, Text: c.Output, CanRecall: true})
		if pl.Reason != prune.Pruned {
			return string(pl.Reason)
		}
		_, why := s.Weigh(p, pl, f.main)
		return why
	}, j.close, nil
}

// costOf counts a question without any caching: its rules are shorter than what a
// model begins to cache.
func costOf(r second.Request, count tokens.Counter) cost {
	n := count(r.Prompt)
	for _, b := range r.System {
		n += count(b.Text)
	}
	return cost{Input: n, Output: second.ReplyTokens}
}

func (c *cost) price(rate price.Rate, r second.Request) {
	usd := rate.Of(price.Usage{Input: c.Input, Output: c.Output}).Dollars()
	worst := rate.Worst(r.Bytes(), r.MaxTokens).Dollars()
	c.USD, c.WorstUSD = &usd, &worst
}

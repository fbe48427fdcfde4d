package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"winnow/internal/compress/propose"
	"winnow/internal/config"
	"winnow/internal/eval"
	"winnow/internal/prune"
	"winnow/internal/second"
)

// drops are the thresholds of the curve.
var drops = []float64{0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3}

type evalOptions struct {
	cases, labels, second string
	judge                 judgeFlags
	scores                string
	json, svg             string
	byTool, curve         bool
	tasks, lines          bool
	resamples             int
	seed                  uint64
	drop, keep            float64
}

func evalCmd() *cobra.Command {
	var o evalOptions
	def := config.Default()
	cmd := &cobra.Command{
		Use:   "eval CASES LABELS",
		Short: "Measure a judge and the whole prune path against graded lines",
		Long: "CASES is JSONL {\"id\",\"task\",\"tool\",\"output\",\"kind\",\"group\"}: a file, one that ends in .xz (read by the xz\n" +
			"command), a folder of such files, or - for standard input. LABELS is JSONL {\"id\",\"needed\":\"3-7,12\",\"useful\":\"0-2\"}:\n" +
			"0-based inclusive lines of the output split on \"\\n\". Cases without a label are passed over; blank lines count\n" +
			"for nothing.",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.cases, o.labels = args[0], args[1]
			return runEval(cmd, o)
		},
	}
	f := cmd.Flags()
	o.judge.add(f)
	f.StringVar(&o.scores, "scores", "", "take the scores from this JSONL {\"id\",\"scores\",\"failure\"} instead of a judge")
	f.StringVar(&o.second, "second", "", "a second reader's labels: the prune path loses only what both call needed")
	f.BoolVar(&o.byTool, "by-tool", false, "also by family of tools and by repository")
	f.BoolVar(&o.curve, "curve", false, "also a curve over drop thresholds")
	f.StringVar(&o.json, "json", "", "write the report as JSON to this file (- for standard output instead of the text)")
	f.StringVar(&o.svg, "svg", "", "write pictures to this folder (implies --by-tool and --curve)")
	f.IntVar(&o.resamples, "bootstrap", 1000, "how often the cases are drawn anew for the bounds (0: no bounds)")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the draws and of the shuffles")
	f.Float64Var(&o.drop, "drop", def.Drop, "lines below this score are hidden")
	f.Float64Var(&o.keep, "keep", def.Keep, "lines from this score on are needed")
	f.BoolVar(&o.tasks, "shuffle-tasks", false, "give each case the task of another one: a judge that reads tasks gets worse")
	f.BoolVar(&o.lines, "shuffle-lines", false, "shuffle the lines of each case, labels with them: a judge that reads context gets worse")
	for _, other := range []string{"judge", "shuffle-tasks", "shuffle-lines"} {
		cmd.MarkFlagsMutuallyExclusive("scores", other)
	}
	return cmd
}

func runEval(cmd *cobra.Command, o evalOptions) error {
	if !(o.drop > 0 && o.drop <= o.keep && o.keep <= 1) {
		return fmt.Errorf("drop %g and keep %g: they must rise from above 0 to 1", o.drop, o.keep)
	}
	if o.resamples < 0 {
		return fmt.Errorf("bootstrap %d: must not be negative", o.resamples)
	}
	eo, err := o.measured()
	if err != nil {
		return err
	}
	judge, done, err := o.open(cmd, &eo)
	if err != nil {
		return err
	}
	defer done()
	cases := readCases(cmd.Context(), cmd.InOrStdin(), o.cases)
	if o.tasks {
		cases = eval.ShuffleTasks(eval.Graded(cases, eo.Labels), o.seed)
	}
	r, err := eval.Run(cmd.Context(), cases, judge, eo)
	if err != nil {
		return err
	}
	return o.write(cmd, r)
}

// measured turns the flags into what is measured.
func (o evalOptions) measured() (eval.Options, error) {
	c := config.Default()
	eo := eval.Options{
		Parts: o.byTool || o.svg != "", Resamples: o.resamples, Seed: o.seed, ShuffleLines: o.lines,
		Prune: prune.Options{Keep: o.keep, Drop: o.drop, MinChars: c.MinChars, Tools: c.Tools, Propose: propose.Repeats},
	}
	if o.curve || o.svg != "" {
		for _, d := range drops {
			if d <= o.keep {
				eo.Drops = append(eo.Drops, d)
			}
		}
	}
	var err error
	if eo.Labels, err = readFile(o.labels, eval.ReadLabels); err == nil && o.second != "" {
		eo.Second, err = readFile(o.second, eval.ReadLabels)
	}
	return eo, err
}

// open opens the judge that is asked for, or the file of scores.
func (o evalOptions) open(cmd *cobra.Command, eo *eval.Options) (eval.Judge, func() error, error) {
	if o.scores != "" {
		scores, err := readFile(o.scores, eval.ReadScores)
		eo.Judge = filepath.Base(o.scores)
		return eval.Recorded(scores), noClose, err
	}
	j, err := o.judge.open(cmd, second.Bands{Keep: o.keep, Drop: o.drop})
	if err != nil {
		return nil, nil, err
	}
	if j.note != "" { // figures of a stand-in would be taken for the other's
		return nil, nil, withHint(errors.Join(errors.New(j.note), j.close()), "--judge lexical")
	}
	if j.scorer == nil {
		return nil, nil, withHint(prune.ErrNotReady, "--judge lexical")
	}
	eo.Prune.Propose = proposer(j.name, config.Default())
	eo.Judge, eo.Prune.AllowNothing = j.called(), j.name == "fake"
	return j.score, j.close, nil
}

func readFile[T any](path string, read func(io.Reader) (T, error)) (T, error) {
	f, err := os.Open(path)
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close()
	v, err := read(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return v, err
}

func (o evalOptions) write(cmd *cobra.Command, r *eval.Report) error {
	asJSON := func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", " ")
		return enc.Encode(r)
	}
	if o.json == "-" {
		if err := asJSON(cmd.OutOrStdout()); err != nil {
			return err
		}
	} else if err := r.Write(cmd.OutOrStdout()); err != nil {
		return err
	}
	if o.json != "" && o.json != "-" {
		if err := writeFile(o.json, asJSON); err != nil {
			return err
		}
	}
	if o.svg == "" {
		return nil
	}
	if err := os.MkdirAll(o.svg, 0o755); err != nil {
		return err
	}
	for _, p := range r.Plots() {
		if err := writeFile(filepath.Join(o.svg, p.Name), p.Write); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

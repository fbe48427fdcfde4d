package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/internal/compress/router"
	"winnow/internal/eval"
	"winnow/internal/marker"
	"winnow/internal/prune/detect"
	"winnow/internal/replay"
	"winnow/internal/text"
	"winnow/internal/tokens"
)

func benchDataCmd() *cobra.Command {
	var labels string
	var seen bool
	cmd := &cobra.Command{
		Use:   "data FOLDER",
		Short: "Measure what `winnow compress` saves on recorded results, by kind",
		Long: "Compress every result of a folder of recorded sessions (*.jsonl, *.jsonl.xz) in order, without loss and whole, put\n" +
			"each back together, and print a table by kind. With --labels, also how many needed lines are not in the text;\n" +
			"with --seen, what `winnow replay --seen` folds of each kind: lines that an earlier result of the session showed.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			t := dataTable{kinds: map[detect.Kind]*dataRow{}, r: router.New(router.Options{CacheBytes: -1})}
			if labels != "" {
				f, err := os.Open(labels)
				if err != nil {
					return withHint(err, "winnow bench data --help  # grades are {\"id\",\"needed\":\"3-7,12\"} a line")
				}
				defer f.Close()
				if t.labels, err = eval.ReadLabels(f); err != nil {
					return err
				}
			}
			if seen {
				var err error
				if t.seen, err = seenTokens(readRecords(cmd.Context(), args[0])); err != nil {
					return err
				}
			}
			for rec, err := range readRecords(cmd.Context(), args[0]) {
				if err == nil {
					err = t.add(cmd.Context(), rec)
				}
				if err != nil {
					return err
				}
			}
			t.print(cmd.OutOrStdout())
			return nil
		},
	}
	cmd.Flags().StringVar(&labels, "labels", "", "graded lines: only results that have grades are compressed")
	cmd.Flags().BoolVar(&seen, "seen", false, "also what was shown before in its session, by kind")
	return cmd
}

// seenTokens is what folding lines that a session showed before saves of each result.
func seenTokens(records iter.Seq2[*replay.Record, error]) (map[string]int, error) {
	saved := map[string]int{}
	size := map[string]int{}
	_, err := replay.Seen(func(yield func(*replay.Record, error) bool) {
		for rec, err := range records {
			if err == nil {
				size[rec.ID] = tokens.Estimate(rec.Output)
			}
			if !yield(rec, err) {
				return
			}
		}
	}, replay.SeenOptions{}, func(f replay.Folded) error {
		saved[f.ID] = size[f.ID] - tokens.Estimate(f.Text)
		return nil
	})
	return saved, err
}

// dataRow is the figures of one kind.
type dataRow struct {
	kind                      detect.Kind
	results, folded, changed  int
	tokens, lossless, whole   int
	seen                      int
	needed, lost, hurt, wrong int
}

type dataTable struct {
	r      *router.Router
	labels eval.Labels
	seen   map[string]int // tokens by result, nil: not asked
	kinds  map[detect.Kind]*dataRow
}

// add compresses one result both ways and makes sure of the way back.
func (t *dataTable) add(ctx context.Context, rec *replay.Record) error {
	label, graded := t.labels[rec.ID]
	if t.labels != nil && !graded {
		return ctx.Err()
	}
	b := router.Block{Text: rec.Output, Tool: rec.Tool, Task: rec.Task}
	whole := t.r.Compress(ctx, b)
	b.Lossless = true
	fold := t.r.Compress(ctx, b)
	row := t.kinds[whole.Kind]
	if row == nil {
		row = &dataRow{kind: whole.Kind}
		t.kinds[whole.Kind] = row
	}
	row.results++
	row.seen += t.seen[rec.ID]
	row.tokens += whole.Before
	row.lossless += fold.Before - fold.After
	row.whole += whole.Before - whole.After
	for _, res := range []*router.Result{&whole, &fold} {
		if back, err := res.Restore(among(res.Hidden)); err != nil || back != rec.Output {
			row.wrong++
		}
	}
	if fold.Changed() {
		row.folded++
	}
	if whole.Changed() {
		row.changed++
	}
	row.grade(&whole, rec.Output, label)
	return ctx.Err()
}

// grade counts needed lines that stand nowhere in a lossy answer; colours count for nothing.
func (row *dataRow) grade(res *router.Result, output string, label eval.Label) {
	lines := strings.Split(output, "\n")
	lost, shown := 0, text.Plain(res.Text)
	for _, run := range label.Needed {
		for i := run[0]; i <= run[1] && i < len(lines); i++ {
			t := strings.TrimSpace(text.Plain(lines[i]))
			if t == "" {
				continue
			}
			row.needed++
			if len(res.Hidden) > 0 && !strings.Contains(shown, t) {
				lost++
			}
		}
	}
	row.lost += lost
	if lost > 0 {
		row.hurt++
	}
}

func among(hidden []router.Hidden) router.Get {
	return func(k marker.Key) (string, error) {
		for _, h := range hidden {
			if h.Key == k {
				return h.Text, nil
			}
		}
		return "", errors.New("a key that nobody stored")
	}
}

func (t *dataTable) print(w io.Writer) {
	var rows []*dataRow
	all := &dataRow{kind: "all"}
	for _, r := range t.kinds {
		rows = append(rows, r)
		all.results, all.folded, all.changed, all.tokens = all.results+r.results, all.folded+r.folded, all.changed+r.changed, all.tokens+r.tokens
		all.lossless, all.whole, all.wrong = all.lossless+r.lossless, all.whole+r.whole, all.wrong+r.wrong
		all.seen += r.seen
		all.needed, all.lost, all.hurt = all.needed+r.needed, all.lost+r.lost, all.hurt+r.hurt
	}
	slices.SortFunc(rows, func(a, b *dataRow) int {
		return cmp.Or(b.tokens-a.tokens, strings.Compare(string(a.kind), string(b.kind)))
	})
	fmt.Fprintln(w, "| kind | results | tokens | folded | saved without loss | changed | saved in all | not restored |", t.before("seen before |"), t.more("needed | lost | hurt |"))
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|", t.before("---|"), t.more("---|---|---|"))
	for _, r := range append(rows, all) {
		name := nameOf(r.kind)
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d (%.1f %%) | %d | %d (%.1f %%) | %d |", name, r.results, r.tokens, r.folded, r.lossless, share(r.lossless, r.tokens), r.changed, r.whole, share(r.whole, r.tokens), r.wrong)
		fmt.Fprint(w, t.before(fmt.Sprintf(" %d (%.1f %%) |", r.seen, share(r.seen, r.tokens))))
		fmt.Fprintln(w, t.more(fmt.Sprintf(" %d | %d (%.2f %%) | %d |", r.needed, r.lost, share(r.lost, r.needed), r.hurt)))
	}
}

func (t *dataTable) before(s string) string {
	if t.seen == nil {
		return ""
	}
	return s
}

func (t *dataTable) more(s string) string {
	if t.labels == nil {
		return ""
	}
	return s
}

func share(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

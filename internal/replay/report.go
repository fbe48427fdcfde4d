package replay

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"winnow/internal/prune"
	"winnow/internal/seen"
	"winnow/internal/text"
)

// SeenReport sums a walk up.
type SeenReport struct {
	sessions int
	Total    *SeenTool
	Tools    map[string]*SeenTool
}

// SeenTool is what was folded of one tool's results. All counts of text are in
// characters.
type SeenTool struct {
	Results int `json:"results"`
	Chars   int `json:"chars"`
	// Folded is what is hidden less what the markers take.
	Folded int     `json:"folded_chars"`
	Share  float64 `json:"folded_share"`
	// ResultsFolded counts the results with a fold, Folds the folds, Lines their lines.
	ResultsFolded int `json:"results_folded"`
	Folds         int `json:"folds"`
	Lines         int `json:"folded_lines"`
	// Markers is what the markers take.
	Markers int `json:"marker_chars"`
	// Ago counts folds by how many calls back they point: 1, 2-5, 6-10, 11-20, more.
	Ago [5]int `json:"folds_by_calls_ago"`
	// Edited and Quoted count folds of which the assistant edited or quoted a
	// line in what is recorded to come next, Used those of which it did either;
	// Stood counts those of them whose lines stood in its context then, as far as
	// the ledger would have sworn to it.
	Edited int `json:"folds_edited_later"`
	Quoted int `json:"folds_quoted_later"`
	Used   int `json:"folds_used_later"`
	Stood  int `json:"folds_used_that_stood"`
	// Lost says, by reason, how many characters stood in an earlier result and
	// were not folded.
	Lost map[string]int `json:"lost_chars"`
}

func newSeenReport() *SeenReport {
	return &SeenReport{Total: &SeenTool{Lost: map[string]int{}}, Tools: map[string]*SeenTool{}}
}

// use is a fold that was taken up later.
type use struct {
	ref   string
	tools []*SeenTool
}

func (u use) stood() {
	for _, s := range u.tools {
		s.Stood++
	}
}

// add books a result and returns those of its folds that were taken up later.
func (r *SeenReport) add(rec *Record, lost map[string]int, res prune.Result, folds []seen.Fold) []use {
	tool := r.Tools[rec.Tool.Name]
	if tool == nil {
		tool = &SeenTool{Lost: map[string]int{}}
		r.Tools[rec.Tool.Name] = tool
	}
	both := []*SeenTool{tool, r.Total}
	uses := make([]later, len(folds))
	var used []use
	for i, h := range res.Folded {
		d := prune.Judged(rec.Tool, rec.Output) // nobody quotes a margin
		uses[i] = laterUse(rec.Next, strings.Split(d.Run(h.Start, h.End), "\n"))
		if uses[i].edited || uses[i].quoted {
			used = append(used, use{folds[i].Source.ID, both})
		}
	}
	for _, s := range both {
		s.add(rec, lost, res, folds, uses)
	}
	return used
}

func (s *SeenTool) add(rec *Record, lost map[string]int, res prune.Result, folds []seen.Fold, uses []later) {
	in, out, hidden := text.Chars(rec.Output), text.Chars(res.Text), 0
	s.Results++
	s.Chars += in
	s.Folded += in - out
	s.Share = float64(s.Folded) / float64(max(s.Chars, 1))
	for reason, n := range lost {
		s.Lost[reason] += n
	}
	if len(res.Folded) == 0 {
		return
	}
	s.ResultsFolded++
	for i, h := range res.Folded {
		s.Folds++
		s.Lines += h.End - h.Start + 1
		hidden += text.Chars(h.Text)
		s.Ago[bucket(folds[i].Ago)]++
		if uses[i].edited {
			s.Edited++
		}
		if uses[i].quoted {
			s.Quoted++
		}
		if uses[i].edited || uses[i].quoted {
			s.Used++
		}
	}
	s.Markers += hidden - (in - out)
}

func bucket(ago int) int {
	for i, to := range [...]int{1, 5, 10, 20} {
		if ago <= to {
			return i
		}
	}
	return 4
}

// MarshalJSON gives "total" and one object a tool.
func (r *SeenReport) MarshalJSON() ([]byte, error) {
	all := map[string]*SeenTool{}
	for name, s := range r.Tools {
		all[name] = s
	}
	all["total"] = r.Total
	return json.Marshal(all)
}

// Write prints the report as a table: the tools with the most characters first.
func (r *SeenReport) Write(w io.Writer) error {
	names := slices.SortedFunc(maps.Keys(r.Tools), func(a, b string) int {
		return cmp.Or(r.Tools[b].Chars-r.Tools[a].Chars, strings.Compare(a, b))
	})
	var b strings.Builder
	fmt.Fprintf(&b, "%d sessions of %d results and more\n\n", r.sessions, MinResults)
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "tool\tresults\tcharacters\tfolded\tshare\tresults with folds\tfolds\t1 ago\t2-5\t6-10\t11-20\t21-40\tedited\tquoted\tused\tstood\t")
	row := func(name string, s *SeenTool) {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%.2f %%\t%d\t%d\t", name, s.Results, s.Chars, s.Folded, 100*s.Share, s.ResultsFolded, s.Folds)
		for _, n := range s.Ago {
			fmt.Fprintf(tw, "%d\t", n)
		}
		fmt.Fprintf(tw, "%d\t%d\t%d\t%d\t\n", s.Edited, s.Quoted, s.Used, s.Stood)
	}
	row("total", r.Total)
	for _, name := range names {
		row(name, r.Tools[name])
	}
	tw.Flush()
	fmt.Fprintf(&b, "\nmarkers took %d characters; not folded although seen before:\n", r.Total.Markers)
	for _, why := range slices.SortedFunc(maps.Keys(r.Total.Lost), func(a, b string) int { return r.Total.Lost[b] - r.Total.Lost[a] }) {
		fmt.Fprintf(&b, "%10d  %s\n", r.Total.Lost[why], why)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

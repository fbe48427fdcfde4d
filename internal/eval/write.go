package eval

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
)

// Write prints the report for people.
func (r *Report) Write(w io.Writer) error {
	p := &printer{w: tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)}
	fmt.Fprintf(p.w, "judge %s, drop %g, keep %g", r.Judge, r.Drop, r.Keep)
	if r.Resamples > 0 {
		fmt.Fprintf(p.w, "; in brackets 95 %% of %d resamples of the cases, seed %d", r.Resamples, r.Seed)
	}
	fmt.Fprintln(p.w)
	if r.NoCase > 0 {
		fmt.Fprintf(p.w, "%d labels have no case here\n", r.NoCase)
	}
	p.figures(append([]Section{r.All}, r.Tools...))
	p.reasons(r.All)
	p.reliability(r.All)
	for _, s := range append([]Section{r.All}, r.Tools...) {
		p.curve(s)
	}
	if len(r.Groups) > 0 {
		fmt.Fprintf(p.w, "\nby repository\n")
		p.figures(r.Groups)
	}
	return p.w.Flush() // which tells of earlier errors too
}

// printer lines cells up; a blank line ends a table.
type printer struct{ w *tabwriter.Writer }

func (p *printer) row(name string, cells ...string) {
	fmt.Fprintln(p.w, strings.Join(append([]string{name}, cells...), "\t"))
}

// perTable is how many sections stand side by side.
const perTable = 5

func (p *printer) figures(all []Section) {
	for len(all) > 0 {
		n := min(perTable, len(all))
		fmt.Fprintln(p.w)
		for _, f := range figureRows {
			cells := make([]string, n)
			for i := range cells {
				cells[i] = f.cell(&all[i])
			}
			p.row(f.name, cells...)
		}
		all = all[n:]
	}
}

var figureRows = []struct {
	name string
	cell func(s *Section) string
}{
	{"", func(s *Section) string { return s.Name }},
	{"cases", func(s *Section) string {
		if s.Second > 0 {
			return fmt.Sprintf("%d (%d graded twice)", s.Cases, s.Second)
		}
		return fmt.Sprint(s.Cases)
	}},
	{"lines, needed", func(s *Section) string { return fmt.Sprintf("%d, %d", s.Lines, s.Needed) }},
	{"AUC, mean per case", func(s *Section) string { return s.Ranking.AUC.String() }},
	{"AUC, pooled", func(s *Section) string { return s.Ranking.PooledAUC.String() }},
	{"recall at 50 % dropped", func(s *Section) string { return s.Ranking.Recall50.String() }},
	{"recall at 70 % dropped", func(s *Section) string { return s.Ranking.Recall70.String() }},
	{"recall at 90 % dropped", func(s *Section) string { return s.Ranking.Recall90.String() }},
	{"hidden at 1 % loss", func(s *Section) string { return s.Ranking.Hidden1.String() }},
	{"hidden at 5 % loss", func(s *Section) string { return s.Ranking.Hidden5.String() }},
	{"calibration error", func(s *Section) string { return s.Ranking.ECE.String() }},
	{"  judged, pruned, hurt", func(s *Section) string {
		return fmt.Sprintf("%d, %d, %d", s.Path.Judged, s.Path.Pruned, s.Path.Hurt)
	}},
	{"  hidden", func(s *Section) string { return s.Path.Hidden.Percent() }},
	{"  hidden of judged results", func(s *Section) string { return s.Path.HiddenJudged.Percent() }},
	{"  saved after markers", func(s *Section) string { return s.Path.Saved.Percent() }},
	{"  needed lines lost", func(s *Section) string { return s.Path.LostShare.Percent() }},
	{"  lost of needed lines", func(s *Section) string { return fmt.Sprintf("%d of %d", s.Path.Lost, s.Path.Needed) }},
	{"  pruned results hurt", func(s *Section) string { return s.Path.HurtShare.Percent() }},
	{"  uncertain lines", func(s *Section) string { return s.Path.UncertainOf.Percent() }},
}

func (p *printer) reasons(s Section) {
	fmt.Fprintln(p.w)
	p.row("left alone", "results", "characters", "share")
	for _, r := range s.Path.Reasons {
		p.row("  "+string(r.Reason), fmt.Sprint(r.Cases), fmt.Sprint(r.Chars), r.Share.Percent())
	}
	rest := s.Path.Chars
	for _, r := range s.Path.Reasons {
		rest -= r.Chars
	}
	p.row("  (pruned)", fmt.Sprint(s.Path.Pruned), fmt.Sprint(rest))
}

func (p *printer) reliability(s Section) {
	fmt.Fprintln(p.w)
	p.row("scored", "lines", "mean score", "needed")
	for _, b := range s.Reliability {
		p.row(fmt.Sprintf("  %g to %g", b.From, b.To), fmt.Sprint(b.Lines), b.Mean.String(), b.Needed.String())
	}
	if s.Unjudged > 0 {
		p.row("  no score", fmt.Sprint(s.Unjudged))
	}
}

func (p *printer) curve(s Section) {
	if len(s.Curve) == 0 {
		return
	}
	fmt.Fprintln(p.w)
	p.row(s.Name+": drop below", "hidden", "needed lines lost", "pruned results hurt", "hurt of pruned")
	for _, c := range s.Curve {
		p.row(fmt.Sprintf("  %g", c.Drop), c.Hidden.Percent(), c.LostShare.Percent(), c.HurtShare.Percent(), fmt.Sprintf("%d of %d", c.Hurt, c.Pruned))
	}
}

// String prints a figure as 0.698 (0.671-0.724).
func (f Figure) String() string { return f.print("%.3f", 1) }

// Percent prints a share as 4.21 % (2.90-6.01).
func (f Figure) Percent() string { return f.print("%.2f", 100) }

func (f Figure) print(format string, times float64) string {
	if math.IsNaN(f.Value) {
		return "-"
	}
	s := fmt.Sprintf(format, f.Value*times)
	if times == 100 {
		s += " %"
	}
	if math.IsNaN(f.Low) {
		return s
	}
	return s + fmt.Sprintf(" ("+format+"-"+format+")", f.Low*times, f.High*times)
}

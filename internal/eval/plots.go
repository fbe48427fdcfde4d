package eval

import (
	"fmt"
	"io"
	"math"
)

// Plot is a picture of a report.
type Plot struct {
	Name  string // of the file
	Write func(io.Writer) error
}

// Plots are the pictures of a report: whether scores are true, and what each
// threshold hides and costs, all tools together and each family apart.
func (r *Report) Plots() []Plot {
	plots := []Plot{{"reliability.svg", r.grid(plotReliability).writeTo}}
	if len(r.All.Curve) == 0 {
		return plots
	}
	return append(plots,
		Plot{"loss.svg", r.grid(func(p panel, s Section) {
			plotCurve(p, s, "needed lines lost", 0.005, func(c Path) Figure { return c.LostShare })
		}).writeTo},
		Plot{"hurt.svg", r.grid(func(p panel, s Section) {
			plotCurve(p, s, "pruned results that lose a needed line", 0.08, func(c Path) Figure { return c.HurtShare })
		}).writeTo})
}

// Sizes of a grid of panels, in pixels.
const (
	panelW, panelH = 300, 220
	cellW, cellH   = 370, 300
	gridColumns    = 3
	gridLeft       = 50
	gridTop        = 65
)

// grid draws a panel for each section.
func (r *Report) grid(plot func(panel, Section)) *drawing {
	all := append([]Section{r.All}, r.Tools...)
	rows := (len(all) + gridColumns - 1) / gridColumns
	d := newDrawing(cellW*float64(min(gridColumns, len(all)))+10, cellH*float64(rows)+25)
	d.text(10, 18, "start", 12, fmt.Sprintf("judge %s, %d graded results; whiskers: 95 %% of %d resamples", r.Judge, r.All.Cases, r.Resamples))
	for i, s := range all {
		plot(panel{d: d, x: gridLeft + float64(i%gridColumns)*cellW, y: gridTop + float64(i/gridColumns)*cellH, w: panelW, h: panelH}, s)
	}
	return d
}

func title(s Section) string { return fmt.Sprintf("%s (%d results)", s.Name, s.Cases) }

// plotReliability draws each bin's share of needed lines over its mean score:
// on the line, a score is a probability; above it, the judge hides too easily.
func plotReliability(p panel, s Section) {
	p.xs, p.ys = shares(1, true), shares(1, true)
	p.frame(title(s), "mean score of the bin", "lines that are needed")
	p.d.line(p.px(0), p.py(0), p.px(1), p.py(1), ink, 0.8, true)
	for _, b := range s.Reliability {
		if b.Lines == 0 {
			continue
		}
		mean := Figure{b.Mean.Value, math.NaN(), math.NaN()}
		size := 2 + 5*math.Sqrt(float64(b.Lines)/float64(max(s.Lines, 1)))
		p.point(mean, b.Needed, size, fmt.Sprintf("%g to %g: %d lines, needed %s", b.From, b.To, b.Lines, b.Needed.Percent()))
	}
}

// plotCurve draws a cost over the hidden share, a dot for each threshold; goal
// is the cost that is allowed.
func plotCurve(p panel, s Section, name string, goal float64, cost func(Path) Figure) {
	mostX, mostY := 0.05, 2*goal
	for _, c := range s.Curve {
		mostX, mostY = larger(mostX, c.Hidden), larger(mostY, cost(c))
	}
	p.xs, p.ys = shares(mostX, false), shares(mostY, true)
	p.frame(title(s), "characters hidden, of all", name)
	p.d.line(p.x, p.py(goal), p.x+p.w, p.py(goal), red, 1, true)
	var points, labelled [][2]float64
	for _, c := range s.Curve {
		y := cost(c)
		if c.Pruned == 0 || math.IsNaN(y.Value) {
			continue
		}
		at := [2]float64{p.px(c.Hidden.Value), p.py(y.Value)}
		points = append(points, at)
		p.point(c.Hidden, y, 3, fmt.Sprintf("drop below %g: hidden %s, cost %s", c.Drop, c.Hidden.Percent(), y.Percent()))
		if !crowded(labelled, at) {
			p.d.text(at[0]+4, at[1]-4, "start", 8, fmt.Sprint(c.Drop))
			labelled = append(labelled, at)
		}
	}
	p.d.path(points, blue)
}

// crowded reports whether a threshold written beside a dot would cover another.
func crowded(labelled [][2]float64, at [2]float64) bool {
	for _, l := range labelled {
		if math.Abs(l[0]-at[0]) < 24 && math.Abs(l[1]-at[1]) < 10 {
			return true
		}
	}
	return false
}

// larger is the larger of most and what a figure reaches.
func larger(most float64, f Figure) float64 {
	for _, v := range []float64{f.Value, f.High} {
		if !math.IsNaN(v) {
			most = max(most, v)
		}
	}
	return most
}

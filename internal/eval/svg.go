package eval

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// drawing is an SVG picture in the making: a few shapes, written as they come.
type drawing struct {
	b    strings.Builder
	w, h float64
}

func newDrawing(w, h float64) *drawing { return &drawing{w: w, h: h} }

// colours of the drawings, legible on white.
const (
	ink   = "#222222"
	faint = "#cccccc"
	blue  = "#1f5fa8"
	pale  = "#9bbcdc"
	red   = "#b03030"
)

func (d *drawing) line(x1, y1, x2, y2 float64, colour string, width float64, dashed bool) {
	dash := ""
	if dashed {
		dash = ` stroke-dasharray="4 3"`
	}
	fmt.Fprintf(&d.b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="%g"%s/>`+"\n", x1, y1, x2, y2, colour, width, dash)
}

func (d *drawing) path(points [][2]float64, colour string) {
	if len(points) < 2 {
		return
	}
	d.b.WriteString(`<polyline points="`)
	for _, q := range points {
		fmt.Fprintf(&d.b, "%.1f,%.1f ", q[0], q[1])
	}
	fmt.Fprintf(&d.b, `" fill="none" stroke="%s" stroke-width="1"/>`+"\n", colour)
}

func (d *drawing) dot(x, y, r float64, colour, title string) {
	fmt.Fprintf(&d.b, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s"><title>%s</title></circle>`+"\n", x, y, r, colour, html.EscapeString(title))
}

// text anchors s at start, middle or end.
func (d *drawing) text(x, y float64, anchor string, size float64, s string) {
	fmt.Fprintf(&d.b, `<text x="%.1f" y="%.1f" text-anchor="%s" font-size="%g" fill="%s">%s</text>`+"\n", x, y, anchor, size, ink, html.EscapeString(s))
}

func (d *drawing) writeTo(w io.Writer) error {
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %g %g" font-family="sans-serif">`+"\n"+
		`<rect width="%g" height="%g" fill="#ffffff"/>`+"\n%s</svg>\n", d.w, d.h, d.w, d.h, d.w, d.h, d.b.String())
	return err
}

// axis maps values from 0 to max on length; a root axis gives the low end room.
type axis struct {
	max   float64
	root  bool
	ticks []float64
}

func (a axis) at(v, length float64) float64 {
	v = math.Min(math.Max(v/a.max, 0), 1)
	if a.root {
		v = math.Sqrt(v)
	}
	return v * length
}

// percents are tick values of share axes.
var percents = []float64{0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1}

// shares returns an axis up to the next tick above most.
func shares(most float64, root bool) axis {
	a := axis{root: root, max: 1}
	for _, p := range percents {
		if p >= most && p > 0 {
			a.max = p
			break
		}
	}
	last := math.Inf(-1)
	for _, p := range percents {
		if at := a.at(p, 1); p <= a.max && at-last > 0.09 {
			a.ticks, last = append(a.ticks, p), at
		}
	}
	return a
}

// panel is one plot in a drawing, its corner at x, y.
type panel struct {
	d          *drawing
	x, y, w, h float64
	xs, ys     axis
}

func (p panel) px(v float64) float64 { return p.x + p.xs.at(v, p.w) }
func (p panel) py(v float64) float64 { return p.y + p.h - p.ys.at(v, p.h) }

func (p panel) frame(title, xLabel, yLabel string) {
	for _, t := range p.xs.ticks {
		p.d.line(p.px(t), p.y, p.px(t), p.y+p.h, faint, 0.5, false)
		p.d.text(p.px(t), p.y+p.h+13, "middle", 9, percent(t))
	}
	for _, t := range p.ys.ticks {
		p.d.line(p.x, p.py(t), p.x+p.w, p.py(t), faint, 0.5, false)
		p.d.text(p.x-4, p.py(t)+3, "end", 9, percent(t))
	}
	p.d.line(p.x, p.y+p.h, p.x+p.w, p.y+p.h, ink, 1, false)
	p.d.line(p.x, p.y, p.x, p.y+p.h, ink, 1, false)
	p.d.text(p.x, p.y-20, "start", 12, title)
	p.d.text(p.x, p.y-7, "start", 9, "↑ "+yLabel)
	p.d.text(p.x+p.w, p.y+p.h+27, "end", 9, xLabel+" →")
}

// point draws a value with its bounds.
func (p panel) point(x, y Figure, r float64, title string) {
	if math.IsNaN(x.Value) || math.IsNaN(y.Value) {
		return
	}
	cx, cy := p.px(x.Value), p.py(y.Value)
	if !math.IsNaN(y.Low) {
		p.d.line(cx, p.py(y.Low), cx, p.py(y.High), pale, 1.5, false)
	}
	if !math.IsNaN(x.Low) {
		p.d.line(p.px(x.Low), cy, p.px(x.High), cy, pale, 1.5, false)
	}
	p.d.dot(cx, cy, r, blue, title)
}

func percent(v float64) string { return fmt.Sprintf("%g %%", math.Round(v*1e4)/100) }

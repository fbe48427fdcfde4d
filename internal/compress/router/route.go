package router

import (
	"context"
	"slices"
	"strings"

	"winnow/internal/compress"
	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

// candidate is a form that a part, or a whole block, could take.
type candidate struct {
	text    string
	pieces  []piece
	hidden  []Hidden
	lossy   bool
	encoded bool
	tokens  int
}

// route is Compress without the cache.
func (r *Router) route(ctx context.Context, b *Block) Result {
	res := Result{Text: b.Text}
	res.Before = r.o.Count(b.Text)
	res.After, res.Chain = res.Before, []Step{}
	if res.Untouched = r.gate(b, res.Before); res.Untouched != "" {
		return res
	}
	w := &work{r: r, b: b, d: &res.Decision}
	parts, whole, mixed := split(b)
	res.Kind, res.Language, res.Confidence = whole.Kind, whole.Language, whole.Confidence
	if mixed {
		res.Sections = len(parts)
	}
	c := w.intercept()
	if c == nil {
		c = w.parts(parts)
	}
	if !b.Lossless && !c.lossy && res.Kind != detect.Diff {
		if j := w.judge(ctx, c.tokens); j != nil {
			c = j
		}
	}
	if c.text == b.Text {
		res.Untouched = whyNothing
		return res
	}
	if res.Untouched = r.accept(b, c, res.Before); res.Untouched != "" {
		return res
	}
	res.Text, res.Hidden, res.pieces, res.Encoded, res.After = c.text, c.hidden, c.pieces, c.encoded, c.tokens
	return res
}

// gate says why a block is not looked at, "" if it is.
func (r *Router) gate(b *Block, tokens int) string {
	switch {
	case b.Role != "" && b.Role != "tool":
		return whyRole
	case b.Failed:
		return whyFailed
	case b.Cached:
		return whyCached
	case prune.OwnCall(b.Tool):
		return whyOwn
	case tokens < minFold:
		return whySmall
	case len(marker.Find(b.Text)) > 0, r.o.Set.made(b.Text):
		return whyMarked
	}
	return ""
}

// work is one block on its way.
type work struct {
	r    *Router
	b    *Block
	d    *Decision
	kept []bool
}

// try runs one compressor: guarded, timed, recorded. before is what its
// candidate must beat.
func (w *work) try(name, class string, section, before int, make func() (*candidate, string)) (got *candidate) {
	s := Step{Name: name, Class: class, Before: before, Section: section}
	switch {
	case !w.r.o.Set.due(name, w.b, before):
		s.Refused = whyEarly
	case !w.r.breaker.allow(name):
		s.Refused = whyCoolDown
	}
	if s.Refused != "" {
		w.d.Chain = append(w.d.Chain, s)
		return nil
	}
	start := w.r.o.Now()
	failed := true
	defer func() {
		if recover() != nil {
			got, s.Refused = nil, whyPanic
		}
		s.Time = w.r.o.Now().Sub(start)
		w.r.breaker.report(name, !failed)
		w.d.Chain = append(w.d.Chain, s)
	}()
	c, why := make()
	failed = why == whyNoTag || why == whyNotExact || why == whyOutOfOrder
	if why == "" {
		why = w.r.accept(w.b, c, before)
		s.After = c.tokens
	}
	if s.Refused = why; why != "" {
		return nil
	}
	return c
}

// intercept gives the interceptor its say, nil for nothing.
func (w *work) intercept() *candidate {
	s := w.r.o.Interceptor
	if s == nil || w.b.Lossless {
		return nil
	}
	p := part{raw: w.b.Text, text: w.b.Text, guess: detect.Guess{Kind: w.d.Kind, Language: w.d.Language}}
	return w.sample(s, &p, w.d.Before)
}

// parts routes each part and puts them together again.
func (w *work) parts(parts []part) *candidate {
	all := &candidate{}
	for i := range parts {
		p := &parts[i]
		c := w.part(p)
		if c == nil {
			all.pieces = append(all.pieces, piece{out: p.raw})
			continue
		}
		all.pieces = append(all.pieces, c.pieces...)
		all.hidden = append(all.hidden, c.hidden...)
		all.lossy, all.encoded = all.lossy || c.lossy, all.encoded || c.encoded
	}
	all.text = joined(all.pieces)
	all.tokens = w.r.o.Count(all.text)
	return all
}

// part returns the form that a part takes, nil for its own.
func (w *work) part(p *part) *candidate {
	before := w.r.o.Count(p.raw)
	if p.fixed || before < minFold {
		return nil
	}
	if p.quoted {
		return w.unwrap(p, before)
	}
	best := w.fold(p, before)
	left := before
	if best != nil {
		left = best.tokens
	}
	if w.b.Lossless || left < w.b.Limits.MinTokens || p.guess.Second {
		return best
	}
	if c := w.lossy(p, left); c != nil {
		return c
	}
	return best
}

// fold tries what loses nothing and returns the shortest.
func (w *work) fold(p *part, before int) (best *candidate) {
	if p.raw != p.text || w.b.EditsOnly && !data(p.guess.Kind) || reads(w.b.Tool.Name) {
		return nil // a file that was read may be edited or quoted
	}
	for _, e := range w.r.o.Set.Encoders[p.guess.Kind] {
		c := w.try(e.Name(), "fold", p.section, before, func() (*candidate, string) {
			form, ok := e.Encode(input(w.b, p))
			if !ok {
				return nil, whyNone
			}
			if back, err := e.Decode(form); err != nil || back != p.text {
				return nil, whyNotExact
			}
			return &candidate{text: form, pieces: []piece{encodedPiece(form, e)}, encoded: true}, ""
		})
		if c != nil {
			best, before = c, c.tokens
		}
	}
	return best
}

// lossy asks the kind's samplers, then its editors, then its last samplers; the
// first accepted wins.
func (w *work) lossy(p *part, before int) *candidate {
	rewrites := (!w.b.EditsOnly || data(p.guess.Kind)) && !reads(w.b.Tool.Name)
	if rewrites || p.guess.Kind == detect.Binary {
		for _, s := range w.r.o.Set.Samplers[p.guess.Kind] {
			if c := w.sample(s, p, before); c != nil {
				return c
			}
		}
	}
	for _, e := range w.r.o.Set.Editors[p.guess.Kind] {
		if c := w.edit(e, p, before); c != nil {
			return c
		}
	}
	if rewrites {
		for _, s := range w.r.o.Set.Last[p.guess.Kind] {
			if c := w.sample(s, p, before); c != nil {
				return c
			}
		}
	}
	return nil
}

func (w *work) sample(s compress.Sampler, p *part, before int) *candidate {
	return w.try(s.Name(), "sample", p.section, before, func() (*candidate, string) {
		d := text.Split(p.raw)
		h := Hidden{Key: marker.KeyOf(p.raw), Text: p.raw, First: p.number(0), Last: p.number(d.Len() - 1)}
		tag := marker.Tag(h.Key, d.Len())
		form, ok := s.Sample(input(w.b, p), tag)
		if !ok {
			return nil, whyNone
		}
		if strings.Count(form, tag) != 1 {
			return nil, whyNoTag
		}
		if !data(p.guess.Kind) && p.guess.Kind != detect.Binary && !failuresStay(w.b.Tool, p.raw, form) {
			return nil, whyFailure
		}
		return &candidate{text: form, pieces: []piece{hiddenPiece(form, h.Key)}, hidden: []Hidden{h}, lossy: true, encoded: true}, ""
	})
}

func (w *work) edit(e compress.Editor, p *part, before int) *candidate {
	return w.try(e.Name(), "edit", p.section, before, func() (*candidate, string) {
		cuts := e.Cuts(input(w.b, p))
		if len(cuts) == 0 {
			return nil, whyNone
		}
		d := text.Split(p.raw)
		if p.keep = w.keep()[p.base : p.base+d.Len()]; p.guess.Kind == detect.Diff {
			p.keep = prune.KeptOfDiff(w.b.Tool, p.raw)
		} else if f, ok := e.(framer); ok {
			p.keep = w.shallow(p, f.DeepFrames(input(w.b, p)))
		}
		runs, ok := p.runsOf(cuts, w.r.o.Hint)
		if !ok {
			return nil, whyOutOfOrder
		}
		if len(runs) == 0 {
			return nil, whyLittle
		}
		c := &candidate{pieces: cutPieces(d, runs), lossy: true}
		c.text = joined(c.pieces)
		for _, x := range runs {
			c.hidden = append(c.hidden, x.Hidden)
		}
		return c, ""
	})
}

// framer is an editor that knows a library's frames deep inside a stack.
type framer interface {
	DeepFrames(compress.Input) []bool
}

// shallow lets go of frames that stay for no other reason than to be part of a
// trace: its head, its ends and the reader's own frames are not among them.
func (w *work) shallow(p *part, deep []bool) []bool {
	if deep == nil {
		return p.keep
	}
	causes := prune.Protected(prune.Input{Tool: w.b.Tool, Text: w.b.Text})
	keep := slices.Clone(p.keep)
	for i, is := range deep {
		if at := p.base + i; is && at < len(causes) && causes[at]&^prune.Trace == 0 {
			keep[i] = false
		}
	}
	return keep
}

// keep is what stays of the block's lines, whoever proposes to hide them.
func (w *work) keep() []bool {
	if w.kept == nil {
		w.kept = prune.Kept(w.b.Tool, w.b.Text)
	}
	return w.kept
}

// unwrap routes the text inside a JSON string; the reader gets it unquoted.
func (w *work) unwrap(p *part, before int) *candidate {
	return w.try("unwrap", "fold", p.section, before, func() (*candidate, string) {
		inner, quote, ok := unquote(p.text)
		if !ok || p.raw != p.text {
			return nil, whyNone
		}
		b := *w.b
		b.Text, b.Kind, b.Tool = inner, detect.Unknown, prune.Tool{Name: w.b.Tool.Name}
		parts, _, _ := split(&b)
		c := (&work{r: w.r, b: &b, d: w.d}).parts(parts)
		if !c.lossy && w.b.EditsOnly {
			return nil, whyNone
		}
		pieces := c.pieces
		c.pieces = []piece{{c.text, func(_ string, get Get) (string, error) {
			s, err := restored(pieces, get)
			return quote(s), err
		}}}
		c.encoded = true
		return c, ""
	})
}

// judge lets the judge hide lines of the block's own text.
func (w *work) judge(ctx context.Context, before int) *candidate {
	if w.r.o.Judge == nil || w.b.NoJudge || before < w.b.Limits.MinTokens || strings.TrimSpace(w.b.Task.Request) == "" {
		return nil
	}
	return w.try("judge", "judge", 0, before, func() (*candidate, string) {
		in := prune.Input{Task: w.b.Task, Tool: w.b.Tool, Text: w.b.Text, CanRecall: true, Hint: w.r.o.Hint}
		if in.Tool.Name == "" {
			in.Tool.Name = "Bash" // a text from nowhere is like a shell's
		}
		res := w.r.o.Judge.Prune(ctx, in)
		if res.Reason != prune.Pruned {
			return nil, string(res.Reason)
		}
		d, out := text.Split(w.b.Text), text.Split(res.Text)
		var runs []run
		line, at := 0, 0 // of out, of d
		for _, h := range res.Hidden {
			line += h.Start - at
			runs = append(runs, run{Hidden{h.Key, h.Text, h.First, h.Last}, h.Start, h.End, out.Line(line)})
			line, at = line+1, h.End+1
		}
		c := &candidate{text: res.Text, pieces: cutPieces(d, runs), lossy: true}
		for _, x := range runs {
			c.hidden = append(c.hidden, x.Hidden)
		}
		return c, ""
	})
}

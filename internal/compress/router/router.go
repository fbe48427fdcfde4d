// Package router is a stand-alone reducer: it says what a text is, tries what
// loses nothing first, then the compressor of its kind, then a judge, and
// accepts a candidate only if that is worth it and leads back. Whatever it
// does is in a [Decision]; whatever goes wrong leaves the text as it was.
//
// It does no I/O. Time comes from [Options.Now]; storing what is hidden is the
// caller's work, and must come before the new text is shown to anybody.
package router

import (
	"context"
	"time"

	"winnow/internal/compress"
	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/prune/detect"
	"winnow/internal/tokens"
)

// Options set a Router up. The zero value is the documented default.
type Options struct {
	Limits compress.Limits
	// Set is the compressors. The zero value: [Builtin].
	Set Set
	// Interceptor, when set, has the first word on each block: what it makes of
	// one is accepted by the same rules as any sample.
	Interceptor compress.Sampler
	// Judge hides lines where no compressor of the kind did. nil: nobody does.
	Judge *prune.Pruner
	// Count counts tokens. nil: [tokens.Estimate].
	Count tokens.Counter
	// Hint stands once per block behind a marker: how to get hidden lines.
	Hint string
	// Now is the clock of times and cool-downs. nil: time.Now.
	Now func() time.Time
	// CacheBytes bounds what decisions are remembered, in bytes of text. 0: 16 MB; -1: none.
	CacheBytes int
}

// Block is one message's text.
type Block struct {
	Text string
	// Role says whose text it is. "": "tool". User and system text is never touched.
	Role string
	Tool prune.Tool
	Task prune.Task
	// File is the name of the file that the text is from, for the detection.
	File string
	// Kind and Language override the detection.
	Kind     detect.Kind
	Language string
	// Failed reports that the tool failed: the text stays exact.
	Failed bool
	// Cached reports that the bytes are part of a provider's cache key.
	Cached bool

	// Lossless allows only what decodes to the original.
	Lossless bool
	// EditsOnly allows re-encodings on JSON and tables only: the reader may edit
	// or quote what it sees.
	EditsOnly bool
	// NoRecall says that the reader has no way to ask for what is hidden, so that
	// nothing lossy is accepted.
	NoRecall bool
	// NoJudge leaves the judge unasked.
	NoJudge bool
	// Pressure is how full the reader's context is, 0 to 1: what a candidate must
	// save gets less with it.
	Pressure float64
	// Limits override the router's, each that is not 0.
	Limits compress.Limits
}

// Hidden is an original under its key.
type Hidden struct {
	Key  marker.Key
	Text string
	// First and Last are the line numbers that the reader knows it by.
	First, Last int
}

// Result is what became of a block.
type Result struct {
	Text   string
	Hidden []Hidden
	Decision
	// Encoded reports that a part stands in another form, so that the text and
	// its keys alone do not give the original: keep that under its own key too.
	Encoded bool

	pieces []piece
}

// Changed reports whether the text is another than the block's.
func (r *Result) Changed() bool { return r.Untouched == "" }

// Router routes blocks. All methods may be called at the same time.
type Router struct {
	o       Options
	breaker *breaker
	cache   cache
	sums    *sums
}

// New returns a router.
func New(o Options) *Router {
	o.Limits = o.Limits.WithDefaults()
	if o.Set.empty() {
		o.Set = Builtin()
	}
	if o.Count == nil {
		o.Count = tokens.Estimate
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.CacheBytes == 0 {
		o.CacheBytes = 16 << 20
	}
	return &Router{
		o: o, breaker: &breaker{now: o.Now}, cache: cache{max: o.CacheBytes},
		sums: &sums{stats: Stats{Kinds: map[detect.Kind]KindStats{}}},
	}
}

// WithJudge returns a router that differs only in its judge. Sums and what
// cools down are shared, remembered decisions are not.
func (r *Router) WithJudge(p *prune.Pruner) *Router {
	n := &Router{o: r.o, breaker: r.breaker, cache: cache{max: r.o.CacheBytes}, sums: r.sums}
	n.o.Judge = p
	return n
}

// Compress routes one block. It never fails: the worst case is the block's own text.
func (r *Router) Compress(ctx context.Context, b Block) Result {
	start := r.o.Now()
	b.Limits = b.Limits.Or(r.o.Limits)
	key := keyOf(&b)
	if res, ok := r.cache.get(key); ok {
		res.Cached = true
		res.Time = r.o.Now().Sub(start)
		r.note(&res)
		return res
	}
	res := r.route(ctx, &b)
	if ctx.Err() == nil { // an unfinished answer is nobody's decision
		r.cache.put(key, &b, res)
	}
	res.Time = r.o.Now().Sub(start)
	r.note(&res)
	return res
}

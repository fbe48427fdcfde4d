package router

import (
	"slices"
	"strings"

	"winnow/internal/compress"
	"winnow/internal/prune/detect"
)

// Set is who compresses what, in the order tried.
type Set struct {
	// Encoders lose nothing, Editors and Samplers lose.
	Encoders map[detect.Kind][]compress.Encoder
	Editors  map[detect.Kind][]compress.Editor
	Samplers map[detect.Kind][]compress.Sampler
	// Last are samplers that are asked only where no editor had anything to hide.
	Last map[detect.Kind][]compress.Sampler
	// Late names those that only work under pressure: a context half full, or a
	// text so large that something must give.
	Late map[string]bool
	// Forms are what texts in an encoder's form begin with; they stay as they are.
	Forms []string
}

// made reports whether a text is in the form of one of the set's own.
func (s Set) made(text string) bool {
	return slices.ContainsFunc(s.Forms, func(f string) bool { return strings.HasPrefix(text, f) })
}

// When there is pressure.
const (
	latePressure = 0.5
	lateTokens   = 8000
)

// due reports whether a compressor may work on a text of so many tokens.
func (s Set) due(name string, b *Block, tokens int) bool {
	return !s.Late[name] || b.Pressure >= latePressure || tokens >= lateTokens
}

func (s Set) empty() bool {
	return s.Encoders == nil && s.Editors == nil && s.Samplers == nil && s.Last == nil
}

// data are the kinds that are read, not edited or quoted: only they may be
// written in another form on a hook's path.
func data(k detect.Kind) bool { return k == detect.JSON || k == detect.JSONL || k == detect.Table }

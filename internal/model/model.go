// Package model is the resident judge: three graphs in onnxruntime. The first
// judges each line by the features of package lexical; the second reads the text
// and the query, the most promising windows first where the text is long; the
// third judges all lines together by what both found.
//
// [Open] does all the loading; [Model.Score] never does. The package is the
// only importer of the C binding: a build without cgo has the same [Open], and
// it answers [ErrUnavailable], as it does where the library cannot be loaded.
// The caller then falls back to another judge and says so.
package model

import (
	_ "embed"
	"errors"
)

// ErrUnavailable reports that onnxruntime cannot be used here: no cgo, no
// library for this platform, or one that does not load.
var ErrUnavailable = errors.New("onnxruntime is not available")

// ErrClosed is what a Model that was closed answers.
var ErrClosed = errors.New("model is closed")

// ErrLong is what a Model answers to a text of more lines than it can judge in
// the time and memory it may take.
var ErrLong = errors.New("too many lines to judge")

// Options for [Open].
type Options struct {
	// CacheDir holds the unpacked library; "" is the user's cache folder.
	CacheDir string
	// Runs bounds the scores computed at once, each on one thread; others wait.
	// 0 means 2.
	Runs int
}

// Proven names the kinds of calls, as [lexical.Kind] has them, for which the
// left-out figures of docs/judge.md hold at the default bands: at most 0.5 % of
// needed lines lost and 8 % of pruned results hurt, the upper bounds at most
// twice that.
var Proven = []string{"shell"}

// The graphs are made by `make train`; weights/judge.json says how.
var (
	// readerONNX makes states of tokens: package window says of which.
	//
	//go:embed weights/reader.onnx
	readerONNX []byte
	// featuresONNX is the cheap stage: log odds of lines by their features.
	//
	//go:embed weights/features.onnx
	featuresONNX []byte
	// judgeONNX judges all lines of a text together.
	//
	//go:embed weights/judge.onnx
	judgeONNX []byte
)

// Package model is the resident judge: a small model in onnxruntime that reads
// the features of package lexical, and later more.
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

// Options for [Open].
type Options struct {
	// CacheDir holds the unpacked library; "" is the user's cache folder.
	CacheDir string
	// Runs bounds the scores computed at once, each on one thread; others wait.
	// 0 means 2.
	Runs int
}

// blendONNX is made by train/blend.py; blend.json beside it says how.
//
//go:embed weights/blend.onnx
var blendONNX []byte

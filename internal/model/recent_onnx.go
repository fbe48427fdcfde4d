//go:build cgo

package model

import (
	"slices"
	"sync"
)

// remembered is the most parts of queries that are kept, some 400 KB each at
// the longest.
const remembered = 16

// part is what the reader made of a part of a query. It is shared and never
// changed.
type part struct {
	ids    []int64
	mean   []float32 // [window.Dim], of all tokens
	states []float32 // [tokens, window.Dim], without [CLS] and [SEP]
}

// recent keeps the parts used last: a request is the same for a whole turn, and
// reading it again takes as long as a window of the text.
type recent struct {
	mu  sync.Mutex
	all []part // guarded by mu; the one used last first
}

// get returns the part of these ids, if it is kept.
func (r *recent) get(ids []int64) (part, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.toFront(ids) {
		return part{}, false
	}
	return r.all[0], true
}

// put keeps p, in the place of the one not used for longest where there are too
// many. Two callers may have read the same part: they made the same of it.
func (r *recent) put(p part) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.toFront(p.ids) {
		return
	}
	r.all = slices.Insert(r.all[:min(len(r.all), remembered-1)], 0, p)
}

// toFront reports whether the part of these ids is kept, then the first one.
func (r *recent) toFront(ids []int64) bool {
	i := slices.IndexFunc(r.all, func(p part) bool { return slices.Equal(p.ids, ids) })
	if i < 0 {
		return false
	}
	p := r.all[i]
	copy(r.all[1:i+1], r.all[:i])
	r.all[0] = p
	return true
}

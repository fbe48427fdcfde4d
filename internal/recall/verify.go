package recall

import (
	"context"
	"fmt"
	"time"

	"winnow/internal/marker"
)

// Health is what [Store.Check] found.
type Health struct {
	Originals int   `json:"originals"`
	Bytes     int64 `json:"bytes"` // unpacked
	// Bad are originals that no longer give the bytes of their key; a recall of
	// one says that it is not there.
	Bad []marker.Key `json:"bad,omitempty"`
	// File is the file's length, Free what a compaction would give back.
	File int64 `json:"file"`
	Free int64 `json:"free"`
}

// Check reads every original and compares it with its key, in small pieces, so
// that nobody waits for it. A file whose pages are damaged is set aside as in
// any other reading; the error then says so.
func (s *Store) Check(ctx context.Context) (Health, error) {
	h := Health{File: s.size(), Free: s.free()}
	var after []byte
	for {
		began := time.Now()
		chunk, err := s.chunk(bOriginals, after)
		if err != nil {
			return h, fmt.Errorf("check store: %w", err)
		}
		if len(chunk) == 0 {
			return h, nil
		}
		for _, p := range chunk {
			text, err := s.unpack(p.value)
			if err != nil || marker.KeyOf(text) != marker.Key(p.key) {
				h.Bad = append(h.Bad, marker.Key(p.key))
			}
			h.Originals++
			h.Bytes += int64(len(text))
		}
		after = chunk[len(chunk)-1].key
		if err := rest(ctx, time.Since(began)); err != nil {
			return h, fmt.Errorf("check store: %w", err)
		}
	}
}

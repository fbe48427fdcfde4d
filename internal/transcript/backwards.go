package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Sizes of a backwards reading. Chunks double while a line goes on, so that a
// huge line is joined in time proportional to its length.
const (
	minChunk = 64 << 10
	maxChunk = 4 << 20
	// maxLine is the longest line that is kept whole: a prompt with several
	// pictures in it. A longer one is skipped.
	maxLine = 32 << 20
)

// backwards yields the lines of a file from its last one on. Lines are joined
// from bytes before anybody decodes them.
type backwards struct {
	r io.ReaderAt
	// pos is where buf begins in the file; buf is what was read and not yielded.
	pos int64
	buf []byte
	// seen is the part of buf, from its end, that holds no "\n".
	seen int
	// long says that the line at buf's end outgrew maxLine; its bytes are dropped.
	long bool
	// left is how many more bytes may be read.
	left int64
	// chunk is the smallest chunk. 0: minChunk.
	chunk int
}

// errSpent says that the limit of bytes was reached.
var errSpent = errors.New("limit reached")

// next returns the next line towards the beginning, without its "\n". It may be
// used until the call after. It ends with io.EOF or errSpent.
func (b *backwards) next() ([]byte, error) {
	for {
		if i := bytes.LastIndexByte(b.buf[:len(b.buf)-b.seen], '\n'); i >= 0 {
			line := b.buf[i+1:]
			b.buf, b.seen = b.buf[:i], 0
			if b.long {
				b.long = false
				continue
			}
			return line, nil
		}
		b.seen = len(b.buf)
		if b.pos == 0 {
			if b.seen == 0 || b.long {
				b.buf, b.seen, b.long = nil, 0, false
				return nil, io.EOF
			}
			line := b.buf
			b.buf, b.seen = nil, 0
			return line, nil
		}
		if err := b.read(); err != nil {
			return nil, err
		}
	}
}

// read puts the chunk before buf in front of it.
func (b *backwards) read() error {
	if b.left <= 0 {
		return errSpent
	}
	if b.long || len(b.buf) > maxLine {
		b.buf, b.seen, b.long = nil, 0, true
	}
	if b.chunk == 0 {
		b.chunk = minChunk
	}
	n := min(int64(min(max(b.chunk, len(b.buf)), maxChunk)), b.pos, b.left)
	buf := make([]byte, int(n)+len(b.buf))
	got, err := b.r.ReadAt(buf[:n], b.pos-n)
	if int64(got) < n {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF // truncated while we read
		}
		return fmt.Errorf("read transcript: %w", err)
	}
	copy(buf[n:], b.buf)
	b.buf, b.pos, b.left = buf, b.pos-n, b.left-n
	return nil
}

package recall

import (
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// The first byte of a stored original says how the rest is coded.
const (
	coderRaw  = 0
	coderZstd = 1
)

// minPack is the length below which compression saves less than a page.
const minPack = 512

// codec packs originals. Both halves may be used at the same time.
type codec struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

func (c *codec) init() (err error) {
	// The key is the hash of the text, so zstd's own checksum would be a second one.
	c.enc, err = zstd.NewWriter(nil, zstd.WithEncoderCRC(false), zstd.WithEncoderConcurrency(2),
		zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return fmt.Errorf("start zstd: %w", err)
	}
	c.dec, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(2*MaxText))
	if err != nil {
		return fmt.Errorf("start zstd: %w", err)
	}
	return nil
}

// pack codes a text; it stays raw when compression saves less than an eighth.
func (c *codec) pack(text string) []byte {
	if len(text) >= minPack {
		b := c.enc.EncodeAll([]byte(text), append(make([]byte, 0, len(text)/4+64), coderZstd))
		if len(b) < len(text)-len(text)/8 {
			return b
		}
	}
	return append(append(make([]byte, 0, len(text)+1), coderRaw), text...)
}

// unpack undoes pack. The argument may be memory of the mapped file: the
// answer is a copy.
func (c *codec) unpack(b []byte) (string, error) {
	if len(b) == 0 {
		return "", errors.New("empty value")
	}
	switch b[0] {
	case coderRaw:
		return string(b[1:]), nil
	case coderZstd:
		out, err := c.dec.DecodeAll(b[1:], nil)
		return string(out), err
	}
	return "", fmt.Errorf("unknown coding %d", b[0])
}

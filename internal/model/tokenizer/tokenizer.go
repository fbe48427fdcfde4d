// Package tokenizer cuts text into the uncased WordPieces of BERT, with the
// ids that the Python package tokenizers gives for the same vocabulary.
//
// It adds no special tokens and does no padding, and it never fails on its
// input: bytes that are not UTF-8 are dropped as U+FFFD would be, a word of
// over 100 characters is one [UNK], and time is linear in the text. As in the
// Python package, the text "[SEP]" gives the special token of that name, so a
// special id in the result is no proof of who put it there.
package tokenizer

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"winnow/internal/text"
)

// Tokenizer holds a vocabulary. Nothing in it changes after [New], so it may
// be used by any number of goroutines.
type Tokenizer struct {
	*tables
	camel bool
}

// tables is what views of one vocabulary share.
type tables struct {
	trie    *trie
	size    int
	special [numSpecial]int32
	marks   [utf8.RuneSelf]int32 // id of each ASCII punctuation mark
	fold    *folds
}

const (
	pad = iota
	unk
	cls
	sep
	mask
	numSpecial
)

var specials = [numSpecial]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}

// New reads a vocabulary: one piece a line, its id the number of the line.
func New(vocab io.Reader) (*Tokenizer, error) {
	raw, err := io.ReadAll(vocab)
	if err != nil {
		return nil, fmt.Errorf("read vocabulary: %w", err)
	}
	pieces, err := parseVocab(raw)
	if err != nil {
		return nil, err
	}
	folds, err := defaultFolds()
	if err != nil {
		return nil, err
	}
	trie, err := newTrie(pieces)
	if err != nil {
		return nil, err
	}
	t := &tables{trie: trie, size: len(pieces), fold: folds}
	for i, name := range specials {
		id, ok := trie.find(wordRoot, name)
		if !ok {
			return nil, fmt.Errorf("vocabulary has no %s", name)
		}
		t.special[i] = id
	}
	for c := range t.marks {
		id, ok := trie.find(wordRoot, string(rune(c)))
		if !ok {
			id = t.special[unk]
		}
		t.marks[c] = id
	}
	return &Tokenizer{tables: t}, nil
}

func parseVocab(raw []byte) ([][]byte, error) {
	if len(raw) == 0 {
		return nil, fmt.Errorf("vocabulary is empty")
	}
	pieces := bytes.Split(bytes.TrimSuffix(raw, []byte("\n")), []byte("\n"))
	if len(pieces) > maxVocab {
		return nil, fmt.Errorf("vocabulary has %d lines, over %d", len(pieces), maxVocab)
	}
	for i, p := range pieces {
		p = bytes.TrimSuffix(p, []byte("\r"))
		if len(p) == 0 || !utf8.Valid(p) {
			return nil, fmt.Errorf("vocabulary line %d: %q is no piece", i+1, p)
		}
		pieces[i] = p
	}
	return pieces, nil
}

//go:embed vocab/vocab.txt.zst
var packedVocab []byte

// Default returns the tokenizer of the vocabulary in the binary, always the same one.
func Default() (*Tokenizer, error) { return defaultTokenizer() }

var defaultTokenizer = sync.OnceValues(func() (*Tokenizer, error) {
	dec, err := zstd.NewReader(bytes.NewReader(packedVocab), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("unpack vocabulary: %w", err)
	}
	defer dec.Close()
	return New(dec)
})

// Camel returns a view of t that also ends a word between an ASCII lower-case
// letter or digit and an upper-case letter, as if a space stood there.
func (t *Tokenizer) Camel() *Tokenizer { return &Tokenizer{tables: t.tables, camel: true} }

// Size returns the number of pieces; ids are below it.
func (t *Tokenizer) Size() int { return t.size }

// PAD returns the id of the padding token.
func (t *Tokenizer) PAD() int32 { return t.special[pad] }

// UNK returns the id of a word that the vocabulary cannot spell.
func (t *Tokenizer) UNK() int32 { return t.special[unk] }

// CLS returns the id of the token that begins a window.
func (t *Tokenizer) CLS() int32 { return t.special[cls] }

// SEP returns the id of the token that ends a segment.
func (t *Tokenizer) SEP() int32 { return t.special[sep] }

// MASK returns the id of the masked token.
func (t *Tokenizer) MASK() int32 { return t.special[mask] }

// Append appends the first max ids of s to dst; a negative max means all. It
// allocates only to grow dst.
func (t *Tokenizer) Append(dst []int32, s string, max int) []int32 {
	p := pass{Tokenizer: t, ids: dst, left: max}
	p.run(s)
	return p.ids
}

// Encode returns the first max ids of s, all if max is negative, and the bytes
// of s that each stands for. Spans ascend and never split a character; two
// pieces of one character, such as a Hangul syllable, have the same span, and
// dropped characters lie between spans or inside one.
func (t *Tokenizer) Encode(s string, max int) (ids []int64, spans []text.Span) {
	p := pass{Tokenizer: t, left: max, wantSpans: true, spans: []text.Span{}}
	p.run(s)
	ids = make([]int64, len(p.ids))
	for i, id := range p.ids {
		ids[i] = int64(id)
	}
	return ids, p.spans
}

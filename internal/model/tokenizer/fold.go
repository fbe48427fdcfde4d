package tokenizer

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// kind is what the normaliser and the splitter make of a code point.
type kind uint8

const (
	keep   kind = iota // a word's character
	drop               // as if it were not there
	space              // ends a word
	punct              // a word of its own
	han                // a word of its own
	hangul             // a word's characters: the syllable's two or three letters
)

var kinds = map[string]kind{"word": keep, "drop": drop, "space": space, "punct": punct, "cjk": han, "hangul": hangul}

// fold is a kind and the text a code point turns into, "" for itself.
type fold struct {
	kind kind
	out  string
}

// folds gives the fold of each code point by way of pages of 256; pages that
// are alike are one.
type folds struct {
	index [utf8.MaxRune>>8 + 1]uint8
	pages [][256]uint16
	list  []fold
}

func (f *folds) of(r rune) *fold {
	return &f.list[f.pages[f.index[r>>8]][r&0xff]]
}

//go:embed vocab/fold.txt
var foldText string

var defaultFolds = sync.OnceValues(func() (*folds, error) { return parseFolds(foldText) })

// parseFolds reads lines of "kind first last [out...]", numbers in hex. What
// no line names is kept as it is.
func parseFolds(src string) (*folds, error) {
	f := &folds{list: []fold{{}}}
	seen := map[fold]uint16{{}: 0}
	all := make([]uint16, utf8.MaxRune+1)
	n := 0
	for line := range strings.Lines(src) {
		n++
		if strings.HasPrefix(line, "#") {
			continue
		}
		fd, first, last, err := parseFold(strings.Fields(line))
		if err != nil {
			return nil, fmt.Errorf("fold table line %d: %w", n, err)
		}
		id, ok := seen[fd]
		if !ok {
			id = uint16(len(f.list))
			seen[fd] = id
			f.list = append(f.list, fd)
		}
		for r := first; r <= last; r++ {
			all[r] = id
		}
	}
	return f, f.paginate(all)
}

func (f *folds) paginate(all []uint16) error {
	known := make(map[[256]uint16]uint8)
	for i := range f.index {
		page := [256]uint16(all[i<<8:])
		at, ok := known[page]
		if !ok {
			if len(f.pages) > 255 {
				return fmt.Errorf("fold table has over 256 different pages")
			}
			at = uint8(len(f.pages))
			known[page] = at
			f.pages = append(f.pages, page)
		}
		f.index[i] = at
	}
	return nil
}

func parseFold(fields []string) (fd fold, first, last rune, err error) {
	if len(fields) < 3 {
		return fd, 0, 0, fmt.Errorf("%d fields", len(fields))
	}
	k, ok := kinds[fields[0]]
	if !ok {
		return fd, 0, 0, fmt.Errorf("kind %q", fields[0])
	}
	var nums []rune
	for _, s := range fields[1:] {
		v, err := strconv.ParseUint(s, 16, 32)
		if err != nil || v > utf8.MaxRune {
			return fd, 0, 0, fmt.Errorf("code point %q", s)
		}
		nums = append(nums, rune(v))
	}
	fd, first, last = fold{k, string(nums[2:])}, nums[0], nums[1]
	return fd, first, last, fd.check(first, last, len(nums)-2)
}

// check refuses what the walk over a text could not cope with.
func (f fold) check(first, last rune, n int) error {
	switch {
	case first > last:
		return fmt.Errorf("range from %X to %X", first, last)
	case (f.kind == punct || f.kind == han) && n > 1:
		return fmt.Errorf("punctuation or ideograph of %d characters", n)
	case f.kind == hangul && (first < firstHangul || last > lastHangul):
		return fmt.Errorf("%X to %X are not syllables", first, last)
	}
	return nil
}

const firstHangul, lastHangul = 0xac00, 0xd7a3

// jamo appends the letters of a Hangul syllable, by the arithmetic of the
// Unicode standard, section 3.12.
func jamo(dst []byte, r rune) []byte {
	const vowels, tails = 21, 28
	n := r - firstHangul
	dst = utf8.AppendRune(dst, 0x1100+n/(vowels*tails))
	dst = utf8.AppendRune(dst, 0x1161+n%(vowels*tails)/tails)
	if t := n % tails; t > 0 {
		dst = utf8.AppendRune(dst, 0x11a7+t)
	}
	return dst
}

// Package blocks folds what a text repeats, exactly restorable:
//
//   - equal lines in a row become one with a count: "line (×40)" (blank lines too);
//   - a block of lines that stood before becomes a reference to the lines of the
//     original where it stood first: "⟦↺#3⟧", "⟦↺#3-9⟧", five times in a row
//     "⟦↺#3-9×5⟧". The first occurrence stays as it is.
//
// A line of the text that ends in a count, or that is a reference from end to
// end, gets the count 1 ("seen (×3) (×1)"), so that every line of a folded text
// has one meaning and [Decode] gives back every byte of every input.
//
// It knows nothing of what the lines say: whether a text may be shown in this
// form at all (what an agent edits or quotes may not) is the caller's question.
package blocks

import "winnow/internal/text"

// Options say what is folded. The zero value folds both.
type Options struct {
	// NoRuns leaves equal lines in a row alone, NoBlocks repeated blocks.
	NoRuns, NoBlocks bool
}

// Encode returns s with its repeats folded; [Decode] takes it back. It may be
// longer than s by the counts of lines that need one: see [Fold].
func Encode(s string, o Options) string {
	out, _ := encode(s, o)
	return out
}

// Fold is Encode where it pays: ok reports that the result has fewer bytes and
// fewer characters than s. Otherwise the text is s itself, which must not be decoded.
func Fold(s string, o Options) (out string, ok bool) {
	out, folds := encode(s, o)
	if folds == 0 || len(out) >= len(s) || text.Chars(out) >= text.Chars(s) {
		return s, false
	}
	return out, true
}

// Rehydrate restores what [Fold] or [Encode] made.
func Rehydrate(s string) (string, error) { return Decode(s) }

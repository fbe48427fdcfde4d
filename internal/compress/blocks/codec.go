package blocks

import (
	"fmt"

	"winnow/internal/compress"
	"winnow/internal/text"
)

// Codec folds repeats as the router asks for it.
type Codec struct{}

var _ compress.Encoder = Codec{}

// Name names the fold in a decision's chain.
func (Codec) Name() string { return "blocks" }

// Encode folds in.Text. A text with a line that a reader could take for a fold
// is refused, folded ones among them: no text is folded twice.
func (Codec) Encode(in compress.Input) (string, bool) {
	if holdsFold(in.Text) {
		return "", false
	}
	out, ok := Fold(in.Text, Options{})
	if !ok {
		return "", false
	}
	if back, err := Decode(out); err != nil || back != in.Text {
		return "", false
	}
	return out, true
}

// Decode restores the text. What holds no fold was not written by Encode.
func (Codec) Decode(form string) (string, error) {
	if !holdsFold(form) {
		return "", fmt.Errorf("unfold: %w", ErrForm)
	}
	return Decode(form)
}

func holdsFold(s string) bool {
	d := text.Split(s)
	for i := range d.Len() {
		if looksFolded(d.Line(i)) {
			return true
		}
	}
	return false
}

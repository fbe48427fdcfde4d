package hook

import (
	"fmt"
)

// grepShape: {mode:"content", content, ...}. The other modes are lists and
// counts, which the host turns into sentences of its own.
func grepShape(raw []byte) (shape, error) {
	o, err := object(raw)
	if err != nil {
		return shape{}, err
	}
	if mode, _ := o.raw("mode"); mode != `"content"` {
		return shape{}, fmt.Errorf("mode %.20s: %w", mode, ErrShape)
	}
	content, err := o.str("content")
	return shape{texts: []str{content}}, err
}

package hook

import (
	"fmt"
)

// readShape: {type:"text", file:{filePath, content, numLines, startLine,
// totalLines, ...}}. Images, PDFs and notebooks have other types. The content
// is raw; the host numbers its lines from startLine.
func readShape(raw []byte) (shape, error) {
	o, err := object(raw)
	if err != nil {
		return shape{}, err
	}
	if typ, _ := o.raw("type"); typ != `"text"` {
		return shape{}, fmt.Errorf("type %.20s: %w", typ, ErrShape)
	}
	file, err := o.obj("file")
	if err != nil {
		return shape{}, err
	}
	if _, err := file.str("filePath"); err != nil {
		return shape{}, err
	}
	content, err := file.str("content")
	if err != nil {
		return shape{}, err
	}
	for _, key := range []string{"numLines", "totalLines"} {
		if _, err := file.int(key); err != nil {
			return shape{}, err
		}
	}
	first, err := file.int("startLine")
	if err != nil || first < 1 {
		return shape{}, fmt.Errorf("startLine: %w", ErrShape)
	}
	return shape{texts: []str{content}, lineNo: file.span("startLine"), first: int(first)}, nil
}

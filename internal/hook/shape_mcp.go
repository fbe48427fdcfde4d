package hook

// mcpShape: an array of content blocks, or a string (the JSON of a tool with an
// output schema). Blocks that are not text pass untouched. Nothing checks an
// MCP replacement on its way into the request, so an object that carries more
// than blocks is not touched at all.
func mcpShape(raw []byte) (shape, error) {
	if t, err := stringAt(raw); err == nil {
		if pointer(t.is) {
			return shape{}, ErrShape
		}
		return shape{texts: []str{t}}, nil
	}
	blocks, err := elements(raw)
	if err != nil {
		return shape{}, err
	}
	var s shape
	for _, b := range blocks {
		o, err := objectAt(raw, b)
		if err != nil {
			return shape{}, err
		}
		if typ, _ := o.raw("type"); typ != `"text"` {
			continue
		}
		t, err := o.str("text")
		if err != nil {
			return shape{}, err
		}
		if !pointer(t.is) {
			s.texts = append(s.texts, t)
		}
	}
	if len(s.texts) == 0 {
		return shape{}, ErrShape
	}
	return s, nil
}

package hook

// webFetchShape: {bytes, code, codeText, result, durationMs, url}; result is
// the page as the host's small model retold it.
func webFetchShape(raw []byte) (shape, error) {
	o, err := object(raw)
	if err != nil {
		return shape{}, err
	}
	result, err := o.str("result")
	return shape{texts: []str{result}}, err
}

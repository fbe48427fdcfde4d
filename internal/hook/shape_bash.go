package hook

// maxBash is the length in characters over which the host saves a Bash result,
// replaced or not, and shows 2 KB of it.
const maxBash = 30_000

const (
	savedPath = "persistedOutputPath"
	savedSize = "persistedOutputSize"
)

// bashShape: {stdout, stderr, interrupted, isImage?, ...}. The host merges
// stderr into stdout; a stderr of its own stays where it is.
func bashShape(raw []byte) (shape, error) {
	o, err := object(raw)
	if err != nil {
		return shape{}, err
	}
	stdout, err := o.str("stdout")
	if err != nil {
		return shape{}, err
	}
	if _, err := o.str("stderr"); err != nil {
		return shape{}, err
	}
	if img, has := o.raw("isImage"); has && img != "false" {
		return shape{}, ErrShape
	}
	if v, _ := o.raw("interrupted"); v != "false" && v != "true" {
		return shape{}, ErrShape
	}
	if pointer(stdout.is) {
		return shape{}, ErrShape
	}
	return shape{texts: []str{stdout}, frame: o.without(savedPath, savedSize), limit: maxBash}, nil
}

// Saved returns the file in which the host stored the whole output of a Bash
// call, and its size in bytes; the payload then holds only the beginning. The
// path is the payload's word: [SavedFile] checks it.
func (e *Event) Saved() (path string, size int64, ok bool) {
	if e.ToolName != "Bash" {
		return "", 0, false
	}
	o, err := object(e.ToolResponse)
	if err != nil {
		return "", 0, false
	}
	file, err := o.str(savedPath)
	if err != nil || file.is == "" {
		return "", 0, false
	}
	size, err = o.int(savedSize)
	return file.is, size, err == nil
}

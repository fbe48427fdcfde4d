package hook

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// MaxSaved bounds the saved outputs that are read.
const MaxSaved = 64 << 20

var (
	// ErrNotOurs reports a path that is no saved output of this session: another
	// place, a link on the way, not a plain file, another owner. A tool can print
	// any path it likes, so such a result is left alone altogether.
	ErrNotOurs = errors.New("no saved output of this session")
	// ErrTooLarge reports a saved output over [MaxSaved].
	ErrTooLarge = errors.New("saved output too large")
)

const (
	resultsDir     = "tool-results"
	persistedOpen  = "<persisted-output>"
	persistedClose = "</persisted-output>"
	persistedPath  = "Full output saved to: "
)

// Persisted returns the path in the text that the host shows a model instead of
// a large output. It reports whether t is such a text, from end to end; the path
// is only what t says: [SavedFile] checks it.
func Persisted(t string) (path string, ok bool) {
	body, ok := strings.CutPrefix(strings.TrimSpace(t), persistedOpen+"\n")
	if !ok || !strings.HasSuffix(body, "\n"+persistedClose) {
		return "", false
	}
	line, _, _ := strings.Cut(body, "\n")
	_, path, ok = strings.Cut(line, persistedPath)
	return path, ok && path != ""
}

// SavedFile returns the content of a tool output that the host saved for this
// session. It reads only a regular file that belongs to uid, directly inside
// SESSION/tool-results, where SESSION is a folder named sessionID and, when the
// session's transcript is known, the folder beside it; none of the three may be
// a link. Anything else is an [ErrNotOurs]. A missing or oversized file is an
// error of another kind: the payload's own text can stand in for it.
//
// partial reports that the file's size changed meanwhile.
func SavedFile(path, sessionID, transcript string, uid int) (content string, partial bool, err error) {
	session, err := sessionFolder(path, sessionID, transcript)
	if err != nil {
		return "", false, savedErr(err)
	}
	f, err := openPlain(session, resultsDir, filepath.Base(path))
	if err != nil {
		return "", false, savedErr(err)
	}
	defer f.Close()
	content, partial, err = readOwned(f, uid)
	if err != nil {
		return "", false, savedErr(err)
	}
	return content, partial, nil
}

// savedErr leaves the path out: at one door it is a part of the output.
func savedErr(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	return fmt.Errorf("saved output: %w", err)
}

// sessionFolder returns the session's folder if path is where this session's
// outputs are saved. It looks at names only.
func sessionFolder(path, sessionID, transcript string) (string, error) {
	if !filepath.IsAbs(path) || filepath.Clean(path) != path {
		return "", ErrNotOurs
	}
	results := filepath.Dir(path)
	session := filepath.Dir(results)
	switch {
	case filepath.Base(results) != resultsDir:
		return "", ErrNotOurs
	case sessionID == "" || filepath.Base(session) != sessionID:
		return "", ErrNotOurs
	case transcript != "" && strings.TrimSuffix(filepath.Clean(transcript), ".jsonl") != session:
		return "", ErrNotOurs
	}
	return session, nil
}

// readOwned reads f if it is a regular file of uid.
func readOwned(f *os.File, uid int) (string, bool, error) {
	fi, err := f.Stat()
	if err != nil {
		return "", false, err
	}
	if owner, ok := ownerOf(fi); !ok || owner != uid || fi.Mode().Type() != fs.FileMode(0) {
		return "", false, ErrNotOurs
	}
	if fi.Size() > MaxSaved {
		return "", false, ErrTooLarge
	}
	var b strings.Builder
	b.Grow(int(fi.Size()))
	n, err := io.Copy(&b, io.LimitReader(f, MaxSaved+1))
	if err != nil {
		return "", false, err
	}
	if n > MaxSaved {
		return "", false, ErrTooLarge
	}
	return b.String(), n != fi.Size(), nil
}

package doctor

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"winnow/internal/host"
)

// session is one session's file of the client.
type session struct {
	id, path string
	changed  time.Time
}

// sessions lists the client's session files, the newest first.
func (f *facts) sessions() []session {
	dir := host.UserDir(f.Getenv)
	if dir == "" {
		return nil
	}
	projects, _ := os.ReadDir(filepath.Join(dir, "projects")) // no folder: no session
	var out []session
	for _, p := range projects {
		files, _ := os.ReadDir(filepath.Join(dir, "projects", p.Name()))
		for _, e := range files {
			id, ok := strings.CutSuffix(e.Name(), ".jsonl")
			if !ok || !idRE.MatchString(id) || e.Type() != fs.FileMode(0) {
				continue
			}
			if fi, err := e.Info(); err == nil {
				out = append(out, session{id, filepath.Join(dir, "projects", p.Name(), e.Name()), fi.ModTime()})
			}
		}
	}
	slices.SortFunc(out, func(a, b session) int { return b.changed.Compare(a.changed) })
	return out
}

var idRE = regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`)

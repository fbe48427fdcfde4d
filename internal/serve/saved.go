package serve

import (
	"net/http"
	"os"
	"path/filepath"

	"winnow/internal/api"
	"winnow/internal/hook"
)

// room takes the turn of a large body for a result whose saved output is large:
// the door reads it whole. It says no where that turn does not come in time.
func (s *Server) room(r *http.Request, paths []string) bool {
	m, ok := r.Body.(*meter)
	if !ok || m.turn {
		return ok
	}
	for _, path := range paths {
		if savedSize(path) <= large {
			continue
		}
		if !m.take() {
			s.o.Counters.Add("refused.busy", 1)
			return false
		}
		return true
	}
	return true
}

// savedSize is how large a saved output is. The door checks whose it is and opens
// it; here only names that it might open are looked at.
func savedSize(path string) int64 {
	if !filepath.IsAbs(path) || filepath.Base(filepath.Dir(path)) != "tool-results" {
		return 0
	}
	fi, err := os.Lstat(path)
	if err != nil || !fi.Mode().IsRegular() {
		return 0
	}
	return fi.Size()
}

// savedIn lists the files that a result of the mod's points to.
func savedIn(req *api.ResultRequest) (paths []string) {
	for _, t := range req.Texts {
		if path, ok := hook.Persisted(t); ok {
			paths = append(paths, path)
		}
	}
	return paths
}

// savedOf is the file that a hook payload points to.
func savedOf(e *hook.Event) []string {
	if path, _, ok := e.Saved(); ok {
		return []string{path}
	}
	return nil
}

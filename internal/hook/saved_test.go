//go:build unix

package hook

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// session is a session's folder with one saved output in it.
type session struct{ root, dir, file, transcript string }

func newSession(t *testing.T) session {
	t.Helper()
	s := session{root: t.TempDir()}
	s.dir = filepath.Join(s.root, "sid")
	s.transcript = s.dir + ".jsonl"
	s.file = filepath.Join(s.dir, "tool-results", "b1.txt")
	for _, f := range []string{s.file, filepath.Join(s.root, "elsewhere", "tool-results", "b1.txt")} {
		if err := os.MkdirAll(filepath.Dir(f), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f, []byte("all of it\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestSavedFile(t *testing.T) {
	me := os.Getuid()
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		want error // nil: read
		do   func(t *testing.T, s *session, uid *int, sid *string)
	}{
		{"ours", nil, nil},
		{"ours, transcript unknown", nil, func(_ *testing.T, s *session, _ *int, _ *string) { s.transcript = "" }},
		{"missing", fs.ErrNotExist, func(_ *testing.T, s *session, _ *int, _ *string) { s.file += "x" }},
		{"too large", ErrTooLarge, func(t *testing.T, s *session, _ *int, _ *string) { must(t, os.Truncate(s.file, MaxSaved+1)) }},
		{"just fits", nil, func(t *testing.T, s *session, _ *int, _ *string) { must(t, os.Truncate(s.file, 10)) }},
		{"another owner", ErrNotOurs, func(_ *testing.T, _ *session, uid *int, _ *string) { *uid++ }},
		{"another session", ErrNotOurs, func(_ *testing.T, _ *session, _ *int, sid *string) { *sid = "other" }},
		{"no session", ErrNotOurs, func(_ *testing.T, _ *session, _ *int, sid *string) { *sid = "" }},
		{"not beside the transcript", ErrNotOurs, func(_ *testing.T, s *session, _ *int, _ *string) { s.transcript = s.root + "/deeper/sid.jsonl" }},
		{"relative", ErrNotOurs, func(_ *testing.T, s *session, _ *int, _ *string) { s.file = "sid/tool-results/b1.txt" }},
		{"dots", ErrNotOurs, func(_ *testing.T, s *session, _ *int, _ *string) {
			s.file = s.root + "/elsewhere/../sid/tool-results/b1.txt"
		}},
		{"deeper", ErrNotOurs, func(_ *testing.T, s *session, _ *int, _ *string) { s.file = s.dir + "/tool-results/sub/b1.txt" }},
		{"another folder", ErrNotOurs, func(_ *testing.T, s *session, _ *int, _ *string) { s.file = s.dir + "/subagents/b1.txt" }},
		{"a link", ErrNotOurs, func(t *testing.T, s *session, _ *int, _ *string) {
			must(t, os.Remove(s.file))
			must(t, os.Symlink(filepath.Join(s.root, "elsewhere", "tool-results", "b1.txt"), s.file))
		}},
		{"a linked tool-results", ErrNotOurs, func(t *testing.T, s *session, _ *int, _ *string) {
			must(t, os.RemoveAll(filepath.Dir(s.file)))
			must(t, os.Symlink(filepath.Join(s.root, "elsewhere", "tool-results"), filepath.Dir(s.file)))
		}},
		{"a linked session", ErrNotOurs, func(t *testing.T, s *session, _ *int, _ *string) {
			must(t, os.RemoveAll(s.dir))
			must(t, os.Symlink(filepath.Join(s.root, "elsewhere"), s.dir))
		}},
		{"a folder", ErrNotOurs, func(t *testing.T, s *session, _ *int, _ *string) {
			must(t, os.Remove(s.file))
			must(t, os.Mkdir(s.file, 0o700))
		}},
		{"a pipe", ErrNotOurs, func(t *testing.T, s *session, _ *int, _ *string) {
			must(t, os.Remove(s.file))
			must(t, syscall.Mkfifo(s.file, 0o600))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, uid, sid := newSession(t), me, "sid"
			if c.do != nil {
				c.do(t, &s, &uid, &sid)
			}
			got, partial, err := SavedFile(s.file, sid, s.transcript, uid)
			if !errors.Is(err, c.want) || c.want == nil && (got != "all of it\n" || partial) {
				t.Errorf("SavedFile = %.20q, %v, %v, want %v", got, partial, err, c.want)
			}
			if err != nil && got != "" {
				t.Errorf("SavedFile = %.20q beside %v", got, err)
			}
		})
	}
}

func TestPersisted(t *testing.T) {
	block := func(head string) string {
		return "<persisted-output>\n" + head + "\n\nPreview (first 2KB):\nline 1\n...\n</persisted-output>"
	}
	for _, c := range []struct{ name, text, want string }{
		{"the host's", block("Output too large (175.8KB). Full output saved to: /h/p/s/tool-results/b.txt"), "/h/p/s/tool-results/b.txt"},
		{"a path with spaces", block("Output too large (1MB). Full output saved to: /h/my p/tool-results/b.txt"), "/h/my p/tool-results/b.txt"},
		{"a path in another line only", block("Output too large.\nFull output saved to: /etc/passwd"), ""},
		{"something before it", "x\n" + block("Full output saved to: /p"), ""},
		{"something after it", block("Full output saved to: /p") + "\nx", ""},
		{"no path", block("Output too large. Full output saved to: "), ""},
		{"only a mention", "<persisted-output> is a tag", ""},
		{"empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, ok := Persisted(c.text); got != c.want || ok != (c.want != "") {
				t.Errorf("Persisted = %q, %v, want %q", got, ok, c.want)
			}
		})
	}
}

package recall

import (
	"os"
	"path/filepath"
	"testing"

	"winnow/internal/marker"
)

// A store whose file was removed or replaced under it writes to the file that
// is there: what is hidden now must be found after a restart.
func TestPutAfterTheFileWasRemoved(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"removed": os.Remove,
		"renamed": func(path string) error { return os.Rename(path, path+".away") },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			s, err := Open(path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			text := "hidden after the file was gone"
			is := Issue{Key: marker.KeyOf(text), First: 1, Last: 1, Session: "s", Loop: "main", ToolUseID: "t"}
			if err := s.Put([]Item{{Text: text, Issue: is}}); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if s, err = Open(path, Options{}); err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if got, err := s.Get(is.Key); got != text || err != nil {
				t.Errorf("Get after reopening = %q, %v, want %q", got, err, text)
			}
		})
	}
}

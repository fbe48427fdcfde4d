package recall

import (
	"os"
	"path/filepath"
	"testing"

	"winnow/internal/marker"
)

// A store on a disk that takes no writing is read and stays as it is, also a
// damaged one.
func TestReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	s, err := Open(path, Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	key := marker.KeyOf("hidden")
	if err := s.Put([]Item{{Text: "hidden", Issue: Issue{Key: key, First: 1, Last: 1}}}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ro, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ro.Get(key); got != "hidden" || err != nil {
		t.Errorf("Get = %q, %v", got, err)
	}
	if err := ro.Put([]Item{{Text: "more", Issue: Issue{Key: marker.KeyOf("more")}}}); err == nil {
		t.Error("Put wrote")
	}
	if err := ro.Close(); err != nil {
		t.Error(err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the file changed: %v", err)
	}
	if err := os.WriteFile(path, []byte("no store, but long enough to be looked at"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(path, Options{ReadOnly: true}); err == nil {
		s.Close()
		t.Error("a damaged store was opened")
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the damaged file was set aside: %v", err)
	}
}

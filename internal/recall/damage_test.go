package recall

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"winnow/internal/marker"
)

// sample writes a closed store with some hundred originals and returns its
// bytes and items.
func sample(t testing.TB) ([]byte, []Item) {
	t.Helper()
	path := filepath.Join(t.TempDir(), FileName)
	s, err := Open(path, Options{NoSync: true, Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	var items []Item
	for i := range 120 {
		text := fmt.Sprintf("original %d ", i) + noise(i*15) + strings.Repeat("x", i*80)
		items = append(items, item(text, Issue{First: i + 1, Session: "s", Loop: "main", ToolUseID: fmt.Sprint("t", i)}))
	}
	for i := 0; i < len(items); i += 20 {
		put(t, s, items[i:i+20]...)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b, items
}

// usable checks that whatever was in the file, the store at path opens, never
// gives wrong bytes, and takes and gives new originals.
func usable(t *testing.T, path string, items []Item) *Store {
	t.Helper()
	s, err := Open(path, Options{NoSync: true})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for _, it := range items {
		if got, err := s.Get(it.Issue.Key); err == nil && got != it.Text {
			t.Fatalf("Get(%s) gave other bytes than were stored", it.Issue.Key)
		}
		s.Live(it.Issue.Key)
		s.Issued(it.Issue.Key, "s")
	}
	s.CutCalls("s", "main")
	fresh := item("after the damage", Issue{Session: "s", ToolUseID: "new"})
	// A page that only a Put reads may be what is bad; the Put after that works.
	if err := s.Put([]Item{fresh}); err != nil && s.Put([]Item{fresh}) != nil {
		t.Fatalf("two Puts failed, the first with %v", err)
	}
	if got, err := s.Get(fresh.Issue.Key); err != nil || got != fresh.Text {
		t.Fatalf("Get after Put = %q, %v", got, err)
	}
	return s
}

func TestDamagedFiles(t *testing.T) {
	good, items := sample(t)
	foreign := func(o bolt.Options, name string) []byte {
		path := filepath.Join(t.TempDir(), "x.db")
		db, err := bolt.Open(path, 0o600, &o)
		if err != nil {
			t.Fatal(err)
		}
		err = db.Update(func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte(name)); return err })
		if err = errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	page := os.Getpagesize()
	heads := func(b []byte) []byte { return append(bytes.Clone(good[:2*page]), b...) }
	for name, content := range map[string][]byte{
		"zero-length":       {},
		"one byte":          {7},
		"text":              []byte(strings.Repeat("this is no database\n", 4000)),
		"short text":        []byte("this is no database\n"),
		"zeros":             make([]byte, 64<<10),
		"heads only":        heads(nil),
		"heads and noise":   heads([]byte(noise(len(good) - 2*page))),
		"heads and zeros":   heads(make([]byte, len(good)-2*page)),
		"half":              good[:len(good)/2],
		"half a page":       good[:page/2],
		"first head only":   good[:page],
		"no first head":     append(make([]byte, page), good[page:]...),
		"no heads":          append(make([]byte, 2*page), good[2*page:]...),
		"another's":         foreign(bolt.Options{}, "other"),
		"without freelist":  foreign(bolt.Options{NoFreelistSync: true}, "other"),
		"pages of 1 KB":     foreign(bolt.Options{PageSize: 1024}, "other"),
		"meta of no layout": foreign(bolt.Options{}, "meta"),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			do(t, os.WriteFile(path, content, 0o600))
			s := usable(t, path, items)
			if name == "no first head" { // bbolt keeps two for this
				return
			}
			kept, err := os.ReadFile(s.Damaged())
			if want := path + ".damaged-1"; s.Damaged() != want || err != nil {
				t.Fatalf("Damaged = %q, %v; want %q", s.Damaged(), err, want)
			}
			if !bytes.Equal(kept, content) && name != "zero-length" {
				t.Errorf("the file set aside is not the damaged one: %d bytes of %d", len(kept), len(content))
			}
		})
	}
}

func do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestBadPages spoils a valid file in many ways, as a crash or a disk does.
func TestBadPages(t *testing.T) {
	good, items := sample(t)
	r := rand.New(rand.NewPCG(1, 2))
	aside := 0
	for round := range 40 {
		b := bytes.Clone(good)
		switch at := r.IntN(len(b)); round % 4 {
		case 0: // a page of noise
			at &^= 4095
			copy(b[at:min(at+4096, len(b))], noise(4096))
		case 1: // a run of zeros
			clear(b[at:min(at+r.IntN(9000), len(b))])
		case 2: // single bits, heads spared
			for range 50 {
				b[8192+r.IntN(len(b)-8192)] ^= 1 << r.IntN(8)
			}
		case 3:
			b = b[:at]
		}
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			do(t, os.WriteFile(path, b, 0o600))
			if usable(t, path, items).Damaged() != "" {
				aside++
			}
		})
	}
	if aside < 13 {
		t.Errorf("only %d of 40 spoilt files were noticed: is this test spoiling them?", aside)
	}
}

// TestDamageWhileOpen spoils the file under an open store: the mapping shows it
// at once, and a cut file faults.
func TestDamageWhileOpen(t *testing.T) {
	good, items := sample(t)
	for name, spoil := range map[string]func(path string) error{
		"cut to nothing": func(p string) error { return os.Truncate(p, 0) },
		"cut to a page":  func(p string) error { return os.Truncate(p, 4096) },
		"noise": func(p string) error {
			f, err := os.OpenFile(p, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.WriteAt([]byte(noise(len(good)-8192)), 8192)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			do(t, os.WriteFile(path, good, 0o600))
			s, err := Open(path, Options{NoSync: true})
			do(t, err)
			t.Cleanup(func() { _ = s.Close() })
			do(t, spoil(path))
			failed := 0
			for _, it := range items {
				if got, err := s.Get(it.Issue.Key); err == nil && got != it.Text {
					t.Fatalf("Get(%s) gave other bytes", it.Issue.Key)
				} else if err != nil {
					failed++
				}
			}
			if failed == 0 {
				t.Error("no Get failed on a spoilt file")
			}
			fresh := item("after the damage", Issue{})
			if err := s.Put([]Item{fresh}); err != nil {
				put(t, s, fresh)
			}
			if got, err := s.Get(fresh.Issue.Key); err != nil || got != fresh.Text || !s.Live(fresh.Issue.Key) {
				t.Errorf("Get after Put = %q, %v", got, err)
			}
			if s.Damaged() == "" {
				t.Error("Damaged() says nothing")
			}
		})
	}
}

func TestEndlessDamageIsGivenUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	s, err := Open(path, Options{NoSync: true})
	do(t, err)
	for range maxHeals + 3 {
		do(t, errors.Join(s.Put([]Item{item("x", Issue{})})))
		err = nil
		if terr := os.Truncate(path, 0); terr != nil {
			t.Fatal(terr)
		}
		for range 2 {
			if _, err = s.Get(marker.KeyOf("x")); errors.Is(err, ErrClosed) {
				break
			}
		}
		if errors.Is(err, ErrClosed) {
			break
		}
	}
	if !errors.Is(err, ErrClosed) {
		t.Errorf("Get = %v, want %v after %d replacements", err, ErrClosed, maxHeals)
	}
	do(t, s.Close())
}

func TestNewerLayoutIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	s, err := Open(path, Options{NoSync: true})
	do(t, err)
	do(t, s.update(func(tx *bolt.Tx) error { return tx.Bucket(bMeta).Put([]byte("version"), []byte("2")) }))
	do(t, s.Close())
	before, err := os.ReadFile(path)
	do(t, err)
	if _, err := Open(path, Options{}); !errors.Is(err, ErrNewer) {
		t.Errorf("Open = %v, want %v", err, ErrNewer)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file was changed (%v)", err)
	}
}

func TestOpenFailsWithoutTouching(t *testing.T) {
	dir := t.TempDir()
	do(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	do(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	for _, path := range []string{filepath.Join(dir, "folder"), filepath.Join(dir, "file", "x.db"), "/dev/null"} {
		if s, err := Open(path, Options{}); err == nil {
			t.Errorf("Open(%s) gave a store and damaged %q", path, s.Damaged())
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 2 {
		t.Errorf("files after failed openings: %v, %v", list, err)
	}
}

package seen

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/text"
)

func filled() *loop {
	l := newLoop(Options{Seed: [16]byte{1, 2, 3}})
	for i := range 50 {
		l.show(l.begin(fmt.Sprint("c", i)), lines(i*7, i*7+30), Span{3, 9})
	}
	return l
}

func TestRestore(t *testing.T) {
	l := filled()
	raw, err := l.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Restore(raw, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(l.Sources(), back.Sources()); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	again, err := back.MarshalBinary()
	if err != nil || string(again) != string(raw) {
		t.Errorf("stored once more it has %d bytes, want the same %d (%v)", len(again), len(raw), err)
	}
	two := &loop{Ledger: back, calls: append([]string(nil), l.calls...), at: l.at}
	for _, s := range []string{lines(300, 360), lines(1, 400), lines(340, 343)} {
		if diff := cmp.Diff(at(l.match(s)), at(two.match(s))); diff != "" {
			t.Errorf("Match after a restart (-before +after):\n%s", diff)
		}
	}
}

func TestRestoreRefuses(t *testing.T) {
	raw, err := filled().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	other := append([]byte(nil), raw...)
	other[len(magic)-1]++
	flipped := append([]byte(nil), raw...)
	flipped[len(flipped)/2] ^= 4
	for name, b := range map[string][]byte{"nothing": nil, "another version": other, "a changed byte": flipped, "cut short": raw[:len(raw)-9], "longer": append(raw[:len(raw):len(raw)], 0)} {
		if _, err := Restore(b, Options{}); !errors.Is(err, ErrStored) {
			t.Errorf("%s: Restore error = %v, want ErrStored", name, err)
		}
	}
}

func FuzzRestore(f *testing.F) {
	raw, err := filled().MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw[len(magic) : len(raw)-4])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		// Behind a true checksum, so that the contents are looked at.
		b := sealed(append([]byte(magic), body...))
		l, err := Restore(b, Options{Lines: 1000})
		if err != nil {
			return
		}
		l.Begin("x", nil, start)
		for _, m := range l.Match("x", l.Lines(text.Split(lines(1, 60)))) {
			if m.Line < 0 || m.Ago < 1 || m.End >= 60 {
				t.Errorf("match %+v", m)
			}
		}
		if _, err := l.MarshalBinary(); err != nil {
			t.Error(err)
		}
	})
}

func TestBook(t *testing.T) {
	dir := t.TempDir()
	now := start
	clock := func() time.Time { return now }
	stands := func(b *Book, session, loop string) (found bool) {
		b.With(session, loop, func(l *Ledger) {
			l.Begin("y", []string{"x"}, now)
			found = len(l.Match("y", l.Lines(text.Split(lines(1, 20))))) > 0
		})
		return found
	}
	b := open(t, dir, clock)
	b.With("s", "main", func(l *Ledger) {
		in := &loop{Ledger: l, at: now}
		in.show(in.begin("x"), lines(1, 20))
	})
	for _, tc := range []struct {
		name, session, loop string
		want                bool
	}{{"the loop", "s", "main", true}, {"a subagent", "s", "agent1", false}, {"another session", "t", "main", false}} {
		if got := stands(b, tc.session, tc.loop); got != tc.want {
			t.Errorf("%s: stands = %v, want %v", tc.name, got, tc.want)
		}
	}
	if stands(open(t, dir, clock), "s", "main") {
		t.Error("known in another process before it was written")
	}
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	if !stands(open(t, dir, clock), "s", "main") {
		t.Error("forgotten by a restart")
	}
	b.With("s", "main", func(l *Ledger) { l.Forget() })
	if stands(open(t, dir, clock), "s", "main") {
		t.Error("what was forgotten came back")
	}
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	if files, _ := os.ReadDir(filepath.Join(dir, Folder)); len(files) != 0 {
		t.Errorf("%d files left of ledgers that hold nothing", len(files))
	}
}

func TestBookFiles(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, nil)
	show := func(session string) {
		b.With(session, "main", func(l *Ledger) {
			in := &loop{Ledger: l, at: time.Now()}
			in.show(in.begin("x"), lines(1, 20))
		})
	}
	for i := range MaxLoops + 5 {
		show(fmt.Sprint(i))
	}
	if len(b.loops) > MaxLoops {
		t.Errorf("%d ledgers in memory", len(b.loops))
	}
	files, _ := filepath.Glob(filepath.Join(dir, Folder, "*.ledger"))
	if len(files) != 5 {
		t.Fatalf("%d files for 5 ledgers that were let go of", len(files))
	}
	b.With("0", "main", func(l *Ledger) {
		if !l.Stands("x") {
			t.Error("a ledger that was let go of did not come back")
		}
	})
	if err := os.WriteFile(files[1], []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	show("1")
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(files[2], old, old); err != nil {
		t.Fatal(err)
	}
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(files[3]); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("file %v, %v", fi, err)
	}
	open(t, dir, nil)
	if _, err := os.Stat(files[2]); err == nil {
		t.Error("a file of two hours ago is still there")
	}
}

func open(t *testing.T, dir string, now func() time.Time) *Book {
	t.Helper()
	b, err := OpenBook(dir, Options{}, now)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Files that say nothing any more go while the daemon lives, too.
func TestBookSweeps(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	b := open(t, dir, func() time.Time { return now })
	for i := range MaxLoops + 20 {
		b.With("s", fmt.Sprint("agent", i), func(l *Ledger) {
			in := &loop{Ledger: l, at: now}
			in.show(in.begin("x"), lines(1, 20))
		})
	}
	count := func() int {
		t.Helper()
		if err := b.Flush(); err != nil {
			t.Fatal(err)
		}
		files, err := os.ReadDir(filepath.Join(dir, Folder))
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	if n := count(); n != MaxLoops+20 {
		t.Errorf("%d files, want %d", n, MaxLoops+20)
	}
	now = now.Add(59 * time.Minute)
	if n := count(); n != MaxLoops+20 {
		t.Errorf("%d files after 59 minutes, want %d", n, MaxLoops+20)
	}
	now = now.Add(2 * time.Minute)
	if n := count(); n != 0 {
		t.Errorf("%d files after an hour of nothing", n)
	}
}

// A folder that cannot be written costs what was learnt, and says so.
func TestBookUnwritable(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, time.Now)
	show := func() {
		b.With("s", "main", func(l *Ledger) {
			in := &loop{Ledger: l, at: time.Now()}
			in.show(in.begin("x"), lines(1, 20))
		})
	}
	show()
	if err := os.RemoveAll(filepath.Join(dir, Folder)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, Folder), nil, 0o400); err != nil { // a folder that root could write is none
		t.Fatal(err)
	}
	if err := b.Flush(); err == nil {
		t.Error("Flush into no folder = nil")
	}
	b.With("s", "main", func(l *Ledger) {
		if len(l.Sources()) != 1 {
			t.Error("what this process knows is gone")
		}
	})
	if _, err := OpenBook(dir, Options{}, nil); err == nil {
		t.Error("OpenBook = nil error")
	}
}

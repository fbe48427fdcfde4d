package seen

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Folder is the name of the ledgers' folder in the state folder.
const Folder = "seen"

// MaxLoops is how many ledgers are held in memory; of the others the files say
// what they knew.
const MaxLoops = 32

// Book holds the ledgers of all loops, each in a file of its own. Its methods
// may be called at the same time; a ledger is lent to one at a time.
type Book struct {
	dir string // "": nothing is kept beyond the process
	o   Options
	now func() time.Time

	mu    sync.Mutex // guards loops, used, swept and o.Chars; a ledger's comes before it
	loops map[string]*held
	used  int64
	swept time.Time
}

// held is a ledger in memory. mu guards l, dirty and gone; whoever holds the
// book's only tries it.
type held struct {
	path string
	used int64

	mu    sync.Mutex
	l     *Ledger
	dirty bool
	gone  bool // let go of: another one stands for the loop now
}

// OpenBook opens the book in a state folder; an empty one keeps nothing. Files
// that are too old to be of use are removed. A nil now is time.Now.
func OpenBook(state string, o Options, now func() time.Time) (*Book, error) {
	if now == nil {
		now = time.Now
	}
	b := &Book{o: o.defaults(), now: now, loops: map[string]*held{}}
	if _, err := rand.Read(b.o.Seed[:]); err != nil {
		return nil, fmt.Errorf("open ledgers: %w", err)
	}
	if state == "" {
		return b, nil
	}
	b.dir = filepath.Join(state, Folder)
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return nil, fmt.Errorf("open ledgers: %w", err)
	}
	b.sweep()
	return b, nil
}

// Now is the book's clock.
func (b *Book) Now() time.Time { return b.now() }

// Reach sets how many characters back a reference may point, see [Options].
func (b *Book) Reach(chars int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.o.Chars = chars
}

// sweep removes files that say nothing any more: those of loops that were still
// for too long, and what a writer left half-written.
func (b *Book) sweep() {
	b.swept = b.now()
	files, _ := os.ReadDir(b.dir)
	for _, f := range files {
		if fi, err := f.Info(); err == nil && fi.Mode().IsRegular() && b.now().Sub(fi.ModTime()) > b.o.Idle {
			_ = os.Remove(filepath.Join(b.dir, f.Name()))
		}
	}
}

// With lends the ledger of a loop to do.
func (b *Book) With(session, loop string, do func(*Ledger)) {
	h := b.hold(session, loop)
	for h.mu.Lock(); h.gone; h.mu.Lock() {
		h.mu.Unlock()
		h = b.hold(session, loop)
	}
	defer h.mu.Unlock()
	if h.l == nil {
		h.l = b.load(h.path)
	}
	b.mu.Lock()
	h.l.o.Chars = b.o.Chars
	b.mu.Unlock()
	known := len(h.l.entries)
	h.dirty = true
	do(h.l)
	if known > 0 && len(h.l.entries) == 0 && h.path != "" {
		_ = os.Remove(h.path) // what is forgotten must not come back
	}
}

func (b *Book) hold(session, loop string) *held {
	key := session + "\x00" + loop
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used++
	h := b.loops[key]
	if h == nil {
		h = &held{}
		if b.dir != "" {
			sum := sha256.Sum256([]byte(key))
			h.path = filepath.Join(b.dir, hex.EncodeToString(sum[:12])+".ledger")
		}
		h.used = b.used // before the others are let go of: it is the newest
		b.loops[key] = h
		b.evict()
	}
	h.used = b.used
	return h
}

// evict lets go of the loops that were not used for longest; b.mu is held. One
// that is lent at the moment stays.
func (b *Book) evict() {
	for len(b.loops) > MaxLoops {
		oldest := ""
		for key, h := range b.loops {
			if oldest == "" || h.used < b.loops[oldest].used {
				oldest = key
			}
		}
		h := b.loops[oldest]
		if h == nil || !h.mu.TryLock() {
			return
		}
		_ = h.save()
		h.gone = true
		delete(b.loops, oldest)
		h.mu.Unlock()
	}
}

// load reads a stored ledger; what cannot be read is forgotten.
func (b *Book) load(path string) *Ledger {
	b.mu.Lock()
	o := b.o
	b.mu.Unlock()
	if path == "" {
		return New(o)
	}
	raw, err := readLedger(path)
	if err != nil {
		return New(o)
	}
	l, err := Restore(raw, o)
	if err != nil {
		_ = os.Remove(path)
		return New(o)
	}
	return l
}

// maxFile bounds what is read back: more than a ledger at its bound takes.
const maxFile = 16 << 20

func readLedger(path string) ([]byte, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() || fi.Size() > maxFile {
		return nil, ErrStored
	}
	return os.ReadFile(path)
}

// Flush writes every ledger that changed since it was written. A crash before
// costs what was learnt since: nothing is then believed shown that was not.
func (b *Book) Flush() error {
	b.mu.Lock()
	if b.dir != "" && b.now().Sub(b.swept) >= b.o.Idle {
		b.sweep() // a daemon may live for weeks, and every subagent has a file
	}
	all := make([]*held, 0, len(b.loops))
	for _, h := range b.loops {
		all = append(all, h)
	}
	b.mu.Unlock()
	var errs []error
	for _, h := range all {
		h.mu.Lock()
		errs = append(errs, h.save())
		h.mu.Unlock()
	}
	return errors.Join(errs...)
}

// save writes the ledger; h.mu is held.
func (h *held) save() error {
	if h.path == "" || h.l == nil || !h.dirty {
		return nil
	}
	if len(h.l.entries) == 0 {
		h.dirty = false
		if err := os.Remove(h.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove ledger: %w", err)
		}
		return nil
	}
	raw, err := h.l.MarshalBinary()
	if err == nil {
		err = writeLedger(h.path, raw)
	}
	if err != nil {
		return fmt.Errorf("write ledger: %w", err)
	}
	h.dirty = false
	return nil
}

// writeLedger writes beside the file and renames, so that a reader finds all of
// one version.
func writeLedger(path string, raw []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "*.new") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(raw)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

package decisions

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"time"
)

// maxLine bounds a line that is read; a longer one is none of ours.
const maxLine = 4 << 20

// ErrLine is what a line that is no record is yielded with: torn by a crash or
// a full disk, or edited.
var ErrLine = errors.New("not a record")

// All yields the records of the log at path, oldest first, those of the older
// files included. A bad line is yielded as [ErrLine], then it goes on; any other
// error is the last.
func All(path string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		files, err := openAll(path)
		defer func() {
			for _, f := range files {
				f.Close()
			}
		}()
		if err != nil {
			yield(Record{}, err)
			return
		}
		for i := len(files) - 1; i >= 0; i-- {
			if !readLines(newLines(files[i]), true, yield) {
				return
			}
		}
	}
}

// openAll opens the present file and the older ones, newest first: in that order
// a file that is set aside meanwhile is met twice and never missed.
func openAll(path string) ([]*os.File, error) {
	var files []*os.File
	for n := range kept + 1 {
		f, err := openPlain(older(path, n), os.O_RDONLY)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return files, err
		case len(files) > 0 && sameFile(files[len(files)-1], f):
			f.Close()
			continue
		}
		files = append(files, f)
	}
	return files, nil
}

func sameFile(a, b *os.File) bool {
	x, err := a.Stat()
	y, err2 := b.Stat()
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// readLines yields the records up to the end of what is there; false: the
// reader has had enough, or the file cannot be read. last says that an unended
// line at the end counts, too.
func readLines(in *lines, last bool, yield func(Record, error) bool) bool {
	for {
		line, long, err := in.next(last)
		switch {
		case errors.Is(err, io.EOF):
			return true
		case err != nil:
			yield(Record{}, err)
			return false
		case len(line) == 0 && !long:
			continue
		}
		var r Record
		if long || json.Unmarshal(line, &r) != nil || r.Time.IsZero() {
			if !yield(Record{}, ErrLine) {
				return false
			}
			continue
		}
		if !yield(r, nil) {
			return false
		}
	}
}

// lines cuts a growing file into lines; an unfinished one is kept for later.
type lines struct {
	f    *os.File
	r    *bufio.Reader
	part []byte
	long bool
	read int64
}

func newLines(f *os.File) *lines { return &lines{f: f, r: bufio.NewReaderSize(f, 64<<10)} }

// next returns the next line without its "\n", good until the next call, or
// io.EOF where there is no more for now. long: the line was too long to keep.
func (l *lines) next(last bool) (line []byte, long bool, err error) {
	for {
		b, err := l.r.ReadSlice('\n')
		l.read += int64(len(b))
		if len(l.part)+len(b) > maxLine {
			l.part, l.long = l.part[:0], true
		} else if !l.long {
			l.part = append(l.part, b...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && !(last && (len(l.part) > 0 || l.long)):
			return nil, false, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, false, err
		}
		line, long = bytes.TrimSuffix(l.part, []byte("\n")), l.long
		l.part, l.long = l.part[:0], false
		return line, long, nil
	}
}

// Follow yields the records that are written from now on, after the last n that
// are there, until ctx is done. It asks the file every so often: a watch would
// not see a folder that comes later.
func Follow(ctx context.Context, path string, n int, every time.Duration) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		var in *lines
		open := func() {
			if f, err := openPlain(path, os.O_RDONLY); err == nil {
				in = newLines(f)
			}
		}
		open()
		defer func() {
			if in != nil {
				in.f.Close()
			}
		}()
		if !last(path, n, in, yield) {
			return
		}
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			gone := in != nil && in.gone(path)
			if in != nil && !readLines(in, gone, yield) {
				return
			}
			if gone {
				in.f.Close()
				in = nil
			}
			if in == nil {
				open()
				if in != nil {
					continue
				}
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}
}

// last yields the n newest records up to where in stands, and moves in to its end.
func last(path string, n int, in *lines, yield func(Record, error) bool) bool {
	if in == nil {
		return true
	}
	var ring []Record
	keep := func(r Record, err error) bool {
		if err == nil {
			ring = append(ring, r)
		}
		if len(ring) > n {
			ring = ring[1:]
		}
		return err == nil || errors.Is(err, ErrLine)
	}
	for i := kept; i > 0; i-- {
		f, err := openPlain(older(path, i), os.O_RDONLY)
		if err != nil {
			continue
		}
		if !sameFile(f, in.f) {
			readLines(newLines(f), true, keep)
		}
		f.Close()
	}
	readLines(in, false, keep)
	for _, r := range ring {
		if !yield(r, nil) {
			return false
		}
	}
	return true
}

// gone reports whether the path leads to another file by now, or this one was cut.
func (l *lines) gone(path string) bool {
	at, err := os.Lstat(path)
	if err != nil {
		return true
	}
	fi, err := l.f.Stat()
	return err != nil || !os.SameFile(at, fi) || fi.Size() < l.read
}

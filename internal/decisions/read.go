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
		defer closeAll(files)
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

// openAll opens the present file and the older ones, newest first, and again
// where they moved on meanwhile.
func openAll(path string) (files []*os.File, err error) {
	for range 20 {
		var present bool
		if files, present, err = tryAll(path); err != nil || present == sees(path, files) {
			return files, err
		}
		closeAll(files)
	}
	return nil, errors.New("decisions are set aside faster than they can be read")
}

// tryAll reports, too, whether the first file is the present one.
func tryAll(path string) (files []*os.File, present bool, err error) {
	for n := range kept + 1 {
		f, err := openPlain(older(path, n), os.O_RDONLY)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			closeAll(files)
			return nil, false, err
		case len(files) > 0 && sameFile(files[len(files)-1], f): // moved under our hands
			f.Close()
			continue
		}
		present = present || n == 0
		files = append(files, f)
	}
	return files, present, nil
}

// sees reports whether the path leads to the first of files.
func sees(path string, files []*os.File) bool {
	at, err := os.Lstat(path)
	if err != nil || len(files) == 0 {
		return false
	}
	fi, err := files[0].Stat()
	return err == nil && os.SameFile(at, fi)
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
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
			if !in.ended { // it may be on its way: a write is not one step for a reader
				return true
			}
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
	// ended says that a "\n" stood behind the last line.
	ended bool
	read  int64
}

// maxRead is how much of a file is read, its end: the log is set aside long before
// it is that large, and whoever asks must not wait for what somebody else wrote.
const maxRead = 64 << 20

func newLines(f *os.File) *lines {
	l := &lines{f: f, r: bufio.NewReaderSize(f, 64<<10)}
	if fi, err := f.Stat(); err == nil && fi.Size() > maxRead {
		if at, err := f.Seek(fi.Size()-maxRead, io.SeekStart); err == nil {
			l.read = at
		}
	}
	return l
}

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
		line, l.ended = bytes.CutSuffix(l.part, []byte("\n"))
		l.ended, long = l.ended || l.long && err == nil, l.long
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
		open := func() error {
			f, err := openPlain(path, os.O_RDONLY)
			if err == nil {
				in = newLines(f)
			}
			return err
		}
		if err := open(); err != nil && !errors.Is(err, fs.ErrNotExist) {
			yield(Record{}, err) // it would be waited for in vain
			return
		}
		defer func() {
			if in != nil {
				in.f.Close()
			}
		}()
		if in != nil {
			rs := lastOf(in, n)
			for _, r := range append(before(path, n-len(rs), in.f), rs...) {
				if !yield(r, nil) {
					return
				}
			}
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
			if in == nil && open() == nil {
				continue
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}
}

// Last returns the n newest records, oldest first.
func Last(path string, n int) ([]Record, error) {
	f, err := openPlain(path, os.O_RDONLY)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return before(path, n, nil), nil
	case err != nil:
		return nil, err
	}
	defer f.Close()
	rs := lastOf(newLines(f), n)
	return append(before(path, n-len(rs), f), rs...), nil
}

// before returns the n newest records of the older files, leaving out what is in
// the present one.
func before(path string, n int, present *os.File) (rs []Record) {
	for i := 1; i <= kept && len(rs) < n; i++ {
		f, err := openPlain(older(path, i), os.O_RDONLY)
		if err != nil {
			continue
		}
		if present == nil || !sameFile(f, present) {
			rs = append(lastOf(newLines(f), n-len(rs)), rs...)
		}
		f.Close()
	}
	return rs
}

// lastOf reads to the end and returns the n newest records.
func lastOf(in *lines, n int) (rs []Record) {
	readLines(in, false, func(r Record, err error) bool {
		if err == nil {
			rs = append(rs, r)
		}
		if len(rs) > n {
			rs = rs[1:]
		}
		return true
	})
	return rs
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

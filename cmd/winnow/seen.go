package main

import (
	"log/slog"
	"time"

	"winnow/internal/seen"
)

// windowChars is the context's window in characters: 200,000 tokens of four.
const windowChars = 800_000

// openSeen opens the ledgers of what loops were shown. Where their folder cannot
// be had, they last as long as the process.
func openSeen(dir string, log *slog.Logger, now func() time.Time) *seen.Book {
	b, err := seen.OpenBook(dir, seen.Options{}, now)
	if err == nil {
		return b
	}
	log.Warn("what loops were shown is not kept beyond this process", "err", err)
	if b, err = seen.OpenBook("", seen.Options{}, now); err == nil {
		return b
	}
	return nil
}

// remember writes down what loops were shown.
func (d *daemon) remember() {
	if d.seen == nil {
		return
	}
	if err := d.seen.Flush(); err != nil {
		d.sayOnce("what loops were shown is not written down", err)
	}
}

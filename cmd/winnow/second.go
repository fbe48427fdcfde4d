package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"winnow/internal/config"
	"winnow/internal/door"
	"winnow/internal/price"
	"winnow/internal/purse"
	"winnow/internal/state"
)

func purseFile(dir state.Dir) string { return filepath.Join(string(dir), purse.FileName) }

// maxLedger bounds the ledger: a year of days and what stands in conversations.
const maxLedger = 8 << 20

// readLedger returns the saved ledger; nil where there is none.
func readLedger(path string) ([]byte, error) {
	fi, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !fi.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a plain file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxLedger))
}

// openDesk opens the second judge's ledger. One that cannot be read may say that
// today's budget is spent.
func openDesk(dir state.Dir, log *slog.Logger, now func() time.Time) *door.Desk {
	path := purseFile(dir)
	saved, err := readLedger(path)
	if err != nil {
		log.Error("the second judge's ledger cannot be read", "err", err)
		saved = []byte("unreadable")
	}
	return &door.Desk{Now: now, Purse: purse.Open(saved, purse.Options{
		Now: now, Log: log, Save: func(b []byte) error { return state.WriteFile(path, b) },
	})}
}

// secondOf is what the second judge goes by under a configuration.
func (d *daemon) secondOf(c config.Config) door.Second {
	if c.Second == config.SecondOff {
		d.desk.Purse.Resume() // who switches it on again means it
		return door.Second{}
	}
	d.desk.Purse.SetBudget(price.Of(c.ClientBudget))
	v := door.Second{Mode: c.Second, Model: c.ClientModel}
	var err error
	if v.Prices, err = price.Load(pricesFile(d.dir)); err != nil {
		v.Why = err.Error()
		d.log.Error("no prices, so the second judge is not asked", "err", err)
		return v
	}
	if v.Rate, v.Priced = v.Prices.For(c.ClientModel); !v.Priced {
		v.Why = fmt.Sprintf("%s has no price: give it one in %s", c.ClientModel, pricesFile(d.dir))
		d.log.Error("no price, so the second judge is not asked", "model", c.ClientModel)
	}
	return v
}

package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"winnow/internal/api"
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

// readMoney sums up the ledger's days. Nobody is in the way of the daemon.
func readMoney(dir state.Dir, from time.Time) (purse.Sum, error) {
	saved, err := readLedger(purseFile(dir))
	if err != nil {
		return purse.Sum{}, fmt.Errorf("read the second judge's ledger: %w", err)
	}
	return purse.Read(saved, from)
}

func printMoney(w io.Writer, m purse.Sum) {
	if m.Questions == 0 && m.Off.IsZero() {
		return
	}
	fmt.Fprintf(w, "\nsecond   %s, %d understood, %d without a usable answer: %d tokens in, %d out\n", howMany(m.Questions, "question"),
		m.Answered, m.Failed, m.Usage.Input+m.Usage.CacheRead+m.Usage.CacheWrite, m.Usage.Output)
	fmt.Fprintf(w, "  cost      $%.4f\n", (m.Cost + m.Held).Dollars())
	fmt.Fprintf(w, "  gross     $%.4f so far: %d tokens kept out, %d that requests did not read again\n", m.Gross.Dollars(), m.Kept, m.Reads)
	fmt.Fprintf(w, "  recalls   $%.4f for %d\n", m.RecallCost.Dollars(), m.Recalls)
	fmt.Fprintf(w, "  net       $%.4f\n", m.Net().Dollars())
	if !m.Off.IsZero() {
		fmt.Fprintf(w, "  off       since %s: its last %d questions did not pay; set WINNOW_SECOND=off and then on again to try anew\n",
			m.Off.Local().Format("2006-01-02 15:04"), purse.Window)
	}
}

// moneyJSON has the sums in dollars.
func moneyJSON(m purse.Sum) any {
	if m.Questions == 0 && m.Off.IsZero() {
		return nil
	}
	return struct {
		Questions int     `json:"questions"`
		Answered  int     `json:"answered"`
		Failed    int     `json:"failed"`
		Usage     any     `json:"usage"`
		Kept      int64   `json:"kept_tokens"`
		Reads     int64   `json:"kept_reads"`
		Cost      float64 `json:"cost_usd"`
		Gross     float64 `json:"gross_usd"`
		Recalls   float64 `json:"recalls_usd"`
		Net       float64 `json:"net_usd"`
		Off       bool    `json:"off"`
	}{m.Questions, m.Answered, m.Failed, m.Usage, m.Kept, m.Reads,
		(m.Cost + m.Held).Dollars(), m.Gross.Dollars(), m.RecallCost.Dollars(), m.Net().Dollars(), !m.Off.IsZero()}
}

// secondLine is what the status says of the second judge.
func secondLine(s *api.SecondStatus) string {
	line := fmt.Sprintf("%s, asks %s; $%.4f of $%.2f spent today, at prices of %s", s.Mode, s.Model, s.Spent, s.Budget, s.AsOf)
	switch s.Stopped {
	case "":
		return line
	case purse.NoBudget:
		return line + "; what is left of the day's budget is less than a question may cost"
	case purse.Paused:
		return line + "; paused for ten minutes after three failures"
	case purse.Off:
		return line + "; off, as it did not pay (winnow stats)"
	}
	return fmt.Sprintf("%s, not asked: %s", s.Mode, s.Why)
}

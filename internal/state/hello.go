package state

import (
	"encoding/json"
	"fmt"
	"slices"

	"winnow/internal/api"
)

// maxHellos is how many sessions are remembered: those of a busy week.
const maxHellos = 32

// ReadHellos returns which sessions said hello, newest first; nobody did where
// there is no such file.
func (d Dir) ReadHellos() ([]api.Hello, error) {
	b, err := read(d.Hello())
	if err != nil {
		return nil, fmt.Errorf("read hellos: %w", err)
	}
	var out []api.Hello
	if err := json.Unmarshal(b, &out); err != nil {
		return nil, fmt.Errorf("read hellos: %w", err)
	}
	return out, nil
}

// AddHello puts h first; a session that says hello again moves. What cannot be
// read is written anew. Only the daemon calls it, one call at a time.
func (d Dir) AddHello(h api.Hello) error {
	for _, s := range []*string{&h.Session, &h.Client, &h.Root} {
		*s = (*s)[:min(len(*s), 300)] // the file stays a small one
	}
	old, _ := d.ReadHellos()
	old = slices.DeleteFunc(old, func(o api.Hello) bool { return o.Session == h.Session })
	b, err := json.Marshal(append([]api.Hello{h}, old[:min(len(old), maxHellos-1)]...))
	if err != nil {
		return err
	}
	return WriteFile(d.Hello(), append(b, '\n'))
}

package transcript

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// About is what a session's file says of its end.
type About struct {
	// Session and Version are of the newest entry that names them.
	Session, Version string
	// Latest is the newest time among the last entries.
	Latest time.Time
}

// AboutOf reads the end of a session's file.
func AboutOf(ctx context.Context, path string) (About, error) {
	f, size, err := open(path, Options{})
	if err != nil {
		return About{}, err
	}
	defer f.Close()
	var a About
	b := backwards{r: f, pos: size, left: 4 << 20}
	for range 200 {
		if err := ctx.Err(); err != nil {
			return a, fmt.Errorf("read transcript: %w", err)
		}
		line, err := b.next()
		if err != nil { // the beginning, or far enough
			return a, nil
		}
		if t := stampOf(line); t.After(a.Latest) {
			a.Latest = t
		}
		var e struct{ SessionID, Version string }
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		if a.Session == "" {
			a.Session = e.SessionID
		}
		if e.Version != "" {
			a.Version = e.Version
			return a, nil
		}
	}
	return a, nil
}

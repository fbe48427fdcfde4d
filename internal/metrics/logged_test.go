package metrics

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

func TestLogged(t *testing.T) {
	var c Counters
	var b bytes.Buffer
	log := slog.New(Logged(slog.NewTextHandler(&b, nil), &c))
	log.Debug("not shown")
	log.Info("one")
	log.With("a", 1).WithGroup("g").Warn("two", "b", 2)
	log.Error("three")
	log.Error("four")
	if got := c.Snapshot(); len(got) != 2 || got[Warnings] != 1 || got[Errors] != 2 {
		t.Errorf("counts = %v, want one warning and two errors", got)
	}
	if s := b.String(); strings.Count(s, "\n") != 4 || !strings.Contains(s, "msg=two a=1 g.b=2\n") {
		t.Errorf("log = %q, want the four lines as they were", s)
	}
}

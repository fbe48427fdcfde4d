package client

import (
	"errors"
	"testing"

	"winnow/internal/api"
)

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"1.0.0", "1.0.0", 0},
		{"1.0.0", "v1.0.0", 0},
		{"1.10.0", "1.9.0", 1},
		{"2.0.0-rc.1", "2.0.0", -1},
		{"2.0.0-rc.10", "2.0.0-rc.9", 1},
		{"1.0.0+a", "1.0.0+b", 0},
		{"dev", "0.0.1-alpha", -1},
		{"dev", "dev", 0},
		{"", "dev", 0},
	} {
		if got := Compare(c.a, c.b); got != c.want {
			t.Errorf("Compare(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name string
		s    Spawn
		st   api.Status
		want deed
		err  error
	}{
		{"the same", Spawn{Version: "1.0.0", Build: "a"}, api.Status{Version: "1.0.0", Build: "a", Wire: 1}, keep, nil},
		{"another build", Spawn{Version: "1.0.0", Build: "b"}, api.Status{Version: "1.0.0", Build: "a", Wire: 1}, keep, nil},
		{"another build, by hand", Spawn{Version: "1.0.0", Build: "b", Replace: true}, api.Status{Version: "1.0.0", Build: "a", Wire: 1}, dismiss, nil},
		{"the same build, by hand", Spawn{Version: "1.0.0", Build: "a", Replace: true}, api.Status{Version: "1.0.0", Build: "a", Wire: 1}, keep, nil},
		{"an older one", Spawn{Version: "1.0.1"}, api.Status{Version: "1.0.0", Wire: 1}, dismiss, nil},
		{"an older one of another wire", Spawn{Version: "1.0.1"}, api.Status{Version: "1.0.0", Wire: 7}, dismiss, nil},
		{"one from before the wire had a number", Spawn{Version: "1.0.0"}, api.Status{Version: "1.0.0"}, keep, nil},
		{"a newer one", Spawn{Version: "1.0.0"}, api.Status{Version: "1.0.1", Wire: 1}, keep, nil},
		{"a newer one, by hand", Spawn{Version: "1.0.0", Replace: true}, api.Status{Version: "1.0.1", Wire: 1}, keep, ErrNewer},
		{"a newer one of another wire", Spawn{Version: "1.0.0"}, api.Status{Version: "2.0.0", Wire: 2}, keep, ErrWire},
		{"one that leaves", Spawn{Version: "1.0.0"}, api.Status{Version: "1.0.0", Leaving: true, Wire: 1}, outwait, nil},
		{"any will do", Spawn{}, api.Status{Version: "3.0.0", Wire: 1}, keep, nil},
		{"a build without a version", Spawn{Version: "dev"}, api.Status{Version: "0.1.0", Wire: 1}, keep, nil},
		{"over a build without a version", Spawn{Version: "0.1.0"}, api.Status{Version: "dev", Wire: 1}, dismiss, nil},
	} {
		got, err := c.s.judge(c.st)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %v, %v, want %v, %v", c.name, got, err, c.want, c.err)
		}
	}
}

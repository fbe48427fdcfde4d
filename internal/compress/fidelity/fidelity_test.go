package fidelity

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/internal/compress/router"
	"winnow/internal/prune/detect"
)

// The regression gate: figures may get better, not worse.
func TestGate(t *testing.T) {
	seven := Measure(context.Background(), router.New(router.Options{}), Seven(), Modes)
	_, sums := By(seven, func(o *Outcome) string { return o.Mode })
	for _, tc := range []struct {
		mode          string
		saved, inline float64
	}{
		{"plain", 0.79, 6.0 / 7},
		{"task", 0.79, 1},
		{"lossless", 0.70, 1},
	} {
		s := sums[tc.mode]
		if s.Saved < tc.saved || s.Inline < tc.inline || s.Recoverable < 1 {
			t.Errorf("%s: saved %.3f (least %.3f), inline %.3f (least %.3f), recoverable %.3f", tc.mode, s.Saved, tc.saved, s.Inline, tc.inline, s.Recoverable)
		}
	}
	for _, o := range seven {
		if o.Name == "text-prose" && o.Before != o.After {
			t.Errorf("%s: unique prose was changed by %v", o.Mode, o.Chain)
		}
	}
	for _, o := range Measure(context.Background(), router.New(router.Options{}), All(), Modes) {
		if !o.Recoverable || o.After > o.Before || o.Mode != "plain" && !o.Inline {
			t.Errorf("%s, %s: recoverable %v, inline %v, %d -> %d tokens by %v", o.Name, o.Mode, o.Recoverable, o.Inline, o.Before, o.After, o.Chain)
		}
	}
}

func TestSum(t *testing.T) {
	s := Sum([]Outcome{{Before: 100, After: 0, Inline: true, Recoverable: true}, {Before: 100, After: 42, Inline: false, Recoverable: true}})
	if s.Cases != 2 || s.Saved < 0.789 || s.Saved > 0.791 || s.Inline != 0.5 || s.Recoverable != 1 || s.CNG > -0.63 || s.CNG < -0.64 {
		t.Errorf("Sum = %+v", s)
	}
}

func TestSampleIsOfItsKind(t *testing.T) {
	for _, k := range Kinds {
		for _, size := range []int{4 << 10, 200 << 10} {
			s := Sample(k, size)
			if g := detect.Of(s, detect.Hint{}); g.Kind != k || len(s) < size || len(s) > size+4096 {
				t.Errorf("Sample(%s, %d) has %d bytes and is taken for %+v", k, size, len(s), g)
			}
		}
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	if _, err := Folder(dir); err == nil {
		t.Error("an empty folder is no error")
	}
	text := Sample(detect.Log, 8<<10)
	if err := os.WriteFile(filepath.Join(dir, "a.log"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cases, err := Folder(dir)
	if err != nil || len(cases) != 3 {
		t.Fatalf("Folder = %d cases, %v", len(cases), err)
	}
	for _, c := range cases {
		if strings.Count(text, c.Needle) != 1 || c.Kind != detect.Log {
			t.Errorf("%s: needle %q, kind %s", c.Name, c.Needle, c.Kind)
		}
	}
}

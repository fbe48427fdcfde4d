package price

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBuiltIn(t *testing.T) {
	b := BuiltIn()
	if _, err := time.Parse(time.DateOnly, b.AsOf); err != nil {
		t.Error(err)
	}
	for name, r := range b.Models {
		if r.CacheRead >= r.Input || r.CacheWrite < r.Input || r.Output <= r.Input {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestFor(t *testing.T) {
	tests := []struct {
		model string
		input float64
		ok    bool
	}{
		{"haiku", 1, true},
		{"claude-haiku-4-5-20251001", 1, true},
		{"claude-3-5-haiku-20241022", 0.8, true},
		{"Claude-Sonnet-4-5", 3, true},
		{"us.anthropic.claude-opus-4-5-v1", 5, true},
		{"claude-opus-4-1-20250805", 15, true},
		{"claude-opus-4-20250514", 15, true},
		{"gpt-5", 0, false},
		{"", 0, false},
	}
	for _, tt := range tests {
		r, ok := BuiltIn().For(tt.model)
		if r.Input != tt.input || ok != tt.ok {
			t.Errorf("For(%q) = %+v, %v, want input %g, %v", tt.model, r, ok, tt.input, tt.ok)
		}
	}
}

func TestSums(t *testing.T) {
	r := Rate{Input: 1, Output: 5, CacheWrite: 1.25, CacheRead: 0.1}
	tests := []struct {
		name      string
		got, want Nano
	}{
		{"usage", r.Of(Usage{Input: 1_000_000, Output: 1000, CacheWrite: 2000, CacheRead: 10_000}), Of(1 + 0.005 + 0.0025 + 0.001)},
		{"worst", r.Worst(10_000-Overhead, 1000), Of(0.0125 + 0.005)},
		{"kept", r.Kept(1000, 20), Of(0.00125 + 20*0.0001)},
		{"nothing", r.Of(Usage{}), 0},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s = %d, want %d", tt.name, tt.got, tt.want)
		}
	}
}

func TestLoad(t *testing.T) {
	tests := []struct{ name, file, bad string }{
		{"another price", `{"as_of":"2027-01-01","models":{"Haiku":{"input":2,"output":9,"cache_write":3,"cache_read":0.2}}}`, ""},
		{"no table", `haiku: 2`, "invalid character"},
		{"a mistyped word", `{"models":{"haiku":{"input":2,"output":9,"cache_raed":1}}}`, "unknown field"},
		{"free of charge", `{"models":{"haiku":{"input":0,"output":9}}}`, `"haiku": want`},
		{"negative", `{"models":{"haiku":{"input":2,"output":-9}}}`, `"haiku": want`},
		{"for every model", `{"models":{" ":{"input":2,"output":9}}}`, `" ": want`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			if err := os.WriteFile(path, []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := Load(path)
			if tt.bad != "" {
				if err == nil || !strings.Contains(err.Error(), tt.bad) || len(got.Models) > 0 {
					t.Errorf("Load = %+v, %v, want %q", got, err, tt.bad)
				}
				return
			}
			if r, _ := got.For("haiku"); err != nil || r.Output != 9 || got.AsOf != "2027-01-01" || len(got.Models) != len(BuiltIn().Models) {
				t.Errorf("Load = %+v, %v", got, err)
			}
		})
	}
	if got, err := Load(filepath.Join(t.TempDir(), "none")); err != nil || cmp.Diff(BuiltIn(), got) != "" {
		t.Errorf("without a file: %+v, %v", got, err)
	}
	if _, err := Load(t.TempDir()); err == nil {
		t.Error("a folder is read as a table")
	}
}

func TestCheapest(t *testing.T) {
	if r := BuiltIn().Cheapest(); r.CacheRead != 0.08 {
		t.Errorf("Cheapest = %+v", r)
	}
}

// Package price is the table of what models cost, and sums with it. Prices are
// list prices in dollars for a million tokens; the table says of which day, and a
// file of the user's own goes over it. It asks nobody, and it refuses to guess: a
// model that no entry names has no price.
package price

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
)

// FileName is the user's own table in the state folder.
const FileName = "prices.json"

//go:embed prices.json
var builtIn []byte

// Nano is a sum of money in billionths of a dollar, so that sums are exact.
type Nano int64

// Dollars gives a sum for people.
func (n Nano) Dollars() float64 { return float64(n) / 1e9 }

// Of makes a sum of dollars.
func Of(dollars float64) Nano { return Nano(math.Round(dollars * 1e9)) }

// Rate is what a model costs, in dollars for a million tokens.
type Rate struct {
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheWrite float64 `json:"cache_write"`
	CacheRead  float64 `json:"cache_read"`
}

// Usage counts the tokens of an answered question, or of several.
type Usage struct {
	Input      int `json:"input"`
	Output     int `json:"output"`
	CacheWrite int `json:"cache_write"`
	CacheRead  int `json:"cache_read"`
}

// Plus adds two usages.
func (u Usage) Plus(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Output + v.Output, u.CacheWrite + v.CacheWrite, u.CacheRead + v.CacheRead}
}

// tokens is the price of n tokens.
func tokens(n int, perMillion float64) Nano { return Nano(math.Round(float64(n) * perMillion * 1000)) }

// Of is what a usage costs.
func (r Rate) Of(u Usage) Nano {
	return tokens(u.Input, r.Input) + tokens(u.Output, r.Output) + tokens(u.CacheWrite, r.CacheWrite) + tokens(u.CacheRead, r.CacheRead)
}

// Overhead is what the client and the API put around a question, in tokens.
const Overhead = 500

// Worst is the most that a question of so many bytes can cost: no tokenizer of
// bytes makes more tokens than bytes, all of them may be written to the cache, and
// the answer may be as long as it is allowed to be.
func (r Rate) Worst(bytes, maxTokens int) Nano {
	return tokens(bytes+Overhead, max(r.Input, r.CacheWrite)) + tokens(maxTokens, r.Output)
}

// Kept is what n tokens cost that stand in a conversation for so many further
// requests: written once, read each time.
func (r Rate) Kept(n, requests int) Nano {
	return tokens(n, r.CacheWrite) + Nano(requests)*tokens(n, r.CacheRead)
}

// Table is a table of prices.
type Table struct {
	// AsOf is the day of which its prices are, as the table writes it.
	AsOf string `json:"as_of"`
	// Models holds rates by a part of the model's name.
	Models map[string]Rate `json:"models"`
}

// BuiltIn returns the table inside the binary.
func BuiltIn() Table {
	t, err := parse(builtIn)
	if err != nil {
		panic(err) // a test reads it
	}
	return t
}

// maxFile bounds the user's file.
const maxFile = 1 << 20

// Load returns the built-in table with the file's entries over it. A missing file
// is fine; a bad one is an error, and then nothing has a price.
func Load(path string) (Table, error) {
	t := BuiltIn()
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return t, nil
	}
	if err != nil {
		return Table{}, fmt.Errorf("read prices: %w", err)
	}
	defer f.Close()
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() {
		return Table{}, fmt.Errorf("read prices: %s is not a plain file", path)
	}
	b, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return Table{}, fmt.Errorf("read prices: %w", err)
	}
	own, err := parse(b)
	if err != nil {
		return Table{}, fmt.Errorf("prices in %s: %w", path, err)
	}
	if own.AsOf != "" {
		t.AsOf = own.AsOf
	}
	for name, r := range own.Models {
		t.Models[name] = r
	}
	return t, nil
}

func parse(b []byte) (Table, error) {
	var t Table
	dec := json.NewDecoder(strings.NewReader(string(b)))
	dec.DisallowUnknownFields() // a mistyped "cache_raed" would be free of charge
	if err := dec.Decode(&t); err != nil {
		return Table{}, err
	}
	out := Table{AsOf: t.AsOf, Models: map[string]Rate{}}
	for name, r := range t.Models {
		if !r.ok() || strings.TrimSpace(name) == "" {
			return Table{}, fmt.Errorf("%q: want input, output, cache_write and cache_read, each from 0 to 10000 and input and output above 0", name)
		}
		out.Models[strings.ToLower(name)] = r
	}
	return out, nil
}

func (r Rate) ok() bool {
	for _, p := range []float64{r.Input, r.Output, r.CacheWrite, r.CacheRead} {
		if !(p >= 0 && p <= 10_000) {
			return false
		}
	}
	return r.Input > 0 && r.Output > 0
}

// For returns the rate of a model by its name or alias: of the entries whose
// names are part of it the longest.
func (t Table) For(model string) (Rate, bool) {
	model = strings.ToLower(model)
	best, found := "", false
	for name := range t.Models {
		if strings.Contains(model, name) && (!found || len(name) > len(best)) {
			best, found = name, true
		}
	}
	return t.Models[best], found
}

// Cheapest is the rate of the model whose cache reads cost least: what a
// conversation is worth at least.
func (t Table) Cheapest() Rate {
	var out Rate
	for _, r := range t.Models {
		if out.Input == 0 || r.CacheRead < out.CacheRead || r.CacheRead == out.CacheRead && r.CacheWrite < out.CacheWrite {
			out = r
		}
	}
	return out
}

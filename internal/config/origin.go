package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Origin is the place where a setting was made; the zero Origin is the default.
type Origin struct {
	Environment bool
	// Path and Line are the settings file's.
	Path string
	Line int
}

func (o Origin) String() string {
	switch {
	case o.Environment:
		return "environment"
	case o.Path != "":
		return fmt.Sprintf("%s line %d", o.Path, o.Line)
	}
	return "default"
}

// Value is one setting in force: its variable's name, its value as the file
// would have it ("" is an empty list), and where it came from.
type Value struct {
	Name, Value string
	From        Origin
}

// Values lists every setting, in the order of the documentation.
func (c Config) Values() []Value {
	out := make([]Value, 0, len(settings))
	for _, s := range settings {
		out = append(out, Value{s.name, s.get(c), c.From[s.name]})
	}
	return out
}

func (c *Config) cameFrom(name string, o Origin) {
	if c.From == nil {
		c.From = map[string]Origin{}
	}
	c.From[name] = o
}

// atStart are the settings that a running daemon does not take up.
var atStart = []string{"WINNOW_PORT", "WINNOW_IDLE_MINUTES"}

// Since returns c as it is in force in a process that started with start: what
// counts at the start only is start's.
func (c Config) Since(start Config) Config {
	c.Port, c.IdleMinutes = start.Port, start.IdleMinutes
	c.From = maps.Clone(c.From)
	for _, name := range atStart {
		delete(c.From, name)
		if o, ok := start.From[name]; ok {
			c.cameFrom(name, o)
		}
	}
	return c
}

// elsewhere are variables of ours that are no settings: where the folder is, a
// library in place of the one built in, and what tests use.
var elsewhere = []string{"WINNOW_BIN", "WINNOW_DIR", "WINNOW_ORT", "WINNOW_TEST_*"}

// Strays returns the names in an environment (of NAME=value) that look like
// settings and are none: most likely mistyped. An empty one counts as unset, as for
// [Load].
func Strays(environ []string) []string {
	var out []string
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		ours := value != "" && strings.HasPrefix(name, "WINNOW_") && !known(name)
		if ours && !slices.ContainsFunc(elsewhere, func(e string) bool {
			stem, all := strings.CutSuffix(e, "*")
			return name == e || all && strings.HasPrefix(name, stem)
		}) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

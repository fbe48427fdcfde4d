package config

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// setting reads one variable into a Config, and writes it as the file would.
type setting struct {
	name string
	set  func(*Config, string) error
	get  func(Config) string
}

// settings lists every variable that a Config holds.
var settings = []setting{
	{"WINNOW_MODE",
		func(c *Config, v string) error { return oneOf(&c.Mode, v, Auto, Shadow, Active, Off) },
		func(c Config) string { return c.Mode }},
	{"WINNOW_KEEP",
		func(c *Config, v string) error { return fraction(&c.Keep, v) },
		func(c Config) string { return number(c.Keep) }},
	{"WINNOW_DROP",
		func(c *Config, v string) error { return fraction(&c.Drop, v) },
		func(c Config) string { return number(c.Drop) }},
	{"WINNOW_REPEATS",
		func(c *Config, v string) error { return zeroOne(&c.Repeats, v) },
		func(c Config) string { return map[bool]string{false: "0", true: "1"}[c.Repeats] }},
	{"WINNOW_JUDGE",
		func(c *Config, v string) error { return oneOf(&c.Judge, v, "onnx", "lexical", "fake", "off") },
		func(c Config) string { return c.Judge }},
	{"WINNOW_MIN_CHARS",
		func(c *Config, v string) error { return whole(&c.MinChars, v, 1<<30) },
		func(c Config) string { return strconv.Itoa(c.MinChars) }},
	{"WINNOW_TOOLS",
		func(c *Config, v string) error { c.Tools = list(v); return nil },
		func(c Config) string { return strings.Join(c.Tools, ",") }},
	{"WINNOW_EXCLUDE_PATHS",
		func(c *Config, v string) error { return patterns(&c.ExcludePaths, v) },
		func(c Config) string { return strings.Join(c.ExcludePaths, ",") }},
	{"WINNOW_EXCLUDE_COMMANDS",
		func(c *Config, v string) error { c.ExcludeCommands = list(v); return nil },
		func(c Config) string { return strings.Join(c.ExcludeCommands, ",") }},
	{"WINNOW_PORT",
		func(c *Config, v string) error { return whole(&c.Port, v, 65535) },
		func(c Config) string { return strconv.Itoa(c.Port) }},
	{"WINNOW_IDLE_MINUTES",
		func(c *Config, v string) error { return whole(&c.IdleMinutes, v, 1<<20) },
		func(c Config) string { return strconv.Itoa(c.IdleMinutes) }},
	{"WINNOW_SEEN",
		func(c *Config, v string) error { return oneOf(&c.Seen, v, Shadow, Active, Off) },
		func(c Config) string { return c.Seen }},
	{"WINNOW_SEEN_SHARE",
		func(c *Config, v string) error { return fraction(&c.SeenShare, v) },
		func(c Config) string { return number(c.SeenShare) }},
	{"WINNOW_LOG_TASKS",
		func(c *Config, v string) error { return zeroOne(&c.LogTasks, v) },
		func(c Config) string { return map[bool]string{false: "0", true: "1"}[c.LogTasks] }},
	{"WINNOW_SECOND",
		func(c *Config, v string) error { return oneOf(&c.Second, v, SecondOff, SecondCascade, SecondClient) },
		func(c Config) string { return c.Second }},
	{"WINNOW_CLIENT_MODEL",
		func(c *Config, v string) error { return modelName(&c.ClientModel, v) },
		func(c Config) string { return c.ClientModel }},
	{"WINNOW_CLIENT_BUDGET",
		func(c *Config, v string) error { return dollars(&c.ClientBudget, v) },
		func(c Config) string { return number(c.ClientBudget) }},
}

func known(name string) bool {
	return slices.ContainsFunc(settings, func(s setting) bool { return s.name == name })
}

// number writes a fraction as a person would.
func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

func oneOf(p *string, v string, words ...string) error {
	v = strings.ToLower(v)
	if !slices.Contains(words, v) {
		return fmt.Errorf("want one of %s", strings.Join(words, ", "))
	}
	*p = v
	return nil
}

func zeroOne(p *bool, v string) error {
	if v != "0" && v != "1" {
		return errors.New("want 0 or 1")
	}
	*p = v == "1"
	return nil
}

func fraction(p *float64, v string) error {
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || !(f >= 0 && f <= 1) { // not-a-number fails both
		return errors.New("want a number from 0 to 1")
	}
	*p = f
	return nil
}

// maxBudget is more than anybody means: who writes cents is told.
const maxBudget = 1000

func dollars(p *float64, v string) error {
	f, err := strconv.ParseFloat(strings.TrimPrefix(v, "$"), 64)
	if err != nil || !(f >= 0 && f <= maxBudget) {
		return fmt.Errorf("want dollars a day, from 0 to %d", maxBudget)
	}
	*p = f
	return nil
}

func modelName(p *string, v string) error {
	if len(v) > 200 || strings.ContainsFunc(v, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("want an alias (haiku) or a model's id")
	}
	*p = v
	return nil
}

func whole(p *int, v string, most int) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 || n > most {
		return fmt.Errorf("want a whole number from 0 to %d", most)
	}
	*p = n
	return nil
}

// list splits at commas and drops what is empty.
func list(v string) []string {
	var out []string
	for _, s := range strings.Split(v, ",") {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func patterns(p *[]string, v string) error {
	for _, s := range list(v) {
		if _, err := path.Match(s, "x"); err != nil {
			return fmt.Errorf("bad pattern %q", s)
		}
	}
	*p = list(v)
	return nil
}

package detect

import (
	"path"
	"strings"
)

// tables are CSV, TSV, Markdown's, psql's and aligned columns.
func tables(l *look, h Hint) Guess {
	ext := strings.ToLower(path.Ext(h.File))
	if n := len(l.lines); n < 3 && ext != ".csv" && ext != ".tsv" {
		return Guess{}
	}
	pipes, rule := l.of(sRow), l.of(sRule)
	switch {
	case pipes >= 0.8 && rule > 0:
		return Guess{Table, "markdown", min(0.6+pipes*0.38, 0.98), false}
	case ext == ".tsv", columns(l, '\t', 0.95) >= 2 && l.of(sInner) < 0.5: // a CI's log has its job and step in columns
		return Guess{Table, "tsv", 0.9, false}
	case ext == ".csv":
		return Guess{Table, "csv", 0.95, false}
	case csvLike(l):
		return Guess{Table, "csv", 0.82, false}
	case aligned(l):
		return Guess{Table, "aligned", 0.75, false}
	}
	return Guess{}
}

// columns returns how many columns nearly all lines have when cut at sep
// outside of quotes, 0 where they do not agree.
func columns(l *look, sep byte, share float64) int {
	counts := map[int]int{}
	for _, r := range l.raw {
		counts[fields(r, sep)]++
	}
	for n, c := range counts {
		if n >= 2 && float64(c) >= share*float64(len(l.raw)) {
			return n
		}
	}
	return 0
}

func fields(r string, sep byte) int {
	n, quoted := 1, false
	for i := range len(r) {
		switch r[i] {
		case '"':
			quoted = !quoted
		case sep:
			if !quoted {
				n++
			}
		}
	}
	return n
}

// csvLike is strict: code and prose have commas too. Three columns or more that
// all lines agree on, short cells, and a first line that could be a header.
func csvLike(l *look) bool {
	for _, sep := range []byte{',', ';'} {
		n := columns(l, sep, 0.97)
		if n < 3 {
			continue
		}
		gap := string(sep) + " "
		spaced := l.share(func(t string) bool { return strings.Contains(t, gap) })
		ends := l.share(func(t string) bool { return strings.IndexByte("{}();,", t[len(t)-1]) >= 0 })
		if spaced < 0.3 && ends < 0.2 && strings.IndexFunc(l.lines[0], func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }) >= 0 {
			return true
		}
	}
	return false
}

// isHead reports whether a line could be the header of ps, docker, kubectl, df:
// names in capitals, two blanks or more between most.
func isHead(r string) bool {
	cells := 0
	for cell := range strings.SplitSeq(strings.TrimRight(r, " "), "  ") {
		if cell = strings.TrimSpace(cell); cell == "" {
			continue
		}
		if cells++; cell != strings.ToUpper(cell) || !letter(cell[0]) && cell[0] != '%' || strings.Count(cell, " ") > 1 {
			return false
		}
	}
	return cells >= 2
}

// aligned wants a header in capitals and its columns to begin where those of
// the rows do.
func aligned(l *look) bool {
	if len(l.raw) < 4 || !isHead(l.raw[0]) {
		return false
	}
	starts := columnStarts(l.raw[0])
	good := 0
	for _, r := range l.raw[1:] {
		hits := 0
		for _, at := range starts[1:] {
			if at <= len(r) && r[at-1] == ' ' {
				hits++
			}
		}
		if hits*4 >= (len(starts)-1)*3 {
			good++
		}
	}
	return len(starts) >= 3 && good*10 >= (len(l.raw)-1)*8
}

func columnStarts(head string) []int {
	var at []int
	for i := range len(head) {
		if head[i] != ' ' && (i == 0 || i > 1 && head[i-1] == ' ' && head[i-2] == ' ') {
			at = append(at, i)
		}
	}
	return at
}

var configExts = map[string]string{
	".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".ini": "ini", ".cfg": "ini", ".conf": "ini", ".properties": "properties", ".env": "env", ".lock": "toml",
}

// configs are YAML, TOML, INI, properties.
func configs(l *look, h Hint) Guess {
	yaml, toml, env := l.of(sYAML), l.of(sTOML), l.of(sEnv)
	if lang := configExts[strings.ToLower(path.Ext(h.File))]; lang != "" {
		if max(yaml, toml, env) >= 0.5 {
			return Guess{Config, lang, 0.95, false}
		}
		return Guess{}
	}
	if l.of(sLogged) > 0.1 || h.File != "" || len(l.lines) < 4 {
		return Guess{}
	}
	sections, keys, sentences := l.of(sSection), l.of(sKey), l.of(sSentence)
	switch {
	case toml >= 0.85 && sections > 0:
		return Guess{Config, "toml", 0.85, false}
	case yaml >= 0.9 && keys >= 0.5 && nested(l) && sentences < 0.15:
		return Guess{Config, "yaml", 0.75, false}
	case env >= 0.95 && sentences < 0.1:
		return Guess{Config, "env", 0.7, false}
	}
	return Guess{}
}

// nested reports whether some lines open a block that the next is inside of.
func nested(l *look) bool {
	n := 0
	for i := range len(l.raw) - 1 {
		if strings.HasSuffix(l.raw[i], ":") && indent(l.raw[i+1]) > indent(l.raw[i]) {
			n++
		}
	}
	return n > 0 && n*20 >= len(l.raw)
}

func indent(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

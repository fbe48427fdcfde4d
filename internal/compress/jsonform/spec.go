package jsonform

import (
	"strconv"
	"strings"
)

// spec writes the style for a header: words with a blank before each.
func (st *style) spec() string {
	var b strings.Builder
	flag := func(on bool, word string) {
		if on {
			b.WriteString(" " + word)
		}
	}
	flag(st.lines, "lines")
	switch {
	case st.commaBlank && st.colonBlank:
		b.WriteString(" spaced")
	default:
		flag(st.commaBlank, "comma")
		flag(st.colonBlank, "colon")
	}
	flag(st.pad, "pad")
	if st.depth > 0 {
		switch n := len(st.indent); {
		case st.indent == strings.Repeat(" ", n):
			b.WriteString(" indent=" + strconv.Itoa(n))
		default:
			b.WriteString(" indent=" + quoteSpace(st.indent))
		}
		if st.depth < deep {
			b.WriteString(" depth=" + strconv.Itoa(st.depth))
		}
	}
	flag(st.crlf, "crlf")
	if st.top {
		b.WriteString(" top=" + quoteSpace(st.open) + quoteSpace(st.comma) + quoteSpace(st.close))
	}
	if st.lead != "" {
		b.WriteString(" lead=" + quoteSpace(st.lead))
	}
	switch st.tail {
	case "":
	case "\n":
		b.WriteString(" nl")
	default:
		b.WriteString(" tail=" + quoteSpace(st.tail))
	}
	return b.String()
}

var spaceNames = strings.NewReplacer(" ", "s", "\t", "t", "\n", "n", "\r", "r", ",", "c", bom, "b")

var nameSpaces = strings.NewReplacer("s", " ", "t", "\t", "n", "\n", "r", "\r", "c", ",", "b", bom)

// quoteSpace writes white space and commas in letters between angle brackets.
func quoteSpace(s string) string { return "<" + spaceNames.Replace(s) + ">" }

// parseSpec reads what [style.spec] wrote.
func parseSpec(s string) (style, bool) {
	var st style
	for word := range strings.FieldsSeq(s) {
		name, val, _ := strings.Cut(word, "=")
		parts, ok := angled(val)
		switch name {
		case "lines":
			st.lines = true
		case "spaced":
			st.commaBlank, st.colonBlank = true, true
		case "comma":
			st.commaBlank = true
		case "colon":
			st.colonBlank = true
		case "pad":
			st.pad = true
		case "crlf":
			st.crlf = true
		case "nl":
			st.tail = "\n"
		case "indent":
			st.depth = deep
			if n, err := strconv.Atoi(val); err == nil && n >= 0 && n <= maxIndent {
				st.indent = strings.Repeat(" ", n)
			} else if ok && len(parts) == 1 && len(parts[0]) <= maxIndent {
				st.indent = parts[0]
			} else {
				return st, false
			}
		case "depth":
			n, err := strconv.Atoi(val)
			if err != nil || n < 0 || n > deep {
				return st, false
			}
			st.depth = n
		case "top":
			if !ok || len(parts) != 3 {
				return st, false
			}
			st.top, st.open, st.comma, st.close = true, parts[0], parts[1], parts[2]
		case "lead", "tail":
			if !ok || len(parts) != 1 {
				return st, false
			}
			if name == "lead" {
				st.lead = parts[0]
			} else {
				st.tail = parts[0]
			}
		default:
			return st, false
		}
	}
	return st, true
}

// angled splits "<a><b>" and names the white space again.
func angled(s string) ([]string, bool) {
	var out []string
	for s != "" {
		end := strings.IndexByte(s, '>')
		if s[0] != '<' || end < 0 || strings.Trim(s[1:end], "stnrcb") != "" {
			return nil, false
		}
		out = append(out, nameSpaces.Replace(s[1:end]))
		s = s[end+1:]
	}
	return out, len(out) > 0
}

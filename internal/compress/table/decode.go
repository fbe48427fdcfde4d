package table

import (
	"strconv"
	"strings"

	"winnow/internal/compress/jsonform"
)

// Decode implements [compress.Encoder].
func (Codec) Decode(form string) (string, error) {
	head, rest, ok := strings.Cut(form, "\n")
	head, _, _ = strings.Cut(head, " |")
	if !ok || head != magic {
		return "", errForm
	}
	var out strings.Builder
	tables := 0
	for {
		l, after, more := strings.Cut(rest, "\n")
		if spec, is := strings.CutPrefix(l, mark); is && more {
			end, err := decodeBlock(&out, spec, after)
			if err != nil {
				return "", err
			}
			tables++
			if rest = after[end:]; rest == "" {
				break
			}
			if rest[0] != '\n' {
				return "", errForm
			}
			out.WriteByte('\n')
			rest = rest[1:]
			continue
		}
		out.WriteString(l)
		if !more {
			break
		}
		out.WriteByte('\n')
		rest = after
	}
	if tables == 0 {
		return "", errForm
	}
	return out.String(), nil
}

// decodeBlock writes the lines of one table and returns where its block ends.
func decodeBlock(out *strings.Builder, spec, s string) (int, error) {
	words := strings.Fields(spec)
	if len(words) < 2 {
		return 0, errForm
	}
	lay, ok := parseLayout(words[0])
	columns, err := strconv.Atoi(words[1])
	if !ok || err != nil || columns < 1 || columns > maxColumns {
		return 0, errForm
	}
	end, heads := "", 0
	for _, w := range words[2:] {
		switch {
		case w == "crlf":
			end = "\r"
		case strings.HasPrefix(w, "head=") && len(w) == 6 && (w[5] == '1' || w[5] == '2'):
			heads = int(w[5] - '0')
		default:
			return 0, errForm
		}
	}
	at, names := 0, []string(nil)
	for i := range heads {
		l, _, more := strings.Cut(s[at:], "\n")
		if !more {
			return 0, errForm
		}
		out.WriteString(l + "\n")
		if at += len(l) + 1; i == 0 {
			names, _ = lay.cells(nil, strings.TrimSuffix(l, "\r"))
		}
	}
	index := map[string]int{}
	for i := range columns {
		name := "c" + strconv.Itoa(i+1)
		if names != nil && named(names) && len(names) == columns {
			name = names[i]
		}
		index[name] = i
	}
	if a, is := lay.(aligned); is && a.count() != columns {
		return 0, errForm
	}
	r := &rowWriter{layout: lay, index: index, cells: make([]string, columns), end: end}
	n, err := jsonform.ReadBlock(s[at:], r.add)
	out.Write(r.out)
	return at + n, err
}

// maxText bounds what a form may grow to: no text that was written is longer.
const maxText = 64 << 20

// rowWriter puts the lines of a block together.
type rowWriter struct {
	layout layout
	index  map[string]int // of the columns by name
	cells  []string
	end    string // of each line, before its newline
	out    []byte
	rows   int
}

func (w *rowWriter) add(row []string) error {
	if w.rows++; w.rows > 1 {
		w.out = append(w.out, '\n')
	}
	if len(row) == 1 {
		l, ok := unquote(row[0])
		w.out = append(w.out, l...)
		if !ok {
			return errForm
		}
		return nil
	}
	clear(w.cells)
	for k := 0; k < len(row); k += 2 {
		name, ok := row[k], true
		if strings.IndexByte(name, '\\') >= 0 {
			name, ok = unquote(`"` + name + `"`)
		}
		i, known := w.index[name]
		val, ok2 := unquote(row[k+1])
		if !ok || !known || !ok2 {
			return errForm
		}
		w.cells[i] = val
	}
	if w.out = append(w.layout.line(w.out, w.cells), w.end...); len(w.out) > maxText {
		return errForm
	}
	return nil
}

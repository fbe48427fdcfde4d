package router

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"winnow/internal/compress"
	"winnow/internal/marker"
	"winnow/internal/text"
)

// Get returns the original of a key.
type Get func(marker.Key) (string, error)

// piece is whole lines of the new text and the way back from them; pieces
// joined by "\n" are the text. Without back they are the original's own lines.
type piece struct {
	out  string
	back func(out string, get Get) (string, error)
}

func joined(pieces []piece) string {
	if len(pieces) == 1 {
		return pieces[0].out
	}
	outs := make([]string, len(pieces))
	for i, p := range pieces {
		outs[i] = p.out
	}
	return strings.Join(outs, "\n")
}

func restored(pieces []piece, get Get) (string, error) {
	outs := make([]string, len(pieces))
	for i, p := range pieces {
		outs[i] = p.out
		if p.back == nil {
			continue
		}
		var err error
		if outs[i], err = p.back(p.out, get); err != nil {
			return "", err
		}
	}
	return strings.Join(outs, "\n"), nil
}

// Restore gives the block's own text back, from the new text and the keys.
func (r *Result) Restore(get Get) (string, error) {
	if !r.Changed() {
		return r.Text, nil
	}
	return restored(r.pieces, get)
}

// hiddenPiece stands for the whole of an original.
func hiddenPiece(out string, k marker.Key) piece {
	return piece{out, func(_ string, get Get) (string, error) { return get(k) }}
}

func encodedPiece(out string, e compress.Encoder) piece {
	return piece{out, func(out string, _ Get) (string, error) { return e.Decode(out) }}
}

// cutPieces cuts d at runs of lines to hide, each with its marker.
func cutPieces(d text.Doc, runs []run) []piece {
	var out []piece
	at := 0
	for _, c := range runs {
		if c.first > at {
			out = append(out, piece{out: d.Run(at, c.first-1)})
		}
		out = append(out, hiddenPiece(c.note, c.Key))
		at = c.last + 1
	}
	if at < d.Len() {
		out = append(out, piece{out: d.Run(at, d.Len()-1)})
	}
	return out
}

// unquote takes a JSON string's text out, if there is a way to write the string
// again, byte for byte.
func unquote(raw string) (inner string, quote func(string) string, ok bool) {
	body := strings.TrimSpace(raw)
	if json.Unmarshal([]byte(body), &inner) != nil {
		return "", nil, false
	}
	at := strings.Index(raw, body)
	head, tail := raw[:at], raw[at+len(body):]
	for _, q := range []func(string) string{quotePlain, quoteASCII, quoteHTML} {
		if q(inner) == body {
			return inner, func(s string) string { return head + q(s) + tail }, true
		}
	}
	return "", nil, false
}

func quoteHTML(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func quotePlain(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// quoteASCII escapes all beyond ASCII, as Python does.
func quoteASCII(s string) string {
	var b strings.Builder
	for _, r := range quotePlain(s) {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
	}
	return b.String()
}

package transcript

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strings"
)

// Result is a tool result as the model was given it.
type Result struct {
	ToolUseID string
	// Text joins the text blocks.
	Text string
}

// Results yields those results in the loop's file whose call want names, in the
// file's order. path is the session's file also for a subagent; agentID is ""
// for the session's own loop. A bad or overlong line is passed over; an error is
// the last that is yielded.
func Results(ctx context.Context, path, agentID string, want func(id string) bool) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		f, _, err := open(path, Options{AgentID: agentID})
		if err != nil {
			yield(Result{}, err)
			return
		}
		defer f.Close()
		r := bufio.NewReaderSize(f, 1<<20)
		for {
			line, err := wholeLine(r)
			if err == nil {
				err = ctx.Err()
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Result{}, err)
				return
			}
			if !names(line, want) {
				continue
			}
			for _, res := range resultsOf(line) {
				if want(res.ToolUseID) && !yield(res, nil) {
					return
				}
			}
		}
	}
}

// wholeLine returns the next line, empty for one over [maxLine]; the last one may
// lack its "\n". It ends with io.EOF.
func wholeLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; long {
			line = line[:0]
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && (len(line) > 0 || long):
			return line, nil
		}
		return line, err
	}
}

// names reports whether the line's results are of calls that are wanted, without
// decoding it.
func names(line []byte, want func(string) bool) bool {
	const key = `"tool_use_id"`
	for {
		i := bytes.Index(line, []byte(key))
		if i < 0 {
			return false
		}
		line = bytes.TrimLeft(line[i+len(key):], ": ")
		id, ok := bytes.CutPrefix(line, []byte(`"`))
		if end := bytes.IndexByte(id, '"'); ok && end >= 0 && want(string(id[:end])) {
			return true
		}
	}
}

func resultsOf(line []byte) (out []Result) {
	e, ok := decode(bytes.TrimSpace(line))
	if !ok || e.Type != "user" {
		return nil
	}
	var bs []struct {
		Type      string          `json:"type"`
		ToolUseID string          `json:"tool_use_id"`
		Content   json.RawMessage `json:"content"`
	}
	if !unmarshal(e.Message.Content, &bs) {
		return nil
	}
	for _, b := range bs {
		if b.Type == "tool_result" && b.ToolUseID != "" {
			out = append(out, Result{b.ToolUseID, allText(b.Content)})
		}
	}
	return out
}

// allText joins the texts of a result, which is a string or blocks.
func allText(content json.RawMessage) string {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return s
	}
	var parts []string
	for _, b := range blocks(content) {
		if b.Type == "text" {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}

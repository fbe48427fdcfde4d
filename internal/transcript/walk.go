package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"winnow/internal/prune"
)

// Step is something that happened in a recorded loop, in the order of its file.
type Step struct {
	// Answer is set for a call's result, Said for words of the assistant, Call for
	// a call, Asked for a request, Gone where earlier results left the context.
	Answer *Answer
	Said   string
	Call   *prune.Tool
	Asked  bool
	Gone   bool
}

// Answer is a call's result as the model read it.
type Answer struct {
	ID     string
	Tool   prune.Tool
	Text   string
	Failed bool
	Time   time.Time
}

// Steps reads a session's file from its beginning; lines that cannot be read are
// passed over. sidechain also takes entries of subagents, which older clients
// wrote into the same file.
func Steps(r io.Reader, sidechain bool) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		br := bufio.NewReaderSize(r, 1<<20)
		calls := map[string]prune.Tool{}
		for {
			line, err := br.ReadBytes('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				yield(Step{}, fmt.Errorf("read transcript: %w", err))
				return
			}
			for _, s := range steps(bytes.Trim(line, " \t\r\n\x00"), calls, sidechain) {
				if !yield(s, nil) {
					return
				}
			}
			if err != nil {
				return
			}
		}
	}
}

func steps(line []byte, calls map[string]prune.Tool, sidechain bool) []Step {
	if len(line) == 0 {
		return nil
	}
	e, ok := decode(line)
	if !ok || e.IsSidechain && !sidechain {
		return nil
	}
	var out []Step
	if cleared(line) || e.IsCompactSummary || e.Type == "system" && bytes.Contains(line, []byte(`"compact_boundary"`)) {
		out = append(out, Step{Gone: true})
	}
	for _, b := range blocks(e.Message.Content) {
		switch {
		case e.Type == "assistant" && b.Type == "text" && strings.TrimSpace(b.Text) != "":
			out = append(out, Step{Said: b.Text})
		case e.Type == "assistant" && b.Type == "tool_use" && b.ID != "":
			t := prune.Tool{Name: b.Name, Input: b.Input}
			calls[b.ID] = t
			out = append(out, Step{Call: &t})
		case e.Type == "user" && b.Type == "tool_result":
			t, known := calls[b.ToolUseID]
			if text, one := onlyText(b.Content); known && one {
				out = append(out, Step{Answer: &Answer{ID: b.ToolUseID, Tool: t, Text: text, Failed: b.IsError, Time: stampOf(line)}})
			}
		}
	}
	if words, may := e.asked(); may && len(out) == 0 {
		if _, asked := clean(words); asked {
			out = append(out, Step{Asked: true})
		}
	}
	return out
}

// onlyText returns the text of a result that is one text.
func onlyText(content json.RawMessage) (string, bool) {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return s, true
	}
	bs := blocks(content)
	if len(bs) == 1 && bs[0].Type == "text" {
		return bs[0].Text, true
	}
	return "", false
}

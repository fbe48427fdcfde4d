//go:build e2e

package mockapi

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Body is the part of a request that tests look at.
type Body struct {
	Model    string    `json:"model"`
	Stream   bool      `json:"stream"`
	Messages []Message `json:"messages"`
	Tools    []Tool    `json:"tools"`
}

// Tool is a tool that the model is offered.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"`
}

// Message is one message; a plain string is one text block.
type Message struct {
	Role    string
	Content []Block
}

// Block is one content block.
type Block struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
	// ToolUseID, Content and IsError are those of a tool_result.
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
}

// UnmarshalJSON reads a content that is a string or a list of blocks.
func (m *Message) UnmarshalJSON(b []byte) error {
	var raw struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	m.Role = raw.Role
	blocks, err := contentBlocks(raw.Content)
	m.Content = blocks
	return err
}

func contentBlocks(raw json.RawMessage) ([]Block, error) {
	if len(raw) > 0 && raw[0] == '"' {
		b := Block{Type: "text"}
		err := json.Unmarshal(raw, &b.Text)
		return []Block{b}, err
	}
	var blocks []Block
	if len(raw) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(raw, &blocks); err != nil {
		return nil, fmt.Errorf("content blocks: %w", err)
	}
	return blocks, nil
}

// Texts returns a tool_result's text blocks.
func (b Block) Texts() []string {
	var out []string
	blocks, err := contentBlocks(b.Content)
	if err != nil {
		return nil
	}
	for _, c := range blocks {
		if c.Type == "text" {
			out = append(out, c.Text)
		}
	}
	return out
}

// Result is a tool_result's text in one piece.
func (b Block) Result() string { return strings.Join(b.Texts(), "\n") }

// Results returns the tool_result blocks of the whole conversation, in order.
func (b Body) Results() []Block {
	var out []Block
	for _, m := range b.Messages {
		for _, c := range m.Content {
			if c.Type == "tool_result" {
				out = append(out, c)
			}
		}
	}
	return out
}

// Last returns the newest tool_result; the zero Block when there is none.
func (b Body) Last() Block {
	rs := b.Results()
	if len(rs) == 0 {
		return Block{}
	}
	return rs[len(rs)-1]
}

// ResultOf returns the result of the i-th call of the newest assistant message
// that has calls.
func (b Body) ResultOf(i int) Block {
	var ids []string
	for _, m := range b.Messages {
		var own []string
		for _, c := range m.Content {
			if m.Role == "assistant" && c.Type == "tool_use" {
				own = append(own, c.ID)
			}
		}
		if own != nil {
			ids = own
		}
	}
	for _, r := range b.Results() {
		if i < len(ids) && r.ToolUseID == ids[i] {
			return r
		}
	}
	return Block{}
}

// Has reports whether the model is offered a tool.
func (b Body) Has(tool string) bool {
	for _, t := range b.Tools {
		if t.Name == tool {
			return true
		}
	}
	return false
}

package prune

import (
	"bytes"
	"encoding/json"
	"strings"
)

// args are the arguments of a call that rules look at. Each agent has its own
// spelling; an argument that is absent, null or of another type is its zero value.
type args struct {
	path    string
	command string
	aimed   bool // an offset, a limit or a range of lines was given
}

// readArgs reads a call's arguments; anything that is no JSON object has none.
func readArgs(input json.RawMessage) *args {
	a := new(args)
	var raw struct {
		FilePath     json.RawMessage `json:"file_path"`
		FilePathC    json.RawMessage `json:"filePath"`
		NotebookPath json.RawMessage `json:"notebook_path"`
		Path         json.RawMessage `json:"path"`
		Command      json.RawMessage `json:"command"`
		Cmd          json.RawMessage `json:"cmd"`
		Offset       json.RawMessage `json:"offset"`
		Limit        json.RawMessage `json:"limit"`
		ViewRange    json.RawMessage `json:"view_range"`
	}
	if json.Unmarshal(input, &raw) != nil {
		return a
	}
	for _, r := range []json.RawMessage{raw.FilePath, raw.FilePathC, raw.NotebookPath, raw.Path} {
		if a.path = words(r); a.path != "" {
			break
		}
	}
	if a.command = words(raw.Command); a.command == "" {
		a.command = words(raw.Cmd)
	}
	a.aimed = given(raw.Offset) || given(raw.Limit) || given(raw.ViewRange)
	return a
}

// words reads a string, or an argv list as its words.
func words(r json.RawMessage) string {
	if len(r) == 0 {
		return ""
	}
	var s string
	if json.Unmarshal(r, &s) == nil {
		return s
	}
	var list []string
	if json.Unmarshal(r, &list) == nil {
		return strings.Join(list, " ")
	}
	return ""
}

func given(r json.RawMessage) bool {
	return len(r) > 0 && !bytes.Equal(r, []byte("null")) && !bytes.Equal(r, []byte(`""`))
}

// Args gives the one spelling by which [Call.Args] are compared: JSON without
// blanks and with sorted keys. What is no JSON stands for itself.
func Args(input json.RawMessage) string {
	dec := json.NewDecoder(bytes.NewReader(input))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil || dec.More() {
		return string(input)
	}
	out, err := json.Marshal(v)
	if err != nil {
		return string(input)
	}
	return string(out)
}

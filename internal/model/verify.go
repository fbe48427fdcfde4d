package model

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// madeJSON says how the graphs were made, and their hashes.
//
//go:embed weights/judge.json
var madeJSON []byte

// Verify compares the graphs in this binary with the hashes that training wrote
// down. It needs no library.
func Verify() error {
	return verify(madeJSON, map[string][]byte{
		"reader.onnx": readerONNX, "features.onnx": featuresONNX, "judge.onnx": judgeONNX,
	})
}

func verify(made []byte, graphs map[string][]byte) error {
	var m struct {
		SHA256 map[string]string `json:"sha256"`
	}
	if err := json.Unmarshal(made, &m); err != nil {
		return fmt.Errorf("read judge.json: %w", err)
	}
	for name, graph := range graphs {
		sum := sha256.Sum256(graph)
		if got, want := hex.EncodeToString(sum[:]), m.SHA256[name]; got != want {
			return fmt.Errorf("%s has hash %.12s, judge.json says %.12q", name, got, want)
		}
	}
	return nil
}

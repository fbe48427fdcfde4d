package api

import (
	"encoding/json"

	"winnow/internal/prune"
)

// The reducer's paths.
const (
	PathCompress = "/v1/compress" // POST CompressRequest -> CompressReply
	PathRetrieve = "/v1/retrieve" // POST RetrieveRequest -> RetrieveReply
	PathStats    = "/v1/stats"    // GET -> CompressStats
)

// CompressRequest asks for a shorter form of one text.
type CompressRequest struct {
	// ID names the text in the recall store; may be empty.
	ID   string `json:"id,omitempty"`
	Text string `json:"text"`
	// Role says whose text it is. "": "tool". User and system text is not touched.
	Role  string          `json:"role,omitempty"`
	Tool  string          `json:"tool,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`
	Task  prune.Task      `json:"task"`
	// File is the name of the file that the text is from: its ending says something.
	File string `json:"file,omitempty"`
	// Kind overrides the detection.
	Kind string `json:"kind,omitempty"`
	// Lossless allows only what decodes to the original; EditsOnly allows other
	// forms of JSON and tables only; NoRecall says that nobody can ask for what is
	// hidden, so that nothing lossy is answered.
	Lossless  bool `json:"lossless,omitempty"`
	EditsOnly bool `json:"edits_only,omitempty"`
	NoRecall  bool `json:"no_recall,omitempty"`
	// Judge lets the judge hide lines where no compressor of the kind did.
	Judge bool `json:"judge,omitempty"`
	// Failed and CacheMarked leave the text as it is.
	Failed      bool `json:"failed,omitempty"`
	CacheMarked bool `json:"cache_marked,omitempty"`
	// Pressure is how full the reader's context is, 0 to 1.
	Pressure float64 `json:"pressure,omitempty"`
	// The limits; 0 is the default (400, 3, 1, 200).
	MinTokens       int `json:"min_tokens,omitempty"`
	HeadItems       int `json:"head_items,omitempty"`
	TailItems       int `json:"tail_items,omitempty"`
	MaxStringLength int `json:"max_string_length,omitempty"`
}

// CompressReply is the text and how it came about. Where nothing could be done
// the text is the request's own and Untouched says why.
type CompressReply struct {
	ID   string `json:"id,omitempty"`
	Text string `json:"text"`
	// Kind is what the text was taken for.
	Kind string `json:"kind"`
	// Chain names what made the text, in order.
	Chain []string `json:"chain"`
	// Keys are those that the text shows; Original is the key of the whole.
	Keys     []string `json:"keys"`
	Original string   `json:"original,omitempty"`
	// Untouched says why the text is as it was, "" where it changed.
	Untouched string `json:"untouched,omitempty"`
	Before    int    `json:"tokens_before"`
	After     int    `json:"tokens_after"`
	// Decision is the whole record: every try, why it was refused, its time.
	Decision json.RawMessage `json:"decision,omitempty"`
}

// RetrieveRequest asks for a whole original.
type RetrieveRequest struct {
	Key string `json:"key"`
}

// RetrieveReply is the original, byte for byte where it is UTF-8. Found is false
// for a key that is not known, and Note says what to do.
type RetrieveReply struct {
	Text  string `json:"text"`
	Found bool   `json:"found"`
	Note  string `json:"note,omitempty"`
}

// CompressStats sums up what the reducer did since the daemon started.
type CompressStats struct {
	// Reducer is the router's own sums, by kind.
	Reducer json.RawMessage `json:"reducer"`
	// Counts holds the daemon's counters, as in the status.
	Counts map[string]int64 `json:"counts"`
}

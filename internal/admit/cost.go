package admit

import (
	"time"

	"winnow/internal/text"
)

// What the onnx judge took on the machine of docs/bench, the pace 1 of this cost.
// Of a long text it reads 10,000 tokens; each line costs its features.
const (
	perText   = 10 * time.Millisecond
	perToken  = 80 * time.Microsecond
	perLine   = 75 * time.Microsecond
	maxTokens = 10_000
	// tokenBytes is how many bytes of tool output make a token, on the average.
	tokenBytes = 2.8
)

// Onnx is the cost of the onnx judge.
func Onnx(d text.Doc) time.Duration {
	tokens := min(float64(len(d.Src))/tokenBytes, maxTokens)
	return perText + time.Duration(tokens*float64(perToken)) + time.Duration(d.Len())*perLine
}

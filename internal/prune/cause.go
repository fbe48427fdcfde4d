package prune

import "strings"

// Cause says why a line stays whatever the judge says; a line may have several.
type Cause uint16

// The causes.
const (
	Edge     Cause = 1 << iota // first and last two lines
	Word                       // a failure word
	Trace                      // part of a traceback, failure block or diagnostic
	Notice                     // something was cut by somebody else
	Reminder                   // a host's block: reminder, pointer to a saved output
	Summary                    // final counts, the last verdict
	Changed                    // a changed line of a diff, and its headers
	Warning                    // one of few warnings
	Damaged                    // holds a replacement character: not the bytes the program wrote
	Outside                    // not part of the output: a tool's header, a line without a number
)

var causeNames = []string{"edge", "word", "trace", "notice", "reminder", "summary", "changed", "warning", "damaged", "outside"}

// String lists the causes, for logs.
func (c Cause) String() string {
	var names []string
	for i, name := range causeNames {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "+")
}

// near are the causes whose lines keep their neighbours too.
const near = Word | Trace | Changed | Warning | Summary

// Package propose says which lines of a tool's output repeat others by their
// form, for the judge to agree or not: what a command printed over and over may
// go at a score at which nothing else may.
package propose

import (
	"strings"

	"winnow/internal/compress"
	"winnow/internal/compress/logs"
	"winnow/internal/prune"
	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

// Repeats proposes lines of a log that say again what stands beside them: tests
// that passed, progress, one form with other times and ids. It is a
// [prune.Proposer]: the runs are of body's lines, in order, and do not overlap.
func Repeats(in prune.Input, body text.Doc) []prune.Fold {
	command, file := prune.Subject(in.Tool)
	guess := detect.Of(body.Src, detect.Hint{Tool: in.Tool.Name, Command: command, File: file})
	if guess.Kind != detect.Log && guess.Kind != detect.Trace {
		return nil
	}
	cuts := logs.Editor{}.Cuts(compress.Input{
		Text: body.Src, Kind: guess.Kind, Language: guess.Language, Tool: in.Tool.Name, Command: command,
		Query:  strings.Join([]string{in.Task.Request, in.Task.Intent, command}, "\n"),
		Limits: compress.Limits{}.WithDefaults(),
	})
	folds := make([]prune.Fold, len(cuts))
	for i, c := range cuts {
		folds[i] = prune.Fold{Start: c.First, End: c.Last, Digest: c.Digest}
	}
	return folds
}

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"winnow/internal/eval"
	"winnow/internal/second"
)

// repliesName is the judge whose answers are replies in a file.
const repliesName = "replies"

// judgeFlags say who judges cases.
type judgeFlags struct{ name, replies, local string }

func (f *judgeFlags) add(fl *pflag.FlagSet) {
	fl.StringVar(&f.name, "judge", "onnx", "judge: onnx, lexical, fake, or replies (with --replies)")
	fl.StringVar(&f.replies, "replies", "", "a model's answers to the requests of winnow ask, as JSONL {\"id\",\"reply\"}")
	fl.StringVar(&f.local, "local", "", "with replies: the local judge that settles what it is sure of, as in cascade (onnx, lexical)")
}

// caseJudge opens the judge of one case after the other.
type caseJudge struct {
	judge
	replies map[string]string
	cascade bool
	bands   second.Bands
	say     func(string)
}

// open opens the judge, and reads the replies where they are what judges.
func (f judgeFlags) open(cmd *cobra.Command, b second.Bands) (*caseJudge, error) {
	if (f.name == repliesName) != (f.replies != "") {
		return nil, withHint(errors.New("--judge replies and --replies FILE go together"), "winnow ask --help  # its questions, answered by a model, are the JSONL {\"id\",\"reply\"}")
	}
	c := &caseJudge{cascade: f.local != "", bands: b, say: func(s string) { cmd.PrintErrln("winnow: " + s) }}
	name := f.name
	if f.replies != "" {
		var err error
		if c.replies, err = readFile(f.replies, eval.ReadReplies); err != nil {
			return nil, err
		}
		if name = f.local; name == "" {
			name = "lexical" // it says whether the whole reports a failure
		}
	} else if f.local != "" {
		return nil, errors.New("--local goes with --judge replies")
	}
	var err error
	c.judge, err = cliJudge(cmd, name)
	return c, err
}

// of returns the judge of a case.
func (c *caseJudge) of(id string) (judge, error) {
	j := c.judge
	if c.replies == nil {
		return j, nil
	}
	reply, ok := c.replies[id]
	if !ok {
		return j, errors.New("no reply")
	}
	j.name = repliesName
	j.scorer = second.Reply{Text: reply, Bands: c.bands, Local: whole{c.judge.scorer}, Cascade: c.cascade,
		Refused: func(err error) { c.say(fmt.Sprintf("case %s: %v; the local result stands", id, err)) }}
	return j, nil
}

// called names the judge in a report.
func (c *caseJudge) called() string {
	switch {
	case c.replies == nil:
		return c.name
	case c.cascade:
		return repliesName + " after " + c.name
	}
	return repliesName
}

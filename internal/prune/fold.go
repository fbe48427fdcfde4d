package prune

import (
	"path"
	"strings"

	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

// Fold is a run of lines that the loop was shown before, as whoever keeps track
// of that found out: it is hidden without asking a judge.
type Fold struct {
	// Start and End are 0-based inclusive lines of Input.Text.
	Start, End int
	// Digest says where the lines stand.
	Digest string
}

// Again says why nothing is folded: the same call came a moment ago, and the
// agent wants it whole.
const Again Reason = "asked-again"

// Look is a text as whoever folds must know it.
type Look struct {
	// Doc is Input.Text with a Read's margin stripped, line for line, and Numbers
	// the number by which the reader knows each line.
	Doc     text.Doc
	Numbers []int
	// From and To bound the output itself: lines [From, To).
	From, To int
	// Name is how a reference may call the text: a file's name, a command. Of is
	// what it is a reading of: equal ones are readings of the same.
	Name, Of string
	// File reports that Of is a file's name; Of is "" where nobody knows.
	File bool
	// Twice reports that it is a reading of files whose call came a moment ago,
	// whatever happened since: the same text once more is wanted whole.
	Twice bool

	in *Input
	v  view
}

// Look looks at a text. It asks no gate: what was shown of any result was shown.
func (p *Pruner) Look(in Input) Look {
	v := newView(&in)
	l := Look{Doc: v.doc, From: v.from, To: v.to, in: &in, v: v}
	l.Name, l.Of, l.File = names(&in, &v)
	l.Numbers = make([]int, v.doc.Len())
	for i := range l.Numbers {
		l.Numbers[i] = v.number(&in, i)
	}
	l.Twice = twin(&in, &v) >= 0 && len(v.files()) > 0
	if ours := l.Own(); ours || v.kind == shellTool && numbers(v.args.command) {
		l.unnumber()
		if ours { // whatever they were hidden of
			l.Name, l.Of, l.File = "the recalled lines", "", false
		}
	}
	return l
}

// Own reports whether winnow itself printed it.
func (l *Look) Own() bool {
	return ownTool(l.in.Tool.Name) || l.v.kind == shellTool && ownCommand(l.v.args.command)
}

// unnumber takes the numbers off that a program printed before each line: the
// text counts, as with a Read.
func (l *Look) unnumber() {
	doc, nums, ok := text.Margin(l.Doc)
	if !ok {
		return
	}
	first := 0
	for nums[first] == 0 {
		first++
	}
	if rest := strings.TrimLeft(l.Doc.Line(first), " 0123456789"); !strings.HasPrefix(rest, "\t") && !strings.HasPrefix(rest, "→") {
		return // a list
	}
	l.Doc = doc
	for i, n := range nums {
		if n > 0 {
			l.Numbers[i] = n
		}
	}
}

// numbers reports whether a shell command prints files with the numbers of their
// lines, and does nothing else.
func numbers(command string) bool {
	if len(filesRead(command)) == 0 {
		return false
	}
	for part := range commandParts(command) {
		switch commandHead(part) {
		case "nl":
			return true
		case "cat":
			for w := range strings.FieldsSeq(part) {
				if w == "--number" || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.Contains(w, "n") {
					return true
				}
			}
		}
	}
	return false
}

// FoldGate says why nothing of a text may be folded; [Pruned] means that it may.
// It asks less than [Pruner.Gate]: no task is needed, a read with offset or
// limit is as good as any, and what was just edited is what is read again.
func (p *Pruner) FoldGate(l Look) Reason {
	in, v := l.in, &l.v
	switch {
	case in.Failed:
		return FailedTool
	case l.Own(), p.namesState(v.kind, v.args):
		return Own
	case v.kind == otherTool, in.Saved != nil, !p.chosen(in.Tool.Name, v.kind):
		return OtherTool
	case !in.CanRecall:
		return NoRecall
	case p.excluded(v.kind, v.args):
		return Excluded
	case again(in, v):
		return Again
	}
	return p.gateText(in, v)
}

// Fixes are the causes for which a line is never folded: what a program reports
// as a failure, final counts and the last verdict, notices that something is
// missing, and what is no part of the output.
const Fixes = Word | Trace | Notice | Reminder | Summary | Damaged | Outside

// Causes says for each line why it stays. Code that was read from a file may
// speak of errors, in a shell too.
func (l *Look) Causes() []Cause {
	v := l.v
	v.lenient = true
	if files := v.files(); v.kind == shellTool && len(files) > 0 && v.from < v.to {
		v.source = sourceOf(files, v.doc.Run(v.from, v.to-1))
	}
	return protect(l.in, &v)
}

// sourceOf returns the family of source files that a shell command printed.
func sourceOf(files []string, content string) detect.Family {
	found := detect.None
	for _, f := range files {
		if detect.Extension(f) == detect.None {
			return detect.None
		}
		if found == detect.None {
			found = detect.Source(f, content)
		}
	}
	return found
}

// again reports whether an identical call came within the last [repeatWindow]
// calls and nothing that it shows was changed since.
func again(in *Input, v *view) bool {
	at := twin(in, v)
	if at < 0 {
		return false
	}
	files := v.files()
	for _, c := range in.Calls[at+1:] {
		if changes(c, files, len(files) == 0) {
			return false
		}
	}
	return true
}

// twin is the newest identical call within the last [repeatWindow], -1 for none.
func twin(in *Input, v *view) int {
	if polls[in.Tool.Name] {
		return -1
	}
	mine := in.Args
	if mine == "" {
		mine = Args(in.Tool.Input)
	}
	for at := len(in.Calls) - 1; at >= max(0, len(in.Calls)-repeatWindow); at-- {
		if c := in.Calls[at]; c.Tool == in.Tool.Name && (c.Args == mine || Args([]byte(c.Args)) == mine) {
			return at
		}
	}
	return -1
}

// polls are tools by which other agents ask a running program how far it is:
// to ask once more is no wish for what was shown.
var polls = map[string]bool{"write_stdin": true, "wait": true}

// files are the files that a call does nothing with but show them; none where it
// may do more, or shows something else.
func (v *view) files() []string {
	switch {
	case v.args.path != "":
		return []string{v.args.path}
	case v.kind == shellTool:
		return filesRead(v.args.command)
	}
	return nil
}

// maxName bounds the name of a text in a reference.
const maxName = 24

func names(in *Input, v *view) (name, of string, file bool) {
	if files := v.files(); len(files) == 1 && (v.kind == readTool || v.kind == shellTool) {
		return text.Head(path.Base(files[0]), maxName), path.Clean(files[0]), true
	}
	if v.args.command == "" {
		return "the " + text.Head(in.Tool.Name, maxName) + " result", in.Tool.Name + " " + v.args.path, false
	}
	c := strings.Join(strings.Fields(text.Head(v.args.command, 8*maxName)), " ")
	if name = c; text.Chars(c) > maxName {
		name = text.Head(c, maxName-1) + "…"
	}
	return "`" + name + "`", c, false
}

// Fold renders the text with nothing hidden but Input.Folds; Result.Folded then
// says what was. Folds that do not fit the text, or may not be, are left out.
func (p *Pruner) Fold(in Input) Result {
	left := Result{Text: in.Text, StartLine: in.StartLine}
	l := p.Look(in)
	if left.Reason = p.FoldGate(l); left.Reason != Pruned || len(in.Folds) == 0 {
		return left
	}
	return p.foldAlone(&in, &l.v, left)
}

// foldAlone puts the folds into a result of which the judge hid nothing.
func (p *Pruner) foldAlone(in *Input, v *view, left Result) Result {
	keep := make([]bool, v.doc.Len())
	for i := range keep {
		keep[i] = true
	}
	res, ok := render(in, v, keep, p.o)
	if !ok {
		return left
	}
	left.Text, left.Folded, left.StartLine = res.Text, res.Folded, res.StartLine
	return left
}

// fitting returns the folds if they fit a text of n lines, ascending and apart.
func fitting(folds []Fold, n int) []Fold {
	at := 0
	for _, f := range folds {
		if f.Start < at || f.End < f.Start || f.End >= n {
			return nil
		}
		at = f.End + 1
	}
	return folds
}

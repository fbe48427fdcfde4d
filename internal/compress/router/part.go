package router

import (
	"encoding/json"
	"strings"

	"winnow/internal/compress"
	"winnow/internal/prune"
	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

// part is a run of a block's lines that is routed by itself.
type part struct {
	raw, text string // text is raw without a Read's margin
	nums      []int  // the margin's numbers
	base      int    // lines of the block above it
	fixed     bool
	quoted    bool
	guess     detect.Guess
	section   int
	// keep are the lines that nothing may hide; made when first asked for.
	keep []bool
}

// split takes a block apart: what the tool put around its output is fixed, and
// a mixed output is cut into its sections.
func split(b *Block) (parts []part, whole detect.Guess, mixed bool) {
	raw := text.Split(b.Text)
	doc, nums, from, to := prune.Body(b.Tool, b.Text)
	cut := func(first, last int, p part) {
		if first > last {
			return
		}
		p.raw, p.text, p.base = raw.Run(first, last), doc.Run(first, last), first
		if nums != nil {
			p.nums = nums[first : last+1]
		}
		parts = append(parts, p)
	}
	cut(0, from-1, part{fixed: true})
	if from < to {
		h := hint(b)
		body := doc.Run(from, to-1)
		whole = detect.Guess{Kind: b.Kind, Language: b.Language, Confidence: 1}
		if b.Kind == detect.Unknown || b.Kind == detect.Mixed {
			whole = detect.Of(body, h)
		}
		var sections []detect.Section
		switch {
		case mayCut(b, whole) || b.Kind == detect.Unknown && oneString(body):
			sections = detect.Sections(text.Split(body))
		case b.Kind == detect.Unknown && ofLines(whole.Kind) && strings.Contains(body, "<"):
			sections = detect.AtTags(detect.Sections(text.Split(body)), whole.Kind)
		}
		if mixed = sections != nil; !mixed {
			cut(from, to-1, part{guess: whole})
		}
		h.File = ""
		for i, s := range sections {
			p := part{fixed: s.Fixed, quoted: s.Quoted, section: i + 1, guess: detect.Guess{Kind: s.Kind, Language: s.Language, Confidence: 1}}
			if !s.Fixed && s.Kind == detect.Unknown {
				p.guess = detect.Of(doc.Run(from+s.First, from+s.Last), h)
			}
			if s.Kind != detect.Unknown && s.Kind == whole.Kind {
				p.guess = whole
			}
			cut(from+s.First, from+s.Last, p)
		}
	}
	cut(max(to, from), raw.Len()-1, part{fixed: true})
	if mixed {
		whole.Kind = detect.Mixed
	}
	return parts, whole, mixed
}

// ofLines reports whether a kind is made of lines that know nothing of each other:
// even where it is sure, a host's tags between them stay.
func ofLines(k detect.Kind) bool {
	switch k {
	case detect.Log, detect.Trace, detect.Search, detect.Listing, detect.Table:
		return true
	}
	return false
}

// oneString reports whether a text may be one JSON string.
func oneString(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' && strings.IndexByte(s, '\n') < 0
}

// mayCut reports whether a text may be mixed: sure code and data are not, however
// many literals or fences they hold.
func mayCut(b *Block, g detect.Guess) bool {
	if b.Kind != detect.Unknown && b.Kind != detect.Mixed {
		return false
	}
	return b.Kind == detect.Mixed || g.Confidence < detect.Sure || g.Kind == detect.Prose
}

// hint says what is known of a block's call.
func hint(b *Block) detect.Hint {
	command, file := prune.Subject(b.Tool)
	h := detect.Hint{Tool: b.Tool.Name, Command: command}
	if h.File = b.File; h.File == "" && command == "" && reads(b.Tool.Name) {
		h.File = file
	}
	return h
}

func reads(tool string) bool {
	switch strings.ToLower(tool) {
	case "read", "view", "read_file", "notebookread":
		return true
	}
	return false
}

// input is what a compressor is given of a part.
func input(b *Block, p *part) compress.Input {
	command, file := prune.Subject(b.Tool)
	if command == "" {
		command = file
		var a struct {
			Pattern string `json:"pattern"`
		}
		if json.Unmarshal(b.Tool.Input, &a) == nil && a.Pattern != "" {
			command = a.Pattern
		}
	}
	query := b.Task.Request + "\n" + b.Task.Intent
	if p.guess.Kind != detect.Search && p.guess.Kind != detect.Listing {
		query += "\n" + command // what a call names is asked for: a test, a package, a file
	}
	return compress.Input{
		Text: p.text, Kind: p.guess.Kind, Language: p.guess.Language, Tool: b.Tool.Name, Command: command,
		Query: strings.TrimSpace(query), Limits: b.Limits,
	}
}

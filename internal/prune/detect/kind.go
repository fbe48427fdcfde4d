package detect

// Kind is what a text is.
type Kind string

// The kinds. Unknown is treated as prose: nothing is known that helps.
const (
	Unknown Kind = ""
	JSON    Kind = "json"    // one JSON value
	JSONL   Kind = "jsonl"   // a JSON value on each line
	Code    Kind = "code"    // source code
	Search  Kind = "search"  // hits: path:12:text, or grouped below their file
	Log     Kind = "log"     // builds, tests, services
	Diff    Kind = "diff"    // unified diffs, with or without commits
	HTML    Kind = "html"    // HTML and other markup
	Table   Kind = "table"   // CSV, TSV, Markdown, aligned columns
	Config  Kind = "config"  // YAML, TOML, INI, properties
	Trace   Kind = "trace"   // stack traces and little else
	Listing Kind = "listing" // paths: find, ls, tree
	Prose   Kind = "prose"   // text for people
	Binary  Kind = "binary"  // bytes that are no text
	Mixed   Kind = "mixed"   // sections of several kinds
)

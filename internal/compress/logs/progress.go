package logs

import "strings"

// progress marks what tools print while they work: packages fetched and
// installed, units compiled, layers pulled, files written. The first and the
// last line of written files stay.
func (p *pass) progress() {
	for i, l := range p.body {
		if p.rules[i] == none && working(unlabelled(strings.TrimSpace(l))) {
			p.rules[i] = progress
		}
	}
	p.artifacts()
}

// unlabelled takes off the name of a task that a runner put before its lines: "[build] ", "web:build: ".
func unlabelled(t string) string {
	if strings.HasPrefix(t, "[") {
		if i := strings.IndexByte(t[:min(len(t), 40)], ']'); i > 1 && letter(t[1]) && !strings.HasPrefix(t, "[INFO]") {
			return strings.TrimLeft(t[i+1:], " ")
		}
	}
	if i := strings.Index(t[:min(len(t), 32)], " – "); i > 0 && !strings.Contains(t[:i], " ") {
		return strings.TrimLeft(t[i+len(" – "):], " ")
	}
	return t
}

// starts are what a line of progress begins with, by its first letter.
var starts = func() (m [256][]string) {
	for _, s := range strings.Split(`Downloading |Downloaded |Collecting |Requirement already satisfied|Using cached |Installing build dependencies|`+
		`Getting requirements to build|Preparing metadata|Building wheel|Created wheel|Stored in directory|Building wheels for|Compiling |Checking |Fresh |`+
		`Updating crates.io|Locking |go: downloading |go: finding |Get:|Hit:|Ign:|Selecting previously|Preparing to unpack|Unpacking |`+
		`Setting up |Processing triggers|(Reading database|remote: Counting |remote: Compressing |remote: Enumerating |Receiving objects:|Resolving deltas:|`+
		`Counting objects:|Compressing objects:|Writing objects:|Delta compression|[INFO] Downloading from|[INFO] Downloaded from|Progress (|npm http|npm timing|`+
		`npm verb|npm sill|Fetching |Installing |Extracting |Pulling |Linking |Using `, "|") {
		m[s[0]] = append(m[s[0]], s)
	}
	return m
}()

// ends are what a line of progress ends in.
var ends = []string{" UP-TO-DATE", " NO-SOURCE", " FROM-CACHE", ": Pulling fs layer", ": Waiting", ": Verifying Checksum", ": Download complete", ": Pull complete", ": Already exists", " CACHED"}

// working reports whether a trimmed line is progress and no result.
func working(t string) bool {
	if len(t) < 6 || len(t) > 400 {
		return false
	}
	for _, s := range starts[t[0]] {
		if strings.HasPrefix(t, s) {
			return true
		}
	}
	switch t[len(t)-1] {
	case 'E', 'D', 'r', 'g', 'm', 'e', 's':
		for _, s := range ends {
			if strings.HasSuffix(t, s) {
				return true
			}
		}
	}
	switch t[0] {
	case '[':
		return step(t)
	case '>':
		return strings.HasPrefix(t, "> Task :") && strings.Count(t, " ") == 2
	case '#':
		return layer(t)
	}
	return strings.Contains(t, "%|") && strings.Contains(t, "it/s")
}

// step reads "[ 12%] Building ...", "[3/10] Compiling ...".
func step(t string) bool {
	i := strings.IndexByte(t, ']')
	if i < 2 || i > 12 || strings.Trim(t[1:i], " 0123456789/%") != "" || !strings.ContainsAny(t[1:i], "%/") {
		return false
	}
	w := upTo(strings.TrimSpace(t[i+1:]), " ")
	return steps[w]
}

var steps = set("Building Compiling Linking Generating Installing Scanning CC CXX AR LD Copying Downloading Fetching Resolving Built")

// layer reads what a container build prints of a layer: "#12 sha256:... 3MB / 9MB".
func layer(t string) bool {
	rest := strings.TrimLeft(t[1:], "0123456789")
	return len(rest) < len(t)-1 && (strings.HasPrefix(rest, " sha256:") || strings.HasPrefix(rest, " extracting sha256:") || strings.HasPrefix(rest, " DONE ") || strings.HasPrefix(rest, " CACHED") || strings.HasPrefix(rest, " transferring "))
}

// minArtifacts is how many written files are worth a fold.
const minArtifacts = 6

// artifacts marks the middle of lists of written files with their sizes.
func (p *pass) artifacts() {
	var run []int
	flush := func() {
		if len(run) >= minArtifacts {
			for _, i := range run[1 : len(run)-1] {
				p.set(i, progress, i)
			}
		}
		run = run[:0]
	}
	for i, l := range p.body {
		switch {
		case p.rules[i] != none || p.blank(i):
		case artifact(l):
			run = append(run, i)
		default:
			flush()
		}
	}
	flush()
}

// artifact reads "dist/index.js  12.3 kB", with what comes behind the size.
func artifact(l string) bool {
	f := strings.Fields(l)
	if len(f) < 3 || len(f) > 12 {
		return false
	}
	for i := 2; i < len(f); i++ {
		if sizeUnits[f[i]] && number(f[i-1]) {
			name := f[i-2]
			return strings.Contains(name, ".") && strings.Contains(name, "/")
		}
	}
	return false
}

var sizeUnits = set("B kB KB KiB MB MiB")

func number(s string) bool {
	return s != "" && strings.Trim(s, "0123456789.,") == ""
}

package logs

import (
	"strings"

	"winnow/internal/compress"
	"winnow/internal/text"
)

// deep is how many frames in a row make a stack deep; of these the first
// keptFrames, the last, and the project's own stay.
const (
	deep       = 8
	keptFrames = 3
)

// DeepFrames says which lines are a library's frames in the middle of a deep stack,
// for a router that keeps tracebacks whole but for those. nil: none.
func (Editor) DeepFrames(in compress.Input) []bool {
	d := text.Split(in.Text)
	if d.Len() < minLines {
		return nil
	}
	p := newPass(in, d)
	p.frames()
	var deep []bool
	for i, r := range p.rules {
		if r != frame || p.keep(i) {
			continue
		}
		if deep == nil {
			deep = make([]bool, d.Len())
		}
		deep[i] = true
	}
	return deep
}

// frames marks the libraries' frames in the middle of deep stacks.
func (p *pass) frames() {
	for i := 0; i < len(p.body); {
		var at []int // where each frame of the stack begins
		j := i
		for j < len(p.body) {
			n := frameLines(p.body, j)
			if n == 0 {
				break
			}
			at = append(at, j)
			j += n
		}
		if j == i {
			i++
			continue
		}
		if len(at) >= deep {
			at = append(at, j)
			for k := keptFrames; k < len(at)-2; k++ {
				if !foreign(p.body[at[k]]) && !(at[k+1]-at[k] > 1 && foreign(p.body[at[k]+1])) {
					continue
				}
				for l := at[k]; l < at[k+1]; l++ {
					p.set(l, frame, l)
				}
			}
		}
		i = j
	}
}

// frameLines returns how many lines the frame at line i has, 0 for no frame.
func frameLines(lines []string, i int) int {
	l := lines[i]
	t := strings.TrimLeft(l, " \t")
	switch {
	case t == l:
		if i+1 < len(lines) && strings.HasSuffix(l, ")") && strings.HasPrefix(lines[i+1], "\t/") { // Go
			return 2
		}
		return 0
	case strings.HasPrefix(t, "at ") && strings.ContainsAny(t, "(:/"):
		return 1
	case strings.HasPrefix(t, `File "`) && strings.Contains(t, `", line `): // Python
		n := 1
		for i+n < len(lines) && n < 4 && indent(lines[i+n]) > len(l)-len(t) && !strings.HasPrefix(strings.TrimLeft(lines[i+n], " "), `File "`) {
			n++
		}
		return n
	}
	return 0
}

func indent(l string) int { return len(l) - len(strings.TrimLeft(l, " \t")) }

// foreign reports whether a frame is a library's.
func foreign(l string) bool {
	for _, s := range libraries {
		if strings.Contains(l, s) {
			return true
		}
	}
	return false
}

var libraries = []string{
	"node_modules", "site-packages", "dist-packages", "node:internal", "/usr/lib/", "/usr/local/lib/", "/usr/local/go/src/", "/go/pkg/mod/",
	"/rustc/", ".cargo/registry", "<frozen ", "java.base/", "jdk.internal.", "sun.reflect.", "java.util.", "java.lang.", "org.junit.",
	"org.springframework.", "org.apache.", "org.gradle.", "System.", "Microsoft.", "vendor/bundle", "/gems/",
}

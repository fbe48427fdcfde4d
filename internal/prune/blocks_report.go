package prune

import "strings"

// pytestBlock finds "____ test ____" with all that follows to the next header,
// what the test printed included; and lone "E  " details.
func pytestBlock(lines []string, _ []hint, i int) (int, int) {
	if strings.HasPrefix(lines[i], "E  ") {
		return i, i + 1
	} else if !pytestHead(lines[i]) {
		return i, i
	}
	j := i + 1
	for j < len(lines) && !strings.HasPrefix(lines[j], "=====") && !pytestHead(lines[j]) {
		j++
	}
	return i, j
}

func pytestHead(l string) bool {
	return strings.HasPrefix(l, "__") && strings.HasSuffix(l, "__") && strings.Contains(l, " ")
}

// numberedBlock finds the failure blocks of Playwright, mocha and RSpec
// ("  1) name") and jest ("  ● suite › name"): a header, then deeper lines.
// A numbered list of a text is none: a failure block speaks of one.
func numberedBlock(lines []string, h []hint, i int) (int, int) {
	t := strings.TrimLeft(lines[i], " ")
	jest := strings.HasPrefix(t, "● ")
	if !jest {
		n, rest, ok := strings.Cut(t, ") ")
		if !ok || n == "" || len(n) > 4 || strings.Trim(n, "0123456789") != "" || rest == "" {
			return i, i
		}
	}
	in, speaks, last := indent(lines[i]), h[i]&hintFailure != 0, i
	for j := i + 1; j < len(lines); j++ {
		if blank(lines[j]) {
			continue
		}
		if indent(lines[j]) <= in {
			break
		}
		speaks = speaks || h[j]&hintFailure != 0 || strings.HasSuffix(lines[j], "+ expected - actual") || frame(lines[j])
		last = j
	}
	if last == i || !speaks && !jest {
		return i, i
	}
	return i, last + 1
}

// vitestBlock finds what stands in a report between two rules of "⎯⎯⎯": from
// "⎯⎯ Failed Tests 1 ⎯⎯" to the rule below each failure, and to the final counts.
func vitestBlock(lines []string, h []hint, i int) (int, int) {
	if !strings.Contains(lines[i], "⎯⎯⎯") || !speaksSoon(h, i) {
		return i, i
	}
	j := i + 1
	for j < len(lines) && !strings.Contains(lines[j], "⎯⎯⎯") {
		if strings.HasPrefix(strings.TrimLeft(lines[j], " "), "Test Files ") {
			return i, j + 1
		}
		j++
	}
	return i, j
}

// speaksSoon reports whether line i or one of the next lines names a failure.
func speaksSoon(h []hint, i int) bool {
	for _, x := range h[i:min(i+4, len(h))] {
		if x&hintFailure != 0 {
			return true
		}
	}
	return false
}

// rustTest finds "---- tests::x stdout ----" to the next such header.
func rustTest(lines []string, _ []hint, i int) (int, int) {
	if !strings.HasPrefix(lines[i], "---- ") || !strings.HasSuffix(lines[i], " ----") {
		return i, i
	}
	j := i + 1
	for j < len(lines) && !strings.HasPrefix(lines[j], "---- ") && lines[j] != "failures:" {
		j++
	}
	return i, j
}

// imageBuild finds the step of an image build that did not succeed: "------",
// " > [2/3] RUN x:" with its output, and the excerpt of the build file below.
func imageBuild(lines []string, _ []hint, i int) (int, int) {
	if !strings.HasPrefix(lines[i], " > [") || !strings.HasSuffix(lines[i], ":") {
		return i, i
	}
	for j := i + 1; j < min(i+maxBlock, len(lines)); j++ {
		if strings.Contains(lines[j], "failed to solve") || strings.Contains(lines[j], "did not complete") {
			return max(i-1, 0), j + 1
		}
	}
	return max(i-1, 0), min(i+20, len(lines))
}

package prune

import "strings"

// goTestFail finds "--- FAIL: TestX" with the indented lines below it, and
// with -v what the test logged before: since its "=== RUN", or where that was
// cut off, the indented lines above.
func goTestFail(lines []string, _ []hint, i int) (int, int) {
	t := strings.TrimLeft(lines[i], " ")
	name, ok := strings.CutPrefix(t, "--- FAIL: ")
	if !ok {
		return i, i
	}
	in := indent(lines[i])
	j := i + 1
	for j < min(i+maxBlock, len(lines)) && (blank(lines[j]) || indent(lines[j]) > in) {
		j++
	}
	return testLog(lines, i, head(name)), j
}

// maxTestLog bounds the lines that a failed test logged before its verdict.
const maxTestLog = 60

// testLog returns the first line that the test which failed at line i logged.
func testLog(lines []string, i int, name string) int {
	above := i
	for k := i - 1; k >= max(0, i-maxTestLog); k-- {
		if lines[k] == "=== RUN   "+name {
			return k
		}
		if above == k+1 && strings.HasPrefix(lines[k], "    ") {
			above = k
		}
	}
	return above
}

// pytestBlock finds "____ test ____" with all that follows to the next header,
// but of captured output only its beginning; and lone "E  " details.
func pytestBlock(lines []string, _ []hint, i int) (int, int) {
	if l := lines[i]; strings.HasPrefix(l, "E  ") {
		return i, i + 1
	} else if !strings.HasPrefix(l, "__") || !strings.HasSuffix(l, "__") || !strings.Contains(l, " ") {
		return i, i
	}
	j, captured := i+1, 0
	for ; j < len(lines); j++ {
		l := lines[j]
		if strings.HasPrefix(l, "=====") || strings.HasPrefix(l, "__") && strings.HasSuffix(l, "__") && strings.Contains(l, " ") {
			break
		}
		if captured > 0 || strings.HasPrefix(l, "-----") && strings.Contains(l, " Captured ") {
			if captured++; captured > 12 {
				break
			}
		}
	}
	return i, j
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
	for j := i + 1; j < min(i+maxBlock, len(lines)); j++ {
		if blank(lines[j]) {
			continue
		}
		if indent(lines[j]) <= in {
			break
		}
		speaks = speaks || h[j]&hintFailure != 0
		last = j
	}
	if last == i || !speaks && !jest {
		return i, i
	}
	return i, last + 1
}

// vitestBlock finds the part of a report under "⎯⎯ Failed Tests 1 ⎯⎯" or
// "⎯⎯ Unhandled Errors ⎯⎯", to the final counts.
func vitestBlock(lines []string, h []hint, i int) (int, int) {
	if h[i]&hintFailure == 0 || !strings.Contains(lines[i], "⎯⎯⎯") {
		return i, i
	}
	for j := i + 1; j < min(i+maxBlock, len(lines)); j++ {
		if t := strings.TrimLeft(lines[j], " "); strings.HasPrefix(t, "Test Files ") {
			return i, j + 1
		}
	}
	return i, min(i+40, len(lines))
}

// rustTest finds "---- tests::x stdout ----" to the next such header.
func rustTest(lines []string, _ []hint, i int) (int, int) {
	if !strings.HasPrefix(lines[i], "---- ") || !strings.HasSuffix(lines[i], " ----") {
		return i, i
	}
	j := i + 1
	for j < min(i+maxBlock, len(lines)) && !strings.HasPrefix(lines[j], "---- ") && lines[j] != "failures:" {
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

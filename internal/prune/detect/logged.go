package detect

import (
	"path"
	"strings"
)

// runners are the signs by which a tool's log is known: a line that begins
// with one. Two of them, or one of a verdict, are needed.
var runners = []struct {
	tool  string
	signs []string
}{
	{"go test", []string{"=== RUN", "=== PAUSE", "=== CONT", "--- PASS", "--- FAIL", "--- SKIP", "ok  \t", "FAIL\t", "?   \t", "PASS"}},
	{"pytest", []string{"platform linux --", "platform darwin --", "collected ", "rootdir:", "plugins:", "PASSED", "test session starts"}},
	{"cargo", []string{"Compiling ", "Finished ", "Running unittests", "running ", "test result:", "test ", "Downloaded ", "error[E", "warning: unused", "Checking "}},
	{"jest", []string{"PASS ", "FAIL ", "✓ ", "✕ ", "√ ", "Tests: ", "Test Suites:", "Test Files ", "Snapshots:", "❯ ", "RUN  v", "× "}},
	{"npm", []string{"npm ERR!", "npm warn", "npm WARN", "npm notice", "added ", "audited ", "up to date", "> "}},
	{"maven", []string{"[INFO] ", "[ERROR] ", "[WARNING] ", "[DEBUG] ", "[INFO]", "Tests run:", "Downloading from ", "Downloaded from ", "Progress ("}},
	{"jenkins", []string{"[Pipeline]", "Started by ", "Running as ", "Building ", "[WS-CLEANUP]", "[EnvInject]", "+ ", "> git "}},
	{"gradle", []string{"> Task :", "BUILD SUCCESSFUL", "BUILD FAILED", "> Configure"}},
	{"tsc", []string{"error TS", "Found "}},
	{"docker", []string{"Step ", "#", "=> ", " ---> "}},
	{"pip", []string{"Collecting ", "Downloading ", "Requirement already", "Installing collected", "Successfully installed", "Using cached"}},
	{"make", []string{"make[", "make: ", "gcc ", "g++ ", "cc ", "[ ", "-- "}},
	{"apt", []string{"Get:", "Hit:", "Unpacking ", "Setting up ", "Selecting previously", "Preparing to unpack", "Reading "}},
}

// logs are builds, tests and services, known by stamps, levels, verdicts, or
// by the signs of a tool. An issue's text that speaks of errors has none of
// these on most of its lines.
func logs(l *look, h Hint) Guess {
	tool, signs := runner(l)
	stamped, verdicts, diag, sentences := l.of(sStamp|sLevel), l.of(sDone|sVerdict), l.of(sReported), l.of(sSentence)
	if l.count(sFence) >= 2 { // a document that quotes a log
		return Guess{}
	}
	inner := l.of(sInner)
	if inner >= 0.5 {
		stamped = max(stamped, inner*0.9)
	}
	score := max(stamped, signs, verdicts*1.2, diag*1.2)
	score = min(score+0.3*min(stamped+signs+verdicts+diag-score, 0.5), 1)
	score -= 0.5 * max(sentences-stamped, 0)
	if l.count(sStrong) > 0 && l.count(sHeading) == 0 {
		score += 0.35
	}
	if ran(h.Command) && (h.Tool == "" || h.File == "") {
		score += 0.25
	}
	if strings.ToLower(path.Ext(h.File)) == ".log" {
		score += 0.3
	}
	if score < 0.3 {
		return Guess{}
	}
	return Guess{Log, tool, min(0.4+score*0.55, 0.97), false}
}

// ran reports whether a command builds or tests.
func ran(command string) bool {
	return runs(command, "make", "cargo", "npm", "pnpm", "yarn", "bun", "npx", "pytest", "tox", "mvn", "gradle", "gradlew", "jest", "vitest",
		"cmake", "ctest", "ninja", "bazel", "docker", "pip", "apt-get", "tsc", "eslint", "mise", "task", "just", "journalctl", "kubectl") ||
		strings.Contains(command, "go test") || strings.Contains(command, "go build") || strings.Contains(command, "go vet")
}

// runner names the tool whose signs are on most lines, and their share.
func runner(l *look) (tool string, share float64) {
	for _, r := range runners {
		s := l.share(func(t string) bool {
			for _, sign := range r.signs {
				if strings.HasPrefix(t, sign) {
					return true
				}
			}
			return false
		})
		if s > share {
			tool, share = r.tool, s
		}
	}
	if share < 0.1 {
		return "", share
	}
	return tool, share
}

// prose wants sentences or headings, in any script.
func prose(l *look, h Hint) Guess {
	switch strings.ToLower(path.Ext(h.File)) {
	case ".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc":
		return Guess{Prose, "markdown", 0.7, false}
	}
	score := l.of(sSentence | sBullet | sHeading | sWide)
	return Guess{Kind: Prose, Confidence: min(score*0.9, 0.85)}
}

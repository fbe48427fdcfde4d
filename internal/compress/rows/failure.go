package rows

import "strings"

// Failing reports whether a field says that something went wrong: an error text,
// a status from 400, an exit code, a level. cell is a JSON scalar, or text.
func Failing(name, cell string) bool {
	text, quoted := Inner(cell)
	if text == "" || len(name) > 64 {
		return false
	}
	var buf [longestTerm]byte
	low, ok := lower(&buf, name[strings.LastIndexByte(name, '.')+1:])
	if !ok {
		return Failure(text)
	}
	switch what(low) {
	case isFlag:
		return strings.EqualFold(text, "false")
	case isStatus:
		if n, ok := number([]byte(text)); ok {
			return n >= 400 && n < 600
		}
	case isExit:
		n, ok := number([]byte(strings.TrimPrefix(text, "-")))
		return ok && n != 0
	case isError:
		return !empty(text, quoted)
	}
	return Failure(text)
}

type sense uint8

const (
	isOther sense = iota
	isFlag
	isStatus
	isExit
	isError
)

func what(name []byte) sense {
	switch string(name) {
	case "success", "ok", "passed", "healthy", "succeeded", "is_valid", "valid":
		return isFlag
	case "status", "status_code", "statuscode", "code", "http_status", "httpstatus", "response_code", "responsecode", "http_code":
		return isStatus
	case "exit_code", "exitcode", "returncode", "return_code", "exit_status", "exitstatus", "rc":
		return isExit
	}
	s := string(name)
	for _, w := range [...]string{"error", "exception", "failure", "failed", "fatal", "traceback", "panic", "stderr"} {
		if strings.Contains(s, w) {
			return isError
		}
	}
	return isOther
}

func empty(s string, quoted bool) bool {
	switch s {
	case "", "null", "false", "0", "0.0", "[]", "{}", "none", "None", "False", "-", "ok", "OK":
		return true
	}
	return quoted && strings.Trim(s, " ") == ""
}

// words of failure, by their first letter; what stands in one is a whole word.
var failWords = func() (t [256][]string) {
	for w := range strings.FieldsSeq(`error errors err failed failure failures fail fails fatal exception exceptions panic panicked traceback crash crashed
		denied refused timeout aborted abort segfault unreachable unhealthy critical crit emerg severe unhandled uncaught rejected invalid
		crashloopbackoff imagepullbackoff errimagepull oomkilled evicted unauthorized forbidden killed corrupt corrupted broken conflict violation vulnerable`) {
		t[w[0]] = append(t[w[0]], w)
	}
	return t
}()

// Failure reports whether a text speaks of a failure. "0 errors" and "no errors"
// are none, and neither are parts of a path or a name.
func Failure(s string) bool {
	for i := 0; i < len(s); {
		if !inWord[s[i]] {
			i++
			continue
		}
		end := i
		for end < len(s) && inWord[s[end]] {
			end++
		}
		if failWord(s, i, end) {
			return true
		}
		i = end
	}
	return false
}

func failWord(s string, i, end int) bool {
	if end-i < 3 || end-i > 16 || len(failWords[fold[s[i]]]) == 0 {
		return false
	}
	if i > 0 && (s[i-1] == '/' || s[i-1] == '.' || s[i-1] == '\\') || end+1 < len(s) && (s[end] == '.' || s[end] == '/') && inWord[s[end+1]] {
		return false
	}
	w := s[i:end]
	hit := false
	for _, f := range failWords[fold[s[i]]] {
		hit = hit || len(f) == len(w) && strings.EqualFold(f, w)
	}
	// A name in capitals and lower case like "TimeoutError" ends in the word.
	hit = hit || strings.HasSuffix(w, "Error") || strings.HasSuffix(w, "Exception")
	return hit && !none(s[:i])
}

// none reports whether a text ends in "0 ", "no " or "without ".
func none(s string) bool {
	s = strings.TrimRight(s, " ")
	end := len(s)
	for end > 0 && inWord[s[end-1]] {
		end--
	}
	switch strings.ToLower(s[end:]) {
	case "0", "no", "without", "zero":
		return end == 0 || s[end-1] != '.'
	}
	return false
}

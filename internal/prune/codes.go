package prune

import "strings"

// The checks of words that mean a failure only beside a number.

// codeBetween stands between a word and its number: "rc=1", `"status": 500`.
const codeBetween = "=: \"'"

// numberAfter reads the number that follows a word; "" where none does, or
// where it is a part of something longer ("500ms", "1.2").
func numberAfter(s string, end int) (between, number string) {
	i := end
	for i < len(s) && i < end+4 && strings.IndexByte(codeBetween, s[i]) >= 0 {
		i++
	}
	j := skipDigits(s, i)
	if j == i || i == end || j < len(s) && (wordByte[s[j]] || s[j] == '%') || j+1 < len(s) && s[j] == '.' && digitByte(s[j+1]) {
		return "", ""
	}
	return s[end:i], s[i:j]
}

func nonzero(number string) bool {
	return number != "" && len(number) < 4 && strings.Trim(number, "0") != ""
}

func nonzeroAfter(s string, _, end int) bool {
	_, number := numberAfter(s, end)
	return nonzero(number)
}

// exitAfter knows "EXIT=1", "exit: 1" and a shell's "Exit 1", and not the
// "exit 1" of a script.
func exitAfter(s string, at, end int) bool {
	between, number := numberAfter(s, end)
	return nonzero(number) && (s[at] == 'E' || strings.ContainsAny(between, "=:"))
}

// returnedCode knows "returned 1" where nothing is counted: "returned 3 rows".
func returnedCode(s string, _, end int) bool {
	between, number := numberAfter(s, end)
	rest := s[min(len(s), end+len(between)+len(number)):]
	return nonzero(number) && (rest == "" || rest[0] != ' ')
}

// httpAfter reports whether a client's or a server's error follows: "HTTP/1.1
// 503", `HTTP/2" 404`, "status=500", "statusCode: 404", "returned 404".
func httpAfter(s string, _, end int) bool {
	for _, more := range []string{"code", "_code", " code", "/1.0", "/1.1", "/2.0", "/2", "/3"} {
		if len(s)-end > len(more) && strings.EqualFold(s[end:end+len(more)], more) {
			end += len(more)
			break
		}
	}
	_, number := numberAfter(s, end)
	return httpError(number)
}

func httpError(number string) bool { return len(number) == 3 && (number[0] == '4' || number[0] == '5') }

// codeBefore knows "503 Service Unavailable".
func codeBefore(s string, at, _ int) bool {
	return at >= 4 && s[at-1] == ' ' && skipDigits(s, at-4) == at-1 && httpError(s[at-4:at-1]) && (at == 4 || !wordByte[s[at-5]])
}

package jsonform

func (s *scanner) scalar(i int) (end int, err error) {
	k := kNull
	switch c := s.src[i]; {
	case c == '"':
		k, end = kString, stringEnd(s.src, i)
	case c == '-' || c >= '0' && c <= '9':
		k, end = kNumber, numberEnd(s.src, i)
	case c == 't':
		k, end = kBool, wordEnd(s.src, i, "true")
	case c == 'f':
		k, end = kBool, wordEnd(s.src, i, "false")
	case c == 'n':
		end = wordEnd(s.src, i, "null")
	}
	if end == 0 {
		return 0, errNotJSON
	}
	s.nodes = append(s.nodes, node{start: uint32(i), end: uint32(end), next: uint32(len(s.nodes) + 1), kind: k})
	return end, nil
}

func wordEnd(s string, i int, word string) int {
	if len(s)-i >= len(word) && s[i:i+len(word)] == word {
		return i + len(word)
	}
	return 0
}

// stringEnd returns where the string that begins at i ends, 0 if it is none.
// Bytes that are no UTF-8 are let through: they are kept as they are.
func stringEnd(s string, i int) int {
	for i++; i < len(s); i++ {
		for i < len(s) && plain[s[i]] {
			i++
		}
		if i == len(s) {
			return 0
		}
		switch s[i] {
		case '"':
			return i + 1
		case '\\':
			if i++; i >= len(s) {
				return 0
			}
			switch s[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				if len(s)-i < 5 || !isHex(s[i+1]) || !isHex(s[i+2]) || !isHex(s[i+3]) || !isHex(s[i+4]) {
					return 0
				}
				i += 4
			default:
				return 0
			}
		default:
			return 0
		}
	}
	return 0
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func numberEnd(s string, i int) int {
	digits := func() bool {
		at := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > at
	}
	if s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if !digits() {
		return 0
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !digits() {
			return 0
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		if i++; i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return 0
		}
	}
	return i
}

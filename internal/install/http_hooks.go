package install

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"winnow/internal/api"
	"winnow/internal/host"
	"winnow/internal/settings"
)

// OwnHook reports whether a hook is one that [HTTP] wrote.
func OwnHook(h host.Hook) bool {
	switch h.Type {
	case "http":
		_, token := h.Headers[api.TokenHeader]
		return token && strings.HasPrefix(h.URL, "http://127.0.0.1:") && strings.HasSuffix(h.URL, api.PathHook)
	case "command":
		return ownCommand(h.Command)
	}
	return false
}

// ownCommand reports whether a command line starts our daemon and does nothing
// else: what somebody wrote around it is theirs.
func ownCommand(line string) bool {
	w, ok := words(line)
	if !ok || len(w) != 3 && (len(w) != 5 || w[3] != "--state") {
		return false
	}
	return ownName(w[0]) && w[1] == "serve" && w[2] == "--ensure"
}

// ownName reports whether a program is a winnow, as it is built or under the name
// of its platform.
func ownName(program string) bool {
	base := strings.TrimSuffix(filepath.Base(program), ".exe")
	return base == "winnow" || strings.HasPrefix(base, "winnow-")
}

type rawEntry struct {
	Hooks []json.RawMessage `json:"hooks"`
}

func own(raw json.RawMessage) bool {
	var h host.Hook
	return json.Unmarshal(raw, &h) == nil && OwnHook(h)
}

// owned says how many of an entry's hooks are ours, and how many there are.
func owned(raw json.RawMessage) (ours, all int) {
	var e rawEntry
	if json.Unmarshal(raw, &e) != nil {
		return 0, 0
	}
	for _, h := range e.Hooks {
		if own(h) {
			ours++
		}
	}
	return ours, len(e.Hooks)
}

// takeHooks removes our hooks of an event, but for entries to keep. Of an entry
// that also holds a hook of somebody else's only ours go, where they stand.
func takeHooks(f *settings.File, event string, keep func(json.RawMessage) bool) error {
	entries, err := entriesOf(f, event)
	if err != nil || len(entries) == 0 {
		return err
	}
	for i, raw := range entries {
		if ours, all := owned(raw); ours > 0 && ours < all && !keep(raw) {
			if err := f.Remove(own, "hooks", event, strconv.Itoa(i), "hooks"); err != nil {
				return err
			}
		}
	}
	return f.Remove(func(raw json.RawMessage) bool {
		ours, all := owned(raw)
		return ours > 0 && ours == all && !keep(raw)
	}, "hooks", event)
}

// eventsOf returns the hooks of a settings file, event by event. Another kind of
// value is not for us to judge: whoever wants to write there is told by the edit.
func eventsOf(f *settings.File) (map[string]json.RawMessage, error) {
	var all json.RawMessage
	if there, err := f.Get(&all, "hooks"); err != nil || !there {
		return nil, err
	}
	var events map[string]json.RawMessage
	if json.Unmarshal(all, &events) != nil {
		return nil, nil
	}
	return events, nil
}

func entriesOf(f *settings.File, event string) (entries []json.RawMessage, err error) {
	events, err := eventsOf(f)
	if json.Unmarshal(events[event], &entries) != nil {
		return nil, err
	}
	return entries, err
}

func takeAllHooks(f *settings.File) error {
	events, err := eventsOf(f)
	if err != nil {
		return err
	}
	for _, event := range slices.Sorted(maps.Keys(events)) {
		if err := takeHooks(f, event, func(json.RawMessage) bool { return false }); err != nil {
			return err
		}
	}
	return nil
}

// posts lists our hooks that post.
func posts(f *settings.File) (out []host.Hook, err error) {
	events, err := eventsOf(f)
	if err != nil {
		return nil, err
	}
	for event := range events {
		entries, err := entriesOf(f, event)
		if err != nil {
			return nil, err
		}
		for _, raw := range entries {
			var e rawEntry
			_ = json.Unmarshal(raw, &e) // what cannot be read is not ours
			for _, raw := range e.Hooks {
				var h host.Hook
				if json.Unmarshal(raw, &h) == nil && h.Type == "http" && OwnHook(h) {
					out = append(out, h)
				}
			}
		}
	}
	return out, nil
}

// A diff shows lines around what changes, and these files hold more secrets than ours.
var (
	tokenRE  = regexp.MustCompile(`("` + api.TokenHeader + `"\s*:\s*)"[^"]*"`)
	secretRE = regexp.MustCompile(`(?i)("[^"]*(?:token|secret|password|passwd|api[-_]?key|authorization|credential|oauth)[^"]*"\s*:\s*)"(?:[^"\\]|\\.)*"`)
)

// withoutToken is a diff as it may be shown on a screen.
func withoutToken(diff string) string {
	return tokenRE.ReplaceAllString(secretRE.ReplaceAllString(diff, `$1"(not shown)"`), `$1"(the token)"`)
}

// is matches the JSON of a string.
func is(s string) func(json.RawMessage) bool {
	return func(raw json.RawMessage) bool {
		var v string
		return json.Unmarshal(raw, &v) == nil && v == s
	}
}

// equal compares two values, whatever the order of their keys.
func equal(a, b json.RawMessage) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	p, errP := json.Marshal(x)
	q, errQ := json.Marshal(y)
	return errP == nil && errQ == nil && bytes.Equal(p, q)
}

// words splits a command line as a shell does; false where a shell would do more
// than to run one program with these arguments.
func words(line string) (out []string, ok bool) {
	var word strings.Builder
	begun := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			if begun {
				out = append(out, word.String())
			}
			word.Reset()
			begun = false
			continue
		case c == '\'' || c == '"':
			end := strings.IndexByte(line[i+1:], c)
			if end < 0 || c == '"' && strings.ContainsAny(line[i+1:i+1+end], "$`\\") {
				return nil, false
			}
			word.WriteString(line[i+1 : i+1+end])
			i += end + 1
		case c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
		case strings.IndexByte("|&;<>()$`\\*?[#~!{}\n\r", c) >= 0:
			return nil, false
		default:
			word.WriteByte(c)
		}
		begun = true
	}
	if begun {
		out = append(out, word.String())
	}
	return out, true
}

// quote makes one word for a shell.
func quote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%,=", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

package install

import (
	"bytes"
	"encoding/json"
	"regexp"
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
		head, _, ours := strings.Cut(h.Command, " serve --ensure")
		head = strings.Trim(head, `"'`)
		return ours && (head == "winnow" || strings.HasSuffix(head, "/winnow"))
	}
	return false
}

type rawEntry struct {
	Hooks []json.RawMessage `json:"hooks"`
}

func own(raw json.RawMessage) bool {
	var h host.Hook
	return json.Unmarshal(raw, &h) == nil && OwnHook(h)
}

// holdsOwn reports whether an entry has a hook of ours.
func holdsOwn(raw json.RawMessage) bool {
	var e rawEntry
	if json.Unmarshal(raw, &e) != nil {
		return false
	}
	for _, h := range e.Hooks {
		if own(h) {
			return true
		}
	}
	return false
}

// without returns an entry without our hooks, nil when nothing is left.
func without(raw json.RawMessage) map[string]any {
	var e rawEntry
	var all map[string]any
	if json.Unmarshal(raw, &e) != nil || json.Unmarshal(raw, &all) != nil {
		return nil
	}
	var rest []json.RawMessage
	for _, h := range e.Hooks {
		if !own(h) {
			rest = append(rest, h)
		}
	}
	if rest == nil {
		return nil
	}
	all["hooks"] = rest
	return all
}

// takeHooks removes our hooks of an event, but for entries to keep. An entry
// that also holds a hook of somebody else's stays with that.
func takeHooks(f *settings.File, event string, keep func(json.RawMessage) bool) error {
	var entries []json.RawMessage
	if there, err := f.Get(&entries, "hooks", event); err != nil || !there {
		return err
	}
	goes := func(raw json.RawMessage) bool { return !keep(raw) && holdsOwn(raw) }
	var rest []map[string]any
	for _, raw := range entries {
		if !goes(raw) {
			continue
		}
		if left := without(raw); left != nil {
			rest = append(rest, left)
		}
	}
	if err := f.Remove(goes, "hooks", event); err != nil {
		return err
	}
	for _, left := range rest {
		if err := f.Append(left, "hooks", event); err != nil {
			return err
		}
	}
	return nil
}

func takeAllHooks(f *settings.File) error {
	var events map[string]json.RawMessage
	if _, err := f.Get(&events, "hooks"); err != nil {
		return err
	}
	for event := range events {
		if err := takeHooks(f, event, func(json.RawMessage) bool { return false }); err != nil {
			return err
		}
	}
	return nil
}

// posts lists our hooks that post.
func posts(f *settings.File) (out []host.Hook, err error) {
	var events map[string][]struct {
		Hooks []host.Hook `json:"hooks"`
	}
	if _, err := f.Get(&events, "hooks"); err != nil {
		return nil, err
	}
	for _, entries := range events {
		for _, e := range entries {
			for _, h := range e.Hooks {
				if h.Type == "http" && OwnHook(h) {
					out = append(out, h)
				}
			}
		}
	}
	return out, nil
}

var tokenRE = regexp.MustCompile(`("` + api.TokenHeader + `"\s*:\s*)"[^"]*"`)

// withoutToken is a diff as it may be shown on a screen.
func withoutToken(diff string) string { return tokenRE.ReplaceAllString(diff, `$1"(the token)"`) }

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

package settings

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// open writes text into a file of its own, "" into none, and opens it.
func open(t testing.TB, text string) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "settings.json")
	if text != "" {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func is(want string) func(json.RawMessage) bool {
	return func(raw json.RawMessage) bool { return same(raw, json.RawMessage(want)) }
}

// Each case adds, compares, and takes the addition away by its path again,
// which gives the text back byte for byte.
func TestSetAndDelete(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"two spaces", "{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"on\": {\n    \"w\": true\n  }\n}\n"},
		{"tabs, no end of line", "{\n\t\"a\": 1\n}", "{\n\t\"a\": 1,\n\t\"on\": {\n\t\t\"w\": true\n\t}\n}"},
		{"four spaces and CRLF", "{\r\n    \"a\": 1\r\n}\r\n", "{\r\n    \"a\": 1,\r\n    \"on\": {\r\n        \"w\": true\r\n    }\r\n}\r\n"},
		{"one line", `{"a":1}`, `{"a":1,"on":{"w":true}}`},
		{"one line, airy", `{ "a": 1, "b": [2] }`, `{ "a": 1, "b": [2], "on": {"w":true} }`},
		{"trailing comma", "{\n  \"a\": 1,\n}\n", "{\n  \"a\": 1,\n  \"on\": {\n    \"w\": true\n  },\n}\n"},
		{"comment behind the last", "{\n  \"a\": 1 // one\n}\n", "{\n  \"a\": 1, // one\n  \"on\": {\n    \"w\": true\n  }\n}\n"},
		{"comment after a trailing comma", "{\n  \"a\": 1, // one\n}\n", "{\n  \"a\": 1, // one\n  \"on\": {\n    \"w\": true\n  },\n}\n"},
		{"comment on its own line", "{\n  \"a\": 1\n  /* the\n end */\n}\n", "{\n  \"a\": 1,\n  /* the\n end */\n  \"on\": {\n    \"w\": true\n  }\n}\n"},
		{"comments around", "// mine\n{\n  // one\n  \"a\": 1\n}\n// end\n", "// mine\n{\n  // one\n  \"a\": 1,\n  \"on\": {\n    \"w\": true\n  }\n}\n// end\n"},
		{"only a comment", "{\n  // nothing yet\n}\n", "{\n  // nothing yet\n  \"on\": {\n    \"w\": true\n  }\n}\n"},
		{"empty object", "{}\n", "{\n  \"on\": {\n    \"w\": true\n  }\n}\n"},
		{"byte order mark", "\ufeff{\n  \"a\": 1\n}\n", "\ufeff{\n  \"a\": 1,\n  \"on\": {\n    \"w\": true\n  }\n}\n"},
		{"object there", "{\n  \"on\": {\n    \"x\": true\n  },\n  \"b\": \"é\\u00e9\"\n}\n", "{\n  \"on\": {\n    \"x\": true,\n    \"w\": true\n  },\n  \"b\": \"é\\u00e9\"\n}\n"},
		{"object there, on one line", "{\n  \"on\": {\"x\": true}\n}\n", "{\n  \"on\": {\"x\": true, \"w\": true}\n}\n"},
		{"a comment in the object", "{\n  \"on\": { // plugins\n  }\n}\n", "{\n  \"on\": { // plugins\n    \"w\": true\n  }\n}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := open(t, tt.text)
			must(t, f.Set(true, "on", "w"))
			if d := cmp.Diff(tt.want, string(f.doc.text)); d != "" {
				t.Errorf("set (-want +got):\n%s", d)
			}
			must(t, f.Set(true, "on", "w"))
			if got := string(f.doc.text); got != tt.want {
				t.Errorf("set again = %q, want no change", got)
			}
			must(t, f.Save())
			must(t, f.Delete("on", "w"))
			if d := cmp.Diff(tt.text, string(f.doc.text)); d != "" {
				t.Errorf("delete (-want +got):\n%s", d)
			}
		})
	}
}

func TestSetOverAValue(t *testing.T) {
	f := open(t, "{\n  \"port\": 1, // old\n  \"x\": 1e2\n}\n")
	must(t, f.Set(2, "port"))
	must(t, f.Set(json.Number("1e2"), "x"))
	if want := "{\n  \"port\": 2, // old\n  \"x\": 1e2\n}\n"; string(f.doc.text) != want {
		t.Errorf("got %q, want %q", f.doc.text, want)
	}
}

func TestAppendAndRemove(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"none there", "{}\n", "{\n  \"l\": [\n    \"new\"\n  ]\n}\n"},
		{"empty array, its file on one line", `{"l":[],"a":1}`, `{"l":["new"],"a":1}`},
		{"one line", "{\n  \"l\": [\"a\", \"b\"]\n}\n", "{\n  \"l\": [\"a\", \"b\", \"new\"]\n}\n"},
		{"lines", "{\n  \"l\": [\n    \"a\" // first\n  ]\n}\n", "{\n  \"l\": [\n    \"a\", // first\n    \"new\"\n  ]\n}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := open(t, tt.text)
			must(t, f.Append("new", "l"))
			must(t, f.Append("new", "l"))
			if d := cmp.Diff(tt.want, string(f.doc.text)); d != "" {
				t.Errorf("append (-want +got):\n%s", d)
			}
			must(t, f.Save())
			u := f.Undo()
			must(t, f.Remove(is(`"new"`), "l"))
			if strings.Contains(string(f.doc.text), "new") {
				t.Errorf("still there: %s", f.doc.text)
			}
			again, err := Open(f.Path)
			must(t, err)
			if !again.Revert(u) || string(again.doc.text) != tt.text {
				t.Errorf("revert = %q, want %q", again.doc.text, tt.text)
			}
		})
	}
}

func TestRemoveTakesEachThatMatches(t *testing.T) {
	f := open(t, "{\n  \"l\": [\n    1, // one\n    2,\n    // two\n    2,\n    3\n  ]\n}\n")
	must(t, f.Remove(is("2"), "l"))
	if want := "{\n  \"l\": [\n    1, // one\n    // two\n    3\n  ]\n}\n"; string(f.doc.text) != want {
		t.Errorf("got %q, want %q", f.doc.text, want)
	}
	must(t, f.Delete("not", "there"))
	must(t, f.Remove(is("2"), "nor", "this"))
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"broken", "{\n  \"a\": 1\n  \"b\": 2\n}\n", "line 3, column 3"},
		{"cut off", "{\n  \"a\": [1,", "line 2"},
		{"not an object", "[]\n", "line 1, column 1: not an object"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "settings.json")
			must(t, os.WriteFile(path, []byte(tt.text), 0o600))
			if _, err := Open(path); err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("Open = %v, want %s and %q", err, path, tt.want)
			}
		})
	}
	f := open(t, "{\n  \"on\": [],\n  \"l\": {}\n}\n")
	if err := f.Set(1, "on", "w"); err == nil || !strings.Contains(err.Error(), "line 2, column 9: on is not an object") {
		t.Errorf("Set into an array = %v", err)
	}
	if err := f.Append(1, "l"); err == nil || !strings.Contains(err.Error(), "line 3, column 8: l is not an array") {
		t.Errorf("Append to an object = %v", err)
	}
	if f.Changed() {
		t.Error("refused edits changed the text")
	}
}

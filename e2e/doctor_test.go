//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
	"winnow/internal/decisions"
)

// row returns what doctor says under a name.
func row(t *testing.T, l *lab.Lab, name string) (state, found string) {
	t.Helper()
	out, err := l.Command("doctor", "--json")
	var all struct {
		Checks []struct{ Name, State, Found string }
	}
	if jerr := json.Unmarshal([]byte(out), &all); jerr != nil {
		t.Fatalf("doctor: %v, %v: %s", err, jerr, out)
	}
	for _, c := range all.Checks {
		if c.Name == name {
			return c.State, c.Found
		}
	}
	t.Fatalf("no row %s in %s", name, out)
	return "", ""
}

func wantRow(t *testing.T, l *lab.Lab, name, state, found string) {
	t.Helper()
	if s, f := row(t, l, name); s != state || !strings.Contains(f, found) {
		t.Errorf("%s = %s: %s, want %s with %q", name, s, f, state, found)
	}
}

// TestDoctorOfASession: what doctor says of a session that loaded the mod, of its
// cuts in the client's own file, and of one that the file does not show.
func TestDoctorOfASession(t *testing.T) {
	l := active(t, "fake")
	p := l.Write("names.go", source(60))
	wantRow(t, l, "mod", "warn", "no session has loaded it yet")
	play(t, l, lab.Run{Prompt: "Name030 must use an equals sign."}, mockapi.Use("I read.", read(p)), mockapi.Use("I list.", bash("seq -f 'entry %g of a listing' 400")))
	wantRow(t, l, "mod", "ok", "said hello at ")
	wantRow(t, l, "mod", "ok", ", client 2.1.")
	wantRow(t, l, "plugin", "ok", "a session loaded it from "+l.Repo)
	tally(t, l, 2)
	wantRow(t, l, "rewrites", "ok", "2 cut results of 2 arrived")

	// As if the client had not taken one of them up.
	files, err := filepath.Glob(filepath.Join(l.Config, "projects", "*", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("session files: %v, %v", files, err)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	gone := string(b)
	for r := range decisions.All(filepath.Join(l.Winnow, decisions.FileName)) {
		for _, k := range r.Keys {
			gone = strings.ReplaceAll(gone, "<<ccr:"+k, "<<")
		}
		break // one result's
	}
	if err := os.WriteFile(files[0], []byte(gone), 0o600); err != nil {
		t.Fatal(err)
	}
	wantRow(t, l, "rewrites", "warn", "1 of 2 cut results did not arrive")

	// A session without the mod leaves its file and no hello.
	l.Plugin = ""
	play(t, l, lab.Run{Prompt: "Once more, without."}, mockapi.Use("I read.", read(p)))
	wantRow(t, l, "mod", "warn", " did not load it")
}

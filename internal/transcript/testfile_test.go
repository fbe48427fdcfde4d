package transcript

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testFile returns the absolute path of a file of testdata, wherever the test
// has gone.
func testFile(t testing.TB, name string) string {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "testdata", name)
}

// start is the time of written lines; each line is as old as the next.
var start = time.Date(2026, 9, 1, 10, 0, 0, 0, time.UTC)

func at(d time.Duration) func() time.Time { return func() time.Time { return start.Add(d) } }

// row makes a line of an entry; extra are further fields, as JSON.
func row(typ, content, extra string) string {
	role := typ
	if extra != "" {
		extra += ","
	}
	return fmt.Sprintf(`{"parentUuid":null,%s"type":%q,"message":{"role":%q,"content":%s},"sessionId":"s1","timestamp":"2026-09-01T10:00:00.000Z"}`+"\n",
		extra, typ, role, content)
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func prompt(s string) string { return row("user", quote(s), `"promptSource":"typed"`) }

func meta(s string) string { return row("user", quote(s), `"isMeta":true`) }

func says(s string) string {
	return row("assistant", `[{"type":"text","text":`+quote(s)+`}]`, "")
}

func uses(id, tool, input string) string {
	return row("assistant", fmt.Sprintf(`[{"type":"tool_use","id":%q,"name":%q,"input":%s}]`, id, tool, input), "")
}

func result(id, text string) string {
	return row("user", fmt.Sprintf(`[{"tool_use_id":%q,"type":"tool_result","content":%s}]`, id, quote(text)), "")
}

func queued(s, more string) string {
	return fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"attachment":{"type":"queued_command","prompt":%s%s},"type":"attachment","sessionId":"s1","timestamp":"2026-09-01T10:00:00.000Z"}`+"\n",
		quote(s), more)
}

// file writes lines and returns the path.
func file(t testing.TB, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

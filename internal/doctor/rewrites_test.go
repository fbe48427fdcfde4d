package doctor

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"winnow/internal/decisions"
)

const (
	k1 = "0123456789abcdef01234567"
	k2 = "76543210fedcba9876543210"
)

func TestRewrites(t *testing.T) {
	rec := func(session, loop, call, door, mode, reason string, keys ...string) string {
		for i := range keys {
			keys[i] = `"` + keys[i] + `"`
		}
		return fmt.Sprintf(`{"t":"2026-11-30T09:00:00Z","door":%q,"session":%q,"loop":%q,"call":%q,"mode":%q,"reason":%q,"in":1,"shown":1,"out":1,"judge_us":1,"whole_us":1,"keys":[%s]}`,
			door, session, loop, call, mode, reason, strings.Join(keys, ","))
	}
	row := func(call, text string) string {
		return fmt.Sprintf(`{"type":"user","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%q}]},"toolUseResult":{"stdout":"<<ccr:%s"}}`, call, text, k1)
	}
	cut, whole := "a\n<<ccr:"+k1+" 9_lines_offloaded>> lines 2-10\n", "a\nb\n"
	for _, tc := range []struct {
		name     string
		log      []string
		rows     []string // of session s
		sub      []string // of its subagent a1
		want     State
		found    string
		nextHas  string
		noRecord bool
	}{
		{name: "no log", noRecord: true, want: OK, found: "nothing was cut yet"},
		{name: "arrived", log: []string{rec("s", "main", "c1", "mod", "active", "", k1)}, rows: []string{row("c1", cut)}, want: OK, found: "1 cut result of 1 arrived"},
		{name: "one of two keys is enough", log: []string{rec("s", "main", "c1", "mod", "active", "", k2, k1)}, rows: []string{row("c1", cut)}, want: OK, found: "1 cut result of 1"},
		{name: "did not arrive", log: []string{rec("s", "main", "c1", "mod", "active", "", k1), rec("s", "main", "c2", "mod", "active", "", k1)}, rows: []string{row("c1", cut), row("c2", whole)},
			want: Warn, found: "1 of 2 cut results did not arrive: the model read the originals; the newest: call c2 of ", nextHas: "winnow tail -n 50"},
		{name: "another marker is not this one", log: []string{rec("s", "main", "c1", "mod", "active", "", k2)}, rows: []string{row("c1", cut)},
			want: Warn, found: "1 of 1 cut results", nextHas: "tail"},
		{name: "none of many", log: []string{rec("s", "main", "c1", "hook", "active", "", k1), rec("s", "main", "c2", "hook", "active", "", k1), rec("s", "main", "c3", "hook", "active", "", k1)},
			rows: []string{row("c1", whole), row("c2", whole), row("c3", whole)},
			want: Fail, found: "3 of 3 cut results did not arrive", nextHas: "claude --debug"},
		{name: "not in the file yet", log: []string{rec("s", "main", "c1", "mod", "active", "", k1)}, rows: []string{row("c9", whole)}, want: OK, found: "0 cut results of 0 arrived; 1 more have no session file here"},
		{name: "no such session", log: []string{rec("gone", "main", "c1", "mod", "active", "", k1)}, want: OK, found: "1 more have no session file"},
		{name: "a subagent's", log: []string{rec("s", "a1", "c1", "mod", "active", "", k1)}, rows: []string{row("c1", cut)}, sub: []string{row("c1", whole)},
			want: Warn, found: "1 of 1", nextHas: "tail"},
		{name: "shadow, and what was left alone", log: []string{rec("s", "main", "c1", "mod", "shadow", "", k1), rec("s", "main", "c2", "mod", "active", "small")},
			rows: []string{row("c1", whole), row("c2", whole)}, want: OK, found: "nothing was cut yet"},
		{name: "torn lines", log: []string{"torn", rec("s", "main", "c1", "mod", "active", "", k1)}, rows: []string{"torn", row("c1", cut)}, want: OK, found: "1 cut result of 1"},
		{name: "a session that is a path", log: []string{rec("../s", "main", "c1", "mod", "active", "", k1)}, rows: []string{row("c1", whole)}, want: OK, found: "nothing was cut yet"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := newPlace(t)
			if !tc.noRecord {
				p.write(t, filepath.Join(string(p.Dir), decisions.FileName), strings.Join(tc.log, "\n")+"\n")
			}
			dir := filepath.Join(p.home, ".claude", "projects", "-home-dev")
			if tc.rows != nil {
				p.write(t, filepath.Join(dir, "s.jsonl"), strings.Join(tc.rows, "\n")+"\n")
			}
			if tc.sub != nil {
				p.write(t, filepath.Join(dir, "s", "subagents", "agent-a1.jsonl"), strings.Join(tc.sub, "\n")+"\n")
			}
			got := p.find(t, "rewrites")
			if got.State != tc.want || !strings.Contains(got.Found, tc.found) || !strings.Contains(got.Next, tc.nextHas) || (got.Next == "") != (got.State == OK) {
				t.Errorf("rewrites = %+v, want %s with %q and next %q", got, tc.want, tc.found, tc.nextHas)
			}
		})
	}
}

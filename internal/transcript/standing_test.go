package transcript

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// on makes an entry of a branch: uuid, parent, and what it is.
func on(uuid, parent, typ, content, extra string) string {
	if extra != "" {
		extra = "," + extra
	}
	return fmt.Sprintf(`{"parentUuid":%q,"type":%q,"message":{"role":%q,"content":%s},"uuid":%q%s}`+"\n", parent, typ, typ, content, uuid, extra)
}

func asks(uuid, parent, id string) string {
	return on(uuid, parent, "assistant", fmt.Sprintf(`[{"type":"tool_use","id":%q,"name":"Read","input":{}}]`, id), "")
}

func answers(uuid, parent, id string) string {
	return on(uuid, parent, "user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"content":"x"}]`, id), fmt.Sprintf(`"sourceToolAssistantUUID":%q`, parent))
}

func TestStanding(t *testing.T) {
	edits := func(s string) string {
		return on("m", "r2", "assistant", `[{"type":"text","text":"x"}]`, `"context_management":{"applied_edits":[`+s+`]}`)
	}
	head := []string{on("u", "", "user", `"do it"`, ""), asks("a1", "u", "t1"), answers("r1", "a1", "t1"), asks("a2", "r1", "t2"), answers("r2", "a2", "t2")}
	for _, tc := range []struct {
		name string
		rest []string
		want []string
	}{
		{"all of it", []string{asks("a3", "r2", "now")}, []string{"t1", "t2"}},
		{"the present call is not in the file", nil, nil},
		{"rewound behind the second", []string{asks("a3", "r1", "now")}, []string{"t1"}},
		{"rewound to the beginning", []string{on("u2", "", "user", `"else"`, ""), asks("a3", "u2", "now")}, nil},
		{"compacted", []string{`{"parentUuid":null,"logicalParentUuid":"r2","type":"system","subtype":"compact_boundary","uuid":"c"}` + "\n", on("s", "c", "user", `"summary"`, `"isCompactSummary":true`), asks("a3", "s", "now")}, nil},
		{"old results cleared at the API", []string{edits(`{"type":"clear_tool_uses","cleared_tool_uses":3}`), asks("a3", "m", "now")}, nil},
		{"none cleared", []string{edits(`{"type":"clear_tool_uses","cleared_tool_uses":0}`), asks("a3", "m", "now")}, []string{"t1", "t2"}},
		{"cut by the client", []string{on("m", "r2", "assistant", `[]`, `"client_cut_tool_uses":2`), asks("a3", "m", "now")}, nil},
		{"recorded by the client as cut", []string{`{"type":"attachment","uuid":"m","parentUuid":"r2","attachment":{"type":"tool_results_cut","callIds":["t1"],"standIn":"[cut]"}}` + "\n", asks("a3", "m", "now")}, nil},
		{"withdrawn by the client", []string{`{"type":"attachment","uuid":"m","parentUuid":"r2","attachment":{"type":"whole_texts_withdrawn"}}` + "\n", asks("a3", "m", "now")}, nil},
		{"another attachment", []string{`{"type":"attachment","uuid":"m","parentUuid":"r2","attachment":{"type":"date"}}` + "\n", asks("a3", "m", "now")}, []string{"t1", "t2"}},
		{"summed up by the API", []string{on("m", "r2", "assistant", `[{"type":"compaction","content":"x"}]`, ""), asks("a3", "m", "now")}, nil},
		{"somebody speaks of clearing", []string{on("m", "r2", "assistant", `[{"type":"text","text":"{\"cleared_tool_uses\":3}"}]`, ""), asks("a3", "m", "now")}, []string{"t1", "t2"}},
		{"parallel calls, answered late", []string{asks("a3", "r2", "t3"), asks("a4", "a3", "t4"), answers("r4", "a4", "t4"), answers("r3", "a3", "t3"), asks("a5", "r4", "now")}, []string{"t1", "t2", "t3", "t4"}},
		{"broken lines between", []string{"{\"uuid\":\n", "\n", asks("a3", "r2", "now")}, []string{"t1", "t2"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := file(t, append(slices.Clone(head), tc.rest...)...)
			got, err := Standing(t.Context(), path, Options{ToolUseID: "now"}, []string{"t1", "t2", "t3", "t4"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, slices.Sorted(maps.Keys(got))); diff != "" {
				t.Errorf("Standing (-want +got):\n%s", diff)
			}
		})
	}
}

// What the transcript holds is what the model was sent: a result that another
// hook replaced, or that the client stored elsewhere, is not what was meant.
func TestStandingHolds(t *testing.T) {
	said := func(uuid, parent, id, text string) string {
		return on(uuid, parent, "user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"content":%s}]`, id, text), fmt.Sprintf(`"sourceToolAssistantUUID":%q`, parent))
	}
	path := file(t, on("u", "", "user", `"do it"`, ""), asks("a1", "u", "t1"), said("r1", "a1", "t1", `"the lines"`), asks("a2", "r1", "t2"),
		said("r2", "a2", "t2", `[{"type":"text","text":"<persisted-output>\nOutput too large"}]`), asks("a3", "r2", "t3"), said("r3", "a3", "t3", `[{"type":"text","text":"the lines"}]`), asks("a4", "r3", "now"))
	holds := func(_, text string) bool { return text == "the lines" }
	want := []string{"t1", "t3"}
	for name, look := range map[string]func() (map[string]bool, error){
		"Standing": func() (map[string]bool, error) {
			return Standing(t.Context(), path, Options{ToolUseID: "now"}, []string{"t1", "t2", "t3"}, holds)
		},
		"Uncleared": func() (map[string]bool, error) {
			return Uncleared(t.Context(), path, Options{ToolUseID: "now"}, []string{"t1", "t2", "t3"}, holds)
		},
	} {
		got, err := look()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(got))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestUncleared(t *testing.T) {
	clearing := on("m", "r2", "assistant", `[{"type":"text","text":"x"}]`, `"context_management":{"applied_edits":[{"cleared_tool_uses":3}]}`)
	head := []string{on("u", "", "user", `"do it"`, ""), asks("a1", "u", "t1"), answers("r1", "a1", "t1"), asks("a2", "r1", "t2"), answers("r2", "a2", "t2")}
	for _, tc := range []struct {
		name string
		rest []string
		want []string
	}{
		{"all of it", []string{asks("a3", "r2", "now")}, []string{"t1", "t2"}},
		{"the present call, which might say that they were cleared, is not in the file", nil, nil},
		{"the present call's entry is from before its message's end", []string{strings.Replace(asks("a3", "r2", "now"), `"role":`, `"stop_reason":null,"role":`, 1)}, nil},
		{"it is from its end", []string{strings.Replace(asks("a3", "r2", "now"), `"role":`, `"stop_reason":"tool_use","role":`, 1)}, []string{"t1", "t2"}},
		{"only the present call's result is", []string{answers("r3", "a3", "now")}, nil},
		{"cleared", []string{clearing, asks("a3", "m", "now")}, nil},
		{"cleared between the two", []string{clearing, asks("a4", "m", "t4"), answers("r4", "a4", "t4"), asks("a3", "m", "now")}, []string{"t4"}},
		{"cleared, as the present message's last entry says", []string{asks("a3", "r2", "now"), clearing}, nil},
		{"a result of the same message, written after the present call", []string{asks("a3", "r2", "t4"), asks("a4", "a3", "now"), answers("r4", "a3", "t4")}, []string{"t1", "t2", "t4"}},
		{"a result of the same message, written before the present call", []string{asks("a3", "r2", "t4"), answers("r4", "a3", "t4"), asks("a4", "a3", "now")}, []string{"t1", "t2", "t4"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Uncleared(t.Context(), file(t, append(slices.Clone(head), tc.rest...)...), Options{ToolUseID: "now"}, []string{"t1", "t2", "t4"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, slices.Sorted(maps.Keys(got))); diff != "" {
				t.Errorf("Uncleared (-want +got):\n%s", diff)
			}
		})
	}
	if _, err := Uncleared(t.Context(), "/nowhere/s.jsonl", Options{ToolUseID: "now"}, []string{"t1"}, nil); err == nil {
		t.Error("Uncleared of no file = nil error")
	}
}

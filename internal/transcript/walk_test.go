package transcript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSteps(t *testing.T) {
	lines := []string{
		prompt("do it"), says("I will"), uses("t1", "Read", `{"file_path":"/a"}`), result("t1", "text"),
		`{"half`, "\n", meta("not asked"), result("unknown", "x"),
		`{"parentUuid":null,"type":"system","subtype":"compact_boundary","uuid":"c"}` + "\n",
		row("user", `[{"tool_use_id":"t1","type":"tool_result","is_error":true,"content":[{"type":"text","text":"again"}]}]`, ""),
		row("user", `[{"tool_use_id":"t1","type":"tool_result","content":[{"type":"image"}]}]`, ""),
	}
	var got []string
	for s, err := range Steps(strings.NewReader(strings.Join(lines, "")), false) {
		switch {
		case err != nil:
			t.Fatal(err)
		case s.Answer != nil:
			got = append(got, fmt.Sprintf("%s %s %q %v", s.Answer.ID, s.Answer.Tool.Name, s.Answer.Text, s.Answer.Failed))
		case s.Call != nil:
			got = append(got, "calls "+s.Call.Name)
		case s.Said != "":
			got = append(got, "says "+s.Said)
		case s.Gone:
			got = append(got, "gone")
		case s.Asked:
			got = append(got, "asked")
		}
	}
	want := []string{"asked", "says I will", "calls Read", `t1 Read "text" false`, "gone", `t1 Read "again" true`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Steps (-want +got):\n%s", diff)
	}
}

package router

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/internal/compress"
	"winnow/internal/prune/detect"
)

// What stands in the way of a kind is looked through, and comes back.
func TestLookedThrough(t *testing.T) {
	reminder := "<system-reminder>\nThe file was changed by the user since it was read last.\n</system-reminder>\n"
	tagged := lined(60) + reminder + lined(60) + reminder + "<tool_result>\n" + array(200) + "\n</tool_result>\n"
	for _, tc := range []struct {
		name, in string
		kind     detect.Kind
		by       string
		keep     []string
	}{
		{"a byte order mark", "\ufeff" + array(200), detect.JSON, "json", nil},
		{"a byte order mark before lines", "\ufeff" + strings.Repeat("{\"a\":1,\"b\":\"a longer text\"}\r\n", 60), detect.JSONL, "json", nil},
		{"a log inside one JSON string", quotePlain(strings.Repeat("2026-05-02T09:00:00Z INFO heartbeat of the worker ok\n", 60)), detect.Mixed, "unwrap", nil},
		{"tags inside a sure log", tagged, detect.Mixed, "json", []string{reminder + "2026", reminder + "<tool_result>\n", "\n</tool_result>\n"}},
	} {
		b := Block{Text: tc.in}
		res := property(t, b)
		if res.Kind != tc.kind || !slices.Contains(res.Accepted(), tc.by) {
			t.Errorf("%s: %s by %v, want %s by %s", tc.name, res.Kind, res.Accepted(), tc.kind, tc.by)
		}
		for _, s := range tc.keep {
			if !strings.Contains(res.Text, s) {
				t.Errorf("%s: %q is gone from\n%.2000s", tc.name, s, res.Text)
			}
		}
	}
}

// A screen's last state stands for a log of progress and colours, and no failure
// goes with what was written over.
func TestScreen(t *testing.T) {
	var bar, colours strings.Builder
	for i := range 300 {
		fmt.Fprintf(&bar, "\rfetching part %d of 300", i+1)
	}
	for i := range 120 {
		fmt.Fprintf(&colours, "\x1b[32m\x1b[1m12:%02d:%02d\x1b[0m \x1b[36mserved %c%c\x1b[0m\x1b[K to the client\x1b[0m\n", i/60, i%60, 'a'+i%26, 'a'+i/5)
	}
	late := "\n2026-05-02T09:00:00Z INFO starting\n\x1b[31mERROR: checksum of part 7 differs\x1b[0m\ndone\n"
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"progress", bar.String() + late, []string{"fetching part 300 of 300\n", "ERROR: checksum of part 7 differs"}},
		{"a failure that was written over", bar.String() + "\rERROR: disk is full\rfetching" + late, []string{"ERROR: disk is full", "ERROR: checksum of part 7 differs"}},
		{"a failure of another word", bar.String() + "\r✗ tests/a.py::test_b FAILED\rfetching" + late, []string{"test_b FAILED"}},
		{"colours", colours.String() + late, []string{"served bf", "ERROR: checksum of part 7 differs"}},
	} {
		b := Block{Text: tc.in, Kind: detect.Log}
		res := property(t, b)
		for _, w := range tc.want {
			if !strings.Contains(res.Text, w) {
				t.Errorf("%s: %q is gone from %.600q", tc.name, w, res.Text)
			}
		}
		if !slices.Contains(res.Accepted(), "screen") {
			t.Errorf("%s: by %v, want screen; %+v", tc.name, res.Accepted(), res.Chain)
		}
		if b.EditsOnly = true; slices.Contains(property(t, b).Accepted(), "screen") {
			t.Errorf("%s: written anew though only edits are allowed", tc.name)
		}
	}
	// A sampler that forgets a failure is refused.
	o := Options{Set: Set{Last: map[detect.Kind][]compress.Sampler{detect.Log: {fakeSampler{tagOnly}}}}}
	res := run1(o, Block{Text: lined(60) + "ERROR: it broke\n" + lined(60), Kind: detect.Log})
	if res.Changed() || res.Chain[len(res.Chain)-1].Refused != whyFailure {
		t.Errorf("a form without the failure: %+v", res.Chain)
	}
}

// Of a deep stack the library's frames go; its head, its ends, the project's own
// frames and whatever fails in between stay.
func TestDeepFrames(t *testing.T) {
	lib := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, form, i, i)
		}
		return b.String()
	}
	js := "TypeError: total is undefined\n    at price (src/price.ts:3:1)\n    at sum (src/sum.ts:4:1)\n    at all (src/all.ts:5:1)\n" + lib(40, "    at lib%d (node_modules/koa/lib/application.js:%d:7)\n") +
		"    at mine (src/server.ts:7:1)\n" + lib(40, "    at lib%d (node_modules/co/index.js:%d:7)\n") + "    at main (src/main.ts:9:1)\n"
	py := "Traceback (most recent call last):\n  File \"/app/a.py\", line 3, in f\n    g()\n  File \"/app/b.py\", line 3, in g\n    h()\n  File \"/app/c.py\", line 3, in h\n    i()\n" +
		lib(40, "  File \"/usr/lib/python3/site-packages/django/x%d.py\", line %d, in get\n    return self.inner(request)\n") + "  File \"/app/z.py\", line 9, in z\n    raise ValueError(x)\nValueError: no such price\n"
	for _, tc := range []struct {
		name, in string
		keep     []string
	}{
		{"javascript", js, []string{"TypeError: total", "src/price.ts", "src/sum.ts", "src/all.ts", "src/server.ts", "src/main.ts"}},
		{"python", py, []string{"Traceback (most", "/app/a.py", "/app/c.py", "/app/z.py", "raise ValueError(x)", "ValueError: no such price"}},
	} {
		res := property(t, Block{Text: tc.in})
		if !slices.Contains(res.Accepted(), "logs") || res.After*2 > res.Before {
			t.Errorf("%s: %d of %d tokens by %v", tc.name, res.After, res.Before, res.Accepted())
		}
		for _, s := range tc.keep {
			if !strings.Contains(res.Text, s) {
				t.Errorf("%s: %q is gone from\n%s", tc.name, s, res.Text)
			}
		}
	}
}

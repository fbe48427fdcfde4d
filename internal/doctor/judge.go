package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"winnow/internal/config"
	"winnow/internal/model"
	"winnow/internal/ortlib"
	"winnow/internal/prune"
)

// library finds onnxruntime and compares its bytes with what was built in. That
// it loads, the self-test shows.
func (f *facts) library(context.Context) Finding {
	if f.cfg.Judge != config.Default().Judge {
		return ok("not needed: the judge is %s", f.cfg.Judge)
	}
	path, err := ortlib.Path("")
	switch {
	case errors.Is(err, ortlib.ErrNone):
		return fail("make build, which fetches it", "%v", err)
	case err != nil && os.Getenv(ortlib.EnvPath) != "":
		return fail("unset "+ortlib.EnvPath, "%v", err)
	case err != nil:
		return fail("ls -ld ~ ~/.cache", "%v", err)
	case os.Getenv(ortlib.EnvPath) != "":
		return foreignLibrary(path)
	}
	if err := ortlib.Check(path); err != nil {
		return fail("rm "+Quote(path)+" && "+f.restart(), "%v", err)
	}
	return ok("%s, as it was built in", path)
}

func foreignLibrary(path string) Finding {
	if _, err := os.Stat(path); err != nil {
		return fail("unset "+ortlib.EnvPath, "%s: %v", ortlib.EnvPath, err)
	}
	return warn("unset "+ortlib.EnvPath, "%s from %s, of which nothing is known", path, ortlib.EnvPath)
}

func (f *facts) weights(context.Context) Finding {
	if err := model.Verify(); err != nil {
		return fail("make build, for a new binary", "%v", err)
	}
	return ok("the three graphs have the hashes of weights/judge.json")
}

// doorWait is how long the mod waits for an answer.
const doorWait = 2500 * time.Millisecond

// selfTest loads the judge of the settings and prunes one text with it. Whatever
// it hides, the original must come back from it.
func (f *facts) selfTest(ctx context.Context) Finding {
	start := time.Now()
	j, err := f.Judge(ctx, f.cfg.Judge)
	if err != nil {
		return fail(f.winnow("config"), "%v", err)
	}
	defer j.Close()
	if j.Note != "" {
		return fail("make build, which fetches onnxruntime; or "+f.set("WINNOW_JUDGE", j.Name), "%s", j.Note)
	}
	loaded := time.Since(start)
	if j.Scorer == nil {
		return ok("no judge: rules only, which hide nothing")
	}
	start = time.Now()
	r := prune.New(j.Scorer, prune.Options{Keep: f.cfg.Keep, Drop: f.cfg.Drop, AllowNothing: j.Name == "fake"}).Prune(ctx, sample())
	return f.judged(j.Name, loaded, time.Since(start), r)
}

func (f *facts) judged(name string, loaded, took time.Duration, r prune.Result) Finding {
	in := sample().Text
	bug := f.winnow("serve --foreground")
	switch {
	case r.Err != nil:
		return fail(bug, "judge %s: %v", name, r.Err)
	case r.Reason == prune.Internal || r.Reason == prune.JudgeError || r.Reason == prune.Deadline:
		return fail(bug, "judge %s: %s", name, r.Reason)
	case !restores(r, in):
		return fail(f.set("WINNOW_MODE", config.Off), "judge %s: the original does not come back from what it made", name)
	}
	how := fmt.Sprintf("judge %s loaded in %v, pruned %d lines in %v: %s", name, loaded.Round(time.Millisecond),
		strings.Count(in, "\n"), took.Round(100*time.Microsecond), deed(r))
	if took > doorWait/2 {
		return warn("uptime", "%s; a result waits at most %v", how, doorWait)
	}
	return ok("%s", how)
}

func deed(r prune.Result) string {
	if r.Reason != prune.Pruned {
		return "nothing hidden (" + string(r.Reason) + ")"
	}
	n := 0
	for _, h := range r.Hidden {
		n += h.End - h.Start + 1
	}
	return fmt.Sprintf("%d hidden, all come back", n)
}

// restores puts what was hidden back in place of its markers.
func restores(r prune.Result, in string) bool {
	lines := strings.Split(r.Text, "\n")
	next := 0
	for i, l := range lines {
		if next < len(r.Hidden) && strings.HasPrefix(l, "<<ccr:"+string(r.Hidden[next].Key)) {
			lines[i] = r.Hidden[next].Text
			next++
		}
	}
	return next == len(r.Hidden) && strings.Join(lines, "\n") == in
}

// sample is a result of which a task needs one part.
func sample() prune.Input {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "=== RUN   TestParse/case_%02d\n--- PASS: TestParse/case_%02d (0.00s)\n", i, i)
	}
	b.WriteString("    cache_test.go:41: eviction took 412 ms\n")
	for i := range 60 {
		fmt.Fprintf(&b, "=== RUN   TestRender/case_%02d\n--- PASS: TestRender/case_%02d (0.00s)\n", i, i)
	}
	b.WriteString("PASS\nok  \texample/cache\t1.204s\n")
	input, _ := json.Marshal(map[string]string{"command": "go test -v ./..."}) // cannot go wrong
	return prune.Input{
		Task:      prune.Task{Request: "Why is cache eviction slow? Look at the time that cache_test.go reports."},
		Tool:      prune.Tool{Name: "Bash", Input: input},
		Text:      b.String(),
		CanRecall: true,
	}
}

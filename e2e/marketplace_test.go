//go:build e2e

package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
)

// put is a lab into which winnow was installed as a user would do it.
func put(t *testing.T, args ...string) *lab.Lab {
	t.Helper()
	l := lab.New(t, repo)
	l.Settings = nil
	l.Configure("WINNOW_MODE=active\nWINNOW_JUDGE=fake\nWINNOW_PORT=0\n")
	if err := os.WriteFile(settingsFile(l), []byte(theirSettings), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Command(append([]string{"install", "--yes"}, args...)...); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestMarketplace: installed, a session is cut; a new version comes while it runs,
// and it goes on; uninstalled, nothing is left, and the next session is whole.
func TestMarketplace(t *testing.T) {
	l := put(t)
	log, failures := buildLog(300, 20, 290)
	orig := strings.TrimSuffix(log, "\n")
	for _, name := range []string{"one.txt", "two.txt", "three.txt", "four.txt", "five.txt"} {
		l.Write(name, log)
	}
	upgrade := func(r mockapi.Request) mockapi.Reply {
		if at := daemonBinary(t, l); !strings.HasPrefix(at, filepath.Join(l.Winnow, "bin", "winnow-")) {
			t.Errorf("the daemon runs from %s, not from a copy", at)
		}
		if out, err := l.Exec(filepath.Join(repo, "build", "winnow-next"), "install", "--yes"); err != nil || !strings.Contains(out, "winnow 9.9.9 is installed") {
			t.Errorf("upgrade: %v\n%s", err, out)
		}
		return mockapi.Use("I build two.", bash("cat two.txt"))(r)
	}
	revive := func(r mockapi.Request) mockapi.Reply {
		l.StopDaemon() // the mod starts the new one, but not within a second of the session's start
		return mockapi.Use("I build three.", bash("sleep 1.1; cat three.txt"))(r)
	}
	ready := func(r mockapi.Request) mockapi.Reply {
		l.AwaitReady()
		return mockapi.Use("I build four.", bash("cat four.txt"))(r)
	}
	reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I build one.", bash("cat one.txt")), upgrade, revive, ready)
	for _, i := range []int{1, 2, 4} {
		wantCut(t, l, reqs[i].Last().Result(), orig, failures...)
	}
	if got := reqs[3].Last().Result(); len(keys(got)) > 0 { // its judge may still be loading
		wantCut(t, l, got, orig, failures...)
	} else {
		wantWhole(t, got, orig)
	}
	if at := daemonBinary(t, l); !strings.HasPrefix(at, filepath.Join(l.Winnow, "bin", "winnow-9.9.9-")) {
		t.Errorf("after the upgrade the daemon runs from %s", at)
	}
	if !strings.Contains(l.Debug(), "hooks module winnow@winnow loaded") {
		t.Error("the client did not load the mod from the marketplace")
	}
	// The next session loads what was put there.
	reqs, _ = play(t, l, lab.Run{}, mockapi.Use("I build five.", bash("cat five.txt")))
	wantCut(t, l, reqs[1].Last().Result(), orig, failures...)

	wantGone(t, l)
	loaded := strings.Count(l.Debug(), "hooks module winnow")
	reqs, _ = play(t, l, lab.Run{}, mockapi.Use("I build six.", bash("cat four.txt; :")))
	wantWhole(t, reqs[1].Last().Result(), orig)
	if n := strings.Count(l.Debug(), "hooks module winnow"); n != loaded {
		t.Error("the mod was loaded after uninstall")
	}
}

// TestFolder: the same by a link in the folder of skills, uninstalled in mid-session.
func TestFolder(t *testing.T) {
	l := put(t, "--folder")
	log, failures := buildLog(300, 20, 290)
	orig := strings.TrimSuffix(log, "\n")
	l.Write("one.txt", log)
	l.Write("two.txt", log)
	uninstall := func(r mockapi.Request) mockapi.Reply {
		if _, err := l.Command("uninstall", "--yes"); err != nil {
			t.Error(err)
		}
		return mockapi.Use("I build two.", bash("cat two.txt"))(r)
	}
	reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I build one.", bash("cat one.txt")), uninstall)
	wantCut(t, l, reqs[1].Last().Result(), orig, failures...)
	if !strings.Contains(l.Debug(), "hooks module winnow@skills-dir loaded") {
		t.Error("the client did not load the mod from the folder of skills")
	}
	if got := reqs[2].Last().Result(); len(keys(got)) == 0 {
		wantWhole(t, got, orig)
	} else { // a plugin that is used in place may start its daemon again
		wantCut(t, l, got, orig, failures...)
	}
	wantGone(t, l)
}

// wantGone uninstalls and looks whether the client's configuration is as before.
func wantGone(t *testing.T, l *lab.Lab) {
	t.Helper()
	if out, err := l.Command("uninstall", "--yes"); err != nil {
		t.Fatalf("uninstall: %v\n%s", err, out)
	}
	if b, err := os.ReadFile(settingsFile(l)); err != nil || string(b) != theirSettings {
		t.Errorf("settings are %q, %v, want those of before", b, err)
	}
	if pid := l.DaemonPID(); pid != 0 {
		t.Errorf("daemon %d still runs", pid)
	}
	for _, name := range []string{"plugin", "bin", "install.json"} {
		if _, err := os.Lstat(filepath.Join(l.Winnow, name)); err == nil {
			t.Errorf("%s is still in the state folder", name)
		}
	}
	filepath.WalkDir(l.Config, func(path string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(l.Config, path)
		if rel == "projects" || rel == "backups" { // what was said, and the client's own copies
			return fs.SkipDir
		}
		if strings.Contains(e.Name(), "winnow") {
			t.Errorf("%s is left", rel)
		}
		if b, err := os.ReadFile(path); err == nil && strings.Contains(string(b), "winnow") {
			t.Errorf("%s speaks of winnow: %.300s", rel, b)
		}
		return nil
	})
}

// daemonBinary is the file that the daemon runs from.
func daemonBinary(t *testing.T, l *lab.Lab) string {
	t.Helper()
	at, err := os.Readlink(filepath.Join("/proc", strconv.Itoa(l.DaemonPID()), "exe"))
	if err != nil {
		t.Errorf("no daemon: %v", err)
	}
	return at
}

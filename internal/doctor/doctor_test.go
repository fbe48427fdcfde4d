package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"winnow/internal/api"
	"winnow/internal/config"
	"winnow/internal/lexical"
	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/recall"
	"winnow/internal/state"
	"winnow/internal/text"
)

// place is an installation of a test's own in which all is well.
type place struct {
	Options
	env  map[string]string
	home string
	bin  string
}

func newPlace(t *testing.T) *place {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	p := &place{home: t.TempDir(), bin: t.TempDir()}
	must(t, os.Symlink(exe, filepath.Join(p.bin, "winnow")))
	dir := state.Dir(filepath.Join(p.home, ".winnow"))
	must(t, dir.Make())
	p.env = map[string]string{"HOME": p.home, "PATH": p.bin, "WINNOW_PORT": "0", "WINNOW_JUDGE": "lexical", "WINNOW_MODE": "shadow"}
	p.Options = Options{
		Dir: dir, Getenv: func(name string) string { return p.env[name] }, Version: "1.0.0", Build: "b", Exe: exe,
		Judge: func(context.Context, string) (Judge, error) {
			return Judge{Name: "lexical", Scorer: lexical.New(), Close: func() error { return nil }}, nil
		},
		Proven: func(config.Config) []string { return nil }, Cwd: t.TempDir(), Managed: t.TempDir(),
	}
	p.hello(t, "s0", time.Now())
	return p
}

func (p *place) hello(t testing.TB, session string, at time.Time) {
	t.Helper()
	must(t, p.Dir.AddHello(api.Hello{HelloRequest: api.HelloRequest{Session: session, Client: "2.1.400", Root: "/plugin"}, At: at}))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (p *place) write(t testing.TB, path, content string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(content), 0o600))
}

func (p *place) find(t testing.TB, name string) Finding {
	t.Helper()
	return look(t.Context(), p.Options).find(t, name)
}

func (f *facts) find(t testing.TB, name string) Finding {
	t.Helper()
	for _, c := range f.all() {
		if c.name == name {
			return c.look(t.Context())
		}
	}
	t.Fatalf("no check %q", name)
	return Finding{}
}

func TestAllIsWell(t *testing.T) {
	for _, f := range Run(t.Context(), newPlace(t).Options) {
		want := OK
		if f.Name == "daemon" { // none runs, which is no fault
			want = Warn
		}
		if f.State != want || f.Found == "" || (f.Next == "") != (f.State == OK) {
			t.Errorf("%+v, want %s", f, want)
		}
	}
}

// failing is a judge that breaks in one way or another.
type failing func(context.Context, prune.Query, text.Doc) (prune.Scores, error)

func (f failing) Score(ctx context.Context, q prune.Query, d text.Doc) (prune.Scores, error) {
	return f(ctx, q, d)
}

func judgeOf(j Judge, err error) func(context.Context, string) (Judge, error) {
	j.Close = func() error { return nil }
	return func(context.Context, string) (Judge, error) { return j, err }
}

// TestFaults spoils one thing at a time.
func TestFaults(t *testing.T) {
	for _, tc := range []struct {
		name, check string
		spoil       func(*testing.T, *place)
		want        State
		found, next string
	}{
		{"folder is a file", "folder", func(t *testing.T, p *place) {
			must(t, os.RemoveAll(string(p.Dir)))
			p.write(t, string(p.Dir), "")
		}, Fail, "not a folder", "mv "},
		{"folder cannot be used", "folder", func(t *testing.T, p *place) {
			must(t, os.Chmod(string(p.Dir), 0o000))
			t.Cleanup(func() { os.Chmod(string(p.Dir), 0o700) })
		}, Fail, "mode 0", "chmod 700 "},
		{"nothing is said of what lies in a bad folder", "store", func(t *testing.T, p *place) {
			must(t, os.RemoveAll(string(p.Dir)))
			p.write(t, string(p.Dir), "")
		}, Warn, "first the folder", "winnow doctor"},
		{"folder is open", "folder", func(t *testing.T, p *place) { must(t, os.Chmod(string(p.Dir), 0o755)) },
			Warn, "mode 0755", "chmod 700 "},
		{"folder is missing", "folder", func(t *testing.T, p *place) { must(t, os.RemoveAll(string(p.Dir))) },
			OK, "not there yet", ""},
		{"folder of somebody else", "folder", func(t *testing.T, p *place) {
			if os.Getuid() != 0 {
				t.Skip("only root can give a folder away")
			}
			must(t, os.Chown(string(p.Dir), 1, 1))
		}, Fail, "somebody else", "sudo chown"},
		{"a file is open", "files", func(t *testing.T, p *place) {
			p.write(t, p.Dir.Token(), "x")
			must(t, os.Chmod(p.Dir.Token(), 0o644))
		}, Warn, "token", "chmod 600 "},
		{"open settings are no secret", "files", func(t *testing.T, p *place) {
			p.write(t, p.Dir.Env(), "")
			must(t, os.Chmod(p.Dir.Env(), 0o644))
		}, OK, "none", ""},
		{"bad settings", "config", func(t *testing.T, p *place) { p.write(t, p.Dir.Env(), "# x\nWINNOW_KEEP=3\n") },
			Fail, "env line 2: WINNOW_KEEP=3", "${EDITOR:-vi} "},
		{"bad environment", "config", func(_ *testing.T, p *place) { p.env["WINNOW_KEEP"] = "3" },
			Fail, "environment: WINNOW_KEEP=3", "unset WINNOW_KEEP"},
		{"settings of a later release", "config", func(t *testing.T, p *place) { p.write(t, p.Dir.Env(), "WINNOW_LATER=3\n") },
			Warn, "WINNOW_LATER is not a setting", "${EDITOR:-vi} "},
		{"mistyped variable", "config", func(_ *testing.T, p *place) { p.Environ = []string{"WINNOW_MODES=off"} },
			Warn, "no settings: WINNOW_MODES", "unset WINNOW_MODES"},
		{"off", "mode", func(_ *testing.T, p *place) { p.env["WINNOW_MODE"] = "off" },
			Warn, "off", "export WINNOW_MODE=auto"},
		{"auto for nothing", "mode", func(_ *testing.T, p *place) { p.env["WINNOW_MODE"] = "auto" },
			Warn, "hides nothing", "winnow config"},
		{"auto for some", "mode", func(_ *testing.T, p *place) {
			p.env["WINNOW_MODE"] = "auto"
			p.Proven = func(config.Config) []string { return []string{"shell"} }
		}, OK, "active for shell", ""},
		{"judge stands in", "self-test", func(_ *testing.T, p *place) {
			p.Judge = judgeOf(Judge{Name: "lexical", Note: "the onnx judge cannot run here"}, nil)
		}, Fail, "cannot run here", "WINNOW_JUDGE=lexical"},
		{"judge not to be had", "self-test", func(_ *testing.T, p *place) { p.Judge = judgeOf(Judge{}, errors.New("no judge")) },
			Fail, "no judge", "winnow config"},
		{"judge breaks", "self-test", func(_ *testing.T, p *place) {
			p.Judge = judgeOf(Judge{Name: "x", Scorer: failing(func(context.Context, prune.Query, text.Doc) (prune.Scores, error) {
				return prune.Scores{}, errors.New("out of order")
			})}, nil)
		}, Fail, "out of order", "winnow serve --foreground"},
		{"check breaks", "self-test", func(_ *testing.T, p *place) { p.Judge = nil },
			Warn, "check itself broke", "winnow --version"},
		{"no judge wanted", "self-test", func(_ *testing.T, p *place) { p.Judge = judgeOf(Judge{Name: "off"}, nil) },
			OK, "rules only", ""},
		{"store is damaged", "store", func(t *testing.T, p *place) { p.write(t, p.Dir.Store(), "no database") },
			Fail, "damaged", "serve --ensure"},
		{"store was damaged", "store", func(t *testing.T, p *place) { p.write(t, p.Dir.Store()+".damaged-1", "x") },
			Warn, "damaged ones", "rm "},
		{"last start went wrong", "daemon", func(t *testing.T, p *place) {
			p.write(t, p.Dir.Log(), "level=INFO msg=left\ntime=x level=ERROR msg=\"not started\" err=\"read token: is a directory\"\n")
		}, Fail, "read token: is a directory", "winnow serve --foreground"},
		{"started since", "daemon", func(t *testing.T, p *place) {
			p.write(t, p.Dir.Log(), "level=ERROR msg=\"not started\" err=x\nlevel=INFO msg=left err=<nil>\n")
		}, Warn, "none runs", "serve --ensure"},
		{"path too long for a socket", "socket", func(t *testing.T, p *place) {
			p.Dir = state.Dir("/" + strings.Repeat("x", 120))
			t.Setenv("HOME", "/"+strings.Repeat("h", 120))
		}, Fail, "too long", "export WINNOW_DIR="},
		{"no winnow on the path", "path", func(t *testing.T, p *place) { must(t, os.Remove(filepath.Join(p.bin, "winnow"))) },
			Warn, "not on PATH", "export PATH="},
		{"a launcher of this one on the path", "path", func(t *testing.T, p *place) {
			must(t, os.Remove(filepath.Join(p.bin, "winnow")))
			script(t, filepath.Join(p.bin, "winnow"), "echo 'winnow version 1.0.0 (b)'")
		}, OK, "winnow on PATH is", ""},
		{"another winnow on the path", "path", func(t *testing.T, p *place) {
			must(t, os.Remove(filepath.Join(p.bin, "winnow")))
			script(t, filepath.Join(p.bin, "winnow"), "exit 0")
		}, Warn, "this one is", "export PATH="},
		{"proxy", "proxy", func(_ *testing.T, p *place) { p.env["HTTP_PROXY"] = "http://user:secret@proxy" },
			Warn, "HTTP_PROXY is set", "export NO_PROXY="},
		{"proxy in the client's settings", "proxy", func(t *testing.T, p *place) {
			p.write(t, filepath.Join(p.home, ".claude", "settings.json"), `{"env":{"http_proxy":"http://proxy"}}`)
		}, Warn, "http_proxy is set", "export NO_PROXY="},
		{"proxy spares us", "proxy", func(_ *testing.T, p *place) {
			p.env["HTTP_PROXY"], p.env["no_proxy"] = "http://proxy", "localhost, 127.0.0.1"
		}, OK, "NO_PROXY has", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := newPlace(t)
			tc.spoil(t, p)
			got := p.find(t, tc.check)
			if got.State != tc.want || !strings.Contains(got.Found, tc.found) || !strings.Contains(got.Next, tc.next) {
				t.Errorf("%s = %+v, want %s with %q and next %q", tc.check, got, tc.want, tc.found, tc.next)
			}
			if (got.Next == "") != (got.State == OK) {
				t.Errorf("%s = %+v: a next command belongs to what is not ok", tc.check, got)
			}
			if strings.Contains(got.Found, "secret") {
				t.Errorf("%q shows a secret", got.Found)
			}
		})
	}
}

func script(t testing.TB, path, body string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	must(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700))
}

// A look must not set the damaged store aside, nor leave its copy.
func TestStoreIsOnlyLookedAt(t *testing.T) {
	p := newPlace(t)
	p.write(t, p.Dir.Store(), "no database")
	p.find(t, "store")
	if b, err := os.ReadFile(p.Dir.Store()); err != nil || string(b) != "no database" {
		t.Errorf("store = %q, %v, want it untouched", b, err)
	}
	must(t, os.Remove(p.Dir.Store()))
	fill(t, p)
	stale := filepath.Join(string(p.Dir), ".doctor-1") // of a check that was interrupted
	must(t, os.Mkdir(stale, 0o700))
	must(t, os.Chtimes(stale, time.Time{}, time.Now().Add(-2*time.Hour)))
	if got := p.find(t, "store"); got.State != OK || !strings.Contains(got.Found, "whole: 1 original,") {
		t.Errorf("store = %+v, want it whole", got)
	}
	entries, err := os.ReadDir(string(p.Dir))
	must(t, err)
	for _, e := range entries {
		if n := e.Name(); n != "recall.db" && n != "daemon.lock" && n != "hello.json" {
			t.Errorf("left behind: %s", n)
		}
	}
}

// fill puts one original into the store.
func fill(t *testing.T, p *place) {
	t.Helper()
	s, err := recall.Open(p.Dir.Store(), recall.Options{})
	must(t, err)
	text := strings.Repeat("hidden\n", 1000)
	must(t, s.Put([]recall.Item{{Text: text, Issue: recall.Issue{Key: marker.KeyOf(text), First: 1, Last: 1000, Session: "s", Loop: "main"}}}))
	must(t, s.Close())
}

// An original whose bytes changed on the disk is found though the index is whole.
func TestDamagedOriginal(t *testing.T) {
	p := newPlace(t)
	fill(t, p)
	b, err := os.ReadFile(p.Dir.Store())
	must(t, err)
	at := bytes.Index(b, []byte{0x28, 0xb5, 0x2f, 0xfd}) // a zstd frame
	if at < 0 {
		t.Fatal("no packed original in the store's file")
	}
	b[at] ^= 0xff
	must(t, os.WriteFile(p.Dir.Store(), b, 0o600))
	if got := p.find(t, "store"); got.State != Warn || !strings.Contains(got.Found, "1 of 1 originals are damaged") {
		t.Errorf("store = %+v, want one damaged original", got)
	}
}

func TestPortTaken(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer ln.Close()
	p := newPlace(t)
	p.env["WINNOW_PORT"] = ""
	p.write(t, p.Dir.Env(), fmt.Sprintf("WINNOW_PORT=%d\n", ln.Addr().(*net.TCPAddr).Port))
	got := p.find(t, "port")
	if got.State != Warn || !strings.HasPrefix(got.Next, "echo WINNOW_PORT=0 >> ") {
		t.Errorf("port = %+v, want a warning that says how to take another", got)
	}
	if who := fmt.Sprintf("(pid %d) has it", os.Getpid()); runtime.GOOS == "linux" && !strings.Contains(got.Found, who) {
		t.Errorf("port = %q, want it to say %q", got.Found, who)
	}
	ln.Close()
	if got := p.find(t, "port"); got.State != OK {
		t.Errorf("port after Close = %+v, want it free", got)
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{"/a/b-c.d": "/a/b-c.d", "/a b": "'/a b'", "": "''", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "~": "'~'"} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestAmount(t *testing.T) {
	for in, want := range map[uint64]string{0: "0 KB", 1: "1 KB", 1 << 20: "1 MB", 11 << 30: "11 GB", 2 << 30: "2048 MB"} {
		if got := amount(in); got != want {
			t.Errorf("amount(%d) = %s, want %s", in, got, want)
		}
	}
}

// The command that sets something works on a machine where nothing ran yet.
func TestSetLine(t *testing.T) {
	dir := state.Dir(filepath.Join(t.TempDir(), "my state"))
	for _, want := range []string{"A=1\n", "A=1\nA=1\n"} {
		if out, err := exec.Command("sh", "-c", SetLine(dir, "A", "1")).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if got, err := os.ReadFile(dir.Env()); err != nil || string(got) != want {
			t.Errorf("the file is %q, %v, want %q", got, err, want)
		}
	}
}

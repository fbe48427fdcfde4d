package doctor

import (
	"net"
	"strings"
	"testing"

	"winnow/internal/api"
	"winnow/internal/client"
	"winnow/internal/config"
	"winnow/internal/lock"
)

// TestOfDaemon gives the checks what a daemon says of itself.
func TestOfDaemon(t *testing.T) {
	free := freePort(t)
	well := api.Status{Pid: 7, Version: "1.0.0", Build: "b", Setting: config.Shadow, Judge: "onnx", JudgeState: "ready", Port: 5}
	for _, tc := range []struct {
		name, check string
		change      func(*facts)
		want        State
		found       string
	}{
		{"well", "daemon", func(*facts) {}, OK, "pid 7 answers"},
		{"judge loading", "daemon", func(f *facts) { f.status.JudgeState = "loading" }, OK, "loading"},
		{"judge failed", "daemon", func(f *facts) { f.status.JudgeState = "failed: no memory" }, Fail, "no memory"},
		{"another judge", "daemon", func(f *facts) { f.status.JudgeState = "ready; the lexical judge stands in" }, Warn, "stands in"},
		{"hangs", "daemon", func(f *facts) { f.status, f.held, f.owner = nil, true, lock.Owner{Pid: 9} }, Fail, "pid 9 holds"},
		{"somebody else answers", "daemon", func(f *facts) { f.status, f.probeErr = nil, client.ErrForeign }, Fail, "not from this folder's daemon"},
		{"no errors", "log", func(f *facts) { f.status.Counts = map[string]int64{"log.warnings": 1} }, OK, "no error since the daemon started, 1 warning"},
		{"errors", "log", func(f *facts) { f.status.Counts = map[string]int64{"log.errors": 2} }, Warn, "2 errors since the daemon started"},
		{"no daemon to ask", "log", func(f *facts) { f.status = nil }, OK, "daemon.log"},
		{"same build", "build", func(*facts) {}, OK, "1.0.0 (b)"},
		{"other build", "build", func(f *facts) { f.status.Build = "c" }, Warn, "the daemon is 1.0.0 (c), this binary is 1.0.0 (b)"},
		{"other version", "build", func(f *facts) { f.status.Version = "0.9.0" }, Warn, "the daemon is 0.9.0 (b)"},
		{"its port", "port", func(f *facts) { f.cfg.Port = 5 }, OK, "127.0.0.1:5"},
		{"any port", "port", func(f *facts) { f.cfg.Port = 0 }, OK, "127.0.0.1:5"},
		{"port of old settings", "port", func(f *facts) { f.cfg.Port = 6 }, Warn, "say 6"},
		{"port was taken", "port", func(f *facts) { f.status.Port, f.cfg.Port = 0, free }, Warn, "is free now"},
		{"no port", "port", func(f *facts) { f.status.Port, f.cfg.Port = 0, 0 }, Warn, "by its socket alone"},
		{"store open", "store", func(*facts) {}, OK, "open in the daemon"},
		{"store not open", "store", func(f *facts) { f.status.StoreError = "no space" }, Fail, "no space; nothing is hidden"},
		{"store set aside", "store", func(f *facts) { f.status.StoreError = "was damaged and set aside as x" }, Warn, "set aside as x"},
		{"store of a hung one", "store", func(f *facts) { f.status = nil }, OK, "nothing was hidden"},
		{"mode is the daemon's", "mode", func(f *facts) { f.status.Setting, f.status.ActiveFor = config.Auto, []string{"shell"} }, OK, "active for shell"},
		{"values of another session", "config", func(f *facts) {
			f.status.Settings = []api.Setting{{Name: "WINNOW_DROP", Value: "0.01", From: "environment"}, {Name: "WINNOW_NEW", Value: "x"}}
		}, Warn, "WINNOW_DROP=0.01 (environment), here 0.04"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			st := well
			f := look(t.Context(), newPlace(t).Options)
			f.status = &st
			tc.change(f)
			got := f.find(t, tc.check)
			if got.State != tc.want || !strings.Contains(got.Found, tc.found) || (got.Next == "") != (got.State == OK) {
				t.Errorf("%s = %+v, want %s with %q", tc.check, got, tc.want, tc.found)
			}
		})
	}
}

// freePort is one that nobody had a moment ago.
func freePort(t *testing.T) int {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer ln.Close()
	return ln.Addr().(*net.TCPAddr).Port
}

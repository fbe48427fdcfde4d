package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"winnow/internal/client"
	"winnow/internal/config"
	"winnow/internal/doctor"
	"winnow/internal/host"
	"winnow/internal/install"
	"winnow/internal/peer"
	"winnow/internal/state"
)

// httpDoor makes the hook door of the settings in force, and says what a user of
// it must know. With dryRun no token is made.
func httpDoor(cmd *cobra.Command, t install.Target, dryRun bool) (install.Door, error) {
	cfg, err := config.Load(t.State.Env(), os.Getenv)
	if err != nil {
		return nil, withHint(err, "winnow doctor")
	}
	if cfg.Port == 0 {
		return nil, withHint(errors.New("WINNOW_PORT=0 means any free port, and a hook names one"),
			"unset WINNOW_PORT && "+doctor.SetLine(t.State, "WINNOW_PORT", strconv.Itoa(config.Default().Port))+" && winnow install --http")
	}
	if err := portIsOurs(cmd, t.State, cfg.Port); err != nil {
		return nil, err
	}
	token, err := t.State.ReadToken(false)
	if err != nil && dryRun {
		token = "TOKEN"
	} else if err != nil {
		if err := t.State.Make(); err != nil {
			return nil, wayOut(err, "winnow install --http")
		}
		if token, err = t.State.ReadToken(true); err != nil {
			return nil, wayOut(err, "winnow install --http")
		}
	}
	warnOldHooks(cmd, host.MinHook)
	sayHTTP(cmd.OutOrStdout(), t, cfg.Port)
	return install.HTTP{Port: cfg.Port, Token: token}, nil
}

// portIsOurs fails when somebody else has the port: the hooks would send what
// tools printed, and the token, there.
func portIsOurs(cmd *cobra.Command, dir state.Dir, port int) error {
	if c, err := client.Probe(cmd.Context(), dir); err == nil {
		defer c.Close()
		if st, err := c.Status(cmd.Context()); err == nil && st.Port == port {
			return nil
		}
	}
	ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err == nil {
		return ln.Close()
	}
	by, why := "somebody else", err.Error()
	if p, found := peer.Listener(port); found {
		by, why = p.String(), "it has it"
	}
	return withHint(fmt.Errorf("127.0.0.1:%d is not free: %s (%s), and the hooks would send every result there", port, by, why),
		doctor.SetLine(dir, "WINNOW_PORT", "47312")+" && winnow serve --stop && winnow install --http")
}

// warnOldHooks says when the client on PATH is too old for hooks that change a result.
func warnOldHooks(cmd *cobra.Command, need string) {
	exe := host.Find(os.Getenv)
	if exe == "" {
		return
	}
	if v, err := host.Version(cmd.Context(), exe); err == nil && host.Older(v, need) {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s is %s; these hooks need %s or newer, and an older one ignores their answers\ntry: claude update\n", exe, v, need)
	}
}

func sayHTTP(w io.Writer, t install.Target, port int) {
	fmt.Fprintf(w, "The hooks go into your own settings, %s: they hold the daemon's token, so only you may read that file (mode 0600).\n", t.SettingsFile())
	fmt.Fprintf(w, "They post to 127.0.0.1:%d. Should another program have that port first, the daemon goes on without it and results\n"+
		"pass whole; `winnow doctor` says who has it. With WINNOW_PORT changed, run this again.\n", port)
	if vars := proxies(os.Getenv); len(vars) > 0 {
		fmt.Fprintf(w, "%s is set, and NO_PROXY does not have 127.0.0.1: the client would post to the proxy.\ntry: export NO_PROXY=\"127.0.0.1,$NO_PROXY\"  # where your shell starts\n", strings.Join(vars, ", "))
	}
}

// proxies lists the variables by which the client would send a loopback post to
// a proxy; none where NO_PROXY spares it.
func proxies(getenv func(string) string) (set []string) {
	for _, e := range strings.FieldsFunc(getenv("NO_PROXY")+","+getenv("no_proxy"), func(r rune) bool { return r == ',' || r == ' ' }) {
		if name, _, _ := strings.Cut(e, ":"); name == "*" || name == "127.0.0.1" {
			return nil
		}
	}
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"} {
		if getenv(name) != "" {
			set = append(set, name)
		}
	}
	return set
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"winnow/internal/api"
	"winnow/internal/client"
	"winnow/internal/config"
	"winnow/internal/doctor"
	"winnow/internal/state"
)

func configCmd() *cobra.Command {
	var asJSON bool
	var dirFlag string
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print every setting, its value and where it came from",
		Long: "Print every setting, its value and where it came from: the environment, a line of the settings file, or the\n" +
			"default. Of a bad file it says what is wrong and what stays in force, and the exit code is 1. Where a running\n" +
			"daemon goes by other values than this shell would give it, it says that, too.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := stateDir(dirFlag)
			if err != nil {
				return err
			}
			r := readSettings(cmd, dir, dirFlag != "")
			if asJSON {
				enc := json.NewEncoder(cmd.OutOrStdout())
				enc.SetIndent("", "  ")
				err = enc.Encode(r)
			} else {
				err = printSettings(cmd.OutOrStdout(), r)
			}
			if err == nil && len(r.Errors) > 0 {
				err = withHint(errors.New("the settings are not good"), doctor.Edit(r.File, "mend it, or the variable, then: winnow config"))
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&dirFlag, "state", "", "state folder (default $WINNOW_DIR or ~/.winnow)")
	return cmd
}

// settingsReport is what `winnow config` knows.
type settingsReport struct {
	// File is the settings file; Missing reports that there is none.
	File    string `json:"file"`
	Missing bool   `json:"missing,omitempty"`
	// Settings are in force for a command or daemon that starts now.
	Settings []api.Setting `json:"settings"`
	// Daemon holds the settings in which the running daemon differs.
	Daemon   []api.Setting `json:"daemon,omitempty"`
	Warnings []string      `json:"warnings,omitempty"`
	Errors   []string      `json:"errors,omitempty"`
	// InForce says, beside Errors, what counts until they are mended.
	InForce string `json:"in_force,omitempty"`
}

func readSettings(cmd *cobra.Command, dir state.Dir, byFlag bool) settingsReport {
	c, err := config.Load(dir.Env(), os.Getenv)
	r := settingsReport{File: dir.Env(), Warnings: c.Warnings}
	for _, name := range config.Strays(os.Environ()) {
		r.Warnings = append(r.Warnings, "environment: "+name+" is not a setting of this release")
	}
	if _, serr := os.Stat(dir.Env()); errors.Is(serr, os.ErrNotExist) {
		r.Missing = true
	}
	r.Settings = append([]api.Setting{{Name: "WINNOW_DIR", Value: string(dir), From: dirFrom(byFlag)}}, shown(c)...)
	if err != nil {
		r.Errors = strings.Split(err.Error(), "\n")
		r.InForce = "the defaults, in shadow, for whatever starts now"
	}
	cl, perr := client.Probe(cmd.Context(), dir)
	if perr != nil {
		return r
	}
	defer cl.Close()
	st, serr := cl.Status(cmd.Context())
	if serr != nil {
		return r
	}
	r.Daemon = differing(st.Settings, r.Settings)
	if err != nil {
		r.InForce += "; the last good settings, in the daemon that runs"
	}
	return r
}

// differing returns those of the daemon's settings that have another value here.
func differing(daemon, here []api.Setting) []api.Setting {
	var out []api.Setting
	values := map[string]string{}
	for _, s := range here {
		values[s.Name] = s.Value
	}
	for _, s := range daemon {
		if v, ok := values[s.Name]; ok && v != s.Value {
			out = append(out, s)
		}
	}
	return out
}

func dirFrom(byFlag bool) string {
	switch {
	case byFlag:
		return "--state"
	case os.Getenv("WINNOW_DIR") != "":
		return config.Origin{Environment: true}.String()
	}
	return config.Origin{}.String()
}

// shown turns a configuration into what goes over the wire and to people.
func shown(c config.Config) []api.Setting {
	var out []api.Setting
	for _, v := range c.Values() {
		out = append(out, api.Setting{Name: v.Name, Value: v.Value, From: v.From.String()})
	}
	return out
}

func printSettings(w io.Writer, r settingsReport) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range r.Settings {
		fmt.Fprintf(t, "%s\t%s\t%s\n", s.Name, orNone(s.Value), s.From)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if r.Missing {
		fmt.Fprintf(w, "no settings file %s\n", r.File)
	}
	for _, s := range r.Daemon {
		fmt.Fprintf(w, "the running daemon has %s %s (%s)\n", s.Name, orNone(s.Value), s.From)
	}
	for _, s := range r.Warnings {
		fmt.Fprintf(w, "warning: %s\n", s)
	}
	for _, s := range r.Errors {
		fmt.Fprintf(w, "error: %s\n", s)
	}
	if r.InForce != "" {
		fmt.Fprintf(w, "in force: %s\n", r.InForce)
	}
	return nil
}

// orNone shows an empty list as something that can be seen.
func orNone(v string) string {
	if v == "" {
		return "-"
	}
	return v
}

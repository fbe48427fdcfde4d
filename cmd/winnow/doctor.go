package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"winnow/internal/config"
	"winnow/internal/doctor"
)

func doctorCmd() *cobra.Command {
	var asJSON bool
	var dirFlag string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look the installation over and say what to do about each fault",
		Long: "Look the installation over: binary, state folder, settings, judge (which is loaded and prunes one text), store,\n" +
			"daemon, and what of the client's settings and of the environment is in the way. Each fault and each warning comes\n" +
			"with the next command to type. It changes nothing. The exit code is 1 for a fault, else 0.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := doctorOptions(dirFlag)
			if err != nil {
				return err
			}
			found := doctor.Run(cmd.Context(), o)
			if asJSON {
				err = encodeFindings(cmd.OutOrStdout(), found)
			} else {
				err = printFindings(cmd.OutOrStdout(), found)
			}
			if n := faults(found); err == nil && n > 0 {
				err = withHint(fmt.Errorf("%s found", plural(n, "fault")), "") // each came with its own
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&dirFlag, "state", "", "state folder (default $WINNOW_DIR or ~/.winnow)")
	return cmd
}

func doctorOptions(dirFlag string) (doctor.Options, error) {
	dir, err := stateDir(dirFlag)
	if err != nil {
		return doctor.Options{}, withHint(err, "export HOME=/home/you  # or WINNOW_DIR with an absolute path")
	}
	exe, err := os.Executable()
	if err != nil {
		exe = os.Args[0] // whoever is in trouble needs the other checks
	}
	cwd, err := os.Getwd()
	if err != nil {
		cwd = "" // a removed folder: no project to look at
	}
	o := doctor.Options{
		Dir: dir, Getenv: os.Getenv, Environ: os.Environ(), Version: version, Build: build(), Exe: exe, Cwd: cwd,
		Judge:  doctorJudge,
		Proven: func(c config.Config) []string { return proven(c).Names },
	}
	if dirFlag != "" {
		o.DirFlag = string(dir)
	}
	return o, nil
}

func doctorJudge(ctx context.Context, name string) (doctor.Judge, error) {
	j, err := openJudge(ctx, name)
	return doctor.Judge{Name: j.name, Note: j.note, Scorer: j.scorer, Close: j.close}, err
}

func faults(found []doctor.Finding) int {
	n := 0
	for _, f := range found {
		if f.State == doctor.Fail {
			n++
		}
	}
	return n
}

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func encodeFindings(w io.Writer, found []doctor.Finding) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false) // commands are copied from here: && stays &&
	return enc.Encode(struct {
		OK     bool             `json:"ok"`
		Checks []doctor.Finding `json:"checks"`
	}{faults(found) == 0, found})
}

func printFindings(w io.Writer, found []doctor.Finding) error {
	for _, f := range found {
		if _, err := fmt.Fprintf(w, "%-4s  %-9s  %s\n", f.State, f.Name, f.Found); err != nil {
			return err
		}
		if f.Next != "" {
			fmt.Fprintf(w, "%17stry: %s\n", "", f.Next)
		}
	}
	if !slices.ContainsFunc(found, func(f doctor.Finding) bool { return f.State != doctor.OK }) {
		fmt.Fprintln(w, "all is well")
	}
	return nil
}

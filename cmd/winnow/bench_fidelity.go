package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"winnow/internal/compress/fidelity"
	"winnow/internal/compress/router"
)

func benchFidelityCmd() *cobra.Command {
	var asJSON, seven bool
	cmd := &cobra.Command{
		Use:   "fidelity [FOLDER]",
		Short: "Measure what `winnow compress` keeps: needles by kind and position",
		Long: "Put a needle, one fact that a reader will want, into texts of each kind, compress them, and look whether it still\n" +
			"stands there: with nothing known of the reader (plain), with the reader's question (task), and without loss\n" +
			"(lossless). With a folder, its files are the texts and their own lines the needles. CNG is (inline - 1) / saved.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cases := fidelity.All()
			if seven {
				cases = fidelity.Seven()
			}
			if len(args) == 1 {
				var err error
				if cases, err = fidelity.Folder(args[0]); err != nil {
					return withHint(err, "winnow bench fidelity --help  # the folder's files are at most 4 MB")
				}
			}
			out := fidelity.Measure(cmd.Context(), router.New(router.Options{}), cases, fidelity.Modes)
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(out)
			}
			printFidelity(cmd.OutOrStdout(), out, len(cases) <= 40)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print every outcome as JSON")
	cmd.Flags().BoolVar(&seven, "seven", false, "only the seven cases by which such reducers are compared")
	return cmd
}

func printFidelity(w io.Writer, out []fidelity.Outcome, each bool) {
	if each {
		for _, o := range out {
			fmt.Fprintf(w, "%-9s %-15s %-8s %6d -> %5d  save %3.0f%%  inline %s  back %s  %s\n", o.Mode, o.Name, o.Kind, o.Before, o.After, 100*o.Saved(), tick(o.Inline), tick(o.Recoverable), strings.Join(o.Chain, ","))
		}
		fmt.Fprintln(w)
	}
	for _, g := range []struct {
		title string
		of    func(*fidelity.Outcome) string
	}{
		{"mode", func(o *fidelity.Outcome) string { return o.Mode }},
		{"kind", func(o *fidelity.Outcome) string { return o.Mode + " " + string(o.Kind) }},
		{"position", func(o *fidelity.Outcome) string { return o.Mode + " " + o.Position }},
	} {
		fmt.Fprintf(w, "by %-20s %5s %7s %8s %12s %8s\n", g.title, "cases", "saved", "inline", "recoverable", "CNG")
		names, sums := fidelity.By(out, g.of)
		for _, n := range names {
			s := sums[n]
			fmt.Fprintf(w, "   %-20s %5d %6.1f%% %7.1f%% %11.1f%% %8.3f\n", n, s.Cases, 100*s.Saved, 100*s.Inline, 100*s.Recoverable, s.CNG)
		}
	}
}

func tick(ok bool) string {
	if ok {
		return "✓"
	}
	return "·"
}

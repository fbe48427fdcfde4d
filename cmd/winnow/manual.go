package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"winnow/internal/doctor"
)

func versionCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print version and build",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "winnow version %s (%s)\n", version, build())
			return err
		},
	}
}

func manCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages into a folder",
		Long:  "Write a manual page for each command into DIR, which must exist. They are dated SOURCE_DATE_EPOCH where that is set.",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			date := time.Now()
			if n, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
				date = time.Unix(n, 0).UTC()
			}
			header := &doc.GenManHeader{Title: "WINNOW", Section: "1", Source: "winnow " + version, Manual: "winnow", Date: &date}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return withHint(fmt.Errorf("write manual pages: %w", err), "mkdir -p "+doctor.Quote(args[0]))
			}
			return nil
		},
	}
}

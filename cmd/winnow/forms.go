package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"winnow/internal/compress"
	"winnow/internal/compress/blocks"
	"winnow/internal/compress/router"
	"winnow/internal/prune/detect"
)

// codecCmd writes a text in one form, or back. Both directions are exact; a text
// that the form does not make shorter comes back as it is.
func codecCmd(use, short string, apply func(string) (string, error)) *cobra.Command {
	return &cobra.Command{
		Use: use + " [FILE]", Short: short, Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := readInput(cmd, args)
			if err != nil {
				return err
			}
			out, err := apply(in)
			if err != nil {
				return err
			}
			_, err = io.WriteString(cmd.OutOrStdout(), out)
			return err
		},
	}
}

func dedupeCmd() *cobra.Command {
	return codecCmd("dedupe", "Replace what a text repeats by references, exactly restorable", func(s string) (string, error) {
		if out, ok := (blocks.Codec{}).Encode(compress.Input{Text: s}); ok {
			return out, nil
		}
		// Where nothing is gained the lines stand as they are, but those that look
		// like a fold get a count of 1: rehydrate gives back every byte.
		return blocks.Encode(s, blocks.Options{NoRuns: true, NoBlocks: true}), nil
	})
}

func rehydrateCmd() *cobra.Command {
	return codecCmd("rehydrate", "Restore what `winnow dedupe` folded", blocks.Rehydrate)
}

func tableCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "table", Short: "Write JSON or a table in its short form, or back, byte for byte"}
	cmd.AddCommand(
		codecCmd("encode", "Write JSON, JSON lines or a table in its short form", encodeTable),
		codecCmd("decode", "Write the original again", decodeTable),
	)
	return cmd
}

// tabular are the kinds that have a short form.
var tabular = []detect.Kind{detect.JSON, detect.JSONL, detect.Table}

func encodeTable(s string) (string, error) {
	if _, err := decodeTable(s); err == nil {
		return "", withHint(errors.New("this is in the short form already"), "winnow table decode")
	}
	g := detect.Of(s, detect.Hint{})
	if !slices.Contains(tabular, g.Kind) {
		return "", withHint(fmt.Errorf("this is %s, no JSON and no table", nameOf(g.Kind)), "winnow compress  # takes any text")
	}
	for _, e := range router.Builtin().Encoders[g.Kind] {
		if out, ok := e.Encode(compress.Input{Text: s, Kind: g.Kind, Language: g.Language}); ok {
			return out, nil
		}
	}
	return s, nil
}

func decodeTable(s string) (string, error) {
	var errs []error
	for _, k := range tabular {
		for _, e := range router.Builtin().Encoders[k] {
			out, err := e.Decode(s)
			if err == nil {
				return out, nil
			}
			errs = append(errs, fmt.Errorf("%s: %w", e.Name(), err))
		}
	}
	return "", withHint(errors.Join(errs...), "winnow table encode  # what it prints is read here; a text that had no short form came out as it was")
}

func nameOf(k detect.Kind) string {
	if k == detect.Unknown {
		return "text"
	}
	return string(k)
}

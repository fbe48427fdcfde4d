package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"winnow/internal/replay"
)

type replayOptions struct {
	folder                          string
	transcripts, json, lines, check bool
}

func replayCmd() *cobra.Command {
	var o replayOptions
	cmd := &cobra.Command{
		Use:   "replay --seen FOLDER",
		Short: "Walk recorded sessions and say what of them had been shown before",
		Long: "Walk the sessions of FOLDER in order and say, by tool, what would have been folded: lines that an earlier result of the\n" +
			"same session showed. FOLDER holds *.jsonl or *.jsonl.xz (read by the xz command) with a result a line: {\"id\",\"session_id\",\n" +
			"\"tool\":{\"name\",\"input\"},\"output\",\"is_error\",\"ts\",\"next\"}; with --transcripts it is searched for Claude Code's session files.\n" +
			"Sessions of fewer than five results are passed over. Nothing is stored or changed.\n\n" +
			"--jsonl prints each result: {\"id\",\"text\",\"folds\":[{\"start\",\"end\",\"key\",\"ref_id\",\"ref_start\"}]}, lines 0-based and inclusive.\n" +
			"Line start+i of its output is line ref_start+i of the output of ref_id, but for a Read's line numbers, and was shown there.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runReplay(cmd, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.folder, "seen", "", "folder of recorded sessions")
	f.BoolVar(&o.transcripts, "transcripts", false, "FOLDER holds Claude Code's session files (*.jsonl, subagents below them)")
	f.BoolVar(&o.json, "json", false, "print the report as JSON: \"total\" and one object a tool")
	f.BoolVar(&o.lines, "jsonl", false, "print each result instead of the report")
	f.BoolVar(&o.check, "check", false, "make sure of every folded line, and that text and recalls are the input")
	cmd.MarkFlagsMutuallyExclusive("json", "jsonl")
	_ = cmd.MarkFlagRequired("seen")
	return cmd
}

func runReplay(cmd *cobra.Command, o replayOptions) error {
	w := bufio.NewWriter(cmd.OutOrStdout())
	var each func(replay.Folded) error
	if o.lines {
		enc := jsonLines(w)
		each = func(f replay.Folded) error { return enc.Encode(f) }
	}
	records := readRecords(cmd.Context(), o.folder)
	if o.transcripts {
		records = readTranscripts(o.folder)
	}
	r, err := replay.Seen(records, replay.SeenOptions{Check: o.check}, each)
	switch {
	case err != nil || o.lines:
	case o.json:
		enc := json.NewEncoder(w)
		enc.SetIndent("", " ")
		err = enc.Encode(r)
	default:
		err = r.Write(w)
	}
	return errors.Join(err, w.Flush())
}

// readRecords reads all files of a folder, in the order of their names.
func readRecords(ctx context.Context, path string) iter.Seq2[*replay.Record, error] {
	return func(yield func(*replay.Record, error) bool) {
		files, err := caseFiles(path)
		if err != nil {
			yield(nil, withHint(err, "winnow replay --seen ~/.claude/projects --transcripts  # for Claude Code's session files"))
			return
		}
		for _, f := range files {
			r, err := openCases(ctx, f)
			if err != nil {
				yield(nil, err)
				return
			}
			more, early := each(replay.Records(r), f, yield)
			if err := r.Close(); err != nil && !early {
				yield(nil, fmt.Errorf("read %s: %w", f, err))
				return
			}
			if !more {
				return
			}
		}
	}
}

// each hands a file's records on and says whether to go on, and whether the file
// was left before its end.
func each(records iter.Seq2[*replay.Record, error], file string, yield func(*replay.Record, error) bool) (more, early bool) {
	for rec, err := range records {
		if err != nil {
			err = fmt.Errorf("%s: %w", file, err)
		}
		if !yield(rec, err) || err != nil {
			return false, true
		}
	}
	return true, false
}

// readTranscripts reads every session file under a folder; a subagent's is a
// loop of its own.
func readTranscripts(path string) iter.Seq2[*replay.Record, error] {
	return func(yield func(*replay.Record, error) bool) {
		found := false
		err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || !strings.HasSuffix(file, ".jsonl") {
				return err
			}
			found = true
			f, err := os.Open(file)
			if err != nil {
				return err
			}
			defer f.Close()
			name, _ := filepath.Rel(path, file)
			side := strings.HasPrefix(filepath.Base(file), "agent-")
			if more, _ := each(replay.Transcript(io.Reader(f), strings.TrimSuffix(name, ".jsonl"), side), file, yield); !more {
				return fs.SkipAll
			}
			return nil
		})
		if err == nil && !found {
			err = fmt.Errorf("no *.jsonl in %s", path)
		}
		if err != nil {
			yield(nil, withHint(err, "winnow replay --seen ~/.claude/projects --transcripts"))
		}
	}
}

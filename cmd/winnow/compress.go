package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"winnow/internal/api"
	"winnow/internal/client"
	"winnow/internal/compress/router"
	"winnow/internal/config"
	"winnow/internal/prune"
	"winnow/internal/recall"
	"winnow/internal/reduce"
	"winnow/internal/state"
	"winnow/internal/tokens"
)

// compressFlags are the flags of `winnow compress`.
type compressFlags struct {
	req                          api.CompressRequest
	task, command, judge, tokens string
	state                        string
	json, jsonl                  bool
}

func compressCmd() *cobra.Command {
	var f compressFlags
	cmd := &cobra.Command{
		Use:   "compress [FILE]",
		Short: "Make a text shorter, recoverably (standard input or a file)",
		Long: "Print a shorter form of a text: JSON, tables, logs, search hits, diffs, listings, repeated blocks. What loses nothing is\n" +
			"tried first; what is hidden is stored before it is, and `winnow retrieve KEY` gives it back. A text that does not\n" +
			"get shorter comes back as it is. What was done goes to standard error.\n\n" +
			"With --jsonl, standard input is cases as for `winnow score`, and each answer is {\"id\",\"text\",\"kind\",\"chain\",\"keys\"}.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.req.Kind, "kind", "", "take the text for this: "+strings.Join(reduce.Kinds(), ", "))
	fl.BoolVar(&f.req.Lossless, "lossless", false, "only what decodes to the same bytes")
	fl.BoolVar(&f.req.EditsOnly, "edits-only", false, "hide lines, and write only JSON and tables in another form: what is left can be quoted and edited")
	fl.StringVar(&f.task, "task", "", "what the reader is at: what it names stays")
	fl.StringVar(&f.req.Tool, "tool", "", "the tool that printed the text: Bash, Read, Grep, …")
	fl.StringVar(&f.command, "command", "", "its command line or file")
	fl.Float64Var(&f.req.Pressure, "pressure", 0, "how full the reader's context is, 0 to 1: less saving is enough")
	fl.StringVar(&f.judge, "judge", "off", "judge for what no compressor takes: off, onnx, lexical, fake (with a daemon: its own)")
	fl.StringVar(&f.tokens, "tokens", "estimate", "how tokens are counted for the report: "+strings.Join(tokens.Names(), ", "))
	fl.IntVar(&f.req.MinTokens, "min-tokens", 0, "leave texts below this alone, but for folds (default 400)")
	fl.IntVar(&f.req.HeadItems, "head-items", 0, "items kept at an array's beginning (default 3)")
	fl.IntVar(&f.req.TailItems, "tail-items", 0, "items kept at an array's end (default 1)")
	fl.IntVar(&f.req.MaxStringLength, "max-string-length", 0, "cut strings over this many characters (default 200)")
	fl.BoolVar(&f.json, "json", false, "print the whole answer as JSON")
	fl.BoolVar(&f.jsonl, "jsonl", false, "read cases, print an answer a line")
	fl.StringVar(&f.state, "state", "", "state folder (default $WINNOW_DIR or ~/.winnow)")
	return cmd
}

func (f *compressFlags) run(cmd *cobra.Command, args []string) error {
	if err := reduce.Check(&f.req); err != nil {
		return withHint(err, "winnow compress --help")
	}
	count, err := tokens.Named(f.tokens)
	if err != nil {
		return withHint(err, "winnow compress --help")
	}
	dir, err := stateDir(f.state)
	if err != nil {
		return err
	}
	f.req.Task = prune.Task{Request: f.task}
	f.req.Judge = f.judge != "off"
	ask, done, err := compressor(cmd, dir, f.judge)
	if err != nil {
		return err
	}
	defer done()
	if f.jsonl {
		return f.cases(cmd, ask)
	}
	in, err := readInput(cmd, args)
	if err != nil {
		return err
	}
	f.req.Text = in
	if len(args) == 1 {
		f.req.File = args[0]
	}
	if f.command != "" {
		key := "command"
		if f.req.Tool != "" && f.req.Tool != "Bash" {
			key = "file_path"
		}
		f.req.Input, _ = json.Marshal(map[string]string{key: f.command})
	}
	out, err := ask(cmd.Context(), &f.req)
	if err != nil {
		return err
	}
	return f.print(cmd, out, in, count)
}

func (f *compressFlags) print(cmd *cobra.Command, out api.CompressReply, in string, count tokens.Counter) error {
	if f.json {
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(out)
	}
	if _, err := io.WriteString(cmd.OutOrStdout(), out.Text); err != nil {
		return err
	}
	if out.Text != "" && !strings.HasSuffix(out.Text, "\n") {
		cmd.PrintErrln()
	}
	cmd.PrintErrln(compressReport(out, count(in), count(out.Text)))
	return nil
}

// compressReport says in a line what was done.
func compressReport(out api.CompressReply, before, after int) string {
	kind := out.Kind
	if kind == "" {
		kind = "text"
	}
	if out.Untouched != "" {
		return fmt.Sprintf("winnow: %s, %d tokens, left as it is: %s", kind, before, out.Untouched)
	}
	s := fmt.Sprintf("winnow: %s, %d -> %d tokens (%.0f%% saved) by %s", kind, before, after, 100*float64(before-after)/float64(max(before, 1)), strings.Join(out.Chain, ", "))
	if out.Original != "" {
		s += "; the whole: winnow retrieve " + out.Original
	}
	return s
}

// reduceFunc answers one request.
type reduceFunc func(context.Context, *api.CompressRequest) (api.CompressReply, error)

// compressor asks the daemon, or works by itself on the store when none answers.
func compressor(cmd *cobra.Command, dir state.Dir, judgeName string) (reduceFunc, func(), error) {
	if c, err := client.Probe(cmd.Context(), dir); err == nil {
		return throughDaemon(cmd, c), c.Close, nil
	}
	j, err := cliJudge(cmd, judgeName)
	if err != nil {
		return nil, nil, withHint(err, "winnow compress --judge lexical")
	}
	store, err := openStore(dir)
	var s reduce.Store = store
	if err != nil {
		cmd.PrintErrf("winnow: %v; only what loses nothing is done\n", err)
		s = nil
	}
	o := router.Options{}
	if j.scorer != nil {
		cfg, err := config.Load(dir.Env(), os.Getenv)
		if err != nil {
			return nil, nil, err
		}
		o.Judge = pruner(j, cfg, dir, liveIn(store))
	}
	r := router.New(o)
	ask := func(ctx context.Context, req *api.CompressRequest) (api.CompressReply, error) {
		out, err := reduce.Do(ctx, r, s, req)
		if err != nil {
			cmd.PrintErrf("winnow: %v; only what loses nothing is done\n", err)
		}
		return out, nil
	}
	return ask, func() {
		if store != nil {
			store.Close()
		}
		j.close()
	}, nil
}

// throughDaemon asks the daemon. What its wire cannot carry (bytes that are no
// UTF-8, which JSON would change, or more than one request may hold), and what it
// does not answer, is done here, without its store and so without loss.
func throughDaemon(cmd *cobra.Command, c *client.Client) reduceFunc {
	local := router.New(router.Options{})
	return func(ctx context.Context, req *api.CompressRequest) (out api.CompressReply, err error) {
		why := "it holds bytes that are no UTF-8"
		if utf8.ValidString(req.Text) {
			if err = c.Call(ctx, api.PathCompress, req, &out); err == nil {
				return out, nil
			}
			if ctx.Err() != nil {
				return out, ctx.Err()
			}
			why = err.Error()
		}
		cmd.PrintErrf("winnow: the daemon cannot take this text (%s); only what loses nothing is done\n", why)
		return reduce.Do(ctx, local, nil, req)
	}
}

// readInput reads a named file, or standard input.
func readInput(cmd *cobra.Command, args []string) (string, error) {
	in, name := cmd.InOrStdin(), "standard input"
	if len(args) == 1 && args[0] != "-" {
		f, err := os.Open(args[0])
		if err != nil {
			return "", withHint(err, "winnow compress --help  # a file's name, or text on standard input")
		}
		defer f.Close()
		in, name = f, args[0]
	}
	b, err := io.ReadAll(io.LimitReader(in, recall.MaxText+1))
	if err != nil {
		return "", withHint(fmt.Errorf("read %s: %w", name, err), "winnow compress --help  # a file's name, or text on standard input")
	}
	if len(b) > recall.MaxText {
		return "", withHint(fmt.Errorf("%s: over %d MB", name, recall.MaxText>>20), "split -b 100M  # and winnow compress each part")
	}
	return string(b), nil
}

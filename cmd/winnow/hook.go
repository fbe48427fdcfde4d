package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"winnow/internal/api"
	"winnow/internal/client"
	"winnow/internal/config"
	"winnow/internal/door"
	"winnow/internal/hook"
	"winnow/internal/prune"
	"winnow/internal/recall"
	"winnow/internal/state"
)

type hookFlags struct {
	local       bool
	judge, task string
	state       string
}

func hookCmd() *cobra.Command {
	var f hookFlags
	cmd := &cobra.Command{
		Use:   "hook",
		Short: "Answer one Claude Code hook payload from standard input",
		Long: "Read one hook payload on standard input and print the answer; nothing means: leave the result alone.\n" +
			"The daemon answers, or this process itself with --local (which --judge and --task imply). In this\n" +
			"process the mode is active unless WINNOW_MODE or the env file says otherwise, and the store must be free:\n" +
			"while a daemon holds the folder, give another one with --state. Errors go to standard error and never\n" +
			"change the exit code: a host must go on with its result.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := answerHook(cmd.Context(), cmd.InOrStdin(), f)
			_, err := cmd.OutOrStdout().Write(out)
			return err
		},
	}
	cmd.Flags().BoolVar(&f.local, "local", false, "answer in this process, without a daemon")
	cmd.Flags().StringVar(&f.judge, "judge", "", "judge to use in this process: onnx, lexical, fake")
	cmd.Flags().StringVar(&f.task, "task", "", "the user's request, in place of the transcript's")
	cmd.Flags().StringVar(&f.state, "state", "", "state folder (default $WINNOW_DIR or ~/.winnow)")
	return cmd
}

// hookWait is longer than the daemon takes, which is two seconds, and shorter than
// anybody should wait for a result.
const hookWait = 2500 * time.Millisecond

// answerHook never fails: whatever goes wrong, the host keeps its result. Why
// goes to standard error.
func answerHook(ctx context.Context, in io.Reader, f hookFlags) []byte {
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	dir, err := stateDir(f.state)
	if err != nil {
		log.Error("state folder", "err", err)
		return nil
	}
	body, err := io.ReadAll(in)
	if err != nil {
		log.Error("read payload", "err", err)
		return nil
	}
	if f.local || f.judge != "" || f.task != "" {
		return localHook(ctx, log, dir, body, f)
	}
	c, err := client.New(dir)
	if err != nil {
		log.Warn("no daemon", "err", err)
		return nil
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(ctx, hookWait)
	defer cancel()
	out, err := c.Do(ctx, api.PathHook, body)
	if err != nil {
		log.Warn("no answer", "err", err)
		return nil
	}
	return out
}

func localHook(ctx context.Context, log *slog.Logger, dir state.Dir, body []byte, f hookFlags) []byte {
	e, err := hook.Decode(bytes.NewReader(body))
	if err != nil {
		log.Warn("payload not understood", "err", err)
		return nil
	}
	cfg, err := config.Load(dir.Env(), activeByDefault)
	if err != nil {
		log.Error("config", "err", err)
		return nil
	}
	if f.judge != "" {
		cfg.Judge = f.judge
	}
	j, err := openJudge(ctx, cfg.Judge)
	if err != nil {
		log.Error("judge", "err", err)
		return nil
	}
	defer j.close()
	if j.note != "" {
		log.Warn(j.note)
	}
	store, err := openStore(dir)
	if err != nil {
		log.Error("store; --state names another folder", "err", err)
		return nil
	}
	defer store.Close()
	d := &door.Door{Store: store, Log: log, Count: func(string, int64) {}, Now: func() door.Current {
		return door.Current{Mode: cfg.Mode, Pruner: pruner(j, cfg, dir, store.Live), Proven: proven(cfg).For}
	}}
	var task *prune.Task
	if f.task != "" {
		task = &prune.Task{Request: f.task}
	}
	return d.Hook(ctx, e, task)
}

// activeByDefault is the environment of a command that somebody ran to see a
// pruned answer: only an explicit WINNOW_MODE makes it shadow.
func activeByDefault(name string) string {
	v := os.Getenv(name)
	if name == "WINNOW_MODE" && v == "" {
		return door.Active
	}
	return v
}

var _ door.Store = (*recall.Store)(nil)

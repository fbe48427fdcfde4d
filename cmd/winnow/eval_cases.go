package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"winnow/internal/eval"
)

// readCases reads the cases of a file, of all files of a folder, or of stdin.
func readCases(ctx context.Context, stdin io.Reader, path string) iter.Seq2[eval.Case, error] {
	if path == "-" {
		return eval.Cases(stdin)
	}
	return func(yield func(eval.Case, error) bool) {
		files, err := caseFiles(path)
		if err != nil {
			yield(eval.Case{}, err)
			return
		}
		for _, f := range files {
			if !readCaseFile(ctx, f, yield) {
				return
			}
		}
	}
}

func caseFiles(path string) ([]string, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !fi.IsDir() {
		return []string{path}, nil
	}
	plain, _ := filepath.Glob(filepath.Join(path, "*.jsonl"))
	packed, _ := filepath.Glob(filepath.Join(path, "*.jsonl.xz"))
	files := append(plain, packed...)
	if len(files) == 0 {
		return nil, fmt.Errorf("no *.jsonl and no *.jsonl.xz in %s", path)
	}
	slices.Sort(files)
	return files, nil
}

// readCaseFile hands on a file's cases and reports whether to go on.
func readCaseFile(ctx context.Context, path string, yield func(eval.Case, error) bool) bool {
	r, err := openCases(ctx, path)
	if err != nil {
		yield(eval.Case{}, err)
		return false
	}
	for c, err := range eval.Cases(r) {
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		if !yield(c, err) || err != nil {
			r.Close()
			return false
		}
	}
	if err := r.Close(); err != nil {
		yield(eval.Case{}, fmt.Errorf("read %s: %w", path, err))
		return false
	}
	return true
}

func openCases(ctx context.Context, path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil || !strings.HasSuffix(path, ".xz") {
		return f, err
	}
	defer f.Close() // the command has its own copy
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, "xz", "-dc")
	cmd.Stdin = f
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		if errors.Is(err, exec.ErrNotFound) {
			err = withHint(fmt.Errorf("read %s: %w", path, err), "unpack it first, or install xz")
		}
		return nil, err
	}
	return &unpacked{out, cmd, cancel}, nil
}

// unpacked is the output of an xz command.
type unpacked struct {
	io.ReadCloser
	cmd    *exec.Cmd
	cancel context.CancelFunc
}

// Close ends the command, which then fails if it had more to say: whoever stops
// early has another error to tell.
func (u *unpacked) Close() error {
	defer u.cancel()
	u.ReadCloser.Close()
	return u.cmd.Wait()
}

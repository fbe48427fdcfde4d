package prune

import (
	"errors"
	"strings"
	"testing"
)

func TestPanicked(t *testing.T) {
	const secret = "the output itself"
	recovered := func(f func()) (err error) {
		defer func() { err = Panicked(recover()) }()
		f()
		return nil
	}
	for _, c := range []struct {
		name string
		f    func()
		want string
	}{
		{"a text", func() { panic("bad line: " + secret) }, "panic: string at prune.TestPanicked.func"},
		{"an error", func() { panic(errors.New(secret)) }, "panic: *errors.errorString at prune.TestPanicked.func"},
		{"the runtime's", func() { _ = strings.Split(secret, " ")[len(secret)] }, "panic: runtime error: index out of range [17] with length 3 at prune.TestPanicked.func"},
		{"of another package", func() { _ = strings.Repeat(secret, -1) }, "panic: string at strings.Repeat (strings.go:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := recovered(c.f).Error()
			if !strings.HasPrefix(got, c.want) || strings.Contains(got, secret) {
				t.Errorf("Panicked = %q, want it to begin %q, and not the text", got, c.want)
			}
		})
	}
}

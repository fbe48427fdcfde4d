package prune

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// Panicked describes a recovered panic by its kind and place, for logs: its
// value may hold text of a result, unless the runtime made it. Call it in the
// deferred function that recovered.
func Panicked(v any) error {
	what := fmt.Sprintf("%T", v)
	if re, ok := v.(runtime.Error); ok {
		what = re.Error()
	}
	return fmt.Errorf("panic: %s at %s", what, origin())
}

// origin names the function that panicked: the first of ours beneath the runtime.
func origin() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	panicking := false
	for {
		f, more := frames.Next()
		switch inside := strings.HasPrefix(f.Function, "runtime."); {
		case f.Function == "runtime.gopanic":
			panicking = true
		case panicking && !inside && f.Function != "":
			return fmt.Sprintf("%s (%s:%d)", filepath.Base(f.Function), filepath.Base(f.File), f.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}

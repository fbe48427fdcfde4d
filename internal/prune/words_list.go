package prune

import "strings"

// The phrases of the floor, ended by semicolons.

// As promised, wherever they stand in a word.
const promised = "error; failed; traceback; panic; exception; exit code; exit status; fatal"

// What else programs say when they fail; each has cost somebody a failure.
const (
	failures = "failure; exited with; segmentation fault; core dumped; killed; no such file; cannot access; cannot find; " +
		"permission denied; access denied; connection refused; undefined reference; out of memory; crashloopbackoff; " +
		"imagepullbackoff; deadlock; stack overflow; no space left; not permitted; compilation terminated; does not match"
	wholeFailures = "fail; fails; failing; aborted; timed out; not found; could not; unable to; unexpected; unhandled; uncaught; " +
		"unresolved; not ok; conflict; rejected; evicted; data race; not supported; caused by"
)

// What a person would call an error message in a shell's output; elsewhere it
// is as often an ordinary sentence.
const (
	shellFailures = "double free; stack smashing; sanitizer:; kernel bug; segfault; munmap_chunk(; corrupted size; " +
		"undefined method; undefined variable; undefined local; undefined symbol; crash loop; unhealthy; interrupted by signal; did not match"
	shellWholeFailures = "is denied; was denied; denied:; cannot open; cannot read; cannot write; cannot create; cannot connect; cannot stat; " +
		"cannot load; cannot resolve; cannot execute; cannot import; cannot locate; cannot lock; cannot remove; cannot run; " +
		"cannot allocate; can't open; can't read; can't find; can't connect; can't load; can't resolve; already in use; broken pipe; connection reset; connection closed; deadline exceeded; " +
		"context canceled; context cancelled; non-zero exit; nonzero exit; non-zero status; non-zero code; returned non-zero; " +
		"is not defined; is not a function; is not a constructor; is not iterable; mismatch; no tests ran; no tests found; " +
		"collected 0 items; oops:; unrecognized option; unrecognized argument; unrecognized arguments; unrecognized command; unrecognized flag; unknown option; unknown flag; unknown command; unknown argument; " +
		"invalid option; invalid argument; too many open files; quota exceeded; limit exceeded; timeout exceeded; timeout of; " +
		"service not known; is unreachable; host unreachable; no matches found; would reformat; would be reformatted; gave up; giving up; " +
		"illegal instruction; bad interpreter; fehler; erreur"
	// Written in capitals: levels of logs, and names of the system's errors and signals.
	capitals = "err; critical; severe; emerg; emergency; alert; nok; bug:; sigsegv; sigabrt; sigbus; sigill; sigkill; sigsys; " +
		"eacces; eperm; enoent; econnrefused; econnreset; econnaborted; etimedout; enotfound; eaddrinuse; eaddrnotavail; epipe; " +
		"eexist; enospc; emfile; enfile; enomem; eisdir; enotdir; enotempty; ebusy; einval; ehostunreach; enetunreach; eai_again; " +
		"eresolve; eintegrity; elifecycle; exdev; erofs; eloop; edquot; eio; err_module_not_found"
)

// Notices that somebody else has cut.
const (
	notices      = "truncated; exceeds maximum; results limited; nextcursor; next_cursor; has_more; more--; ctrl+o to"
	wholeNotices = "omitted; elided; snip; snipped; more lines; too large; saved to; pagination; not listed; not shown; more results; " +
		"more matches; more files; more rows; more items; more entries; more pages; next page; showing; end of file; " +
		"limited to; limit reached; was limited"
)

// What counts results.
const counting = "passed; passing; failed; failing; failures; errors; test result; skipped; assertions; ran"

var floorWords = func() []word {
	var all []word
	add := func(h hint, f form, phrases string, check func(s string, at, end int) bool) {
		for text := range strings.SplitSeq(phrases, ";") {
			all = append(all, newWord(strings.TrimSpace(text), h, f, check))
		}
	}
	add(hintFailure, 0, promised, nil)
	add(hintFailure, 0, failures, nil)
	add(hintFailure, whole, wholeFailures, nil)
	add(hintTrace, whole, "traceback; goroutine; backtrace; stack trace", nil)
	add(hintTrace, 0, `file "; thread '; unhandled exception; fatal error`, nil)
	add(hintTrace, 0, "panic", nil)
	add(hintTrace, whole, "fail:", func(s string, at, _ int) bool { return at >= 4 && s[at-4:at] == "--- " })
	add(hintTrace, whole, "failures", func(s string, at, _ int) bool { return at >= 3 && s[at-3:at] == "== " })
	add(hintTrace, whole, "at", frameAt)
	add(hintShell, 0, shellFailures, nil)
	add(hintShell, whole, shellWholeFailures, nil)
	add(hintShell, whole, "timeout; not run", func(s string, at, _ int) bool { return at >= 3 && s[at-3:at] == "***" }) // ctest
	add(hintShell, whole|capital, capitals, nil)
	add(hintShell, whole, "rc; exitcode; exit_code; exit-code; returncode; retcode; return code; exit_status; with code", nonzeroAfter)
	add(hintShell, whole, "exit", exitAfter)
	add(hintShell, whole, "returned", returnedCode)
	add(hintShell, 0, "status", httpAfter)
	add(hintShell, 0, "http", httpAfter)
	add(hintShell, whole, "returned; responded; got; response", httpAfter)
	add(hintShell, whole, "unauthorized; forbidden; bad request; internal server; bad gateway; service unavailable; gateway timeout; "+
		"too many requests; unprocessable; method not; conflict; gone", codeBefore)
	add(hintNotice, 0, notices, nil)
	add(hintNotice, whole, wholeNotices, nil)
	add(hintCount, whole, counting, nil)
	add(hintWarn, whole, "warn; warning", nil)
	return all
}()

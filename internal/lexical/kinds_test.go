package lexical

import (
	"testing"

	"winnow/internal/prune"
	"winnow/internal/text"
)

func TestKindOf(t *testing.T) {
	tests := []struct {
		line      string
		has, lack kind
	}{
		{"", kindBlank, kindBrackets},
		{"  \t", kindBlank, kindBrackets},
		{"  });", kindBrackets, kindBlank},
		{"=======", kindBrackets, kindDiffHead},
		{"error: mismatched types", kindError, 0},
		{"error[E0308]: mismatched types", kindError, 0},
		{"main.go:3:5: error: no such name", kindError | kindHit, 0},
		{"E       assert 1 == 2", kindError, 0},
		{"ValueError: bad", kindError, 0},
		{"panic: runtime error", kindError, 0},
		{"thread 'main' panicked at src/main.rs:2:5:", kindError | kindFrame, 0},
		{`	return errors.New("x")`, 0, kindError},
		{"errorCount = 3", 0, kindError},
		{"Traceback (most recent call last):", kindFrame, 0},
		{`  File "a.py", line 3, in f`, kindFrame, 0},
		{"    at run (a.js:3:4)", kindFrame, 0},
		{"diff --git a/x b/x", kindDiffHead, 0},
		{"+++ b/x.go", kindDiffHead, kindDiffBody},
		{"+	return nil", kindAdded, kindDiffHead},
		{"--- FAIL: TestX (0.00s)", kindFailed | kindStatus, kindDiffHead},
		{"--- PASS: TestX (0.00s)", kindPassed | kindStatus, kindDiffHead},
		{"ok  	winnow/internal/text	0.1s", kindPassed | kindStatus, kindFailed},
		{"test parse ... ok", kindPassed, kindFailed},
		{"tests/a.py::test_x FAILED                [ 50%]", kindFailed, kindPassed},
		{"=== 1 failed, 287 passed in 3.2s ===", kindSummary | kindFailed, 0},
		{"Tests: 0 failed, 12 passed", kindSummary, kindFailed},
		{"found 00 errors", kindSummary, kindFailed},
		{"src/a.go:12:func x() {", kindHit, 0},
		{"key: value", 0, kindHit},
		{"func main() {", kindDefine, 0},
		{"export default async function main() {", kindDefine, 0},
		{"pub(crate) fn f() {", kindDefine, 0},
		{"type(x)", kindDefine, 0}, // cheap, and wrong here
		{"import os", kindImport, 0},
		{"# Heading", kindComment, 0},
		{"#include <a.h>", kindImport, kindComment},
		{"const limit = 3", kindBind, kindDefine},
		{"limit := 3", kindBind, kindKey},
		{"name: winnow", kindKey, 0},
		{`  "version": "1.2",`, 0, kindHit},
		{"timeout=3", kindKey, kindBind},
		{"a == b", 0, kindKey},
		{"two words: no key", 0, kindKey},
		{"## Heading", kindHeading | kindComment, 0},
		{"#!/bin/sh", kindComment, kindHeading},
		{"- an item", kindItem, 0},
		{"12. an item", kindItem, kindStamp},
		{"2026-01-20 10:00:00 start", kindStamp, kindItem},
		{"[10:00:00] start", kindStamp, 0},
		{"| a | b |", kindRow, 0},
		{"==========", kindRule | kindBrackets, 0},
		{"12,345 | 6%", kindNumbers, kindBrackets},
		{"	return err", kindLeave, kindBranch},
		{"	if err != nil {", kindBranch | kindOpens, kindDefine},
		{"func TestScan(t *testing.T) {", kindDefine | kindTest | kindOpens, 0},
		{`	it("scans", () => {`, kindTest, 0},
		{"	default:", kindOpens, kindDefine},
		{"A sentence that ends as they do.", kindProse, 0},
		{"step 1\rerror: disk full\rstep 3", kindError, kindBlank},
		{"\r", kindBlank, 0},
		{"\r done", 0, kindBlank},
	}
	for _, tt := range tests {
		k := kindOf(tt.line)
		if k&tt.has != tt.has || k&tt.lack != 0 {
			t.Errorf("kindOf(%q) = %b, want all of %b and none of %b", tt.line, k, tt.has, tt.lack)
		}
	}
}

// What words tell is found wherever they stand, and within longer ones.
func TestTraits(t *testing.T) {
	tests := []struct {
		line      string
		has, lack kind
	}{
		{"return errNotFound, parseError", kindTrouble, kindError},
		{"2 warnings were printed", kindWarn, kindTrouble},
		{"(Results are truncated.)", kindNotice, 0},
		{"// TODO(x): later", kindTodo | kindComment, 0},
		{"see https://example.com", kindLink, 0},
		{"self.assertEqual(a, b)", kindAssert, 0},
		{"failsafe", 0, kindTrouble},
	}
	for _, tt := range tests {
		tab, err := NewTable(t.Context(), prune.Query{}, text.Split(tt.line))
		if err != nil {
			t.Fatal(err)
		}
		if k := tab.lines[0].kind; k&tt.has != tt.has || k&tt.lack != 0 {
			t.Errorf("kind of %q = %b, want all of %b and none of %b", tt.line, k, tt.has, tt.lack)
		}
	}
}

package model

import (
	"strings"
	"testing"
)

func TestVerify(t *testing.T) {
	if err := Verify(); err != nil {
		t.Error(err)
	}
	for name, tc := range map[string]struct{ made, want string }{
		"another hash": {`{"sha256":{"a":"00"}}`, "a has hash"},
		"no hash":      {`{}`, "a has hash"},
		"no JSON":      {``, "judge.json"},
	} {
		err := verify([]byte(tc.made), map[string][]byte{"a": []byte("x")})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: verify = %v, want one with %q", name, err, tc.want)
		}
	}
}

//go:build !cgo

package model

import (
	"errors"
	"testing"
)

func TestOpenWithoutCgo(t *testing.T) {
	if _, err := Open(t.Context(), Options{}); !errors.Is(err, ErrUnavailable) {
		t.Errorf("Open = %v, want ErrUnavailable", err)
	}
}

package main

import (
	"testing"

	"winnow/internal/config"
	"winnow/internal/prune"
)

// Who sets no bands gets the same ones from the settings and from the core.
func TestBandsAgree(t *testing.T) {
	if c := config.Default(); c.Keep != prune.DefaultKeep || c.Drop != prune.DefaultDrop {
		t.Errorf("settings have bands %v and %v, prune %v and %v", c.Keep, c.Drop, prune.DefaultKeep, prune.DefaultDrop)
	}
}

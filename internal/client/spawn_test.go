//go:build unix

package client

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDaemonEnvDropsSecrets(t *testing.T) {
	in := []string{"HOME=/h", "ANTHROPIC_API_KEY=k", "WINNOW_MODE=active", "PATH=/bin", "CLAUDE_CODE_SSE_PORT=1", "HTTP_PROXY=x"}
	want := []string{"HOME=/h", "WINNOW_MODE=active", "PATH=/bin"}
	if d := cmp.Diff(want, daemonEnv(in)); d != "" {
		t.Errorf("daemonEnv (-want +got):\n%s", d)
	}
}

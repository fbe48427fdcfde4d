//go:build !unix

package hook

import (
	"io/fs"
	"os"
)

// Without a way to refuse links and other owners nothing is read.
func openPlain(string, string, string) (*os.File, error) { return nil, ErrNotOurs }

func ownerOf(fs.FileInfo) (int, bool) { return 0, false }

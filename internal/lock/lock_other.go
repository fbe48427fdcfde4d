//go:build !unix

package lock

import (
	"errors"
	"os"
)

const noFollow = 0

// tryLock has no kernel lock to take here; winnow does not run a daemon on
// such a platform yet.
func tryLock(*os.File) error { return errors.ErrUnsupported }

//go:build !unix

package state

import "os"

// ownedByUs trusts the profile folder's own rights where there is no uid.
func ownedByUs(os.FileInfo) bool { return true }

// Command pack takes the onnxruntime library of one platform out of the npm
// package's tarball, checks both against the pins below, and writes it where
// package ortlib embeds it. It fetches nothing: scripts/fetch-ort.sh does.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// The npm package and the integrity its tarball must have (sha512, base64).
const (
	packageName      = "onnxruntime-node"
	packageVersion   = "1.30.0"
	packageIntegrity = "sha512-twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw=="
)

// pin names a file of the tarball and its SHA-256.
type pin struct{ member, sum string }

// pins holds the platforms that the package serves and that were looked at.
// Windows is missing: its build wants DirectML.dll beside it.
var pins = map[string]pin{
	"linux_amd64": {
		"package/bin/napi-v6/linux/x64/libonnxruntime.so.1",
		"ffb75a925ba05e47b235bb66e3e3911714a80b328a9c9425539feb204aa32a23",
	},
	"linux_arm64": {
		"package/bin/napi-v6/linux/arm64/libonnxruntime.so.1",
		"1f549d46250b005580b597f4164984aaf75b3bcb9f3aeb07c7f8a8fe60b23c76",
	},
	"darwin_arm64": {
		"package/bin/napi-v6/darwin/arm64/libonnxruntime.1.30.0.dylib",
		"685d2be5dba1309c89d3a5324b7fd06a5c42f1a61bfea32d14c4cc28d072121d",
	},
}

// The exit codes that the script tells apart.
const (
	exitWork   = 1 // broken, see stderr
	exitNeeded = 3 // -check: there is work to do
	exitNone   = 4 // the package has nothing for this platform
)

func main() {
	var (
		lib      = flag.String("lib", "internal/ortlib/lib", "folder that ortlib embeds")
		platform = flag.String("platform", "", "GOOS_GOARCH")
		spec     = flag.Bool("spec", false, "print the npm package to fetch")
		check    = flag.Bool("check", false, "only see whether the library is in place")
		tarball  = flag.String("tarball", "", "tarball to take the library from")
	)
	flag.Parse()
	if *spec {
		fmt.Println(packageName + "@" + packageVersion)
		return
	}
	p, ok := pins[*platform]
	if !ok {
		os.Exit(exitNone)
	}
	dir := filepath.Join(*lib, *platform)
	if *check {
		if err := verify(dir, p.sum); err != nil {
			os.Exit(exitNeeded)
		}
		return
	}
	if err := pack(*tarball, packageIntegrity, p, dir); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(exitWork)
	}
}

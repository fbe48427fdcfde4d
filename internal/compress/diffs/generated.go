package diffs

import (
	"path"
	"strings"
)

// locks are files that package managers write.
var locks = map[string]bool{}

func init() {
	for _, f := range strings.Fields(`package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock Cargo.lock
		go.sum poetry.lock uv.lock pdm.lock Pipfile.lock Gemfile.lock composer.lock packages.lock.json mix.lock pubspec.lock Podfile.lock
		flake.lock gradle.lockfile Package.resolved conda-lock.yml pixi.lock mise.lock`) {
		locks[f] = true
	}
}

// generated reports whether a file is written by a tool, by its name alone.
func generated(file string) bool {
	base := path.Base(file)
	if locks[base] {
		return true
	}
	for _, end := range [...]string{".min.js", ".min.css", ".pb.go", "_pb2.py", "_pb2_grpc.py", ".snap", ".js.map", ".css.map", ".g.dart", ".designer.cs"} {
		if strings.HasSuffix(base, end) {
			return true
		}
	}
	return false
}

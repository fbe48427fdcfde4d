#!/bin/bash
# Packs what users get, one archive a platform, into build/dist: the plugin's folder
# with the binary, manual pages, completions, licences; and SHA256SUMS. The same
# commit gives the same bytes.
#
#	scripts/dist.sh VERSION BUILD [GOOS/GOARCH[/static] ...]
#
# This machine's platform gets onnxruntime, which needs its C library. The others, and
# "static" ones, are built without cgo: they need no library at all, have the lexical
# judge only, and their archives say so.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$1 build=$2
shift 2
host="$(go env GOHOSTOS)/$(go env GOHOSTARCH)"
platforms=("$@")
[ ${#platforms[@]} -gt 0 ] || platforms=("$host" "$host/static" linux/arm64 darwin/arm64 darwin/amd64)
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"
export LC_ALL=C TZ=UTC
umask 022

out=build/dist
rm -rf "$out"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-trimpath -buildvcs=false -ldflags "-s -w -X main.version=$version -X main.buildID=$build")

# No library of another platform goes into a binary that cannot load it.
without() {
	printf '{"Replace":{'
	find "$PWD/internal/ortlib/lib" -mindepth 2 -type f | sort | sed 's/.*/"&":""/' | paste -sd,
	printf '}}\n'
}

# The licences of all that is inside the binary, by module.
licences() {
	mkdir -p "$1"
	cp "$(go env GOROOT)/LICENSE" "$1/go"
	cp internal/ortlib/LICENSE.onnxruntime "$1/onnxruntime"
	cp internal/ortlib/NOTICE "$1/onnxruntime.notice"
	cp internal/model/tokenizer/vocab/LICENSE "$1/vocabulary"
	go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' ./cmd/winnow | sort -u | while read -r path dir; do
		for f in "$dir"/LICEN[CS]E* "$dir"/COPYING* "$dir"/NOTICE*; do
			[ -f "$f" ] && install -m 644 "$f" "$1/${path//\//_}.$(basename "$f")"
		done
		ls "$1/${path//\//_}".* >/dev/null # a module without a licence stops the release
	done
}

echo "dist: $host"
go build "${flags[@]}" -o "$work/winnow" ./cmd/winnow
mkdir -p "$work/man" "$work/completions"
"$work/winnow" man "$work/man"
for shell in bash zsh fish; do "$work/winnow" completion $shell >"$work/completions/winnow.$shell"; done
licences "$work/licences"
without >"$work/overlay.json"

for platform in "${platforms[@]}"; do
	IFS=/ read -r os arch _ <<<"$platform"
	name=winnow-$version-${platform//\//-}
	dir=$work/$name
	mkdir -p "$dir/bin"
	if [ "$platform" = "$host" ]; then
		cp "$work/winnow" "$dir/bin/winnow-$os-$arch"
	else
		echo "dist: $platform, lexical judge only"
		CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build "${flags[@]}" -overlay "$work/overlay.json" -o "$dir/bin/winnow-$os-$arch" ./cmd/winnow
		echo "This build has the lexical judge only, which hides nothing with the settings that are shipped. For the resident model build winnow on the machine itself." >"$dir/LEXICAL-ONLY.txt"
	fi
	cp bin/winnow "$dir/bin/winnow"
	cp -R .claude-plugin hooks docs README.md CHANGELOG.md LICENSE plugin.json "$dir/"
	rm -rf "$dir/.claude-plugin/types" "$dir/docs/bench"
	cp -R "$work/man" "$work/completions" "$work/licences" "$dir/"
	find "$dir" -type d -exec chmod 755 {} + -o -type f -exec chmod 644 {} +
	chmod 755 "$dir"/bin/*
	tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=ustar -C "$work" -c "$name" |
		gzip -n -9 >"$out/$name.tar.gz"
	rm -rf "$dir"
done
(cd "$out" && sha256sum -- *.tar.gz >SHA256SUMS)
cat "$out/SHA256SUMS"

#!/usr/bin/env bash
# Puts the onnxruntime library of this platform where internal/ortlib embeds it.
# It comes from the npm package of the official builds, through the npm client
# and whatever registry that is set up for; version and hashes are pinned in
# internal/ortlib/pack. Does nothing when the library is in place.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

platform="$(go env GOOS)_$(go env GOARCH)"
mkdir -p build
work="$(mktemp -d build/ort.XXXXXX)"
trap 'rm -rf "$work"' EXIT
# Built for the machine at hand even when GOOS or GOARCH ask for another one.
GOOS="$(go env GOHOSTOS)" GOARCH="$(go env GOHOSTARCH)" go build -o "$work/pack" ./internal/ortlib/pack

rc=0
"$work/pack" -platform "$platform" -check || rc=$?
case $rc in
0) exit 0 ;;
3) ;;
4)
	echo "fetch-ort: no onnxruntime build for $platform; winnow will use the lexical judge"
	exit 0
	;;
*) exit "$rc" ;;
esac

spec="$("$work/pack" -spec)"
tarball="build/${spec/@/-}.tgz"
take() { "$work/pack" -platform "$platform" -tarball "$1"; }

if [[ -f $tarball ]] && take "$tarball"; then
	exit 0
fi
echo "fetch-ort: fetching $spec with npm (110 MB, once)"
npm pack "$spec" --ignore-scripts --silent --pack-destination "$work" >/dev/null
take "$work"/*.tgz
mv "$work"/*.tgz "$tarball"

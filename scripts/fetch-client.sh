#!/bin/sh
# Fetches the real Claude Code client, pinned, for the end-to-end tests, with the
# npm client as the user has it set up. Leaves build/claude/claude; does nothing
# when that is already there. The package of a platform is the binary alone: no
# install scripts run.
set -eu

version=2.1.332
cd "$(dirname "$0")/.."
out=build/claude

os=$(uname -s) arch=$(uname -m)
case "$os/$arch" in
Linux/x86_64)
	platform=linux-x64
	want=sha512-f4JWhzwYutJIHScC7/dYOPX6s28tt7ZADhsOi8zwOHq5fFPEuUeChh2NMfinSg0GrUckYxaeebC4h0DqiKzLcw== ;;
Linux/aarch64 | Linux/arm64)
	platform=linux-arm64
	want=sha512-BlHNEtK38KBPWU31F4lUSS9sHclCyfWbThT1CErvxxH8+XcljYLZlQwdyXBkTD62rw1TgfE1u1a+quMWS0NSJg== ;;
Darwin/arm64)
	platform=darwin-arm64
	want=sha512-L/F5mypyB7SK59cesiAqGv1bVNd+8xTn0LF5kV6EGL6UMhofVJMFlokhDRoxNzANNC5i/5JdzfJyDOKUbZObiA== ;;
Darwin/x86_64)
	platform=darwin-x64
	want=sha512-i0GV2ejBOeHMXs+XPCd1IaJj1GV3VdZl8hiQD6hLMR/N7f4Nt8q4Edj1GYJCKXPLJa/zsE9Uv6r9rZ/ldVFQPQ== ;;
*)
	echo "fetch-client: no client for $os/$arch" >&2
	exit 1 ;;
esac

# The stamp is written last: a half-done folder is fetched again.
stamp="$version $platform $want"
if [ -x "$out/claude" ] && [ "$(cat "$out/stamp" 2>/dev/null)" = "$stamp" ]; then
	exit 0
fi

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
npm pack --silent --ignore-scripts --pack-destination "$tmp" \
	"@anthropic-ai/claude-code-$platform@$version" >/dev/null

# npm checks what the registry says; this checks what we say.
node -e '
const fs = require("fs"), [dir, want] = process.argv.slice(1)
const [name] = fs.readdirSync(dir).filter(n => n.endsWith(".tgz"))
const sum = require("crypto").createHash("sha512").update(fs.readFileSync(dir + "/" + name)).digest("base64")
if ("sha512-" + sum !== want) { console.error("fetch-client: integrity is sha512-" + sum + ", want " + want); process.exit(1) }
' "$tmp" "$want"

rm -rf "$out"
mkdir -p "$out"
tar -xzf "$tmp"/*.tgz -C "$out" --strip-components=1
chmod 755 "$out/claude"
printf '%s\n' "$stamp" >"$out/stamp"
echo "fetch-client: client $version ($platform) in $out"

#!/bin/sh
# Checks the plugin and runs the mod's tests with the client itself, cut off from
# the machine: own HOME and configuration, no key, a network of only loopback.
#
#	scripts/plugin-test.sh CLAUDE_BIN
#
# Works as root and as an ordinary user where user namespaces are allowed.
set -eu
claude=$(realpath "${1:?usage: $0 CLAUDE_BIN}")
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
mkdir "$tmp/home" "$tmp/config" "$tmp/plugin"

# A copy of what the plugin ships and its tests: the client may write beside a
# mod, and the rest of the repository is not its business.
cp -R "$root/.claude-plugin" "$root/hooks" "$root/tests" "$root/README.md" "$tmp/plugin/"

run() {
	env -i PATH="$PATH" LANG=C.UTF-8 HOME="$tmp/home" CLAUDE_CONFIG_DIR="$tmp/config" \
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 DISABLE_TELEMETRY=1 \
		unshare -rn sh -c 'ip link set lo up 2>/dev/null || ifconfig lo up; exec "$@"' sh "$@"
}

cmp "$root/plugin.json" "$root/.claude-plugin/plugin.json"
run "$claude" plugin validate "$tmp/plugin"
run "$claude" plugin test "$tmp/plugin"

#!/bin/bash
# Tries the reducer's properties on made-up bytes: scripts/fuzz.sh [TIME], 20s each.
set -euo pipefail
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for f in router:FuzzCompress jsonform:FuzzEncode table:FuzzEncode blocks:FuzzFold .:FuzzEditors hits:FuzzFilesStay logs:FuzzScreen; do
	if go test -run '^$' -fuzz "^${f#*:}$" -fuzztime "${1:-20s}" -fuzzminimizetime 5x "./internal/compress/${f%:*}" > "$log" 2>&1; then
		echo "ok ${f#*:} of ${f%:*}"
	elif grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input' "$log"; then
		echo "ok ${f#*:} of ${f%:*} (go's fuzzer calls its own time limit a failure when the machine is busy)"
	else
		cat "$log"
		exit 1
	fi
done

#!/bin/bash
# The tables of docs/compressors.md: every recorded result through the reducer,
# in order, each put back together; graded ones with the needed lines that are
# gone; what was seen before in its session; needles; speed.
#   scripts/compress-shared.sh ../shared
set -euo pipefail
cd "$(dirname "$0")/.."
shared=$(cd "${1:-../shared}" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cat "$shared"/labels/train.jsonl "$shared"/labels/dev.jsonl > "$tmp/labels.jsonl"
echo "== all recorded results"
bin/winnow bench data "$shared/data" --seen
echo "== graded ones"
bin/winnow bench data "$shared/data" --labels "$tmp/labels.jsonl"
echo "== needles"
bin/winnow bench fidelity
echo "== speed"
bin/winnow bench compress --time 1s

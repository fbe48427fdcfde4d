#!/bin/bash
# Runs every record of the shared data through score and prune: nothing may
# fail, and text and recalls must make the input. Then the figures on dev.
#   scripts/eval-shared.sh ../shared
set -euo pipefail
cd "$(dirname "$0")/.."
shared=$(cd "${1:-../shared}" && pwd)
for judge in fake lexical onnx; do
	echo "== prune with the $judge judge"
	WINNOW_SHARED="$shared/data" WINNOW_JUDGE=$judge go test -count=1 -timeout 60m -run TestShared -v ./cmd/winnow | grep -v '^=== '
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
xz -dc "$shared"/data/*.jsonl.xz > "$tmp/cases.jsonl"
for judge in lexical onnx; do
	echo "== score with the $judge judge, all records; figures on dev"
	bin/winnow score --judge $judge < "$tmp/cases.jsonl" > "$tmp/$judge.jsonl"
	[ "$(wc -l < "$tmp/$judge.jsonl")" = "$(grep -c . "$tmp/cases.jsonl")" ]
	python3 "$shared/labels/score.py" "$tmp/cases.jsonl" "$shared/labels/dev.jsonl" "$tmp/$judge.jsonl"
done

#!/bin/bash
# Shows winnow at work on one real captured tool call: a daemon on a private
# state folder, the call posted to it as Claude Code's hook would post it, what
# the model would have read before and after, the recall of one marker, and what
# status, stats and doctor say then.
# Leaves nothing behind.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
export HOME="$dir/home" WINNOW_DIR="$dir/state" WINNOW_PORT=0 WINNOW_MODE=active WINNOW_JUDGE="${WINNOW_JUDGE:-onnx}"
# The unpacked runtime library may be shared with the user's own cache.
export XDG_CACHE_HOME="$dir/cache"
export PATH="$PWD/bin:$PATH"
mkdir -p "$HOME/.claude"
# An agent that may not recall gets originals.
echo '{"permissions": {"allow": ["Bash(winnow recall:*)"]}}' > "$HOME/.claude/settings.json"
winnow=$PWD/bin/winnow
cleanup() { "$winnow" serve --stop || true; rm -rf "$dir"; }
trap cleanup EXIT

"$winnow" serve --ensure
for _ in $(seq 200); do
	"$winnow" status --json | grep -q '"judge_state": "loading"' || break
	sleep 0.05
done
"$winnow" status | sed -n '1,3p'

cp testdata/run/session.jsonl "$dir/session.jsonl"
sed "s|{DIR}|$dir|" testdata/run/hook.json > "$dir/hook.json"
"$winnow" hook < "$dir/hook.json" > "$dir/answer.json"
node -e '
const fs = require("fs"), dir = process.argv[1]
const text = f => { try { return JSON.parse(fs.readFileSync(`${dir}/${f}`, "utf8")) } catch { return null } }
const hook = text("hook.json"), answer = text("answer.json")
const before = hook.tool_response.stdout
const show = s => { const l = s.split("\n"); return l.length <= 44 ? s : [...l.slice(0, 40), `      ... ${l.length - 43} more lines of this printout ...`, ...l.slice(-3)].join("\n") }
console.log(`\nThe request: ${JSON.parse(fs.readFileSync(`${dir}/session.jsonl`, "utf8").split("\n")[0]).message.content}`)
console.log(`The call:    ${hook.tool_name} ${JSON.stringify(hook.tool_input)}`)
console.log(`\n--- before: ${before.length} characters, ${before.split("\n").length} lines\n${show(before)}`)
if (!answer) { console.log("\n--- after: unchanged; the reason is counted below (deadline: this machine is too busy to judge it within two seconds)"); process.exit(0) }
const after = answer.hookSpecificOutput.updatedToolOutput.stdout
console.log(`\n--- after: ${after.length} characters, ${after.split("\n").length} lines\n${after}`)
fs.writeFileSync(`${dir}/after.txt`, after)
' "$dir"
[ -s "$dir/after.txt" ] || { "$winnow" status | grep '^  reason'; exit 0; }
key=$(grep -o '<<ccr:[0-9a-f]\{24\}' "$dir/after.txt" | head -1 | cut -c7-)
echo
echo "--- winnow recall $key"
"$winnow" recall "$key" > "$dir/recalled.txt"
awk 'NR <= 12 { print } END { print "      ... " NR " lines in all" }' "$dir/recalled.txt"
for show in status stats doctor; do
	echo
	echo "--- winnow $show"
	"$winnow" $show | sed "s|$dir|~|; s|$PWD/||"
done

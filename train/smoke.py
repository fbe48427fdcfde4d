"""Trains a judge on a handful of made-up results: that the pipeline runs from
labels to graphs, not that it learns. Usage: smoke.py FOLDER [judge.py's options]"""

import json
import lzma
import pathlib
import random
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SCORE = '''import json
print(json.dumps({}))
'''


def record(rng, i):
    """A test run whose failing lines are the needed ones."""
    name = f"Test{rng.choice('ABCDEFGH')}{i}"
    lines, needed = [], []
    for k in range(rng.randrange(12, 60)):
        fails = rng.random() < 0.15
        if fails:
            needed.append(str(k))
        lines.append(f"    {name}_{k}.go:{k}: got {rng.random():.3f}, want error" if fails else f"--- PASS: {name}_{k} (0.0{k}s)")
    group = f"made-up/{i % 6}"
    task = {"user_request": f"fix {name} in the {rng.choice(['parser', 'store', 'client'])}", "assistant_intent": "Running the tests."}
    return {
        "id": f"case{i}", "group": group, "session_id": f"s{i}", "kind": "claude-code", "is_error": False, "task": task,
        "tool": {"name": rng.choice(["Bash", "Read", "Grep"]), "input": {"command": "go test ./..."}}, "output": "\n".join(lines),
    }, {"id": f"case{i}", "file": "made_up.jsonl.xz", "needed": ",".join(needed), "useful": ""}


def main():
    folder, rest = pathlib.Path(sys.argv[1]), sys.argv[2:]
    data, labels, more = (folder / n for n in ("data", "labels", "more"))
    for d in (data, labels, more):
        d.mkdir(parents=True, exist_ok=True)
    rng = random.Random(1)
    made = [record(rng, i) for i in range(30)]
    with lzma.open(data / "made_up.jsonl.xz", "wt") as f:
        f.writelines(json.dumps(r) + "\n" for r, _ in made)
    split = {labels / "train.jsonl": made[:16], more / "train.jsonl": made[16:24], labels / "dev.jsonl": made[24:]}
    for path, part in split.items():
        path.write_text("".join(json.dumps(label) + "\n" for _, label in part))
    (labels / "score.py").write_text(SCORE)
    subprocess.run([
        sys.executable, HERE / "judge.py", "--labels", labels, "--data", data, "--more", more, "--epochs", "1", "--work", folder / "work",
        "--out", folder / "weights", "--parity", folder / "parity.json", *rest,
    ], check=True)
    says = json.loads((folder / "weights" / "judge.json").read_text())
    assert says["train"]["cases"] == 24, says["train"]
    print("smoke run passed")


if __name__ == "__main__":
    main()

"""Graded tool results with their features: what every fit of a line judge reads.

Labels are LABELS/train.jsonl and dev.jsonl (id, file, needed, useful), the
records they point to are DATA/*.jsonl.xz, and the features come from the Go
command, so that they have one implementation. The grades of dev.jsonl are only
measured on.
"""

import collections
import json
import lzma
import pathlib
import pickle
import shlex
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
FEATURES = json.loads((ROOT / "internal/lexical/features.json").read_text())
# What a line that is useful but not needed counts for when fitting.
USEFUL = 0.25
FOLDS = 4
# The most cases of one file, session or repository that count in full.
CAPS = {"file": 3, "session": 20, "group": 250}


def arguments(arg):
    """The options that every fit has."""
    arg.add_argument("--labels", type=pathlib.Path, required=True)
    arg.add_argument("--data", type=pathlib.Path, required=True)
    arg.add_argument("--more", type=pathlib.Path, default=ROOT / "train/labels", help="a folder with more of train.jsonl")
    arg.add_argument("--features", default="bin/winnow features", help="command that reads cases and writes what a judge is given")
    arg.add_argument("--cache", type=pathlib.Path, help="where its answers are kept between runs; stale after any change of them")


def ranges(s):
    """The lines of "3-7,12"."""
    out = set()
    for part in filter(None, (p.strip() for p in (s or "").split(","))):
        first, _, last = part.partition("-")
        out.update(range(int(first), int(last or first) + 1))
    return out


def read_labels(folder, name):
    with open(folder / name) as f:
        return {r["id"]: r for r in map(json.loads, f)}


def read_records(folder, labels):
    """The labelled records, in the order of the files."""
    seen, records = set(), []
    for name in sorted({r["file"] for r in labels.values()}):
        with lzma.open(folder / name, "rt") as f:
            for r in map(json.loads, f):
                if r["id"] in labels and r["id"] not in seen:
                    seen.add(r["id"])
                    records.append(r)
    return records


def shown(lines):
    """The lines that a door shows of a recorded output: without Codex's header
    and without the reminders behind the result."""
    start, end = 0, len(lines)
    if any(text.startswith("Wall time") for text in lines[:3]):
        start = next((i + 1 for i, text in enumerate(lines[:8]) if text.strip() == "Output:"), 0)
    last = next((text for text in reversed(lines) if text.strip()), "")
    if last.rstrip().endswith("</system-reminder>"):
        at = next((i for i in range(end - 1, start, -1) if lines[i].startswith("<system-reminder>")), end)
        while at > start + 1 and not lines[at - 1].strip():
            at -= 1
        end = at
    return start, end


def inputs(command, cases):
    """What a judge is given of each case {id, task, tool, output}, from the Go
    command: {"id","doc","lines","query","windows","spans"}."""
    with tempfile.TemporaryFile("w+") as asked, tempfile.TemporaryFile("w+") as rows:
        for c in cases:
            asked.write(json.dumps(c) + "\n")
        asked.seek(0)
        subprocess.run(shlex.split(command), stdin=asked, stdout=rows, check=True)
        rows.seek(0)
        for c, row in zip(cases, rows, strict=True):
            row = json.loads(row)
            assert row["id"] == c["id"], (row["id"], c["id"])
            yield row


def features(command, cases):
    asked = ({"id": c.id, "task": c.task, "tool": c.tool, "output": "\n".join(c.text)} for c in cases)
    for c, row in zip(cases, inputs(command, list(asked)), strict=True):
        assert len(row["lines"]) == len(c.text), c.id
        c.doc, c.lines = np.array(row["doc"], np.float32), np.array(row["lines"], np.float32)
        c.given = {k: row[k] for k in ("query", "windows", "spans")}


class Case:
    def __init__(self, record, label):
        self.id, self.group, self.session = record["id"], record["group"], record["session_id"]
        self.kind, self.failed, self.dev = record["kind"], bool(record.get("is_error")), label["dev"]
        self.task, self.tool = record["task"], record["tool"]
        given = record["tool"]["input"]
        given = given if isinstance(given, dict) else {}
        self.file = str(given.get("file_path") or given.get("path") or given.get("filePath") or "")
        text = record["output"].split("\n")
        # Figures are taken on whole outputs, as other judges' are.
        start, end = (0, len(text)) if self.dev else shown(text)
        self.text = text[start:end]
        self.before, self.after = start, len(text) - end
        # Blank lines follow their neighbours when served and teach nothing.
        self.full = np.array([bool(t.strip()) for t in self.text])
        needed, useful = ranges(label["needed"]), ranges(label.get("useful"))
        at = range(start, end)
        self.y = np.array([i in needed for i in at], np.float64)
        self.soft = np.array([1 if i in needed else USEFUL if i in useful else 0 for i in at], np.float64)

    @property
    def x(self):
        return self.lines[self.full]


def read(a):
    """The graded cases, those to fit and those to measure."""
    if a.cache and a.cache.exists():
        cases = pickle.loads(a.cache.read_bytes())
    else:
        labels = {}
        for folder, name in ((a.labels, "train"), (a.more, "train"), (a.labels, "dev")):
            for key, label in read_labels(folder, name + ".jsonl").items():
                labels[key] = label | {"dev": name == "dev"}
        cases = [Case(r, labels[r["id"]]) for r in read_records(a.data, labels)]
        cases = [c for c in cases if c.full.any()]
        features(a.features, cases)
        if a.cache:
            a.cache.write_bytes(pickle.dumps(cases))
    width = len(FEATURES["lines"])
    assert all(c.lines.shape[1] == width for c in cases), "the features are of another version"
    train, dev = [c for c in cases if not c.dev], [c for c in cases if c.dev]
    shared = {c.group for c in train} & {c.group for c in dev}
    print(f"{len(train)} cases to fit, {len(dev)} to measure, groups in both: {len(shared)}", file=sys.stderr)
    return train, dev


def fold_of(cases):
    """A fold a case, repositories whole, folds of about one size."""
    size, fold = [0] * FOLDS, {}
    counts = collections.Counter(c.group for c in cases)
    for group, n in sorted(counts.items(), key=lambda t: (-t[1], t[0])):
        fold[group] = size.index(min(size))
        size[fold[group]] += n
    return [fold[c.group] for c in cases]


def case_weights(cases):
    """1 a case, less where a file, a session or a repository has many."""
    w = np.ones(len(cases))
    for key, cap in CAPS.items():
        total = collections.Counter()
        for c, x in zip(cases, w):
            total[c.group, getattr(c, key)] += x
        w *= [min(1, cap / total[c.group, getattr(c, key)]) if getattr(c, key) else 1 for c in cases]
    return w


def per_line(cases, weights, power=0.0):
    """A weight a line; with power 1 the lines of a case share the case's."""
    return np.concatenate([np.full(c.full.sum(), w * float(c.full.sum()) ** -power) for c, w in zip(cases, weights)])


def stack(cases, what):
    return np.concatenate([getattr(c, what)[c.full] for c in cases])


def ranks(s):
    """Ranks from 1, ties sharing their mean."""
    values, inverse, counts = np.unique(s, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]


def auc(s, y):
    y = y.astype(bool)
    pos, neg = y.sum(), (~y).sum()
    return (ranks(s)[y].sum() - pos * (pos + 1) / 2) / (pos * neg)


def mean_auc(cases, scores):
    """Of the cases that have both needed lines and others."""
    return float(np.mean([auc(s, c.y[c.full]) for c, s in zip(cases, scores) if 0 < c.y[c.full].sum() < c.full.sum()]))


def figures(cases, scores, score_py):
    """The figures of the labels' own script and what some thresholds do;
    scores has one a line, blank lines included."""
    with tempfile.TemporaryDirectory() as d:
        paths = [pathlib.Path(d) / n for n in ("cases", "labels", "scores")]
        files = [open(p, "w") for p in paths]
        for c, p in zip(cases, scores):
            for f, row in zip(files, (
                {"id": c.id, "output": "\n".join(c.text), "tool": {"name": ""}},
                {"id": c.id, "needed": ",".join(str(i) for i in np.flatnonzero(c.y))},
                {"id": c.id, "scores": p.tolist()},
            )):
                f.write(json.dumps(row) + "\n")
        for f in files:
            f.close()
        out = subprocess.run([sys.executable, str(score_py), *map(str, paths)], check=True, capture_output=True, text=True)
    return json.loads(out.stdout) | {"below": {str(t): below(cases, scores, t) for t in (0.02, 0.05, 0.1)}}


def below(cases, scores, drop):
    """What a threshold would hide, all gates aside."""
    hidden = chars = lost = needed = low = 0
    for c, p in zip(cases, scores):
        size = np.array([len(t) + 1 for t in c.text])
        under = (p < drop) & c.full
        hidden, chars = hidden + size[under].sum(), chars + size.sum()
        lost, needed = lost + c.y[under].sum(), needed + c.y[c.full].sum()
        low += under.sum()
    lines = sum(c.full.sum() for c in cases)
    return {"lines": round(float(low / lines), 4), "chars": round(float(hidden / chars), 4), "needed_lost": round(float(lost / needed), 4)}

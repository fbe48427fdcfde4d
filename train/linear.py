"""Fits the linear judge and writes it as ONNX.

    python3 -m venv build/venv && build/venv/bin/pip install -r train/requirements.txt
    build/venv/bin/python train/linear.py --labels LABELS --data DATA --features "bin/winnow features"

Reads line labels (LABELS/train.jsonl, dev.jsonl: id, file, needed) and the
records they point to (DATA/*.jsonl.xz), has the Go command make the features,
fits a logistic regression over lines and writes to internal/model/weights:

    linear.onnx  inputs lines [N,F], doc [1,D]; outputs p [N], failure [1]
    linear.json  feature version, hash, figures, how it was made

and parity cases for the Go test. The labels of dev.jsonl are only measured on.
"""

import argparse
import hashlib
import json
import lzma
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import zlib

import numpy as np
import onnx
os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before the library loads
import onnxruntime  # noqa: E402
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parent.parent
FEATURES = json.loads((ROOT / "internal/lexical/features.json").read_text())
RIDGES = (1.0, 10.0, 100.0, 1000.0)
FOLDS = 5
# The least text that is pruned, and the default threshold to hide a line.
LEAST_CHARS = 1500
DROP = 0.1


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


def features(command, records):
    """One {"id","doc","lines"} a record, from the Go command."""
    with tempfile.TemporaryFile("w+") as cases, tempfile.TemporaryFile("w+") as rows:
        for r in records:
            case = {k: r[k] for k in ("id", "task", "tool", "output")}
            cases.write(json.dumps(case) + "\n")
        cases.seek(0)
        subprocess.run(shlex.split(command), stdin=cases, stdout=rows, check=True)
        rows.seek(0)
        for r, line in zip(records, rows, strict=True):
            row = json.loads(line)
            assert row["id"] == r["id"], (row["id"], r["id"])
            yield np.array(row["doc"], np.float32), np.array(row["lines"], np.float32)


class Case:
    def __init__(self, record, label, doc, lines):
        self.id, self.group = record["id"], record["group"]
        self.kind, self.failed = record["kind"], bool(record.get("is_error"))
        self.output, self.doc, self.lines = record["output"], doc, lines
        text = record["output"].split("\n")
        assert len(text) == len(lines), record["id"]
        # Blank lines follow their neighbours when served and teach nothing.
        self.full = np.array([bool(t.strip()) for t in text])
        needed = ranges(label["needed"])
        self.y = np.array([i in needed for i in range(len(text))], np.float64)
        self.dev = label["dev"]


def stack(cases):
    x = np.concatenate([c.lines[c.full] for c in cases]).astype(np.float64)
    return x, np.concatenate([c.y[c.full] for c in cases])


def sigmoid(z):
    return 1 / (1 + np.exp(-np.clip(z, -30, 30)))


def fit(x, y, ridge):
    """Newton's method on standardised columns; every line weighs the same, so
    that the probabilities keep the true share of needed lines. Returns weights
    and bias for the raw columns."""
    mean, std = x.mean(0), x.std(0)
    std[std < 1e-6] = 1
    z = np.hstack([(x - mean) / std, np.ones((len(x), 1))])
    penalty = np.full(z.shape[1], ridge)
    penalty[-1] = 0
    w = np.zeros(z.shape[1])
    for _ in range(30):
        p = sigmoid(z @ w)
        gradient = z.T @ (p - y) + penalty * w
        curvature = (z * (p * (1 - p))[:, None]).T @ z + np.diag(penalty + 1e-9)
        step = np.linalg.solve(curvature, gradient)
        w -= step
        if np.abs(step).max() < 1e-6:
            break
    return w[:-1] / std, w[-1] - (w[:-1] * mean / std).sum()


def log_loss(p, y):
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return float(-(y * np.log(p) + (1 - y) * np.log(1 - p)).mean())


def choose_ridge(cases):
    """Cross-validation over groups (the repositories worked on)."""
    fold = [zlib.crc32(c.group.encode()) % FOLDS for c in cases]
    losses = {}
    for ridge in RIDGES:
        total, n = 0.0, 0
        for k in range(FOLDS):
            x, y = stack([c for c, f in zip(cases, fold) if f != k])
            w, b = fit(x, y, ridge)
            x, y = stack([c for c, f in zip(cases, fold) if f == k])
            total += log_loss(sigmoid(x @ w + b), y) * len(y)
            n += len(y)
        losses[ridge] = total / n
    return min(losses, key=losses.get), losses


def shift_for(cases, weights, bias, share):
    """What to add to the log odds so that `share` of the lines of Claude Code's
    prunable results fall below the default threshold. A quarter of all lines is
    needed and words tell little, so an honest probability is hardly ever below
    0.1 and nothing would ever be hidden."""
    x, _ = stack([c for c in cases if c.kind == "claude-code" and len(c.output) >= LEAST_CHARS])
    return float(np.log(DROP / (1 - DROP)) - np.quantile(x @ weights + bias, share))


def failure_head():
    """Set by hand; features.json says why."""
    weights = np.array([f["weight"] for f in FEATURES["doc"]], np.float64)
    return weights, FEATURES["failure_bias"]


def logistic(nodes, constants, name, into, weights, bias):
    constants += [
        numpy_helper.from_array(weights.astype(np.float32).reshape(-1, 1), name + "_w"),
        numpy_helper.from_array(np.array([bias], np.float32), name + "_b"),
    ]
    nodes += [
        helper.make_node("MatMul", [into, name + "_w"], [name + "_x"]),
        helper.make_node("Add", [name + "_x", name + "_b"], [name + "_z"]),
        helper.make_node("Sigmoid", [name + "_z"], [name + "_s"]),
        helper.make_node("Squeeze", [name + "_s", "axis"], [name]),
    ]


def export(path, line, doc):
    nodes, constants = [], [numpy_helper.from_array(np.array([1], np.int64), "axis")]
    logistic(nodes, constants, "p", "lines", *line)
    logistic(nodes, constants, "failure", "doc", *doc)
    f32 = TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "linear",
        [
            helper.make_tensor_value_info("lines", f32, ["N", len(line[0])]),
            helper.make_tensor_value_info("doc", f32, [1, len(doc[0])]),
        ],
        [
            helper.make_tensor_value_info("p", f32, ["N"]),
            helper.make_tensor_value_info("failure", f32, [1]),
        ],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, {"features": FEATURES["version"]})
    onnx.checker.check_model(model, full_check=True)
    path.write_bytes(model.SerializeToString())
    return onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])


def run(session, case_lines, case_doc):
    p, failure = session.run(["p", "failure"], {"lines": case_lines, "doc": case_doc[None]})
    return p, float(failure[0])


def quality(session, cases, score_py):
    """The figures of the labels' own script, and what the default thresholds do."""
    hidden = chars = lost = needed = 0
    low = high = lines = 0
    with tempfile.TemporaryDirectory() as d:
        paths = [pathlib.Path(d) / n for n in ("cases", "labels", "scores")]
        files = [open(p, "w") for p in paths]
        for c in cases:
            p, _ = run(session, c.lines, c.doc)
            p = np.round(p.astype(np.float64), 3)
            label = ",".join(str(i) for i in np.flatnonzero(c.y))
            for f, row in zip(files, (
                {"id": c.id, "output": c.output, "tool": {"name": ""}},
                {"id": c.id, "needed": label},
                {"id": c.id, "scores": p.tolist()},
            )):
                f.write(json.dumps(row) + "\n")
            size = np.array([len(t) + 1 for t in c.output.split("\n")])
            low += int((p[c.full] < DROP).sum())
            high += int((p[c.full] >= 0.5).sum())
            lines += int(c.full.sum())
            hidden += int(size[p < DROP].sum())
            chars += int(size.sum())
            lost += int(c.y[c.full & (p < DROP)].sum())
            needed += int(c.y[c.full].sum())
        for f in files:
            f.close()
        out = subprocess.run([sys.executable, score_py, *map(str, paths)], check=True, capture_output=True, text=True)
    figures = json.loads(out.stdout)
    figures["at_default_thresholds"] = {
        "lines_below_drop": round(low / lines, 4),
        "lines_from_keep": round(high / lines, 4),
        "chars_below_drop": round(hidden / chars, 4),
        "needed_below_drop": round(lost / needed, 4),
    }
    return figures


def failure_figures(session, cases):
    """Shares called a failure, by what the record says of itself."""
    groups = {"is_error": [], "failing_ci_log": [], "rest": []}
    for c in cases:
        name = "is_error" if c.failed else "failing_ci_log" if c.kind == "ci-log" else "rest"
        groups[name].append(run(session, c.lines, c.doc)[1] >= 0.5)
    return {k: {"cases": len(v), "called_failure": round(float(np.mean(v)), 4)} for k, v in groups.items() if v}


def parity(session, path):
    """Made-up feature rows and what Python's onnxruntime makes of them."""
    rng = np.random.default_rng(7)
    cases = []
    for n in (1, 2, 7):
        lines = rng.uniform(0, 1, (n, len(FEATURES["lines"]))).round(3).astype(np.float32)
        doc = rng.uniform(0, 1, len(FEATURES["doc"])).round(3).astype(np.float32)
        p, failure = run(session, lines, doc)
        plain = lambda a: [round(float(v), 6) for v in a]
        cases.append({"lines": [plain(r) for r in lines], "doc": plain(doc), "p": plain(p), "failure": round(failure, 6)})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")


def main():
    arg = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arg.add_argument("--labels", type=pathlib.Path, required=True)
    arg.add_argument("--data", type=pathlib.Path, required=True)
    arg.add_argument("--features", default="bin/winnow features", help="command that reads cases and writes features")
    arg.add_argument("--below-drop", type=float, default=0.45, help="share of lines to fall below the default drop; 0: as fitted")
    arg.add_argument("--out", type=pathlib.Path, default=ROOT / "internal/model/weights")
    arg.add_argument("--parity", type=pathlib.Path, default=ROOT / "internal/model/testdata/parity.json")
    a = arg.parse_args()

    labels = {}
    for name in ("train", "dev"):
        for key, label in read_labels(a.labels, name + ".jsonl").items():
            labels[key] = label | {"dev": name == "dev"}
    records = read_records(a.data, labels)
    rows = features(a.features, records)
    cases = [Case(r, labels[r["id"]], *row) for r, row in zip(records, rows)]
    train, dev = [c for c in cases if not c.dev], [c for c in cases if c.dev]
    shared = {c.group for c in train} & {c.group for c in dev}
    print(f"{len(train)} cases to fit, {len(dev)} to measure, groups in both: {len(shared)}", file=sys.stderr)

    ridge, losses = choose_ridge(train)
    weights, bias = fit(*stack(train), ridge)
    path = a.out / "linear.onnx"
    session = export(path, (weights, bias), failure_head())
    fitted = quality(session, dev, str(a.labels / "score.py"))
    shift = shift_for(train, weights, bias, a.below_drop) if a.below_drop else 0.0
    bias += shift
    session = export(path, (weights, bias), failure_head())
    parity(session, a.parity)
    about = {
        "features": FEATURES["version"],
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "made_by": 'train/linear.py --labels LABELS --data DATA --features "bin/winnow features"',
        "data": "Trained on line labels over records of public repositories under MIT or Apache-2.0. "
        "The weights hold one number a feature; no text of a record is contained.",
        "train": {"cases": len(train), "lines": int(sum(c.full.sum() for c in train)),
                  "needed": round(float(stack(train)[1].mean()), 4)},
        "ridge": ridge,
        "cross_validation_log_loss": {str(k): round(v, 5) for k, v in losses.items()},
        "dev_as_fitted": fitted,
        "shift": {"log_odds": round(shift, 4), "lines_below_drop_wanted": a.below_drop,
                  "why": "a stand-in: as fitted, next to no line is below the default threshold; not calibrated any more"},
        "dev": quality(session, dev, str(a.labels / "score.py")),
        "failure_head": {"by": "hand, internal/lexical/features.json", "shares": failure_figures(session, cases)},
        "weights": {n: round(float(w), 4) for n, w in zip(FEATURES["lines"], weights)} | {"bias": round(float(bias), 4)},
    }
    (a.out / "linear.json").write_text(json.dumps(about, indent=1) + "\n")
    print(json.dumps(about["dev"], indent=1))
    print(json.dumps(about["failure_head"], indent=1))


if __name__ == "__main__":
    main()

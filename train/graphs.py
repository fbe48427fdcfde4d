"""The graph that the daemon runs: a judge's log odds, the tables that make
probabilities of them, and the text's own failure head."""

import hashlib
import json
import os

import numpy as np
import onnx

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before the library loads
import onnxruntime  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

import graded  # noqa: E402
import tables  # noqa: E402
from graded import FEATURES  # noqa: E402


def failure_nodes():
    """The text's own head: weights set by hand; features.json says why."""
    weights = np.array([[f["weight"]] for f in FEATURES["doc"]], np.float32)
    make = helper.make_node
    return [
        make("MatMul", ["doc", "doc_w"], ["doc_x"]), make("Add", ["doc_x", "doc_b"], ["doc_z"]),
        make("Sigmoid", ["doc_z"], ["doc_p"]), make("Squeeze", ["doc_p", "doc_axis"], ["failure"]),
    ], [
        numpy_helper.from_array(weights, "doc_w"),
        numpy_helper.from_array(np.array([FEATURES["failure_bias"]], np.float32), "doc_b"),
        numpy_helper.from_array(np.array([1], np.int64), "doc_axis"),
    ]


def export(path, odds, table, domains=()):
    """Writes the graph: odds are the nodes and constants from "lines" to "odds"."""
    nodes, constants = [], []
    for n, c in (odds, tables.nodes(*table), failure_nodes()):
        nodes, constants = nodes + n, constants + c
    f32 = TensorProto.FLOAT
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, path.stem,
        [value("lines", f32, ["N", len(FEATURES["lines"])]), value("doc", f32, [1, len(FEATURES["doc"])])],
        [value("p", f32, ["N"]), value("failure", f32, [1])],
        constants,
    )
    opsets = [helper.make_opsetid("", 17), *(helper.make_opsetid(d, v) for d, v in domains)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    helper.set_model_props(model, {"features": FEATURES["version"]})
    onnx.checker.check_model(model, full_check=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(model.SerializeToString())
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])


def run(session, lines, doc):
    p, failure = session.run(["p", "failure"], {"lines": lines, "doc": doc[None]})
    return p, float(failure[0])


def served(session, cases):
    """Scores as Go serves them: rounded to three digits, blank lines at most
    those of their neighbours."""
    return [settle(np.round(run(session, c.lines, c.doc)[0].astype(np.float64), 3), c.lines) for c in cases]


def settle(p, lines):
    full = np.flatnonzero(lines[:, FEATURES["lines"].index("blank")] == 0)
    if not len(full):
        return np.zeros_like(p)
    at = np.arange(len(p))
    above, below = np.searchsorted(full, at, "right") - 1, np.searchsorted(full, at, "left")
    least = np.minimum(
        np.where(above >= 0, p[full[above]], np.inf), np.where(below < len(full), p[full[np.minimum(below, len(full) - 1)]], np.inf)
    )
    return np.minimum(p, least)


def failure_figures(session, cases):
    """Shares called a failure, by what the record says of itself."""
    groups = {"is_error": [], "rest": []}
    for c in cases:
        groups["is_error" if c.failed else "rest"].append(run(session, c.lines, c.doc)[1] >= 0.5)
    return {k: {"cases": len(v), "called_failure": round(float(np.mean(v)), 4)} for k, v in groups.items() if v}


def parity(session, path, cases):
    """Feature rows, made up and of no recorded text, and what Python's
    onnxruntime makes of them. Each column is drawn from its own values, so that
    the rows reach all of the model."""
    rng = np.random.default_rng(7)
    pool = np.concatenate([c.lines[:: max(1, len(c.lines) // 8)] for c in cases[::10]])
    out = []
    for n in (1, 2, 17):
        lines = np.stack([rng.choice(pool[:, j], n) for j in range(pool.shape[1])], 1).round(4).astype(np.float32)
        doc = rng.uniform(0, 1, len(FEATURES["doc"])).round(3).astype(np.float32)
        for row in lines: # one kind a row
            kinds = [FEATURES["lines"].index(k) for k in tables.KINDS[:-1]]
            row[kinds] = np.eye(4)[rng.integers(4)][:3]
        p, failure = run(session, lines, doc)
        plain = lambda a: [round(float(v), 6) for v in a]
        out.append({"lines": [plain(r) for r in lines], "doc": plain(doc), "p": plain(p), "failure": round(failure, 6)})
    path.write_text("[\n" + ",\n".join(json.dumps(c) for c in out) + "\n]\n")


def about(path, script, train, table):
    knots, values = table
    return {
        "features": FEATURES["version"],
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "made_by": f'train/{script} --labels LABELS --data DATA --features "bin/winnow features"',
        "data": "Trained on line labels over records of public repositories under MIT or Apache-2.0. "
        "The weights hold no text of a record.",
        "train": {"cases": len(train), "lines": int(sum(c.full.sum() for c in train)),
                  "needed": round(float(graded.stack(train, "y").mean()), 4)},
        "table": {"log_odds": [round(float(k), 3) for k in knots]} | {
            k: [round(float(1 / (1 + np.exp(-v))), 4) for v in values[k]] for k in values},
    }

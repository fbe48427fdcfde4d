"""The line stage as nodes of an ONNX graph, for one output at a time."""

import numpy as np
from onnx import helper, numpy_helper

import line
import reader

make = helper.make_node


class Graph:
    def __init__(self, prefix=""):
        self.prefix, self.nodes, self.constants = prefix, [], []

    def op(self, kind, inputs, name, outputs=0, **attributes):
        """Adds a node called name and returns its output or outputs."""
        out = [f"{self.prefix}{name}{i}" for i in range(outputs)] or [self.prefix + name]
        self.nodes.append(make(kind, inputs, out, **attributes))
        return out if outputs else out[0]

    def const(self, name, value):
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), self.prefix + name))
        return self.prefix + name

    def linear(self, x, layer, name):
        weight = self.const(name + "_w", layer.weight.detach().numpy().T)
        y = self.op("MatMul", [x, weight], name + "_x")
        return self.op("Add", [y, self.const(name + "_b", layer.bias.detach().numpy())], name)

    def norm(self, x, layer, name):
        g, b = (self.const(name + s, v.detach().numpy()) for s, v in (("_g", layer.weight), ("_b", layer.bias)))
        return self.op("LayerNormalization", [x, g, b], name, axis=-1, epsilon=layer.eps)

    def gelu(self, x, name):
        return self.op("Gelu", [x], name)


def shared():
    """Nodes from "lines" and "matches" to "rows", which all seeds read."""
    g = Graph("all_")
    across, along = g.const("across", np.array([1])), g.const("along", np.array([0]))
    size = g.op("ReduceSum", [g.op("Abs", ["matches"], "abs"), across], "size", keepdims=1)
    seen = g.op("Cast", [g.op("Greater", [size, g.const("nil", np.float32(0))], "more")], "seen", to=1)
    count = g.op("Max", [g.op("ReduceSum", [seen, along], "count_", keepdims=1), g.const("one", np.float32([[1]]))], "count")
    mean = g.op("Div", [g.op("ReduceSum", [g.op("Mul", ["matches", seen], "kept"), along], "sum", keepdims=1), count], "mean")
    off = g.op("Mul", [g.op("Sub", ["matches", mean], "off_"), seen], "off")
    var = g.op("Div", [g.op("ReduceSum", [g.op("Mul", [off, off], "square"), along], "squares", keepdims=1), count], "var")
    std = g.op("Add", [g.op("Sqrt", [var], "std_"), g.const("spread", np.float32(line.SPREAD))], "std")
    near = g.op("Div", [off, std], "near")
    half = g.op("Mul", [near, g.const("half", np.float32(0.5))], "near_half")
    g.nodes.append(make("Concat", ["lines", near, half], ["rows"], axis=1))
    return g.nodes, g.constants


def nodes(model, prefix, out):
    """Nodes and constants of one seed, from "rows", "vectors" and "query" to the
    log odds [N,1], called out."""
    g = Graph(prefix)
    along, one = g.const("along", np.array([0])), g.const("one", np.float32(1))
    x = g.op("Div", [g.op("Sub", ["rows", g.const("mean", model.mean.numpy())], "centred"), g.const("std", model.std.numpy())], "scaled")
    x = g.op("Clip", [x, g.const("low", np.float32(-line.FAR)), g.const("high", np.float32(line.FAR))], "cut")
    x = g.linear(g.gelu(g.linear(x, model.first, "first"), "first_bent"), model.second, "second")
    v = g.linear(g.norm("vectors", model.norm_v, "norm_v"), model.meet_v, "meet_v")
    parts = g.op("Reshape", ["query", g.const("parts", np.array([reader.PARTS, reader.DIM]))], "query_parts")
    plain = (g.const(n, np.full(reader.DIM, k, np.float32)) for n, k in (("ones", 1), ("zeros", 0)))
    q = g.op("LayerNormalization", [parts, *plain], "query_normed", axis=-1, epsilon=1e-5)
    q = g.op("Reshape", [q, g.const("flat", np.array([1, reader.PARTS * reader.DIM]))], "query_flat")
    usual = g.op("ReduceMean", [v, along], "usual", keepdims=1)
    met = g.op("Concat", [g.gelu(v, "v_bent"), g.op("Mul", [v, g.linear(q, model.meet_q, "meet_q")], "v_q"), g.op("Sub", [v, usual], "v_own")], "met_in", axis=1)
    x = g.op("Add", [x, g.linear(met, model.met, "met")], "x")
    bend = g.gelu(g.linear(q, model.bend, "bend"), "bend_bent")
    for i, b in enumerate(model.blocks):
        x = block(g, x, b, bend, one, f"b{i}_")
        if i == 1:
            mean, top = g.op("ReduceMean", [x, along], "whole_mean", keepdims=1), g.op("ReduceMax", [x, along], "whole_max", keepdims=1)
            x = g.op("Add", [x, g.linear(g.op("Concat", [mean, top], "whole_in", axis=1), model.whole, "whole")], "x_whole")
    x = g.linear(g.norm(x, model.last, "last"), model.out, "out")
    g.nodes.append(make("Identity", [x], [out]))
    return g.nodes, g.constants


def block(g, x, b, bend, one, at):
    scale, shift = g.op("Split", [g.linear(bend, b["bent"], at + "bent")], at + "bent_", outputs=2, axis=1, num_outputs=2)
    y = g.op("Mul", [g.norm(x, b["norm"], at + "norm"), g.op("Add", [scale, one], at + "scale")], at + "scaled")
    y = g.op("Add", [y, shift], at + "shifted")
    y = g.op("Unsqueeze", [g.op("Transpose", [y], at + "turned", perm=[1, 0]), g.const(at + "batch", np.array([0]))], at + "channels")
    conv = b["conv"]
    weights = [g.const(at + "conv_" + n, v.detach().numpy()) for n, v in (("w", conv.weight), ("b", conv.bias))]
    pad, step = conv.padding[0], conv.dilation[0]
    y = g.op("Conv", [y, *weights], at + "conv", group=line.WIDTH, dilations=[step], pads=[pad, pad], kernel_shape=[line.KERNEL])
    y = g.op("Transpose", [g.op("Squeeze", [y, at_batch(g, at)], at + "conved")], at + "back_turned", perm=[1, 0])
    x = g.op("Add", [x, g.linear(g.gelu(y, at + "conv_bent"), b["mix"], at + "mix")], at + "mixed")
    y = g.linear(g.norm(x, b["wide_norm"], at + "wide_norm"), b["wide"], at + "wide")
    return g.op("Add", [x, g.linear(g.gelu(y, at + "wide_bent"), b["back"], at + "back")], at + "x")


def at_batch(g, at):
    return g.prefix + at + "batch"

"""Probabilities for a judge's log odds: a small monotone table a tool kind.

A table is piecewise linear in log odds, fitted on scores of cases that the
judge had not seen. Where a kind has few cases in a bin it leans on all kinds
together, and a bin with nothing needed in it is not taken for a promise.
"""

import numpy as np
from onnx import helper, numpy_helper

from graded import FEATURES, case_weights, per_line, stack

KINDS = ("shell", "read", "search", "other")
# Bins by the share of lines below; narrow at the bottom, where hiding is decided.
SHARES = (0, 0.005, 0.01, 0.02, 0.04, 0.07, 0.11, 0.16, 0.23, 0.32, 0.43, 0.55, 0.67, 0.78, 0.87, 0.94, 0.98, 1)
# How many cases' worth of trust the pooled table has within a kind's bin, and
# how many lines are added to each bin as half needed.
LEAN = 30
PRIOR = 2
# The least distance of two knots.
NEAREST = 0.01
# The rise of the log odds outside the knots and where a table is flat.
LEAST = 0.02


def kind_of(case):
    row = case.lines[0]
    for name in KINDS[:-1]:
        if row[FEATURES["lines"].index(name)]:
            return name
    return KINDS[-1]


def logit(p):
    return np.log(p / (1 - p))


def rising(values, weights):
    """The nearest sequence that never falls (pool adjacent violators)."""
    blocks = []
    for v, w in zip(values, weights):
        blocks.append([v, w, 1])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            v2, w2, n2 = blocks.pop()
            v1, w1, n1 = blocks.pop()
            blocks.append([(v1 * w1 + v2 * w2) / (w1 + w2), w1 + w2, n1 + n2])
    return np.concatenate([np.full(n, v) for v, _, n in blocks])


def apart(knots):
    """Rising by at least a little: few cases can put two bins on one place."""
    out = [max(knots[0], -9.0)]
    for k in knots[1:]:
        out.append(max(k, out[-1] + NEAREST))
    return np.array(out)


def fit(cases, odds):
    """Knots (log odds in) and, a kind, the log odds at each."""
    z, y = np.concatenate(odds), stack(cases, "y")
    w = per_line(cases, case_weights(cases))
    case = np.repeat(np.arange(len(cases)), [len(o) for o in odds])
    kind = np.repeat([kind_of(c) for c in cases], [len(o) for o in odds])
    order = np.argsort(z, kind="stable")
    share = np.empty(len(z))
    share[order] = np.cumsum(w[order]) / w.sum()
    bin_of = np.clip(np.searchsorted(SHARES, share, side="left") - 1, 0, len(SHARES) - 2)
    bins = range(len(SHARES) - 1)
    knots = apart([np.average(z[bin_of == b], weights=w[bin_of == b]) if (bin_of == b).any() else -np.inf for b in bins])

    def means(mask):
        out = []
        for b in bins:
            m = mask & (bin_of == b)
            out.append(((w[m] * y[m]).sum() + PRIOR / 2, w[m].sum() + PRIOR, len(np.unique(case[m]))))
        return np.array(out).T

    hits, lines, _ = means(np.ones(len(z), bool))
    pooled = rising(hits / lines, lines)
    table = {}
    for k in KINDS:
        hits, lines, seen = means(kind == k)
        p = (seen * hits / lines + LEAN * pooled) / (seen + LEAN)
        table[k] = logit(rising(p, seen + LEAN))
    return knots, table


def steps(knots, table):
    """The tables as base + sum of slope changes, the form the graph has. Where a
    table is flat it is made to rise a little, so that it keeps the judge's
    order; outside the knots it goes on like that."""
    base, change = [], []
    for k in KINDS:
        v = table[k].copy()
        for j in range(1, len(v)):
            v[j] = max(v[j], v[j - 1] + LEAST * (knots[j] - knots[j - 1]))
        base.append(v[0])
        change.append(np.diff(np.concatenate([[LEAST], np.diff(v) / np.diff(knots), [LEAST]])))
    return np.array(base), np.array(change).T


def apply(knots, table, kind, odds):
    """P(needed), as the graph gives it."""
    base, change = steps(knots, table)
    k = KINDS.index(kind)
    z = base[k] + LEAST * (odds - knots[0]) + np.maximum(odds[:, None] - knots, 0) @ change[:, k]
    return 1 / (1 + np.exp(-z))


def tail(cases, odds, table):
    """Of lines below some thresholds: their share and the share needed, on the
    scores that the tables were fitted to, so a little flattering."""
    p = np.concatenate([apply(*table, kind_of(c), o) for c, o in zip(cases, odds)])
    y, w = stack(cases, "y"), per_line(cases, case_weights(cases))
    kind = np.repeat([kind_of(c) for c in cases], [len(o) for o in odds])
    out = {}
    for name in ("all", *KINDS):
        m = kind == name if name != "all" else np.ones(len(p), bool)
        out[name] = {}
        for drop in (0.02, 0.05, 0.1):
            low = m & (p < drop)
            out[name][str(drop)] = {
                "lines": round(float(w[low].sum() / max(w[m].sum(), 1e-9)), 4),
                "needed_of_these": round(float((w * y)[low].sum() / max(w[low].sum(), 1e-9)), 4),
                "needed_lost": round(float((w * y)[low].sum() / max((w * y)[m].sum(), 1e-9)), 4),
            }
    return out


def nodes(knots, table, odds):
    """Nodes and constants from the tensors odds [N,1] and "lines" to "p" [N]."""
    base, change = steps(knots, table)
    pick = np.zeros((len(FEATURES["lines"]), len(KINDS)))
    for j, k in enumerate(KINDS[:-1]):
        at = FEATURES["lines"].index(k)
        pick[at, j], pick[at, -1] = 1, -1
    constants = [
        numpy_helper.from_array(np.asarray(v, np.float32), name)
        for name, v in (
            ("knots", knots[None]), ("first", knots[:1]), ("change", change), ("base", base), ("least", [LEAST]),
            ("pick", pick), ("else", [0, 0, 0, 1]),
        )
    ] + [numpy_helper.from_array(np.array([1], np.int64), "across")]
    make = helper.make_node
    return [
        make("Sub", [odds, "knots"], ["over_"]), make("Relu", ["over_"], ["over"]),
        make("MatMul", ["over", "change"], ["bent"]), make("Add", ["bent", "base"], ["risen"]),
        make("Sub", [odds, "first"], ["from_first"]), make("Mul", ["from_first", "least"], ["tilt"]),
        make("Add", ["risen", "tilt"], ["of_kind"]),
        make("MatMul", ["lines", "pick"], ["picked"]), make("Add", ["picked", "else"], ["is_kind"]),
        make("Mul", ["of_kind", "is_kind"], ["chosen"]), make("ReduceSum", ["chosen", "across"], ["z"], keepdims=0),
        make("Sigmoid", ["z"], ["p"]),
    ], constants

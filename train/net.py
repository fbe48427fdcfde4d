"""A small net of one hidden layer over a line's features, in numpy.

It learns from grades of lines and, within each case, from pairs of a needed and
a droppable line: the order within one output is what hiding goes by. Several
seeds make one net of their hidden units together.
"""

import numpy as np
from onnx import helper, numpy_helper

import graded

HIDDEN, SEEDS, EPOCHS = 128, 3, 14
BATCH = 16  # cases
SAMPLE = 128  # lines of a case in one epoch
PAIRS, PAIR_WEIGHT = 32, 0.5
RATE, DECAY = 2e-3, 0.02
DROP_INPUT, DROP_HIDDEN = 0.1, 0.2
FAR = 5.0  # standard deviations at which a feature is cut off


def sigmoid(z):
    return 1 / (1 + np.exp(-np.clip(z, -30, 30)))


class Adam:
    """Adam with decoupled weight decay on matrices and vectors of weights."""

    def __init__(self, parts, steps):
        self.parts, self.steps, self.t = parts, steps, 0
        self.m = [np.zeros_like(p) for p in parts]
        self.v = [np.zeros_like(p) for p in parts]

    def step(self, gradients):
        self.t += 1
        rate = RATE * min(1, self.t / 50) * 0.5 * (1 + np.cos(np.pi * self.t / self.steps))
        for j, g in enumerate(gradients):
            self.m[j] = 0.9 * self.m[j] + 0.1 * g
            self.v[j] = 0.99 * self.v[j] + 0.01 * g**2
            move = self.m[j] / (1 - 0.9**self.t) / (np.sqrt(self.v[j] / (1 - 0.99**self.t)) + 1e-8)
            decay = DECAY if j % 2 == 0 else 0
            self.parts[j] = (self.parts[j] * (1 - rate * decay) - rate * move).astype(np.float32)


def sample(rng, cases, weights):
    """Rows, soft grades and weights of a batch, and pairs of its places."""
    x, y, w, high, low, each = [], [], [], [], [], []
    at = 0
    for c, weight in zip(cases, weights):
        rows, grades = c.x, c.soft[c.full]
        if len(rows) > SAMPLE:
            pick = np.sort(rng.choice(len(rows), SAMPLE, replace=False))
            rows, grades = rows[pick], grades[pick]
        x.append(rows)
        y.append(grades)
        w.append(np.full(len(rows), weight * np.sqrt(c.full.sum()) / len(rows)))
        needed, dropped = np.flatnonzero(grades == 1), np.flatnonzero(grades == 0)
        if len(needed) and len(dropped):
            high.append(at + rng.choice(needed, PAIRS))
            low.append(at + rng.choice(dropped, PAIRS))
            each.append(np.full(PAIRS, weight))
        at += len(rows)
    return np.concatenate(x), np.concatenate(y), np.concatenate(w), [np.concatenate(v) if v else np.zeros(0, int) for v in (high, low, each)]


def gradients(rng, parts, x, y, w, pairs):
    w1, b1, w2, b2 = parts
    x = x * (rng.random(x.shape) > DROP_INPUT) / np.float32(1 - DROP_INPUT)
    h = x @ w1 + b1
    mask = (rng.random(h.shape) > DROP_HIDDEN) / np.float32(1 - DROP_HIDDEN)
    active = np.maximum(h, 0) * mask
    z = active @ w2 + b2
    g = w / w.sum() * (sigmoid(z) - y)
    high, low, each = pairs
    if len(high):
        d = PAIR_WEIGHT * each / each.sum() * sigmoid(z[low] - z[high])
        np.add.at(g, high, -d)
        np.add.at(g, low, d)
    g = g.astype(np.float32)
    back = np.outer(g, w2) * mask * (h > 0)
    return [x.T @ back, back.sum(0), active.T @ g, np.array([g.sum()])]


def fit_one(cases, mean, std, seed):
    rng = np.random.default_rng(seed)
    width = len(mean)
    parts = [
        (rng.standard_normal((width, HIDDEN)) / np.sqrt(width)).astype(np.float32), np.zeros(HIDDEN, np.float32),
        (rng.standard_normal(HIDDEN) / np.sqrt(HIDDEN)).astype(np.float32), np.full(1, -1, np.float32),
    ]
    weights = graded.case_weights(cases)
    step = Adam(parts, EPOCHS * (len(cases) // BATCH))
    for _ in range(EPOCHS):
        order = rng.permutation(len(cases))
        for s in range(0, len(order) - BATCH + 1, BATCH):
            batch = order[s : s + BATCH]
            x, y, w, pairs = sample(rng, [cases[i] for i in batch], weights[batch])
            x = np.clip((x - mean) / std, -FAR, FAR)
            step.step(gradients(rng, step.parts, x, y, w, pairs))
    return step.parts


class Net:
    def __init__(self, cases):
        rows = np.concatenate([c.x[::5] for c in cases])
        self.mean, self.std = rows.mean(0), rows.std(0) + np.float32(0.02)
        nets = [fit_one(cases, self.mean, self.std, seed) for seed in range(SEEDS)]
        self.w1, self.b1 = np.hstack([n[0] for n in nets]), np.concatenate([n[1] for n in nets])
        self.w2 = np.concatenate([n[2] for n in nets]) / SEEDS
        self.b2 = np.mean([n[3] for n in nets])

    def odds(self, x):
        x = np.clip((x - self.mean) / self.std, -FAR, FAR)
        return np.maximum(x @ self.w1 + self.b1, 0) @ self.w2 + self.b2

    def nodes(self, out):
        """Nodes and constants from "lines" to the log odds [N,1]."""
        make = helper.make_node
        constants = {
            "mean": self.mean, "std": self.std, "near": np.float32(-FAR), "far": np.float32(FAR),
            "w1": self.w1, "b1": self.b1, "w2": self.w2[:, None], "b2": np.array([self.b2]),
        }
        return [
            make("Sub", ["lines", "mean"], ["centred"]), make("Div", ["centred", "std"], ["scaled_"]),
            make("Clip", ["scaled_", "near", "far"], ["scaled"]),
            make("MatMul", ["scaled", "w1"], ["h1"]), make("Add", ["h1", "b1"], ["h2"]), make("Relu", ["h2"], ["h"]),
            make("MatMul", ["h", "w2"], ["o1"]), make("Add", ["o1", "b2"], [out]),
        ], [numpy_helper.from_array(np.asarray(v, np.float32), k) for k, v in constants.items()]

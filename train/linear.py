"""Fits a linear judge of lines on the features and writes it as ONNX.

    build/venv/bin/python train/linear.py --labels LABELS --data DATA --features "bin/winnow features"

A logistic regression over lines, its probabilities from tables.py. It writes

    linear.onnx  inputs lines [N,F], doc [1,D]; outputs p [N], failure [1]
    linear.json  feature version, hash, figures, how it was made

blend.py fits what is shipped; this one is for comparison and goes to build/judge.
"""

import argparse
import json
import pathlib

import numpy as np
from onnx import helper, numpy_helper

import graded
import graphs
import tables
from graded import FEATURES

RIDGES = (30.0, 300.0, 3000.0)
POWER = 0.5  # what a case's lines weigh: see graded.per_line


def fit(x, y, weight, ridge):
    """Newton's method on standardised columns. Returns weights and bias for the
    raw columns."""
    x = x.astype(np.float64)
    mean, std = x.mean(0), x.std(0)
    std[std < 1e-6] = 1
    z = np.hstack([(x - mean) / std, np.ones((len(x), 1))])
    penalty = np.full(z.shape[1], ridge)
    penalty[-1] = 0
    w = np.zeros(z.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(z @ w, -30, 30)))
        gradient = z.T @ (weight * (p - y)) + penalty * w
        curvature = (z * (weight * p * (1 - p))[:, None]).T @ z + np.diag(penalty + 1e-9)
        step = np.linalg.solve(curvature, gradient)
        w -= step
        if np.abs(step).max() < 1e-5:
            break
    return w[:-1] / std, w[-1] - (w[:-1] * mean / std).sum()


def fit_cases(cases, ridge):
    weight = graded.per_line(cases, graded.case_weights(cases), POWER)
    return fit(np.concatenate([c.x for c in cases]), graded.stack(cases, "soft"), weight / weight.mean(), ridge)


def choose(cases):
    """The ridge with the best mean AUC on repositories held out."""
    found = {}
    for ridge in RIDGES:
        def fold(part):
            w, b = fit_cases(part, ridge)
            return lambda x: x @ w + b

        odds = graded.out_of_fold(cases, fold)
        found[ridge] = graded.mean_auc(cases, odds), odds
    best = max(found, key=lambda r: found[r][0])
    return best, {str(r): round(v[0], 4) for r, v in found.items()}, found[best][1]


def main():
    arg = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    graded.arguments(arg)
    arg.add_argument("--out", type=pathlib.Path, default=graded.ROOT / "build/judge")
    a = arg.parse_args()
    train, dev = graded.read(a)
    ridge, found, odds = choose(train)
    weights, bias = fit_cases(train, ridge)
    table = tables.fit(train, odds)
    path = a.out / "linear.onnx"
    session = graphs.export(path, ([
        helper.make_node("MatMul", ["lines", "w"], ["x"]), helper.make_node("Add", ["x", "b"], ["odds"]),
    ], [
        numpy_helper.from_array(weights.astype(np.float32).reshape(-1, 1), "w"),
        numpy_helper.from_array(np.array([bias], np.float32), "b"),
    ]), table)
    says = graphs.about(path, "linear.py", train, table) | {
        "ridge": ridge, "cross_validation_auc": found,
        "dev": graded.figures(dev, graphs.served(session, dev), a.labels / "score.py"),
        "weights": {n: round(float(w), 4) for n, w in zip(FEATURES["lines"], weights)} | {"bias": round(float(bias), 4)},
    }
    (a.out / "linear.json").write_text(json.dumps(says, indent=1) + "\n")
    print(json.dumps({k: says[k] for k in ("ridge", "cross_validation_auc", "dev")}, indent=1))


if __name__ == "__main__":
    main()

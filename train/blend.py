"""Fits the shipped judge of lines and writes it as ONNX.

    python3 -m venv build/venv && build/venv/bin/pip install -r train/requirements.txt
    build/venv/bin/python train/blend.py --labels LABELS --data DATA --features "bin/winnow features"

The mean of the log odds of boosted trees and of a small net, both on the same
features. It writes to internal/model/weights

    blend.onnx  inputs lines [N,F], doc [1,D]; outputs p [N], failure [1]
    blend.json  feature version, hash, figures, how it was made

and parity cases for the Go test. p is P(needed): tables.py maps the log odds by
what the judge says of repositories that were left out.
"""

import argparse
import json
import pathlib
import sys

import numpy as np
from onnx import helper, numpy_helper

import graded
import graphs
import net
import tables
import trees

SHARE = 0.5  # of the net, the rest being the trees'


class Blend:
    def __init__(self, cases):
        self.trees, self.net = trees.Trees(cases), net.Net(cases)

    def both(self, x):
        return np.stack([self.trees.odds(x), self.net.odds(x)])

    def odds(self, x):
        return blend(self.both(x))

    def nodes(self):
        t, n = self.trees.nodes("of_trees"), self.net.nodes("of_net")
        make = helper.make_node
        return t[0] + n[0] + [
            make("Mul", ["of_trees", "trees_share"], ["part1"]), make("Mul", ["of_net", "net_share"], ["part2"]),
            make("Add", ["part1", "part2"], ["odds"]),
        ], t[1] + n[1] + [
            numpy_helper.from_array(np.array([1 - SHARE], np.float32), "trees_share"),
            numpy_helper.from_array(np.array([SHARE], np.float32), "net_share"),
        ]


def blend(both):
    return both[0] * (1 - SHARE) + both[1] * SHARE


def check(session, model, table, cases):
    """The graph must say what the parts say."""
    for c in cases:
        want = tables.apply(*table, tables.kind_of(c), model.odds(c.lines))
        got = graphs.run(session, c.lines, c.doc)[0]
        worst = float(np.abs(want - got).max())
        assert worst < 1e-3, (c.id, worst)


def main():
    arg = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    graded.arguments(arg)
    arg.add_argument("--out", type=pathlib.Path, default=graded.ROOT / "internal/model/weights")
    arg.add_argument("--parity", type=pathlib.Path, default=graded.ROOT / "internal/model/testdata/parity.json")
    a = arg.parse_args()
    train, dev = graded.read(a)
    both = graded.out_of_fold(train, lambda cases: Blend(cases).both)
    odds = [blend(b) for b in both]
    left_out = {
        "trees": graded.mean_auc(train, [b[0] for b in both]), "net": graded.mean_auc(train, [b[1] for b in both]),
        "blend": graded.mean_auc(train, odds),
    }
    print("mean AUC on repositories left out:", left_out, file=sys.stderr)
    table = tables.fit(train, odds)
    model = Blend(train)
    path = a.out / "blend.onnx"
    session = graphs.export(path, model.nodes(), table, [("ai.onnx.ml", 1)])
    check(session, model, table, dev[:40])
    graphs.parity(session, a.parity, train)
    says = graphs.about(path, "blend.py", train, table) | {
        "trees": trees.SETTINGS | {"rounds": trees.ROUNDS, "power": trees.POWER},
        "net": {"hidden": net.HIDDEN, "seeds": net.SEEDS, "epochs": net.EPOCHS, "share": SHARE},
        "left_out_auc": {k: round(v, 4) for k, v in left_out.items()},
        "left_out": tables.tail(train, odds, table),
        "dev": graded.figures(dev, graphs.served(session, dev), a.labels / "score.py"),
        "failure_head": {"by": "hand, internal/lexical/features.json", "shares": graphs.failure_figures(session, train + dev)},
        "gains": model.trees.gains(),
    }
    (a.out / "blend.json").write_text(json.dumps(says, indent=1) + "\n")
    print(json.dumps({k: says[k] for k in ("left_out_auc", "left_out", "dev")}, indent=1))


if __name__ == "__main__":
    main()

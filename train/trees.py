"""Boosted trees over a line's features, as nodes of an ONNX graph."""

import lightgbm
import numpy as np
from onnx import helper

import graded
from graded import FEATURES

ROUNDS = 300
POWER = 1.0  # what a case's lines weigh: see graded.per_line
SETTINGS = {
    "objective": "cross_entropy", "learning_rate": 0.06, "num_leaves": 48, "min_data_in_leaf": 600, "lambda_l2": 20,
    "feature_fraction": 0.4, "bagging_fraction": 0.5, "bagging_freq": 1, "max_bin": 63,
    "seed": 1, "deterministic": True, "force_row_wise": True, "num_threads": 1, "verbose": -1,
}


class Trees:
    def __init__(self, cases):
        weight = graded.per_line(cases, graded.case_weights(cases), POWER)
        data = lightgbm.Dataset(
            np.concatenate([c.x for c in cases]), graded.stack(cases, "soft"), weight=weight / weight.mean(),
            params={"max_bin": SETTINGS["max_bin"], "verbose": -1},
        )
        self.model = lightgbm.train(SETTINGS, data, ROUNDS)

    def odds(self, x):
        return self.model.predict(x, raw_score=True, num_threads=1)

    def nodes(self, out):
        """Nodes and constants from "lines" to the log odds [N,1]."""
        ensemble = Ensemble()
        for i, tree in enumerate(self.model.dump_model()["tree_info"]):
            ensemble.add(i, tree["tree_structure"])
        return [helper.make_node(
            "TreeEnsembleRegressor", ["lines"], [out], domain="ai.onnx.ml", n_targets=1,
            post_transform="NONE", aggregate_function="SUM", **ensemble.attributes(),
        )], []

    def gains(self):
        gain = self.model.feature_importance("gain")
        return {FEATURES["lines"][i]: round(float(gain[i] / gain.sum()), 4) for i in np.argsort(-gain)[:30]}


def down(threshold):
    """The greatest float32 that is not above: features are float32, so the
    graph takes the branches that training took."""
    t = np.float32(threshold)
    return float(np.nextafter(t, np.float32(-np.inf)) if float(t) > threshold else t)


class Ensemble:
    """The attributes of a TreeEnsembleRegressor."""

    def __init__(self):
        self.nodes = {k: [] for k in ("treeids", "nodeids", "featureids", "modes", "values", "truenodeids", "falsenodeids")}
        self.target = {k: [] for k in ("treeids", "nodeids", "ids", "weights")}

    def attributes(self):
        return {"nodes_" + k: v for k, v in self.nodes.items()} | {"target_" + k: v for k, v in self.target.items()}

    def add(self, tree, root):
        self.tree, self.next = tree, 0
        self.node(root)

    def put(self, table, **values):
        for k, v in values.items():
            table[k].append(v)

    def node(self, n):
        """Adds n and all below it; returns its number within the tree."""
        me, at = self.next, len(self.nodes["treeids"])
        self.next += 1
        leaf = "leaf_value" in n
        assert leaf or n["decision_type"] == "<="
        self.put(
            self.nodes, treeids=self.tree, nodeids=me, featureids=0 if leaf else n["split_feature"],
            modes="LEAF" if leaf else "BRANCH_LEQ", values=0.0 if leaf else down(n["threshold"]),
            truenodeids=0, falsenodeids=0,
        )
        if leaf:
            self.put(self.target, treeids=self.tree, nodeids=me, ids=0, weights=n["leaf_value"])
        else:
            self.nodes["truenodeids"][at] = self.node(n["left_child"])
            self.nodes["falsenodeids"][at] = self.node(n["right_child"])
        return me

"""Fits the shipped judge of lines and writes it as ONNX; `make train` runs it.

    build/venv/bin/python train/judge.py --labels LABELS --data DATA

Boosted trees and a small net read the features of lines; the line stage reads
those, the reader's vectors and all lines of the output together. The judge is
the weighted mean of their log odds, and tables.py makes probabilities of it by
what it says of repositories that were left out. It writes to
internal/model/weights

    reader.onnx    inputs ids [1,T], query [384,Q]; outputs states [T,384], cosines [T,Q]
    features.onnx  input lines [N,F]; output odds [N,1]
    judge.onnx     inputs lines, odds, vectors [N,384], matches [N,15], query [1152], doc [1,D];
                   outputs p [N], failure [1]
    judge.json     feature version, hashes, figures, how it was made

and parity cases for the Go test. Each fit is kept in --work, so that a run that
was killed goes on where it was.
"""

import argparse
import concurrent.futures
import json
import multiprocessing
import pathlib
import pickle
import sys

import numpy as np

import graded
import graphs
import line
import line_graph
import net
import reader
import tables
import trees

SHARES = {"trees": 0.2, "net": 0.2, "line": 0.6}
SEEDS = (1, 2, 3)  # of the shipped line stage; each fold has the first alone
EVERY = "all"


def part(cases, name, seed, checkpoint, epochs):
    """A function from a case to the log odds of all its lines, and the model."""
    if name == "line":
        model = line.fit(cases, seed, checkpoint, epochs)
        return model, lambda c: line.odds(model, c)
    model = {"trees": trees.Trees, "net": net.Net}[name](cases)
    return model, lambda c: model.odds(c.lines)


def job(data, work, fold, name, seed, epochs):
    """Fits one part on all folds but one and says what it makes of the rest."""
    out = work / f"{name}-{fold}-{seed}.pickle"
    if out.exists():
        return
    train, dev, fold_of = pickle.loads(data.read_bytes())
    fitted = [c for c, f in zip(train, fold_of) if f != fold]
    left = [c for c, f in zip(train, fold_of) if f == fold] or dev
    model, says = part(fitted, name, seed, out.with_suffix(".checkpoint"), epochs)
    rows = {c.id: says(c) for c in left}
    temporary = out.with_suffix(".part")
    temporary.write_bytes(pickle.dumps((model, rows)))
    temporary.rename(out)
    out.with_suffix(".checkpoint").unlink(missing_ok=True)
    print(f"fitted {out.stem}", file=sys.stderr, flush=True)


def fits(a, train, dev):
    """Runs all jobs, two at a time, the longest first."""
    data = a.work / "cases.pickle"
    fold = graded.fold_of(train)
    data.write_bytes(pickle.dumps((train, dev, fold)))
    wanted = [(EVERY, "line", s) for s in SEEDS] + [(f, "line", SEEDS[0]) for f in range(graded.FOLDS)]
    wanted += [(f, name, 0) for name in ("trees", "net") for f in (*range(graded.FOLDS), EVERY)]
    with concurrent.futures.ProcessPoolExecutor(a.workers, multiprocessing.get_context("spawn")) as pool:
        for j in [pool.submit(job, data, a.work, *w, a.epochs) for w in wanted]:
            j.result()
    return {w: pickle.loads((a.work / "{1}-{0}-{2}.pickle".format(*w)).read_bytes()) for w in wanted}, fold


def blend(parts):
    return sum(SHARES[k] * v for k, v in parts.items())


def left_out(found, train, fold):
    """The parts' log odds of repositories that they were not fitted on."""
    return [{name: found[f, name, SEEDS[0] if name == "line" else 0][1][c.id][c.full] for name in SHARES} for c, f in zip(train, fold)]


def scores_left_out(path, train, parts, fold):
    """Scores of repositories that were left out, of the fits and of the tables,
    for `winnow eval --scores`: what a door does not show counts as needed."""
    odds = [blend(p) for p in parts]
    of = {}
    for f in set(fold):
        at = [i for i, k in enumerate(fold) if k != f]
        of[f] = tables.fit([train[i] for i in at], [odds[i] for i in at])
    with open(path, "w") as out:
        for c, o, f in zip(train, odds, fold):
            line = np.zeros(len(c.text))
            line[c.full] = tables.apply(*of[f], tables.kind_of(c), o)
            served = graphs.settle(np.round(line, 3), c.lines).tolist()
            row = {"id": c.id, "failure": graphs.failure(c.doc), "scores": [1.0] * c.before + served + [1.0] * c.after}
            out.write(json.dumps(row) + "\n")


def write(a, found, table):
    seeds = [found[EVERY, "line", s][0] for s in SEEDS]
    graphs.features(a.out / "features.onnx", found[EVERY, "trees", 0][0], found[EVERY, "net", 0][0], SHARES)
    graphs.judge(a.out / "judge.onnx", [line_graph.nodes(m, f"s{i}_", f"stage{i}") for i, m in enumerate(seeds)], SHARES, table)
    return graphs.Judge(a.out)


def check(judge, found, table, cases):
    """The graphs must say what the parts say."""
    for c in cases:
        parts = {"trees": found[EVERY, "trees", 0][0].odds(c.lines), "net": found[EVERY, "net", 0][0].odds(c.lines)}
        parts["line"] = np.mean([line.odds(found[EVERY, "line", s][0], c) for s in SEEDS], 0)
        want = tables.apply(*table, tables.kind_of(c), blend(parts))
        worst = float(np.abs(want - judge.of(c)[0]).max())
        assert worst < 2e-3, (c.id, worst)


def exact_figures(a, judge, dev, score_py):
    """What int8 costs: the same with the reader in float32."""
    path = a.work / "exact.onnx"
    reader.build(path, exact=True)
    held = [(c.vectors, c.matches, c.query) for c in dev]
    reader.encode(path, dev, a.work / "exact", a.workers)
    out = graded.figures(dev, judge.served(dev), score_py)
    for c, v in zip(dev, held):
        c.vectors, c.matches, c.query = v
    return out


def main():
    arg = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    graded.arguments(arg)
    arg.add_argument("--out", type=pathlib.Path, default=graded.ROOT / "internal/model/weights")
    arg.add_argument("--parity", type=pathlib.Path, default=graded.ROOT / "internal/model/testdata/parity.json")
    arg.add_argument("--work", type=pathlib.Path, default=graded.ROOT / "build/train")
    arg.add_argument("--workers", type=int, default=2)
    arg.add_argument("--epochs", type=int, default=line.EPOCHS, help="of the line stage; for a smoke run")
    a = arg.parse_args()
    a.work.mkdir(parents=True, exist_ok=True)
    train, dev = graded.read(a)
    reader.build(a.out / "reader.onnx")
    reader.encode(a.out / "reader.onnx", train + dev, a.work / "vectors", a.workers)
    found, fold = fits(a, train, dev)
    parts = left_out(found, train, fold)
    odds = [blend(p) for p in parts]
    auc = {name: graded.mean_auc(train, [p[name] for p in parts]) for name in SHARES} | {"judge": graded.mean_auc(train, odds)}
    print("mean AUC on repositories left out:", auc, file=sys.stderr)
    table = tables.fit(train, odds)
    scores_left_out(a.work / "left_out.jsonl", train, parts, fold)
    judge = write(a, found, table)
    check(judge, found, table, dev[:20])
    graphs.parity(judge, a.parity, a.features)
    score_py = a.labels / "score.py"
    says = graphs.about(a.out, train, table) | {
        "trees": trees.SETTINGS | {"rounds": trees.ROUNDS, "power": trees.POWER},
        "net": {"hidden": net.HIDDEN, "seeds": net.SEEDS, "epochs": net.EPOCHS},
        "line": {"width": line.WIDTH, "seeds": len(SEEDS), "epochs": a.epochs, "reader_layers": reader.LAYERS},
        "shares": SHARES,
        "left_out_auc": {k: round(v, 4) for k, v in auc.items()},
        "left_out": tables.tail(train, odds, table),
        "dev": graded.figures(dev, judge.served(dev), score_py),
        "dev_exact_reader": exact_figures(a, judge, dev, score_py),
        "failure_head": {"by": "hand, internal/lexical/features.json", "shares": judge.failure_figures(train + dev)},
        "gains": found[EVERY, "trees", 0][0].gains(),
    }
    (a.out / "judge.json").write_text(json.dumps(says, indent=1) + "\n")
    print(json.dumps({k: says[k] for k in ("left_out_auc", "left_out", "dev", "dev_exact_reader")}, indent=1))


if __name__ == "__main__":
    main()

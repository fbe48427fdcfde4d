"""The line stage: dilated convolutions over all lines of an output.

A line is its features, the reader's vector and its matches with the query; the
query's own vectors bend the stage. It learns from grades of lines and, within
each case, from pairs of a needed and a droppable line.
"""

import math
import random
import sys

import numpy as np
import torch
from onnx import helper, numpy_helper
from torch import nn
from torch.nn import functional as F

import graded
import reader

WIDTH, MEET, BEND, FIRST = 160, 96, 64, 160
DILATIONS, KERNEL = (1, 2, 4, 8), 5
GAP = 16  # rows between two cases of a batch: as far as the widest kernel reaches
EPOCHS, BATCH, RATE, DECAY = 2, 8, 8e-4, 0.05
DROP, DROP_INPUT, DROP_VECTOR = 0.3, 0.1, 0.3
PAIRS, PAIR_WEIGHT = 192, 0.5
POWER = 0.5  # a case weighs as this power of its lines
UNREAD = 0.1  # cases of which a part is shown as if it had not been read
FAR = 5.0  # standard deviations at which a feature is cut off
SPREAD = 0.02  # added to a deviation, so that a constant feature stays small


def relative(matches):
    """Matches against those of the output's other lines that were read."""
    seen = np.abs(matches).sum(1) > 0
    if not seen.any():
        return np.zeros_like(matches)
    m = matches[seen]
    out = (matches - m.mean(0)) / (m.std(0) + SPREAD)
    out[~seen] = 0
    return out


def rows(case, matches):
    near = relative(matches.astype(np.float32))
    return np.concatenate([case.lines, near, near / 2], 1).astype(np.float32)


class Stage(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        d, v = WIDTH, reader.DIM
        self.register_buffer("mean", torch.from_numpy(mean))
        self.register_buffer("std", torch.from_numpy(std))
        self.first, self.second = nn.Linear(len(mean), FIRST), nn.Linear(FIRST, d)
        self.norm_v, self.meet_v, self.meet_q = nn.LayerNorm(v), nn.Linear(v, MEET), nn.Linear(v * reader.PARTS, MEET)
        self.met, self.bend = nn.Linear(3 * MEET, d), nn.Linear(v * reader.PARTS, BEND)
        self.blocks = nn.ModuleList(nn.ModuleDict({
            "norm": nn.LayerNorm(d), "bent": nn.Linear(BEND, 2 * d), "mix": nn.Linear(d, d),
            "conv": nn.Conv1d(d, d, KERNEL, padding=(KERNEL // 2) * step, dilation=step, groups=d),
            "wide_norm": nn.LayerNorm(d), "wide": nn.Linear(d, 2 * d), "back": nn.Linear(2 * d, d),
        }) for step in DILATIONS)
        self.whole, self.last, self.out = nn.Linear(2 * d, d), nn.LayerNorm(d), nn.Linear(d, 1)
        self.drop, self.drop_input, self.drop_vector = nn.Dropout(DROP), nn.Dropout(DROP_INPUT), nn.Dropout(DROP_VECTOR)

    def forward(self, b):
        """Log odds of all rows of a batch, those of gaps included."""
        x = torch.clamp((b.rows - self.mean) / self.std, -FAR, FAR) * b.mask
        x = self.second(self.drop(F.gelu(self.first(self.drop_input(x)))))
        v = self.meet_v(self.drop_vector(self.norm_v(b.vectors)))
        q = self.drop_vector(F.layer_norm(b.query.view(-1, reader.PARTS, reader.DIM), (reader.DIM,)).flatten(1))
        usual = b.mean(v * b.mask)[b.of]
        x = (x + self.met(self.drop(torch.cat([F.gelu(v), v * self.meet_q(q)[b.of], v - usual], 1)))) * b.mask
        bend = F.gelu(self.bend(q))
        for i, block in enumerate(self.blocks):
            x = self.block(block, x, bend, b)
            if i == 1:
                x = (x + self.whole(torch.cat([b.mean(x), b.max(x)], 1))[b.of]) * b.mask
        return self.out(self.last(x))[:, 0]

    def block(self, block, x, bend, b):
        scale, shift = block["bent"](bend)[b.of].chunk(2, 1)
        y = (block["norm"](x) * (1 + scale) + shift) * b.mask
        x = x + self.drop(block["mix"](F.gelu(block["conv"](y.T[None])[0].T)))
        return (x + self.drop(block["back"](F.gelu(block["wide"](block["wide_norm"](x)))))) * b.mask


class Batch:
    """Cases one after the other with gaps between, and what sums over a case."""

    def __init__(self, cases, rng=None):
        parts, of, mask = [], [], []
        for j, c in enumerate(cases):
            n = len(c.text)
            vectors, matches = unread(c, rng)
            parts.append((rows(c, matches), vectors.astype(np.float32)))
            of += [j] * (n + GAP)
            mask += [1.0] * n + [0.0] * GAP
        self.cases, self.of = len(cases), torch.tensor(of)
        self.mask = torch.tensor(mask)[:, None]
        self.rows = spaced([p[0] for p in parts])
        self.vectors = spaced([p[1] for p in parts])
        self.query = torch.from_numpy(np.stack([c.query.astype(np.float32) for c in cases]))
        self.grades = spaced([c.soft.astype(np.float32)[:, None] for c in cases])[:, 0]
        self.full = spaced([c.full.astype(np.float32)[:, None] for c in cases])[:, 0] > 0
        self.count = torch.zeros(self.cases, 1).index_add(0, self.of, self.mask)

    def mean(self, x):
        return torch.zeros(self.cases, x.shape[1]).index_add(0, self.of, x) / self.count

    def max(self, x):
        low = torch.where(self.mask > 0, x, torch.tensor(-1e4))
        return torch.full((self.cases, x.shape[1]), -1e4).index_reduce(0, self.of, low, "amax")


def spaced(parts):
    gap = np.zeros((GAP, parts[0].shape[1]), np.float32)
    return torch.from_numpy(np.concatenate([a for p in parts for a in (p, gap)]))


def unread(case, rng):
    """The case's vectors and matches; in training at times not all of them."""
    if rng is None or rng.random() >= UNREAD:
        return case.vectors, case.matches
    n = len(case.text)
    start, size = rng.integers(n), rng.integers(1, n + 1)
    vectors, matches = case.vectors.copy(), case.matches.copy()
    vectors[start : start + size], matches[start : start + size] = 0, 0
    return vectors, matches


def loss(odds, b, weights):
    weights = torch.from_numpy(weights.astype(np.float32))
    of, full = b.of, b.full
    lines = torch.zeros(b.cases).index_add(0, of[full], torch.ones(int(full.sum())))
    each = (weights * lines ** (POWER - 1))[of[full]]
    out = (F.binary_cross_entropy_with_logits(odds[full], b.grades[full], reduction="none") * each).sum() / (weights * lines**POWER).sum()
    pairs = torch.zeros(())
    for j in range(b.cases):
        mine = full & (of == j)
        high, low = odds[mine & (b.grades == 1)], odds[mine & (b.grades == 0)]
        if len(high) and len(low):
            pick = lambda s: s[torch.randint(len(s), (PAIRS,))]
            pairs = pairs + weights[j] * F.softplus(pick(low) - pick(high)).mean()
    return out + PAIR_WEIGHT * pairs / weights.sum()


def fit(cases, seed, checkpoint=None, epochs=EPOCHS):
    """A trained Stage. checkpoint is a file that a killed run goes on from."""
    random.seed(seed), np.random.seed(seed), torch.manual_seed(seed), torch.set_num_threads(1)
    some = np.concatenate([rows(c, c.matches)[::7] for c in cases])
    model = Stage(some.mean(0), some.std(0) + np.float32(SPREAD))
    step = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    weights, total, start = graded.case_weights(cases), epochs * (len(cases) // BATCH), 0
    if checkpoint and checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(state["model"]), step.load_state_dict(state["step"])
        start = state["epoch"]
    for epoch in range(start, epochs):
        rng = np.random.default_rng([seed, epoch])
        torch.manual_seed(seed * 1000 + epoch)
        order, total_loss, taken = rng.permutation(len(cases)), 0.0, epoch * (len(cases) // BATCH)
        model.train()
        for s in range(0, len(order) - BATCH + 1, BATCH):
            batch = Batch([cases[i] for i in order[s : s + BATCH]], rng)
            value = loss(model(batch), batch, weights[order[s : s + BATCH]])
            step.zero_grad(), value.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            taken += 1
            for group in step.param_groups:
                group["lr"] = RATE * min(1, taken / 100) * max(0.02, 0.5 * (1 + math.cos(math.pi * taken / total)))
            step.step()
            total_loss += float(value.detach())
        print(f"line stage, seed {seed}, epoch {epoch}: loss {total_loss / max(1, len(order) // BATCH):.4f}", file=sys.stderr, flush=True)
        if checkpoint:
            part = checkpoint.with_suffix(".part")
            torch.save({"model": model.state_dict(), "step": step.state_dict(), "epoch": epoch + 1}, part)
            part.rename(checkpoint)
    return model.eval()


def odds(model, case):
    """Log odds of all lines of a case."""
    with torch.no_grad():
        return model(Batch([case]))[: len(case.text)].numpy()

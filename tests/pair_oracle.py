"""The objective from its definition: every pair visited, every rank counted in exact fractions."""

from fractions import Fraction

import numpy as np


def sigmoid(x):
    away = np.abs(x)
    tail = (2 + away) * np.exp(-away) / 4
    return np.where(x < 0, tail, 1 - tail)


def parts(score, weight, low, high):
    """Return the weight of each row within a range of ranks from the highest score on, as exact fractions."""
    weight = [Fraction(float(w)) for w in weight]
    low, high, total = Fraction(low), Fraction(high), sum(weight)
    found = []
    for s, w in zip(score, weight, strict=True):
        above = sum(v for t, v in zip(score, weight, strict=True) if t > s)
        block = sum(v for t, v in zip(score, weight, strict=True) if t == s)
        inside = min((above + block) / total, high) - max(above / total, low)
        found.append(w * max(inside, 0) / (block / total) if block else Fraction(0))
    return np.array([float(f / sum(found)) for f in found])


def spread(y, score, weight):
    pos, neg = ([weight[y == k] / weight[y == k].sum(), score[y == k]] for k in (True, False))
    mean = (pos[0] @ pos[1] + neg[0] @ neg[1]) / 2
    return np.sqrt((pos[0] @ (pos[1] - mean) ** 2 + neg[0] @ (neg[1] - mean) ** 2) / 2)


def value(y, score, *, fpr=(0, 1), tpr=(0, 1), temperature=0.1, tau=None, weight=None):
    """Return the smooth partial AUC over all pairs."""
    y, score = np.asarray(y, dtype=bool), np.asarray(score, dtype=float)
    weight = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=float)
    tau = temperature * spread(y, score, weight) if tau is None else tau
    u, v = parts(score[y], weight[y], *tpr), parts(score[~y], weight[~y], *fpr)
    return float(u @ sigmoid((score[y][:, None] - score[~y]) / tau) @ v)

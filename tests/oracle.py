"""Slow, exact answers with fractions: what the fast code must equal, written as the definitions read."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations


def blocks(y, score, weight=None):
    """Return [(score, positives, negatives)] in falling order of score."""
    weight = [1] * len(y) if weight is None else weight
    table = {}
    for label, s, w in zip(y, score, weight, strict=True):
        pos, neg = table.get(s, (0, 0))
        table[s] = (pos + w, neg) if label else (pos, neg + w)
    return [(s, *table[s]) for s in sorted(table, reverse=True)]


def auc_by_area(y, score, weight=None):
    area = tp = 0
    rows = blocks(y, score, weight)
    for _, pos, neg in rows:
        area += Fraction(neg) * (2 * tp + pos) / 2
        tp += pos
    return area / (Fraction(tp) * sum(neg for _, _, neg in rows))


def auc_by_pairs(y, score):
    positives = [s for label, s in zip(y, score, strict=True) if label]
    negatives = [s for label, s in zip(y, score, strict=True) if not label]
    wins = sum(Fraction(p > n) + Fraction(p == n, 2) for p in positives for n in negatives)
    return wins / (len(positives) * len(negatives))


def auc_by_midranks(y, score):
    def midrank(s):
        below, equal = sum(t < s for t in score), sum(t == s for t in score)
        return below + Fraction(equal + 1, 2)

    p = sum(map(bool, y))
    rank_sum = sum(midrank(s) for label, s in zip(y, score, strict=True) if label)
    return (rank_sum - Fraction(p * (p + 1), 2)) / (p * (len(y) - p))


def roc_points(y, score, weight=None):
    tp = fp = Fraction(0)
    points = [(fp, tp)]
    rows = blocks(y, score, weight)
    p, n = sum(r[1] for r in rows), sum(r[2] for r in rows)
    for _, pos, neg in rows:
        tp, fp = tp + Fraction(pos) / p, fp + Fraction(neg) / n
        points.append((fp, tp))
    return points


def partial_area(points, a, b, c=0, d=1):
    """Integrate the curve, cut to [c, d], over [a, b]: segment by segment, exactly."""
    a, b, c, d = (Fraction(v) for v in (a, b, c, d))
    total = Fraction(0)
    for (x0, y0), (x1, y1) in pairwise(points):
        if x1 == x0:
            continue
        slope = (y1 - y0) / (x1 - x0)
        cuts = {x0, x1, a, b} | ({x0 + (v - y0) / slope for v in (c, d)} if slope else set())
        inside = sorted(x for x in cuts if max(x0, a) <= x <= min(x1, b))
        for left, right in pairwise(inside):
            height = min(max(y0 + slope * ((left + right) / 2 - x0), c), d) - c
            total += (right - left) * height
    return total


def average_precision_of_order(labels):
    """Return the average precision of labels in ranked order, best first."""
    hits, total = 0, Fraction(0)
    for rank, label in enumerate(labels, start=1):
        if label:
            hits += 1
            total += Fraction(hits, rank)
    return total / hits


def average_precision_block(y, score, weight=None):
    tp = fp = total = Fraction(0)
    for _, pos, neg in blocks(y, score, weight):
        tp, fp = tp + pos, fp + neg
        total += Fraction(pos) * tp / (tp + fp)
    return total / tp


def average_precision_orders(y, score):
    """Return (pessimistic, expected, optimistic) by trying every order of every tie."""
    tied = [set(permutations([1] * pos + [0] * neg)) for _, pos, neg in blocks(y, score)]
    orders = [()]
    for choices in tied:
        orders = [done + order for done in orders for order in choices]
    values = [average_precision_of_order(order) for order in orders]
    return min(values), sum(values) / len(values), max(values)


def hull(points):
    """Return the vertices of the upper hull by trying every chord."""
    kept = []
    for k, (x, y) in enumerate(points):
        below = any(
            (x2 - x1) * (y - y1) <= (y2 - y1) * (x - x1) and (x2, y2) != (x1, y1)
            for i, (x1, y1) in enumerate(points)
            for x2, y2 in points[k + 1 :]
            if i < k
        )
        if not below:
            kept.append((x, y))
    return kept

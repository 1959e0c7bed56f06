"""Very many groups: no table of all pairs is made, and the widest gap is that of all pairs."""

import tracemalloc

import numpy as np
import pytest

import curvewise as cw
from curvewise.breakdown import group_gaps, pair_ends
from curvewise.breakdown.pair_ends import difference_ends, ratio_ends, slices, widest_ends

RNG = np.random.default_rng(6)
N = 3000
Y = RNG.random(N) < 0.4
P = 1 / (1 + np.exp(-RNG.normal(Y * 1.0)))
GROUP = RNG.integers(0, 12, N)


def all_pairs(value, low, high, ratio):
    """Return the extreme ends of all pairs, one by one."""
    apart, pick = (ratio_ends, np.min) if ratio else (difference_ends, np.max)
    ends = apart(value[:, None], (low[:, None], high[:, None]), value, (low, high), 0.0)
    other = ~np.eye(len(value), dtype=bool)
    return tuple(float(pick(pairs[other])) for pairs in ends)


@pytest.mark.parametrize("ratio", [False, True], ids=["gap", "ratio"])
@pytest.mark.parametrize("case", ["rates", "any", "alike", "one wide", "two"])
def test_few_pairs_have_the_ends_of_all(case, ratio):
    rng = np.random.default_rng(3)
    for _ in range(60):
        k = 2 if case == "two" else int(rng.integers(3, 60))
        value = rng.uniform(0.05, 0.95, k)
        below, above = value * rng.random(k), (1 - value) * rng.random(k)
        if case == "rates":  # many of them equal
            trials = rng.integers(2, 6, k)
            part = rng.integers(1, trials, endpoint=True)
            value = part / trials
            ends = np.array([cw.rate_interval(a, b) for a, b in zip(part, trials, strict=True)]).T
            below, above = value - ends[0], ends[1] - value
        elif case == "alike":
            value, below, above = (np.full(k, x) for x in (0.5, 0.2, 0.3))
        elif case == "one wide":  # beats all others, but is not compared with itself
            value, below, above = np.full(k, 0.5), np.full(k, 0.01), np.full(k, 0.02)
            below[1], above[1] = 0.4, 0.45
        low, high = value - below, value + above
        found = widest_ends(value, low, high, None, ratio=ratio)
        assert found == pytest.approx(all_pairs(value, low, high, ratio), rel=1e-12)


@pytest.mark.parametrize("ratio", [False, True], ids=["gap", "ratio"])
def test_parts_of_all_pairs_give_what_all_give(ratio, monkeypatch):
    value = RNG.uniform(0.1, 0.9, 12)
    low, high, together = value / 2, (1 + value) / 2, np.full((12, 12), 0.3)
    whole = widest_ends(value, low, high, together, ratio=ratio)
    monkeypatch.setattr(pair_ends, "PAIRS", 30)  # two groups with all others at a time
    assert len(slices(12, 12)) == 6
    assert widest_ends(value, low, high, together, ratio=ratio) == whole


def test_independent_groups_have_no_matrix():
    groups = cw.by_group(Y, P, GROUP, metrics=["recall", "precision"], threshold=0.5)
    assert groups.correlation("recall", next(iter(groups.breakdowns))) is None


def test_fairness_of_many_groups_holds_no_pairs():
    """All pairs of 3000 groups are 72 MB of numbers, and there were several such tables."""
    y, group = np.tile([1, 0, 1, 0], 3000), np.repeat(np.arange(3000), 4)
    p = np.random.default_rng(1).uniform(0.3 * y, 0.7 + 0.3 * y)
    tracemalloc.start()
    try:
        found = cw.fairness(y, p, group, threshold=0.5)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 60e6
    assert found.to_dict()["xauc"] == []
    between = found.criterion("equal ranking between")
    assert between.gap.reason.code == "too_many_pairs"
    assert "4,498,500 pairs" in str(between.gap.reason)
    assert found.criterion("equal ranking").gap.is_defined


def test_pairs_of_many_groups_are_left_out_and_this_is_said(monkeypatch):
    few = cw.by_group(Y, P, GROUP).tests("roc_auc")
    monkeypatch.setattr(group_gaps, "MOST_PAIRED", 11)
    many = cw.by_group(Y, P, GROUP).tests("roc_auc")
    assert (len(few.pairs), len(many.pairs)) == (66, 0)
    assert many.omnibus == few.omnibus
    assert [n.code for n in many.notes] == [*(n.code for n in few.notes), "too_many_pairs"]


def test_auc_of_all_pairs_needs_no_table_of_them(monkeypatch):
    whole = cw.fairness(Y, P, GROUP, threshold=0.5).xauc
    pairs, auc = np.multiply.outer(whole.positives, whole.negatives), whole.auc
    off = ~np.eye(12, dtype=bool)
    monkeypatch.setattr("curvewise.breakdown.cross_auc._wins", None)
    again = cw.by_group(Y, P, GROUP)
    found = cw.breakdown.cross_auc.cross(again.partitions["group"], [g.sweep for g in again.groups()])
    assert found.pooled == cw.roc_auc(Y, P)
    assert found.within == pytest.approx(np.average(np.diag(auc), weights=np.diag(pairs)), rel=1e-12)
    assert found.between == pytest.approx(np.average(auc[off], weights=pairs[off]), rel=1e-12)
    assert found.share_within == pytest.approx(np.trace(pairs) / pairs.sum(), rel=1e-12)

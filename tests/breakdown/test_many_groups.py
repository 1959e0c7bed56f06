"""Very many groups: pairs are compared a part at a time, with the same result."""

import numpy as np
import pytest

import curvewise as cw
from curvewise.breakdown import group_gaps

RNG = np.random.default_rng(6)
N = 3000
Y = RNG.random(N) < 0.4
P = 1 / (1 + np.exp(-RNG.normal(Y * 1.0)))
GROUP = RNG.integers(0, 12, N)


@pytest.mark.parametrize("ratio", [False, True], ids=["gap", "ratio"])
def test_parts_of_all_pairs_give_what_all_give(ratio, monkeypatch):
    def found():
        groups = cw.by_group(Y, P, GROUP, metrics="recall", threshold=0.5)
        return (groups.ratio if ratio else groups.gap)("recall")

    whole = found()
    monkeypatch.setattr(group_gaps, "PAIRS", 30)  # two groups with all others at a time
    parts = found()
    assert len(group_gaps._slices(12)) == 6
    assert (parts.value, parts.low, parts.high) == (whole.value, whole.low, whole.high)


def test_groups_that_do_not_go_together_share_one_matrix():
    groups = cw.by_group(Y, P, GROUP, metrics=["recall", "precision"], threshold=0.5)
    column = next(iter(groups.breakdowns))
    assert groups.correlation("recall", column) is groups.correlation("precision", column)

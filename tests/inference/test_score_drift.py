"""How far scores have moved: by hand, against SciPy, and how often chance alone looks like a move."""

import math

import numpy as np
import pytest
from scipy import stats

import curvewise as cw
from curvewise.core.bins import Summary
from curvewise.core.sweep import Sweep
from curvewise.inference.score_drift import PARTS, score_drift


def sweeps(seed, n=200, m=300, shift=0.0):
    rng = np.random.default_rng(seed)
    pairs = [(rng.random(k) < 0.3, rng.normal(move, size=k)) for k, move in ((n, 0.0), (m, shift))]
    return [cw.sweep(y, s + y) for y, s in pairs], [(y, s + y) for y, s in pairs]


def test_psi_by_hand():
    # then: ten rows in each of ten bins of one score each; now: those of the last score have the first
    then = cw.Sweep.from_counts(range(10), [5] * 10, [5] * 10)
    now = cw.Sweep.from_counts(range(10), [5] * 9 + [10], [5] * 9 + [10])
    found = score_drift(then, now, "all", level=0.95)
    p, q = np.full(10, 10.5), np.r_[20.5, np.full(9, 10.5)]
    p, q = p / p.sum(), q / q.sum()
    assert found.psi == pytest.approx(float(np.sum((q - p) * np.log(q / p))))
    assert found.bins == 10
    assert found.psi_limit == pytest.approx(stats.chi2.ppf(0.95, 9) * (1 / 100 + 1 / 110))
    assert found.ks == pytest.approx(20 / 110 - 10 / 100)


@pytest.mark.parametrize("part", PARTS)
def test_ks_is_scipys(part):
    both, rows = sweeps(1, shift=0.4)
    keep = {"all": np.ones_like, "positives": lambda y: y, "negatives": lambda y: ~y}[part]
    first, second = (s[keep(y)] for y, s in rows)
    assert score_drift(*both, part, level=0.95).ks == pytest.approx(stats.ks_2samp(first, second).statistic)


def test_ks_sees_what_lies_between_the_scores_of_the_baseline():
    then, now = cw.sweep([0, 1, 0, 1], [0.5, 0.5, 0.1, 0.1]), cw.sweep([0, 1, 0, 1], [0.6, 0.6, 0.1, 0.1])
    assert score_drift(then, now, "all", level=0.95).ks == 0.5


@pytest.mark.parametrize("higher_is", ["positive", "negative"])
def test_the_direction_of_scores_does_not_matter(higher_is):
    both, rows = sweeps(2, shift=0.3)
    turned = [cw.sweep(y, -s if higher_is == "negative" else s, higher_is=higher_is) for y, s in rows]
    ours, theirs = (score_drift(*pair, "all", level=0.95) for pair in (both, turned))
    assert (ours.psi, ours.ks) == pytest.approx((theirs.psi, theirs.ks))


@pytest.mark.parametrize(
    ("psi", "size"), [(0.0, "little"), (0.0999, "little"), (0.1, "some"), (0.25, "some"), (0.26, "large")]
)
def test_sizes_are_those_of_the_convention(psi, size):
    found = cw.results.ScoreDrift("all", psi, 0.2, 10, 0.1, 0.0, 0.95)
    assert found.size == size
    assert found.is_clear == (psi > 0.2)


def test_equal_scores_have_no_bins():
    then, now = cw.sweep([0, 1, 0], [1, 1, 1]), cw.sweep([0, 1, 0], [1, 2, 3])
    found = score_drift(then, now, "all", level=0.95)
    assert math.isnan(found.psi)
    assert found.size is None
    assert not found.is_clear
    assert found.ks == pytest.approx(2 / 3)
    assert found.table.columns["psi"] == [None]


def test_few_rows_have_few_bins():
    (then, now), _ = sweeps(3, n=30, m=17)
    assert score_drift(then, now, "all", level=0.95).bins == 3


def test_rows_that_depend_on_each_other_have_no_limit():
    found = score_drift(*sweeps(4)[0], "all", level=0.95, independent=False)
    assert math.isnan(found.psi_limit)
    assert not found.is_clear
    assert found.psi == score_drift(*sweeps(4)[0], "all", level=0.95).psi


def test_chance_alone_is_rarely_a_clear_move_and_a_move_mostly_is():
    still = sum(score_drift(*sweeps(seed)[0], "all", level=0.95).is_clear for seed in range(200))
    moved = sum(score_drift(*sweeps(seed, shift=0.6)[0], "all", level=0.95).is_clear for seed in range(50))
    assert 2 <= still <= 20  # 10 expected
    assert moved >= 45


def test_bins_of_several_scores_say_how_far_shares_may_be_off():
    def binned(high):
        low = np.array([0.0, 2.0])
        counts = np.array([1, 2]), np.array([3, 4])
        return Sweep.from_summary(Summary(low, np.array([high, 2.0]), *counts))

    mixed, exact = binned(1.0), binned(0.0)
    assert score_drift(mixed, exact, "all", level=0.95).within == pytest.approx(0.4)  # 4 of 10 rows lie in the bin
    assert score_drift(mixed, exact, "positives", level=0.95).within == pytest.approx(1 / 3)
    assert score_drift(mixed, exact, "all", level=0.95, within=0.5).within == 0.5
    assert score_drift(exact, exact, "all", level=0.95).within == 0
    assert "1 bin of several scores" in str(mixed)
    assert "bin" not in str(exact)


@pytest.mark.parametrize("higher_is", ["positive", "negative"])
def test_bins_that_separate_scores_tell_the_same_drift_in_both_directions(higher_is):
    """Of 10 rows then 4 lie in the bin from 0 to 1, of 10 now 7: the largest distance is 0.3, whatever is positive."""

    def binned(low_rows):
        counts = np.array([low_rows, 0]), np.array([0, 10 - low_rows])
        summary = Summary(np.array([0.0, 2.0]), np.array([1.0, 2.0]), *counts)
        return Sweep.from_summary(summary, higher_is=higher_is)

    assert score_drift(binned(4), binned(7), "all", level=0.95).ks == pytest.approx(0.3)

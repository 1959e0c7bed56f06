"""Jeffreys' posterior of four counts: against exact Beta quantiles, many draws, and itself at any level."""

import math

import numpy as np
import pytest
from scipy import stats

import curvewise as cw
from curvewise.core.confusion import Confusion
from curvewise.inference.jeffreys import _Cells, jeffreys
from curvewise.metric.registry import every
from registry import given

NAMES = [m.name for m in every() if m.interval == "jeffreys"]


def sweep_of_cells(tp, fp, fn, tn):
    return cw.Sweep.from_counts([1, -1], [tp, fn], [fp, tn])


def pivot_of(name, *cells):
    sweep = sweep_of_cells(*cells)
    target = bound_to(name)
    return jeffreys(target, float(target.metric.counted(Confusion(*cells), **target.options)), None, sweep)


def bound_to(name):
    metric = next(m for m in every() if m.name == name)
    return metric.bind({**given(metric), **({"threshold": 1} if metric.family == "threshold" else {})})


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999, 1 - 1e-9])
def test_f1_has_the_quantiles_of_a_beta_distribution_at_any_level(level):
    tp, fp, fn, tn = 40, 60, 20, 280
    share = stats.beta(tp + 0.5, fp + fn + 1).ppf([(1 - level) / 2, (1 + level) / 2])
    found = cw.interval("f1", sweep_of_cells(tp, fp, fn, tn), threshold=1, level=level)
    assert [found.low, found.high] == pytest.approx(2 * share / (1 + share), rel=1e-6)


def test_neither_seed_nor_replicates_move_a_limit():
    sweep = sweep_of_cells(9, 4, 3, 50)
    one, other = (cw.interval("mcc", sweep, threshold=1, rng=rng, replicates=k) for rng, k in ((0, 10), (5, 999)))
    assert (one.low, one.high) == (other.low, other.high)
    assert one.replicates is None


@pytest.mark.parametrize("cells", [(40, 60, 20, 280), (15, 0, 5, 80), (0, 3, 7, 50), (5000, 3000, 2000, 90000)])
def test_tails_agree_with_many_draws(cells):
    draws = np.random.default_rng(1).standard_gamma(np.array(cells) + 0.5, (100_000, 4))
    for name in NAMES:
        pivot = pivot_of(name, *cells)
        with np.errstate(all="ignore"):
            target = bound_to(name)
            numbers = target.metric.counted(_Cells(*draws.T), **target.options)
        for side, at in ((0, 0.025), (0, 0.5), (1, 0.975)):
            x = float(np.quantile(numbers, at))
            share = np.mean(numbers < x if side == 0 else numbers > x)
            assert pivot.tail(x, side) == pytest.approx(share, abs=4 * math.sqrt(at * (1 - at) / len(draws)) + 5e-4), (
                name
            )


@pytest.mark.parametrize("name", NAMES)
def test_p_is_alpha_where_the_interval_of_that_level_ends(name):
    pivot = pivot_of(name, 30, 12, 9, 150)
    for level in (0.9, 0.999, 1 - 1e-8):
        for end in pivot.ends(level):
            assert pivot.p_value(end) == pytest.approx(1 - level, rel=1e-4)
    assert pivot.p_value(pivot.value) == 1


def test_far_tails_are_small_and_never_nothing():
    y, score = np.repeat([1, 0], [300, 3000]), np.repeat([1, 0, 1, 0], [240, 60, 150, 2850])
    found = cw.compare(y, {"a": score}, metric="f1", against=0.2, threshold=1)
    share = stats.beta(240.5, 211)  # F1 of 0.2 is a share of 1/9
    assert found.p_value == pytest.approx(2 * share.cdf(1 / 9), rel=1e-6)
    assert 0 < found.p_value < 1e-80
    assert 18 < found.pairs[0].statistic < 25


def test_few_clusters_widen_an_interval_more_at_a_high_level():
    rng = np.random.default_rng(2)
    cluster = np.repeat(np.arange(8), 30)
    y = rng.random(240) < 0.4
    score = rng.normal(size=240) + y + rng.normal(size=8)[cluster]
    reach = {}
    for level in (0.5, 0.99):
        found = cw.interval("youden", y, score, threshold=0.5, cluster=cluster, level=level)
        reach[level] = found.high - found.low
    normal = stats.norm.ppf(0.995) / stats.norm.ppf(0.75)
    assert reach[0.99] / reach[0.5] > 1.15 * normal

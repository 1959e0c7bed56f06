"""Rates of clustered rows: as many independent rows as tell as much."""

import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.inference.rate_at_rate import _Path


def rate(found, **options):
    """Return the interval of accuracy-like shares: each row is right or wrong."""
    y = np.ones(len(found), dtype=int)
    return cw.interval("recall", y, found, threshold=1, **options)


@pytest.mark.parametrize(("right", "n"), [(0, 12), (3, 12), (12, 12), (45, 60)])
def test_repeated_rows_are_one_row(right, n):
    found = np.repeat([1, 0], [right, n - right])
    alone = rate(found)
    together = rate(np.repeat(found, 7), cluster=np.repeat(np.arange(n), 7))
    assert (together.value, together.low, together.high) == pytest.approx((alone.value, alone.low, alone.high))


def test_clusters_of_one_row_change_nothing():
    found = np.repeat([1, 0], [30, 20])
    alone, together = rate(found), rate(found, cluster=np.arange(50))
    assert (together.low, together.high) == pytest.approx((alone.low, alone.high))


def test_independent_rows_in_clusters_keep_about_their_width():
    rng = np.random.default_rng(0)
    found = (rng.random(4000) < 0.7).astype(int)
    ratio = [rate(found, cluster=np.arange(4000) // 4), rate(found)]
    assert ratio[0].high - ratio[0].low == pytest.approx(ratio[1].high - ratio[1].low, rel=0.1)


def test_rows_that_go_together_widen_it():
    rng = np.random.default_rng(1)
    cluster = np.repeat(np.arange(200), 5)
    found = (rng.random(1000) < rng.beta(2, 1, 200)[cluster]).astype(int)
    honest, naive = rate(found, cluster=cluster), rate(found)
    resampled = rate(found, cluster=cluster, method="bootstrap")
    assert honest.high - honest.low > 1.2 * (naive.high - naive.low)
    assert (honest.low, honest.high) == pytest.approx((resampled.low, resampled.high), abs=0.01)


def test_it_holds_where_a_bootstrap_does_not():
    """15 clusters of 1 to 19 rows, correlation 0.3, rate 0.95: percentile 0.80 of 1500, this 0.92."""
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(300):
        size = rng.integers(1, 20, 15)
        cluster = np.repeat(np.arange(15), size)
        chance = rng.beta(0.95 * (1 / 0.3 - 1), 0.05 * (1 / 0.3 - 1), 15)
        e = rate((rng.random(len(cluster)) < chance[cluster]).astype(int), cluster=cluster)
        held += e.low <= 0.95 <= e.high
    assert held / 300 >= 0.88


def test_weights_and_clusters_scale_away():
    rng = np.random.default_rng(3)
    found, weight = (rng.random(300) < 0.6).astype(int), rng.uniform(0.5, 3, 300)
    cluster = np.arange(300) // 3
    one, two = (rate(found, cluster=cluster, weight=w) for w in (weight, 1000 * weight))
    assert (one.low, one.high) == pytest.approx((two.low, two.high))
    assert one.value == pytest.approx(np.average(found, weights=weight))


def test_all_right_is_a_bound_of_the_clusters():
    found = np.ones(30, dtype=int)
    e = rate(found, cluster=np.arange(30) // 10)
    assert (e.low, e.high) == pytest.approx(cw.rate_interval(3, 3))
    one = rate(found, cluster=np.zeros(30))
    assert math.isnan(one.low)
    assert one.reason.code == "one_cluster"


def test_six_clusters_by_hand():
    # 1, 2, 3, 2, 1, 3 of 4 rows: the rate is 1/2, the variance (1+0+1+0+1+1)/24², so 0.25·144 = 36 rows would tell
    # as much; six clusters give it five degrees of freedom, for Satterthwaite's 24 are more than five
    hits = [1, 2, 3, 2, 1, 3]
    found = np.concatenate([np.repeat([1, 0], [k, 4 - k]) for k in hits])
    estimate = rate(found, cluster=np.repeat(np.arange(6), 4))
    normal, t = 1.959963984540054, 2.570581835636314  # 97.5 % quantiles, t with five degrees of freedom
    rows = 36 * 5 / 6 * (normal / t) ** 2
    assert (estimate.low, estimate.high) == pytest.approx(cw.rate_interval(rows / 2, rows))


def test_half_a_row_lies_beyond_the_end_where_the_last_rows_are_tied():
    one = np.array([0.0, 1.0, 3.0])
    for tied, first, last in (((False, True), 0, 3.5), ((True, False), -0.5, 3)):
        path = _Path(one, np.array([0.0, 1, 2]), np.array([0.0, 2, 2]), np.array(tied)).scaled(3, 2)
        assert path.x.tolist() == [first, 1, last]

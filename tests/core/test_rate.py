"""Intervals of a rate: their coverage, counted exactly by binomial sums, and how many rows dependent ones are worth."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import binom, norm, t

import curvewise as cw
from curvewise.core.rate import RateOfRows, _degrees, _rate_at_horizon, rate_of_cells, rate_of_units, wilson_ends
from curvewise.core.strata import strata_of_columns


def coverage(n, rate, method="wilson"):
    """Return how often the 95% interval of k out of n holds a rate."""
    ends = np.array([cw.rate_interval(k, n, method=method) for k in range(n + 1)])
    holds = (ends[:, :1] <= rate) & (rate <= ends[:, 1:])
    return (holds * binom.pmf(np.arange(n + 1)[:, None], n, rate)).sum(axis=0)


def edges(n, method="wilson", low=0.0, high=1.0):
    """Return rates just beside the ends of intervals; between two of them coverage has no lowest point."""
    ends = np.unique([cw.rate_interval(k, n, method=method) for k in range(n + 1)])
    return np.nextafter(ends[(ends > low) & (ends < high)], [[0], [1]]).ravel()


@pytest.mark.parametrize(
    ("n", "lowest", "inside", "mean"),
    [(10, 0.835, 0.916, 0.954), (20, 0.837, 0.926, 0.953), (50, 0.838, 0.931, 0.952), (100, 0.838, 0.933, 0.951)],
)
def test_wilson_dips_next_to_0_and_1(n, lowest, inside, mean):
    rate = edges(n)
    found = coverage(n, rate)
    assert found.min() == pytest.approx(lowest, abs=5e-4)
    assert n * min(rate[found.argmin()], 1 - rate[found.argmin()]) == pytest.approx(0.18, abs=0.01)
    assert coverage(n, edges(n, low=0.1, high=0.9)).min() == pytest.approx(inside, abs=5e-4)
    assert coverage(n, np.linspace(0.0005, 0.9995, 2000)).mean() == pytest.approx(mean, abs=5e-4)


@pytest.mark.parametrize("n", [10, 20, 50, 100])
def test_clopper_and_pearson_never_dip(n):
    assert coverage(n, edges(n, "clopper-pearson"), "clopper-pearson").min() >= 0.95


def test_no_trials_have_no_interval_among_many():
    low, high = wilson_ends(np.array([0.0, 3.0]), np.array([0.0, 4.0]), 0.95)
    assert (low, high) == tuple(pytest.approx([np.nan, end], nan_ok=True) for end in cw.rate_interval(3, 4))


@pytest.mark.parametrize("level", [0, 1])
def test_a_level_lies_strictly_between_0_and_1(level):
    with pytest.raises(cw.CurvewiseError, match="level"):
        cw.rate_interval(3, 4, level=level)


@pytest.mark.parametrize(("value", "trials"), [(0.5, np.nan), (np.nan, 4.0)])
def test_a_rate_or_number_of_rows_that_is_unknown_has_no_interval(value, trials):
    assert RateOfRows(value, trials, np.zeros(1)).interval(0.95) == pytest.approx((np.nan, np.nan), nan_ok=True)


def by_t(degrees, level=0.95):
    """Return the factor of a number of rows whose variance has so many degrees of freedom."""
    ratio = norm.ppf((1 + level) / 2) / t.ppf((1 + level) / 2, degrees)
    return degrees / (degrees + 1) * ratio**2


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_degrees_of_freedom_do_not_depend_on_scale(scale):
    """Squares are 9, 9 and eight times 0, their mean 1.8: 2·18² / (2·7.2² + 8·1.8²) = 5."""
    away = scale * np.array([3.0, -3, 0, 0, 0, 0, 0, 0, 0, 0])
    assert _degrees(away, np.ones(10)) == pytest.approx(5)


def test_degrees_of_freedom_at_the_ends():
    assert _degrees(np.zeros(3), np.ones(3)) == 1
    # the squares 4, 1, 1 lie on the line 2 + away: nothing is left over
    assert _degrees(np.array([2.0, -1, -1]), np.ones(3)) == np.inf
    # two halves of a unit, one less than which is none
    assert _degrees(np.array([3.0, -1]), np.array([0.5, 0.5])) == 1
    # squares of 1 and 1.0002: hardly uncertain, so all units but one count
    assert _degrees(np.tile([1.0, -1, 1.0001, -1.0001], 100), np.ones(400)) == 399


def test_clusters_of_one_rate_count_as_their_rows():
    found = rate_of_units(np.ones(3), np.full(3, 2.0), 6.0, 0.95, clustered=True)
    assert (found.value, found.trials) == (0.5, 6)


def test_many_pairs_of_equal_rows_count_as_pairs():
    hits = np.zeros(100_000)
    hits[:1000] = 2
    found = rate_of_units(hits, np.full(100_000, 2.0), 200_000.0, 0.95, clustered=True)
    assert found.trials == pytest.approx(100_000)


@pytest.mark.parametrize(
    ("hits", "spread"),
    [
        # ±1/8 each, times 1 - 1/4: 3/64; averaged, five to one, with 1/4 of 1/4
        ([1, 0, 1, 0], (5 / 16 + 3 / 64) / 6),
        # ±1/4 each, times 1 - 1/2: 1/16; averaged, five to one, with 1/4 of 1/2
        ([1, 0], (5 / 8 + 1 / 16) / 6),
    ],
)
def test_strata_of_one_row_each_have_one_degree_of_freedom(hits, spread):
    rows = len(hits)
    strata = strata_of_columns(np.arange(rows), None, None)
    found = rate_of_units(np.array(hits, float), np.ones(rows), float(rows), 0.95, clustered=False, strata=strata)
    assert found.trials == pytest.approx(0.25 / spread * by_t(1))


def at_horizon(hits, each, **columns):
    """Return a rate at a horizon by which every outcome is known, so that no weight adds an error."""
    rows = cw.read_rows(np.arange(len(hits)) % 2, np.arange(len(hits)), **columns)
    known = SimpleNamespace(everyone=rows, influence=lambda each: each)
    return _rate_at_horizon(rows, known, np.array(hits, float), np.array(each, float), 0.95)


@pytest.mark.parametrize("value", [0, 1])
def test_at_a_horizon_a_rate_of_0_or_1_counts_clusters(value):
    """Clusters of 2, 1 and 1 rows are worth 4² / (2² + 1 + 1)."""
    found = at_horizon([value] * 4, [1] * 4, cluster=[0, 0, 1, 2])
    assert (found.value, found.trials) == (value, pytest.approx(8 / 3))


def test_at_a_horizon_clusters_of_one_rate_count_as_their_rows():
    found = at_horizon([1, 0, 1, 0], [1] * 4, cluster=[0, 0, 1, 1])
    assert (found.value, found.trials) == (0.5, 4)


def test_at_a_horizon_many_pairs_of_equal_rows_count_as_pairs():
    found = at_horizon(np.arange(200_000) < 2000, np.ones(200_000), cluster=np.arange(200_000) // 2)
    assert found.trials == pytest.approx(100_000)


def test_at_a_horizon_clusters_outside_the_whole_add_no_uncertainty():
    """Two clusters of two rows, one all hits and one without: two independent rows; eight more rows are outside."""
    found = at_horizon([1, 1, *[0] * 10], [1] * 4 + [0] * 8, cluster=[0, 0, 1, 1, *range(2, 10)])
    assert found.trials == pytest.approx(2)


def test_at_a_horizon_strata_bound_the_degrees_of_freedom():
    """±1/8 each, times 2 / (2 - 1) within strata: a variance of 1/8 with 4 - 2 degrees of freedom."""
    found = at_horizon([1, 0, 1, 0], [1] * 4, stratum=[0, 0, 1, 1])
    assert found.trials == pytest.approx(2 * by_t(2))


def test_intervals_of_many_rates_are_those_of_each():
    k, n = np.array([0.0, 1, 0, 2]), np.array([1.0, 1, 3, 3])
    ends = [cw.rate_interval(*each, level=0.9) for each in zip(k, n, strict=True)]
    assert np.transpose(wilson_ends(k, n, 0.9)) == pytest.approx(np.array(ends))


def test_errors_of_two_rates_go_together_as_their_units_do():
    one, two = (RateOfRows(0.5, 4.0, np.array(away)) for away in ([1.0, 2, -2], [2.0, 0, -1.5]))
    assert one.correlation(two) == pytest.approx(5 / (3 * 2.5))
    assert one.correlation(RateOfRows(0.5, 4.0, np.zeros(3))) == 0


def test_at_a_horizon_one_cluster_does_not_say_how_rates_vary():
    assert np.isnan(at_horizon([1, 0, 1, 0], [1] * 4, cluster=[0] * 4).trials)
    assert np.isnan(at_horizon([0] * 4, [0] * 4, cluster=[0, 0, 1, 1]).value)


def test_rates_of_cells_at_a_threshold():
    """Scores from 3 on are flagged: two of three positives, one of three negatives."""
    rows = cw.read_rows([1, 1, 0, 1, 0, 0], [5, 3, 4, 1, 2, 0])
    for part, whole, value in (("tp", ("tp", "fn"), 2 / 3), ("fp", ("fp", "tn"), 1 / 3), ("fp", ("tp", "fp"), 1 / 3)):
        assert rate_of_cells(rows, 3, (part,), whole, level=0.95).value == pytest.approx(value)
    assert rate_of_cells(rows, 3, ("tp", "tn"), ("tp", "fp", "fn", "tn"), level=0.95).value == pytest.approx(4 / 6)


def test_nothing_is_known_of_no_rows_and_little_of_one_cluster():
    none = rate_of_units(np.zeros(2), np.zeros(2), 0.0, 0.95, clustered=True)
    assert np.isnan([none.value, none.trials]).all()
    one = rate_of_units(np.array([1.0, 0]), np.array([4.0, 0]), 4.0, 0.95, clustered=True)
    assert one.value == 0.25
    assert np.isnan(one.trials)
    # nothing varies: clusters of 3 and 1 rows are worth 4² / (3² + 1)
    assert rate_of_units(np.zeros(2), np.array([3.0, 1]), 4.0, 0.95, clustered=True).trials == pytest.approx(1.6)


def test_the_interval_is_that_of_as_many_rows_as_it_is_worth():
    assert RateOfRows(0.25, 8.0, np.zeros(1)).interval(0.9) == cw.rate_interval(2, 8, level=0.9)

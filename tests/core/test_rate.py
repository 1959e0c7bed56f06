"""What is said of the coverage of intervals of a rate, counted exactly by binomial sums."""

import numpy as np
import pytest
from scipy.stats import binom

import curvewise as cw
from curvewise.core.rate import wilson_ends


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

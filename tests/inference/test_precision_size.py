"""Sizes for narrow intervals: just enough, and as the intervals of real rows are."""

import numpy as np
import pytest
from scipy.stats import norm

import curvewise as cw


@pytest.mark.parametrize("rate", [0.5, 0.9, 0.99])
def test_rows_for_a_rate_are_just_enough(rate):
    n = cw.rate_sample_size(rate, half_width=0.05)

    def half(rows):
        low, high = cw.rate_interval(rate * rows, rows)
        return (high - low) / 2

    assert half(n) <= 0.05 < half(n - 1)


@pytest.mark.parametrize(("auc", "half_width", "ratio"), [(0.7, 0.08, 1), (0.85, 0.05, 9), (0.95, 0.03, 0.5)])
def test_intervals_of_studies_of_that_size_are_that_narrow(auc, half_width, ratio):
    rng = np.random.default_rng(4)
    cases, controls = cw.auc_sample_size(auc, half_width=half_width, ratio=ratio)
    y = np.repeat([1, 0], [cases, controls])
    shift = np.sqrt(2) * norm.ppf(auc)
    found = [cw.interval("roc_auc", y, rng.normal(size=len(y)) + shift * y) for _ in range(100)]
    assert np.mean([(e.high - e.low) / 2 for e in found]) == pytest.approx(half_width, rel=0.12)


def test_narrower_intervals_need_more_rows():
    sizes = [cw.auc_sample_size(0.8, half_width=h) for h in (0.2, 0.1, 0.05, 0.025)]
    assert sizes == sorted(sizes)
    # with n times as many rows an interval is narrower by the root of n
    assert sizes[3][0] / sizes[2][0] == pytest.approx(4, rel=0.05)
    assert cw.auc_sample_size(0.8, half_width=0.05, level=0.99) > sizes[2]
    assert cw.auc_sample_size(0.8, half_width=0.05) == cw.auc_sample_size(0.2, half_width=0.05)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cw.rate_sample_size(0.9, half_width=0.7), "half_width: expected"),
        (lambda: cw.auc_sample_size(0.9, half_width=0), "half_width: expected"),
        (lambda: cw.auc_sample_size(1.0, half_width=0.1), "auc: expected"),
        (lambda: cw.auc_sample_size(0.9, half_width=0.1, ratio=0), "ratio: expected"),
        (lambda: cw.auc_sample_size(0.9, half_width=0.1, level=1), "level: expected"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        call()

"""Resamples: what they cost goes with rows or blocks, never with what these count for."""

import numpy as np
import pytest

import curvewise as cw
from curvewise.core.resampling import owner_draws
from curvewise.core.strata import strata_of_columns

Y, A, B = [1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.3, 0.6, 0.2], [0.5, 0.8, 0.9, 0.3, 0.1, 0.2]
HUGE = {"weight": [10**12] * 6, "weight_kind": "count"}  # one by one, 12 TB at the least


CALLS = {
    "percentile": lambda: cw.interval("pr_auc", Y, A, method="percentile", **HUGE),
    "bca": lambda: cw.interval("pr_auc", Y, A, method="bca", **HUGE),
    "strata": lambda: cw.interval("pr_auc", Y, A, method="percentile", stratum=list("aabbab"), **HUGE),
    "two": lambda: cw.compare(Y, {"a": A, "b": B}, metric="pr_auc", method="bootstrap", **HUGE).difference,
}


@pytest.mark.parametrize("call", CALLS)
def test_weights_that_count_cost_no_memory(call):
    found = CALLS[call]()
    assert found.high - found.low == pytest.approx(0, abs=1e-4)
    assert found.low <= found.value <= found.high


def test_groups_of_very_many_rows_that_are_separated():
    found = cw.by_group(Y, A, list("aaabbb"), **HUGE).table.columns
    assert found["high"] == pytest.approx(found["low"], abs=1e-4)


@pytest.mark.filterwarnings("error")
def test_bands_of_very_many_rows():
    band = cw.roc_band(Y, A, **HUGE)
    assert np.isfinite([band.low, band.high]).all()
    assert (band.low <= band.high).all()


@pytest.mark.parametrize("each", [1, 1000], ids=["one by one", "multinomial"])
def test_draws_have_the_moments_of_a_resample(each):
    counts = np.array([0, 2, 5, 0, 3, 10, 0]) * each
    draw, total, rng = owner_draws(counts), int(counts.sum()), np.random.default_rng(1)
    drawn = np.array([draw(rng, total) for _ in range(4000)])
    share = counts / total
    assert (drawn.sum(axis=1) == total).all()
    assert (drawn[:, counts == 0] == 0).all()
    assert drawn.mean(axis=0) == pytest.approx(counts, rel=0.05)
    assert drawn.var(axis=0) == pytest.approx(total * share * (1 - share), rel=0.1)


@pytest.mark.parametrize("each", [2, 1000], ids=["one by one", "multinomial"])
def test_draws_within_strata(each):
    """Half of the units of the first stratum are not here."""
    counts, stratum = np.array([1, 3, 2, 2]) * each, np.array([0, 0, 1, 1])
    strata = strata_of_columns(stratum, None, np.array([8, 4]) * each, counts)
    draw, rng = strata.draw(), np.random.default_rng(1)
    drawn = np.array([draw(rng) for _ in range(4000)])
    assert drawn.mean(axis=0) == pytest.approx(counts, rel=0.05)
    assert (drawn[:, 2:].sum(axis=1) == 4 * each).all()
    share = counts / (np.array([8, 8, 4, 4]) * each)
    assert drawn.var(axis=0) == pytest.approx(np.array([8, 8, 4, 4]) * each * share * (1 - share), rel=0.1)

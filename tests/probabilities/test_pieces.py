"""Sums over pieces of many blocks, beside the definitions over all rows at once."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.special import expit

import curvewise as cw
from curvewise.core import kernel, keys
from curvewise.metric.blocks import read_blocks
from curvewise.metric.log_odds import log_odds
from curvewise.metric.probability_bins import in_bins
from curvewise.metric.smooth_ece import on_grid
from curvewise.metric.smooth_reliability import mean_and_quantiles
from curvewise.metric.spline import knots_of


@pytest.fixture(autouse=True)
def _default_threads():
    yield
    cw.set_threads(None)


def make_rows(n, seed=0, decimals=None):
    rng = np.random.default_rng(seed)
    odds = rng.normal(-1, 1.5, n)
    y = rng.random(n) < expit(odds)
    p = expit(0.3 + 0.8 * odds)
    return y, p if decimals is None else p.round(decimals)


@settings(deadline=None)
@given(st.data())
def test_sums_within_ranges(data):
    size = data.draw(st.integers(1, 60))
    starts = np.array(sorted({0, *data.draw(st.lists(st.integers(0, size - 1)))}))
    values = np.array(data.draw(st.lists(st.integers(-9, 9), min_size=2 * size, max_size=2 * size))).reshape(2, size)
    chunk = data.draw(st.integers(1, 20))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "CHUNK", chunk)
        found = kernel.sums_within(lambda here: values[:, here], starts, size)
        steps = kernel.steps(np.cumsum(values[0]))
    assert found.tolist() == np.add.reduceat(values, starts, axis=1).tolist()
    assert steps.tolist() == values[0].tolist()


@pytest.mark.parametrize("binning", ["width", "count"])
@pytest.mark.parametrize("weights", [None, "whole", "fractional"])
def test_bins_hold_their_rows(binning, weights, monkeypatch):
    monkeypatch.setattr(keys, "CHUNK", 64)
    y, p = make_rows(3000, decimals=3)
    rng = np.random.default_rng(1)
    weight = {None: np.ones(3000, int), "whole": rng.integers(1, 4, 3000), "fractional": rng.uniform(0.5, 2, 3000)}[
        weights
    ]
    found = in_bins(cw.sweep(y, p, weight=None if weights is None else weight), 7, binning)
    below = np.append(found.low[1:], 2) if binning == "count" else found.high
    upper = below if binning == "width" else np.nextafter(below, 0)
    of = np.searchsorted(upper, p)
    assert found.n == pytest.approx(np.bincount(of, weight))
    assert found.positives == pytest.approx(np.bincount(of, weight * y))
    assert found.mean == pytest.approx(np.bincount(of, weight * p) / np.bincount(of, weight))
    if weights != "fractional":
        assert found.n.dtype.kind == "i"
    if binning == "count":  # the fewest blocks that hold each share
        share = np.cumsum(found.n)[:-1] / found.n.sum()
        assert (np.abs(share - np.arange(1, 7) / 7) < 0.01).all()


PLACES = [0.0, 0.1, 0.25, 0.3, 0.7, 1.0]


@settings(deadline=None)
@given(
    hnp.arrays(float, st.integers(1, 60), elements=st.sampled_from([*PLACES, 1e-310, 0.15, 0.5, 0.55, 0.9])),
    st.lists(st.sampled_from(PLACES), min_size=1, unique=True),
    st.data(),
)
def test_distances_by_cells_are_those_of_all_rows(p, places, data):
    p = np.sort(p)[:: data.draw(st.sampled_from([1, -1]))]
    weight = np.array(data.draw(st.lists(st.integers(0, 4), min_size=len(p), max_size=len(p))), float)
    weight[data.draw(st.integers(0, len(p) - 1))] += 1
    curve = data.draw(st.lists(st.sampled_from(PLACES), min_size=len(places), max_size=len(places)))
    line = np.sort(places), np.array(curve)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "CHUNK", data.draw(st.integers(1, 50)))
        patch.setattr("curvewise.metric.smooth_reliability.CELLS", data.draw(st.integers(1, 70)))
        mean, *found = mean_and_quantiles(line, p, [weight * 0.25, weight * 0.75], (0.5, 0.9))
    values = np.abs(np.interp(p, *line) - p)
    assert mean == pytest.approx(np.average(values, weights=weight), abs=1e-15)
    rows = np.sort(values.repeat(weight.astype(int)))
    for share, one in zip((0.5, 0.9), found, strict=True):
        at = share * len(rows)
        k = math.ceil(at - 1e-9) - 1
        on_edge = abs(at - round(at)) < 1e-9
        # an edge between two different values is their middle; between equal ones it is the value
        assert one == pytest.approx((rows[k] + rows[min(k + 1, len(rows) - 1)]) / 2 if on_edge else rows[k])


def test_residuals_on_the_grid_do_not_depend_on_pieces_or_direction():
    p = np.sort(np.random.default_rng(0).random(500))
    residual = np.random.default_rng(1).normal(size=(3, 500))
    whole = on_grid(p, residual)
    assert on_grid(p[::-1], residual[:, ::-1]) == pytest.approx(whole, abs=1e-12)
    assert on_grid(p[:200], residual[:, :200]) + on_grid(p[200:], residual[:, 200:]) == pytest.approx(whole, abs=1e-12)
    middles = (np.arange(whole.shape[1]) + 0.5) / whole.shape[1]
    assert whole.sum(axis=1) == pytest.approx(residual.sum(axis=1))
    assert whole @ middles == pytest.approx(residual @ np.clip(p, middles[0], middles[-1]))


def test_knots_are_quantiles_of_the_information(monkeypatch):
    y, p = make_rows(2000)
    blocks = read_blocks(y, p, {})[1]
    at_once = knots_of(blocks, 4)
    order = np.argsort(p)
    mass = np.cumsum((p * (1 - p))[order])
    wanted = log_odds(p[order][np.searchsorted(mass, np.array([0.05, 0.35, 0.65, 0.95]) * mass[-1])])
    assert at_once == pytest.approx(wanted)
    monkeypatch.setattr(keys, "CHUNK", 77)
    assert np.array_equal(knots_of(read_blocks(y, p, {})[1], 4), at_once)


def test_calibration_of_many_rows_depends_on_neither_pieces_nor_threads(monkeypatch):
    y, p = make_rows(120_000)
    plain = {"replicates": 20}
    cw.set_threads(1)
    one = cw.calibration(y, p, **plain).to_dict()
    cw.set_threads(3)
    assert cw.calibration(y, p, **plain).to_dict() == one
    # the order of rows shows in nothing but rounding
    order = np.random.default_rng(5).permutation(len(y))
    assert cw.calibration(y[order], p[order], **plain).to_dict() == one
    monkeypatch.setattr(keys, "CHUNK", 5000)
    other = cw.calibration(y, p, **plain)
    for name in ("ece", "mce", "smooth_ece", "ici", "e50", "e90", "squared_error"):
        assert getattr(other, name) == pytest.approx(one[name], rel=1e-9, abs=1e-12)
    assert other.joint.statistic == pytest.approx(one["joint"]["statistic"], rel=1e-9)
    assert other.spiegelhalter.statistic == pytest.approx(one["spiegelhalter"]["statistic"], rel=1e-9)
    assert other.slope.value == pytest.approx(one["slope"]["value"], rel=1e-11)


def test_a_joint_test_of_many_blocks_is_that_of_its_definition():
    """U'V⁻¹U with the spline's columns as they are: no orthogonal ones, no cells, no pieces."""
    y, p = make_rows(20_000)
    found = cw.calibration(y, p, replicates=0).joint
    knots = knots_of(read_blocks(y, p, {})[1], 4)
    x = log_odds(p)

    def above(knot):
        return np.maximum(x - knot, 0) ** 3

    bends = [
        above(k) - (above(knots[-2]) * (knots[-1] - k) - above(knots[-1]) * (knots[-2] - k)) / (knots[-1] - knots[-2])
        for k in knots[:2]
    ]
    columns = np.stack([np.ones(len(x)), x, *bends])
    away = columns @ (y - p)
    covariance = (columns * (p * (1 - p))) @ columns.T
    assert found.degrees == 4
    assert found.statistic == pytest.approx(away @ np.linalg.solve(covariance, away), rel=1e-9)

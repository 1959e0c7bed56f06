"""Condensed blocks: the sums, fits and tests of many blocks, beside those of all of them."""

import numpy as np
import pytest
from scipy.special import expit

import curvewise as cw
from curvewise.core import keys
from curvewise.metric import condensed, logistic
from curvewise.metric.blocks import read_blocks
from curvewise.metric.log_odds import log_odds
from curvewise.metric.logistic import in_the_large_fit, slope_fit
from curvewise.probabilities.goodness_tests import joint_test, spiegelhalter

N = 150_000


def odds_of(shape, rng):
    return {
        "normal": lambda: rng.normal(-1, 1.5, N),
        "far": lambda: np.clip(rng.standard_cauchy(N), -700, 36.5),
        "two": lambda: np.where(rng.random(N) < 0.5, -6, 6) + 0.001 * rng.normal(size=N),
        "close": lambda: 2 + 0.01 * rng.normal(size=N),
    }[shape]()


def make_rows(shape="normal", seed=0):
    rng = np.random.default_rng(seed)
    odds = odds_of(shape, rng)
    return rng.random(N) < expit(0.1 + 0.9 * odds), expit(odds)


def read(y, p, **options):
    return read_blocks(y, p, options)[1].uncertain


@pytest.fixture
def all_blocks(monkeypatch):
    """Return what does something without condensing."""

    def work(what):
        with monkeypatch.context() as patch:
            patch.setattr(condensed, "MANY", 10**9)
            return what()

    return work


@pytest.mark.parametrize("shape", ["normal", "far", "two", "close"])
def test_sums_of_smooth_functions_stay(shape):
    blocks = read(*make_rows(shape))
    few = blocks.condensed
    assert len(few.p) < len(blocks.p)
    assert few.condensed is few
    assert (np.diff(few.odds) <= 0).all()
    assert few.odds[[0, -1]].tolist() == log_odds(blocks.p[[0, -1]]).tolist()
    assert ((few.p > 0) & (few.p < 1)).all()
    for smooth in (np.ones_like, lambda b: b, np.square, expit, lambda b: expit(b) * expit(-b), np.sin):
        for name in ("positives", "negatives"):
            every, some = ((getattr(each, name) * smooth(each.odds)).sum() for each in (blocks, few))
            size = (getattr(blocks, name) * np.abs(smooth(blocks.odds))).sum()
            assert some == pytest.approx(every, abs=1e-10 * size)


def test_nodes_are_ends_and_middle_with_the_moments_of_their_rows(monkeypatch):
    """Two cells by hand: rows at -1, 0 and 1 about 0 are their own nodes; one row is the middle of its cell."""
    monkeypatch.setattr(condensed, "MANY", 3)
    monkeypatch.setattr(condensed, "CELLS", 1)
    monkeypatch.setattr(condensed, "WIDEST", 2.5)
    odds = np.array([1.0, 0.0, -1.0, -1.75])
    few = read([1, 0, 1, 0, 1, 1], expit(odds)[[0, 0, 1, 2, 2, 3]]).condensed
    # the range of 2.75 is cut in two: the row in the middle of the second cell's two is none of its nodes
    assert few.odds == pytest.approx([1.0, 0.5, 0.0, -1.0, -1.375, -1.75])
    assert few.positives == pytest.approx([1, 0, 1, 1, 0, 1])
    assert few.negatives == pytest.approx([1, 0, 0, 1, 0, 0])


def test_a_row_between_nodes_is_shared_by_three(monkeypatch):
    monkeypatch.setattr(condensed, "MANY", 2)
    monkeypatch.setattr(condensed, "CELLS", 1)
    monkeypatch.setattr(condensed, "WIDEST", 5.0)
    few = read([1, 0, 1], expit(np.array([2.0, 1.0, -2.0]))).condensed
    assert few.odds == pytest.approx([2, 0, -2])
    assert few.positives == pytest.approx([1, 0, 1])
    # at half of the half width: u = 1/2, so (u² + u)/2, 1 - u², (u² - u)/2
    assert few.negatives == pytest.approx([0.375, 0.75, -0.125])


@pytest.mark.parametrize("chunk", [1000, 1 << 18])
def test_pieces_and_threads_do_not_show(chunk, monkeypatch):
    y, p = make_rows()
    one = read(y, p).condensed
    monkeypatch.setattr(keys, "CHUNK", chunk)
    cw.set_threads(3)
    other = read(y, p).condensed
    cw.set_threads(None)
    for name in ("p", "positives", "negatives"):
        assert getattr(other, name) == pytest.approx(getattr(one, name), abs=1e-11)


@pytest.mark.parametrize("shape", ["normal", "far", "two", "close"])
@pytest.mark.parametrize("fit", [slope_fit, in_the_large_fit])
def test_a_fit_is_that_of_all_blocks(shape, fit, all_blocks):
    y, p = make_rows(shape)
    found, wanted = fit(read(y, p)), all_blocks(lambda: fit(read(y, p)))
    errors = np.sqrt(np.diag(wanted.covariance))
    assert found.coefficients / errors == pytest.approx(wanted.coefficients / errors, abs=1e-8)
    assert found.covariance == pytest.approx(wanted.covariance, rel=1e-8)
    assert found.log_likelihood == pytest.approx(wanted.log_likelihood, rel=1e-11)
    if fit is slope_fit:  # the score equations, which the answer solves
        a, b = found.coefficients
        residual = y - expit(a + b * log_odds(p))
        assert [residual.mean(), residual @ log_odds(p) / N] == pytest.approx([0, 0], abs=1e-9)


def test_weighted_rows_keep_their_own_variance(all_blocks):
    y, p = make_rows()
    weight = np.random.default_rng(1).uniform(0.5, 2, N)
    found, wanted = slope_fit(read(y, p, weight=weight)), all_blocks(lambda: slope_fit(read(y, p, weight=weight)))
    assert found.coefficients == pytest.approx(wanted.coefficients, abs=1e-10)
    assert found.covariance == pytest.approx(wanted.covariance, rel=1e-8)
    assert found.degrees == pytest.approx(wanted.degrees, rel=1e-8)


def test_a_fit_looks_at_all_blocks_only_where_it_is_steep(monkeypatch):
    sizes = []
    at = logistic._Model.at
    monkeypatch.setattr(logistic._Model, "at", lambda self, beta: sizes.append(len(self.positives)) or at(self, beta))
    y, p = make_rows()
    slope_fit(read(y, p))
    assert max(sizes) < N / 2
    rng = np.random.default_rng(2)
    x = rng.normal(size=N)
    y = rng.random(N) < expit(20 * x)  # a slope of 2 000 on log odds of spread 0.01
    found = slope_fit(read(y, expit(0.01 * x)))
    assert max(sizes) > N / 2
    residual = y - expit(found.coefficients[0] + found.coefficients[1] * 0.01 * x)
    assert [residual.mean(), residual @ x / N] == pytest.approx([0, 0], abs=1e-8)


@pytest.mark.parametrize("certain", [0, 100])
def test_tests_of_right_probabilities(certain, all_blocks):
    y, p = make_rows()
    p[:certain], y[:certain] = 1, True
    p[certain : 2 * certain], y[certain : 2 * certain] = 0, False
    blocks = read_blocks(y, p, {})[1]
    for test in (joint_test, spiegelhalter):
        found, wanted = test(blocks), all_blocks(lambda t=test: t(read_blocks(y, p, {})[1]))
        assert found.statistic == pytest.approx(wanted.statistic, rel=1e-8)
        assert found.p_value == pytest.approx(wanted.p_value, rel=1e-6)


def test_wrong_certainties_count_in_the_brier_score():
    """Each adds 1 to the sum over the rows and nothing to its variance."""
    y, p = make_rows()
    p[:5], y[:5] = 1, [True, False, False, True, False]
    p[5:9], y[5:9] = 0, [True, False, False, False]
    z = np.sum((y - p) * (1 - 2 * p)) / np.sqrt(np.sum((1 - 2 * p) ** 2 * p * (1 - p)))
    assert spiegelhalter(read_blocks(y, p, {})[1]).statistic == pytest.approx(z, rel=1e-9)


@pytest.mark.parametrize("method", ["platt", "beta", "temperature"])
def test_maps_are_those_of_all_blocks(method, all_blocks):
    y, p = make_rows()
    found, wanted = cw.recalibrate(y, p, method=method), all_blocks(lambda: cw.recalibrate(y, p, method=method))
    for name, value in wanted.parameters.items():
        assert found.parameters[name] == pytest.approx(value, abs=1e-8)


def test_belts_and_spline_curves_are_those_of_all_blocks(all_blocks):
    y, p = make_rows()
    belt, wanted = cw.calibration_belt(y, p), all_blocks(lambda: cw.calibration_belt(y, p))
    assert belt.degree == wanted.degree
    assert belt.statistic == pytest.approx(wanted.statistic, rel=1e-6)
    assert np.interp(0.3, belt.p, belt.low[1]) == pytest.approx(np.interp(0.3, wanted.p, wanted.low[1]), abs=1e-5)
    curve, other = cw.reliability(y, p, method="spline"), all_blocks(lambda: cw.reliability(y, p, method="spline"))
    assert curve.observed == pytest.approx(other.observed, abs=1e-8)
    assert curve.low == pytest.approx(other.low, abs=1e-8)


def test_blocks_are_used_as_they_are_up_to_a_number(monkeypatch):
    for many in (2, 3):
        monkeypatch.setattr(condensed, "MANY", many)
        blocks = read([1, 0, 1], expit(np.array([2.0, 1.0, -2.0])))
        assert (blocks.condensed is blocks) == (many == 3)


def test_no_node_is_certain(monkeypatch):
    """The largest number below 1 must not be rounded to 1 on the way to its log odds and back."""
    monkeypatch.setattr(condensed, "MANY", 2)
    few = read([1, 0, 1], [np.nextafter(1, 0), 0.5, 1e-300]).condensed
    assert len(few.p) > 3
    assert ((few.p > 0) & (few.p < 1)).all()


def test_probabilities_near_the_least_float_do_not_overflow(all_blocks):
    y, p = make_rows()
    p[:40], y[:40] = np.arange(1, 41) * 1e-316, False
    found, wanted = slope_fit(read(y, p)), all_blocks(lambda: slope_fit(read(y, p)))
    assert found.coefficients == pytest.approx(wanted.coefficients, abs=1e-9)
    assert read(y, p).condensed.p[-1] == pytest.approx(1e-316, rel=1e-6)
    p[:3] = [5e-324, 1e-323, 1.5e-323]  # so coarse that a cut between two is one of them
    assert np.isfinite(slope_fit(read(y, p)).coefficients).all()
    assert cw.calibration_belt(y, p).degree >= 1

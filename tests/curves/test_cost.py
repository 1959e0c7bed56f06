"""Cost curves and Brier curves: envelopes by brute force, areas that are known numbers."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss

import curvewise as cw
import oracle
from strategies import labelled, shares

Y, S = [1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5]


def lowest(y, s, pc):
    """Return the least cost over every threshold, by trying them all."""
    return min((1 - t) * pc + f * (1 - pc) for f, t in oracle.roc_points(y, s))


@given(labelled(), shares)
def test_envelope_is_the_cheapest_of_all_thresholds(data, pc):
    curve = cw.cost_curve(*data)
    assert curve.at(pc) == pytest.approx(float(lowest(*data, Fraction(pc))), abs=1e-12)


@given(labelled())
def test_envelope_is_a_concave_line_below_the_trivial_rules(data):
    curve = cw.cost_curve(*data)
    x, cost = curve.probability_cost, curve.cost
    assert (x[0], x[-1]) == (0, 1)
    assert (np.diff(x) > 0).all()
    assert (cost <= curve.trivial + 1e-15).all()
    assert cost[0] == pytest.approx(0, abs=1e-15)
    assert cost[-1] == pytest.approx(0, abs=1e-15)
    assert (np.diff(np.diff(cost) / np.diff(x)) <= 1e-9).all()


@given(labelled())
def test_each_threshold_is_the_cheapest_up_to_the_next_point(data):
    y, s = data
    curve, sweep = cw.cost_curve(y, s), cw.sweep(y, s)
    for k in range(len(curve) - 1):
        middle = (curve.probability_cost[k] + curve.probability_cost[k + 1]) / 2
        c = sweep.at(curve.threshold[k]) if math.isfinite(curve.threshold[k]) else None
        fpr, fnr = (curve.fpr[k], curve.fnr[k]) if c is None else (c.fpr, c.fnr)
        assert (fpr, fnr) == pytest.approx((curve.fpr[k], curve.fnr[k]))
        assert fnr * middle + fpr * (1 - middle) == pytest.approx(curve.at(middle), abs=1e-12)


def test_small_example_by_hand():
    curve = cw.cost_curve(Y, S)
    assert curve.probability_cost.tolist() == [0, 0.4, 1]
    assert curve.cost == pytest.approx([0, 0.2, 0])
    assert curve.threshold.tolist() == [0.9, 0.7, 0.7]
    assert curve.area == pytest.approx(0.1)
    assert curve.at(0.2) == pytest.approx(0.1)


def test_useless_and_perfect_scores():
    useless = cw.cost_curve([0, 1, 0, 1], [1, 1, 1, 1])
    assert useless.area == 0.25
    assert useless.useful == (0.5, 0.5)
    assert cw.cost_curve([0, 0, 1], [1, 2, 3]).area == 0
    backwards = cw.cost_curve([0, 1, 0, 1], [4, 1, 3, 2])
    assert backwards.area == 0.25


def test_useful_range_is_where_the_model_beats_both_trivial_rules():
    y, s = [1, 1, 0, 1, 0, 0], [6, 4, 5, 2, 3, 1]
    curve = cw.cost_curve(y, s)
    low, high = curve.useful
    for pc in np.linspace(0.005, 0.995, 100):
        assert (curve.at(pc) < min(pc, 1 - pc) - 1e-12) == (low < pc < high)


def test_cost_curve_refuses():
    with pytest.raises(cw.UndefinedMetricError, match="needs both classes"):
        cw.cost_curve([1, 1], [1, 2])
    with pytest.raises(cw.CurvewiseError, match="score for every positive: 1 of 3"):
        cw.cost_curve(cw.Sweep.from_counts([2, 1], [1, 1], [1, 1], total_positives=3))
    with pytest.raises(cw.CurvewiseError, match="probability_cost: expected a number from 0 to 1"):
        cw.cost_curve(Y, S).at(2)


def test_cost_curve_thins_and_becomes_a_frame():
    rng = np.random.default_rng(0)
    y = rng.random(3000) < 0.3
    curve = cw.cost_curve(y, rng.normal(size=3000) + y)
    thinned = curve.thin(20)
    assert len(thinned) <= 20
    assert np.interp(curve.probability_cost, *list(thinned)[:2]) == pytest.approx(curve.cost, abs=0.002)
    assert thinned.area == curve.area
    assert list(curve.to_frame("pandas").columns) == ["probability_cost", "cost", "threshold"]


# ---- Brier curves


@st.composite
def forecasts(draw):
    y, _ = draw(labelled())
    p = draw(st.lists(st.one_of(shares, st.floats(0, 1)), min_size=len(y), max_size=len(y)))
    return np.array(y), np.array(p)


@given(forecasts())
def test_area_is_the_brier_score(data):
    y, p = data
    curve = cw.brier_curve(y, p)
    assert curve.area == pytest.approx(brier_score_loss(y, p), abs=1e-14)
    c, loss = curve
    assert float(np.trapezoid(loss, c)) == pytest.approx(curve.area, abs=1e-12)


@given(forecasts(), st.floats(0.001, 0.999))
def test_loss_is_what_believing_costs(data, c):
    y, p = data
    flagged = p >= c
    loss = 2 * np.mean(np.where(y, (1 - c) * ~flagged, c * flagged))
    curve = cw.brier_curve(y, p)
    piece = 2 * ((int(np.searchsorted(curve.cost_proportion, c, side="left")) - 1) // 2)
    found = np.interp(c, curve.cost_proportion[piece : piece + 2], curve.loss[piece : piece + 2])
    assert found == pytest.approx(loss, abs=1e-12)


def test_brier_curve_of_weights_is_repetition():
    y, p, w = [1, 0, 1, 0], [0.9, 0.2, 0.4, 0.6], [3, 1, 2, 2]
    one, many = cw.brier_curve(y, p, weight=w), cw.brier_curve(np.repeat(y, w), np.repeat(p, w))
    assert one.area == many.area
    assert np.array_equal(one.loss, many.loss)


def test_brier_curve_needs_probabilities():
    with pytest.raises(cw.CurvewiseError, match="p: expected probabilities from 0 to 1"):
        cw.brier_curve([0, 1], [-3, 2.5])
    with pytest.warns(cw.CurvewiseWarning, match="clipped"):
        assert cw.brier_curve([0, 1], [0, 1 + 1e-9]).area == 0


def test_optimism_of_costs_shows_between_the_curves():
    """The Brier curve of PAV-calibrated scores is the cost curve, drawn over the cost proportion."""
    y, s = [1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1]
    fitted = [1, 1, 1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3, 0]
    cost, brier = cw.cost_curve(y, s), cw.brier_curve(y, fitted)
    for c in (0.1, 0.4, 0.45, 0.6, 0.9):
        piece = 2 * ((int(np.searchsorted(brier.cost_proportion, c, side="left")) - 1) // 2)
        believed = np.interp(c, brier.cost_proportion[piece : piece + 2], brier.loss[piece : piece + 2])
        assert believed == pytest.approx(cost.at(1 - c), abs=1e-12)  # equal classes: PC = 1 - c


def test_a_probability_of_one_adds_no_piece_without_width_to_the_brier_curve():
    assert cw.brier_curve([0, 1], [0.5, 1.0]).cost_proportion.tolist() == [0, 0.5, 0.5, 1]
    assert cw.brier_curve([0, 1], [0.0, 0.5]).cost_proportion.tolist() == [0, 0.5, 0.5, 1]


def test_the_better_trivial_answer_costs_its_own_mistakes():
    curve = cw.cost_curve([0, 1, 0, 1], [1, 2, 3, 4])
    p = curve.probability_cost
    assert curve.trivial.tolist() == [min(each, 1 - each) for each in p.tolist()]
    assert curve.trivial.max() <= 0.5

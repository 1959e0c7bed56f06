"""Derivatives of metrics by the weight of a row: formulas against differences, and what follows from them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from curvewise.inference.influence import degrees_of_freedom, influence_of, spread_of_counts
from curvewise.metric.registry import bound, every

FORMULAS = [
    ("roc_auc", {}),
    ("average_precision", {}),
    ("partial_roc_auc", {"fpr": (0, 0.23)}),
    ("partial_roc_auc", {"fpr": (0.11, 0.4), "scale": "mcclish"}),
    ("partial_roc_auc", {"tpr": (0.63, 1), "scale": "mean"}),
    ("partial_roc_auc", {"tpr": (0.31, 0.77), "scale": "skill"}),
    ("partial_roc_auc", {}),
    ("brier_loss", {}),
    ("log_loss", {}),
    ("log_loss", {"clip": 0.2}),
    ("spherical_loss", {}),
    ("brier_skill", {}),
    ("log_skill", {}),
    ("log_skill", {"clip": 0.2}),
    ("spherical_skill", {}),
    ("observed_expected", {}),
    ("cllr", {}),
]


def test_every_formula_is_tried():
    assert {m.name for m in every() if m.influence is not None} == {name for name, _ in FORMULAS}


@pytest.mark.parametrize(("name", "options"), FORMULAS)
@given(draw=st.data())
def test_formulas_are_derivatives(name, options, draw):
    counts = st.lists(st.integers(0, 4), min_size=5, max_size=9)
    pos = draw.draw(counts.filter(any))
    neg = draw.draw(st.lists(st.integers(0, 4), min_size=len(pos), max_size=len(pos)).filter(any))
    p = np.linspace(0.95, 0.05, len(pos))
    # away from places where a range ends at a corner of the curve and the derivative has two sides
    pos, neg = np.array(pos) + 0.013, np.array(neg) + 0.017
    sweep = cw.Sweep.from_counts(p, pos, neg)
    target = bound(name, options)
    formula = influence_of(target, sweep)
    step = 1e-6
    value = target.value(sweep)
    for own, found in enumerate(formula):
        for k in range(len(p)):
            more = [pos.copy(), neg.copy()]
            more[own][k] += step
            slope = (target.value(cw.Sweep.from_counts(p, *more)) - value) / step
            assert found[k] == pytest.approx(slope, rel=1e-3, abs=2e-5)


def test_influence_of_auc_is_delong():
    rng = np.random.default_rng(0)
    y = rng.random(60) < 0.4
    s = cw.sweep(y, rng.normal(size=60) + y)
    found = spread_of_counts(influence_of(bound("roc_auc"), s), s)
    assert found.error == pytest.approx(cw.interval("roc_auc", s).standard_error, rel=1e-3)


def test_partial_area_over_everything_is_the_area():
    rng = np.random.default_rng(1)
    y = rng.random(80) < 0.4
    s = cw.sweep(y, rng.normal(size=80).round(1) + y)
    whole = spread_of_counts(influence_of(bound("partial_roc_auc"), s), s)
    assert whole.error == pytest.approx(cw.interval("roc_auc", s).standard_error, rel=1e-9)


@pytest.mark.parametrize("name", ["average_precision", "brier_loss", "h_measure"])
def test_what_rows_add_sums_to_nothing(name):
    rng = np.random.default_rng(2)
    y = rng.random(50) < 0.4
    s = cw.sweep(y, rng.random(50))
    pos, neg = influence_of(bound(name), s)
    total = float(np.sum(s.block_positives * pos + s.block_negatives * neg))
    assert total == pytest.approx(0, abs=1e-3)


def test_a_formula_and_differences_give_one_variance():
    rng = np.random.default_rng(3)
    y = rng.random(120) < 0.3
    s = cw.sweep(y, rng.normal(size=120) + y)
    target = bound("average_precision")
    plain = replace(target, metric=replace(target.metric, influence=None))
    one, two = (spread_of_counts(influence_of(t, s), s).variance for t in (target, plain))
    assert one == pytest.approx(two, rel=1e-3)


def test_degrees_of_freedom_by_hand():
    """Nine squares of 1 and one of 100: V = 109, and Σu² - (Σu)²/10 = 10 009 - 1 188.1."""
    squares = np.array([1.0] * 9 + [100.0])
    assert degrees_of_freedom(109.0, [(squares, None, 10.0)]) == pytest.approx(2 * 109**2 / (10_009 - 1_188.1))
    alike = np.ones(10)
    assert degrees_of_freedom(10.0, [(alike, None, 10.0)]) == 9
    assert degrees_of_freedom(0.0, [(0 * alike, None, 10.0), (0 * alike, None, 10.0)]) == 4


def test_losses_expect_the_failures_that_probabilities_state():
    """Ten rows of p = 0.9, all positive: p(1 - p)(0.01 - 0.81)² = 0.0576 per row is expected, none was seen."""
    y, p = [1] * 10 + [0] * 10, [0.9] * 10 + [0.1] * 10
    found = cw.interval("brier_loss", y, p)
    assert found.value == pytest.approx(0.01)
    # the variance of the rows is 0 with 4 degrees of freedom; that expected, 0.0576/20, counts as 5
    assert found.standard_error == pytest.approx(np.sqrt(5 * 0.0576 / 20 / 9))
    assert found.high > 0.09  # what right probabilities would cost
    assert cw.interval("brier_skill", y, p).low < 0.64

"""Intervals by formula are those of `calibration`, and refuse what decides alone."""

import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.inference.logistic_intervals import FORMULAS, formula_estimate


def rows(**options):
    rng = np.random.default_rng(0)
    p = rng.beta(1, 2, 200)
    return cw.read_rows(rng.random(200) < p, {"m": p}, **options)


@pytest.mark.parametrize(
    "options", [{}, {"weight": np.linspace(0.5, 2, 200)}, {"cluster": np.arange(200) // 5}], ids=str
)
def test_one_formula_for_every_verb(options):
    source = rows(**options)
    whole = cw.calibration(source, replicates=0, level=0.9)
    for name in FORMULAS:
        assert formula_estimate(name, source, 0.9) == getattr(whole, name.removeprefix("calibration_"))


def test_what_is_undefined_has_a_reason():
    found = formula_estimate("calibration_slope", cw.read_rows([0, 0, 1, 1], {"m": [0.1, 0.2, 0.8, 0.9]}), 0.95)
    assert math.isnan(found.value)
    assert found.reason.code == "separated_no_fit"


def test_a_cluster_or_row_that_holds_everything_has_no_interval():
    y, p = [1, 1, 0, 0, 0, 0], [0.7, 0.4, 0.3, 0.5, 0.2, 0.6]
    ratio = formula_estimate("observed_expected", cw.read_rows(y, {"m": p}, cluster=[0, 0, 1, 1, 2, 2]), 0.95)
    assert (ratio.value, ratio.has_interval, ratio.reason.code) == (pytest.approx(2 / 2.7), False, "one_decides")
    assert ratio.reason.text("zh") != str(ratio.reason)


def test_one_positive_has_the_interval_of_its_share():
    """With the mean probability taken as known: without it, no positive would be left."""
    p = np.linspace(0.1, 0.8, 12)
    for weight in (None, np.full(12, 2.5)):
        options = {} if weight is None else {"weight": weight}
        found = formula_estimate("observed_expected", cw.read_rows(np.arange(12) == 4, {"m": p}, **options), 0.95)
        assert (found.low, found.high) == pytest.approx(np.array(cw.rate_interval(1, 12)) * 12 / p.sum())
        assert found.method == "wilson"


@pytest.mark.parametrize("name", FORMULAS)
def test_the_same_rows_give_the_same_interval(name):
    """Whatever constant they weigh, and whether or not each is called a cluster of its own."""
    rng = np.random.default_rng(4)
    p = rng.beta(1, 2, 60)
    y = rng.random(60) < p
    plain, *others = (
        formula_estimate(name, cw.read_rows(y, {"m": p}, **options), 0.95)
        for options in ({}, {"weight": np.full(60, 0.7)}, {"cluster": np.arange(60)})
    )
    for other in others:
        assert other.method == plain.method
        assert (other.low, other.high) == pytest.approx((plain.low, plain.high))


def test_the_interval_holds_where_probabilities_are_over_confident():
    """The truth: the shift at which as many positives are expected as there are. Information alone held 0.85."""
    rng = np.random.default_rng(11)
    odds = np.linspace(-5, 3, 2001)  # evenly
    right = 1 / (1 + np.exp(-odds / 2))
    truth = formula_estimate(
        "calibration_in_the_large",
        cw.Sweep.from_counts(1 / (1 + np.exp(-odds[::-1])), right[::-1] * 1000, 1000 - right[::-1] * 1000),
        0.95,
    ).value
    held = 0
    for _ in range(400):
        stated = rng.uniform(-5, 3, 80)
        y = rng.random(80) < 1 / (1 + np.exp(-stated / 2))
        rows = cw.read_rows(y, {"m": 1 / (1 + np.exp(-stated))})
        found = formula_estimate("calibration_in_the_large", rows, 0.95)
        held += found.low <= truth <= found.high
    assert 0.93 * 400 <= held <= 0.985 * 400


def test_a_weighted_sweep_has_forgotten_what_an_interval_needs():
    p = np.array([0.2, 0.4, 0.6, 0.8])
    weighted = cw.sweep([0, 1, 0, 1], p, weight=[0.5, 0.7, 1.1, 1.3])
    found = cw.calibration(weighted, replicates=0)
    for name in FORMULAS:
        assert getattr(found, name.removeprefix("calibration_")).reason.code == "weights_forgotten"

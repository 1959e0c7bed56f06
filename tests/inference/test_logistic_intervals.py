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
    alone = cw.read_rows([1, 0, 0], {"m": [0.3, 0.4, 0.6]}, weight=[1.5, 0.5, 0.7])
    assert not formula_estimate("observed_expected", alone, 0.95).has_interval


def test_a_weighted_sweep_has_forgotten_what_an_interval_needs():
    p = np.array([0.2, 0.4, 0.6, 0.8])
    weighted = cw.sweep([0, 1, 0, 1], p, weight=[0.5, 0.7, 1.1, 1.3])
    found = cw.calibration(weighted, replicates=0)
    for name in FORMULAS:
        assert getattr(found, name.removeprefix("calibration_")).reason.code == "weights_forgotten"

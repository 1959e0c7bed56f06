"""Thresholds of the page and what follows at each, against the library."""

import math

import pytest

import curvewise as cw
from curvewise.report.cuts import cuts, reading
from report import sample

COSTS = {"fp": 2.0, "fn": 7.0, "tp": -1.0, "tn": 0.5}


def test_flagging_nobody_comes_first_and_the_rule_s_choice_is_there():
    for model in sample.screening()["models"]:
        found = cuts(model)
        assert (found.threshold[0], found.tp[0], found.fp[0]) == (None, 0, 0)
        assert found.threshold[found.rule] == model["point"]["threshold"]
        assert found.tp[found.rule] == model["point"]["confusion"]["tp"]
        assert found.fp[found.rule] == model["point"]["confusion"]["fp"]


def test_a_choice_that_was_thinned_out_is_put_back():
    model = sample.screening()["models"][0]
    whole = cuts(model)
    for name in ("threshold", "tp", "fp"):
        del model["sweep"][name][whole.rule - 1]
    again = cuts(model)
    assert again.threshold == whole.threshold
    assert again.tp == whole.tp
    assert again.fp == whole.fp
    assert again.rule == whole.rule
    assert again.thinned


@pytest.mark.parametrize("prevalence", [0.001, 0.02, 0.5])
def test_readings_are_the_library_s(prevalence):
    y, score = sample.column("disease", int), sample.column("model_b", float)
    sweep = cw.sweep(y, score)
    found = cuts(sample.screening()["models"][1])
    for k in range(1, len(found), 97):
        there = sweep.at_prevalence(prevalence).at(found.threshold[k])
        seen = reading(found, k, prevalence, COSTS)
        assert math.isclose(seen.tpr, there.recall)
        assert math.isclose(seen.fpr, there.fpr)
        assert math.isclose(seen.ppv, there.precision, rel_tol=1e-9)
        assert math.isclose(seen.npv, there.npv, rel_tol=1e-9)
        assert math.isclose(seen.alarms, there.predicted_rate, rel_tol=1e-9)
        expected = cw.expected_cost(sweep, threshold=found.threshold[k], prevalence=prevalence, **COSTS)
        assert math.isclose(seen.cost, expected, rel_tol=1e-9, abs_tol=1e-12)


def test_what_a_class_that_is_absent_leaves_undefined():
    found = cuts(sample.one_class()["models"][0])
    assert reading(found, 1, 0.1, COSTS) is None
    assert found.rule is None
    nobody = reading(cuts(sample.screening()["models"][0]), 0, 0.1, COSTS)
    assert nobody.ppv is None
    assert nobody.npv == 0.9

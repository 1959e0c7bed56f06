"""Expected cost and the slope of equal costs."""

import math

import numpy as np
import pytest

import curvewise as cw

Y, SCORE = [1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5]


def test_cost_is_the_formula_at_any_prevalence():
    s = cw.sweep(Y, SCORE)
    for threshold in (*SCORE, math.inf, -math.inf):
        c = s.at(threshold)
        for share in (None, 0.01, 0.7):
            p = s.prevalence if share is None else share
            wanted = 2 * (1 - p) * c.fpr + 7 * p * (1 - c.recall) - 3 * p * c.recall + 0.5 * (1 - p) * (1 - c.fpr)
            options = {"fp": 2, "fn": 7, "tp": -3, "tn": 0.5, "prevalence": share}
            assert cw.expected_cost(Y, SCORE, threshold, **options) == pytest.approx(wanted, abs=1e-14)
            assert cw.expected_cost(s, threshold=threshold, **options) == pytest.approx(wanted, abs=1e-14)


def test_a_weight_and_a_direction():
    low = cw.expected_cost(Y, [-v for v in SCORE], -0.7, fp=1, fn=10, higher_is="negative")
    assert low == cw.expected_cost(Y, SCORE, 0.7, fp=1, fn=10) == 0.2
    assert cw.expected_cost(Y, SCORE, 0.7, fp=1, fn=10, weight=[1, 3, 1, 1, 1]) == pytest.approx(3 / 7)


def test_along_an_iso_cost_line_the_cost_stays():
    slope = cw.iso_cost_slope(fp=3, fn=4, tp=-1, tn=1, prevalence=0.2)
    assert slope == pytest.approx(2 / 5 * 4)

    def cost(fpr, tpr):
        s = cw.Sweep.from_counts([2, 1], [tpr, 1 - tpr], [fpr, 1 - fpr])
        return cw.expected_cost(s, threshold=2, fp=3, fn=4, tp=-1, tn=1, prevalence=0.2)

    assert cost(0.1, 0.3) == pytest.approx(cost(0.2, 0.3 + 0.1 * slope))


def test_ends_of_the_slope():
    assert cw.iso_cost_slope(fp=1, fn=0, prevalence=0.5) == math.inf
    assert cw.iso_cost_slope(fp=0, fn=1, prevalence=0.5) == 0
    assert np.isclose(cw.iso_cost_slope(fp=1, fn=1, prevalence=0.5), 1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cw.expected_cost(Y, SCORE, fp=1, fn=1), "threshold: say where"),
        (lambda: cw.expected_cost(Y, SCORE, 0.5, fp=math.inf, fn=1), "fp: expected a finite number"),
        (lambda: cw.expected_cost(Y, SCORE, 0.5, fp=1, fn=1, prevalence=0), "prevalence: expected"),
        (lambda: cw.iso_cost_slope(fp=0, fn=0, prevalence=0.5), "every mistake the better answer"),
        (lambda: cw.iso_cost_slope(fp=-1, fn=1, prevalence=0.5), "an alarm is always the cheaper answer"),
        (lambda: cw.iso_cost_slope(fp=1, fn=-1, prevalence=0.5), "an alarm is never the cheaper answer"),
        (lambda: cw.iso_cost_slope(fp=1, fn=1, prevalence=1), "prevalence: expected"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        call()


def test_one_class():
    assert cw.expected_cost([1, 1], [1, 2], 2, fp=1, fn=10) == 5
    with pytest.raises(cw.UndefinedMetricError, match="both classes"):
        cw.expected_cost([1, 1], [1, 2], 2, fp=1, fn=10, prevalence=0.5)

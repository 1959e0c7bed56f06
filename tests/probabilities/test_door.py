"""The door for probabilities: what passes, what is clipped, what the rest is taken for."""

import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.core.probability import of_probabilities, probability_sweep

Y = [0, 1, 0, 1]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble, np.int8, np.uint64, bool])
def test_any_number_from_0_to_1_passes_exactly(dtype):
    p = np.array([0, 0, 1, 1] if np.dtype(dtype).kind != "f" else [0.1, 0.2, 0.7, 1], dtype=dtype)
    sweep = probability_sweep(Y, p, {})
    assert sweep.threshold.dtype == np.float64
    assert set(sweep.threshold) == set(p.astype(np.float64))


def test_a_sweep_of_probabilities_is_taken_as_it_is():
    sweep = cw.sweep(Y, [0.1, 0.2, 0.3, 0.4])
    assert probability_sweep(sweep, None, {}) is sweep


def test_a_slip_is_clipped_and_equal_ends_are_one_block():
    p = [1 + 1e-6, 1, 1 + 5e-7, 0.5, 0, -1e-6]
    with pytest.warns(cw.CurvewiseWarning, match=r"clipped to \[0, 1\]: 3 of 6 rows lie up to 1e-06 outside"):
        sweep = probability_sweep([1, 0, 1, 0, 1, 0], p, {})
    assert sweep == cw.sweep([1, 0, 1, 0, 1, 0], [1.0, 1, 1, 0.5, 0, 0])


def test_all_beyond_one_end_are_one_block():
    with pytest.warns(cw.CurvewiseWarning, match="2 of 2 rows"):
        sweep = probability_sweep([1, 0], [1 + 1e-7, 1 + 2e-7], {})
    assert (sweep.threshold.tolist(), sweep.tp.tolist(), sweep.fp.tolist()) == ([1.0], [1], [1])


@pytest.mark.parametrize("p", [[0, 0.5, 1, 1 + 2e-6], [-2e-6, 0.5, 1, 1]])
def test_more_than_a_slip_is_refused(p):
    with pytest.raises(cw.CurvewiseError, match="expected probabilities from 0 to 1, got 1 other"):
        probability_sweep(Y, p, {})


@pytest.mark.parametrize(
    ("p", "guess"),
    [
        ([10, 20.5, 3.5, 99], "percentages: divide by 100"),
        ([0, 25, 50, 100], "percentages"),
        ([5, 2, 3, 1], "whole numbers from 1 to 5 look like ratings"),
        ([-3, 2, 1, 0.5], r"logits: apply 1 / \(1 \+ exp\(-x\)\)"),
        ([-0.1, -3, -2, -1], r"logarithms of probabilities: apply exp\(x\)"),
        ([-1, 0.3, -0.2, 1], "signed scores of a decision function"),
        ([-0.1, 0.3, 0.5, 1.1], "the fit of a linear regression"),
        ([0, 0.1, math.inf, 0.5], "an infinite score is a rank"),
        ([-1000, 0.2, 1000, 3], "scores that only rank"),
        # the ends of each guess, and what lies just beyond
        ([0, 3, 7, 10], "ratings"),
        ([0, 3, 7, 11], "percentages"),
        ([0, 3, 7, 9.5], "percentages"),
        ([0, 0.5, 1.2, 2], "scores that only rank"),
        ([0, 30.5, 70, 100.5], "scores that only rank"),
        ([-9, -3, -0.5, 0], "logarithms"),
        ([-0.5, 0.2, 0.4, 1], "the fit of a linear regression"),
        ([0, 0.2, 0.4, 1.5], "the fit of a linear regression"),
        ([-0.5, 0.2, 0.4, 1.5], "the fit of a linear regression"),
        ([-0.5, 0.2, 0.4, 0.9], "signed scores"),
        ([-0.6, 0.2, 0.4, 1.2], "logits"),
        ([-0.1, 0.2, 0.4, 1.6], "logits"),
        ([-1.1, 0.2, 0.4, 0.9], "logits"),
        ([-50, 0.2, 0.4, 50], "logits"),
        ([-51, 0.2, 0.4, 3], "scores that only rank"),
        ([-3, 0.2, 0.4, 51], "scores that only rank"),
    ],
)
def test_the_refusal_says_what_they_look_like(p, guess):
    for given in ((Y, p), (cw.sweep(Y, p), None)):
        with pytest.raises(cw.CurvewiseError, match=rf"expected probabilities from 0 to 1.*{guess}"):
            probability_sweep(*given, {})


def test_a_few_slips_are_no_other_scale():
    p = np.linspace(0, 1, 100)
    p[40] = 7
    with pytest.raises(cw.CurvewiseError, match=r"got 1 other value \(row 40\), the first 7.0; correct those rows"):
        probability_sweep(np.arange(100) % 2, p, {})


def test_rows_are_named_as_they_came():
    p, w = [0.1, 99.0, math.nan, 0.5, 1.7], [1, 0, 1, 1, 1]
    with pytest.raises(cw.CurvewiseError, match=r"got 1 other value \(row 4\), the first 1.7"):
        probability_sweep([0, 1, 0, 1, 1], p, {"weight": w, "missing": "drop"})
    with pytest.raises(cw.CurvewiseError, match="missing value"):
        probability_sweep([0, 1, 0, 1, 1], p, {"weight": w})


def test_p_speaks_of_the_positive_class():
    with pytest.raises(cw.CurvewiseError, match="higher_is: p is the probability of the positive class"):
        probability_sweep(Y, [0.1, 0.2, 0.3, 0.4], {"higher_is": "negative"})
    with pytest.raises(cw.CurvewiseError, match="higher_is"):
        probability_sweep(cw.sweep(Y, [0.1, 0.2, 0.3, 0.4], higher_is="negative"), None, {})


def test_a_positive_without_a_score_is_refused():
    found = cw.Sweep.from_counts([0.9, 0.8], [1, 1], [0, 0], total_positives=3)
    with pytest.raises(cw.CurvewiseError, match="some positives have no score"):
        of_probabilities(found)


@pytest.mark.parametrize("verb", [cw.brier_loss, cw.log_loss, cw.log_skill, cw.decompose, cw.reliability])
def test_every_verb_has_this_door(verb):
    with pytest.raises(cw.CurvewiseError, match="look like logits"):
        verb(Y, [-3, 2, 1, 0.5])

"""Rates where another rate is held, the top of a list, KS and Gini: by hand, and by counting every threshold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from strategies import labelled

# positives 9 7 6 3, negatives 8 5 4 2 1: a sweep that one can draw
Y = [1, 1, 1, 1, 0, 0, 0, 0, 0]
S = [9, 7, 6, 3, 8, 5, 4, 2, 1]


@pytest.mark.parametrize(
    ("metric", "options", "value"),
    [
        ("recall_at_fpr", {"fpr": 0}, 0.25),  # above the first negative stands one positive
        ("recall_at_fpr", {"fpr": 0.2}, 0.75),  # one false positive: 9, 7 and 6 are found
        ("recall_at_fpr", {"fpr": 0.5}, 0.75),  # half way from (0.4, 0.75) to (0.6, 0.75): the curve is level there
        ("recall_at_fpr", {"fpr": 0.6}, 1.0),
        ("recall_at_fpr", {"fpr": 1}, 1.0),
        ("sensitivity_at_specificity", {"specificity": 0.8}, 0.75),
        ("sensitivity_at_specificity", {"specificity": 1}, 0.25),
        ("specificity_at_sensitivity", {"sensitivity": 0.25}, 1.0),
        ("specificity_at_sensitivity", {"sensitivity": 0.5}, 0.8),
        ("specificity_at_sensitivity", {"sensitivity": 1}, 0.4),
        ("precision_at_recall", {"recall": 0.25}, 1.0),
        ("precision_at_recall", {"recall": 0.5}, 0.75),  # at recall 0.75 it is 3/4, at 0.5 only 2/3
        ("precision_at_recall", {"recall": 1}, 4 / 7),
        ("recall_at_precision", {"precision": 1}, 0.25),
        ("recall_at_precision", {"precision": 0.75}, 0.75),
        ("recall_at_precision", {"precision": 0.5}, 1.0),
        ("ks", {}, 0.55),  # 3/4 - 1/5
        ("gini", {}, 0.5),  # 15 of 20 pairs are in order
        ("top_precision", {"at_fraction": 1 / 3}, 2 / 3),  # 9, 8, 7
        ("top_recall", {"at_fraction": 1 / 3}, 0.5),
        ("top_precision", {"at_fraction": 1}, 4 / 9),
        ("top_recall", {"at_fraction": 1}, 1.0),
        ("top_recall", {"at_fraction": 0.5}, 0.75),  # four rows and a half: 9, 8, 7, 6 and half of a negative
    ],
)
def test_by_hand(metric, options, value):
    assert cw.score(metric, Y, S, **options) == pytest.approx(value, abs=1e-12)


def test_tied_rows_count_in_proportion():
    y, s = [1, 0, 1, 0], [1, 1, 1, 1]
    assert cw.score("recall_at_fpr", y, s, fpr=0.3) == pytest.approx(0.3)
    assert cw.score("specificity_at_sensitivity", y, s, sensitivity=0.3) == pytest.approx(0.7)
    assert cw.score("top_precision", y, s, at_fraction=0.25) == 0.5
    assert cw.score("top_recall", y, s, at_fraction=0.25) == 0.25
    assert cw.score("recall_at_precision", y, s, precision=0.9) == 0


@given(data=labelled(), at=st.floats(0, 1))
def test_every_threshold_counted(data, at):
    y, s = data
    sweep = cw.sweep(y, s)
    tpr, fpr = sweep.tp / sweep.positives, sweep.fp / sweep.negatives
    precision = sweep.tp / (sweep.tp + sweep.fp)
    roc = cw.roc_curve(sweep)
    # of a vertical piece of the curve the highest point counts
    on_curve = max(np.interp(at, roc.fpr, roc.tpr), tpr[fpr <= at].max(initial=0))
    assert cw.score("recall_at_fpr", sweep, fpr=at) == pytest.approx(on_curve, abs=1e-9)
    assert cw.score("precision_at_recall", sweep, recall=at) == pytest.approx(precision[tpr >= at - 1e-12].max())
    assert cw.score("recall_at_precision", sweep, precision=at) == pytest.approx(
        tpr[precision >= at * (1 - 1e-12)].max(initial=0)
    )
    assert cw.score("ks", sweep) == pytest.approx(max((tpr - fpr).max(), 0))
    assert cw.score("sensitivity_at_specificity", sweep, specificity=at) == pytest.approx(
        cw.score("recall_at_fpr", sweep, fpr=1 - at)
    )


@pytest.mark.parametrize("metric", ["recall_at_fpr", "top_precision", "specificity_at_sensitivity"])
def test_the_fixed_rate_must_be_given_and_a_share(metric):
    name = {"recall_at_fpr": "fpr", "top_precision": "at_fraction"}.get(metric, "sensitivity")
    with pytest.raises(cw.CurvewiseError, match=f"pass {name}="):
        cw.score(metric, Y, S)
    with pytest.raises(cw.CurvewiseError, match="a number from 0 to 1"):
        cw.score(metric, Y, S, **{name: 1.5})


def test_no_sensitivity_costs_no_specificity():
    y, score = [0, 1, 0, 1], [4, 3, 2, 1]
    assert cw.interval("specificity_at_sensitivity", y, score, sensitivity=0).value == 1


def test_the_top_by_a_number_of_rows_is_that_by_a_share():
    rng = np.random.default_rng(4)
    y, score = rng.random(200) < 0.3, rng.normal(size=200).round(1)
    for name in ("top_precision", "top_recall", "top_average_precision"):
        for k in (1, 20, 57, 200):
            assert cw.score(name, y, score, k=k) == pytest.approx(cw.score(name, y, score, at_fraction=k / 200))
    assert cw.score("top_average_precision", y, score, k=200) == pytest.approx(cw.average_precision(y, score))


def test_the_average_precision_of_the_top_by_hand():
    y, score = [1, 0, 1, 1, 0, 1], [6, 5, 4, 3, 2, 1]
    # precisions 1, 2/3, 3/4 at the positives of the first four rows, of four positives
    assert cw.score("ap_at_k", y, score, k=4) == pytest.approx((1 + 2 / 3 + 3 / 4) / 4)
    # two of three tied rows are within: 4/3 positives expected
    assert cw.score("top_average_precision", [1, 0, 1, 0], [2, 2, 2, 1], k=2) == pytest.approx(2 / 3 * 2 / 3)


def test_a_number_of_rows_must_be_there():
    for k, message in ((0, "k: expected a whole number of at least 1"), (9, "The first 9 rows: there are 4")):
        with pytest.raises(cw.CurvewiseError, match=message):
            cw.score("top_recall", [1, 0, 1, 0], [4, 3, 2, 1], k=k)
    with pytest.raises(cw.CurvewiseError, match="sums of weights, not rows"):
        cw.score("top_recall", [1, 0, 1, 0], [4, 3, 2, 1], k=2, weight=[0.5, 1, 1, 1])
    with pytest.raises(cw.CurvewiseError, match="either a fraction of the rows or k="):
        cw.score("top_recall", [1, 0, 1, 0], [4, 3, 2, 1], k=2, at_fraction=0.5)

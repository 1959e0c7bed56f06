"""Predictive values over a range of prevalences."""

import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.decisions.prevalence import _ratio_ends

CELLS = cw.Confusion(tp=90, fp=50, fn=10, tn=950)


def test_bayes():
    table = cw.ppv_npv(CELLS, prevalence=[0.001, 0.05, 0.5, 0.9])
    for row in table.rows():
        p = row["prevalence"]
        assert row["ppv"] == pytest.approx(p * 0.9 / (p * 0.9 + (1 - p) * 0.05))
        assert row["npv"] == pytest.approx((1 - p) * 0.95 / ((1 - p) * 0.95 + p * 0.1))
        assert row["flagged"] == pytest.approx(p * 0.9 + (1 - p) * 0.05)
        assert row["ppv_low"] < row["ppv"] < row["ppv_high"]
        assert row["npv_low"] < row["npv"] < row["npv_high"]


def test_rows_sweep_and_confusion_agree():
    rng = np.random.default_rng(0)
    y = rng.random(200) < 0.4
    score = rng.normal(size=200) + y
    s = cw.sweep(y, score)
    found = [
        cw.ppv_npv(y, score, 0.5, prevalence=[0.1]),
        cw.ppv_npv(s, threshold=0.5, prevalence=[0.1]),
        cw.ppv_npv(s.at(0.5), prevalence=[0.1]),
        cw.ppv_npv(y, -score, -0.5, prevalence=[0.1], higher_is="negative"),
    ]
    assert found[0].columns == found[1].columns == found[2].columns == found[3].columns
    moved = s.at_prevalence(0.1).at(0.5)
    row = found[0].rows()[0]
    assert (row["ppv"], row["npv"]) == (pytest.approx(moved.precision), pytest.approx(moved.npv))


def test_ends_where_a_count_is_zero():
    all_found = cw.ppv_npv(cw.Confusion(tp=50, fp=0, fn=0, tn=100), prevalence=[0.1]).rows()[0]
    assert (all_found["ppv"], all_found["ppv_high"], all_found["npv"], all_found["npv_high"]) == (1, 1, 1, 1)
    assert 0.5 < all_found["ppv_low"] < 0.9
    assert 0.98 < all_found["npv_low"] < 1
    nobody = cw.ppv_npv(cw.Confusion(tp=0, fp=0, fn=5, tn=5), prevalence=[0.1])
    assert math.isnan(nobody.columns["ppv"][0])
    assert nobody.columns["ppv_low"] == [None]
    assert "PPV is undefined: no row is flagged" in nobody.title
    everybody = cw.ppv_npv(cw.Confusion(tp=5, fp=5, fn=0, tn=0), prevalence=[0.1])
    assert everybody.columns["ppv"] == [pytest.approx(0.1)]
    assert "NPV is undefined: every row is flagged" in everybody.title


def test_the_ends_turn_round_with_the_ratio():
    for a, b in (((3, 10), (8, 20)), ((0, 10), (8, 20)), ((10, 10), (1, 500))):
        low, high = _ratio_ends(a, b, 0.95)
        back = _ratio_ends(b, a, 0.95)
        assert low == pytest.approx(1 / back[1] if back[1] else math.inf)
        assert high == pytest.approx(1 / back[0] if back[0] else math.inf)


def test_intervals_cover():
    """Of samples with TPR 0.8 (50 positives) and FPR 0.04 (200 negatives), about 95 % cover the true PPV."""
    rng = np.random.default_rng(1)
    inside = []
    truth = 0.1 * 0.8 / (0.1 * 0.8 + 0.9 * 0.04)
    for tp, fp in zip(
        rng.binomial(50, 0.8, 800).tolist(), rng.binomial(200, 0.04, 800).tolist(), strict=True
    ):
        row = cw.ppv_npv(cw.Confusion(tp=tp, fp=fp, fn=50 - tp, tn=200 - fp), prevalence=[0.1]).rows()[0]
        inside.append(row["ppv_low"] <= truth <= row["ppv_high"])
    assert 0.93 <= np.mean(inside) <= 0.975


def test_fractional_weights_have_no_interval():
    table = cw.ppv_npv([1, 0, 1, 0], [4, 3, 2, 1], 2, prevalence=[0.1], weight=[0.5, 1, 1, 1])
    assert table.columns["ppv_low"] == [None]
    assert "no intervals" in table.title


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cw.ppv_npv(CELLS, prevalence=[0.1, 1]), "prevalence: expected a number strictly between"),
        (lambda: cw.ppv_npv(CELLS, prevalence=["much"]), "prevalence: expected"),
        (lambda: cw.ppv_npv(CELLS, prevalence=[]), "at least one"),
        (lambda: cw.ppv_npv(CELLS, threshold=2, prevalence=[0.1]), "already chosen"),
        (lambda: cw.ppv_npv([0, 1], [1, 2], prevalence=[0.1]), "threshold: say where"),
        (lambda: cw.ppv_npv(CELLS, prevalence=[0.1], level=2), "level: expected"),
        (lambda: cw.ppv_npv([1, 1], [1, 2], 1, prevalence=[0.1]), "no row is negative"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        call()

"""Predictive values over a range of prevalences."""

import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.decisions.predictive_values import RatePair, ratio_ends
from curvewise.metric.registry import find

CELLS = cw.Confusion(tp=90, fp=50, fn=10, tn=950)


def test_bayes():
    table = cw.ppv_npv(CELLS, prevalence=[0.001, 0.05, 0.5, 0.9])
    for row in table.table.rows():
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
    columns = [f.table.columns for f in found]
    assert columns[0] == columns[1] == columns[2] == columns[3]
    moved = s.at_prevalence(0.1).at(0.5)
    row = found[0].table.rows()[0]
    assert (row["ppv"], row["npv"]) == (pytest.approx(moved.precision), pytest.approx(moved.npv))


def test_ends_where_a_count_is_zero():
    all_found = cw.ppv_npv(cw.Confusion(tp=50, fp=0, fn=0, tn=100), prevalence=[0.1]).table.rows()[0]
    assert (all_found["ppv"], all_found["ppv_high"], all_found["npv"], all_found["npv_high"]) == (1, 1, 1, 1)
    assert 0.5 < all_found["ppv_low"] < 0.9
    assert 0.98 < all_found["npv_low"] < 1
    none = cw.ppv_npv(cw.Confusion(tp=0, fp=0, fn=5, tn=5), prevalence=[0.1])
    assert math.isnan(none.ppv[0].value)
    assert none.table.columns["ppv_low"] == [None]
    assert none.ppv[0].reason.values["empty"] == ["none_flagged"]
    assert "no row is flagged" in str(none)
    every = cw.ppv_npv(cw.Confusion(tp=5, fp=5, fn=0, tn=0), prevalence=[0.1])
    assert every.ppv[0].value == pytest.approx(0.1)
    assert "every row is flagged" in str(every.npv[0].reason)


def test_the_ends_turn_round_with_the_ratio():
    for a, b in (((3, 10), (8, 20)), ((0, 10), (8, 20)), ((10, 10), (1, 500))):
        one, other = ((k / n, *cw.rate_interval(k, n)) for k, n in (a, b))
        low, high = ratio_ends(one, other)
        back = ratio_ends(other, one)
        assert low == pytest.approx(1 / back[1] if back[1] else math.inf)
        assert high == pytest.approx(1 / back[0] if back[0] else math.inf)


def test_intervals_cover():
    """Of samples with TPR 0.8 (50 positives) and FPR 0.04 (200 negatives), about 95 % cover the true PPV."""
    rng = np.random.default_rng(1)
    inside = []
    truth = 0.1 * 0.8 / (0.1 * 0.8 + 0.9 * 0.04)
    for tp, fp in zip(rng.binomial(50, 0.8, 800).tolist(), rng.binomial(200, 0.04, 800).tolist(), strict=True):
        row = cw.ppv_npv(cw.Confusion(tp=tp, fp=fp, fn=50 - tp, tn=200 - fp), prevalence=[0.1]).table.rows()[0]
        inside.append(row["ppv_low"] <= truth <= row["ppv_high"])
    assert 0.93 <= np.mean(inside) <= 0.975


def test_a_weighted_sweep_has_no_interval():
    s = cw.sweep([1, 0, 1, 0], [4, 3, 2, 1], weight=[0.5, 1, 1, 1])
    found = cw.ppv_npv(s, threshold=2, prevalence=[0.1])
    assert found.table.columns["ppv_low"] == [None]
    assert found.ppv[0].reason.code == "weighted_sweep_no_interval"


def test_clusters_and_weights_count():
    rng = np.random.default_rng(4)
    y = rng.random(150) < 0.4
    score = rng.normal(size=150) + 1.5 * y
    shares = [0.02, 0.3]
    plain = cw.ppv_npv(y, score, 0.8, prevalence=shares)
    rows = cw.read_rows(np.repeat(y, 10), np.repeat(score, 10), cluster=np.repeat(np.arange(150), 10))
    clustered = cw.ppv_npv(rows, threshold=0.8, prevalence=shares)
    weighted = cw.ppv_npv(y, score, 0.8, prevalence=shares, weight=np.full(150, 10))
    counted = cw.ppv_npv(y, score, 0.8, prevalence=shares, weight=np.full(150, 10), weight_kind="count")
    for name in ("ppv", "npv"):
        found = zip(*(getattr(f, name) for f in (plain, clustered, weighted, counted)), strict=True)
        for one, many, heavy, more in found:
            assert one.value == pytest.approx(many.value)
            width = one.high - one.low
            assert many.high - many.low == pytest.approx(width, rel=0.05)
            assert heavy.high - heavy.low == pytest.approx(width, rel=0.05)
            assert more.high - more.low < 0.5 * width


@pytest.mark.parametrize("turn", [False, True])
def test_a_class_of_one_cluster_leaves_no_interval(turn):
    y = np.array([1, 1, 0, 0, 0, 0]) == 1
    rows = cw.read_rows(~y if turn else y, [3, 2, 3, 1, 2, 1], cluster=[0, 0, 1, 2, 3, 4])
    found = cw.ppv_npv(rows, threshold=2, prevalence=[0.1]).ppv[0]
    assert found.reason.code == "one_cluster"
    assert math.isnan(found.low)


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


def test_shares_of_all_rows_add_what_two_rates_may_be_off():
    """Where TPR and FPR rise together, alarms rise by both; of right decisions one gains what the other loses."""
    c = cw.Confusion(tp=60, fp=20, fn=40, tn=80)
    for r, alarms, right in ((0.0, math.hypot(0.05, 0.03), math.hypot(0.05, 0.03)), (1.0, 0.08, 0.02)):
        pair = RatePair((0.5, 0.7), (0.14, 0.26), r)
        for name, reach in (("predicted_rate", alarms), ("accuracy", right)):
            found = pair.at(find(name), c, 0.5, 0.95)
            assert (found.low, found.high) == pytest.approx((found.value - reach, found.value + reach))


@pytest.mark.parametrize("level", [0, 1])
def test_a_level_lies_strictly_between_0_and_1(level):
    with pytest.raises(cw.CurvewiseError, match="level: expected"):
        cw.ppv_npv(cw.Confusion(tp=9, fp=5, fn=1, tn=95), prevalence=0.1, level=level)

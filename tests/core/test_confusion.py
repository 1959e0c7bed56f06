"""Metrics at a threshold: against scikit-learn, at 0/0, and in words."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn import metrics as sk

import curvewise as cw
from curvewise.core.confusion import OF_FOUR_COUNTS, RATES
from curvewise.metric.registry import every, find

cells = st.integers(0, 30)


def labels(tp, fp, fn, tn):
    return np.repeat([1, 0, 1, 0], [tp, fp, fn, tn]), np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])


@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 30), st.integers(1, 30), st.booleans())
def test_scikit_learn_agrees(tp, fp, fn, tn, weighted):
    y, guess = labels(tp, fp, fn, tn)
    w = np.random.default_rng(tp + fp).random(len(y)) + 0.1 if weighted else None
    c, how = cw.confusion_from_labels(y, guess, weight=w), {"sample_weight": w}
    peers = {
        "accuracy": sk.accuracy_score(y, guess, **how),
        "error": sk.zero_one_loss(y, guess, **how),
        "precision": sk.precision_score(y, guess, **how),
        "recall": sk.recall_score(y, guess, **how),
        "f1": sk.f1_score(y, guess, **how),
        "jaccard": sk.jaccard_score(y, guess, **how),
        "balanced_accuracy": sk.balanced_accuracy_score(y, guess, **how),
        "mcc": sk.matthews_corrcoef(y, guess, **how),
        "kappa": sk.cohen_kappa_score(y, guess, **how),
        "lr_positive": sk.class_likelihood_ratios(y, guess, **how)[0],
        "lr_negative": sk.class_likelihood_ratios(y, guess, **how)[1],
        "specificity": sk.recall_score(y, guess, pos_label=0, **how),
        "npv": sk.precision_score(y, guess, pos_label=0, **how),
    }
    for name, value in peers.items():
        assert getattr(c, name) == pytest.approx(value, abs=1e-12, rel=1e-12), name
    for beta in (0.5, 2):
        assert c.f_beta(beta) == pytest.approx(sk.fbeta_score(y, guess, beta=beta, **how), abs=1e-12)
    if not weighted:
        assert c.fowlkes_mallows == pytest.approx(math.sqrt(tp / (tp + fp) * tp / (tp + fn)), abs=1e-12)


@given(cells, cells, cells, cells)
def test_complements_and_definitions(tp, fp, fn, tn):
    c = cw.Confusion(tp, fp, fn, tn)

    def agree(a, b):
        return (math.isnan(a) and math.isnan(b)) or a == pytest.approx(b, abs=1e-12)

    assert agree(c.fpr, 1 - c.specificity)
    assert agree(c.fnr, 1 - c.recall)
    assert agree(c.fdr, 1 - c.precision)
    assert agree(c.false_omission_rate, 1 - c.npv)
    assert agree(c.balanced_error, (c.fpr + c.fnr) / 2)
    assert agree(c.youden, 2 * c.balanced_accuracy - 1)
    assert agree(c.error, 1 - c.accuracy)
    assert (c.ppv, c.tpr, c.tnr) == pytest.approx((c.precision, c.recall, c.specificity), nan_ok=True)
    if tp and fp and fn and tn:
        assert c.diagnostic_odds_ratio == pytest.approx(c.lr_positive / c.lr_negative)
        assert c.lift == pytest.approx(c.precision / c.prevalence)
        assert c.number_needed_to_evaluate == pytest.approx(1 / c.precision)
        assert c.mcc == pytest.approx(math.copysign(math.sqrt(abs(c.youden * c.markedness)), c.youden), abs=1e-12)
        assert c.g_mean == pytest.approx(math.sqrt(c.recall * c.specificity))
        assert c.fowlkes_mallows == pytest.approx(math.sqrt(c.precision * c.recall))


def test_zero_over_zero():
    empty = {"tp": 0, "fp": 0, "fn": 0, "tn": 5}
    for name in ("precision", "recall", "f1", "mcc", "kappa", "lr_positive", "lift", "jaccard"):
        assert math.isnan(getattr(cw.Confusion(**empty), name)), name
        assert getattr(cw.Confusion(**empty, zero=0), name) == 0, name
        assert getattr(cw.Confusion(**empty, zero=1), name) == 1, name
    assert cw.confusion([0, 0], [1, 2], threshold=9, zero=0).precision == 0
    assert cw.sweep([0, 0], [1, 2]).at(9, zero=1).recall == 1


def test_something_over_zero_is_infinite():
    c = cw.Confusion(tp=3, fp=0, fn=1, tn=4, zero=0)
    assert c.lr_positive == math.inf
    assert c.diagnostic_odds_ratio == math.inf
    assert cw.Confusion(tp=0, fp=2, fn=1, tn=4).number_needed_to_evaluate == math.inf


def test_large_counts_do_not_overflow():
    k = 10**12
    c = cw.Confusion(*(np.int64(k),) * 4)
    assert (c.mcc, c.kappa, c.diagnostic_odds_ratio) == (0, 0, 1)


def test_costs():
    c = cw.Confusion(tp=8, fp=30, fn=2, tn=60)
    assert c.expected_cost(fp=1, fn=10) == 0.5
    assert c.expected_cost(fp=1, fn=10, tp=-5, tn=0.1) == pytest.approx((30 + 20 - 40 + 6) / 100)
    assert c.net_benefit(0.1) == pytest.approx(0.08 - 0.3 / 9)
    assert c.net_benefit(0) == 0.08


def test_table_speaks_plainly():
    table = cw.Confusion(tp=30, fp=20, fn=20, tn=430).table
    rows = {row["metric"]: row for row in table.rows()}
    assert list(rows) == list(OF_FOUR_COUNTS)
    assert rows["precision"]["value"] == 0.6
    assert rows["precision"]["meaning"] == "60 of 100 alarms are correct"
    assert (rows["recall"]["low"], rows["recall"]["high"]) == cw.rate_interval(30, 50)
    assert rows["mcc"]["low"] is None
    text = str(table)
    assert "TP 30, FP 20, FN 20, TN 430" in text
    assert "95% wilson intervals" in text
    exact = cw.Confusion(tp=30, fp=20, fn=20, tn=430).rates(level=0.9, method="clopper-pearson")
    assert "90% clopper-pearson" in exact.title
    assert len(exact.to_frame("polars")) == len(rows)
    assert exact.to_dict()["rows"][0]["metric"] == "accuracy"
    assert "<td>precision</td>" in table._repr_html_()


def test_table_gives_the_reason():
    rows = {r["metric"]: r for r in cw.Confusion(tp=0, fp=0, fn=20, tn=980).table.rows()}
    assert math.isnan(rows["precision"]["value"])
    assert rows["precision"]["meaning"] == "undefined: no row is flagged"
    assert rows["recall"]["meaning"].startswith("0 of 100 positives are found")
    rows = {r["metric"]: r for r in cw.Confusion(tp=0, fp=0, fn=0, tn=9, zero=0).table.rows()}
    assert rows["f1"]["value"] == 0
    assert rows["f1"]["meaning"] == "0/0, taken as 0: no row is positive and no row is flagged"
    assert "undefined" in str(cw.Confusion(tp=0, fp=0, fn=1, tn=1))


def test_fractional_weights_have_no_binomial_interval():
    table = cw.confusion([0, 1], [1, 2], threshold=2, weight=[0.5, 0.7]).table
    assert "no binomial intervals" in table.title
    assert all(row["low"] is None for row in table.rows())


@given(st.integers(0, 50), st.integers(1, 50), st.sampled_from([0.8, 0.95, 0.999]))
def test_rate_intervals_against_scipy(k, n, level):
    k = min(k, n)
    for ours, theirs in (("wilson", "wilson"), ("clopper-pearson", "exact")):
        reference = binomtest(k, n).proportion_ci(level, method=theirs)
        found = cw.rate_interval(k, n, level=level, method=ours)
        assert found == pytest.approx((reference.low, reference.high), abs=1e-9)
        assert found[0] <= k / n <= found[1]


def test_rate_interval_without_trials():
    assert all(map(math.isnan, cw.rate_interval(0, 0)))
    with pytest.raises(cw.CurvewiseError, match="successes: expected a number from 0 to 3, got 4"):
        cw.rate_interval(4, 3)


def test_dropped_rows_are_recorded():
    assert cw.confusion_from_labels([0, 1, None], [0, 1, 1], missing="drop").dropped == 1
    assert cw.confusion([0, 1, 1], [0, 1, math.nan], threshold=1, missing="drop").to_dict()["dropped"] == 1


def test_extreme_options():
    c = cw.Confusion(tp=30, fp=20, fn=20, tn=430)
    assert c.f_beta(1e200) == c.f_beta(math.inf) == c.recall
    assert c.f_beta(0) == c.precision
    for zero in ("x", None, 2, np.zeros(2)):
        with pytest.raises(cw.CurvewiseError, match="zero: expected nan, 0 or 1"):
            cw.Confusion(tp=1, fp=1, fn=1, tn=1, zero=zero)
    fractional = cw.Confusion(tp=0.5, fp=1, fn=1, tn=1)
    for bad in ({"level": 7}, {"method": "x"}):
        with pytest.raises(cw.CurvewiseError, match="expected"):
            fractional.rates(**bad)


@pytest.mark.parametrize("unit", [2**700, 2.0**-700])
def test_far_sums_of_weights_are_brought_near_1(unit):
    """430 lies between 2^8 and 2^9, so the largest cell becomes 430/512."""
    far = cw.Confusion(*(unit * each for each in (30, 20, 25, 430)))
    near = far._near_one
    assert (near.tp, near.fp, near.fn, near.tn) == (30 / 512, 20 / 512, 25 / 512, 430 / 512)
    assert far.mcc == pytest.approx(cw.Confusion(30, 20, 25, 430).mcc)
    assert near._near_one is near


def test_counts_beyond_float64_are_divided_as_whole_numbers():
    near = cw.Confusion(3 * 2**1100, 0.5, 0, 2**1100)._near_one
    assert (near.tp, near.fp, near.fn, near.tn) == (3 / 4, 0, 0, 1 / 4)


def test_a_rate_is_registered_with_its_cells_and_formula():
    recall, accuracy, prevalence = map(find, ("recall", "accuracy", "prevalence"))
    assert recall.rate == (("tp",), ("tp", "fn"))
    assert (recall.unit, recall.low, recall.high, recall.interval) == ("share", 0.0, 1.0, "wilson")
    assert (recall.formula, accuracy.formula) == ("TP/(TP + FN)", "(TP + TN)/(TP + FP + FN + TN)")
    assert (recall.perfect, find("fpr").perfect, prevalence.perfect) == (1.0, 0.0, None)


def test_every_metric_of_four_counts_is_registered():
    of_weights = ["f_beta", "f2", "f0.5", "net_benefit", "expected_cost"]  # that a user states, not of counts alone
    assert [m.name for m in every() if m.family == "threshold" and m.name not in of_weights] == list(OF_FOUR_COUNTS)
    assert all(isinstance(getattr(cw.Confusion, name), property) for name in OF_FOUR_COUNTS)
    assert list(RATES) == [m.name for m in every() if m.rate is not None]


@pytest.mark.parametrize("count", ["3", None, -1, math.inf, math.nan, 1j])
def test_what_is_no_count_is_refused(count):
    with pytest.raises(cw.CurvewiseError, match="tp: expected a finite count of 0 or more"):
        cw.Confusion(count, 1, 1, 1)


def test_thresholds_are_floats_or_whole_numbers_that_floats_reach():
    for asked, kept in ((None, None), (2**60 + 1, 2**60 + 1), (2**1023, 2.0**1023), (np.float32(0.5), 0.5)):
        found = cw.Confusion(1, 1, 1, 1, threshold=asked).threshold
        assert (found, type(found)) == (kept, type(kept))


@pytest.mark.parametrize("level", [0, 1])
def test_levels_of_a_table_lie_strictly_between_0_and_1(level):
    for c in (cw.Confusion(3, 1, 1, 3), cw.Confusion(3.5, 1, 1, 3)):  # fractional weights have no intervals
        for table in (c.rates, c.estimates):
            with pytest.raises(cw.CurvewiseError, match="level"):
                table(level)


def test_only_margins_that_are_empty_are_reasons():
    """As many true as false positives, and no other rows: nothing is passed, so NPV is 0/0."""
    assert cw.Confusion(3, 3, 0, 0).reason("npv").values["empty"] == ["all_flagged"]
    assert cw.Confusion(0, 0, 3, 3).reason("precision").values["empty"] == ["none_flagged"]


def test_f_without_beta_is_f1():
    c = cw.Confusion(3, 1, 2, 4)
    assert c.f_beta() == c.f1 == pytest.approx(6 / 9)

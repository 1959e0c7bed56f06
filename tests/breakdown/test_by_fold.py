"""Folds: values, mean with its interval, spread, pooled value, curves, and what is refused."""

import json
import math
import statistics
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from scipy import stats

import curvewise as cw


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(5)
    n = 400
    y = rng.random(n) < 0.35
    a, b = y + rng.normal(size=n), 0.6 * y + rng.normal(size=n)
    return y, a, b, np.arange(n) % 5


def test_values_mean_spread_and_pooled(data):
    y, a, _, fold = data
    found = cw.by_fold(y, a, fold)
    alone = [cw.interval("roc_auc", y[fold == k], a[fold == k]) for k in range(5)]
    assert [f.estimates["score"] for f in found.folds] == alone
    assert [(f.name, f.rows, f.train_size) for f in found.folds] == [(str(k), 80, 320) for k in range(5)]
    values = [e.value for e in alone]
    assert found.mean.value == pytest.approx(statistics.mean(values), abs=1e-15)
    assert found.spread == pytest.approx(statistics.stdev(values), abs=1e-15)
    assert found.pooled == cw.roc_auc(y, a)
    assert found.difference == found.pooled - found.mean.value
    expected = math.sqrt(statistics.mean(e.standard_error**2 for e in alone))
    assert found.models["score"].expected_spread == pytest.approx(expected)


def test_the_interval_of_a_mean_auc_has_the_variance_of_each_fold(data):
    y, a, _, fold = data
    found = cw.by_fold(y, a, fold, level=0.9)
    errors = [f.estimates["score"].standard_error for f in found.folds]
    error = math.sqrt(sum(e**2 for e in errors)) / 5
    assert (found.mean.method, found.mean.level) == ("delong-folds", 0.9)
    assert found.mean.standard_error == pytest.approx(error)
    # about as wide as the interval of one AUC that is as uncertain
    wald = NormalDist().inv_cdf(0.95) * error
    assert found.mean.high - found.mean.low == pytest.approx(2 * wald, rel=0.1)
    assert found.mean.value - found.mean.low > found.mean.high - found.mean.value  # it leans away from 1


def test_any_other_metric_has_the_corrected_interval(data):
    y, a, _, fold = data
    found = cw.by_fold(y, a, fold, metric="accuracy", threshold=0.5)
    values = [f.estimates["score"].value for f in found.folds]
    error = math.sqrt((1 / 5 + 80 / 320) * statistics.variance(values))
    reach = stats.t.ppf(0.975, 4) * error
    assert found.mean.method == "corrected-t"
    assert (found.mean.low, found.mean.high) == pytest.approx((found.mean.value - reach, found.mean.value + reach))
    assert found.pooled == pytest.approx(np.mean((a >= 0.5) == y))


def test_a_perfect_mean_is_not_certain():
    y, score = [1, 1, 1, 0, 0, 0] * 3, [9, 8, 7, 3, 2, 1] * 3
    found = cw.by_fold(y, score, np.repeat([1, 2, 3], 6))
    assert (found.mean.value, found.mean.high) == (1, 1)
    one = cw.interval("roc_auc", y[:6], score[:6])
    assert one.low < found.mean.low < 0.98


def test_scores_that_say_nothing_are_uncertain(data):
    y, _, _, fold = data
    found = cw.by_fold(y, np.zeros(400), fold).mean
    alone = cw.interval("roc_auc", y, np.zeros(400))
    assert found.value == 0.5
    assert 0.8 < (found.high - found.low) / (alone.high - alone.low) < 1.2


def test_corrected_t_in_fractions():
    # AUCs by counting pairs: a has 1, 3/4, 1 and b has 3/4, 3/4, 1/2; every fold has 4 of 12 rows
    y, fold = [1, 1, 0, 0] * 3, [1] * 4 + [2] * 4 + [3] * 4
    a, b = [9, 8, 2, 1, 9, 4, 5, 1, 9, 8, 2, 1], [9, 2, 8, 1, 9, 4, 5, 1, 5, 2, 3, 4]
    apart = [Fraction(1, 4), Fraction(0), Fraction(1, 2)]
    mean = sum(apart) / 3
    variance = sum((d - mean) ** 2 for d in apart) / 2
    squared = mean**2 / ((Fraction(1, 3) + Fraction(4, 8)) * variance)
    assert (mean, squared) == (Fraction(1, 4), Fraction(6, 5))
    found = cw.by_fold(y, {"a": a, "b": b}, fold).compare("a", "b")
    assert found.difference.value == 0.25
    assert found.statistic == pytest.approx(math.sqrt(squared), rel=1e-14)
    assert found.pairs[0].degrees_of_freedom == 2
    # t on 2 degrees of freedom has a formula: p = 1 - t / √(2 + t²) = 1 - √(3/8)
    assert found.p_value == pytest.approx(1 - math.sqrt(3 / 8), rel=1e-12)
    assert found.method == "corrected-t"
    reach = stats.t.ppf(0.975, 2) * math.sqrt(Fraction(5, 6) * Fraction(1, 16))
    assert (found.difference.low, found.difference.high) == (pytest.approx(0.25 - reach), 1)  # cut to what is possible


def test_a_known_size_of_training_sets_changes_the_correction(data):
    y, a, b, fold = data
    usual, small = (cw.by_fold(y, {"a": a, "b": b}, fold, **k).compare() for k in ({}, {"train_size": 40}))
    ratio = math.sqrt((1 / 5 + 80 / 40) / (1 / 5 + 80 / 320))
    assert usual.statistic / small.statistic == pytest.approx(ratio)
    assert "(1/5 + 2)" in str(small.notes[0])


def test_equal_models_and_a_difference_without_variance(data):
    y, a, _, fold = data
    same = cw.by_fold(y, {"a": a, "b": a}, fold).compare()
    assert (same.difference.value, same.statistic, same.p_value) == (0, 0, 1)
    y, fold = [1, 0] * 6, np.repeat([1, 2, 3], 4)
    better = cw.by_fold(y, {"a": [2, 1] * 6, "b": [1, 2] * 6}, fold).compare()
    assert better.difference.value == 1
    assert not better.difference.has_interval
    assert math.isnan(better.p_value)


def test_three_models_and_margins(data):
    y, a, b, fold = data
    found = cw.by_fold(y, {"a": a, "b": b, "c": a + b}, fold)
    compared = found.compare(margin=0.05)
    assert [(p.first, p.second) for p in compared.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert compared.pairs[0].p_holm >= compared.pairs[0].p_value
    assert compared.pairs[0].simultaneous.low < compared.pairs[0].difference.low
    one = found.compare("c", "a", margin=0.05).pairs[0]
    gap = one.difference
    assert one.p_non_inferior == pytest.approx(stats.t.sf((gap.value + 0.05) / gap.standard_error, 4))
    p = 1 / (1 + np.exp(-a))
    loss = cw.by_fold(y, {"a": p, "b": p**2}, fold, metric="brier_loss").compare(margin=0.05).pairs[0]
    assert loss.p_non_inferior == loss.p_margins[1]
    with pytest.raises(cw.OptionError, match="needs two models, got a"):
        found.compare("a")
    with pytest.raises(cw.CurvewiseError, match="expected one of 'a', 'b', 'c', got 'd'"):
        found.compare("a", "d")
    with pytest.raises(cw.CurvewiseError, match="model: expected one of"):
        _ = found.mean


def test_repeats(data):
    y, a, b, fold = data
    rng = np.random.default_rng(1)
    other = rng.permutation(fold)
    scores = {"a": np.r_[a, b], "b": np.r_[b, a]}
    found = cw.by_fold(np.tile(y, 2), scores, np.r_[fold, other], repeat=np.repeat(["x", "y"], len(y)))
    assert (found.repeats, len(found.folds)) == (2, 10)
    assert [(f.repeat, f.name, f.train_size) for f in found.folds][:6:5] == [("x", "0", 320), ("y", "0", 320)]
    assert found.models["a"].pooled == pytest.approx((cw.roc_auc(y, a) + cw.roc_auc(y, b)) / 2)
    first, second = cw.by_fold(y, {"a": a, "b": b}, fold), cw.by_fold(y, {"a": b, "b": a}, other)
    apart = [f.estimates["a"].value - f.estimates["b"].value for f in (*first.folds, *second.folds)]
    factor = (1 / 10 + 80 / 320) * statistics.variance(apart)
    assert found.compare().statistic == pytest.approx(statistics.mean(apart) / math.sqrt(factor))
    variance = (first.models["a"].mean.standard_error ** 2 + second.models["a"].mean.standard_error ** 2) / 2
    assert found.models["a"].mean.standard_error == pytest.approx(math.sqrt(variance))
    both = min(first.models["a"].shift.p_value, second.models["a"].shift.p_value) * 2
    assert found.models["a"].shift.p_value == pytest.approx(min(both, 1))
    assert list(found.curve("roc", "a").curves)[:6:5] == ["x, 0", "y, 0"]
    assert list(found.wide.columns)[:2] == ["repeat", "fold"]


def test_the_test_of_folds_is_kruskal_and_wallis_within_classes(data):
    y, a, _, fold = data
    score = np.round(a, 1) + 0.2 * (fold == 3)
    shift = cw.by_fold(y, score, fold).models["score"].shift
    both = [stats.kruskal(*(score[on & (fold == k)] for k in range(5))) for on in (y, ~y)]
    total = sum(found.statistic for found in both)
    assert (shift.statistic, shift.degrees) == (pytest.approx(total), 8)
    assert shift.p_value == pytest.approx(stats.chi2.sf(total, 8))


def test_folds_that_are_calibrated_differently_are_told(data):
    y, a, b, fold = data
    moved = a + 4.0 * (fold == 3)
    found = cw.by_fold(y, moved, fold)
    assert found.mean == cw.by_fold(y, a, fold).mean
    assert found.pooled < found.mean.value - 0.02
    assert found.notes[0].code == "folds_differ"
    assert "most in fold 3" in str(found.notes[0])
    several = cw.by_fold(y, {"a": moved, "b": b}, fold)
    assert str(several.notes[0]).startswith("a: scores differ between folds")
    assert [n.code for n in cw.by_fold(y, a, fold).notes] == ["spread_of_folds"]
    again = cw.by_fold(y, np.exp(moved), fold).models["score"].shift
    assert again.p_value == pytest.approx(found.models["score"].shift.p_value)  # ranks alone count


def test_a_column_is_called_by_the_metric_where_there_is_one_model(data):
    y, a, b, fold = data
    assert "roc_auc" in cw.by_fold(y, a, fold).wide.columns
    assert cw.by_fold(y, a, fold).table.title == "roc_auc by fold (95% intervals)"
    assert {"a", "b"} <= set(cw.by_fold(y, {"a": a, "b": b}, fold).wide.columns)


def test_curves_are_averaged_at_each_place(data):
    y, a, _, fold = data
    found = cw.by_fold(y, a, fold)
    roc = found.curve()
    curves = [cw.roc_curve(y[fold == k], a[fold == k]) for k in range(5)]
    heights = np.array([[c.tpr[c.fpr <= x + 1e-12].max() for x in (0.0, 1.0)] for c in curves])
    assert roc.mean[[0, -1]] == pytest.approx(heights.mean(axis=0))
    assert roc.spread[0] == pytest.approx(heights[:, 0].std(ddof=1))
    assert np.all(np.diff(roc.mean) >= 0)
    assert (roc.area, roc.area_spread) == pytest.approx((found.mean.value, found.spread))
    assert roc.low.tolist() == [max(m - d, 0) for m, d in zip(roc.mean, roc.spread, strict=True)]
    assert roc.high.tolist() == [min(m + d, 1) for m, d in zip(roc.mean, roc.spread, strict=True)]
    assert 0 < roc.low[50] < roc.mean[50] < roc.high[50]
    pr = found.curve("pr")
    areas = [cw.average_precision(y[fold == k], a[fold == k]) for k in range(5)]
    assert pr.area == pytest.approx(statistics.mean(areas))
    assert pr.mean[-1] == pytest.approx(
        statistics.mean(y[fold == k].sum() / (a[fold == k] >= a[fold == k][y[fold == k]].min()).sum() for k in range(5))
    )
    with pytest.raises(cw.OptionError, match="kind: expected one of 'roc', 'pr'"):
        found.curve("det")


def test_every_option_of_rows_counts(data):
    import polars as pl

    y, a, _, fold = data
    plain = cw.by_fold(y, a, fold)
    frame = pl.DataFrame({"y": y, "a": a, "fold": fold})
    assert cw.by_fold(frame["y"], frame["a"], frame["fold"]).mean == plain.mean
    rows = cw.read_rows(y, a, fold=fold)
    assert cw.by_fold(rows).mean == cw.by_fold(cw.read_rows(y, a), fold=fold).mean == plain.mean
    named = np.where(y, "ill", "well")
    assert cw.by_fold(named, -a, fold, positive="ill", higher_is="negative").mean.value == plain.mean.value
    assert cw.by_fold(y, a, fold, weight=np.full(400, 2.0)).mean.value == pytest.approx(plain.mean.value)
    gone = np.where(np.arange(400) < 3, np.nan, a)
    kept = cw.by_fold(y, gone, fold, missing="drop")
    assert kept.dropped == 3
    assert kept.mean == cw.by_fold(y[3:], a[3:], fold[3:]).mean
    assert cw.by_fold(y, a, fold, round_to=1).pooled == cw.roc_auc(y, a, round_to=1)
    weight = 1 + (fold == 0) * 1.0
    assert cw.by_fold(y, a, fold, weight=weight).folds[0].n == 160
    assert cw.by_fold(y, a, {"my fold": fold}).mean == plain.mean


def test_clusters_widen_the_interval_and_should_not_span_folds(data):
    y, a, _, fold = data
    tens = [np.repeat(v, 10) for v in (y, a, fold)]
    plain, clustered = (cw.by_fold(*tens, cluster=c).mean for c in (None, np.repeat(np.arange(400), 10)))
    assert clustered.standard_error > 2.5 * plain.standard_error
    leaky = cw.by_fold(y, a, fold, cluster=np.arange(400) // 2)
    assert not leaky.mean.has_interval
    assert "clusters_span_folds" in [n.code for n in leaky.notes]
    assert "folds_not_tested" in [n.code for n in leaky.notes]


def test_clusters_have_rows_in_every_repeat(data):
    y, a, b, fold = data
    other = np.random.default_rng(1).permutation(fold)
    rows = {"repeat": np.repeat([1, 2], 400), "cluster": np.tile(np.arange(400), 2)}
    found = cw.by_fold(np.tile(y, 2), np.r_[a, b], np.r_[fold, other], **rows)
    assert found.mean.has_interval
    assert "clusters_span_folds" not in [n.code for n in found.notes]
    leaky = cw.by_fold(np.tile(y, 2), np.r_[a, b], np.r_[fold, other], **{**rows, "cluster": np.arange(800) // 2})
    assert "clusters_span_folds" in [n.code for n in leaky.notes]


def test_leave_one_out_is_refused_for_auc_and_not_for_losses():
    # each row is predicted by the share of positives among the others: the ranking is exactly reversed
    y = np.array([1] * 10 + [0] * 10)
    p = (y.sum() - y) / (len(y) - 1)
    assert cw.roc_auc(y, p) == 0
    with pytest.raises(cw.UndefinedMetricError, match=r"one row \(leave-one-out\).*biased downward.*leave-pair-out"):
        cw.by_fold(y, p, np.arange(20))
    assert cw.by_fold(y, p, np.arange(20), metric="brier_loss").mean.value == pytest.approx(np.mean((p - y) ** 2))


@pytest.mark.parametrize(
    ("fold", "words"),
    [
        ([1, 1, 1, 1, 2, 2, 2, 2], "1 of 2 folds lack a class (2); use stratified folds"),
        ([1] * 8, "fold: expected two folds or more, got one"),
        ([1, 1, None, 2, 2, 2, None, 1], "fold has 2 missing values (rows 2, 6)"),
        ([1, 2], "y and fold must be equally long"),
        (None, "fold: expected one value per row"),
        ({"a": [1] * 8, "b": [2] * 8}, "fold: expected one column, got 2"),
        ([(1, 1)] * 8, "fold: expected one value per row, got several; a repeat goes in repeat="),
        (np.ones((8, 2)), "fold: expected one value per row, got several; a repeat goes in repeat="),
    ],
    ids=["one class", "one fold", "missing", "short", "none", "two columns", "pairs", "matrix"],
)
def test_bad_folds(fold, words):
    y, score = [1, 0, 1, 0, 1, 1, 1, 1], [3, 1, 4, 1, 5, 9, 2, 6]
    with pytest.raises(cw.CurvewiseError) as caught:
        cw.by_fold(y, score, fold)
    assert words in str(caught.value)


def test_options_that_cannot_be_used(data):
    y, a, _, fold = data
    with pytest.raises(cw.OptionError, match="train_size: expected a whole number"):
        cw.by_fold(y, a, fold, train_size=0)
    with pytest.raises(cw.CurvewiseError, match=r"'0' has one fold alone.*pass train_size="):
        cw.by_fold(y, a, fold, repeat=fold)
    assert cw.by_fold(y, a, fold, repeat=fold, train_size=320).repeats == 5
    with pytest.raises(cw.UnknownOptionError, match="folds: unknown option"):
        cw.by_fold(y, a, folds=fold)
    with pytest.raises(
        cw.UndefinedMetricError, match=r"precision over folds is undefined: 5 of 5 folds.*no row is flagged"
    ):
        cw.by_fold(y, a, fold, metric="precision", threshold=99)
    with pytest.raises(cw.CurvewiseError, match="these rows hold no fold"):
        cw.by_fold(cw.read_rows(y, a))


def test_small_folds_are_told():
    y = np.array([1, 1, 0, 0, 0, 0, 0, 0] * 4)
    found = cw.by_fold(y, np.arange(32) % 7, np.repeat([1, 2, 3, 4], 8))
    assert "4 of 4 folds have fewer than 10 rows of a class (the fewest 2)" in str(found)
    for size, told in ((9, True), (10, False)):
        y, score = np.tile([1] * size + [0] * 15, 4), np.random.default_rng(0).random(4 * (size + 15))
        found = cw.by_fold(y, score, np.repeat([1, 2, 3, 4], size + 15))
        assert ("fewer than 10 rows of a class" in str(found)) == told


def test_censored_outcomes(data):
    _, a, _, fold = data
    rng = np.random.default_rng(2)
    h = cw.horizon(rng.exponential(2, 400), rng.random(400) < 0.7, a, at=1.5)
    found = cw.by_fold(h, fold)
    assert found.pooled == cw.roc_auc(h)
    assert [f.n for f in found.folds] == [80] * 5  # rows, the unknown ones too
    assert sum(f.positives for f in found.folds) == h.cases
    assert found.mean.method == "delong-folds"
    assert found.models["score"].shift.reason.code == "folds_not_tested"
    with pytest.raises(cw.OptionError, match="repeat: censored outcomes"):
        cw.by_fold(h, fold, repeat=fold)


def test_as_data(data):
    y, a, b, fold = data
    found = cw.by_fold(y, {"a": a, "b": b}, fold)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["schema"] == "curvewise.folds"
    assert [m["model"] for m in told["models"]] == ["a", "b"]
    assert told["models"][0]["difference"] == pytest.approx(found.models["a"].difference)
    assert told["folds"][1]["estimates"]["b"]["value"] == found.folds[1].estimates["b"].value
    assert found.to_frame("polars").shape == (10, 7)
    assert "| a | " in found.to_markdown()

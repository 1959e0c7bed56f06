"""Rows sampled within strata: what every verb makes of them."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import curvewise as cw
from curvewise.core.rate import rate_of_cells, rate_of_rows
from curvewise.core.resampling import class_order, draw_times
from curvewise.core.strata import strata_of
from curvewise.inference.by_delong import AHEAD
from curvewise.inference.delong import placements

K = np.arange(36)
STRATUM, CLUSTER = K // 12, K // 3
Y = ((K * 7 + K // 5) % 5 < 2).astype(int)
P = np.round(((K * 13) % 36 + 2) / 40 + 0.05 * (Y - 0.4), 3)
WEIGHT = 1 + STRATUM * 1.5 + (K % 4) * 0.25
GROUP = np.where(K % 5 < 2, "a", "b")

# mean of the Brier loss, prevalence, and recall at 0.5 as a ratio, each with its standard error, by
# samplics 0.6.0 (TaylorEstimator with stratum=, psu= and samp_weight=, without finite population correction)
SAMPLICS = {
    "rows": (0.33640694444444447, 0.047946852362590796, 0.08375315127160102, 0.13957263155977062),
    "clusters": (0.33640694444444447, 0.050436731257623185, 0.07172191381865588, 0.15430334996209188),
    "both": (0.3305908212560386, 0.05998016471449822, 0.07948824256816196, 0.18234861414964),
    "weights": (0.3305908212560386, 0.05019102368960362, 0.09020106412834124, 0.14931068762259106),
}
DESIGNS = {
    "rows": {},
    "clusters": {"cluster": CLUSTER},
    "both": {"cluster": CLUSTER, "weight": WEIGHT},
    "weights": {"weight": WEIGHT},
}


def read(**more):
    return cw.read_rows(Y, P, stratum=STRATUM, **more)


def error_of_rate(rows, rate):
    """The standard error of a rate: its errors are kept without the factor of all units as one stratum."""
    units = strata_of(rows).units
    return math.sqrt(rate.away @ rate.away * units / (units - 1))


@pytest.mark.parametrize("design", DESIGNS)
def test_standard_errors_are_those_of_survey_software(design):
    rows = read(**DESIGNS[design])
    brier, error, of_prevalence, of_recall = SAMPLICS[design]
    found = cw.interval("brier_loss", rows)
    assert found.value == pytest.approx(brier, rel=1e-12)
    assert found.standard_error == pytest.approx(error, rel=1e-12)
    assert error_of_rate(rows, rate_of_rows(rows, rows.positive, level=0.95)) == pytest.approx(of_prevalence, rel=1e-12)
    recall = rate_of_cells(rows, 0.5, ("tp",), ("tp", "fn"), level=0.95)
    assert error_of_rate(rows, recall) == pytest.approx(of_recall, rel=1e-12)


def test_a_group_is_a_domain_whose_other_units_count_as_units():
    # samplics 0.6.0, domain=
    found = cw.by_group(Y, P, GROUP, metrics=["brier_loss"], stratum=STRATUM, cluster=CLUSTER, weight=WEIGHT)
    errors = {g.name: g.estimates["brier_loss"].standard_error for g in found.groups()}
    assert errors == pytest.approx({"a": 0.08426685758528944, "b": 0.05511558524143611}, rel=1e-12)


def test_a_mean_by_hand():
    # stratum 1: errors 0, 0, 1, 1 (mean 1/2); stratum 2: 0, 1 (mean 1/2) and weight 3 per row, total weight 10
    y, p, stratum = [0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 1, 0], [1, 1, 1, 1, 2, 2]
    weight = [1, 1, 1, 1, 3, 3]
    # z = w(e - 1/2)/10: ±1/20 four times, ±3/20 twice; factors 4/3 and 2
    exact = Fraction(4, 3) * 4 * Fraction(1, 20) ** 2 + 2 * 2 * Fraction(3, 20) ** 2
    assert exact == Fraction(31, 300)
    found = cw.interval("brier_loss", y, p, stratum=stratum, weight=weight)
    assert found.value == 0.5
    assert found.standard_error**2 == pytest.approx(float(exact), rel=1e-12)


def test_a_plain_rate_has_the_textbook_variance():
    rows = read()
    found = rate_of_rows(rows, rows.positive, level=0.95)
    parts = [(np.mean(h == STRATUM), np.var(Y[h == STRATUM], ddof=1), np.sum(h == STRATUM)) for h in range(3)]
    textbook = sum(share**2 * variance / n for share, variance, n in parts)  # Σ W² s²/n
    assert error_of_rate(rows, found) ** 2 == pytest.approx(textbook, rel=1e-12)


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "brier_loss", "recall", "accuracy", "f1", "mcc"])
def test_one_stratum_of_clusters_is_none(metric):
    options = {"threshold": 0.5} if metric in ("recall", "accuracy", "f1", "mcc") else {}
    alone = cw.interval(metric, Y, P, cluster=CLUSTER, **options)
    one = cw.interval(metric, Y, P, cluster=CLUSTER, stratum=np.zeros(36), **options)
    if metric == "roc_auc":  # Obuchowski's factors are those of clusters with each class
        assert one.standard_error == pytest.approx(alone.standard_error, rel=0.01)
    else:
        assert (one.low, one.high) == pytest.approx((alone.low, alone.high), rel=0.05)  # a sandwich, and a jackknife


@pytest.mark.parametrize("metric", ["recall", "accuracy", "precision"])
def test_one_stratum_of_rows_leaves_wilson_as_it_is(metric):
    one, none = (cw.interval(metric, Y, P, threshold=0.5, **k) for k in ({"stratum": np.zeros(36)}, {}))
    assert (one.low, one.high) == pytest.approx((none.low, none.high), rel=1e-12)


def test_classes_as_strata_are_delongs_variance():
    by_class, none = (cw.interval("roc_auc", Y, P, method="delong-wald", **k) for k in ({"stratum": Y}, {}))
    assert by_class.standard_error == pytest.approx(none.standard_error, rel=1e-12)
    two = {"a": P, "b": np.roll(P, 5)}
    differences = [cw.compare(Y, two, **k).difference.standard_error for k in ({"stratum": Y}, {})]
    assert differences[0] == pytest.approx(differences[1], rel=1e-12)


def test_the_variance_of_a_difference_follows_from_the_covariance():
    placed = placements(cw.read_rows(Y, {"a": P, "b": np.roll(P, 5)}, stratum=STRATUM, cluster=CLUSTER))
    v = placed.covariance()
    assert placed.spreads([(0, 1)])[0].variance == pytest.approx(v[0, 0] + v[1, 1] - 2 * v[0, 1], rel=1e-12)


@pytest.mark.parametrize("metric", ["roc_auc", "brier_loss", "recall", "f1", "calibration_slope"])
def test_weights_that_count_are_rows_repeated(metric):
    options = {"threshold": 0.5} if metric in ("recall", "f1") else {}
    times = 1 + K % 3
    counted = cw.interval(metric, Y, P, weight=times, weight_kind="count", stratum=STRATUM, **options)
    repeated = cw.interval(metric, *(np.repeat(v, times) for v in (Y, P)), stratum=np.repeat(STRATUM, times), **options)
    assert (counted.low, counted.high) == pytest.approx((repeated.low, repeated.high), rel=1e-9)


def test_strata_that_differ_make_a_prevalence_surer():
    stratum = np.repeat([0, 1], 100)
    y = np.concatenate([np.arange(100) < 10, np.arange(100) < 90]).astype(int)
    score = np.arange(200) % 7
    plain, strata = (cw.interval("prevalence", y, score, threshold=3, **k) for k in ({}, {"stratum": stratum}))
    assert strata.high - strata.low < 0.75 * (plain.high - plain.low)


@pytest.mark.parametrize("design", [*DESIGNS, "counts"])
def test_resamples_keep_the_units_of_each_stratum(design):
    counts = {"weight": 1 + K % 3, "weight_kind": "count"}
    rows = read(**(counts if design == "counts" else DESIGNS[design]))
    times, order = draw_times(rows, stratified=True), class_order(rows)
    rng = np.random.default_rng(0)
    each = 1 / 3 if rows.cluster is not None else 1
    expected = np.bincount(STRATUM, counts["weight"] if design == "counts" else None)
    for _ in range(20):
        drawn = times(rng)
        assert (np.bincount(STRATUM[order], drawn) * each).round(9).tolist() == (expected * each).tolist()
        if rows.cluster is not None:
            assert all(len(set(drawn[CLUSTER[order] == c])) == 1 for c in range(12))


def test_resamples_of_a_group_draw_among_all_units_of_a_stratum():
    rows = read().take(np.flatnonzero(GROUP == "a"))
    times = draw_times(rows, stratified=False)
    rng = np.random.default_rng(0)
    sizes = [int(times(rng).sum()) for _ in range(300)]
    assert len(set(sizes)) > 5
    assert np.mean(sizes) == pytest.approx(len(rows), abs=1)


def test_resamples_agree_with_the_formula():
    wide = {"replicates": 2000, "method": "percentile"}
    y, p, stratum = (np.tile(v, 4) for v in (Y, P, STRATUM))
    for metric in ("brier_loss", "roc_auc"):
        formula, drawn = cw.interval(metric, y, p, stratum=stratum), cw.interval(metric, y, p, stratum=stratum, **wide)
        assert drawn.standard_error == pytest.approx(formula.standard_error, rel=0.08)


def test_a_stratum_with_one_unit_is_compared_with_all():
    stratum = np.where(K == 0, 1, 0)
    found = cw.interval("brier_loss", Y, P, stratum=stratum)
    assert found.notes[0].code == "lonely_stratum"
    assert "1 of 2 strata have only one unit" in str(found.notes[0])
    loss = (P - Y) ** 2
    away = (loss - loss.mean()) / 36
    others = away[1:] - away[1:].mean()
    assert found.standard_error**2 == pytest.approx(away[0] ** 2 + 35 / 34 * others @ others, rel=1e-12)
    assert cw.compare(Y, {"a": P, "b": np.roll(P, 3)}, stratum=stratum).notes[-1].code == "lonely_stratum"


def test_degrees_of_freedom_are_units_less_strata():
    strata = strata_of(read(cluster=CLUSTER))
    assert (strata.degrees, strata.number, strata.units) == (9, 3, 12)
    compared = cw.compare(Y, {"a": P, "b": np.roll(P, 3)}, stratum=STRATUM, cluster=CLUSTER)
    assert compared.pairs[0].degrees_of_freedom <= 9 + AHEAD
    wald = cw.compare(Y, {"a": P, "b": np.roll(P, 3)}, stratum=STRATUM, cluster=CLUSTER, method="delong-wald")
    assert wald.pairs[0].degrees_of_freedom == 9


def test_clusters_in_two_strata_are_refused():
    with pytest.raises(cw.CurvewiseError, match="within one stratum, got 2 clusters with rows in several"):
        cw.read_rows(Y, P, cluster=CLUSTER, stratum=np.where(np.isin(K, (0, 4)), 9, 1))


def test_calibration_slope_has_a_sandwich_within_strata():
    fits = {name: cw.calibration(Y, P, **k) for name, k in {"none": {}, "strata": {"stratum": STRATUM}}.items()}
    assert fits["strata"].slope.value == fits["none"].slope.value
    assert fits["strata"].slope.method == "robust-wald"
    assert "strata_of_fits" in [n.code for n in fits["strata"].notes]
    one, alone = (cw.calibration(Y, P, cluster=CLUSTER, **k).slope for k in ({"stratum": np.zeros(36)}, {}))
    assert (one.low, one.high) == pytest.approx((alone.low, alone.high), rel=0.05)  # a sandwich, and a jackknife
    assert cw.reliability(Y, P, stratum=STRATUM).notes[0].code == "strata_given_probability"


def test_observed_over_expected_by_hand():
    found = cw.calibration(Y, P, stratum=STRATUM).observed_expected
    z = Y - found.value * P
    variance = sum(12 / 11 * np.sum((z[h == STRATUM] - z[h == STRATUM].mean()) ** 2) for h in range(3))
    assert found.standard_error == pytest.approx(math.sqrt(variance) / P.sum(), rel=1e-9)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda k: cw.interval("roc_auc", Y, P, method="hanley-mcneil", **k), "without strata"),
        (lambda k: cw.interval("roc_auc", Y, P, method="bca", **k), "without strata"),
        (lambda k: cw.interval("roc_auc", Y, P, method="percentile", stratified=True, **k), "drawn within these"),
        (lambda k: cw.interval("roc_auc", cw.sweep(Y, P), **k), "has forgotten its rows"),
        (
            lambda k: cw.compare(Y, {"a": P, "b": -P}, metric="accuracy", threshold=0, method="mcnemar", **k),
            "without strata",
        ),
        (lambda k: cw.compare({"a": Y, "b": Y}, {"a": P, "b": P}, **k), "need a dict of strata"),
        (lambda k: cw.roc_band(Y, P, simultaneous=True, **k), "without strata"),
        (lambda k: cw.calibration_belt(Y, P, **k), "these are in strata"),
        (lambda k: cw.pilot_power(Y, {"a": P, "b": -P}, **k), "stratum: power from a pilot"),
        (lambda k: cw.pool_rates(Y, P, site=GROUP, threshold=0.5, **k), "nor strata"),
        (lambda k: cw.reclassification(Y, {"a": P, "b": P / 2}, **k), "not sampled within strata"),
        (lambda k: cw.reader_study(Y, {"m": {"r": P, "s": -P}, "n": {"r": -P, "s": P}}, **k), "not sampled within"),
    ],
)
def test_what_cannot_use_strata_refuses_them(call, said):
    with pytest.raises(cw.CurvewiseError, match=said):
        call({"stratum": STRATUM})


@pytest.mark.parametrize(
    "call",
    [
        lambda k: cw.operating_point(Y, P, cw.rules.youden(), replicates=100, **k),
        lambda k: cw.decision_curve(Y, P, thresholds=[0.4], **k).low,
        lambda k: cw.roc_band(Y, P, grid=[0.3], replicates=100, **k).low,
        lambda k: cw.threshold_band(Y, P, grid=[0.4], **k).low,
        lambda k: cw.ppv_npv(Y, P, threshold=0.5, prevalence=0.2, **k).table,
        lambda k: cw.binormal(Y, P, **k).table,
        lambda k: cw.compare(Y, {"a": P, "b": np.roll(P, 3)}, metric="average_precision", **k).table,
        lambda k: cw.compare(Y, {"a": P, "b": np.roll(P, 3)}, method="bootstrap", replicates=100, **k).table,
        lambda k: cw.fairness(Y, P, GROUP, threshold=0.5, replicates=100, **k).table,
        lambda k: cw.by_site(Y, P, GROUP, **k).table,
        lambda k: cw.volume_under_surface(K % 3, P, **k).table,
        lambda k: cw.multiclass(K % 3, np.abs(np.stack([P, 0.5 - P / 2, 0.5 - P / 2], 1)), **k).interval("accuracy"),
        lambda k: cw.multilabel({"a": Y, "b": K % 2}, {"a": P, "b": 1 - P}, **k).interval("roc_auc"),
    ],
)
def test_other_verbs_use_strata(call):
    assert str(call({"stratum": STRATUM})) != str(call({}))


def test_many_classes_draw_within_strata_and_refuse_other_strata():
    proba = np.stack([P, 0.5 - P / 2, 0.5 - P / 2], 1)
    first, second = (cw.multiclass(K % 3, proba, stratum=s) for s in (STRATUM, K // 9))
    drawn = first.drawer()(np.random.default_rng(0))
    assert np.bincount(STRATUM, drawn).tolist() == [12, 12, 12]
    assert first.rows(0).stratum is not None
    with pytest.raises(cw.CurvewiseError, match="the same stratum for both"):
        first.compare(second)


def test_groups_that_share_strata_are_not_independent():
    found = cw.by_group(Y, P, GROUP, metrics=["recall"], threshold=0.5, stratum=STRATUM, replicates=200)
    assert not found.partitions["group"].is_independent
    assert found.partitions["group"].is_nested
    alike = cw.by_group(Y, P, STRATUM.astype(str), metrics=["recall"], threshold=0.5, stratum=STRATUM)
    assert alike.partitions["group"].is_independent


def test_resamples_of_small_strata_have_a_note():
    small = cw.interval("roc_auc", Y, P, method="percentile", stratum=K // 4, replicates=50)
    assert "4 units on average" in str(next(n for n in small.notes if n.code == "small_strata"))
    large = cw.interval("roc_auc", Y, P, method="percentile", stratum=STRATUM, replicates=50)
    assert "small_strata" not in [n.code for n in large.notes]


def test_rates_of_the_same_rows_always_have_a_correlation():
    rows = read()
    none, some = (rate_of_cells(rows, cut, ("tp",), ("tp", "fp"), level=0.95) for cut in (2.0, 0.5))
    assert math.isnan(none.trials)
    assert none.correlation(some) == 0
    assert some.correlation(some) == pytest.approx(1)
    one = cw.read_rows(Y, P, stratum=STRATUM, cluster=STRATUM)
    within = rate_of_rows(one, one.positive, STRATUM == 0, level=0.95)
    assert math.isnan(within.trials)
    assert abs(within.correlation(rate_of_rows(one, one.positive, level=0.95))) <= 1


def test_strata_with_one_unit_are_drawn_together():
    rows = cw.read_rows(Y, P, stratum=np.where(K < 6, K, 9))
    times, order = draw_times(rows, stratified=False), class_order(rows)
    drawn = [times(np.random.default_rng(seed))[np.argsort(order)] for seed in range(20)]
    assert all(d[:6].sum() == 6 and d[6:].sum() == 30 for d in drawn)
    assert any(d[:6].max() > 1 for d in drawn)

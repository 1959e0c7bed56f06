"""Options of rows count for many classes: clusters, kinds of weights, missing values, rounding."""

from __future__ import annotations

import numpy as np
import pytest

import curvewise as cw
from many_classes.sample import class_rows, label_rows


def width(estimate):
    return estimate.high - estimate.low


NUMBERS = [
    "accuracy",
    "roc_auc",
    "average_precision",
    "log_loss",
    "brier_loss",
    "f1",
    "kappa",
    "hand_till",
]


@pytest.mark.parametrize("metric", NUMBERS)
def test_rows_repeated_under_their_cluster_keep_the_width(metric):
    y, p = class_rows()
    again = np.repeat(np.arange(len(y)), 10)
    once = cw.multiclass(y, p).interval(metric, replicates=300)
    ten = cw.multiclass(y[again], p[again], cluster=again).interval(metric, replicates=300)
    assert width(ten) == pytest.approx(width(once), rel=0.15)
    assert ten.value == pytest.approx(once.value, rel=1e-9)
    naive = cw.multiclass(y[again], p[again]).interval(metric, replicates=100)
    assert width(naive) < 0.5 * width(once)


def test_each_class_keeps_the_width_under_clusters():
    y, p = class_rows(n=600)
    again = np.repeat(np.arange(len(y)), 10)
    once = cw.multiclass(y, p).per_class().rows()
    ten = cw.multiclass(y[again], p[again], cluster=again).per_class().rows()
    for a, b in zip(once, ten, strict=True):
        for metric in ("precision", "recall", "roc_auc"):
            wide, same = (r[f"{metric}_high"] - r[f"{metric}_low"] for r in (a, b))
            assert same == pytest.approx(wide, rel=0.15)


@pytest.mark.parametrize("metric", ["accuracy", "roc_auc", "log_loss"])
def test_comparisons_keep_the_width_under_clusters(metric):
    y, p = class_rows()
    other = class_rows(shift=0.6)[1]
    again = np.repeat(np.arange(len(y)), 10)
    once = cw.multiclass(y, p).compare(cw.multiclass(y, other), metric, replicates=300)
    first, second = (cw.multiclass(y[again], s[again], cluster=again) for s in (p, other))
    ten = first.compare(second, metric, replicates=300)
    assert width(ten.difference) == pytest.approx(width(once.difference), rel=0.15)


@pytest.mark.parametrize("metric", ["roc_auc", "f1", "hamming_loss", "label_ranking_ap", "subset_accuracy"])
def test_labels_keep_the_width_under_clusters(metric):
    truth, s = label_rows()
    again = np.repeat(np.arange(len(truth)), 10)
    once = cw.multilabel(truth, s).interval(metric, replicates=300)
    ten = cw.multilabel(truth[again], s[again], cluster=again).interval(metric, replicates=300)
    assert width(ten) == pytest.approx(width(once), rel=0.15)
    other = np.roll(s, 1, axis=0)
    paired = cw.multilabel(truth, s).compare(cw.multilabel(truth, other), metric, replicates=50)
    assert paired.difference.value == pytest.approx(
        once.value - cw.multilabel(truth, other).interval(metric, replicates=2).value
    )


@pytest.mark.parametrize("factor", [10, 10.5])
def test_a_sampling_weight_is_one_row_and_scaling_changes_nothing(factor):
    y, p = class_rows(n=90)
    rng = np.random.default_rng(1)
    w = rng.integers(1, 4, len(y))
    one, scaled = (cw.multiclass(y, p, weight=v) for v in (w, w * factor))
    for metric in ("accuracy", "roc_auc", "recall"):
        a, b = (m.interval(metric, replicates=100) for m in (one, scaled))
        assert (a.low, a.high) == (pytest.approx(b.low), pytest.approx(b.high))
    a, b = (m.per_class().columns for m in (one, scaled))
    assert a["recall_low"] == pytest.approx(b["recall_low"])
    assert a["roc_auc_high"] == pytest.approx(b["roc_auc_high"])


def test_a_weight_that_counts_is_so_many_rows():
    y, p = class_rows(n=60)
    ten = np.full(len(y), 10)
    plain = cw.multiclass(y, p).interval("accuracy", replicates=400)
    sampling = cw.multiclass(y, p, weight=ten).interval("accuracy", replicates=400)
    counted = cw.multiclass(y, p, weight=ten, weight_kind="count")
    assert width(sampling) == pytest.approx(width(plain), rel=1e-9)
    assert width(counted.interval("accuracy", replicates=400)) == pytest.approx(width(plain) / 10**0.5, rel=0.2)
    rows = counted.per_class().rows()[0]
    c = counted.matrix.of(0)
    assert (rows["recall_low"], rows["recall_high"]) == cw.rate_interval(c.tp, c.positives)
    again = np.repeat(np.arange(len(y)), 10)
    repeated = cw.multiclass(y[again], p[again]).per_class().rows()[0]
    assert rows["roc_auc_low"] == pytest.approx(repeated["roc_auc_low"])
    with pytest.raises(cw.CurvewiseError, match="whole numbers, since they are counts"):
        cw.multiclass(y, p, weight=ten + 0.5, weight_kind="count")


def test_scores_are_rounded_on_request():
    y, p = class_rows(n=60)
    m = cw.multiclass(y, p, round_to=1)
    assert m.round_to == 1
    assert len(m.sweep(0).threshold) <= 11
    assert m.roc_auc() == cw.multiclass(y, np.round(p, 1)).roc_auc()
    assert m.log_loss(clip=0.01) > 0  # sums are judged before rounding
    truth, s = label_rows(n=50)
    assert cw.multilabel(truth, s, round_to=1).roc_auc() == cw.multilabel(truth, np.round(s, 1)).roc_auc()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"positive": 1}, "positive: every class is the positive one in turn; leave it out"),
        ({"higher_is": "negative"}, "higher_is: a higher score must mean more of its class"),
        ({"sample_weight": [1, 1]}, "sample_weight: unknown option; did you mean 'weight'"),
        ({"clusters": [1, 1]}, "did you mean 'cluster'"),
        ({"weight_kind": "counts", "weight": [1, 1]}, "did you mean 'count'"),
        ({"round_to": -1}, "round_to: expected a whole number of at least 0"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    p = [[0.5, 0.5], [0.4, 0.6]]
    with pytest.raises(cw.CurvewiseError, match=message):
        cw.multiclass([0, 1], p, **options)
    with pytest.raises(cw.CurvewiseError, match=message):
        cw.multilabel([[0, 1], [1, 0]], p, **options)


def test_predicted_labels_take_rows_options():
    y, p = class_rows(n=80)
    guess = p.argmax(axis=1)
    m = cw.multiclass(y, predicted=guess, cluster=np.arange(80) // 2, weight=np.ones(80))
    assert width(m.interval("accuracy", replicates=50)) > 0
    with pytest.raises(cw.CurvewiseError, match="predicted labels are not scores"):
        cw.multiclass(y, predicted=guess, round_to=2)


def test_the_rows_of_one_class_go_to_any_verb():
    y, p = class_rows(n=100)
    cluster = np.arange(100) // 2
    m = cw.multiclass(y, p, cluster=cluster)
    ours = cw.interval("roc_auc", m.rows(1))
    theirs = cw.interval("roc_auc", y == 1, p[:, 1], cluster=cluster)
    assert (ours.low, ours.high) == (theirs.low, theirs.high)

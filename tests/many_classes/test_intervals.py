"""Intervals and comparisons of many classes: resampling without sorting again, rows or clusters."""

from __future__ import annotations

import numpy as np
import pytest

import curvewise as cw
from curvewise.many_classes.class_metrics import class_metric, metrics_of_all
from curvewise.metric.registry import every

# what an average over classes needs beside a name; a rate counts what was predicted
OPTIONS = {
    "f_beta": {"beta": 2},
    "top_k_accuracy": {"k": 2},
    "precision": {"zero": 0},
    "recall_at_fpr": {"fpr": 0.1},
    "sensitivity_at_specificity": {"specificity": 0.9},
    "specificity_at_sensitivity": {"sensitivity": 0.9},
    "precision_at_recall": {"recall": 0.5},
    "recall_at_precision": {"precision": 0.5},
    "top_precision": {"at_fraction": 0.2},
    "top_recall": {"at_fraction": 0.2},
    "log_loss": {"clip": 1e-6},
    "log_skill": {"clip": 1e-6},
    "net_benefit": {"threshold": 0.4},
    "expected_cost": {"fp": 1, "fn": 3},
    "min_dcf": {"prior": 0.2},
    "act_dcf": {"prior": 0.2},
    "top_average_precision": {"at_fraction": 0.2},
}
MULTICLASS = cw.results.Multiclass
OF_ALL = [m.name for m in metrics_of_all(MULTICLASS).values()]
METRICS = list(dict.fromkeys([*OF_ALL, *(m.name for m in every())]))


def rows(seed, n=90, k=3, shift=1.0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    y[:k] = np.arange(k)
    z = np.round(rng.normal(size=(n, k)), 1)
    z[np.arange(n), y] += shift
    p = np.exp(z)
    return y, p / p.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("metric", METRICS)
def test_a_resample_is_the_rows_drawn(metric):
    y, p = rows(0)
    m = cw.multiclass(y, p)
    statistic = class_metric(MULTICLASS, metric, OPTIONS.get(metric, {})).value
    draw = m.drawer()
    for seed in range(3):
        times = draw(np.random.default_rng(seed))
        assert times.sum() == len(y)
        drawn = cw.multiclass(np.repeat(y, times), np.repeat(p, times, axis=0))
        assert statistic(m.weighed(times)) == pytest.approx(statistic(drawn), rel=1e-9)


@pytest.mark.parametrize("average", ["micro", "weighted"])
@pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "recall"])
def test_other_averages_of_a_resample(metric, average):
    y, p = rows(1)
    m = cw.multiclass(y, p)
    times = m.drawer()(np.random.default_rng(0))
    drawn = cw.multiclass(np.repeat(y, times), np.repeat(p, times, axis=0))
    found = getattr(m.weighed(times), metric)(average=average)
    assert found == pytest.approx(getattr(drawn, metric)(average=average), rel=1e-12)


def test_interval_holds_the_value_and_repeats():
    m = cw.multiclass(*rows(2))
    for metric in ("roc_auc", "hand_till", "kappa", "log_loss"):
        found = m.interval(metric, rng=0, replicates=200)
        assert found.low < found.value < found.high
        cw.set_threads(1)
        assert m.interval(metric, rng=0, replicates=200) == found
        cw.set_threads(None)
    wide = m.interval("roc_auc", level=0.99, rng=0, replicates=200)
    assert wide.low < m.interval("roc_auc", rng=0, replicates=200).low
    assert m.interval(lambda r: r.calibration().ece, rng=0, replicates=50).replicates == 50
    linear = m.interval("kappa", weights="linear", rng=0, replicates=50)
    assert linear.value == m.kappa("linear")


def test_standard_error_of_accuracy_is_the_binomial_one():
    m = cw.multiclass(*rows(3, n=400))
    found = m.interval("accuracy", rng=0, replicates=1000)
    a = m.accuracy
    assert found.standard_error == pytest.approx(np.sqrt(a * (1 - a) / 400), rel=0.1)


def test_clusters_are_resampled_whole():
    y, p = rows(4, n=60)
    again = np.repeat(np.arange(60), 5)
    naive = cw.multiclass(y[again], p[again])
    honest = cw.multiclass(y[again], p[again], cluster=again)
    small, large = (m.interval("accuracy", rng=0, replicates=400).standard_error for m in (naive, honest))
    assert large == pytest.approx(np.sqrt(5) * small, rel=0.15)
    times = honest.drawer()(np.random.default_rng(0)).reshape(60, 5)
    assert np.all(times == times[:, :1])


def test_weights_that_count_are_drawn_as_rows():
    y, p = rows(5, n=60)
    w = np.full(60, 5)
    m = cw.multiclass(y, p, weight=w, weight_kind="count")
    assert m.drawer()(np.random.default_rng(0)).sum() == 300
    one = m.interval("accuracy", rng=0, replicates=400).standard_error
    same = cw.multiclass(np.repeat(y, 5), np.repeat(p, 5, axis=0)).interval("accuracy", rng=0, replicates=400)
    assert one == pytest.approx(same.standard_error, rel=0.15)
    fractional = cw.multiclass(y, p, weight=w / 3)
    plain = cw.multiclass(y, p).interval("roc_auc", rng=0, replicates=100)
    assert fractional.interval("roc_auc", rng=0, replicates=100).low == pytest.approx(plain.low)


def test_resamples_without_a_class_are_counted():
    y, p = rows(6, n=40)
    y[y == 2] = 0
    y[5] = 2
    m = cw.multiclass(y, p)
    found = m.interval("roc_auc", rng=0, replicates=300)
    # the lone row is missed by (1 - 1/40)^40, about 36% of the resamples
    assert 150 < found.replicates < 230
    assert str(found.notes[0]) == "independent rows of 2: 1; no interval is reliable"
    assert f"undefined in {300 - found.replicates} of 300 resamples" in str(found.notes[1])
    # a mean by rows does not need the class
    assert m.interval("roc_auc", average="weighted", rng=0, replicates=100).replicates == 100


def test_coverage_of_the_macro_area():
    truth = cw.multiclass(*rows(7, n=40_000)).roc_auc()
    inside = 0
    for seed in range(40):
        found = cw.multiclass(*rows(seed + 100, n=80)).interval("roc_auc", rng=seed, replicates=100)
        inside += found.low <= truth <= found.high
    assert 34 <= inside <= 40  # nominal 38


def test_a_zero_width_interval_is_not_certainty():
    m = cw.multiclass([0, 0, 1, 1, 2, 2], np.eye(3)[[0, 0, 1, 1, 2, 2]])
    found = m.interval("roc_auc", rng=0, replicates=100)
    assert 0 < found.low < 0.7
    assert found.high == 1
    assert 0 < m.interval("accuracy", rng=0, replicates=100).low < 0.7
    exact = m.interval("accuracy", method="percentile", rng=0, replicates=100)
    assert (exact.low, exact.high) == (1, 1)
    assert "a zero-width interval does not mean certainty" in str(exact.notes[-1])


def test_compare_on_the_same_rows():
    y, p = rows(8, n=120, shift=1.5)
    worse = rows(8, n=120, shift=0.3)[1]
    a, b = cw.multiclass(y, p), cw.multiclass(y, worse)
    found = a.compare(b, rng=0, replicates=300)
    assert found.difference.value == a.roc_auc() - b.roc_auc()
    assert found.difference.low > 0
    assert found.p_value < 0.05
    assert b.compare(a, rng=0, replicates=300).difference.value == -found.difference.value
    same = a.compare(a, "f_beta", rng=0, replicates=50, average="weighted", margin=0.05)
    assert (same.difference.value, same.p_value) == (0, 1)
    assert same.pairs[0].p_equivalent < 0.05
    # row by row the difference is surer than two separate intervals say
    apart = np.hypot(*(m.interval("accuracy", rng=0, replicates=300).standard_error for m in (a, b)))
    assert a.compare(b, "accuracy", rng=0, replicates=300).difference.standard_error < apart


def test_a_lower_loss_is_not_inferior():
    y, p = rows(8, n=120, shift=1.5)
    worse = rows(8, n=120, shift=0.3)[1]
    good, bad = cw.multiclass(y, p), cw.multiclass(y, worse)
    first, second = (
        a.compare(b, "brier_loss", margin=0.01, replicates=200).pairs[0] for a, b in ((good, bad), (bad, good))
    )
    assert good.brier_loss() < bad.brier_loss() - 0.05
    assert first.p_non_inferior < 0.05
    assert second.p_non_inferior > 0.5


def test_models_compared_need_the_same_rows():
    y, p = rows(9)
    m = cw.multiclass(y, p)
    turned = cw.multiclass(y, p[:, ::-1], classes=[2, 1, 0])
    assert m.compare(turned, rng=0, replicates=20).difference.value == pytest.approx(0)
    with pytest.raises(cw.CurvewiseError, match="a model of the same rows"):
        m.compare(cw.multiclass(y[::-1], p))
    with pytest.raises(cw.CurvewiseError, match="a model of the same rows, got 89 rows beside 90"):
        m.compare(cw.multiclass(y[1:], p[1:]))
    with pytest.raises(cw.CurvewiseError, match="expected the same classes; 3 is in only one"):
        m.compare(cw.multiclass(y, np.hstack([p, p[:, :1]])))
    with pytest.raises(cw.CurvewiseError, match="the same weight"):
        m.compare(cw.multiclass(y, p, weight=np.ones(90) * 2))
    with pytest.raises(cw.CurvewiseError, match="the same cluster"):
        m.compare(cw.multiclass(y, p, cluster=y))


def test_the_log_loss_holds_where_large_losses_were_not_seen():
    """40 rows, classes well apart: 0.79 of the intervals held by the variance of resamples alone."""
    rng, held = np.random.default_rng(4), 0

    def drawn(rows):
        y, x = rng.integers(0, 3, rows), rng.normal(size=(rows, 3))
        x[np.arange(rows), y] += 3
        p = np.exp(3 * (x - x.max(axis=1, keepdims=True)))
        return y, p / p.sum(axis=1, keepdims=True)

    truth = cw.multiclass(*drawn(200_000)).log_loss()
    for _ in range(80):
        found = cw.multiclass(*drawn(40)).interval("log_loss", replicates=100)
        held += found.low <= truth <= found.high
    assert held >= 0.92 * 80

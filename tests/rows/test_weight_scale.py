"""Sampling weights have no scale: numbers do not depend on it, however far from 1 it is."""

import math
from operator import attrgetter

import numpy as np
import pytest

import calls
import curvewise as cw
from calls import VERBS, parameters

RNG = np.random.default_rng(3)
N = 120
Y = np.arange(N) % 3 == 0
P = np.round(1 / (1 + np.exp(-RNG.normal(Y * 1.5 - 0.8))), 2)
Q = np.round(1 / (1 + np.exp(-RNG.normal(Y * 0.8 - 0.8))), 2)
W = RNG.random(N) + 0.1
FAR = pytest.mark.parametrize("power", [-1040, -600, -70, 70, 500, 1000])
METRICS = ("roc_auc", "pr_auc", "average_precision", "h_measure", "brier_loss", "log_loss", "equal_error_rate")
AT_THRESHOLD = ("precision", "mcc", "kappa", "lr_positive", "diagnostic_odds_ratio", "lift", "f1")


def scaled(power):
    return np.ldexp(W, power)


@FAR
@pytest.mark.parametrize("metric", METRICS + AT_THRESHOLD)
def test_metrics_and_their_intervals(metric, power):
    options = {"threshold": 0.5} if metric in AT_THRESHOLD else {}

    def found(weight):
        one = cw.interval(metric, Y, P, weight=weight, replicates=50, **options)
        return one.value, one.low, one.high, cw.score(metric, cw.sweep(Y, P, weight=weight), **options)

    assert found(scaled(power)) == pytest.approx(found(W), rel=1e-9, nan_ok=True)


@FAR
def test_thresholds_and_comparisons(power):
    weight, both = scaled(power), {"a": P, "b": Q}
    for rule in (cw.rules.youden(), cw.rules.min_cost(fp=1, fn=3)):
        one, same = (cw.operating_point(Y, P, rule, weight=w, replicates=50) for w in (W, weight))
        assert same.threshold == one.threshold
    for metric in ("roc_auc", "average_precision"):
        one, same = (cw.compare(Y, both, metric=metric, weight=w) for w in (W, weight))
        assert (same.p_value, same.difference.value) == pytest.approx((one.p_value, one.difference.value), rel=1e-9)
    one, same = (cw.by_group(Y, P, np.arange(N) % 2, weight=w).table.columns["low"] for w in (W, weight))
    assert same == pytest.approx(one, rel=1e-9)
    one, same = (cw.calibration(Y, P, weight=w).to_dict()["slope"]["value"] for w in (W, weight))
    assert same == pytest.approx(one, rel=1e-9)


def test_sums_of_weights_are_those_given():
    tiny = scaled(-600)
    table = cw.confusion(Y, P, threshold=0.5, weight=tiny)
    assert table.positives == pytest.approx(tiny[Y].sum(), rel=1e-12)
    assert table.mcc == pytest.approx(cw.confusion(Y, P, threshold=0.5, weight=W).mcc, rel=1e-12)
    assert cw.sweep(Y, P, weight=tiny).n == pytest.approx(tiny.sum(), rel=1e-12)
    union = cw.sweep(Y, P, weight=tiny) + cw.sweep(Y, P, weight=scaled(-550))
    assert union.n == pytest.approx(tiny.sum() * (1 + 2**50), rel=1e-12)


def test_whole_tables_of_any_size():
    small, large = (cw.Confusion(tp=3 * k, fp=k, fn=2 * k, tn=4 * k) for k in (1, 10**400))
    for name in ("mcc", "kappa", "lr_positive", "lr_negative", "diagnostic_odds_ratio", "lift"):
        assert getattr(large, name) == pytest.approx(getattr(small, name), rel=1e-12)


def test_whole_weights_stay_exact():
    many = np.where(Y, 2**54 + 1, 2**54 - 1)
    read = cw.read_rows(Y, P, weight=many)
    assert read.weight.dtype == np.int64
    assert cw.sweep(read.positive, P, weight=many).positives == int(Y.sum()) * (2**54 + 1)
    assert cw.roc_auc(Y, P, weight=many) == cw.roc_auc(Y, P)


def test_weights_too_far_apart_are_refused():
    weight = W.copy()
    weight[0] = math.ldexp(1.0, -400)
    with pytest.raises(cw.CurvewiseError, match=r"weight: the largest .* is more than 2\^300 times the smallest"):
        cw.roc_auc(Y, P, weight=weight)


def numbers(found, path=""):
    """Yield every number of a result, with where it stands."""
    found = found.to_dict() if isinstance(found, cw.results.Result) else found
    if isinstance(found, dict):
        for key, value in found.items():
            yield from numbers(value, f"{path}.{key}")
    elif isinstance(found, (list, tuple, np.ndarray)):
        for key, value in enumerate(found):
            yield from numbers(value, f"{path}[{key}]")
    elif isinstance(found, (int, float)) and not isinstance(found, bool):
        yield path, float(found)


UNWEIGHTED = ("scan", "evaluate", "read_rows")  # whose weights are named, or given back
WEIGHTED = [n for n in VERBS if "weight" in parameters(n) and n not in UNWEIGHTED]


@pytest.mark.parametrize("name", WEIGHTED)
def test_nothing_but_sums_of_weights_depends_on_their_scale(name):
    weight = RNG.random(calls.N) + 0.2

    def found(w):
        return dict(numbers(attrgetter(name)(cw)(**{**VERBS[name], "weight": w})))

    try:
        one = found(weight)
    except cw.CurvewiseError:  # it takes no weights
        return
    thrice = found(3 * weight)
    close = {"rel": 1e-5, "abs": 1e-8, "nan_ok": True}  # variances are found by differences
    sums = {k for k in one if thrice[k] != pytest.approx(one[k], **close)}
    assert all(thrice[k] / one[k] == pytest.approx(3) or thrice[k] / one[k] == pytest.approx(9) for k in sums)
    for far in (weight * 1e-200, weight * 1e155, weight * 1e300, np.ldexp(weight, -600)):
        scaled = found(far)
        assert scaled.keys() == one.keys()
        assert [k for k in one.keys() - sums if scaled[k] != pytest.approx(one[k], **close)] == []


def test_what_is_said_of_few_rows_counts_rows():
    for factor in (1e-3, 1, 1e3):
        assert [note.code for note in cw.interval("roc_auc", Y, P, weight=W * factor).notes] == []
    few = cw.interval("roc_auc", [1, 1, 0, 0, 0], [0.9, 0.2, 0.5, 0.4, 0.1], weight=[100, 50, 70, 80, 90])
    assert "only 2 positives: no interval is reliable" in map(str, few.notes)


def test_sums_beyond_float64_are_refused():
    with pytest.raises(cw.CurvewiseError, match="the sum is more than float64 can hold"):
        cw.Sweep.from_counts([2, 1], [1e308, 0.5], [1e308, 0.5])
    half = cw.Sweep.from_counts([2, 1], [8e307, 0.5], [1, 0.5])
    with pytest.raises(cw.CurvewiseError, match="The sum of both sweeps is more than float64 can hold"):
        half + half + half


def test_tables_of_sums_near_the_end_of_float64():
    small, large = (cw.Confusion(tp=3.5 * k, fp=k, fn=2 * k, tn=4 * k) for k in (1.0, 2.0**1019))
    assert large.f1 == pytest.approx(small.f1)
    assert large.mcc == pytest.approx(small.mcc)


def test_labels_that_floats_cannot_hold():
    with pytest.raises(cw.CurvewiseError, match="expected two classes, found 3 classes"):
        cw.by_group([10**400, 0.5, 1.5], [0.1, 0.2, 0.3], list("aab"))

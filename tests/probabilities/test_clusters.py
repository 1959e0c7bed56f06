"""Rows of one cluster, weighted rows, repeated rows: what an interval, a band or a test takes for a row."""

import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.metric.blocks import read_blocks
from curvewise.metric.log_odds import log_odds
from curvewise.metric.smooth_reliability import SmoothGaps
from curvewise.probabilities import calibration

FITS = ("in_the_large", "slope", "intercept", "observed_expected")
TESTS = ("joint", "spiegelhalter", "hosmer_lemeshow")
BANDS = {
    "consistency": {"replicates": 400},
    "confidence": {"bands": "confidence"},
    "smooth": {"method": "smooth"},
    "width": {"bins": 8},
    "count": {"bins": 8, "binning": "count"},
}


def drawn(n=400, seed=0, power=1.0):
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 2, n).clip(0.005)
    return rng.random(n) < p**power, p


def in_clusters(seed, clusters=60, size=8, shared=0.7):
    """Return calibrated rows; with the chance ``shared`` a row's outcome is decided by its cluster."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(clusters), size)
    odds = rng.normal(-0.5, 1, clusters)[cluster] + rng.normal(0, 0.7, len(cluster))
    p = 1 / (1 + np.exp(-odds))
    own, common = rng.random(len(p)), rng.random(clusters)[cluster]
    return np.where(rng.random(len(p)) < shared, common, own) < p, p, cluster


def width(found):
    return found.high - found.low


@pytest.mark.parametrize("power", [1.0, 1.6])
def test_copies_of_a_row_tell_as_much_as_one(power):
    y, p = drawn(power=power)
    copies = np.repeat(np.arange(len(y)), 10)
    once = cw.calibration(y, p)
    often = cw.calibration(y[copies], p[copies], cluster=copies)
    blind = cw.calibration(y[copies], p[copies])
    for name in FITS:
        one, ten, wrong = (getattr(c, name) for c in (once, often, blind))
        assert ten.value == pytest.approx(one.value)
        assert width(ten) == pytest.approx(width(one), rel=0.15), name
        assert width(wrong) < 0.4 * width(one)
    for name in TESTS:
        one, ten = getattr(once, name), getattr(often, name)
        assert ten.statistic == pytest.approx(one.statistic, rel=0.01)
        # chi-square or F: the same size, other tails
        assert ten.p_value == pytest.approx(one.p_value, rel=0.05, abs=0.05 if name == "joint" else 0)
    assert often.squared_error == pytest.approx(once.squared_error)
    assert (often.clusters, once.clusters) == (400, None)
    assert "4000 rows in 400 clusters" in str(often)
    told = {n.code: n.values for n in often.notes}["clusters_counted"]
    assert told == {"clusters": 400, "correlation": pytest.approx(1)}


@pytest.mark.parametrize("kind", BANDS)
def test_bands_of_copies_keep_their_width(kind):
    y, p = drawn(300, 1)
    p = p.round(3)
    copies = np.repeat(np.arange(len(y)), 10)
    once = cw.reliability(y, p, **BANDS[kind])
    often = cw.reliability(y[copies], p[copies], cluster=copies, **BANDS[kind])
    assert often.p == pytest.approx(once.p)
    assert often.observed == pytest.approx(once.observed)
    assert width(often).mean() == pytest.approx(width(once).mean(), rel=0.05)
    apart = np.abs(width(often) / np.maximum(width(once), 0.05) - 1)
    # the consistency band is drawn, so single points at the ends have noise of their own
    assert np.mean(apart[width(once) > 0.05] < 0.15) >= (0.9 if kind == "consistency" else 1)
    assert width(cw.reliability(y[copies], p[copies], **BANDS[kind])).mean() < 0.6 * width(once).mean()
    assert [n.code for n in often.notes] == ["clusters_counted"]
    assert once.notes == ()


def test_a_cluster_of_each_row_changes_little():
    y, p = drawn()
    alone, plain = cw.calibration(y, p, cluster=np.arange(len(y))), cw.calibration(y, p)
    for name in TESTS:
        assert getattr(alone, name).statistic == pytest.approx(getattr(plain, name).statistic)
    assert alone.squared_error == pytest.approx(plain.squared_error)
    assert width(alone.observed_expected) == pytest.approx(width(plain.observed_expected), rel=0.01)
    for kind in ("confidence", "width", "smooth"):
        one, other = (
            cw.reliability(y, p, cluster=c, **BANDS[kind]) for c in (None, np.random.default_rng(0).permutation(400))
        )
        assert other.low == pytest.approx(one.low, abs=2e-3)


@pytest.mark.parametrize("weighted", [False, True])
def test_variances_leave_out_one_cluster_at_a_time(weighted):
    y, p, cluster = in_clusters(3)
    weight = np.random.default_rng(4).random(len(y)) + 0.2 if weighted else np.ones(len(y))
    found = cw.calibration(y, p, cluster=cluster, **({"weight": weight} if weighted else {}))
    x = np.vstack([np.ones(len(p)), log_odds(p)])
    fitted = 1 / (1 + np.exp(-(np.array([found.intercept.value, found.slope.value]) @ x)))
    information = (x * weight * fitted * (1 - fitted)) @ x.T
    scores = x * weight * (y - fitted)
    moved = []
    for g in range(60):  # one step of Newton's without the cluster
        here = cluster == g
        own = (x[:, here] * (weight * fitted * (1 - fitted))[here]) @ x[:, here].T
        moved.append(np.linalg.solve(information - own, scores[:, here].sum(axis=1)))
    covariance = np.transpose(moved) @ np.array(moved) * 59 / 60
    assert found.intercept.standard_error == pytest.approx(math.sqrt(covariance[0, 0]))
    assert found.slope.standard_error == pytest.approx(math.sqrt(covariance[1, 1]))
    assert found.slope.method == "robust-wald"
    ratio = np.average(y, weights=weight) / np.average(p, weights=weight)
    without = [np.average(y[cluster != g], weights=weight[cluster != g]) for g in range(60)]
    without /= np.array([np.average(p[cluster != g], weights=weight[cluster != g]) for g in range(60)])
    error = ratio * math.sqrt(np.sum(np.log(without / ratio) ** 2) * 59 / 60)
    assert found.observed_expected.standard_error == pytest.approx(error)
    # t of fewer degrees of freedom than clusters, as they are not alike
    reach = (found.slope.high - found.slope.value) / found.slope.standard_error
    assert 2.0 < reach < 2.3


def test_the_correlation_is_that_of_the_rows():
    for shared in (0.0, 0.5, 0.8):
        found = [
            read_blocks(y, p, {"cluster": c})[1].clusters.correlation
            for y, p, c in (in_clusters(seed, shared=shared) for seed in range(30))
        ]
        assert np.mean(found) == pytest.approx(shared**2, abs=0.06)


def test_intervals_and_tests_hold_with_clusters(monkeypatch):
    monkeypatch.setattr(calibration, "smooth_gaps", lambda *_: SmoothGaps(0, 0, 0))
    inside = {name: [] for name in FITS}
    small, squared = [], []
    for seed in range(150):
        y, p, cluster = in_clusters(seed)
        c = cw.calibration(y, p, cluster=cluster, replicates=0)
        for name, truth in zip(FITS, (0, 1, 0, 1), strict=True):
            inside[name].append(getattr(c, name).low <= truth <= getattr(c, name).high)
        small.append([getattr(c, name).p_value < 0.05 for name in TESTS])
        squared.append(c.squared_error)
    for name, held in inside.items():
        assert 0.89 <= np.mean(held) <= 0.99, name
    assert (np.mean(small, axis=0) < 0.12).all(), "joint, Spiegelhalter, Hosmer-Lemeshow"
    assert abs(np.mean(squared)) < 3 * np.std(squared) / math.sqrt(150)


def test_bands_hold_with_clusters():
    share = {kind: [] for kind in BANDS}
    for seed in range(25):
        y, p, cluster = in_clusters(seed)
        for kind, options in BANDS.items():
            found = cw.reliability(
                y, p, cluster=cluster, **{**options, **({"replicates": 80} if kind == "consistency" else {})}
            )
            truth = found.observed if kind == "consistency" else found.p
            share[kind].append(np.mean((found.low <= truth) & (truth <= found.high)))
    for kind, held in share.items():
        assert np.mean(held) > 0.9, kind


def test_one_cluster_and_few_clusters_say_so():
    y, p = drawn(60)
    one = cw.calibration(y, p, cluster=np.zeros(60))
    assert not one.slope.has_interval
    assert one.slope.reason.code == "one_cluster"
    assert "5 clusters per group" in str(one.reasons["hosmer_lemeshow"])
    assert math.isnan(one.hosmer_lemeshow.p_value)
    assert one.hosmer_lemeshow.reason == one.reasons["hosmer_lemeshow"]
    assert width(cw.reliability(y, p, cluster=np.zeros(60), bins=2)).min() > 0.5


@pytest.mark.parametrize("kind", BANDS)
def test_a_weight_is_one_row_or_so_many(kind):
    y, p = drawn(200, 2)
    p = p.round(3)
    plain = cw.reliability(y, p, **BANDS[kind])
    one = cw.reliability(y, p, weight=np.full(200, 10), **BANDS[kind])
    ten = cw.reliability(y, p, weight=np.full(200, 10), weight_kind="count", **BANDS[kind])
    many = cw.reliability(y.repeat(10), p.repeat(10), **BANDS[kind])
    assert one.low == pytest.approx(plain.low)
    assert one.high == pytest.approx(plain.high)
    assert ten.low == pytest.approx(many.low)
    assert ten.high == pytest.approx(many.high)


def test_measures_take_a_weight_for_one_row_or_so_many():
    y, p = drawn(200, 2)
    plain, many = cw.calibration(y, p), cw.calibration(y.repeat(10), p.repeat(10))
    one = cw.calibration(y, p, weight=np.full(200, 10))
    ten = cw.calibration(y, p, weight=np.full(200, 10), weight_kind="count")
    assert ten.content() == many.content()
    for name in FITS:
        assert width(getattr(one, name)) == pytest.approx(width(getattr(plain, name)), rel=0.15)
    assert one.spiegelhalter.statistic == pytest.approx(plain.spiegelhalter.statistic)
    assert one.squared_error == pytest.approx(plain.squared_error)
    assert "weighted" in str(one.reasons["hosmer_lemeshow"])
    assert str(one).startswith("Calibration: weight 2000")
    # a number read with whole weights is that of the rows repeated
    assert one.ici == many.ici


def test_clusters_are_dealt_whole():
    """Copies of a row in two parts would let a map be judged on what it was fitted on."""
    y, p = drawn(100, 5)
    copies = np.repeat(np.arange(100), 5)
    blind = cw.recalibrate(y[copies], p[copies])
    aware = cw.recalibrate(y[copies], p[copies], cluster=copies)
    assert aware.apparent["brier_loss"] == pytest.approx(blind.apparent["brier_loss"])
    gain = cw.recalibrate(y, p).after["brier_loss"] - aware.apparent["brier_loss"]
    assert blind.after["brier_loss"] - blind.apparent["brier_loss"] < 0.4 * gain
    assert aware.after["brier_loss"] - aware.apparent["brier_loss"] > 0.7 * gain
    few = cw.recalibrate(y, p, cluster=np.arange(100) % 3, method="platt")
    assert "few_for_parts" in [n.code for n in few.notes]

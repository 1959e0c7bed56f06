"""Reliability curves: the values, and that the bands hold what they promise."""

import json
import math

import numpy as np
import pytest
from scipy.special import stdtrit
from sklearn.calibration import calibration_curve

import curvewise as cw
from curvewise.metric import probability_bins
from curvewise.metric.blocks import read_blocks
from curvewise.metric.probability_bins import points
from curvewise.metric.smooth_reliability import smoothed
from jackknife_oracle import settled

Y, P = [0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]


def drawn(n, seed, truth=lambda p: p, decimals=16):
    rng = np.random.default_rng(seed)
    p = np.round(rng.random(n), decimals)
    return rng.random(n) < truth(p), p


def test_isotonic_by_default():
    found = cw.reliability(Y, P, rng=0)
    assert found.p.tolist() == sorted(P)
    assert found.observed.tolist() == [0.25] * 4 + [1] * 2
    assert found.n.tolist() == [4] * 4 + [2] * 2
    assert found.blocks.value.tolist() == [0.25, 1]
    assert (found.method, found.bands, found.replicates) == ("isotonic", "consistency", 1000)


@pytest.mark.parametrize("n", [300, 6000])
def test_curves_are_read_at_a_hundred_places(n):
    y, p = drawn(n, 0)
    fit = cw.isotonic(y, p)
    for options in ({"bands": "none"}, {"method": "smooth"}):
        found = cw.reliability(y, p, **options)
        assert 60 < len(found) <= 101
        assert (np.diff(found.p) > 0).all()
        assert found.p[0] < 0.02
        assert found.p[-1] > 0.98
    assert cw.reliability(y, p, bands="none").observed == pytest.approx(fit.apply(cw.reliability(y, p, bands="none").p))


@pytest.mark.parametrize("binning", ["width", "count"])
def test_bins_have_means_shares_and_wilsons_interval(binning):
    y, p = drawn(400, 1, decimals=2)
    found = cw.reliability(y, p, bins=8, binning=binning)
    for k in range(len(found)):
        first = p >= found.start[k] if k == 0 or binning == "count" else p > found.start[k]
        on = first & (p <= found.stop[k])
        assert found.n[k] == on.sum()
        assert found.p[k] == pytest.approx(p[on].mean())
        assert found.observed[k] == pytest.approx(y[on].mean())
        ends = cw.rate_interval(y[on].sum(), on.sum())
        assert (found.low[k], found.high[k]) == pytest.approx(ends)
    assert found.n.sum() == 400
    if binning == "width":
        share, mean = calibration_curve(y, p, n_bins=8)
        assert found.observed == pytest.approx(share)
        assert found.p == pytest.approx(mean)
    else:
        assert np.abs(found.n - 50).max() <= 10  # a hundredth of the rows and their ties


def test_rows_on_an_edge_belong_below_it():
    found = cw.reliability([0, 1, 0, 1], [0.0, 0.5, 0.5, 1.0], bins=2)
    assert found.n.tolist() == [3, 1]


def test_ties_stay_in_one_bin():
    found = cw.reliability([0, 1] * 10, [0.5] * 18 + [0.7, 0.9], bins=4, binning="count")
    assert found.n.tolist() == [18, 2]
    assert found.empty == 2


def test_empty_bins_are_left_out_and_said():
    found = cw.reliability([0, 1, 1], [0.05, 0.95, 0.97], bins=10)
    assert len(found) == 2
    assert found.empty == 8
    assert "10 bins of equal width, 8 without a row; 95% confidence" in str(found)


def test_counts_mean_repetition():
    y, p = drawn(80, 2)
    w = np.random.default_rng(3).integers(1, 4, 80)
    many = np.repeat(y, w), np.repeat(p, w)
    for options in ({"rng": 0, "replicates": 50}, {"bands": "confidence"}, {"method": "smooth"}, {"bins": 5}):
        weighted = cw.reliability(y, p, weight=w, weight_kind="count", **options)
        repeated = cw.reliability(*many, **options)
        for name in ("p", "observed", "n", "low", "high"):
            assert getattr(weighted, name) == pytest.approx(getattr(repeated, name)), name


def test_fractional_weights_have_no_unit():
    y, p = drawn(120, 4, decimals=2)
    w = np.random.default_rng(5).random(120) + 0.1
    for options in ({"rng": 0, "replicates": 50}, {"bands": "confidence"}, {"method": "smooth"}, {"bins": 5}):
        one, scaled = (cw.reliability(y, p, weight=k * w, **options) for k in (1, 1e4))
        for name in ("p", "observed", "low", "high"):
            assert getattr(one, name) == pytest.approx(getattr(scaled, name), abs=1e-9), name


def test_equal_fractions_are_rows():
    """Weights of 1/2 all round tell as much as the rows themselves."""
    y, p = drawn(150, 6)
    for options in ({"bands": "confidence"}, {"method": "smooth"}, {"bins": 5}, {"rng": 1, "replicates": 50}):
        plain, halves = cw.reliability(y, p, **options), cw.reliability(y, p, weight=[0.5] * 150, **options)
        assert halves.low == pytest.approx(plain.low)
        assert halves.high == pytest.approx(plain.high)


def test_a_sweep_of_fractional_counts_has_no_band():
    sweep = cw.sweep(Y, P, weight=[0.5, 1, 1, 1, 1, 1])
    for options in ({}, {"bands": "confidence"}, {"bins": 2}, {"method": "smooth"}):
        with pytest.raises(cw.UndefinedMetricError, match="pass labels, probabilities and weights"):
            cw.reliability(sweep, **options)
    for options in ({}, {"bins": 2}):
        assert cw.reliability(sweep, bands="none", **options).low is None


def test_many_rows_are_banded_in_bins(monkeypatch):
    y, p = drawn(3000, 7)
    whole = [cw.reliability(y, p, bands=b, rng=0, replicates=100) for b in ("consistency", "confidence")]
    monkeypatch.setattr(probability_bins, "MANY", 1000)
    for exact, kind in zip(whole, ("consistency", "confidence"), strict=True):
        found = cw.reliability(y, p, bands=kind, rng=0, replicates=100)
        inside = slice(10, -10)
        for name in ("observed", "low", "high"):
            near = np.interp(exact.p, found.p, getattr(found, name))
            assert np.abs(near - getattr(exact, name))[inside].mean() < 0.01, name


def test_consistency_bands_hold_calibrated_curves():
    """Pointwise, over 40 sets of 200 calibrated rows; and do not hold the curve of p²."""
    share = []
    for run in range(40):
        y, p = drawn(200, run)
        band = cw.reliability(y, p, rng=run, replicates=120)
        share.append(np.mean((band.low <= band.observed) & (band.observed <= band.high)))
    assert 0.93 < np.mean(share) < 0.98
    y, p = drawn(2000, 0)
    bent = cw.reliability(y, p**2, rng=0, replicates=100)
    assert np.mean(bent.observed > bent.high) > 0.5


@pytest.mark.parametrize(
    "truth",
    [lambda p: p, lambda p: 0.3 + 0 * p, lambda p: np.where(p < 0.5, 0.2, 0.8), lambda p: np.round(p, 1)],
    ids=["calibrated", "flat", "step", "stairs"],
)
def test_confidence_bands_hold_any_rising_truth(truth):
    share = []
    for run in range(40):
        y, p = drawn(250, 100 + run, truth, decimals=2 if run % 2 else 16)
        band = cw.reliability(y, p, bands="confidence")
        share.append(np.mean((band.low <= truth(band.p)) & (truth(band.p) <= band.high)))
        assert ((band.low <= band.observed) & (band.observed <= band.high)).all()
    assert np.mean(share) > 0.95


def test_confidence_of_few_probabilities_is_clopper_and_pearsons():
    """Far apart and with many rows each, every probability speaks for itself."""
    s = cw.Sweep.from_counts([0.1, 0.5, 0.9], [30, 150, 270], [270, 150, 30])
    band = cw.reliability(s, bands="confidence")
    for k, hits in enumerate((30, 150, 270)):
        ends = cw.rate_interval(hits, 300, method="clopper-pearson")
        assert (band.low[k], band.high[k]) == pytest.approx(ends)


def test_smooth_intervals_hold_smooth_truths():
    share = []
    for run in range(40):
        y, p = drawn(300, 200 + run, lambda p: p**2)
        band = cw.reliability(y, p, method="smooth")
        share.append(np.mean((band.low <= band.p**2) & (band.p**2 <= band.high)))
    assert 0.93 < np.mean(share) < 0.99


def test_the_smooth_curve_is_a_local_line():
    """It gives back any straight line, whatever the spread of p."""
    rng = np.random.default_rng(8)
    y, p = rng.random(200) < 0.5, rng.beta(0.5, 3, 200)
    sweep, found = read_blocks(y, p, {})
    data = points(sweep, found, (found.positives, found.negatives))
    at = data.grid()
    _, weight = smoothed(data, at)
    assert weight @ data.n == pytest.approx(1)
    assert weight @ (data.n * data.p) == pytest.approx(data.p[at], abs=1e-12)
    assert cw.reliability(y, p, method="smooth").n == pytest.approx(1 / (weight**2).sum(axis=1))


def test_a_single_probability():
    s = cw.Sweep.from_counts([0.3], [4], [6])
    for options in ({}, {"bands": "confidence"}, {"method": "smooth"}, {"bins": 1}, {"binning": "count"}):
        found = cw.reliability(s, **options)
        assert (found.p.tolist(), found.observed.tolist()) == ([0.3], [pytest.approx(0.4)])
        assert found.low[0] < 0.3 < found.high[0]


def test_one_class_is_a_flat_curve():
    for options in ({"rng": 0}, {"bands": "confidence"}, {"method": "smooth"}, {"bins": 2}):
        found = cw.reliability([0] * 30, np.linspace(0.1, 0.9, 30), **options)
        assert found.observed == pytest.approx(np.zeros(len(found)), abs=1e-12)
        if found.bands == "confidence":
            assert (found.high > 0.02).all()


def test_seeds_threads_and_levels():
    y, p = drawn(200, 9)
    found = []
    for threads in (1, 3):
        cw.set_threads(threads)
        found.append(cw.reliability(y, p, rng=5, replicates=110).low)
    assert np.array_equal(*found)
    for options in ({"replicates": 200}, {"bands": "confidence"}, {"method": "smooth"}, {"bins": 5}):
        narrow, wide = (cw.reliability(y, p, level=v, **options) for v in (0.5, 0.99))
        assert (wide.low <= narrow.low).all()
        assert (wide.high >= narrow.high).all()


def test_how_it_shows():
    found = cw.reliability(Y, P, rng=0)
    assert repr(found) == "Reliability: isotonic, 2 blocks; 95% consistency, 1000 replicates; 6 points"
    assert found.to_frame("polars").columns == ["p", "observed", "low", "high", "n"]
    assert json.loads(json.dumps(found.to_dict()))["blocks"]["value"] == [0.25, 1.0]
    plain = cw.reliability(Y, P, bins=2, bands="none")
    assert plain.to_frame("polars").columns == ["start", "stop", "p", "observed", "n"]
    assert repr(plain) == "Reliability: 2 bins of equal width; 2 points"
    assert "<td>0.4000</td>" in plain._repr_html_()
    assert repr(cw.reliability(Y, P, method="smooth", level=0.9)).startswith("Reliability: smooth; 90% conf")
    with pytest.raises(ValueError, match="read-only"):
        found.observed[0] = 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"method": "loess"}, "method: expected one of"),
        ({"binning": "mass"}, "binning: expected one of"),
        ({"bins": 5, "method": "smooth"}, "bins: method='smooth' has no bins"),
        ({"binning": "width", "method": "smooth"}, "binning: method='smooth' has no bins"),
        ({"bins": 5, "method": "isotonic"}, "has no bins"),
        ({"bins": 0}, "bins: expected a whole number of at least 1"),
        ({"bins": 5, "bands": "consistency"}, "'consistency' is for the isotonic curve"),
        ({"bands": "wide"}, "bands: expected one of"),
        ({"level": 1}, "level: expected a number strictly between 0 and 1"),
        ({"replicates": 1}, "replicates: expected a whole number of at least 2"),
        ({"higher_is": "negative"}, "p is the probability of the positive class"),
    ],
)
def test_what_it_refuses(options, said):
    with pytest.raises(cw.CurvewiseError, match=said):
        cw.reliability(Y, P, **options)


def test_a_missing_probability_can_be_left_out():
    found = cw.reliability([*Y, 1], [*P, math.nan], bins=2, missing="drop")
    assert found.n.sum() == 6


def test_a_spline_is_a_logistic_regression_with_a_delta_band():
    rng = np.random.default_rng(2)
    p = rng.beta(1, 2, 600)
    y = rng.random(600) < p**1.5
    found = cw.reliability(y, p, method="spline", knots=3)
    assert (found.method, found.knots, found.bands) == ("spline", 3, "confidence")
    assert "spline, 3 knots" in str(found)
    odds = np.log(p / (1 - p))
    weight = p * (1 - p)
    order = np.argsort(odds)
    mass = np.cumsum(weight[order]) / weight.sum()
    a, b, c = odds[order][np.searchsorted(mass, [0.1, 0.5, 0.9])]

    def bend(x):
        up = [np.maximum(x - k, 0) ** 3 for k in (a, b, c)]
        return (up[0] - up[1] * (c - a) / (c - b) + up[2] * (b - a) / (c - b)) / (c - a) ** 2

    x, beta = np.stack([np.ones(600), odds, bend(odds)]), np.zeros(3)
    for _ in range(30):
        chance = 1 / (1 + np.exp(-beta @ x))
        information = (x * chance * (1 - chance)) @ x.T
        beta = beta + np.linalg.solve(information, x @ (y - chance))
    at = np.log(found.p / (1 - found.p))
    here = np.stack([np.ones(len(at)), at, bend(at)])
    lines = np.linalg.inv(information) @ x  # what a row's residual adds to each coefficient
    left_out = lines * (y - chance) / (1 - np.sum(x * lines, axis=0) * chance * (1 - chance))
    added = lines**2 * chance * (1 - chance)
    degrees = added.sum(axis=1) ** 2 / np.sum(added**2, axis=1) - 1
    covariance, degrees = settled(left_out, 599 / 600, added.sum(axis=1), degrees)
    error = np.sqrt(np.einsum("ji,jk,ki->i", here, covariance, here))
    reach = stdtrit(degrees.min(), 0.975)
    assert found.observed == pytest.approx(1 / (1 + np.exp(-beta @ here)), abs=1e-8)
    assert found.low == pytest.approx(1 / (1 + np.exp(-(beta @ here - reach * error))), abs=1e-6)


def test_a_spline_takes_weights_and_clusters_and_covers():
    inside = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        p = rng.beta(1, 2, 300)
        found = cw.reliability(rng.random(300) < p, p, method="spline")
        inside.append(np.mean((found.low <= found.p) & (found.p <= found.high)))
    assert 0.9 <= np.mean(inside) <= 0.99
    rng = np.random.default_rng(1)
    p = rng.beta(1, 2, 300)
    y, copies = rng.random(300) < p, np.repeat(np.arange(300), 4)
    once = cw.reliability(y, p, method="spline", knots=3)
    often = cw.reliability(y[copies], p[copies], cluster=copies, method="spline", knots=3)
    assert often.observed == pytest.approx(once.observed, abs=1e-6)
    assert np.median((often.high - often.low) / (once.high - once.low)) == pytest.approx(1, abs=0.15)
    heavy = cw.reliability(y, p, weight=rng.gamma(1, 1, 300) + 0.01, method="spline", knots=3)
    assert np.median(heavy.high - heavy.low) > 1.1 * np.median(once.high - once.low)
    certain = cw.reliability(np.append(y, False), np.append(p, 0.0), method="spline", knots=3)
    assert certain.notes[0].code == "certain_rows_left_out"
    assert certain.p.min() > 0
    assert cw.reliability(y, p, method="spline", bands="none").low is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"knots": 4}, "has none"),
        ({"knots": 2, "method": "spline"}, "knots: expected"),
        ({"bins": 4, "method": "spline"}, "has no bins"),
        ({"bands": "consistency", "method": "spline"}, "isotonic"),
    ],
)
def test_options_of_a_spline_are_checked(options, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.reliability([0, 1, 0, 1], [0.1, 0.4, 0.5, 0.7], **options)


@pytest.mark.parametrize(("smaller", "knots"), [(29, 3), (30, 4), (99, 4), (100, 5)])
def test_knots_are_as_many_as_the_smaller_class_bears(smaller, knots):
    rng = np.random.default_rng(1)
    p = np.concatenate([rng.beta(2, 3, smaller), rng.beta(1, 3, 150)])
    y = np.repeat([True, False], [smaller, 150])
    assert cw.reliability(y, p, method="spline").knots == knots

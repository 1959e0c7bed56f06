"""Bands: what they pass through, what they promise, what they refuse."""

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import norm

import curvewise as cw
from strategies import labelled

RATINGS = cw.Sweep.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])


@given(labelled())
def test_values_lie_on_the_curves(data):
    sweep = cw.sweep(*data)
    roc, pr = cw.roc_curve(sweep), cw.pr_curve(sweep)
    grid = np.linspace(0, 1, 7)
    across = cw.roc_band(sweep, grid=grid, rng=0, replicates=4)
    up = cw.roc_band(sweep, at="tpr", grid=grid, rng=0, replicates=4)
    for x, value in zip(grid, across.value, strict=True):
        assert value == pytest.approx(max(roc.tpr[roc.fpr <= x + 1e-12].max(), np.interp(x, roc.fpr, roc.tpr)))
    for t, value in zip(grid, up.value, strict=True):
        reached = roc.fpr[roc.tpr >= t - 1e-12].min()
        assert value <= reached + 1e-12
        assert np.interp(value + 1e-9, roc.fpr, roc.tpr) >= t - 1e-6
    precise = cw.pr_band(sweep, grid=grid, rng=0, replicates=4)
    assert precise.value == pytest.approx([pr.precision_at(r) for r in grid], abs=1e-9)


@pytest.mark.parametrize("make", [cw.roc_band, cw.pr_band])
def test_pointwise_bands_nest(make):
    narrow, wide = (make(RATINGS, level=v, rng=1, replicates=300) for v in (0.5, 0.99))
    assert (wide.low <= narrow.low + 1e-12).all()
    assert (wide.high >= narrow.high - 1e-12).all()
    assert len(wide.to_frame("polars")) == 101
    assert "99 % pointwise, 300 replicates" in repr(wide)


def test_the_simultaneous_band_holds_its_curve_and_the_pointwise_one():
    whole, point = cw.roc_band(RATINGS, simultaneous=True), cw.roc_band(RATINGS, rng=1, replicates=500)
    assert (whole.low <= whole.value).all()
    assert (whole.high >= whole.value).all()
    inside = slice(10, 90)
    assert (whole.low[inside] <= point.low[inside]).all()
    assert (whole.high[inside] >= point.high[inside]).all()
    assert repr(whole) == "Band(tpr at 101 values of fpr, 95 % simultaneous)"


def test_threads_do_not_matter():
    found = []
    for threads in (1, 3):
        cw.set_threads(threads)
        found.append(cw.roc_band(RATINGS, rng=5, replicates=110).low)
    assert np.array_equal(*found)


def test_clusters_widen_a_band():
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(60), 4)
    y = (rng.random(60) < 0.4)[patient]
    s = rng.normal(size=60)[patient] + y + 0.1 * rng.normal(size=240)
    options = {"grid": [0.2, 0.5], "rng": 0, "replicates": 400}
    alone, together = cw.roc_band(y, s, **options), cw.roc_band(y, s, cluster=patient, **options)
    assert (together.high - together.low).mean() > 1.3 * (alone.high - alone.low).mean()


def test_coverage():
    """A small simulation of binormal scores: TPR at FPR 0.2, and the whole curve."""
    rng = np.random.default_rng(6)
    grid = np.linspace(0.05, 0.95, 19)
    truth = norm.sf(norm.isf(grid) - 1.5)
    everywhere = norm.sf(norm.isf(np.linspace(0, 1, 101)) - 1.5)
    point = line = 0
    for run in range(200):
        y = np.repeat([0, 1], 60)
        s = cw.sweep(y, rng.normal(size=120) + 1.5 * y)
        band = cw.roc_band(s, grid=grid, rng=run, replicates=200)
        whole = cw.roc_band(s, simultaneous=True)
        point += band.low[3] <= truth[3] <= band.high[3]
        line += bool(((whole.low <= everywhere) & (everywhere <= whole.high)).all())
    assert 0.89 <= point / 200 <= 0.99
    assert line / 200 >= 0.95


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: cw.roc_band(RATINGS, at="recall"), cw.CurvewiseError, "at: expected one of"),
        (lambda: cw.roc_band(RATINGS, grid=[2]), cw.CurvewiseError, "grid: expected a number from 0 to 1"),
        (lambda: cw.roc_band([1, 1], [1, 2]), cw.UndefinedMetricError, "0 of 2 rows are negative"),
        (lambda: cw.pr_band(RATINGS, level=0), cw.CurvewiseError, "level: expected"),
        (
            lambda: cw.roc_band(RATINGS, at="tpr", simultaneous=True),
            cw.CurvewiseError,
            "simultaneous:",
        ),
        (lambda: cw.roc_band(RATINGS, grid="abc"), cw.CurvewiseError, "grid: expected"),
        (lambda: cw.pr_band(RATINGS, colour="red"), TypeError, "colour: unknown option"),
    ],
)
def test_refusals(call, error, words):
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize("rate", ["recall", "specificity", "precision", "predicted_rate"])
def test_rates_at_thresholds_are_wilsons(rate):
    y, score = np.array([1, 0, 1, 1, 0, 0, 1, 0]), np.array([8, 7, 6, 5, 4, 3, 2, 1])
    band = cw.threshold_band(y, score, rate=rate, grid=[2, 4.5, 8, 9])
    for k, cut in enumerate([2, 4.5, 8, 9]):
        table = cw.confusion(y, score, threshold=cut).table
        row = next(r for r in table.rows() if r["metric"] == rate)
        for name, found in (("value", band.value), ("low", band.low), ("high", band.high)):
            assert found[k] == pytest.approx(np.nan if row[name] is None else row[name], nan_ok=True)
    assert "pointwise)" in repr(band)


def test_thresholds_of_a_band_are_scores_spread_over_the_rows():
    score = np.arange(1000) / 7
    band = cw.threshold_band(np.arange(1000) % 3 == 0, score)
    assert len(band.x) == 101
    assert set(band.x) <= set(score)
    assert band.x[0] == score[-1]
    assert band.x[-1] == score[0]
    assert list(band.to_frame("polars").columns) == ["threshold", "recall", "low", "high"]
    few = cw.threshold_band([1, 0, 1], [1, 1, 2])
    assert few.x.tolist() == [2, 1]


def test_rates_at_thresholds_of_clusters_are_resampled():
    rng = np.random.default_rng(1)
    patient = np.repeat(np.arange(50), 4)
    y = (rng.random(50) < 0.5)[patient]
    score = rng.normal(size=50)[patient] + y
    naive = cw.threshold_band(y, score, grid=[0.5])
    honest = cw.threshold_band(y, score, grid=[0.5], cluster=patient, rng=0, replicates=500)
    assert honest.value == naive.value
    assert honest.high - honest.low > 1.5 * (naive.high - naive.low)
    weighted = cw.threshold_band(y, score, grid=[0.5, 99], rate="precision", weight=np.full(200, 0.5), rng=0)
    assert np.isnan(weighted.low[1])


def test_a_rate_must_be_a_rate():
    with pytest.raises(cw.CurvewiseError, match="rate: expected a plain proportion"):
        cw.threshold_band([0, 1], [1, 2], rate="mcc")

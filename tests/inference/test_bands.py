"""Bands: what they pass through, what they promise, what they refuse."""

import math

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import beta, norm

import curvewise as cw
from curvewise.inference.bands import rates_by_powers
from curvewise.inference.rate_at_rate import interval_at_fixed
from curvewise.metric.registry import bound
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


@pytest.mark.parametrize("method", ["beta", "percentile"])
@pytest.mark.parametrize("make", [cw.roc_band, cw.pr_band])
def test_pointwise_bands_nest(make, method):
    narrow, wide = (make(RATINGS, level=v, method=method, rng=1, replicates=300) for v in (0.5, 0.99))
    assert (wide.low <= narrow.low + 1e-12).all()
    assert (wide.high >= narrow.high - 1e-12).all()
    assert len(wide.to_frame("polars")) == 101
    assert f"99% pointwise ({method}{', 300 replicates' if method == 'percentile' else ''})" in repr(wide)


@pytest.mark.parametrize("at", ["fpr", "tpr"])
def test_the_simultaneous_band_holds_its_curve_and_the_pointwise_one(at):
    whole, point = cw.roc_band(RATINGS, at=at, simultaneous=True), cw.roc_band(RATINGS, at=at)
    assert (whole.low <= whole.value).all()
    assert (whole.high >= whole.value).all()
    assert (whole.low <= point.low).all()
    assert (whole.high >= point.high).all()
    assert repr(whole).endswith("101 values of " + at + ", 95% simultaneous (max-t, 1000 replicates))")


def test_dkw_is_wider_and_needs_no_draws():
    wide, narrow = (cw.roc_band(RATINGS, simultaneous=True, method=m) for m in ("dkw", "max-t"))
    assert (wide.high - wide.low).mean() > 1.3 * (narrow.high - narrow.low).mean()
    assert wide.replicates is None
    assert repr(wide) == "Band(tpr at 101 values of fpr, 95% simultaneous (dkw))"


def test_an_interval_of_tpr_has_both_uncertainties():
    """With a million negatives the threshold is known, and the interval of a binomial rate is left."""
    negatives = np.linspace(-4, 4, 1_000_001)
    cut = np.quantile(negatives, 0.9)
    positives = cut + np.concatenate([np.linspace(0.1, 1, 12), -np.linspace(0.1, 1, 8)])
    y = np.repeat([0, 1], [len(negatives), 20])
    band = cw.roc_band(y, np.concatenate([negatives, positives]), grid=[0.1])
    assert band.value[0] == pytest.approx(0.6)
    ends = beta.ppf(0.025, 12.25, 8.75), beta.ppf(0.975, 12.75, 8.25)  # halfway to Clopper and Pearson's
    assert (band.low[0], band.high[0]) == pytest.approx(ends, abs=1e-4)
    # with a million positives the threshold alone is uncertain: the k-th negative of 20 is Beta(k, 21 - k)
    many, few = np.linspace(0, 1, 1_000_001), np.arange(1, 21) / 21
    y = np.repeat([1, 0], [len(many), 20])
    band = cw.roc_band(y, np.concatenate([many, few]), grid=[0.5])
    drawn = np.random.default_rng(0).beta(np.arange(1, 21)[:, None], 21 - np.arange(1, 21)[:, None], (20, 50_000))
    place = (drawn > 0.5).mean(axis=1)  # how sure it is that the threshold lies before each negative
    assert np.interp([0.025, 0.975], place, np.arange(1, 21) / 21) == pytest.approx(
        [band.low[0], band.high[0]], abs=0.02
    )


def test_ends_of_the_curve():
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], [50, 40])
    band = cw.roc_band(y, rng.normal(size=90) + 3 * y, grid=[0, 0.02, 0.05, 0.9, 1])
    assert band.low[:2].tolist() == [0, 0]
    assert 0 < band.low[2] < band.value[2]
    assert band.high[0] >= band.value[0]
    assert 0.8 < band.low[3] < 1
    assert band.high[3] == 1
    assert (band.low[4], band.high[4]) == (1, 1)
    across = cw.roc_band(y, rng.normal(size=90) + 3 * y, at="tpr", grid=[0, 0.5, 1])
    assert (across.low[0], across.high[0], across.high[2]) == (0, 0, 1)


@given(labelled())
def test_every_interval_holds_its_value(data):
    sweep = cw.sweep(*data)
    grid = np.linspace(0, 1, 9)
    for band in (cw.roc_band(sweep, grid=grid), cw.roc_band(sweep, at="tpr", grid=grid), cw.pr_band(sweep, grid=grid)):
        assert ((band.low <= band.value) & (band.value <= band.high)).all()
        assert ((band.low >= 0) & (band.high <= 1)).all()


def test_turning_the_classes_round_turns_the_band_round():
    rng = np.random.default_rng(5)
    y = rng.random(80) < 0.4
    s = np.round(rng.normal(size=80) + y, 1)
    grid = np.linspace(0.05, 0.95, 19)
    up = cw.roc_band(y, s, grid=grid)
    # TPR at FPR f of (y, s) is 1 - FPR at TPR 1 - f of the other class, lower scores first
    turned = cw.roc_band(~y, -s, at="tpr", grid=1 - grid)
    assert 1 - turned.high == pytest.approx(up.low, abs=0.005)
    assert 1 - turned.low == pytest.approx(up.high, abs=0.005)


def test_metrics_at_fixed_rates_have_the_band_s_interval():
    band, across = cw.roc_band(RATINGS, grid=[0.1]), cw.roc_band(RATINGS, at="tpr", grid=[0.8])
    for name, options in (("recall_at_fpr", {"fpr": 0.1}), ("sensitivity_at_specificity", {"specificity": 0.9})):
        assert interval_at_fixed(bound(name, options), RATINGS, 0.95) == pytest.approx((band.low[0], band.high[0]))
    ends = interval_at_fixed(bound("specificity_at_sensitivity", {"sensitivity": 0.8}), RATINGS, 0.95)
    assert ends == pytest.approx((1 - across.high[0], 1 - across.low[0]))
    found = cw.interval("recall_at_fpr", RATINGS, fpr=0.1)
    assert (found.low, found.high, found.method) == (pytest.approx(band.low[0]), pytest.approx(band.high[0]), "beta")


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_a_percentile_band_has_quantiles_of_what_resamples_give(level):
    rng = np.random.default_rng(8)
    y = rng.random(120) < 0.4
    s = rng.normal(size=120) + y
    same = {"method": "percentile", "level": level, "rng": 4, "replicates": 200}
    band = cw.roc_band(y, s, grid=[0.1, 0.5], **same)
    for place, fpr in enumerate((0.1, 0.5)):
        found = cw.interval("recall_at_fpr", y, s, fpr=fpr, **same)
        assert (band.low[place], band.high[place]) == pytest.approx((found.low, found.high))


def test_weights_and_clusters_count_what_they_are_worth():
    rng = np.random.default_rng(2)
    y = rng.random(150) < 0.4
    s = rng.normal(size=150) + y
    grid = [0.1, 0.3, 0.6]
    plain = cw.roc_band(y, s, grid=grid)
    for make in (cw.roc_band, cw.pr_band):
        alone = make(y, s, grid=grid)
        twice = make(np.tile(y, 2), np.tile(s, 2), cluster=np.tile(np.arange(150), 2), grid=grid)
        halved = make(y, s, weight=np.full(150, 0.5), grid=grid)
        for other in (twice, halved):
            assert other.low == pytest.approx(alone.low, abs=0.03)
            assert other.high == pytest.approx(alone.high, abs=0.03)
    uneven = cw.roc_band(y, s, weight=rng.exponential(size=150), grid=grid)
    assert (uneven.high - uneven.low).mean() > 1.15 * (plain.high - plain.low).mean()
    assert len(cw.roc_band(y, s, cluster=np.arange(150), grid=np.zeros(0)).low) == 0
    one = cw.roc_band(y, s, cluster=np.zeros(150), grid=grid)
    assert np.isnan(one.low).all()
    assert np.isnan(cw.pr_band(y, s, cluster=np.zeros(150), grid=grid).high).all()


def test_threads_do_not_matter():
    found = []
    for threads in (1, 3):
        cw.set_threads(threads)
        found.append(cw.roc_band(RATINGS, method="percentile", rng=5, replicates=110).low)
    assert np.array_equal(*found)


def test_clusters_widen_a_band():
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(60), 4)
    y = (rng.random(60) < 0.4)[patient]
    s = rng.normal(size=60)[patient] + y + 0.1 * rng.normal(size=240)
    options = {"grid": [0.2, 0.5], "rng": 0, "replicates": 400}
    alone, together = cw.roc_band(y, s, **options), cw.roc_band(y, s, cluster=patient, **options)
    assert (together.high - together.low).mean() > 1.3 * (alone.high - alone.low).mean()


@pytest.mark.slow
def test_coverage():
    """A small simulation of binormal scores: TPR at FPR 0.02, 0.2 and 0.8, and the whole curve."""
    rng = np.random.default_rng(6)
    places, along = np.array([0.02, 0.2, 0.8]), np.linspace(0, 1, 101)[1:-1]
    truth, everywhere = (norm.sf(norm.isf(grid) - 1.5) for grid in (places, along))
    held, line = np.zeros(3), 0
    for run in range(200):
        y = np.repeat([0, 1], 60)
        s = cw.sweep(y, rng.normal(size=120) + 1.5 * y)
        band = cw.roc_band(s, grid=places)
        held += (band.low <= truth) & (truth <= band.high)
        if run < 60:
            whole = cw.roc_band(s, grid=along, simultaneous=True, replicates=300)
            line += bool(((whole.low <= everywhere) & (everywhere <= whole.high)).all())
    assert (held >= 0.92 * 200).all()
    assert line / 60 >= 0.9


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: cw.roc_band(RATINGS, at="recall"), cw.CurvewiseError, "at: expected one of"),
        (lambda: cw.roc_band(RATINGS, grid=[2]), cw.CurvewiseError, "grid: expected a number from 0 to 1"),
        (lambda: cw.roc_band([1, 1], [1, 2]), cw.UndefinedMetricError, "0 of 2 rows are negative"),
        (lambda: cw.pr_band(RATINGS, level=0), cw.CurvewiseError, "level: expected"),
        (
            lambda: cw.roc_band(RATINGS, at="tpr", simultaneous=True, method="dkw"),
            cw.OptionError,
            "method: 'dkw' is a band of TPR",
        ),
        (
            lambda: cw.roc_band([0, 1, 1], [1, 2, 3], weight=[0.5, 1, 1], simultaneous=True),
            cw.CurvewiseError,
            "simultaneous: a band for the whole curve",
        ),
        (lambda: cw.roc_band(RATINGS, method="dkw"), cw.CurvewiseError, "method: expected one of"),
        (lambda: cw.roc_band(RATINGS.at_prevalence(0.1)), cw.CurvewiseError, "A sweep of weighted rows"),
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
    assert "pointwise (wilson))" in repr(band)


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


def test_rates_at_thresholds_of_clusters_are_those_of_interval():
    rng = np.random.default_rng(1)
    patient = np.repeat(np.arange(50), 4)
    y = (rng.random(50) < 0.5)[patient]
    score = rng.normal(size=50)[patient] + y
    naive = cw.threshold_band(y, score, grid=[0.5])
    honest = cw.threshold_band(y, score, grid=[0.5], cluster=patient)
    same = cw.interval("recall", y, score, threshold=0.5, cluster=patient)
    assert honest.value == naive.value
    assert (honest.low[0], honest.high[0]) == pytest.approx((same.low, same.high))
    assert honest.high - honest.low > 1.5 * (naive.high - naive.low)
    weighted = cw.threshold_band(y, score, grid=[0.5, 99], rate="precision", weight=np.full(200, 0.5))
    assert np.isnan(weighted.low[1])


def test_a_rate_must_be_a_rate():
    with pytest.raises(cw.CurvewiseError, match="rate: expected a plain proportion"):
        cw.threshold_band([0, 1], [1, 2], rate="mcc")


def test_dkw_by_its_definition():
    """On a diagonal each end is moved by both classes' distances: TPR at FPR ± ε of negatives, ± ε of positives."""
    diagonal = cw.Sweep.from_counts(range(200), [1] * 200, [2] * 200)
    alpha = 1 - math.sqrt(0.9)
    up, across = (math.sqrt(math.log(2 / alpha) / (2 * n)) for n in (200, 400))
    grid = [0.05, 0.3, 0.6, 0.95]
    band = cw.roc_band(diagonal, simultaneous=True, method="dkw", level=0.9, grid=grid)
    assert band.low == pytest.approx([max(x - across - up, 0) for x in grid])
    assert band.high == pytest.approx([min(min(x + across, 1) + up, 1) for x in grid])


def test_a_grid_by_powers_of_ten_starts_at_one_negative():
    for negatives, least in ((1000, 1e-3), (3, 0.1)):
        grid = rates_by_powers(negatives)
        assert (grid[0], grid[-1]) == (pytest.approx(least), 1)
        assert grid[1:] / grid[:-1] == pytest.approx(grid[1] / grid[0])
        assert grid[1] > grid[0]

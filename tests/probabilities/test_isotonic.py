"""The isotonic fit: by brute force, as the ROC hull, as scikit-learn's."""

import json
import math
from fractions import Fraction
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, norm
from sklearn.isotonic import IsotonicRegression

import curvewise as cw
import oracle
from curvewise.core import keys, threads
from curvewise.metric.blocks import Clusters
from curvewise.metric.probability_bins import Points
from curvewise.probabilities import isotonic
from curvewise.probabilities.isotonic import binomial_draws
from strategies import labelled, weights

Y, P = [0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]


def min_max(y, score, weight=None):
    """Return {score: fit} by the definition: the highest of the lowest means of all windows around it."""
    rows = oracle.blocks(y, score, weight)[::-1]

    def mean(a, b):
        pos, neg = (sum(r[k] for r in rows[a : b + 1]) for k in (1, 2))
        return Fraction(pos, pos + neg)

    m = range(len(rows))
    return {rows[k][0]: max(min(mean(a, b) for b in m if b >= k) for a in m if a <= k) for k in m}


finite = labelled(max_size=14).map(lambda d: (d[0], [v if math.isfinite(v) else 7.0 for v in d[1]]))


@given(finite, st.data())
def test_the_fit_is_the_best_rising_one(data, draw):
    y, s = data
    w = draw.draw(st.lists(weights, min_size=len(y), max_size=len(y)))
    expected = min_max(y, s, w)
    fit = cw.isotonic(y, s, weight=w)
    for low, high, value in zip(fit.low, fit.high, fit.value, strict=True):
        assert {float(v) for k, v in expected.items() if low <= k <= high} == {value}
    assert (np.diff(fit.value) > 0).all()
    assert (fit.low[1:] > fit.high[:-1]).all()
    assert (fit.n.sum(), fit.positives.sum()) == (sum(w), np.dot(w, y))


@pytest.mark.parametrize("chunk", [1, 2, 3])
@given(data=finite)
def test_chunks_do_not_show(chunk, data):
    expected = min_max(*data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "CHUNK", chunk)
        patch.setattr(threads, "ROWS_PER_THREAD", 4)
        fit = cw.isotonic(*data)
        # the walk of the hull would drop what is no corner too, so what is left for it is looked at itself
        sweep = cw.sweep(*data)
        corners = isotonic._corners(sweep.tp, sweep.fp).tolist()
    for low, high, value in zip(fit.low, fit.high, fit.value, strict=True):
        assert {float(v) for k, v in expected.items() if low <= k <= high} == {value}
    tp, fp = [0, *sweep.tp.tolist()], [*sweep.fp.tolist(), math.inf]
    wanted = [k for k in range(len(sweep.tp)) if tp[k + 1] > tp[k] and fp[k + 1] > fp[k]]
    assert corners == sorted({*wanted, len(sweep.tp) - 1})


@given(finite)
def test_blocks_are_the_segments_of_the_hull(data):
    fit, hull = cw.isotonic(*data), cw.roc_hull(*data)
    assert fit.low[::-1].tolist() == hull.threshold[1:].tolist()
    p, n = sum(data[0]), len(data[0])
    assert np.cumsum(fit.positives[::-1]) / p == pytest.approx(hull.tpr[1:])
    assert np.cumsum((fit.n - fit.positives)[::-1]) / (n - p) == pytest.approx(hull.fpr[1:])


@pytest.mark.parametrize("kind", ["unweighted", "whole", "fractional"])
def test_scikit_learn_agrees(kind):
    rng = np.random.default_rng(0)
    for run in range(20):
        n = int(rng.integers(2, 400))
        p = np.round(rng.random(n), int(rng.integers(1, 8)))
        y = rng.random(n) < p ** rng.choice([0.5, 1, 3])
        y[:2] = 0, 1
        w = {"unweighted": None, "whole": rng.integers(1, 5, n), "fractional": rng.random(n) + 0.01}[kind]
        theirs = IsotonicRegression(out_of_bounds="clip").fit(p, y, sample_weight=w)
        x = np.concatenate([p, rng.uniform(-0.2, 1.2, 100)])
        assert cw.isotonic(y, p, weight=w).apply(x) == pytest.approx(theirs.predict(x), abs=1e-12), run


def test_worked_by_hand():
    fit = cw.isotonic(Y, P)
    assert (fit.low.tolist(), fit.high.tolist()) == ([0.1, 0.5], [0.4, 0.9])
    assert (fit.n.tolist(), fit.positives.tolist(), fit.value.tolist()) == ([4, 2], [1, 2], [0.25, 1.0])
    assert fit.apply([0.0, 0.1, 0.4, 0.5, 7, math.inf]).tolist() == [0.25, 0.25, 0.25, 1, 1, 1]
    assert fit.apply([0.425]) == pytest.approx([0.4375])


def test_low_may_mean_positive():
    fit, turned = cw.isotonic(Y, P), cw.isotonic(Y, [-v for v in P], higher_is="negative")
    assert turned.value.tolist() == fit.value[::-1].tolist()
    assert turned.low.tolist() == (-fit.high[::-1]).tolist()
    assert turned.apply([-0.425]) == fit.apply([0.425])


def test_scores_need_not_be_probabilities():
    fit = cw.isotonic([0, 1, 0, 1], np.array([1, 2, 3, 4], dtype=np.int64))
    assert fit.value.tolist() == [0, 0.5, 1]
    assert fit.apply([1.5]).tolist() == [0.25]


def test_one_class_is_constant():
    for label in (0, 1):
        fit = cw.isotonic([label] * 3, [0.1, 0.5, 0.2])
        assert (len(fit), fit.value.tolist(), fit.apply([9.0]).tolist()) == (1, [label], [label])


def test_fractional_weights_never_fall():
    rng = np.random.default_rng(1)
    for _ in range(30):
        fit = cw.isotonic(rng.random(300) < 0.5, rng.integers(0, 100, 300), weight=rng.random(300) + 1e-9)
        assert (np.diff(fit.value) >= 0).all()
        assert ((fit.value >= 0) & (fit.value <= 1)).all()


def test_what_it_refuses():
    for end in (math.inf, -math.inf):
        with pytest.raises(cw.CurvewiseError, match="finite scores"):
            cw.isotonic([0, 1], [0.5, end])
    with pytest.raises(cw.CurvewiseError, match="score has 1 missing value"):
        cw.isotonic(Y, P).apply([math.nan])
    with pytest.raises(cw.CurvewiseError, match="some positives have no score"):
        cw.isotonic(cw.Sweep.from_counts([0.9], [1], [1], total_positives=3))


def test_how_it_shows():
    fit = cw.isotonic(Y, P)
    assert repr(fit) == "Isotonic(2 blocks, scores 0.1 to 0.9, fitted 0.25 to 1)"
    assert fit.to_frame("polars").columns == ["low", "high", "n", "positives", "value"]
    assert json.loads(json.dumps(fit.to_dict()))["value"] == [0.25, 1.0]
    assert "<td>0.2500</td>" in fit._repr_html_()
    many = cw.isotonic(cw.Sweep.from_counts(np.arange(30), np.arange(30), 30 - np.arange(30)))
    assert "Isotonic(30 blocks, scores 0 to 29, fitted 0 to 0.966667)" in many._repr_html_()
    assert many._repr_html_().count("<tr>") == 3  # too many for a notebook: the ends
    assert len(many.table) == 30
    with pytest.raises(ValueError, match="read-only"):
        fit.value[0] = 0


@pytest.mark.parametrize("trials", [3, 40, 2000, 10**6])
def test_labels_are_drawn_with_the_binomial_mean_variance_and_skewness(trials):
    """Also where normal numbers stand for binomial ones; errors are those of as many samples."""
    p = np.array([0.001, 0.03, 0.3, 0.5, 0.8, 0.999])
    rng, samples = np.random.default_rng(0), 40_000
    draw = binomial_draws(np.full(len(p), trials), p)
    drawn = np.array([draw(rng) for _ in range(samples)])
    mean, spread = trials * p, np.sqrt(trials * p * (1 - p))
    assert ((drawn >= 0) & (drawn <= trials)).all()
    z = (drawn - mean) / spread
    skewness = (1 - 2 * p) / spread
    assert np.abs(z.mean(axis=0)).max() < 4.5 / math.sqrt(samples)
    wild = 1 + np.abs(skewness) + 1 / spread  # tails make moments of few positives vary more
    assert (np.abs(z.var(axis=0) - 1) < 7 * wild / math.sqrt(samples)).all()
    assert (np.abs((z**3).mean(axis=0) - skewness) < 20 * wild**3 / math.sqrt(samples)).all()
    large = spread >= 5
    assert (drawn[:, ~large] == np.rint(drawn[:, ~large])).all()
    for column in np.flatnonzero(large):  # and the whole distribution, to a step of it
        found = np.quantile(drawn[:, column], [0.025, 0.25, 0.5, 0.75, 0.975])
        assert np.abs(found - binom.ppf([0.025, 0.25, 0.5, 0.75, 0.975], trials, p[column])).max() < 0.6 + (
            0.05 * spread[column]
        )


def test_bent_normal_numbers_have_the_moments_of_binomial_ones():
    """By quadrature over the normal number; the third moment is right up to four cubes of the bend."""
    p, trials = np.array([0.02, 0.3, 0.5, 0.9]), np.array([10_000, 400, 400, 5000])
    nodes, weight = np.polynomial.hermite_e.hermegauss(8)
    weight = weight / weight.sum()
    draw = binomial_draws(trials, p)
    drawn = np.array(
        [draw(SimpleNamespace(standard_normal=partial(np.full, fill_value=z), binomial=np.multiply)) for z in nodes]
    )
    mean, variance, third = binom.stats(trials, p, moments="mvs")
    assert weight @ drawn == pytest.approx(mean)
    away = drawn - mean
    assert weight @ away**2 == pytest.approx(variance, rel=1e-12)
    assert weight @ away**3 - third * variance**1.5 == pytest.approx(-4 * ((1 - 2 * p) / 6) ** 3, abs=1e-8)


def test_a_notebook_shows_twenty_blocks_and_the_ends_of_more():
    """Of 100 rows with score k, k are positive: as many blocks as scores."""
    for size in (20, 21):
        pos = np.arange(1, size + 1)
        (table,) = cw.isotonic(cw.Sweep.from_counts(pos, pos, 100 - pos)).parts()
        if size == 20:
            assert len(table) == 20
        else:
            assert table.columns["block"] == [1, 21]
            assert table.columns["low"] == table.columns["high"] == table.columns["positives"] == [1, 21]
            assert table.columns["value"] == [0.01, 0.21]


def test_drawn_labels_of_weighted_clusters_have_the_mean_of_their_probabilities():
    """Rows of weight 3 in pairs: the drawn weight of positives is n·p on average, and 0, 3 or 6 in a pair."""
    place, cluster, half = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.full(4, 3.0)
    cells = Clusters(place, cluster, half, half, 2 * half**2, correlation=0.25)
    n = np.full(2, 12.0)
    data = Points(np.array([0.2, 0.6]), n, n / 2, 3 * n, whole=False, clusters=cells)
    draw, rng = isotonic.labels_if_right(data), np.random.default_rng(0)
    drawn = np.array([draw(rng) for _ in range(4000)])
    assert set(np.unique(drawn)) <= {0, 3, 6, 9, 12}
    error = np.sqrt([0.6 * 0.4, 0.2 * 0.8]) * 12 / math.sqrt(4000)  # at most: if all rows were one
    assert (np.abs(drawn.mean(axis=0) - [0.6 * 12, 0.2 * 12]) < 4 * error).all()


def test_a_weight_too_small_for_the_sums_leaves_a_band():
    y, p = [0, 1, 0, 1, 0], [0.1, 0.3, 0.5, 0.7, 0.05]
    found = cw.reliability(y, p, weight=[1, 1.5, 1, 0.5, 1e-20], bands="consistency", rng=0, replicates=20)
    assert np.isfinite(found.low).all()
    assert np.isfinite(found.high).all()


def test_a_confidence_band_starts_at_0_below_the_first_positive():
    """Clopper and Pearson's limits of 0 of 2 rows are 0 and 1 - 0.025^(1/2), of 2 of 2 rows 0.025^(1/2) and 1."""
    found = cw.reliability([0, 0, 1, 1], [0.1, 0.1, 0.9, 0.9], bands="confidence")
    assert found.low == pytest.approx([0, math.sqrt(0.025)])
    assert found.high == pytest.approx([1 - math.sqrt(0.025), 1])
    # the fit is 1/6 at both, but the five rows at 0.9, which are judged alone, have no positive
    wrong = cw.reliability([1, 0, 0, 0, 0, 0], [0.02] + [0.9] * 5, bands="confidence")
    assert wrong.observed == pytest.approx([1 / 6, 1 / 6])
    assert wrong.low == pytest.approx([0.025, 0])


def test_lower_limits_are_of_the_window_that_should_give_the_highest():
    """Wilson's limit of the probabilities themselves says how many rows; Clopper and Pearson's limit is of those."""
    level = 2 * norm.cdf(isotonic.Z) - 1
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n, p = rng.integers(1, 30, 12), np.sort(rng.random(12))
        positives = rng.binomial(n, p)
        data = SimpleNamespace(n=n, p=p, positives=positives, squares=n, design_effect=1.0, clusters=None)
        for j, low in enumerate(isotonic._below(data, np.arange(12), 0.9)):
            told = [
                cw.rate_interval((n * p)[i : j + 1].sum(), n[i : j + 1].sum(), level=level)[0] for i in range(j + 1)
            ]
            here = slice(int(np.argmax(told)), j + 1)
            own = binomtest(int(positives[here].sum()), int(n[here].sum())).proportion_ci(0.9, "exact").low
            assert low == pytest.approx(own, abs=1e-12)

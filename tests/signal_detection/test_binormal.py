"""The binormal fit: published ratings, a general optimiser as oracle, simulations, and honest refusals."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import minimize
from scipy.stats import norm

import curvewise as cw
from curvewise.signal_detection.likelihood import MOST, categories
from strategies import labelled

RATINGS = cw.Sweep.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])


def log_likelihood(pos, neg, a, b, cuts):
    edges = np.concatenate([[-np.inf], cuts, [np.inf]])
    with np.errstate(divide="ignore", invalid="ignore"):
        q, p = np.diff(norm.cdf(edges)), np.diff(norm.cdf(a + b * edges))
        terms = [np.where(k > 0, k * np.log(x), 0).sum() for k, x in ((neg, q), (pos, p))]
    return sum(terms)


def by_general_optimiser(pos, neg):
    """Maximise over a, log b, the first cut and the logarithms of the gaps, without any gradient."""

    def lost(v):
        return -log_likelihood(pos, neg, v[0], math.exp(v[1]), np.cumsum(np.append(v[2], np.exp(v[3:]))))

    start = np.concatenate([[1.0, 0.0, -1.5], np.zeros(len(pos) - 2) - 0.5])
    for method, options in (("Nelder-Mead", {"maxiter": 20_000, "maxfev": 20_000}), ("BFGS", {"gtol": 1e-9})):
        found = minimize(lost, start, method=method, options=options)
        start = found.x
    return found.x[0], math.exp(found.x[1]), -found.fun


def simulated(n, share, mean, sd, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(n) < share * n
    return y, np.where(y, rng.normal(mean, sd, n), rng.normal(0, 1, n))


def test_published_ratings():
    fit = cw.binormal(RATINGS)
    assert fit.a == pytest.approx(1.656781, abs=2e-6)
    assert fit.b == pytest.approx(0.713001, abs=2e-6)
    assert fit.az == pytest.approx(0.911331, abs=5e-7)
    assert fit.d_a == pytest.approx(1.90777, abs=5e-6)
    assert fit.categories == fit.runs == 5
    assert fit.threshold.tolist() == [5, 4, 3, 2]
    assert (np.diff(fit.cut) < 0).all()


@pytest.mark.parametrize("seed", range(5))
def test_no_other_parameters_are_likelier(seed):
    rng = np.random.default_rng(seed)
    k = rng.integers(4, 6)
    pos, neg = rng.multinomial(60, rng.dirichlet(np.arange(1, k + 1)[::-1])), rng.multinomial(80, [1 / k] * k)
    fit = cw.binormal(cw.Sweep.from_counts(np.arange(k)[::-1], pos, neg))
    a, b, value = by_general_optimiser(pos, neg)
    assert fit.log_likelihood == pytest.approx(log_likelihood(pos, neg, fit.a, fit.b, -fit.cut), abs=1e-8)
    assert fit.log_likelihood >= value - 1e-7
    assert (fit.a, fit.b) == pytest.approx((a, b), abs=2e-3)


def test_standard_errors_are_the_curvature_of_the_profile():
    """Fix a, maximise over the rest, and read the curvature: 1/SE²."""
    pos, neg = np.diff(RATINGS.tp, prepend=0), np.diff(RATINGS.fp, prepend=0)
    fit = cw.binormal(RATINGS)

    def profile(a, start):
        def lost(v):
            return -log_likelihood(pos, neg, a, math.exp(v[0]), np.cumsum(np.append(v[1], np.exp(v[2:]))))

        return -minimize(lost, start, method="BFGS", options={"gtol": 1e-7}).fun

    cuts = -fit.cut
    start = np.concatenate([[math.log(fit.b), cuts[0]], np.log(np.diff(cuts))])
    step = 0.05
    curvature = (profile(fit.a + step, start) - 2 * fit.log_likelihood + profile(fit.a - step, start)) / step**2
    assert fit.standard_error["a"] == pytest.approx(1 / math.sqrt(-curvature), rel=0.01)


def test_truth_runs_change_nothing():
    """A cut between two blocks of one class alone says nothing: the fit with it has the same a and b."""
    y, s = simulated(60, 0.4, 1.2, 1.3, 3)
    sweep = cw.sweep(y, s)
    found = categories(sweep)
    assert len(found.pos) < len(sweep.threshold)
    from curvewise.signal_detection.likelihood import maximum

    merged = maximum(found.pos, found.neg)
    each = maximum(np.diff(sweep.tp, prepend=0).astype(float), np.diff(sweep.fp, prepend=0).astype(float))
    assert (each.a, each.b) == pytest.approx((merged.a, merged.b), abs=1e-6)
    assert each.covariance == pytest.approx(merged.covariance, rel=1e-5)


@given(labelled(min_size=10, each=4))
def test_any_rows_give_a_maximum_or_a_reason(data):
    y, s = data
    try:
        fit = cw.binormal(y, s)
    except cw.UndefinedMetricError as problem:
        assert "binormal fit" in str(problem)  # noqa: PT017 - either outcome is right
        return
    ranks = np.unique(s, return_inverse=True)[1]
    assert cw.binormal(y, np.exp(ranks)).a == pytest.approx(fit.a, abs=1e-9)
    sweep = cw.sweep(y, s)
    found = categories(sweep)
    cuts = -fit.cut
    for a, b in ((0.1, 0), (-0.1, 0), (0, 0.1), (0, -0.1)):
        moved = log_likelihood(found.pos, found.neg, fit.a + a, fit.b * math.exp(b), cuts)
        assert moved <= fit.log_likelihood + 1e-9


def test_swapping_classes_mirrors_the_curve():
    y, s = simulated(200, 0.4, 1.2, 1.3, 5)
    one, other = cw.binormal(y, s), cw.binormal(~y, -s)
    # TPR = Φ(a + bz) seen from the other corner: b becomes 1/b, a becomes a/b
    assert (other.a, other.b) == pytest.approx((one.a / one.b, 1 / one.b), abs=1e-6)
    assert other.az == pytest.approx(one.az, abs=1e-9)
    assert other.standard_error["az"] == pytest.approx(one.standard_error["az"], rel=1e-5)


def test_many_rows_find_the_truth_and_say_that_they_were_put_together():
    y, s = simulated(40_000, 0.25, 1.5, 1.4, 0)
    fit = cw.binormal(y, np.exp(s))
    assert fit.a == pytest.approx(1.5 / 1.4, abs=4 * fit.standard_error["a"])
    assert fit.b == pytest.approx(1 / 1.4, abs=4 * fit.standard_error["b"])
    assert fit.categories <= MOST < fit.runs
    assert "were merged into" in str(fit.notes[0])
    assert fit.standard_error["a"] < 0.02


def test_putting_together_moves_little():
    y, s = simulated(3000, 0.5, 1, 1, 7)
    few = cw.binormal(y, s)
    assert few.runs > MOST
    from curvewise.signal_detection.likelihood import maximum

    sweep = cw.sweep(y, s)
    every = maximum(np.diff(sweep.tp, prepend=0).astype(float), np.diff(sweep.fp, prepend=0).astype(float))
    # less than half a standard error of each, and nothing of the area
    assert few.a == pytest.approx(every.a, abs=few.standard_error["a"] / 2)
    assert few.b == pytest.approx(every.b, abs=few.standard_error["b"] / 2)
    assert few.az == pytest.approx(cw.BinormalRoc(every.a, every.b).auc, abs=few.standard_error["az"] / 20)


def test_intervals_cover():
    covered, errors, values = [], [], []
    truth = norm.cdf(1.5 / math.hypot(1, 1.3))
    for seed in range(120):
        fit = cw.binormal(*simulated(150, 0.4, 1.5, 1.3, seed))
        az = fit.interval("az")
        covered.append(az.low <= truth <= az.high)
        errors.append(fit.standard_error["az"])
        values.append(fit.az)
    assert np.mean(covered) >= 0.9
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.2)


def test_intervals_partial_area_and_curve():
    fit = cw.binormal(RATINGS)
    assert fit.curve == cw.BinormalRoc(fit.a, fit.b)
    assert fit.partial_auc((0, 0.1)) == fit.curve.partial_auc((0, 0.1))
    assert fit.partial_auc_error((0, 1)) == pytest.approx(fit.standard_error["az"], rel=1e-4)
    assert 0 < fit.partial_auc_error((0, 0.1)) < 0.02
    for name in ("a", "b", "az", "d_a"):
        wide, narrow = fit.interval(name), fit.interval(name, level=0.5)
        assert wide.low < narrow.low < getattr(fit, name) < narrow.high < wide.high
        assert wide == fit.estimates[name]
    d_a, az = fit.interval("d_a"), fit.interval("az")
    assert (az.low, az.high) == pytest.approx(norm.cdf(np.array([d_a.low, d_a.high]) / math.sqrt(2)))


def test_golden_rows_lie_near_the_empirical_area():
    """pROC 1.18.0's smooth() fits a line instead (``binormal_auc``): near, not equal."""
    here = Path(__file__).parents[1] / "reference"
    golden = json.loads((here / "golden.json").read_text())["cases"]
    for case, model in (("paired150", "a"), ("paired150", "b"), ("rare2000", "a"), ("rare2000", "b")):
        table = np.genfromtxt(here / f"{case}.csv", delimiter=",", names=True)
        fit = cw.binormal(table["y"], table[model])
        assert fit.az == pytest.approx(golden[case][model]["binormal_auc"], abs=0.01)
        assert fit.az == pytest.approx(golden[case][model]["auc"], abs=fit.standard_error["az"])


def test_weights():
    y, s = simulated(80, 0.4, 1, 1.2, 2)
    w = np.random.default_rng(0).integers(1, 4, 80)
    whole = cw.binormal(y, s, weight=w, weight_kind="count")
    repeated = cw.binormal(np.repeat(y, w), np.repeat(s, w))
    assert (whole.a, whole.standard_error) == (repeated.a, repeated.standard_error)
    half, double = cw.binormal(y, s, weight=w / 2), cw.binormal(y, s, weight=2 * w)
    assert half.a == pytest.approx(whole.a, abs=1e-6)
    assert half.log_likelihood == pytest.approx(whole.log_likelihood / 2)
    assert half.standard_error == pytest.approx(double.standard_error, rel=1e-6)
    assert half.standard_error["az"] > 1.2 * whole.standard_error["az"]  # 80 rows, not 160
    forgotten = cw.binormal(cw.sweep(y, s, weight=w))
    assert math.isnan(forgotten.standard_error["az"])
    assert forgotten.reason.code == "weighted_sweep_no_interval"
    assert not forgotten.interval("az").has_interval
    turned = cw.binormal(y, -s, higher_is="negative")
    assert turned.a == cw.binormal(y, s).a


def test_a_visible_hook_is_said():
    y, s = simulated(800, 0.5, 0.8, 4, 1)
    fit = cw.binormal(y, s)
    assert fit.curve.hook_visible
    assert any("crosses the chance line at FPR" in str(note) for note in fit.notes)


def test_it_prints_and_travels():
    fit = cw.binormal(RATINGS)
    assert "az    0.9113" in str(fit)
    assert "az" in fit._repr_html_()
    assert json.loads(json.dumps(fit.to_dict()))["hook_visible"] is False
    few = cw.Sweep.from_counts([4, 3, 2, 1], [3, 1, 1, 1], [1, 1, 2, 4])
    assert any("rows of a class" in str(note) for note in cw.binormal(few).notes)


@pytest.mark.parametrize(
    ("pos", "neg", "message"),
    [
        ([5, 0], [0, 5], "every threshold has an FPR or TPR of exactly 0 or 1"),
        ([5, 5, 0], [0, 5, 5], "every threshold has an FPR or TPR of exactly 0 or 1"),
        ([5], [5], "all scores are equal"),
        ([5, 3], [2, 6], "needs more than one threshold"),
        ([24, 5, 4], [0, 40, 9], "does not converge"),  # reached only by a curve of straight lines
        ([1, 0, 5], [11, 31, 9], "does not converge"),
    ],
)
def test_degenerate_rows_get_a_reason(pos, neg, message):
    with pytest.raises(cw.UndefinedMetricError, match=message):
        cw.binormal(cw.Sweep.from_counts(np.arange(len(pos))[::-1], pos, neg))


def test_refusals():
    with pytest.raises(cw.UndefinedMetricError, match="needs both classes"):
        cw.binormal([1, 1], [1, 2])
    with pytest.raises(cw.CurvewiseError, match="score for every positive"):
        cw.binormal(cw.Sweep.from_counts([2, 1], [1, 1], [1, 1], total_positives=3))
    with pytest.raises(cw.CurvewiseError, match="name: expected one of"):
        cw.binormal(RATINGS).interval("auc")


def test_rows_repeated_under_their_cluster_know_no_more():
    y, s = simulated(150, 0.4, 1.2, 1.3, 5)
    ten = np.repeat(np.arange(150), 10)
    once, many = cw.binormal(y, s), cw.binormal(y[ten], s[ten], cluster=ten)
    weighed = cw.binormal(cw.read_rows(y, s, weight=np.full(150, 10)))
    for fit in (many, weighed):
        assert (fit.a, fit.b) == pytest.approx((once.a, once.b), abs=1e-5)
        for name, number in once.estimates.items():
            same = fit.estimates[name]
            assert same.high - same.low == pytest.approx(number.high - number.low, rel=0.05)
            assert same.method == "sandwich"
    assert cw.binormal(y[ten], s[ten]).standard_error["az"] < 0.4 * once.standard_error["az"]


def test_clusters_that_say_nothing_change_little_and_those_that_do_widen():
    rng = np.random.default_rng(6)
    y, s = simulated(600, 0.4, 1.2, 1.3, 6)
    plain = cw.binormal(y, s).standard_error["az"]
    mixed = cw.binormal(y, s, cluster=rng.permutation(600) // 4).standard_error["az"]
    assert mixed == pytest.approx(plain, rel=0.2)
    shift = np.repeat(rng.normal(0, 1, 60), 10)
    together = cw.binormal(rng.permutation(y), s + shift, cluster=np.arange(600) // 10)
    assert together.degrees == 59
    alone = cw.binormal([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1], cluster=[1] * 6)
    assert alone.reason.code == "one_cluster"
    assert "no interval" in str(alone)


def test_scores_of_rows_sum_to_nothing_at_the_maximum():
    from curvewise.signal_detection.likelihood import maximum, row_scores

    y, s = simulated(200, 0.4, 1.2, 1.3, 5)
    found = categories(cw.sweep(y, s))
    best = maximum(found.pos, found.neg)
    of_positive, of_negative = row_scores(best)
    assert of_positive @ found.pos + of_negative @ found.neg == pytest.approx([0, 0], abs=1e-6)
    # the variance of the scores is the information, where the model is right
    apart = (of_positive * found.pos) @ of_positive.T + (of_negative * found.neg) @ of_negative.T
    assert np.diag(apart) == pytest.approx(np.diag(best.information), rel=0.3)

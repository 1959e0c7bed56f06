"""Intervals and tests from one statistic: they agree, stay in range, and move without jumps."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import mannwhitneyu

import curvewise as cw
from curvewise.inference.by_delong import ScoreDifference
from curvewise.inference.pivots import (
    EndsPivot,
    LogitPivot,
    ScorePivot,
    Spread,
    WaldPivot,
    deviate_of,
    expected_of_pairs,
    expected_of_share,
    log_t_tail,
)
from curvewise.metric.registry import every
from registry import given as given_options
from strategies import labelled

OPTIONS = {
    "partial_roc_auc": {"fpr": (0, 0.2), "scale": "mean"},
    "recall_at_fpr": {"fpr": 0.2},
    "sensitivity_at_specificity": {"specificity": 0.8},
    "specificity_at_sensitivity": {"sensitivity": 0.8},
    "precision_at_recall": {"recall": 0.5},
    "recall_at_precision": {"precision": 0.5},
    "top_precision": {"at_fraction": 0.2},
    "top_recall": {"at_fraction": 0.2},
}


def rows(seed=0, n=150):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return y, 1 / (1 + np.exp(-rng.normal(size=n) - y))


def options_of(m):
    return {**given_options(m), **OPTIONS.get(m.name, {}), **({"threshold": 0.5} if m.family == "threshold" else {})}


WITH_INTERVAL = [m for m in every() if m.interval != "none"]


@pytest.mark.parametrize("m", WITH_INTERVAL, ids=lambda m: m.name)
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_a_value_is_rejected_exactly_when_the_interval_excludes_it(m, level):
    y, p = rows()
    how = {**options_of(m), "replicates": 200}
    e = cw.interval(m.name, y, p, level=level, **how)
    little = 1e-3 * (e.high - e.low)
    for end, outward in ((e.low, -little), (e.high, little)):
        if end in (m.low, m.high):
            continue
        inside, outside = (
            cw.compare(y, {"a": p}, metric=m.name, against=end + step, **how).p_value for step in (-outward, outward)
        )
        assert outside < 1 - level <= inside + 1e-9


@pytest.mark.parametrize("m", WITH_INTERVAL, ids=lambda m: m.name)
@pytest.mark.parametrize("extra", ["cluster", "weight"])
def test_every_interval_takes_clusters_and_weights(m, extra):
    y, p = rows(1)
    rng = np.random.default_rng(2)
    more = {"cluster": np.arange(150) % 30} if extra == "cluster" else {"weight": rng.random(150) + 0.5}
    e = cw.interval(m.name, y, p, replicates=100, **more, **options_of(m))
    assert e.has_interval
    assert m.low <= e.low <= e.value <= e.high <= m.high
    assert e.high > e.low


@given(labelled(min_size=6, each=2))
def test_areas_stay_in_range_and_around_their_value(data):
    y, s = data
    for name in ("roc_auc", "average_precision", "gini", "pr_auc"):
        e = cw.interval(name, y, s)
        least = -1 if name == "gini" else 0
        assert least <= e.low <= e.value <= e.high <= 1
        assert e.high - e.low > 0.01  # no rows so few say so much


@pytest.mark.parametrize(("m", "n"), [(3, 3), (4, 4), (5, 20), (5, 500), (10, 10), (10, 500), (20, 20), (500, 10)])
@pytest.mark.parametrize("metric", ["roc_auc", "average_precision"])
def test_no_jump_from_one_pair_lost_to_none(m, n, metric):
    y, perfect = np.repeat([0, 1], [n, m]), np.arange(float(n + m))
    lows = []
    for lost in (0, 1, 2):
        s = perfect.copy()
        s[n] -= lost and lost + 0.5  # the lowest positive falls below so many negatives
        lows.append(cw.interval(metric, y, s).low)
    assert lows[0] >= lows[1] >= lows[2] - 1e-3
    assert lows[0] - lows[1] < 0.2 if min(m, n) < 5 else 0.1


def test_nearly_perfect_average_precision_does_not_collapse():
    y, s = np.repeat([0, 1], 50), np.arange(100.0)
    s[49], s[50] = s[50], s[49]
    e = cw.interval("average_precision", y, s)
    assert e.value == pytest.approx(0.9996, abs=1e-4)
    assert 0.85 < e.low < 0.92
    assert e.high > e.value
    classes = np.eye(3)[np.repeat([0, 1, 2], 30)] + 0.01
    classes[0] = 0.005, 0.5, 0.495
    found = cw.multiclass(np.repeat([0, 1, 2], 30), classes).interval("roc_auc", replicates=200)
    assert 0.8 < found.low < found.value < found.high <= 1


@pytest.mark.parametrize(("m", "n"), [(3, 3), (4, 4), (2, 9), (6, 5), (10, 10)])
def test_perfect_separation_is_tested_exactly(m, n):
    y, s = np.repeat([0, 1], [n, m]), np.arange(n + m)
    found = cw.compare(y, {"a": s})
    exact = mannwhitneyu(s[y == 1], s[y == 0], method="exact").pvalue
    assert found.p_value == pytest.approx(exact)
    for level in (0.8, 0.9, 0.95, 0.99):
        e = cw.interval("roc_auc", y, s, level=level)
        assert (e.low > 0.5) == (found.p_value < 1 - level)
    turned = cw.compare(y, {"a": -s})
    assert turned.p_value == pytest.approx(exact)
    assert turned.difference.low == -0.5


def test_far_from_chance_the_test_is_that_of_ranks_and_no_p_is_0():
    """Mann and Whitney's normal tail, as SciPy has it; p never rises with the AUC; the statistic stays finite."""
    rng = np.random.default_rng(1)
    for m, n in ((100, 100), (20, 380), (1000, 1000)):
        y, noise, last = np.repeat([1, 0], [m, n]), rng.normal(size=m + n), 0.0
        for shift in (0.3, 1, 1.5, 2, 2.5, 3, 4, 9):
            s = (noise + shift * y).round(1)
            for scores, sign in ((s, 1), (-s, -1)):
                found = cw.compare(y, {"a": scores})
                assert found.p_value > 0
                assert last <= sign * found.statistic < 40
            last = found.statistic * sign
            ranks = mannwhitneyu(s[y == 1], s[y == 0], method="asymptotic", use_continuity=False).pvalue
            if 0 < ranks < 1e-13:
                assert found.p_value == pytest.approx(ranks, rel=1e-9)


@pytest.mark.parametrize("shift", [0.5, 1.0, 2.5])
def test_near_and_far_the_interval_agrees_with_the_test_of_chance(shift):
    y = np.repeat([1, 0], [15, 15])
    s = np.random.default_rng(1).normal(size=30) + shift * y
    p = cw.compare(y, {"a": s}).p_value
    for level in (1 - 1.01 * p, 1 - 0.99 * p):
        assert (cw.interval("roc_auc", y, s, level=level).low > 0.5) == (p < 1 - level)


def test_no_p_depends_on_the_order_of_models():
    rng = np.random.default_rng(2)
    for rows, good, bad in ((1000, 3, 0), (20_000, 3, 0), (60, 1, 0.9)):
        y = np.arange(rows) % 2
        a, b = rng.normal(size=rows) + good * y, rng.normal(size=rows) + bad * y
        for metric in ("roc_auc", "average_precision"):
            one, two = (cw.compare(y, models, metric=metric) for models in ({"a": a, "b": b}, {"b": b, "a": a}))
            assert one.p_value == two.p_value > 0
            assert one.statistic == -two.statistic
            assert math.isfinite(one.statistic)


def test_tails_beyond_all_floats():
    """Where p is below 1e-308 its logarithm goes on: of t by its series, without a step, of the normal too."""
    for degrees in (30.0, 500.0, math.inf):
        at = [deviate_of(log_t_tail(t, degrees)) for t in np.linspace(30, 400, 800)]
        assert np.all(np.diff(at) > 0)
        assert np.all(np.abs(np.diff(at, 2)) < 4e-3)
    assert log_t_tail(3.0, 7.0) == pytest.approx(math.log(stats.t.sf(3, 7)))
    series = WaldPivot(60.0, Spread(1.0, 500.0))
    assert -880 < series.log_tail(0) < -500
    assert series.deviate(0) == pytest.approx(32.3, abs=1)


def test_two_models_that_both_separate_are_not_known_to_be_equal():
    y = [1] * 5 + [0] * 5
    a, b = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], [9, 10, 8, 7, 6, 5, 4, 3, 1, 2]
    found = cw.compare(y, {"a": a, "b": b})
    assert (found.difference.value, found.p_value) == (0, 1)
    assert found.difference.low < -0.2 < 0.2 < found.difference.high
    same = cw.compare(y, {"a": a, "b": [10 * v for v in a]})
    assert (same.difference.low, same.difference.high, same.p_value) == (0, 0, 1)
    apart = cw.compare(y, {"a": a, "b": [-v for v in a]})
    assert apart.difference.value == 1
    assert apart.difference.low > 0
    assert 1e-4 < apart.p_value < 0.05


def test_non_inferiority_follows_the_direction_of_the_metric():
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.4
    good, bad = np.where(y, 0.8, 0.2), np.where(y, 0.3, 0.7)
    for metric in ("brier_loss", "log_loss"):
        worse = cw.compare(y, {"bad": bad, "good": good + 0.01 * rng.random(300)}, metric=metric, margin=0.01)
        better = cw.compare(y, {"good": good + 0.01 * rng.random(300), "bad": bad}, metric=metric, margin=0.01)
        assert worse.pairs[0].p_non_inferior > 0.99
        assert better.pairs[0].p_non_inferior < 0.01


def test_numbers_worked_out_by_hand():
    """Wald: 2 ± t·0.5; log: 2·e^(± t·0.25); complement of 1: 1 - 0.5·e^(∓ t·0.2)."""
    t = 2.2281388519649385  # the 97.5 % quantile with 10 degrees of freedom
    spread = Spread(0.25, 10)
    assert WaldPivot(2, spread).ends(0.95) == pytest.approx((2 - t / 2, 2 + t / 2))
    assert WaldPivot(2, spread, "log").ends(0.95) == pytest.approx((2 * math.exp(-t / 4), 2 * math.exp(t / 4)))
    low, high = WaldPivot(0.5, Spread(0.01, 10), "log-complement").ends(0.95)
    assert (low, high) == pytest.approx((1 - 0.5 * math.exp(t / 5), 1 - 0.5 * math.exp(-t / 5)))
    # a share of 10 rows: with V̂ = V₀ the variance at θ is V₀(θ) = 1.2·θ(1-θ)/10, and t has ν₀ + ν = 15 degrees
    expected = expected_of_share(10)
    inside = (0.3 * 10 + 0.5) / 11
    share = ScorePivot(0.3, Spread(expected(inside), 10), expected, 10, 10)
    reach = 2.131449545559323  # t with 15 degrees of freedom
    for end in share.ends(0.95):
        assert abs(0.3 - end) == pytest.approx(reach * math.sqrt(0.12 * end * (1 - end)))
    # binormal with AUC ½: Q - A² = 1/12, so the variance is 1.6·(1/12)(1/4 + 1/6) + (¼ - ⅙)/24
    assert expected_of_pairs(4, 6)(0.5) == pytest.approx(1.6 / 12 * (1 / 4 + 1 / 6) + (1 / 4 - 1 / 6) / 24)


@given(st.floats(0.02, 0.98), st.floats(1, 200), st.floats(1e-5, 0.02))
def test_score_intervals_are_nested_in_level(value, degrees, variance):
    pivot = ScorePivot(value, Spread(variance, degrees), expected_of_pairs(12, 30), 360, 12)
    narrow, wide = pivot.ends(0.8), pivot.ends(0.99)
    assert wide[0] <= narrow[0] <= value <= narrow[1] <= wide[1]


def test_clusters_have_their_degrees_of_freedom():
    rng = np.random.default_rng(4)
    y, s = rng.random(120) < 0.4, rng.normal(size=120)
    plain = cw.interval("average_precision", y, s + y)
    alone = cw.interval("average_precision", y, s + y, cluster=np.arange(120))
    assert alone.low == pytest.approx(plain.low, abs=0.01)
    few = cw.interval("average_precision", y, s + y, cluster=np.arange(120) % 6)
    assert few.notes[0].code == "few_clusters"
    with pytest.raises(cw.UndefinedMetricError, match="clusters"):
        cw.interval("average_precision", y, s, cluster=np.zeros(120))


def test_heavy_weights_are_left_out_one_at_a_time_and_noted():
    y, p = rows(5, 60)
    weight = np.ones(60)
    even = cw.interval("average_precision", y, p, weight=weight)
    plain = cw.interval("average_precision", y, p)
    assert (even.low, even.high) == pytest.approx((plain.low, plain.high))
    area = cw.interval("roc_auc", y, p, weight=weight).standard_error
    assert area == pytest.approx(cw.interval("roc_auc", y, p).standard_error)
    weight[np.flatnonzero(y)[0]] = 12.0
    heavy = cw.interval("roc_auc", y, p, weight=weight)
    variance = 0.0
    for on in (y, ~y):
        here = np.flatnonzero(on)
        left = [cw.roc_auc(np.delete(y, k), np.delete(p, k), weight=np.delete(weight, k)) - heavy.value for k in here]
        variance += (len(here) - 1) / len(here) * np.sum(np.square(left))
    assert heavy.standard_error**2 == pytest.approx(variance)
    assert "heavy_weights" in [n.code for n in heavy.notes]


def test_a_variance_is_averaged_with_a_larger_one_that_was_expected():
    """(5·0.4 + 10·0.1)/15 = 0.2; a smaller one that was expected changes nothing."""
    assert Spread(0.1, 10).no_less_than(0.4).variance == pytest.approx(0.2)
    assert Spread(0.1, 10).no_less_than(0.05).variance == 0.1


KNOWN = Spread(0.01**2, 12.0)
TWO = [ScorePivot(auc, KNOWN, expected_of_pairs(60, 90), 5400.0, 60.0) for auc in (0.8, 0.7)]


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
@pytest.mark.parametrize(
    "pivot",
    [
        WaldPivot(0.2, KNOWN),
        WaldPivot(0.2, KNOWN, "log"),
        WaldPivot(0.2, KNOWN, "log-complement"),
        WaldPivot(3.8, KNOWN, "log-complement", 4.0),
        LogitPivot(0.9, KNOWN, 30.0),
        LogitPivot(1.0, KNOWN, 30.0),
        LogitPivot(0.0, KNOWN, 30.0),
        ScorePivot(0.7, KNOWN, expected_of_share(200), 200.0, 200.0),
        ScorePivot(0.4, KNOWN, expected_of_pairs(60, 90), 5400.0, 60.0, low=-1.0),
        ScoreDifference(0.1, *TWO, Spread(0.01**2, 20.0), paired=True),
        ScoreDifference(0.1, *TWO, Spread(0.03**2, 20.0), paired=False),
        EndsPivot(0.3, lambda level: (0.3 - level / 4, 0.3 + level / 2)),
    ],
    ids=lambda pivot: type(pivot).__name__,
)
def test_each_end_leaves_half_of_the_error_beyond_it(pivot, level):
    """The end is where a one-sided test has just (1 - level)/2; the other tail holds all the rest."""
    low, high = pivot.ends(level)
    assert low < pivot.value or pivot.value == 0
    assert high > pivot.value or pivot.value == 1
    tail = (1 - level) / 2
    if low < pivot.value:
        assert (pivot.p_above(low), pivot.p_below(low)) == pytest.approx((tail, 1 - tail), abs=1e-9)
    if high > pivot.value:
        assert (pivot.p_below(high), pivot.p_above(high)) == pytest.approx((tail, 1 - tail), abs=1e-9)
    assert pivot.p_value(low) == pytest.approx(1 - level) or low == pivot.value


@pytest.mark.parametrize("beyond", [0.0, 1.0])
def test_a_share_of_pairs_is_never_at_an_end_of_its_range(beyond):
    for far in (beyond, 3 * beyond - 1):
        below, above = (1e-12, 1.0) if far > 0.5 else (1.0, 1e-12)
        assert LogitPivot(0.9, KNOWN, 30.0).p_below(far) == pytest.approx(below, abs=1e-11)
        assert LogitPivot(0.9, KNOWN, 30.0).p_above(far) == pytest.approx(above, abs=1e-11)


def test_a_logarithm_has_no_value_at_the_end_of_its_scale():
    for pivot, end in ((WaldPivot(0.2, KNOWN, "log"), 0.0), (WaldPivot(3.8, KNOWN, "log-complement", 4.0), 4.0)):
        for far in (end, 3 * end - 8):
            assert pivot.p_value(far) == 0
            assert pivot.p_below(far) == (0 if far > pivot.value else 1)


def test_rows_that_do_not_vary_say_nothing_about_clusters():
    def pivot(of_rows):
        return ScorePivot(0.7, Spread(0.01, 12.0, of_rows), expected_of_share(200), 200.0, 200.0)

    assert pivot(Spread(0.0, 12.0)).ends(0.95) == pivot(None).ends(0.95)
    low, high = pivot(Spread(0.005, 12.0)).ends(0.95)
    assert (low, high) != pivot(None).ends(0.95)


@pytest.mark.parametrize(("metric", "null"), [("accuracy", 0.55), ("accuracy", 0.7), ("prevalence", 0.6)])
def test_tests_of_a_share_have_the_tail_of_the_score_test_however_small(metric, null):
    rng = np.random.default_rng(0)
    y = rng.random(2000) < 0.4
    score = {"a": rng.normal(size=2000) + 2 * y}
    pair = cw.compare(y, score, metric=metric, against=null, threshold=1.0).pairs[0]
    z = pair.difference.value / (null * (1 - null) / 2000) ** 0.5
    assert pair.statistic == pytest.approx(z)
    assert abs(z) > 12
    assert pair.p_value == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-9, abs=0)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("calibration_slope", (1.6, 1.8, 2)),
        ("calibration_in_the_large", (1.5, 1.6, 1.7)),
        ("observed_expected", (1.1, 1.05, 1)),
    ],
)
def test_tests_of_calibration_have_smaller_p_values_the_farther_the_value(name, values):
    rng = np.random.default_rng(1)
    logit = rng.normal(size=4000)
    y, scores = rng.random(4000) < 1 / (1 + np.exp(-logit - 1)), {"a": 1 / (1 + np.exp(-logit))}
    p_values = [cw.compare(y, scores, metric=name, against=value).p_value for value in values]
    assert 1e-16 > p_values[0] > p_values[1] > p_values[2] > 1e-320

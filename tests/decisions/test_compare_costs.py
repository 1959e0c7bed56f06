"""Models compared by what their decisions cost: by hand, by symmetry, and in every kind of rows."""

import math

import numpy as np
import pytest

import curvewise as cw


def sample(n=800, seed=0, share=0.2):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    common = rng.normal(size=n)
    a, b = (0.6 * common + 0.8 * rng.normal(size=n) + shift * y for shift in (1.8, 1.2))
    return y, {"a": a, "b": b}


def test_values_are_the_corrected_costs_of_the_operating_points():
    y, scores = sample()
    found = cw.compare_costs(y, scores, fp=1, fn=6, replicates=100)
    for name, score in scores.items():
        point = cw.operating_point(y, score, cw.rules.min_cost(fp=1, fn=6), replicates=100)
        assert found.values[name] == point.optimism.goal.corrected.value
    assert found.difference.value == found.values["a"] - found.values["b"]
    assert found.metric == "expected_cost"


def test_the_standard_error_by_hand():
    y, scores = sample()
    costs = {"fp": 3.0, "fn": 18.0}
    found = cw.compare_costs(y, scores, **costs, replicates=100)
    points = {k: cw.operating_point(y, s, cw.rules.min_cost(**costs), replicates=100) for k, s in scores.items()}
    flagged = {k: s >= points[k].threshold for k, s in scores.items()}
    each = {k: np.where(y, 18.0 * ~f, 3.0 * f) for k, f in flagged.items()}
    away, n = each["a"] - each["b"], len(y)
    parts = (away - away.mean()) / n
    plain = sum((parts[on] ** 2).sum() * on.sum() / (on.sum() - 1) for on in (y, ~y))
    share = y.mean()
    added = 2 * ((share * 18 / y.sum()) ** 2 + ((1 - share) * 3 / (~y).sum()) ** 2)
    moved = [points[k].value - points[k].optimism.goal.corrected.value for k in ("a", "b")]
    error = math.sqrt(plain + added + (moved[0] - moved[1]) ** 2)
    assert found.difference.standard_error == pytest.approx(error)
    assert found.pairs[0].statistic == pytest.approx(found.difference.value / error)


def test_a_stated_prevalence_weighs_the_classes():
    y, scores = sample()
    found = cw.compare_costs(y, scores, fp=1, fn=50, prevalence=0.02, replicates=50)
    point = cw.operating_point(y, scores["a"], cw.rules.min_cost(fp=1, fn=50, prevalence=0.02), replicates=50)
    new = point.expected
    expected = 50 * 0.02 * (1 - new["recall"].value) + 0.98 * new["fpr"].value
    assert found.values["a"] == pytest.approx(expected)
    assert found.difference.standard_error > 0


def test_the_interval_excludes_zero_exactly_where_p_is_small():
    y, scores = sample(300, seed=4)
    p = cw.compare_costs(y, scores, fp=1, fn=4, replicates=50).p_value
    for level, inside in ((1 - p * 1.01, False), (1 - p * 0.99, True)):
        gap = cw.compare_costs(y, scores, fp=1, fn=4, replicates=50, level=level).difference
        assert (gap.low <= 0 <= gap.high) == inside


def test_order_margin_and_direction():
    y, scores = sample()
    found = cw.compare_costs(y, scores, fp=1, fn=6, margin=0.05, replicates=50)
    back = cw.compare_costs(y, dict(reversed(scores.items())), fp=1, fn=6, margin=0.05, replicates=50)
    assert back.difference.value == -found.difference.value
    assert back.p_value == pytest.approx(found.p_value)
    one, other = found.pairs[0], back.pairs[0]
    assert found.difference.value < 0  # a is cheaper, so it is not inferior
    assert one.p_non_inferior < 0.05 < other.p_non_inferior
    assert one.p_equivalent == pytest.approx(other.p_equivalent)


def test_clusters_of_repeated_rows_count_once():
    y, scores = sample(300)
    plain = cw.compare_costs(y, scores, fp=1, fn=6, replicates=60)
    times = {k: np.repeat(s, 5) for k, s in scores.items()}
    cluster = np.repeat(np.arange(300), 5)
    found = cw.compare_costs(np.repeat(y, 5), times, fp=1, fn=6, cluster=cluster, replicates=60)
    assert found.difference.standard_error == pytest.approx(plain.difference.standard_error, rel=0.25)
    naive = cw.compare_costs(np.repeat(y, 5), times, fp=1, fn=6, replicates=60)
    assert naive.difference.standard_error < 0.6 * plain.difference.standard_error


def test_weights_scale_away_and_several_models_are_corrected():
    y, scores = sample(400)
    weight = np.random.default_rng(3).uniform(1, 3, 400)
    one = cw.compare_costs(y, scores, fp=1, fn=6, weight=weight, replicates=40)
    ten = cw.compare_costs(y, scores, fp=1, fn=6, weight=10 * weight, replicates=40)
    assert ten.difference.standard_error == pytest.approx(one.difference.standard_error)
    three = {**scores, "c": scores["a"][::-1].copy()}
    found = cw.compare_costs(y, three, fp=1, fn=6, replicates=40)
    assert len(found.pairs) == 3
    assert all(pair.p_holm >= pair.p_value for pair in found.pairs)
    assert all(pair.simultaneous.low <= pair.difference.low for pair in found.pairs)


def test_mistakes_get_one_sentence():
    y, scores = sample(100)
    with pytest.raises(cw.CurvewiseError, match="two models"):
        cw.compare_costs(y, {"a": scores["a"]}, fp=1, fn=6)
    with pytest.raises(cw.CurvewiseError, match="fp above tn"):
        cw.compare_costs(y, scores, fp=0, fn=0)
    with pytest.raises(cw.CurvewiseError, match="unknown option"):
        cw.compare_costs(y, scores, fp=1, fn=6, sample_weight=y)


def test_coverage_in_one_small_setting():
    """Of 120 studies, intervals of 95 % should hold the true difference at the chosen thresholds in most."""
    from statistics import NormalDist

    normal, held = NormalDist(), 0
    for seed in range(120):
        rng = np.random.default_rng(seed)
        y = rng.random(500) < 0.1
        common = rng.normal(size=500)
        shifts = {"a": 1.5, "b": 1.2}
        scores = {k: math.sqrt(0.5) * (common + rng.normal(size=500)) + d * y for k, d in shifts.items()}
        gap = cw.compare_costs(y, scores, fp=1, fn=10, replicates=40, rng=seed).difference
        true = {}
        for k, d in shifts.items():
            cut = cw.operating_point(y, scores[k], cw.rules.min_cost(fp=1, fn=10), replicates=0).threshold
            true[k] = 0.9 * (1 - normal.cdf(cut)) + 10 * 0.1 * normal.cdf(cut - d)
        held += gap.low <= true["a"] - true["b"] <= gap.high
    assert 106 <= held <= 120


def test_clusters_bring_a_quantile_of_t():
    """Six clusters have at most five degrees of freedom: the interval reaches 2.57 standard errors or more."""
    y, scores = sample(120)
    plain = cw.compare_costs(y, scores, fp=1, fn=6, replicates=20).difference
    assert (plain.high - plain.low) / 2 == pytest.approx(1.959964 * plain.standard_error)
    some = cw.compare_costs(y, scores, fp=1, fn=6, replicates=20, cluster=np.arange(120) % 6).difference
    assert (some.high - some.low) / 2 > 2.57 * some.standard_error


def test_the_standard_error_at_a_stated_prevalence_by_hand():
    """Each class has its own mean, and counts with its share: π·18/P and (1 - π)·3/N for what a row changes."""
    y, scores = sample()
    costs, share = {"fp": 3.0, "fn": 18.0, "prevalence": 0.3}, 0.3
    found = cw.compare_costs(y, scores, **costs, replicates=60)
    points = {k: cw.operating_point(y, s, cw.rules.min_cost(**costs), replicates=60) for k, s in scores.items()}
    flagged = {k: s >= points[k].threshold for k, s in scores.items()}
    away = np.where(y, -18.0, 3.0) * (flagged["a"].astype(int) - flagged["b"])
    plain = 0.0
    for on, part in ((y, share), (~y, 1 - share)):
        plain += part**2 * away[on].var(ddof=1) / on.sum()
    added = 2 * ((share * 18 / y.sum()) ** 2 + ((1 - share) * 3 / (~y).sum()) ** 2)
    moved = [points[k].value - points[k].optimism.goal.corrected.value for k in ("a", "b")]
    assert found.difference.standard_error**2 == pytest.approx(plain + added + (moved[0] - moved[1]) ** 2)

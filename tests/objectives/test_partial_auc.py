"""Smooth partial AUC: against every pair visited, against finite differences, limits, invariances, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import curvewise as cw
import pair_oracle as brute
from curvewise.objectives.region import pair_sums, sigmoid, slope
from ring import examples

WINDOWS = {
    "low": {"fpr": 0.05},
    "range": {"fpr": (0.1, 0.45)},
    "two-way": {"fpr": 0.3, "tpr": 0.4},
    "both ranges": {"fpr": (0.2, 0.7), "tpr": (0.1, 0.6)},
    "positives": {"fpr": 1.0, "tpr": (0.25, 1.0)},
    "whole": {"fpr": 1},
    "less than one negative": {"fpr": 0.003},
}
windows = pytest.mark.parametrize("window", WINDOWS.values(), ids=list(WINDOWS))


def ranges(window):
    fpr, tpr = window["fpr"], window.get("tpr")
    return {
        "fpr": fpr if isinstance(fpr, tuple) else (0, fpr),
        "tpr": (0, 1) if tpr is None else tpr if isinstance(tpr, tuple) else (tpr, 1),
    }


def data(seed=0, n=160, decimals=None, weighted=False):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    score = rng.normal(size=n) + y
    if decimals is not None:
        score = np.round(score, decimals)
    return y, score, rng.integers(1, 5, n) / 2 if weighted else None


@windows
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("decimals", [None, 1, 0], ids=["distinct", "ties", "many ties"])
@pytest.mark.parametrize("temperature", [0.01, 0.1, 1.0, 30.0])
def test_value_is_that_of_every_pair_visited(window, weighted, decimals, temperature):
    y, score, weight = data(3, decimals=decimals, weighted=weighted)
    found = cw.objectives.partial_auc(y, score, weight=weight, temperature=temperature, **window)
    expected = brute.value(y, score, weight=weight, temperature=temperature, **ranges(window))
    assert found.value == pytest.approx(expected, abs=1e-13)


def differences(function, score, blocks, step=1e-6):
    """Return central differences of moving each block of equal scores together."""
    moved = [np.where(blocks == b, step, 0.0) for b in range(blocks.max() + 1)]
    return np.array([(function(score + m) - function(score - m)) / (2 * step) for m in moved])


@windows
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("spread", [None, 1.3], ids=["relative", "constant"])
@pytest.mark.parametrize("decimals", [None, 1], ids=["distinct", "ties"])
def test_gradient_is_that_of_finite_differences(window, weighted, spread, decimals):
    y, score, weight = data(5, decimals=decimals, weighted=weighted)
    options = {"temperature": 0.2, "spread": spread, "weight": weight, **window}
    # equal scores of one class move together: alone, they would leave their block
    blocks = np.unique(np.column_stack([score, y]), axis=0, return_inverse=True)[1].ravel()
    found = np.bincount(blocks, cw.objectives.partial_auc(y, score, **options).gradient)
    expected = differences(lambda s: cw.objectives.partial_auc(y, s, **options).value, score, blocks)
    np.testing.assert_allclose(found, expected, atol=3e-9)


@settings(deadline=None, max_examples=examples(60))
@given(st.integers(0, 10**6), st.sampled_from(list(WINDOWS.values())), st.sampled_from([1e-3, 0.1, 3.0]))
def test_gradient_equals_brute_differences_on_any_data(seed, window, temperature):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 25))
    y = rng.permutation(np.arange(n) < rng.integers(1, n))
    score = rng.permutation(n) * 1.7 + rng.random(n) / 4  # no two within a step
    tau = temperature * brute.spread(y, score, np.ones(n))
    expected = differences(
        lambda s: brute.value(y, s, tau=tau, **ranges(window)), score, np.arange(n), step=1e-5 * min(tau, 1)
    )
    found = cw.objectives.partial_auc(y, score, temperature=1.0, spread=tau, **window).gradient
    np.testing.assert_allclose(found * tau, expected * tau, atol=1e-8)


def test_sums_over_pairs_are_exact_for_any_scale():
    rng = np.random.default_rng(1)
    for scale in (1e-9, 1e-3, 1, 30, 1e4, 1e300):
        first, second = np.round(rng.normal(size=40), 1) * scale, np.round(rng.normal(size=50), 1) * scale
        weight, other = rng.random(40), rng.random(50)
        gap = first[:, None] - second
        total, by_first, by_second = pair_sums(first, weight, second, other)
        assert total == pytest.approx(weight @ sigmoid(gap) @ other, rel=1e-14)
        np.testing.assert_allclose(by_first, weight * (slope(gap) @ other), rtol=1e-12, atol=1e-300)
        np.testing.assert_allclose(by_second, -other * (weight @ slope(gap)), rtol=1e-12, atol=1e-300)


def test_sigmoid_is_the_one_documented():
    x = np.linspace(-30, 30, 60001)
    assert np.abs(sigmoid(x) - 1 / (1 + np.exp(-x))).max() < 0.017
    np.testing.assert_allclose(np.gradient(sigmoid(x), x)[1:-1], slope(x)[1:-1], atol=1e-6)
    assert slope(np.zeros(1)) == 0.25
    np.testing.assert_allclose(sigmoid(x) + sigmoid(-x), 1, rtol=1e-15)


def test_auc_is_expected_with_laplace_noise():
    y, score, _ = data(8, n=60)
    rng = np.random.default_rng(0)
    tau = 0.5
    noisy = [cw.roc_auc(y, score + rng.laplace(scale=tau, size=60)) for _ in range(4000)]
    found = cw.objectives.auc(y, score, temperature=tau, spread=1.0).value
    assert found == pytest.approx(np.mean(noisy), abs=4 * np.std(noisy) / np.sqrt(4000))


@windows
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_limit_of_low_temperature_is_partial_roc_auc(window, weighted):
    y, score, weight = data(9, weighted=weighted)
    found = cw.objectives.partial_auc(y, score, weight=weight, temperature=1e-9, **window).value
    assert found == pytest.approx(
        cw.partial_roc_auc(y, score, weight=weight, scale="mean", **ranges(window)), abs=1e-12
    )


def test_limit_with_ties_away_from_the_ends_of_the_range():
    y = [1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0]
    score = [9, 8, 8, 8, 7, 7, 5, 5, 4, 3, 2, 1]
    found = cw.objectives.partial_auc(y, score, fpr=0.375, temperature=1e-9).value
    assert found == pytest.approx(cw.partial_roc_auc(y, score, fpr=(0, 0.375), scale="mean"))


@windows
def test_order_shift_scale_and_prevalence_do_not_matter(window):
    y, score, weight = data(11, decimals=1, weighted=True)
    value, gradient = cw.objectives.partial_auc(y, score, weight=weight, **window)
    order = np.random.default_rng(4).permutation(len(y))
    again = cw.objectives.partial_auc(y[order], score[order], weight=weight[order], **window)
    assert again.value == pytest.approx(value, abs=1e-14)
    np.testing.assert_allclose(again.gradient, gradient[order], atol=1e-13)
    moved = cw.objectives.partial_auc(y, 8 * score - 16, weight=weight, **window)
    assert moved.value == pytest.approx(value, abs=1e-14)
    np.testing.assert_allclose(moved.gradient, gradient / 8, atol=1e-13)
    assert gradient.sum() == pytest.approx(0, abs=1e-13)
    assert gradient @ score == pytest.approx(0, abs=1e-13)
    rarer = cw.objectives.partial_auc(y, score, weight=np.where(y, weight, 7 * weight), **window)
    assert rarer.value == pytest.approx(value, abs=1e-14)


def test_weights_are_repetitions_and_rows_of_weight_zero_have_no_gradient():
    y, score, _ = data(12, n=50, decimals=1)
    times = np.arange(50) % 3
    value, gradient = cw.objectives.partial_auc(y, score, fpr=0.3, weight=times)
    repeated = cw.objectives.partial_auc(np.repeat(y, times), np.repeat(score, times), fpr=0.3)
    assert value == pytest.approx(repeated.value, abs=1e-14)
    assert len(gradient) == 50
    assert not gradient[times == 0].any()
    np.testing.assert_allclose(np.repeat(gradient / np.maximum(times, 1), times), repeated.gradient, atol=1e-14)


def test_negative_direction_labels_and_rows():
    y, score, _ = data(13)
    value, gradient = cw.objectives.partial_auc(y, score)
    turned = cw.objectives.partial_auc(y, -score, higher_is="negative")
    assert turned.value == value
    np.testing.assert_array_equal(turned.gradient, -gradient)
    words = cw.objectives.partial_auc(np.where(y, "ill", "well"), score, positive="ill")
    read = cw.objectives.partial_auc(cw.read_rows(y, score))
    for other in (words, read):
        assert other.value == value
        np.testing.assert_array_equal(other.gradient, gradient)


def test_climbing_the_gradient_raises_the_partial_auc():
    y, score, _ = data(14)
    before = cw.partial_roc_auc(y, score, fpr=(0, 0.1), scale="mean")
    for _ in range(30):
        score = score + 2.0 * cw.objectives.partial_auc(y, score, fpr=0.1).gradient
    assert cw.partial_roc_auc(y, score, fpr=(0, 0.1), scale="mean") > before + 0.1


def test_extreme_scores():
    y = [0, 1, 0, 1, 0]
    plain = cw.objectives.partial_auc(y, [1.0, 2.0, 3.0, 4.0, 5.0], fpr=0.5)
    for scale in (1e-290, 1e290):
        found = cw.objectives.partial_auc(y, np.arange(1, 6) * scale, fpr=0.5)
        assert found.value == pytest.approx(plain.value, rel=1e-12)
        np.testing.assert_allclose(found.gradient * scale, plain.gradient, rtol=1e-10, atol=1e-14)
    whole = cw.objectives.partial_auc(y, [1, 2, 3, 4, 5], fpr=0.5)
    assert whole.value == plain.value


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fpr": 0}, r"fpr: expected a pair \(low, high\)"),
        ({"fpr": 1.2}, "fpr: expected a number from 0 to 1, got 1.2"),
        ({"fpr": (0.3, 0.1)}, "fpr: expected a pair"),
        ({"fpr": "low"}, "fpr: expected a pair"),
        ({"fpr": None}, "fpr: expected a pair"),
        ({"tpr": 1.0}, "tpr: expected a pair"),
        ({"tpr": -0.1}, "tpr: expected a number from 0 to 1"),
        ({"temperature": 0}, "temperature: expected a finite number"),
        ({"temperature": float("nan")}, "temperature: expected a finite number"),
        ({"spread": -1}, "spread: expected a finite number"),
        ({"higher_is": "up"}, "higher_is: expected one of"),
        ({"sample_weight": [1, 1, 1, 1]}, "sample_weight: unknown option of partial_auc; did you mean 'weight'"),
        ({"max_fpr": 0.1}, "did you mean 'fpr'"),
    ],
    ids=lambda v: str(v)[:40],
)
def test_bad_options(options, message):
    with pytest.raises(cw.OptionError, match=message):
        cw.objectives.partial_auc([0, 1, 0, 1], [1, 2, 3, 4], **options)


@pytest.mark.parametrize(
    ("y", "score", "kind", "message"),
    [
        ([0, 0, 0], [1, 2, 3], cw.UndefinedMetricError, "needs both classes: 0 of 3 rows are positive"),
        ([1, 1, 1], [1, 2, 3], cw.UndefinedMetricError, "0 of 3 rows are negative"),
        ([0, 1, 1], [1, np.nan, 3], cw.CurvewiseError, "score has 1 missing value"),
        ([0, 1, 1], [1, np.inf, 3], cw.CurvewiseError, r"got 1 infinite or extreme value \(row 1\)"),
        ([0, 1, 1], [0.1, 0.1, 0.1], cw.UndefinedMetricError, "All 3 scores are equal"),
        ([0, 1, 2], [1, 2, 3], cw.CurvewiseError, "two classes"),
        ([0, 1], [1, 2, 3], cw.CurvewiseError, "equally long"),
    ],
    ids=["no positive", "no negative", "missing", "infinite", "equal", "three classes", "lengths"],
)
def test_bad_data(y, score, kind, message):
    with pytest.raises(kind, match=message):
        cw.objectives.partial_auc(y, score)


def test_equal_scores_have_a_value_with_a_given_spread():
    value, gradient = cw.objectives.partial_auc([0, 0, 1, 1], [7, 7, 7, 7], fpr=0.5, spread=1.0, temperature=1.0)
    assert value == 0.5
    np.testing.assert_allclose(gradient, [-0.125, -0.125, 0.125, 0.125])

"""Risk against coverage: by hand, over all orders of ties, against what large samples show."""

from itertools import pairwise, permutations

import numpy as np
import pytest

import curvewise as cw


def mean_over_orders(wrong, sure):
    """Return the mean over all orders of tied rows of the mean share of errors so far."""
    areas = []
    for order in permutations(range(len(wrong))):
        if all(sure[a] >= sure[b] for a, b in pairwise(order)):
            e = np.array(wrong)[list(order)]
            areas.append(np.mean(np.cumsum(e) / np.arange(1, len(e) + 1)))
    return np.mean(areas)


def test_the_mean_over_all_orders_of_ties():
    rng = np.random.default_rng(0)
    for _ in range(15):
        y, score = rng.integers(0, 2, 6), rng.integers(0, 5, 6) / 4
        found = cw.risk_coverage(y, score)
        wrong, sure = (score >= 0.5) != y, np.abs(score - 0.5)
        area = mean_over_orders(wrong, sure)
        assert found.aurc.value == pytest.approx(area)
        assert found.excess.value == pytest.approx(area - mean_over_orders(np.sort(wrong), np.arange(6)[::-1]))
        assert found.error.value == pytest.approx(wrong.mean())
        assert found.risk[-1] == pytest.approx(wrong.mean())
        assert (found.positives, found.negatives) == (np.sum(~wrong), np.sum(wrong))
        assert list(found.confidence) == sorted(set(sure), reverse=True)


def sample(n, rng, effect=0.0, size=1):
    cluster = np.repeat(np.arange(n // size), size)
    y = (rng.random(n) < 0.4).astype(int)
    noise = np.sqrt(1 - effect**2) * rng.normal(size=n) + effect * rng.normal(size=n // size)[cluster]
    return y, 1 / (1 + np.exp(1 - 1.2 * y - noise)), cluster


def test_intervals_hold_the_truth():
    rng = np.random.default_rng(1)
    truth = cw.risk_coverage(*sample(400_000, rng)[:2])
    for effect, size, most in ((0.0, 1, 150), (0.8, 5, 100)):
        held = {"aurc": 0, "excess": 0, "error": 0}
        for _ in range(most):
            y, score, cluster = sample(200, rng, effect, size)
            found = cw.risk_coverage(y, score, cluster=cluster)
            for name in held:
                estimate = getattr(found, name)
                held[name] += estimate.low <= getattr(truth, name).value <= estimate.high
        assert all(0.88 * most <= number <= most for number in held.values()), (size, held)


def test_weights_clusters_and_direction():
    rng = np.random.default_rng(2)
    y, score, _ = sample(80, rng)
    plain = cw.risk_coverage(y, score)
    twice = cw.risk_coverage(np.repeat(y, 2), np.repeat(score, 2), cluster=np.repeat(np.arange(80), 2))
    assert twice.excess.standard_error == pytest.approx(plain.excess.standard_error, rel=0.02)
    turned = cw.risk_coverage(y, -score, threshold=-0.5, higher_is="negative")
    assert turned.aurc.value == pytest.approx(plain.aurc.value)
    weighted = cw.risk_coverage(y, score, weight=np.full(80, 2.0))
    assert weighted.aurc.value == pytest.approx(plain.aurc.value)
    assert weighted.aurc.low == pytest.approx(plain.aurc.low)
    sweep = cw.risk_coverage(cw.sweep(y, score))
    assert sweep.aurc.value == pytest.approx(plain.aurc.value)
    assert sweep.error.low == pytest.approx(plain.error.low)


def test_many_classes():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 300)
    scores = rng.dirichlet([1, 1, 1], 300) + 0.8 * np.eye(3)[truth]
    scores /= scores.sum(axis=1, keepdims=True)
    found = cw.risk_coverage(truth, scores)
    assert found.to_dict() == cw.risk_coverage(cw.multiclass(truth, scores)).to_dict()
    answer = scores.argmax(axis=1)
    assert found.error.value == pytest.approx(np.mean(answer != truth))
    assert list(found.by_answer) == ["0", "1", "2"]
    one = found.by_answer["1"]
    assert one.error.value == pytest.approx(np.mean(truth[answer == 1] != 1))
    assert one.positives + one.negatives == np.sum(answer == 1)
    two = cw.risk_coverage(truth == 1, {False: 1 - scores[:, 1], True: scores[:, 1]})
    assert two.aurc.value == pytest.approx(cw.risk_coverage(truth == 1, scores[:, 1]).aurc.value)


def test_what_has_no_interval_and_what_is_refused():
    right = cw.risk_coverage([0, 1, 1], [0.1, 0.8, 0.9])
    assert (right.aurc.value, right.excess.value, right.error.value) == (0, 0, 0)
    assert "no interval" in str(right.aurc.reason)
    wrong = cw.risk_coverage([1, 0], [0.1, 0.8])
    assert (wrong.aurc.value, wrong.excess.value) == (1, 0)
    best = cw.risk_coverage([1, 0, 0], [0.9, 0.1, 0.6])
    assert best.excess.value == pytest.approx(0, abs=1e-15)
    with pytest.raises(cw.CurvewiseError, match="y: risk and coverage take outcomes that are known"):
        cw.risk_coverage(cw.horizon([1, 2, 3, 4], [1, 0, 1, 0], [0.9, 0.8, 0.1, 0.2], at=3))
    assert best.plot() is not None


def test_standard_errors_are_those_of_the_jackknife():
    rng = np.random.default_rng(1)
    y = rng.random(300) < 0.4
    score = 1 / (1 + np.exp(-rng.normal(y * 1.2 - 0.6)))
    found = cw.risk_coverage(y, score)
    without = [cw.risk_coverage(np.delete(y, k), np.delete(score, k)) for k in range(len(y))]
    for name in ("aurc", "excess"):
        values = np.array([getattr(one, name).value for one in without])
        error = np.sqrt((len(y) - 1) / len(y) * np.sum((values - values.mean()) ** 2))
        assert getattr(found, name).standard_error == pytest.approx(error, rel=0.03), name

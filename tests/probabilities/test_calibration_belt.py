"""The calibration belt: its test's distribution, its ends by another optimiser, and when it leaves the diagonal."""

import json
import math

import numpy as np
import pytest
from scipy.optimize import brentq, minimize
from scipy.stats import chi2

import curvewise as cw
from curvewise.probabilities.calibration_belt import beyond


def drawn(n=300, seed=0, slope=1.0, shift=0.0, bend=0.0):
    rng = np.random.default_rng(seed)
    odds = rng.normal(-0.5, 1.3, n)
    p = 1 / (1 + np.exp(-odds))
    return rng.random(n) < 1 / (1 + np.exp(-(shift + slope * odds + bend * odds**2))), p


def test_the_distribution_of_the_statistic():
    assert beyond(5.0, 1, 0.95) == pytest.approx(chi2.sf(5, 2))
    # given degree 2, in closed form: Nattino et al. (2014), by integrating over the step above its limit
    k, t = chi2.ppf(0.95, 1), 12.0
    rest = math.exp(-t / 2) * math.sqrt(2 / math.pi) * (math.sqrt(t) - math.sqrt(k))
    assert beyond(t, 2, 0.95) == pytest.approx(1 - (chi2.cdf(t, 1) - 0.95 - rest) / 0.05)
    rng = np.random.default_rng(1)
    for degree in (3, 4):
        steps = chi2.ppf(1 - 0.05 * rng.random((100_000, degree - 1)), 1).sum(axis=1)
        sums = steps + rng.chisquare(2, 100_000)
        for t in (10.0, 16.0, 22.0):
            assert beyond(t, degree, 0.95) == pytest.approx(np.mean(sums > t), abs=0.006)
    assert beyond(0.0, 3, 0.95) == pytest.approx(1)


def test_the_ends_by_another_optimiser():
    y, p = drawn(200, 3, slope=0.7)
    belt = cw.calibration_belt(y, p, levels=[0.95], max_degree=1)
    odds = np.log(p / (1 - p))

    def loss(beta):
        eta = beta[0] + beta[1] * odds
        return float(np.sum(np.logaddexp(0, eta) - y * eta))

    best = minimize(loss, [0, 1], tol=1e-12).fun
    limit = chi2.ppf(0.95, 2)  # degree 1: two degrees of freedom
    fall = {"type": "ineq", "fun": lambda beta: limit / 2 - (loss(beta) - best)}
    for place in (0, 40, 99):
        x = np.array([1, math.log(belt.p[place] / (1 - belt.p[place]))])
        for sign, end in ((1, belt.low), (-1, belt.high)):
            found = minimize(lambda beta, s=sign, x=x: s * x @ beta, [0, 1], constraints=[fall], tol=1e-10)
            assert 1 / (1 + math.exp(-x @ found.x)) == pytest.approx(end[0, place], abs=1e-5)


def test_a_belt_that_leaves_the_diagonal_means_that_the_test_rejects():
    both = 0
    for seed in range(40):
        belt = cw.calibration_belt(*drawn(150, seed, slope=0.7, shift=0.2))
        for level in belt.levels:
            if belt.outside(level):
                assert belt.p_value < 1 - level
        both += bool(belt.outside()) == (belt.p_value < 0.05)
        assert (belt.low <= belt.observed).all()
        assert (belt.observed <= belt.high).all()
        assert (belt.low[1] <= belt.low[0]).all()  # the higher level is the wider one
    assert both >= 38


def test_at_its_own_level_the_belt_touches_the_diagonal():
    y, p = drawn(400, 5, slope=0.7)
    first = cw.calibration_belt(y, p, max_degree=1)
    level = 1 - first.p_value
    just, wider = (cw.calibration_belt(y, p, max_degree=1, levels=[v]) for v in (level, 1 - first.p_value * 0.9))
    inside = np.minimum(just.p - just.low[0], just.high[0] - just.p)
    assert abs(inside.min()) < 1e-3
    assert not wider.outside()


def test_a_bend_raises_the_degree_and_right_probabilities_do_not():
    bent = cw.calibration_belt(*drawn(2000, 1, bend=0.25, shift=-0.4))
    assert bent.degree >= 2
    assert bent.p_value < 1e-4
    assert {side for *_, side in bent.outside()} == {"above", "below"}
    right = [cw.calibration_belt(*drawn(200, seed), levels=[0.95]) for seed in range(60)]
    assert np.mean([b.p_value < 0.05 for b in right]) < 0.13
    assert np.mean([b.degree == 1 for b in right]) > 0.85


def test_what_it_prints_and_holds():
    y, p = drawn(300, 2, shift=1.0)
    belt = cw.calibration_belt(y, p)
    assert belt.levels == (0.8, 0.95)
    assert list(belt.table.columns) == ["p", "observed", "low80", "high80", "low95", "high95"]
    assert "above the diagonal" in str(belt)
    assert (belt.n, belt.positives) == (300, y.sum())
    data = json.loads(json.dumps(belt.to_dict(), allow_nan=False))
    assert data["schema"] == "curvewise.calibration_belt"
    assert len(data["rows"]) == len(belt)
    assert belt.p[0] == pytest.approx(p.min())
    assert belt.p[-1] == pytest.approx(p.max())
    counted = cw.calibration_belt(y, p, weight=np.full(300, 2), weight_kind="count")
    twice = cw.calibration_belt(y.repeat(2), p.repeat(2))
    assert counted.content() == twice.content()
    certain = cw.calibration_belt(np.append(y, True), np.append(p, 1.0))
    assert certain.p_value == belt.p_value
    assert certain.notes[0].code == "certain_rows_left_out"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cluster": np.arange(300) // 3}, "in clusters"),
        ({"weight": np.linspace(1, 2, 300)}, "weighted"),
        ({"levels": []}, "at least one"),
        ({"levels": [1.0]}, "levels: expected"),
        ({"max_degree": 5}, "1 to 4"),
        ({"selection": 0}, "selection: expected"),
    ],
)
def test_what_is_refused(options, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.calibration_belt(*drawn(), **options)


def test_separated_classes_have_no_belt():
    with pytest.raises(cw.UndefinedMetricError, match="separate the classes"):
        cw.calibration_belt([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9])
    with pytest.raises(cw.CurvewiseError, match="level: expected one of"):
        cw.calibration_belt(*drawn()).outside(0.5)


def test_a_belt_cannot_be_changed():
    rng = np.random.default_rng(0)
    p = rng.random(200)
    belt = cw.calibration_belt(rng.random(200) < p, p)
    for name in ("p", "observed", "low", "high"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(belt, name)[0] = 0
    with pytest.raises(cw.CurvewiseError, match="max_degree: expected a whole number of at least 1"):
        cw.calibration_belt(rng.random(200) < p, p, max_degree=0)


def test_the_ends_to_many_digits():
    """Where the likelihood of the best line through a point has fallen by half of the quantile of χ²."""
    y, p = drawn(60, 7, slope=0.8)
    belt = cw.calibration_belt(y, p, levels=[0.95], max_degree=1)
    odds, limit = np.log(p / (1 - p)), chi2.ppf(0.95, 2)

    def through(value, at):
        """Return the log-likelihood of the best line that has this value at log odds ``at``."""

        def push(slope):
            return float(np.sum((y - 1 / (1 + np.exp(-value - slope * (odds - at)))) * (odds - at)))

        eta = value + brentq(push, -50, 50, xtol=1e-14) * (odds - at)
        return float(np.sum(y * eta - np.logaddexp(0, eta)))

    best = _best(y, odds)
    for place in (0, 50, len(belt.p) - 1):
        at = math.log(belt.p[place] / (1 - belt.p[place]))
        for end in (belt.low[0, place], belt.high[0, place]):
            assert 2 * (best - through(math.log(end / (1 - end)), at)) == pytest.approx(limit, abs=1e-8)


def _best(y, odds):
    """Return the log-likelihood of the logistic fit, by Newton's method."""
    x, beta = np.stack([np.ones(len(odds)), odds]), np.zeros(2)
    for _ in range(30):
        chance = 1 / (1 + np.exp(-beta @ x))
        beta = beta + np.linalg.solve((x * chance * (1 - chance)) @ x.T, x @ (y - chance))
    return float(np.sum(y * (beta @ x) - np.logaddexp(0, beta @ x)))

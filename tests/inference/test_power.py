"""Planning: pROC's numbers, consistency, and a simulation of what the formula promises."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

import curvewise as cw

HERE = Path(__file__).parents[1] / "reference"


def pilot(case):
    table = np.genfromtxt(HERE / f"{case}.csv", delimiter=",", names=True)
    reference = json.loads((HERE / "golden.json").read_text())["cases"][case]["a-b"]
    return table["y"], {"a": table["a"], "b": table["b"]}, reference


def test_procs_numbers():
    """PROC 1.18.0: power.roc.test(auc=0.8, power=0.9), and (auc=0.7, ncases=50, ncontrols=50)."""
    assert cw.power(0.7, cases=50, controls=50) == pytest.approx(0.952003513260166, abs=1e-9)
    needed = 16.619199202102
    assert cw.power(0.8, cases=needed, controls=needed) == pytest.approx(0.9, abs=1e-9)
    assert cw.sample_size(0.8, power=0.9) == (17, 17)


@pytest.mark.parametrize("ratio", [0.5, 1, 4])
@pytest.mark.parametrize("other", [None, 0.75])
def test_size_and_power_are_inverse(ratio, other):
    cases, controls = cw.sample_size(0.82, other, power=0.8, ratio=ratio, correlation=0.4)
    assert controls == pytest.approx(cases * ratio, abs=ratio + 1)
    assert cw.power(0.82, other, cases=cases, controls=cases * ratio, correlation=0.4) >= 0.8
    assert cw.power(0.82, other, cases=cases - 1, controls=(cases - 1) * ratio, correlation=0.4) < 0.8


def test_correlated_models_need_fewer_rows():
    assert cw.sample_size(0.85, 0.8, correlation=0.6)[0] < cw.sample_size(0.85, 0.8)[0] / 2


def test_power_by_simulation():
    rng = np.random.default_rng(8)
    y, shift = np.repeat([0, 1], 40), np.sqrt(2) * norm.ppf(0.7)
    found = [cw.compare(y, {"a": rng.normal(size=80) + shift * y}).p_value < 0.05 for _ in range(400)]
    assert np.mean(found) == pytest.approx(cw.power(0.7, cases=40, controls=40), abs=0.05)


@pytest.mark.parametrize("rate", [0.5, 0.9, 0.99])
def test_rows_for_a_rate_are_just_enough(rate):
    n = cw.rate_sample_size(rate, half_width=0.05)

    def half(rows):
        low, high = cw.rate_interval(rate * rows, rows)
        return (high - low) / 2

    assert half(n) <= 0.05 < half(n - 1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cw.sample_size(0.5), "a difference of 0"),
        (lambda: cw.sample_size(0.8, 0.8), "a difference of 0"),
        (lambda: cw.sample_size(1), "auc: expected a number strictly between 0 and 1"),
        (lambda: cw.power(0.8, cases=1, controls=9), "cases: expected"),
        (lambda: cw.sample_size(0.8, 0.7, correlation=2), "correlation: expected"),
        (lambda: cw.sample_size(0.8, power=1), "power: expected"),
        (lambda: cw.rate_sample_size(0.9, half_width=0.7), "half_width: expected"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        call()


def test_power_of_two_models_on_different_rows_by_simulation():
    rng = np.random.default_rng(9)
    y = np.repeat([0, 1], 60)
    shifts = [np.sqrt(2) * norm.ppf(auc) for auc in (0.85, 0.7)]
    found = []
    for _ in range(400):
        a, b = (rng.normal(size=120) + shift * y for shift in shifts)
        found.append(cw.compare({"a": y, "b": y}, {"a": a, "b": b}).p_value < 0.05)
    assert np.mean(found) == pytest.approx(cw.power(0.85, 0.7, cases=60, controls=60), abs=0.08)


@pytest.mark.parametrize("case", ["paired150", "rare2000"])
def test_power_from_a_pilot_is_procs(case):
    """PROC 1.18.0: power.roc.test(roc(y, a), roc(y, b)), from golden.json."""
    y, scores, reference = pilot(case)
    assert cw.pilot_power(y, scores) == pytest.approx(reference["power_two_roc"], abs=1e-9)


def test_power_from_a_pilot_grows_with_the_study():
    y, scores, _ = pilot("paired150")
    small, same, large = (cw.pilot_power(y, scores, cases=k * 49, controls=k * 101) for k in (0.5, 1, 2))
    assert same == pytest.approx(cw.pilot_power(y, scores))
    assert small < same < large
    turned = cw.pilot_power(y, {k: -v for k, v in scores.items()}, higher_is="negative")
    assert turned == pytest.approx(same)


@pytest.mark.parametrize(
    ("scores", "y", "words"),
    [
        ({"a": [1, 2, 3, 4]}, [0, 1, 0, 1], "expected two models"),
        ({"a": [1, 2, 3, 4], "b": [1, 2, 3, 4]}, [0, 1, 0, 1], "a difference of 0"),
        ({"a": [1, 2, 3, 4], "b": [1, 2, 4, 3]}, [0, 0, 0, 1], "at least two cases in the pilot, got 1"),
        ({"a": [1, 2, 3, 4], "b": [1, 2, 4, 3]}, [0, 0, 0, 0], "needs both classes"),
    ],
)
def test_a_pilot_that_tells_nothing(scores, y, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.pilot_power(y, scores)


def test_a_level_is_that_of_an_interval():
    assert cw.power(0.7, cases=50, controls=50, level=0.99) < cw.power(0.7, cases=50, controls=50)
    assert cw.sample_size(0.8, level=0.99) > cw.sample_size(0.8)
    with pytest.raises(TypeError, match="alpha"):
        cw.power(0.7, cases=50, controls=50, alpha=0.05)

"""Planning: stated power against simulated studies, pROC's numbers by name, symmetry, refusals."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal, norm

import curvewise as cw
from curvewise.inference.binormal_variance import auc_covariance, auc_variance, both_below

HERE = Path(__file__).parents[1] / "reference"
areas = st.floats(0.02, 0.98)
pilots = pytest.mark.parametrize("case", ["paired150", "rare2000"])


def pilot(case):
    table = np.genfromtxt(HERE / f"{case}.csv", delimiter=",", names=True)
    reference = json.loads((HERE / "golden.json").read_text())["cases"][case]["a-b"]
    return table["y"], {"a": table["a"], "b": table["b"]}, reference


def study(rng, areas, correlation, cases, controls):
    """Return labels, and normal scores of two models with these AUCs, correlated within each class."""
    y = np.repeat([1, 0], [cases, controls])
    noise = rng.normal(size=(2, len(y)))
    noise[1] = correlation * noise[0] + np.sqrt(1 - correlation**2) * noise[1]
    shift = np.sqrt(2) * norm.ppf(areas)
    return y, {name: noise[k] + shift[k] * y for k, name in enumerate("ab")}


def test_procs_numbers_by_name():
    """PROC 1.18.0: power.roc.test(auc=0.8, power=0.9), and (auc=0.7, ncases=50, ncontrols=50)."""
    proc = {"method": "obuchowski"}
    assert cw.power(0.7, cases=50, controls=50, **proc) == pytest.approx(0.952003513260166, abs=1e-9)
    needed = 16.619199202102
    assert cw.power(0.8, cases=needed, controls=needed, **proc) == pytest.approx(0.9, abs=1e-9)
    assert cw.sample_size(0.8, power=0.9, **proc) == (17, 17)


@given(areas, areas, st.floats(-0.9, 0.9), st.floats(3, 1e4), st.floats(3, 1e4), st.booleans())
def test_the_order_of_the_models_never_matters(first, second, r, cases, controls, of_scores):
    if abs(first - second) < 1e-6:
        return
    size = {"cases": cases, "controls": controls, "score_correlation" if of_scores else "correlation": r}
    there, back = cw.power(first, second, **size), cw.power(second, first, **size)
    assert there == back
    assert 0 <= there <= 1
    assert cw.power(1 - first, 1 - second, **size) == pytest.approx(there, abs=1e-6)


def test_two_models_need_the_same_rows_either_way_round():
    assert cw.sample_size(0.95, 0.85) == cw.sample_size(0.85, 0.95) == (89, 89)
    # the formula of pROC takes the variance of the first model alone for both
    assert cw.sample_size(0.95, 0.85, method="obuchowski")[0] < cw.sample_size(0.85, 0.95, method="obuchowski")[0]


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(-0.99, 0.99))
def test_the_bivariate_normal_distribution_is_scipys(h, k, r):
    assert both_below(h, k, r) == pytest.approx(multivariate_normal([0, 0], [[1, r], [r, 1]]).cdf([h, k]), abs=1e-6)


def test_the_bivariate_normal_distribution_at_its_ends():
    assert both_below(0, 0, 0.5) == pytest.approx(1 / 3, abs=1e-15)  # the largest of three is not the first
    assert both_below(0, 1, 0.3) == pytest.approx(both_below(1, 0, 0.3), abs=1e-15)
    assert both_below(0.4, -1.2, 1) == pytest.approx(norm.cdf(-1.2))
    assert both_below(0.4, -0.1, -1) == pytest.approx(norm.cdf(0.4) - norm.cdf(0.1))
    assert both_below(-1, 0.4, -1) == 0


def test_the_variance_of_an_auc_by_simulation():
    """At AUC 0.5 it is Wilcoxon's, exactly; elsewhere that of 20 000 simulated studies."""
    assert auc_variance(0.5, 7, 13) == pytest.approx(21 / (12 * 7 * 13), rel=1e-12)
    rng = np.random.default_rng(1)
    shift = np.sqrt(2) * norm.ppf([0.9, 0.8])
    noise = rng.normal(size=(2, 20_000, 10))
    noise[1] = 0.6 * noise[0] + 0.8 * noise[1]
    pairs = [(s[:, :4, None] + d > s[:, None, 4:]).mean(axis=(1, 2)) for s, d in zip(noise, shift, strict=True)]
    found = np.cov(pairs)
    for k, auc in enumerate((0.9, 0.8)):
        assert found[k, k] == pytest.approx(auc_variance(auc, 4, 6), rel=0.04)
    assert found[0, 1] == pytest.approx(auc_covariance(0.9, 0.8, 0.6, 4, 6), rel=0.06)


@pytest.mark.parametrize("ratio", [0.5, 1, 4])
@pytest.mark.parametrize("other", [None, 0.75])
@pytest.mark.parametrize("method", ["binormal", "obuchowski"])
def test_size_and_power_are_inverse(ratio, other, method):
    more = {"method": method} | ({} if other is None else {"correlation": 0.4})
    cases, controls = cw.sample_size(0.82, other, power=0.8, ratio=ratio, **more)
    assert controls == int(np.ceil(cases * ratio))
    assert cw.power(0.82, other, cases=cases, controls=cases * ratio, **more) >= 0.8
    assert cw.power(0.82, other, cases=cases - 1, controls=(cases - 1) * ratio, **more) < 0.8


def test_correlated_models_need_fewer_rows():
    assert cw.sample_size(0.85, 0.8, correlation=0.6)[0] < cw.sample_size(0.85, 0.8)[0] / 2
    # the AUCs of scores that correlate by 0.5 correlate a little less
    by_scores = cw.sample_size(0.85, 0.8, score_correlation=0.5)[0]
    assert cw.sample_size(0.85, 0.8, correlation=0.5)[0] < by_scores < cw.sample_size(0.85, 0.8, correlation=0.4)[0]


def test_power_against_chance_by_simulation():
    rng = np.random.default_rng(8)
    y, shift = np.repeat([0, 1], 40), np.sqrt(2) * norm.ppf(0.7)
    found = [cw.compare(y, {"a": rng.normal(size=80) + shift * y}).p_value < 0.05 for _ in range(600)]
    assert np.mean(found) == pytest.approx(cw.power(0.7, cases=40, controls=40), abs=0.04)


@pytest.mark.parametrize(
    ("areas", "correlation", "cases", "controls"),
    [((0.85, 0.7), 0.0, 60, 60), ((0.8, 0.9), 0.5, 40, 160), ((0.95, 0.85), 0.5, 50, 50)],
)
def test_power_of_two_models_by_simulation(areas, correlation, cases, controls):
    """Within the error of 600 studies; 20 000 of each gave 0.02 at most."""
    rng = np.random.default_rng(9)
    found = [cw.compare(*study(rng, areas, correlation, cases, controls)).p_value < 0.05 for _ in range(600)]
    stated = cw.power(*areas, cases=cases, controls=controls, score_correlation=correlation)
    assert np.mean(found) == pytest.approx(stated, abs=0.05)


@pilots
def test_power_from_a_pilot_is_procs_by_name(case):
    """PROC 1.18.0: power.roc.test(roc(y, a), roc(y, b)), from golden.json."""
    y, scores, reference = pilot(case)
    found = cw.pilot_power(y, scores, method="obuchowski")
    assert found == pytest.approx(reference["power_two_roc"], abs=1e-9)


@pilots
def test_power_from_a_pilot_does_not_depend_on_the_order(case):
    y, scores, _ = pilot(case)
    there = cw.pilot_power(y, scores)
    assert there == pytest.approx(cw.pilot_power(y, dict(reversed(scores.items()))), rel=1e-12)
    z = cw.compare(y, scores, method="delong-wald").statistic
    assert there == pytest.approx(norm.cdf(abs(z) - norm.ppf(0.975)), abs=1e-9)


def test_power_from_a_pilot_grows_with_the_study():
    y, scores, _ = pilot("paired150")
    small, same, large = (cw.pilot_power(y, scores, cases=k * 49, controls=k * 101) for k in (0.5, 1, 2))
    assert same == pytest.approx(cw.pilot_power(y, scores))
    assert small < same < large
    turned = cw.pilot_power(y, {k: -v for k, v in scores.items()}, higher_is="negative")
    assert turned == pytest.approx(same)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cw.sample_size(0.5), "a difference of 0"),
        (lambda: cw.sample_size(0.8, 0.8), "a difference of 0"),
        (lambda: cw.sample_size(1), "auc: expected a number strictly between 0 and 1"),
        (lambda: cw.power(0.8, cases=1, controls=9), "cases: expected"),
        (lambda: cw.sample_size(0.8, 0.7, correlation=2), "correlation: expected"),
        (lambda: cw.sample_size(0.8, correlation=0.5), "correlation: one model alone"),
        (lambda: cw.sample_size(0.8, score_correlation=0), "score_correlation: one model alone"),
        (lambda: cw.power(0.8, 0.7, cases=9, controls=9, correlation=0, score_correlation=0), "leave one of them out"),
        (lambda: cw.sample_size(0.8, 0.7, score_correlation=0, method="obuchowski"), "takes correlation"),
        (lambda: cw.sample_size(0.8, 0.2, correlation=1), "no variance"),
        (lambda: cw.sample_size(0.8, 0.2, correlation=1, method="obuchowski"), "no variance"),
        (lambda: cw.sample_size(0.8, 0.8 + 1e-12), "ask for less"),
        (lambda: cw.sample_size(0.8, method="proc"), "method: expected one of"),
        (lambda: cw.sample_size(0.8, power=1), "power: expected"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        call()


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

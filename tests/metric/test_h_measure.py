"""The H-measure: its defining integral, numbers of the hmeasure package, and what interval makes of it."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import beta as beta_distribution

import curvewise as cw
import oracle
from strategies import labelled

# the example of Python's hmeasure 0.1.6, a translation of R's package: y and ranks of y_pred
Y, S = [1, 1, 0, 1, 1, 0, 1, 1, 1, 0], [85, 10, 44, 46, 91, 79, 53, 14, 73, 23]


@pytest.mark.parametrize(
    ("alpha", "beta", "value"),
    [
        (2, 1 / 0.7, 0.18889596344769588),  # h_score(y, s): severity ratio π/(1-π)
        (2, 1 + 1 / 0.7, 0.13502616807120948),  # severity_ratio=0.7
        (1.7, 1.3, 0.18310946512079307),  # severity_ratio=-0.7: Beta(1+π, 2-π)
        (2, 11, 0.001212529211507385),  # severity_ratio=0.1
        (2, 3, 0.10750123502531805),  # severity_ratio=0.5
        (2, 2, 0.1575659189295554),  # severity_ratio=1
    ],
)
def test_hmeasure_package_agrees(alpha, beta, value):
    assert cw.h_measure(Y, S, alpha=alpha, beta=beta) == pytest.approx(value, abs=1e-13)


def by_definition(y, s, alpha, beta):
    """Integrate the least cost over c, trying every threshold at each c."""
    points = np.array([(float(f), float(t)) for f, t in oracle.roc_points(y, s)])
    share = np.mean(y)

    def least(c, roc):
        return np.min(c * (1 - share) * roc[:, 0] + (1 - c) * share * (1 - roc[:, 1]))

    def integral(roc):
        return quad(lambda c: least(c, roc) * beta_distribution.pdf(c, alpha, beta), 0, 1, limit=400)[0]

    return 1 - integral(points) / integral(points[[0, -1]])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("alpha", "beta"), [(2, 2), (1, 1), (3.5, 1.2), (3, 2)])
def test_closed_form_is_the_integral(seed, alpha, beta):
    rng = np.random.default_rng(seed)
    y = np.arange(30) < rng.integers(5, 20)
    s = rng.integers(0, 12, 30) + 3 * y
    assert cw.h_measure(y, s, alpha=alpha, beta=beta) == pytest.approx(by_definition(y, s, alpha, beta), abs=1e-6)


@given(labelled(), st.floats(0.5, 20), st.floats(0.5, 20))
def test_between_nothing_and_all(data, alpha, beta):
    assert -1e-12 <= cw.h_measure(*data, alpha=alpha, beta=beta) <= 1


@given(labelled(), st.floats(0.5, 20), st.floats(0.5, 20))
def test_swapping_classes_swaps_the_costs(data, alpha, beta):
    y, s = data
    swapped = cw.h_measure([not v for v in y], [-v for v in s], alpha=beta, beta=alpha)
    assert swapped == pytest.approx(cw.h_measure(y, s, alpha=alpha, beta=beta), abs=1e-9)


@given(labelled())
def test_uniform_costs_are_the_brier_skill_of_the_fitted_probabilities(data):
    """With Beta(1, 1) the loss is half the Brier score of the isotonic fit: the hull's segments."""
    y, s = data
    hull = cw.roc_hull(y, s)
    pos, neg = np.diff(hull.tpr) * sum(y), np.diff(hull.fpr) * (len(y) - sum(y))
    fitted = pos / (pos + neg)
    brier = np.sum(pos * (1 - fitted) ** 2 + neg * fitted**2) / len(y)
    share = np.mean(y)
    skill = 1 - brier / (share * (1 - share))
    assert cw.h_measure(y, s, alpha=1, beta=1) == pytest.approx(skill, abs=1e-9)


def test_dependence_on_prevalence():
    s = cw.Sweep.from_counts([3, 2, 1], [40, 20, 40], [5, 5, 90])
    assert cw.h_measure(s.at_prevalence(0.02)) != pytest.approx(cw.h_measure(s), abs=0.01)


def test_interval_and_comparison_by_name():
    here = Path(__file__).parents[1] / "reference"
    table = np.genfromtxt(here / "paired150.csv", delimiter=",", names=True)
    found = cw.interval("h_measure", table["y"], table["a"])
    assert found.value == cw.h_measure(table["y"], table["a"])
    assert not found.has_interval  # the hull is chosen on the same rows, and no method is known to hold
    assert found.reason.code == "no_interval_known"
    asked = cw.interval("h_measure", table["y"], table["a"], method="basic", replicates=100)
    assert asked.notes[-1].code == "biased_resamples"
    other = cw.interval("h_measure", table["y"], table["a"], rng=0, replicates=50, alpha=2, beta=5)
    assert other.value == cw.h_measure(table["y"], table["a"], alpha=2, beta=5)
    pair = cw.compare(table["y"], {"a": table["a"], "b": table["b"]}, metric="h_measure", rng=0, replicates=100)
    assert pair.notes[0].code == "biased_resamples"
    assert pair.difference.value == pytest.approx(
        cw.h_measure(table["y"], table["a"]) - cw.h_measure(table["y"], table["b"])
    )
    assert json.dumps(found.to_dict())


def test_refusals():
    for name in ("alpha", "beta"):
        with pytest.raises(cw.CurvewiseError, match=f"{name}: expected a number above 0"):
            cw.h_measure(Y, S, **{name: 0})
        with pytest.raises(cw.CurvewiseError, match=f"{name}: expected a finite number"):
            cw.h_measure(Y, S, **{name: "two"})
    with pytest.raises(cw.CurvewiseError, match="score for every positive"):
        cw.h_measure(cw.Sweep.from_counts([2, 1], [1, 1], [1, 1], total_positives=3))

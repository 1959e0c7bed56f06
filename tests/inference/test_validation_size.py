"""Rows for a validation: published numbers, the widths of real intervals, refusals."""

import math

import numpy as np
import pytest
from scipy.special import expit, ndtri
from scipy.stats import beta

import curvewise as cw
from curvewise.inference.planning.validation_size import of_auc, of_normal

Z = 1.959963984540054


def sizes(*args, **options):
    return {t.criterion: t.n for t in cw.validation_sample_size(*args, **options).targets}


def test_the_example_of_pmvalsampsize():
    """pmvalsampsize 0.2.1 (PyPI), its default of a million draws, and its documented example.

    pmvalsampsize(type="b", prevalence=0.018, cstatistic=0.8, oeciwidth=1, lpnormal=(-5, 2.5)): 905, 4544, 4252.
    lpbeta=(0.5, 0.5): slope 1644. lpcstat=-4.7: slope 17080. The slope varies with its draws; O/E is one row
    more here, as its search for a standard error in steps of 0.0001 ends a little above the width.
    """
    valve = {"prevalence": 0.018, "auc": 0.8, "observed_expected_width": 1}
    normal = sizes(**valve, linear_predictor=(-5, 2.5))
    assert normal["observed_expected"] == 906
    assert normal["roc_auc"] == 4252
    assert normal["calibration_slope"] == pytest.approx(4544, rel=0.005)
    drawn = beta.ppf((np.arange(100_000) + 0.5) / 100_000, 0.5, 0.5)
    assert sizes(**valve, p=drawn)["calibration_slope"] == pytest.approx(1644, rel=0.005)
    assert sizes(**valve)["calibration_slope"] == pytest.approx(17080, rel=0.005)


def test_net_benefit_of_pmvalsampsize():
    """The same with threshold=0.08: sensitivity 0.801, specificity 0.883, net benefit 0.801, 11016 rows."""
    found = cw.validation_sample_size(0.018, 0.8, linear_predictor=(-5, 2.5), threshold=0.08)
    benefit = found.targets[-1]
    assert benefit.n == pytest.approx(11016, rel=0.005)
    hit, clear = of_normal(-5, 2.5, 1, 0).rates(0.08)
    assert (hit, clear) == pytest.approx((0.801, 0.883), abs=0.003)
    # its net benefit of 0.801 is not that of its formula, which subtracts false positives
    assert benefit.value == pytest.approx(hit - (0.982 / 0.018) * (0.08 / 0.92) * (1 - clear))


def test_the_examples_of_riley():
    """Riley et al. (2021), sections 3.1.1, 3.3.1 and 3.4.1, as in the authors' code (G. Collins, 22 May 2021).

    N_OE(phi=0.5, SE_OE=0.051), N_OE(0.1, 0.051) and N_OE(0.1, 0.175): 384, 3460, 294, rounded to the nearest.
    N_C(0.7, 0.1, 0.0255) and N_C(0.8, 0.5, 0.0255): 1154, 302.
    N_nb(sens=0.6, spec=0.88, phi=0.72, pt=0.8, se.nb=0.051): the formula, 546 rows.
    """
    for prevalence, error, n in ((0.5, 0.051, 384), (0.1, 0.051, 3460), (0.1, 0.175, 294)):
        width = 2 * math.sinh(Z * error)
        found = sizes(prevalence, 0.8, observed_expected_width=width)["observed_expected"]
        assert found == pytest.approx(n, abs=1)
    assert sizes(0.1, 0.7, auc_width=2 * Z * 0.0255)["roc_auc"] == pytest.approx(1154, abs=1)
    assert sizes(0.5, 0.8, auc_width=2 * Z * 0.0255)["roc_auc"] == pytest.approx(302, abs=1)
    rates = {"threshold": 0.8, "sensitivity": 0.6, "specificity": 0.88, "net_benefit_width": 2 * Z * 0.051}
    assert sizes(0.72, 0.8, **rates)["standardised_net_benefit"] == pytest.approx(546, abs=1)


@pytest.mark.parametrize(
    ("prevalence", "auc", "error", "n"),
    [(0.057, 0.77, 0.15, 934), (0.1, 0.75, 0.1, 1536)],
)
def test_the_slope_of_pavlou(prevalence, auc, error, n):
    """Sampsizeval 1.0.0.0 (CRAN), its tests and its README: size_calibration_slope.

    Pavlou et al. (2021), eq. 7 and 8, give mean and standard deviation of the log odds from prevalence and AUC.
    """
    v = 2 * ndtri(auc) ** 2
    mean = 0.5 * (2 * prevalence - 1) * v + math.log(prevalence / (1 - prevalence))
    deviation = math.sqrt(v * (1 + prevalence * (1 - prevalence) * v))
    found = sizes(linear_predictor=(mean, deviation), slope_width=2 * Z * error)
    assert found["calibration_slope"] == n


def test_log_odds_from_prevalence_and_auc_have_both():
    for slope, intercept in ((1, 0), (0.7, -0.5)):
        found = of_auc(0.83, 0.07, slope, intercept)
        assert found.prevalence == pytest.approx(0.07, abs=1e-6)
        assert found.auc() == pytest.approx(0.83, abs=1e-6)
    assert cw.validation_sample_size(linear_predictor=(-1.75, 1.47)).prevalence == pytest.approx(0.2187, abs=1e-4)


def test_a_pilot_s_own_probabilities():
    p = [0.1, 0.2, 0.2, 0.4, 0.9]
    found = cw.validation_sample_size(p=p)
    assert found.prevalence == pytest.approx(np.mean(p))
    y, weight = np.repeat([1, 0], 5), [*p, *(1 - np.array(p))]
    assert found.auc == pytest.approx(cw.roc_auc(y, p + p, weight=weight))
    assert not found.notes


@pytest.mark.parametrize(("slope", "intercept"), [(1.0, 0.0), (0.8, 0.3)])
def test_a_study_of_that_size_has_a_slope_that_well_known(slope, intercept):
    rng = np.random.default_rng(2)
    options = {"linear_predictor": (-1, 1.2), "slope_width": 0.4, "slope": slope, "intercept": intercept}
    n = sizes(**options)["calibration_slope"]
    widths = []
    for _ in range(30):
        stated = rng.normal(-1, 1.2, n)
        y = rng.random(n) < expit(intercept + slope * stated)
        found = cw.calibration(y, expit(stated)).slope
        widths.append(found.high - found.low)
    assert np.mean(widths) == pytest.approx(0.4, rel=0.03)


def test_the_criterion_that_needs_most_decides():
    found = cw.validation_sample_size(0.1, 0.8)
    assert found.n == max(t.n for t in found.targets) == 4196
    assert found.events == 420
    assert cw.validation_sample_size(0.1, 0.8, level=0.99).n > found.n
    assert cw.validation_sample_size(0.1, 0.8, slope_width=0.4).n < found.n
    assert "Rows to validate a model: 4196, 420 of them positive" in str(found)


def test_what_does_not_fit_together_is_said():
    codes = [n.code for n in cw.validation_sample_size(0.018, 0.8, linear_predictor=(-5, 2.5)).notes]
    assert codes == ["implied_prevalence", "implied_auc"]
    assert "imply a prevalence of 5.2%" in cw.validation_sample_size(0.018, 0.8, linear_predictor=(-5, 2.5)).notes[
        0
    ].text("en")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "prevalence: expected a number, since neither"),
        ({"prevalence": 0.1}, "auc: expected a number, since neither"),
        ({"prevalence": 0.1, "auc": 0.5}, "auc: expected a number strictly between 0.5 and 1"),
        ({"prevalence": 0, "auc": 0.8}, "prevalence: expected a number strictly between 0 and 1"),
        ({"linear_predictor": (1, 2), "p": [0.1, 0.2]}, "p: it stands in the place of linear_predictor"),
        ({"linear_predictor": 3}, "linear_predictor: expected a pair"),
        ({"linear_predictor": (0, 0)}, "linear_predictor: expected"),
        ({"p": [0.2, 0.2]}, "p: expected different probabilities"),
        ({"p": [0, 0.2, 0.4]}, "p: expected probabilities between 0 and 1, got 1 row of exactly 0 or 1"),
        ({"p": [0.3, 40]}, "expected probabilities from 0 to 1"),
        ({"prevalence": 0.1, "auc": 0.8, "sensitivity": 0.8}, "sensitivity: it needs the threshold"),
        ({"prevalence": 0.1, "auc": 0.8, "threshold": 0.1, "specificity": 0.8}, "both, or neither"),
        ({"prevalence": 0.1, "auc": 0.8, "slope_width": 0}, "slope_width: expected"),
        ({"prevalence": 0.1, "auc": 0.8, "slope": -1}, "slope: expected"),
    ],
)
def test_refusals(options, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.validation_sample_size(**options)


def test_equal_probabilities_are_refused_only_where_all_are_equal():
    with pytest.raises(cw.CurvewiseError, match=r"expected different probabilities, got 0\.2 alone"):
        cw.validation_sample_size(p=[0.2, 0.2, 0.2])
    assert cw.validation_sample_size(p=[0.2, 0.2, 0.5, 0.5, 0.2]).n > 0

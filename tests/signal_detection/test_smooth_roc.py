"""Smooth curves: closed forms of areas and optima, hooks, and the sweep that opens every other verb."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import owens_t
from scipy.stats import norm

import curvewise as cw

ROOT, PARABOLA = cw.AnalyticRoc(np.sqrt), cw.AnalyticRoc(lambda x: 2 * x - x**2)
STEP = cw.AnalyticRoc(lambda x: np.interp(x, [0, 0.1, 1], [0, 0.6, 1]))


def test_areas_in_closed_form():
    assert ROOT.auc == pytest.approx(2 / 3, abs=1e-12)
    assert PARABOLA.auc == pytest.approx(2 / 3, abs=1e-12)
    assert ROOT.partial_auc((0, 0.1)) == pytest.approx(2 / 3 * 0.1**1.5, abs=1e-12)
    assert PARABOLA.partial_auc((0.2, 0.5)) == pytest.approx(0.25 - 0.125 / 3 - 0.04 + 0.008 / 3, abs=1e-12)
    assert STEP.auc == pytest.approx(0.03 + 0.9 * 0.8, abs=1e-9)


@given(st.floats(-2, 3), st.floats(0.3, 3))
def test_binormal_area(a, b):
    curve = cw.BinormalRoc(a, b)
    assert curve.auc == pytest.approx(norm.cdf(a / math.hypot(1, b)), abs=1e-12)
    assert curve.partial_auc((0, 1)) == pytest.approx(curve.auc, abs=1e-10)
    parts = [curve.partial_auc(r) for r in ((0, 0.1), (0.1, 0.6), (0.6, 1))]
    assert sum(parts) == pytest.approx(curve.auc, abs=1e-10)


@given(st.floats(0.2, 3), st.floats(0.4, 2), st.floats(0.05, 0.95))
def test_binormal_partial_area_is_a_bivariate_normal_probability(a, b, limit):
    """P(X ≤ h, Y ≤ k) with correlation -b/√(1+b²), by Owen's function."""
    h, k, r = a / math.hypot(1, b), norm.ppf(limit), -b / math.hypot(1, b)
    if abs(k) < 1e-3:
        return
    root = math.sqrt(1 - r * r)
    both = (
        (norm.cdf(h) + norm.cdf(k)) / 2
        - owens_t(h, (k / h - r) / root)
        - owens_t(k, (h / k - r) / root)
        - (0 if h * k > 0 else 0.5)
    )
    assert cw.BinormalRoc(a, b).partial_auc((0, limit)) == pytest.approx(both, abs=1e-9)


@pytest.mark.parametrize("x", [1e-6, 0.01, 0.3, 0.9, 0.9999])
def test_slopes(x):
    assert ROOT.slope(x) == pytest.approx(0.5 / math.sqrt(x), rel=1e-6)
    assert PARABOLA.slope(x) == pytest.approx(2 - 2 * x, rel=1e-5)
    curve = cw.BinormalRoc(1.2, 0.8)
    z = norm.ppf(x)
    assert curve.slope(x) == pytest.approx(0.8 * norm.pdf(1.2 + 0.8 * z) / norm.pdf(z), rel=1e-9)


@given(st.floats(0.3, 3), st.floats(-2, 2))
def test_optimum_of_equal_variances(d, log_slope):
    """The slope exp(-d·z - d²/2) of the curve is that of equal cost at z = -d/2 - log(slope)/d."""
    fn = math.exp(-log_slope)
    best = cw.BinormalRoc(d).cost_optimum(fp=1, fn=fn, prevalence=0.5)
    assert best.slope == pytest.approx(1 / fn)
    assert best.fpr == pytest.approx(norm.cdf(-d / 2 - log_slope / d), abs=1e-9)
    assert best.cost == pytest.approx((best.fpr + fn * (1 - best.tpr)) / 2)


def test_optimum_at_the_ends_and_with_a_hook():
    assert PARABOLA.cost_optimum(fp=1, fn=5, prevalence=0.05).fpr == 0
    cheap_alarms = PARABOLA.cost_optimum(fp=1e-9, fn=1, prevalence=0.5)
    assert cheap_alarms.fpr == pytest.approx(1, abs=1e-6)
    # a hook has two points of one slope; the cheaper is found, here against a fine grid
    curve = cw.BinormalRoc(0.4, 0.4)
    x = np.linspace(0, 1, 200_001)
    for fn in (0.5, 1, 2, 6):
        cost = 0.5 * x + fn * 0.5 * (1 - curve.tpr(x))
        assert curve.cost_optimum(fp=1, fn=fn, prevalence=0.5).cost == pytest.approx(cost.min(), abs=1e-9)


def test_optimum_at_a_kink():
    best = STEP.cost_optimum(fp=1, fn=10, prevalence=0.1)
    assert (best.fpr, best.cost) == pytest.approx((0.1, 0.49), abs=1e-9)


def test_hooks():
    assert cw.BinormalRoc(1.5).hook is None
    assert not cw.BinormalRoc(1.5).hook_visible
    curve = cw.BinormalRoc(0.5, 0.4)
    assert curve.tpr(curve.hook) == pytest.approx(curve.hook)
    assert curve.hook_visible
    assert curve.tpr(0.95) < 0.95
    assert not cw.BinormalRoc(1.656781, 0.713001).hook_visible
    assert cw.BinormalRoc(0.5, 3).hook == pytest.approx(norm.cdf(-0.25))


@pytest.mark.parametrize("curve", [ROOT, PARABOLA, STEP, cw.BinormalRoc(1.2, 0.8)])
def test_a_sweep_close_to_the_curve(curve):
    s = curve.to_sweep()
    assert cw.roc_auc(s) == pytest.approx(curve.auc, abs=2e-7)
    assert cw.partial_roc_auc(s, fpr=(0, 0.1)) == pytest.approx(curve.partial_auc((0, 0.1)), abs=2e-7)
    assert s.at(1 - 0.1).recall == pytest.approx(curve.tpr(s.at(1 - 0.1).fpr), abs=1e-9)
    best = cw.joint_hull({"curve": s}).best(fp=1, fn=10, prevalence=0.1)
    exact = curve.cost_optimum(fp=1, fn=10, prevalence=0.1)
    assert 0.9 * best.fpr + (1 - best.tpr) == pytest.approx(exact.cost, abs=1e-5)


def test_numbers_in_numbers_out():
    assert isinstance(ROOT.tpr(0.25), float)
    assert ROOT.tpr([0, 0.25, 1]).tolist() == [0, 0.5, 1]
    assert isinstance(cw.BinormalRoc(1).tpr(0.25), float)
    assert cw.BinormalRoc(1).tpr([0, 1]).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cw.AnalyticRoc(3), "expected TPR as a function of FPR"),
        (lambda: cw.AnalyticRoc(lambda x: 2 * x), "within"),
        (lambda: cw.AnalyticRoc(lambda x: 1 - x), "does not fall"),
        (lambda: cw.AnalyticRoc(lambda x: x * np.nan), "within"),
        (lambda: cw.AnalyticRoc(lambda x: 0.5), "one TPR for each FPR"),
        (lambda: cw.BinormalRoc(1, 0), "b: expected a number above 0"),
        (lambda: cw.BinormalRoc("a"), "a: expected a finite number"),
        (lambda: ROOT.slope(0), "fpr: expected a number strictly between 0 and 1"),
        (lambda: ROOT.partial_auc((0.2, 0.1)), "fpr: expected a pair"),
        (lambda: ROOT.cost_optimum(fp=0, fn=1, prevalence=0.5), "fp: expected a cost above 0"),
        (lambda: ROOT.cost_optimum(fp=1, fn=1, prevalence=1), "prevalence: expected"),
        (lambda: ROOT.to_sweep(2), "points: expected a whole number of at least 4"),
    ],
)
def test_refusals(make, message):
    with pytest.raises(cw.CurvewiseError, match=message):
        make()


@pytest.mark.parametrize(
    "curve", [cw.AnalyticRoc(np.sqrt), cw.AnalyticRoc(lambda x: 2 * x - x**2), cw.BinormalRoc(1.5, 0.8)]
)
def test_the_verbs_of_areas_take_a_curve(curve):
    assert cw.roc_auc(curve) == curve.auc
    assert cw.partial_roc_auc(curve, fpr=(0, 0.2)) == pytest.approx(curve.partial_auc((0, 0.2)), abs=1e-12)
    close = curve.to_sweep()
    for region in ({"fpr": (0.1, 0.4)}, {"tpr": (0.5, 1)}, {"fpr": (0, 0.5), "tpr": (0.3, 0.8)}):
        for scale in ("raw", "mean", "mcclish", "skill"):
            smooth = cw.partial_roc_auc(curve, scale=scale, **region)
            assert smooth == pytest.approx(cw.partial_roc_auc(close, scale=scale, **region), abs=1e-6)
    with pytest.raises(cw.CurvewiseError):
        cw.roc_auc(curve, [1, 2])

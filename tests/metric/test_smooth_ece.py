"""SmoothECE: the definition by quadrature, the authors' package, weights."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import curvewise as cw
from curvewise.metric import smooth_ece
from curvewise.metric.smooth_ece import GRID, on_grid, smooth_errors


def by_definition(y, p):
    """Integrate |Σ K(t, p)(y - p)|/n with a Gaussian reflected many times, and solve for the width."""
    t = (np.arange(4000) + 0.5) / 4000

    def error(width):
        away = [2 * k + s * p - t[:, None] for k in range(-3, 4) for s in (1, -1)]
        kernel = sum(np.exp(-((a / width) ** 2) / 2) for a in away) / (width * math.sqrt(2 * math.pi))
        return np.abs(kernel @ (y - p)).sum() / len(p) / len(t)

    return brentq(lambda width: error(width) - width, 1e-3, 1, xtol=1e-9)


@pytest.mark.parametrize("power", [0.7, 1.0, 2.0])
def test_the_definition(power):
    rng = np.random.default_rng(3)
    p = rng.beta(1, 2, 120)
    y = rng.random(120) < p**power
    assert cw.score("smooth_ece", y, p) == pytest.approx(by_definition(y, p), rel=2e-3)


# relplot 1.0.3 (the authors' package), relplot.smECE(p, y): it reads the integral at 200 places, cuts the kernel
# at 0.5 and halves the width ten times, so it is right to about 0.005
K = np.arange(200)
RELPLOT = {
    "sevens": ((K + 0.5) / 200, (K * 7) % 11 < 5, 0.2124331659222747),
    "squared": (np.round(((K + 0.5) / 200) ** 2, 3), (K * 13) % 200 < K + 0.5, 0.17570401239029526),
}


@pytest.mark.parametrize("name", RELPLOT)
def test_the_authors_package(name):
    p, y, wanted = RELPLOT[name]
    assert cw.score("smooth_ece", y, p) == pytest.approx(wanted, abs=0.005)
    assert cw.score("smooth_ece", y, p) == pytest.approx(by_definition(y, p), rel=1e-3)


def test_weights_repeat_rows_and_right_certainties_have_no_error():
    rng = np.random.default_rng(4)
    p = rng.random(80)
    y, weight = rng.random(80) < p, rng.integers(1, 4, 80)
    assert cw.score("smooth_ece", y, p, weight=weight) == pytest.approx(
        cw.score("smooth_ece", y.repeat(weight), p.repeat(weight)), abs=1e-9
    )
    assert cw.score("smece", y, p) == pytest.approx(cw.score("smooth_ece", ~y, 1 - p), abs=1e-9)
    assert cw.score("smooth_ece", [0, 1, 1], [0.0, 1.0, 1.0]) == pytest.approx(0, abs=1e-9)
    # all mass at one place: the residual is smoothed over [0, 1] and keeps its sum
    assert cw.score("smooth_ece", [0, 0], [0.3, 0.3]) == pytest.approx(0.3, abs=1e-6)


@pytest.mark.parametrize("scale", [0.0, 1e-9, 1e-4, 0.003, 0.1, 1.0])
def test_the_width_is_its_own_error_at_any_scale(scale):
    """Lines that are found together, each of another shape: chance, one sign, one cell, and none."""
    mass = np.random.default_rng(5).normal(size=(4, GRID)) * scale / GRID
    mass[1], mass[2, :-1], mass[3] = scale / GRID, 0, 0
    found = smooth_errors(mass)
    assert found[[1, 3]] == pytest.approx([scale, 0], abs=1e-10)
    t = (np.arange(GRID) + 0.5) / GRID
    for line, width in zip(mass[[0, 2]], found[[0, 2]], strict=True):
        if width * GRID < 4:  # narrower than the grid can tell
            assert width <= 1.05 * np.abs(line).sum() + 1e-10
            continue
        kernel = sum(np.exp(-(((2 * k + s * t - t[:, None]) / width) ** 2) / 2) for k in (-1, 0, 1) for s in (1, -1))
        smooth = kernel / (width * math.sqrt(2 * math.pi)) @ line
        assert np.abs(smooth).mean() == pytest.approx(width, rel=1e-6)


def test_few_steps_find_the_width(monkeypatch):
    """Secants gain most of the digits by each step: eight are enough for chance of any scale, and so are sixty."""
    mass = np.random.default_rng(6).normal(size=(40, GRID)) * np.geomspace(1e-3, 1, 40)[:, None] / GRID
    found = smooth_errors(mass)
    monkeypatch.setattr(smooth_ece, "STEPS", 8)
    assert smooth_errors(mass) == pytest.approx(found, abs=1e-9)


def test_residuals_are_shared_by_the_two_nearest_middles():
    """Middles lie at (k + 0.5)/2048: 0 and 1 are beyond the outer ones, 10.75 is a quarter past the one of 10.5."""
    found = on_grid(np.array([0.0, 10.75, 10.75, GRID]) / GRID, np.array([[1.0, 4.0, 8.0, 2.0]]))[0]
    places = np.flatnonzero(found)
    assert dict(zip(places.tolist(), found[places].tolist(), strict=True)) == {0: 1, 10: 9, 11: 3, GRID - 1: 2}


def test_the_first_grid_that_is_fine_enough_gives_the_same(monkeypatch):
    """Widths from finer than the coarsest of three grids can tell to far wider, in one call: each on one grid."""
    mass = np.random.default_rng(7).normal(size=(30, GRID)) * np.geomspace(1e-4, 3, 30)[:, None] / GRID
    whole = smooth_errors(mass)
    assert whole.min() < 4 / 1024
    assert whole.max() > 4 / 256
    shapes, own_width = [], smooth_ece._own_width
    monkeypatch.setattr(
        smooth_ece, "_own_width", lambda waves, close: shapes.append(waves.shape) or own_width(waves, close)
    )
    # the integral over fewer places differs in the fifth digit
    assert smooth_errors(mass, (256, 1024, GRID)) == pytest.approx(whole, rel=3e-4)
    wide, medium = np.count_nonzero(whole >= 4 / 256), np.count_nonzero(whole >= 4 / 1024)
    assert shapes == [(wide, 256), (medium - wide, 1024), (30 - medium, GRID)]


def test_no_residuals_have_no_error_at_all():
    assert smooth_errors(np.zeros((1, GRID))).tolist() == [0]

"""One verdict on probabilities: which sign it names, and that report, caveats and terminal repeat it."""

import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.pages.render import render_html
from curvewise.probabilities.verdict import verdict_of
from curvewise.results.estimate import Estimate


def drawn(n=2000, seed=0, level=0.0, slope=1.0, bend=0.0):
    rng = np.random.default_rng(seed)
    odds = rng.normal(-1, 1.2, n)
    true = level + slope * odds + bend * ((odds + 1) ** 2 - 1.2**2)
    return rng.random(n) < 1 / (1 + np.exp(-true)), 1 / (1 + np.exp(-odds))


@pytest.mark.parametrize(
    ("wrong", "codes"),
    [
        ({"level": -0.6}, {"sign_too_many"}),
        ({"level": 0.6}, {"sign_too_few"}),
        ({"slope": 0.6, "level": -0.35}, {"sign_extreme"}),
        ({"slope": 1.6, "level": 0.35}, {"sign_moderate"}),
        ({"level": 0.8, "slope": 0.6}, {"sign_too_few", "sign_extreme"}),
    ],
)
def test_each_sign(wrong, codes):
    c = cw.calibration(*drawn(**wrong), replicates=0)
    assert {n.code for n in c.signs} == codes
    assert c.verdict.code == "probabilities_off"
    assert all(str(n) in str(c.verdict) for n in c.signs)


def curved(n=3000, seed=1):
    """Return probabilities whose level and slope are right, and whose curve is not."""
    rng = np.random.default_rng(seed)
    p = rng.random(n)
    return rng.random(n) < np.clip(p + 0.12 * np.sin(4 * math.pi * p), 0, 1), p


def test_a_curve_that_level_and_slope_do_not_see():
    y, p = curved()
    c = cw.calibration(y, p, replicates=0)
    assert c.observed_expected.low < 1 < c.observed_expected.high
    assert 0.06 < c.ici < 0.09
    assert c.joint.p_value < 1e-6
    y, p = drawn(4000, 3, bend=0.3)
    c = cw.calibration(y, p, replicates=0)
    found = {n.code for n in c.signs}
    if c.slope.low < 1 < c.slope.high and c.observed_expected.low < 1 < c.observed_expected.high:
        assert found == {"sign_curved"}
    assert c.joint.p_value < 1e-6


def test_no_sign_says_how_much_the_rows_could_show():
    many, few = (cw.calibration(*drawn(n, 4), replicates=0) for n in (20_000, 60))
    assert many.signs == few.signs == ()
    assert many.verdict.code == "no_sign"
    assert few.verdict.code == "no_sign_little_known"
    assert few.verdict.values["slope_low"] == few.slope.low
    assert "but these data would show only a large error of level and slope" in str(few.verdict)
    level, slope = (Estimate("x", 1.0, low, high, 0.95, "wald") for low, high in ((0.98, 1.05), (0.7, 1.4)))
    one = verdict_of((), level, slope, many.joint)
    assert "98 to 105 positives per 100 predicted, slope" in str(one)  # the level is known well
    assert "but these data would show only a large error of the slope" in str(one)
    for c in (many, few):
        assert c.verdict.text("zh") != c.verdict.text("en")
    forgotten = cw.calibration(cw.sweep([0, 1], [0.2, 0.7], weight=[0.5, 0.7]), replicates=0)
    assert forgotten.verdict.code == "probabilities_untested"


def test_the_verdict_follows_the_intervals_and_the_test():
    for seed in range(60):
        c = cw.calibration(*drawn(120, seed, slope=0.8), replicates=0)
        codes = {n.code for n in c.signs}
        assert ("sign_too_many" in codes) == (c.observed_expected.high < 1)
        assert ("sign_extreme" in codes) == (c.slope.high < 1)
        alone = not codes & {"sign_too_many", "sign_too_few", "sign_extreme", "sign_moderate"}
        assert ("sign_curved" in codes) == (alone and c.joint.p_value < 0.05)


@pytest.mark.parametrize("wrong", [False, True])
def test_summary_caveats_section_and_terminal_agree(wrong):
    y, p = curved() if wrong else drawn(3000, 4)
    found = cw.evaluate({"y": y, "m": p}, label="y", scores=["m"], replicates=20)
    verdict = found.models["m"].calibration.verdict
    warned = [n for n in found.notes if n.code == "miscalibrated"]
    assert bool(warned) == bool(found.models["m"].calibration.signs) == wrong
    page = render_html(found)
    assert page.replace("\u00a0", " ").count(str(verdict).split(" (")[0]) >= 2  # in the summary and in the section
    assert str(verdict) in str(found.models["m"].calibration)

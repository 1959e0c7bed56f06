"""Cllr and detection costs: published numbers, numbers by hand, and what they refuse."""

import math

import numpy as np
import pytest
from scipy import stats

import curvewise as cw


def of_ratios(negatives, positives):
    """Return labels and log likelihood ratios, given likelihood ratios of each class."""
    with np.errstate(divide="ignore"):
        scores = np.log(np.concatenate([negatives, positives]).astype(float))
    return np.arange(len(scores)) >= len(negatives), scores


# github.com/NetherlandsForensicInstitute/lir, its tests of cllr and of the isotonic calibrator
@pytest.mark.parametrize(
    ("cllr", "negatives", "positives"),
    [
        (1, [1, 1], [1, 1]),
        (2, [3.0] * 2, [1 / 3.0] * 2),
        (0.4150374992788437, [1 / 3.0] * 2, [3.0] * 2),
        (0.7075187496394219, [1 / 3.0] * 2, [1]),
        (0.507177646488535, [1 / 100.0] * 100, [1]),
        (0.5400680236656377, [1 / 100.0] * 100 + [100], [1]),
        (0.5723134914863265, [1 / 100.0] * 100 + [100] * 2, [1]),
    ],
)
def test_cllr_as_published(cllr, negatives, positives):
    assert cw.score("cllr", *of_ratios(negatives, positives)) == pytest.approx(cllr, rel=1e-12)


def test_isotonic_calibration_leaves_calibrated_ratios_as_they_are():
    for negatives, positives in (([1] * 10, [1] * 10), ([4, 0.25, 0.25, 0.25, 0.25, 1], [4, 4, 4, 4, 0.25, 1])):
        rows = of_ratios(negatives, positives)
        assert cw.score("min_cllr", *rows) == pytest.approx(cw.score("cllr", *rows), rel=1e-12)


def test_the_minimum_is_that_of_the_isotonic_fit():
    rng = np.random.default_rng(2)
    y = rng.random(200) < 0.4
    s = rng.normal(size=200) + y
    share = y.mean()
    p = cw.isotonic(y, s).apply(s)
    with np.errstate(divide="ignore"):
        ratios = p / (1 - p) * (1 - share) / share
        negatives, positives = np.log2(1 + ratios[~y]), np.log2(1 + 1 / ratios[y])
    assert cw.score("min_cllr", y, s) == pytest.approx((negatives.mean() + positives.mean()) / 2, rel=1e-9)
    assert cw.score("min_cllr", y, 5 * s - 3) == pytest.approx(cw.score("min_cllr", y, s), rel=1e-12)


def test_a_large_sample_has_the_cost_of_its_distribution():
    """Scores that are right: means of ±m and a variance of 2m, at the threshold of the prior and at 0."""
    m, n = 2.0, 400_000
    rng = np.random.default_rng(0)
    y = np.arange(n) % 2 == 0
    s = np.where(y, m, -m) + math.sqrt(2 * m) * rng.normal(size=n)
    grid = stats.norm(m, math.sqrt(2 * m))
    cllr = grid.expect(lambda x: np.logaddexp(0, -x) / math.log(2))
    assert cw.score("cllr", y, s) == pytest.approx(cllr, abs=0.005)
    assert cw.score("min_cllr", y, s) == pytest.approx(cllr, abs=0.005)
    for prior, fn in ((0.5, 1), (0.01, 10)):
        at = math.log((1 - prior) / (fn * prior))
        miss, alarm = grid.cdf(at), grid.cdf(-at)  # of a negative the scores are mirrored
        costs = fn * prior * miss + (1 - prior) * alarm
        expected = costs / min(fn * prior, 1 - prior)
        assert cw.score("act_dcf", y, s, prior=prior, fn=fn) == pytest.approx(expected, rel=0.02)
        assert cw.score("min_dcf", y, s, prior=prior, fn=fn) == pytest.approx(expected, rel=0.02)


def test_detection_costs_by_hand():
    """NIST 2008: a miss costs 10, a false alarm 1, one trial in 100 is a target."""
    y, s = [1, 1, 1, 1, 0, 0, 0, 0], [5, 4, 3, -1, 3.5, 0, -2, -4]
    asked = {"prior": 0.01, "fp": 1, "fn": 10}
    # at ln(9.9) = 2.29: one of 4 targets missed, one of 4 others accepted
    assert cw.score("act_dcf", y, s, **asked) == pytest.approx((0.1 / 4 + 0.99 / 4) / 0.1)
    assert cw.score("min_dcf", y, s, **asked) == pytest.approx(0.5)  # at 4: two targets missed
    assert cw.score("min_dcf", y, [0] * 8, **asked) == 1


def test_detection_costs_are_expected_costs():
    rng = np.random.default_rng(3)
    y = rng.random(300) < 0.4
    s = rng.normal(size=300) + 2 * y
    for prior, fp, fn in ((0.02, 1, 10), (0.3, 2, 1)):
        rule = cw.rules.min_cost(fp=fp, fn=fn, prevalence=prior)
        least = cw.operating_point(y, s, rule, replicates=0).value / min(fn * prior, fp * (1 - prior))
        assert cw.score("min_dcf", y, s, prior=prior, fp=fp, fn=fn) == pytest.approx(least, rel=1e-12)
        found = cw.interval("act_dcf", y, s, prior=prior, fp=fp, fn=fn)
        assert cw.score("min_dcf", y, s, prior=prior, fp=fp, fn=fn) <= found.value
        assert found.low < found.value < found.high
        drawn = cw.interval("act_dcf", y, s, prior=prior, fp=fp, fn=fn, method="percentile")
        assert found.high - found.low == pytest.approx(drawn.high - drawn.low, rel=0.25)


def test_what_they_refuse():
    y, s = [0, 0, 1, 1], [-1, 0, 1, -math.inf]
    assert cw.score("cllr", y, s) == math.inf
    with pytest.raises(cw.UndefinedMetricError, match="infinite Cllr"):
        cw.interval("cllr", y, s)
    for name, options in (("cllr", {}), ("act_dcf", {"prior": 0.1})):
        with pytest.raises(cw.CurvewiseError, match="leave out higher_is='negative'"):
            cw.score(name, y, s, higher_is="negative", **options)
    with pytest.raises(cw.CurvewiseError, match="prior: expected a number strictly between 0 and 1"):
        cw.score("min_dcf", y, s, prior=1)
    with pytest.raises(cw.CurvewiseError, match="expected costs above 0 for both mistakes"):
        cw.score("act_dcf", y, s, prior=0.1, fn=0)

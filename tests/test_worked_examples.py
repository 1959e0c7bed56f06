"""The smallest true facts of this field, each recomputed by hand; numbers as in the documentation."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import norm

import curvewise as cw
import oracle

# example 6
POSITIVES = [0.92, 0.85, 0.78, 0.78, 0.71, 0.68, 0.60, 0.55]
NEGATIVES = [0.81, 0.74, 0.74, 0.62, 0.58, 0.52, 0.50, 0.40, 0.30]
RANKED = ([1] * 8 + [0] * 9, POSITIVES + NEGATIVES)

# example 7
WALK = ([1, 1] + [0] * 8, [0.92, 0.40, 0.90, 0.89, 0.88, 0.87, 0.86, 0.85, 0.84, 0.10])


def test_01_precision_and_recall():
    c = cw.Confusion(tp=30, fp=20, fn=20, tn=430)
    assert (c.precision, c.recall) == (0.6, 0.6)


def test_02_always_negative():
    c = cw.confusion([1] * 20 + [0] * 980, [0.0] * 1000, threshold=0.5)
    assert c.accuracy == 0.98
    assert c.kappa == 0
    assert c.balanced_accuracy == 0.5
    assert c.balanced_error == 0.5 == 1 - c.balanced_accuracy
    assert math.isnan(c.precision)
    assert c.recall == 0
    assert c.f1 == 0  # TP = 0 with positives present: 0/20, not 0/0
    nothing = cw.Confusion(tp=0, fp=0, fn=0, tn=10)
    assert math.isnan(nothing.f1)
    assert cw.Confusion(tp=0, fp=0, fn=0, tn=10, zero=0).f1 == 0


def test_03_false_alarms_at_low_prevalence():
    assert cw.Confusion(tp=75, fp=30, fn=25, tn=9870).precision == pytest.approx(0.714286, abs=5e-7)
    assert cw.Confusion(tp=75, fp=90, fn=25, tn=9810).precision == pytest.approx(0.454545, abs=5e-7)
    assert cw.Confusion(tp=75, fp=99, fn=25, tn=9801).fpr == 0.01


def test_04_good_auc_useless_alarms():
    d = math.sqrt(2) * norm.ppf(0.9)
    assert d == pytest.approx(1.8123876, abs=5e-8)
    fpr, tpr = norm.sf(2), norm.sf(2 - d)
    assert (fpr, tpr) == (pytest.approx(0.0227501, abs=5e-8), pytest.approx(0.4255903, abs=5e-8))
    balanced = cw.Sweep.from_counts([2, 0], [tpr, 1 - tpr], [fpr, 1 - fpr])
    assert balanced.at_prevalence(0.001).at(2).precision == pytest.approx(0.0183817, abs=5e-8)


def test_05_micro_f1_is_accuracy():
    rng = np.random.default_rng(5)
    y, guess = rng.integers(0, 4, 200), rng.integers(0, 4, 200)
    cells = [cw.confusion_from_labels(y == k, guess == k) for k in range(4)]
    pooled = cw.Confusion(*(sum(getattr(c, k) for c in cells) for k in ("tp", "fp", "fn", "tn")))
    assert pooled.f1 == pytest.approx((y == guess).mean(), abs=1e-15)
    m = cw.multiclass(y, predicted=guess)
    assert m.f_beta(average="micro") == m.precision("micro") == m.recall("micro") == m.accuracy
    assert m.accuracy == (y == guess).mean()


def test_06_tied_ranking():
    assert cw.roc_auc(*RANKED) == 55 / 72
    assert oracle.auc_by_pairs(*RANKED) == oracle.auc_by_midranks(*RANKED) == Fraction(55, 72)
    assert cw.average_precision(*RANKED) == pytest.approx(0.7679268648018648, abs=1e-15)


def test_07_published_slip():
    assert cw.roc_auc(*WALK) == 9 / 16
    for way in (oracle.auc_by_area, oracle.auc_by_pairs, oracle.auc_by_midranks):
        assert way(*WALK) == Fraction(9, 16)
    assert cw.average_precision(*WALK) == pytest.approx((1 + 2 / 9) / 2, abs=1e-15)


def test_08_constant_score_in_any_order():
    y = np.array([1, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    for seed in range(5):
        shuffled = np.random.default_rng(seed).permutation(y)
        assert cw.roc_auc(shuffled, [3] * 10) == 0.5
        assert cw.average_precision(shuffled, [3] * 10) == 0.2


def test_09_tie_policies():
    tied = ([1, 0, 1, 0], [1, 1, 1, 1])
    values = {t: cw.average_precision(*tied, ties=t) for t in ("block", "expected", "optimistic", "pessimistic")}
    assert values == {
        "block": 0.5,
        "expected": pytest.approx(0.6805556, abs=5e-8),
        "optimistic": 1.0,
        "pessimistic": pytest.approx((1 / 3 + 2 / 4) / 2, abs=1e-15),
    }
    # block <= optimistic is no law: nine negatives, then nine tied positives
    late = ([0] * 9 + [1] * 9, [2] * 9 + [1] * 9)
    assert cw.average_precision(*late, ties="block") == 0.5
    assert cw.average_precision(*late, ties="optimistic") < 0.4


def test_10_ten_times_the_negatives():
    y, s = np.array(RANKED[0]), np.array(RANKED[1])
    times = np.where(y == 1, 1, 10)
    one, ten = cw.sweep(y, s), cw.sweep(np.repeat(y, times), np.repeat(s, times))
    assert np.array_equal(cw.roc_curve(one).fpr, cw.roc_curve(ten).fpr)
    assert np.array_equal(cw.roc_curve(one).tpr, cw.roc_curve(ten).tpr)
    assert cw.roc_auc(one) == cw.roc_auc(ten)
    assert cw.average_precision(ten) < cw.average_precision(one)
    roc, pr, share = cw.roc_curve(ten), cw.pr_curve(ten), ten.prevalence
    expected = share * roc.tpr[1:] / (share * roc.tpr[1:] + (1 - share) * roc.fpr[1:])
    assert pr.precision == pytest.approx(expected, abs=1e-15)


def test_11_rising_transform():
    y, s = RANKED
    stretched = np.exp(5 * np.array(s))
    for metric in (cw.roc_auc, cw.average_precision, cw.pr_auc):
        assert metric(y, s) == metric(y, stretched)
    assert cw.partial_roc_auc(y, s, fpr=(0, 0.3)) == cw.partial_roc_auc(y, stretched, fpr=(0, 0.3))
    for loss in (cw.brier_loss, cw.log_loss):
        assert loss(y, s) != loss(y, np.square(s))


def test_12_interpolating_counts():
    s = cw.Sweep.from_counts([2, 1], [6, 2], [0, 2], total_positives=10)
    assert cw.pr_curve(s).precision.tolist() == [1.0, 0.8]
    assert cw.pr_curve(s).precision_at(0.7) == 0.875


def test_13_trapezoid_is_optimistic():
    assert cw.pr_auc([0, 1], [1, 1], interpolation="trapezoid") == 0.75
    assert cw.pr_auc([0, 1], [1, 1]) == 0.5


def test_14_partial_area_and_its_scales():
    s = cw.Sweep.from_counts([3, 2, 1], [40, 20, 40], [5, 5, 90])
    value = {k: cw.partial_roc_auc(s, fpr=(0, 0.1), scale=k) for k in ("raw", "mean", "mcclish", "skill")}
    assert value["raw"] == pytest.approx(0.035, abs=1e-15)
    assert value["mean"] == pytest.approx(0.35, abs=1e-15)
    assert value["mcclish"] == pytest.approx(0.657895, abs=5e-7)
    assert value["skill"] == pytest.approx(0.315789, abs=5e-7)


def test_15_mean_sensitivity():
    # one point (0, 0.302), then a straight line to (0.1, 1): a mean height of 0.651 over [0, 0.1]
    s = cw.Sweep.from_counts([3, 2, 1], [302, 698, 0], [0, 100, 900])
    assert cw.partial_roc_auc(s, fpr=(0, 0.1)) == pytest.approx(0.0651, abs=1e-15)
    assert cw.partial_roc_auc(s, fpr=(0, 0.1), scale="mean") == pytest.approx(0.651, abs=1e-15)


def test_16_equal_area_different_start():
    diagonal = cw.Sweep.from_counts([1], [1000], [1000])
    # below the diagonal at first, above it later, so that the whole area is again one half
    bent = cw.Sweep.from_counts([3, 2, 1], [72, 856, 72], [200, 600, 200])
    assert cw.roc_auc(diagonal) == cw.roc_auc(bent) == 0.5
    assert cw.partial_roc_auc(diagonal, fpr=(0, 0.2)) == pytest.approx(0.02, abs=1e-15)
    assert cw.partial_roc_auc(bent, fpr=(0, 0.2)) == pytest.approx(0.0072, abs=1e-15)


def test_17_slope_and_18_equal_areas_different_decisions():
    root, parabola = cw.AnalyticRoc(np.sqrt), cw.AnalyticRoc(lambda x: 2 * x - x**2)
    assert root.cost_optimum(fp=5_000, fn=50_000, prevalence=0.01).slope == pytest.approx(9.9)
    assert root.auc == pytest.approx(2 / 3, abs=1e-12)
    assert parabola.auc == pytest.approx(2 / 3, abs=1e-12)
    for fp, fn, share, cheapest in (
        (1, 10, 0.1, ((0.308642, 0.722222), (0.55, 0.6975))),
        (1, 5, 0.05, ((0.017313, 0.233553), (0, 0.25))),
        (1, 1, 0.5, ((0.25, 0.375), (0.5, 0.375))),
    ):
        for curve, (fpr, cost) in zip((root, parabola), cheapest, strict=True):
            best = curve.cost_optimum(fp=fp, fn=fn, prevalence=share)
            assert (best.fpr, best.cost) == pytest.approx((fpr, cost), abs=5e-7)


def test_19_treating_everyone():
    rows = cw.decision_curve([1] * 14 + [0] * 86, [0.5] * 100, thresholds=[0.2])
    assert rows.treat_all[0] == pytest.approx(-0.075, abs=1e-15)
    assert rows.net_benefit[0] == pytest.approx(-0.075, abs=1e-15)


def test_17_and_19_costs_at_a_threshold():
    # the slope itself belongs to decisions; its parts are read from a confusion table
    treat_all = cw.Confusion(tp=14, fp=86, fn=0, tn=0)
    assert treat_all.net_benefit(0.2) == pytest.approx(-0.075, abs=1e-15)
    cheap = cw.Confusion(tp=1, fp=0, fn=1, tn=98)
    assert cheap.expected_cost(fp=5_000, fn=50_000) == 500


def test_04_and_17_to_19_decisions():
    assert cw.iso_cost_slope(fp=5_000, fn=50_000, prevalence=0.01) == pytest.approx(9.9, abs=1e-12)
    d = math.sqrt(2) * norm.ppf(0.9)
    balanced = cw.Sweep.from_counts([2, 0], [norm.sf(2 - d), norm.cdf(2 - d)], [norm.sf(2), norm.cdf(2)])
    table = cw.ppv_npv(balanced, threshold=2, prevalence=[0.001])
    assert table.table.columns["ppv"] == [pytest.approx(0.0183817, abs=5e-8)]
    # a useless score: treating everyone has a net benefit of -0.075, so nobody is flagged
    useless = cw.Sweep.from_counts([1], [14], [86])
    assert useless.at(1).net_benefit(0.2) == pytest.approx(-0.075, abs=1e-15)
    point = cw.operating_point(useless, rule=cw.rules.max_net_benefit(0.2), replicates=0)
    assert (point.threshold, point.value) == (math.inf, 0)


@pytest.mark.parametrize(
    ("fp", "fn", "prevalence", "root", "parabola"),
    [
        (1, 10, 0.1, (0.308642, 0.722222), (0.55, 0.6975)),
        (1, 5, 0.05, (0.017313, 0.233553), (0, 0.25)),
        (1, 1, 0.5, (0.25, 0.375), (0.5, 0.375)),
    ],
)
def test_18_equal_area_different_decisions(fp, fn, prevalence, root, parabola):
    fpr = np.linspace(0, 1, 200_001)
    rule = cw.rules.min_cost(fp=fp, fn=fn, prevalence=prevalence)
    for tpr, (where, cost) in ((np.sqrt(fpr), root), (2 * fpr - fpr**2, parabola)):
        s = cw.Sweep.from_counts(-fpr[1:], np.diff(tpr), np.diff(fpr))
        assert cw.roc_auc(s) == pytest.approx(2 / 3, abs=1e-6)
        point = cw.operating_point(s, rule=rule, replicates=0)
        assert point.confusion.fpr == pytest.approx(where, abs=6e-6)
        assert point.value == pytest.approx(cost, abs=1e-6)
        found = cw.expected_cost(s, threshold=point.threshold, fp=fp, fn=fn, prevalence=prevalence)
        assert found == pytest.approx(point.value, abs=1e-12)


def test_20_areas_of_normal_scores():
    assert cw.BinormalRoc(a=1).auc == pytest.approx(0.7602499389, abs=5e-11)
    assert cw.BinormalRoc(a=2).auc == pytest.approx(0.9213503965, abs=5e-11)
    assert float(cw.d_prime(auc=0.7602499389)) == pytest.approx(1, abs=1e-9)
    unequal = cw.BinormalRoc(a=(1.5 - 0) / 2, b=1 / 2)
    assert unequal.auc == pytest.approx(0.7488325228, abs=5e-11)


def test_21_binormal_ratings():
    s = cw.Sweep.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
    fit = cw.binormal(s)
    assert (fit.a, fit.b) == pytest.approx((1.656781, 0.713001), abs=2e-6)
    assert (fit.az, fit.d_a) == pytest.approx((0.911331, 1.90777), abs=5e-6)
    assert cw.interval("roc_auc", s).standard_error == pytest.approx(0.0307244083794, abs=1e-12)


def test_21_ratings():
    s = cw.Sweep.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
    assert cw.roc_auc(s) == pytest.approx(0.893171061528, abs=5e-13)


def test_22_the_same_ranking_with_worse_probabilities():
    p = np.arange(1, 10) / 10  # of 100 rows that were given p, 100p are positive
    right, squared = (cw.Sweep.from_counts(v, range(10, 100, 10), range(90, 0, -10)) for v in (p, p**2))
    assert cw.roc_auc(right) == cw.roc_auc(squared)
    assert np.array_equal(cw.roc_curve(right).tpr, cw.roc_curve(squared).tpr)
    assert cw.brier_loss(right) == pytest.approx(np.mean(p * (1 - p)), abs=1e-15)
    assert cw.brier_loss(squared) == pytest.approx(np.mean(p * (1 - p) + (p - p**2) ** 2), abs=1e-15)
    assert cw.log_loss(squared) > cw.log_loss(right) + 0.1
    told = cw.reliability(squared, rng=0)
    where = told.p == 0.8**2
    assert told.observed[where] == 0.8
    assert told.high[where] < 0.8
    assert cw.decompose(right).miscalibration == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize(
    ("loss", "parts"),
    [
        ("brier", (0.1016667, 0.125, 0.25, 0.2266667)),
        ("log", (0.3237327, 0.3182571, 0.6931472, 0.6986228)),
    ],
)
def test_23_a_loss_taken_apart(loss, parts):
    d = cw.decompose([0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9], loss=loss)
    found = (d.miscalibration, d.discrimination, d.uncertainty, d.score)
    assert found == pytest.approx(parts, abs=5e-8)


def test_24_and_25_detection_conventions():
    found = cw.Sweep.from_counts([0.9, 0.8], [1, 1], [0, 0], total_positives=3)
    assert cw.pr_auc(found, interpolation="envelope") == pytest.approx(2 / 3, abs=1e-15)
    assert cw.pr_auc(found, interpolation="101-point") == pytest.approx(67 / 101, abs=1e-15)
    assert cw.average_precision(found) == pytest.approx(2 / 3, abs=1e-15)
    assert np.mean([0.8, 0.7, 0.6]) == pytest.approx(0.7)


def test_thresholds_fall_in_every_example():
    for y, s in (RANKED, WALK):
        assert all(a > b for a, b in pairwise(cw.sweep(y, s).threshold))

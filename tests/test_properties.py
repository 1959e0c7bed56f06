"""Laws that hold for any data: against exact fractions, and of sweeps, curves and areas among themselves."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

import curvewise as cw
import oracle
from strategies import labelled, shares


@given(labelled())
def test_three_ways_to_auc_agree_exactly(data):
    exact = oracle.auc_by_area(*data)
    assert exact == oracle.auc_by_pairs(*data) == oracle.auc_by_midranks(*data)
    assert cw.roc_auc(*data) == float(exact)
    assert cw.roc_auc(cw.sweep(*data)) == float(exact)


@given(labelled())
def test_swapping_labels_turns_auc_round(data):
    y, s = data
    assert oracle.auc_by_area([not v for v in y], s) == 1 - oracle.auc_by_area(y, s)
    assert cw.roc_auc([not v for v in y], s) == pytest.approx(1 - cw.roc_auc(y, s), abs=1e-15)


@given(labelled())
def test_sweep_counts_by_brute_force(data):
    y, s = np.array(data[0]), np.array(data[1])
    sweep = cw.sweep(y, s)
    assert sweep.threshold.tolist() == sorted(set(s.tolist()), reverse=True)
    for t, tp, fp in zip(sweep.threshold, sweep.tp, sweep.fp, strict=True):
        assert (tp, fp) == (np.sum(y & (s >= t)), np.sum(~y & (s >= t)))
        c = sweep.at(t)
        assert (c.tp, c.fp, c.fn, c.tn) == (tp, fp, y.sum() - tp, (~y).sum() - fp)
        assert c == cw.confusion(y, s, threshold=t)


@given(labelled(), st.integers(1, 23))
def test_merged_is_whole(data, cut):
    y, s = data
    cut = min(cut, len(y) - 1)
    whole = cw.sweep(y, s)
    parts = [cw.sweep(y[:cut], s[:cut]), cw.sweep(y[cut:], s[cut:])]
    assert parts[0] + parts[1] == parts[1] + parts[0] == sum(parts) == whole
    assert (parts[0] + parts[1]).tp.dtype == whole.tp.dtype


@given(labelled(), st.floats(0.01, 0.99))
def test_prevalence_formula(data, share):
    sweep = cw.sweep(*data)
    moved, roc = sweep.at_prevalence(share), cw.roc_curve(sweep)
    assert moved.prevalence == pytest.approx(share, rel=1e-12)
    expected = share * roc.tpr[1:] / (share * roc.tpr[1:] + (1 - share) * roc.fpr[1:])
    assert cw.pr_curve(moved).precision == pytest.approx(expected, abs=1e-12)
    assert cw.roc_curve(moved).tpr == pytest.approx(roc.tpr, abs=1e-12)
    assert moved.at_prevalence(sweep.prevalence).tp == pytest.approx(sweep.tp.astype(float), rel=1e-12)


@given(labelled())
def test_hull_is_the_oracles_and_dominates(data):
    sweep = cw.sweep(*data)
    hull, roc = cw.roc_hull(sweep), cw.roc_curve(sweep)
    exact = oracle.hull(oracle.roc_points(*data))
    assert list(zip(hull.fpr, hull.tpr, strict=True)) == [(float(x), float(y)) for x, y in exact]
    assert (np.diff(hull.slope) < 0).all()
    assert (np.interp(roc.fpr, hull.fpr, hull.tpr) >= roc.tpr - 1e-12).all()
    assert hull.auc >= cw.roc_auc(sweep)
    assert sorted([*hull.block[1:], *hull.skipped]) == list(range(len(sweep.threshold)))
    assert hull.threshold[1:].tolist() == sweep.threshold[hull.block[1:]].tolist()


@given(labelled(), shares, shares, shares, shares)
def test_partial_area_is_the_oracles(data, a, b, c, d):
    a, b, c, d = *sorted((a, b)), *sorted((c, d))
    if a == b or c == d:
        return
    exact = oracle.partial_area(oracle.roc_points(*data), a, b, c, d)
    assert cw.partial_roc_auc(*data, fpr=(a, b), tpr=(c, d)) == pytest.approx(float(exact), abs=1e-13)


@given(labelled(), st.integers(1, 19))
def test_partial_areas_add_up(data, middle):
    sweep, cut = cw.sweep(*data), middle / 20
    whole = cw.roc_auc(sweep)
    assert cw.partial_roc_auc(sweep) == pytest.approx(whole, abs=1e-14)
    for axis in ("fpr", "tpr"):
        parts = [cw.partial_roc_auc(sweep, **{axis: r}) for r in ((0, cut), (cut, 1))]
        assert sum(parts) == pytest.approx(whole, abs=1e-14)
    quarters = [cw.partial_roc_auc(sweep, fpr=f, tpr=t) for f in ((0, cut), (cut, 1)) for t in ((0, cut), (cut, 1))]
    assert sum(quarters) == pytest.approx(whole, abs=1e-14)


@given(labelled(max_size=7))
def test_average_precision_over_all_tie_orders(data):
    low, mean, high = oracle.average_precision_orders(*data)
    found = [cw.average_precision(*data, ties=t) for t in ("pessimistic", "expected", "optimistic")]
    assert found == pytest.approx([float(low), float(mean), float(high)], abs=1e-14)
    assert cw.average_precision(*data) == pytest.approx(float(oracle.average_precision_block(*data)), abs=1e-15)


@given(labelled())
def test_pessimistic_expected_optimistic(data):
    low, mean, high = (cw.average_precision(*data, ties=t) for t in ("pessimistic", "expected", "optimistic"))
    assert low <= mean + 1e-15
    assert mean <= high + 1e-15


@given(labelled(), shares, shares)
def test_continuous_pr_area_is_the_integral_of_interpolated_precision(data, low, high):
    low, high = sorted((low, high))
    if low == high:
        return
    sweep = cw.sweep(*data)
    curve = cw.pr_curve(sweep)
    joints = [r for r in curve.recall if low < r < high]
    edges = [low, *joints, high]
    area = sum(quad(curve.precision_at, a, b)[0] for a, b in itertools.pairwise(edges))
    assert cw.pr_auc(sweep, recall=(low, high)) == pytest.approx(area, abs=1e-7)


@given(labelled(), st.integers(1, 19), st.sampled_from(["continuous", "step", "trapezoid", "envelope"]))
def test_pr_areas_add_up_over_recall(data, middle, way):
    parts = [cw.pr_auc(*data, interpolation=way, recall=r) for r in ((0, middle / 20), (middle / 20, 1))]
    assert sum(parts) == pytest.approx(cw.pr_auc(*data, interpolation=way), abs=1e-14)


@given(labelled())
def test_no_ranking_falls_below_the_least_pr_area(data):
    sweep = cw.sweep(*data)
    for low, high in ((0, 1), (0.3, 0.8)):
        levels = cw.pr_auc_levels(sweep.prevalence, recall=(low, high))
        assert levels.least <= cw.pr_auc(sweep, recall=(low, high)) + 1e-14
        worst = cw.pr_auc(data[0], [-v for v in np.array(data[0]).astype(int)], recall=(low, high))
        assert worst == pytest.approx(levels.least, abs=1e-14)


@given(labelled())
def test_pr_gain_points_follow_the_definition(data):
    sweep = cw.sweep(*data)
    curve, share = cw.pr_gain_curve(sweep), Fraction(int(sweep.positives), int(sweep.n))
    above = sweep.tp > float(share * int(sweep.positives))
    for tp, fp, recall_gain, precision_gain in zip(
        sweep.tp[above].tolist(),
        sweep.fp[above].tolist(),
        curve.recall_gain[-above.sum() :],
        curve.precision_gain[-above.sum() :],
        strict=True,
    ):
        precision, recall = Fraction(tp, tp + fp), Fraction(tp, int(sweep.positives))
        assert precision_gain == pytest.approx(float((precision - share) / ((1 - share) * precision)), abs=1e-12)
        assert recall_gain == pytest.approx(float((recall - share) / ((1 - share) * recall)), abs=1e-12)
    assert curve.recall_gain[0] == 0
    assert curve.recall_gain[-1] == 1


@given(labelled())
def test_equal_error_rate_lies_on_the_hull(data):
    sweep = cw.sweep(*data)
    det, hull = cw.det_curve(sweep), cw.roc_hull(sweep)
    reached = np.interp(det.eer, hull.fpr, hull.tpr)
    vertical = hull.fpr[np.isclose(hull.fpr, det.eer)]
    assert reached == pytest.approx(1 - det.eer, abs=1e-12) or len(vertical) > 1


@given(labelled())
def test_lift_is_precision_over_prevalence(data):
    sweep = cw.sweep(*data)
    share, gain, lift, threshold = cw.lift_curve(sweep)
    assert lift[1:] == pytest.approx(cw.pr_curve(sweep).precision / sweep.prevalence, abs=1e-12)
    assert (share[0], gain[0], share[-1], gain[-1]) == (0, 0, 1, 1)
    assert threshold[1:].tolist() == sweep.threshold.tolist()

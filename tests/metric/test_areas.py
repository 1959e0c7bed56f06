"""Areas beyond the registry: scales, ranges, large ties, unreached positives."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

import curvewise as cw
from curvewise.metric.average_precision import _harmonic
from curvewise.metric.partial import _chance
from curvewise.metric.registry import every, find
from curvewise.metric.roc_auc import _of_counts
from strategies import labelled, shares


@given(st.integers(0, 10**9), st.integers(0, 400))
def test_harmonic_differences(n, p):
    exact = math.fsum(1 / (n + i) for i in range(1, p + 1))
    assert _harmonic(np.array([n]), np.array([p]))[0] == pytest.approx(exact, rel=1e-13)


def test_large_ties_cost_no_time_and_no_digits():
    p, q = 3_000_000, 7_000_000
    s = cw.Sweep.from_counts([1], [p], [q])
    ranks = np.arange(1, p + 1)
    assert cw.average_precision(s, ties="optimistic") == 1
    assert cw.average_precision(s, ties="pessimistic") == pytest.approx(np.mean(ranks / (q + ranks)), abs=1e-13)
    billions = cw.Sweep.from_counts([2, 1], [10**9, 10**9], [10**9, 10**12])
    assert 0 < cw.average_precision(billions, ties="pessimistic") < cw.average_precision(billions, ties="expected")


def test_partial_scales_that_have_no_room():
    for scale in ("mcclish", "skill"):
        with pytest.raises(cw.UndefinedMetricError, match="chance already fills the region"):
            cw.partial_roc_auc([0, 1], [1, 2], fpr=(0.5, 1), tpr=(0, 0.5), scale=scale)
    assert cw.partial_roc_auc([0, 1], [1, 2], fpr=(0.5, 1), tpr=(0, 0.5), scale="mean") == 1


@given(labelled())
def test_below_chance_is_not_clipped(data):
    y = data[0]
    wrong = [-int(v) for v in y]
    assert cw.partial_roc_auc(y, wrong, fpr=(0, 0.5)) == 0
    assert cw.partial_roc_auc(y, wrong, fpr=(0, 0.5), scale="mcclish") < 0.5
    assert cw.partial_roc_auc(y, wrong, fpr=(0, 0.5), scale="skill") < 0


def test_positives_without_a_score_count_as_missed():
    s = cw.Sweep.from_counts([3, 2, 1], [2, 1, 0], [0, 1, 1], total_positives=6)
    whole = cw.Sweep.from_counts([3, 2, 1, 0], [2, 1, 0, 3], [0, 1, 1, 0])
    assert cw.roc_auc(s) == cw.roc_auc(whole)
    assert cw.partial_roc_auc(s, fpr=(0.2, 0.9)) == cw.partial_roc_auc(whole, fpr=(0.2, 0.9))
    assert cw.average_precision(s) == pytest.approx((1 * 2 + 3 / 4) / 6)
    assert cw.pr_auc(s, interpolation="step") == cw.average_precision(s)
    assert cw.pr_auc(s) < cw.pr_auc(whole)
    assert cw.roc_curve(s).tpr[-1] == 0.5


@given(labelled())
def test_pr_conventions_by_their_definition(data):
    sweep = cw.sweep(*data)
    precision, recall, _ = cw.pr_curve(sweep)
    for points, name in ((11, "11-point"), (101, "101-point")):
        tp, p = sweep.tp.tolist(), int(sweep.positives)
        best = [
            max((v for v, t in zip(precision, tp, strict=True) if t * (points - 1) >= k * p), default=0)
            for k in range(points)
        ]
        assert cw.pr_auc(sweep, interpolation=name) == pytest.approx(np.mean(best), abs=1e-14)
    envelope = [max(precision[k:]) for k in range(len(precision))]
    area = float(np.dot(np.diff(recall, prepend=0), envelope))
    assert cw.pr_auc(sweep, interpolation="envelope") == pytest.approx(area, abs=1e-14)
    assert cw.pr_auc(sweep, interpolation="step") == pytest.approx(cw.average_precision(sweep), abs=1e-14)
    assert cw.pr_auc(sweep, interpolation="envelope") >= cw.pr_auc(sweep, interpolation="step") - 1e-15


def test_grid_points_inside_a_range():
    s = cw.Sweep.from_counts([2, 1], [1, 1], [0, 2])
    # grid 0.6 … 1.0 lies on the second block, precision one half
    assert cw.pr_auc(s, interpolation="11-point", recall=(0.55, 1)) == pytest.approx(0.45 * 0.5)


def test_levels():
    assert cw.pr_auc_levels(1e-9).least == pytest.approx(0.5e-9, rel=1e-6)
    with pytest.raises(cw.CurvewiseError, match="strictly between 0 and 1"):
        cw.pr_auc_levels(0)


def pr_pieces(sweep, interpolation):
    """Return (recall before, recall at, precision from, precision to) of each block, as fractions."""
    tp, fp = ([Fraction(v) for v in c.tolist()] for c in (sweep.tp, sweep.fp))
    precision = [t / (t + f) for t, f in zip(tp, fp, strict=True)]
    if interpolation == "envelope":
        precision = [max(precision[k:]) for k in range(len(precision))]
    recall = [t / Fraction(sweep.positives) for t in tp]
    before = [Fraction(1), *precision[:-1]] if interpolation == "trapezoid" else precision
    return zip([Fraction(0), *recall[:-1]], recall, before, precision, strict=True)


@pytest.mark.parametrize("interpolation", ["step", "envelope", "trapezoid"])
@given(labelled(), shares, shares)
def test_a_range_of_recall_cuts_the_pieces_at_its_ends(interpolation, data, one, two):
    sweep, (low, high) = cw.sweep(*data), sorted((one, two))
    if low == high:
        return
    exact = Fraction(0)
    for r0, r1, p0, p1 in pr_pieces(sweep, interpolation):
        left, right = max(r0, Fraction(low)), min(r1, Fraction(high))
        if left < right:
            middle = p0 + (p1 - p0) * ((left + right) / 2 - r0) / (r1 - r0)
            exact += (right - left) * middle
    assert cw.pr_auc(sweep, interpolation=interpolation, recall=(low, high)) == pytest.approx(float(exact), abs=1e-12)


@given(labelled(), shares, shares)
def test_continuous_counts_grow_in_proportion_within_a_block(data, one, two):
    """The integral of t / (t + f) between the ends of the range, f on the line from block to block."""
    sweep, (low, high) = cw.sweep(*data), sorted((one, two))
    if low == high:
        return
    t, f, p = np.append(0, sweep.tp), np.append(0, sweep.fp), sweep.positives
    area = 0.0
    for (t0, f0), (t1, f1) in pairwise(zip(t.tolist(), f.tolist(), strict=True)):
        left, right = max(t0, low * p), min(t1, high * p)
        if left < right:
            area += quad(lambda x, a=t0, b=f0, h=(f1 - f0) / (t1 - t0): x / (x + b + h * (x - a)), left, right)[0] / p
    assert cw.pr_auc(sweep, recall=(low, high)) == pytest.approx(area, abs=1e-9)


@given(st.floats(0.01, 0.99), shares, shares)
def test_levels_of_a_range_are_areas_of_the_worst_ranking_and_of_chance(share, one, two):
    low, high = sorted((one, two))
    if low == high:
        return
    found = cw.pr_auc_levels(share, recall=(low, high))
    assert found.chance == pytest.approx(share * (high - low))
    least = quad(lambda recall: share * recall / (share * recall + 1 - share), low, high)[0]
    assert found.least == pytest.approx(least, abs=1e-9)


def test_recall_that_no_threshold_reaches_adds_nothing():
    """Two of four positives are found: precision 1 to recall 1/4, then down to 1/2 at recall 1/2."""
    half = cw.Sweep.from_counts([2, 1], [1, 1], [0, 2], total_positives=4)
    for how, area in (("trapezoid", 1 / 4 + 3 / 16), ("step", 3 / 8), ("envelope", 3 / 8)):
        assert cw.pr_auc(half, interpolation=how) == pytest.approx(area)
        assert cw.pr_auc(half, interpolation=how, recall=(0, 0.5)) == pytest.approx(area)
        assert cw.pr_auc(half, interpolation=how, recall=(0.5, 1)) == pytest.approx(0)
    # recalls 0, 0.1, 0.2 have precision 1, up to 0.5 one half, beyond nothing
    assert cw.pr_auc(half, interpolation="11-point") == pytest.approx((3 + 3 / 2) / 11)


@given(labelled())
def test_weights_of_one_tenth_each_change_no_area(data):
    """Fractional counts are rounded; a recall that equals a place of the grid must still reach it."""
    y, s = data
    for how in ("continuous", "step", "trapezoid", "envelope", "11-point", "101-point"):
        light = cw.pr_auc(y, s, interpolation=how, weight=[0.1] * len(y))
        assert light == pytest.approx(cw.pr_auc(y, s, interpolation=how), abs=1e-12)


def test_fractional_counts_reach_a_place_of_the_grid_but_for_rounding():
    """Ten positives, each followed by a negative: the j-th has recall j/10 and precision j/(2j - 1)."""
    y, score = [1, 0] * 10, range(20, 0, -1)
    mean = (1 + sum(Fraction(j, 2 * j - 1) for j in range(1, 11))) / 11
    for weight in (0.7, 1 / 3):  # sums of either differ from their products in the last digit
        found = cw.pr_auc(y, score, interpolation="11-point", weight=[weight] * 20)
        assert found == pytest.approx(float(mean), abs=1e-14)
    for missing, reached in ((0.5e-12, 2), (1.5e-12, 1)):  # recall 0.1 less a share of it: precision 1, then 1/1.9
        short = cw.Sweep.from_counts([2, 1], [0.1 * (1 - missing), 0.9 + 0.1 * missing], [0, 0.9])
        wanted = (reached + (11 - reached) / 1.9) / 11
        assert cw.pr_auc(short, interpolation="11-point") == pytest.approx(wanted, abs=1e-11)


def test_an_area_of_sweeps_and_rows_refuses_what_is_not_asked():
    with pytest.raises(cw.CurvewiseError, match="A Sweep was"):
        cw.roc_auc(cw.sweep([0, 1], [1, 2]), [1, 2])
    with pytest.raises(cw.UndefinedMetricError, match="needs both classes"):
        cw.roc_auc([1, 1, 0], [1, 2, 3], weight=[1.0, 1.0, 0.0])


def test_how_many_rows_a_share_at_the_top_or_over_a_range_is_worth():
    """A tenth of 100 rows are 10, of 5 rows not less than one; the positives count twice; 0.6 rows for the edge."""
    top, found = (find(name).trials for name in ("top_precision", "top_recall"))
    assert (top(30, 70, at_fraction=0.1), top(2, 3, at_fraction=0.1)) == (10, 1)
    assert found(30, 70, at_fraction=0.1) == 60
    part = find("partial_roc_auc").trials
    assert part(20, 100) == pytest.approx(1 / (1 / 20 + 0.6 / 100))
    assert part(20, 100, fpr=(0.1, 0.3)) == pytest.approx(1 / (1 / 20 + 0.6 / (100 * 0.2)))
    assert part(20, 100, tpr=(0.5, 1)) == pytest.approx(1 / (1 / 100 + 0.6 / (20 * 0.5)))
    assert part(20, 100, fpr=(0.1, 0.3), tpr=(0.5, 1)) == pytest.approx(1 / (1 / 20 + 0.6 / (100 * 0.2)))


@pytest.mark.parametrize("m", [m for m in every() if m.of_counts is not None], ids=lambda m: m.name)
@given(counts=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=8))
def test_a_number_of_counts_is_that_of_their_sweep(m, counts):
    """A resample has blocks without rows, and perhaps without a class."""
    pos, neg = np.array(counts).T
    like = cw.Sweep.from_counts(np.arange(len(pos), 0, -1), np.ones(len(pos)), np.ones(len(pos)))
    found = m.of_counts(pos, neg)
    if found is None:
        assert not (pos.any() and neg.any())
        with pytest.raises(cw.UndefinedMetricError):
            m.bind().of_counts(like, pos, neg)
    else:
        assert found == m.bind().of_counts(like, pos, neg) == pytest.approx(m.function(like.with_counts(pos, neg)))


def test_a_number_of_ordered_rows_is_read_from_their_sweep():
    like, counts = cw.sweep([1, 0, 1, 0], [2, 2, 1, 1]), (np.array([2, 0]), np.array([1, 1]))
    found = find("average_precision").bind({"ties": "pessimistic"}).of_counts(like, *counts)
    assert (
        found
        == cw.average_precision(like.with_counts(*counts), ties="pessimistic")
        == pytest.approx((1 / 2 + 2 / 3) / 2)
    )


def test_areas_of_counts_for_resamples():
    """One positive above one negative; and where twice the pairs are 0, or more than int64 holds, no answer."""
    assert _of_counts(np.array([1, 0]), np.array([0, 1])) == 1
    assert _of_counts(np.array([1, 1]), np.array([1, 1])) == 0.5
    for pos, neg in (([0, 0], [1, 1]), ([2**31, 0], [0, 2**31]), ([2**32, 0], [0, 2**32])):
        assert _of_counts(np.array(pos), np.array(neg)) is None
    exact = cw.sweep([0, 1, 1], [1, 2, 0])
    assert find("roc_auc").within(exact) == (0.5, 0.5)


@pytest.mark.parametrize(
    "region", [(0, 1, 0, 1), (0.1, 0.3, 0, 1), (0, 1, 0.6, 0.9), (0.2, 0.95, 0.4, 0.8), (0.5, 1, 0, 0.5)]
)
def test_chance_fills_what_lies_below_the_diagonal(region):
    a, b, c, d = region
    area = quad(lambda x: min(max(x, c), d) - c, a, b, points=[c, d])[0]
    assert _chance(*region) == pytest.approx(area, abs=1e-12)

"""Curves as objects: what scikit-learn's tuples hold, thinning, and the corners that must stay."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri
from sklearn import metrics as sk

import curvewise as cw
import oracle
from curvewise.curves.base import _corners, _extremes, from_zero, kept_points, thresholds_from_nothing
from strategies import labelled

MAKERS = [cw.roc_curve, cw.pr_curve, cw.pr_gain_curve, cw.det_curve, cw.lift_curve, cw.roc_hull]
FIRST = {
    "roc_curve": "fpr",
    "pr_curve": "precision",
    "pr_gain_curve": "recall_gain",
    "det_curve": "fpr",
    "lift_curve": "predicted_rate",
    "roc_hull": "fpr",
}


def sample(n, seed=0, decimals=None):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.2
    s = rng.normal(size=n) + 1.2 * y
    return y, s if decimals is None else np.round(s, decimals)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("decimals", [0, 1, 8])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scikit_learn_agrees(weighted, decimals, dtype):
    y, s = sample(500, decimals, decimals)
    s = s.astype(dtype)
    w = np.random.default_rng(1).random(500) if weighted else None
    fpr, tpr, threshold = cw.roc_curve(y, s, weight=w)
    peer = sk.roc_curve(y, s, sample_weight=w, drop_intermediate=False)
    assert fpr == pytest.approx(peer[0], abs=1e-12)
    assert tpr == pytest.approx(peer[1], abs=1e-12)
    assert np.array_equal(threshold, peer[2])
    precision, recall, threshold = cw.pr_curve(y, s, weight=w)
    peer = sk.precision_recall_curve(y, s, sample_weight=w)
    assert precision == pytest.approx(peer[0][-2::-1], abs=1e-12)
    assert recall == pytest.approx(peer[1][-2::-1], abs=1e-12)
    assert np.array_equal(threshold, peer[2][::-1])
    options = {"weight": w}
    assert cw.roc_auc(y, s, **options) == pytest.approx(sk.roc_auc_score(y, s, sample_weight=w), abs=1e-12)
    assert cw.average_precision(y, s, **options) == pytest.approx(
        sk.average_precision_score(y, s, sample_weight=w), abs=1e-12
    )
    for limit in (0.01, 0.1, 0.5):
        assert cw.partial_roc_auc(y, s, fpr=(0, limit), scale="mcclish", **options) == pytest.approx(
            sk.roc_auc_score(y, s, max_fpr=limit, sample_weight=w), abs=1e-12
        )
    assert cw.pr_auc(y, s, interpolation="trapezoid", **options) == pytest.approx(sk.auc(peer[1], peer[0]), abs=1e-12)
    det = cw.det_curve(y, s, weight=w)
    for f, m in zip(*sk.det_curve(y, s, sample_weight=w)[:2], strict=True):
        assert np.min(np.abs(det.fpr - f) + np.abs(det.fnr - m)) < 1e-12


@pytest.mark.parametrize("make", MAKERS, ids=lambda m: m.__name__)
def test_a_curve_unpacks_and_is_frozen(make):
    curve = make(*sample(50))
    first = next(iter(curve))
    assert first is getattr(curve, FIRST[make.__name__])
    assert len({len(part) for part in curve}) == 1
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 3


def test_whole_scores_in_a_curve():
    curve = cw.roc_curve([0, 1], [1, 2])
    assert curve.threshold.dtype == np.float64
    assert curve.threshold.tolist() == [math.inf, 2, 1]
    big = cw.roc_curve([0, 1], [2**53, 2**53 + 1])
    assert big.threshold.tolist() == [math.inf, 2**53 + 1, 2**53]


def farthest(curve, thinned):
    """Return the largest distance of a point of the curve from the thinned line, in drawn units."""
    x, y = curve.axes()
    inside = np.isfinite(x) & np.isfinite(y)  # no point at infinity is ever drawn
    x, y = x[inside], y[inside]
    u, v = thinned.axes()
    inside = np.isfinite(u) & np.isfinite(v)
    u, v = u[inside], v[inside]
    scale = np.ptp(x) or 1, np.ptp(y) or 1
    x, u, y, v = x / scale[0], u / scale[0], y / scale[1], v / scale[1]
    a, b = np.stack([u[:-1], v[:-1]], 1), np.stack([u[1:], v[1:]], 1)
    worst = 0.0
    for px, py in zip(x, y, strict=True):
        d, p = b - a, np.array([px, py]) - a
        t = np.clip((p * d).sum(1) / np.maximum((d * d).sum(1), 1e-300), 0, 1)
        worst = max(worst, float(np.min(np.hypot(*(p - t[:, None] * d).T))))
    return worst


def test_a_corner_that_is_written_twice_stays():
    x, y = np.array([0, 1, 1, 1, 2.0]), np.array([0, 0, 0, 0, 1.0])
    assert kept_points(x, y, 10).tolist() == [0, 1, 4]
    assert kept_points(np.zeros(4), np.zeros(4), 10).tolist() == [0, 3]
    assert len(cw.roc_curve([0, 1, 0, 1], [1, 2, 3, 4]).thin(2)) == 2
    with pytest.raises(cw.CurvewiseError, match="max_points: expected a whole number of at least 2"):
        cw.roc_curve([0, 1], [1, 2]).thin(1)


def test_the_point_farthest_from_its_own_chord_comes_first():
    """After the peak, the left point lies 0.10 from a chord of length 1.02, the right one 0.08 from one of 1.28."""
    peak, left, right = np.array([0.2, 1.0]), np.array([0.2, 1.0]), np.array([0.8, -1.0])
    aside = peak / 2 + 0.10 * np.array([1.0, -0.2]) / np.hypot(*left)
    beside = peak + right / 2 - 0.08 * np.array([1.0, 0.8]) / np.hypot(*right)
    x, y = np.array([(0.0, 0.0), aside, peak, beside, (1.0, 0.0)]).T
    assert kept_points(x, y, 3).tolist() == [0, 2, 4]
    assert kept_points(x, y, 4).tolist() == [0, 1, 2, 4]
    assert kept_points(x, y, 5).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("make", MAKERS, ids=lambda m: m.__name__)
def test_thinning_moves_nothing_that_shows(make):
    curve = make(*sample(6000, 3))
    thinned = curve.thin(400)
    assert len(thinned) <= 400
    assert [p[0] for p in thinned] == pytest.approx([p[0] for p in curve], nan_ok=True)
    assert [p[-1] for p in thinned] == [p[-1] for p in curve]
    summary = {k: v for k, v in vars(curve).items() if isinstance(v, float)}
    assert summary == {k: v for k, v in vars(thinned).items() if isinstance(v, float)}
    kept = set(zip(*(p.tolist() for p in curve), strict=True))
    assert all(point in kept or math.isnan(point[2]) for point in zip(*(p.tolist() for p in thinned), strict=True))
    assert farthest(curve, thinned) < (0.002 if make is not cw.pr_curve else 0.01)


@given(labelled())
def test_thinning_keeps_every_corner_when_there_is_room(data):
    curve = cw.roc_curve(*data)
    thinned = curve.thin(1000)
    assert np.interp(curve.tpr + curve.fpr, thinned.tpr + thinned.fpr, thinned.tpr) == pytest.approx(
        curve.tpr, abs=1e-12
    )
    area = float(np.trapezoid(thinned.tpr, thinned.fpr))
    assert area == pytest.approx(curve.auc, abs=1e-12)
    assert thinned.auc == curve.auc


def test_thinning_rare_positives_keeps_all_their_steps():
    y = np.zeros(200_000, dtype=bool)
    y[[5, 100, 3_000, 40_000]] = True
    curve = cw.roc_curve(y, np.arange(200_000)[::-1])
    thinned = curve.thin(20)
    assert len(thinned) == 10  # both ends and two corners a positive
    assert float(np.trapezoid(thinned.tpr, thinned.fpr)) == pytest.approx(curve.auc, abs=1e-12)


def test_det_axes_are_normal_deviates():
    curve = cw.det_curve(*sample(200))
    x, y = curve.axes()
    assert x == pytest.approx(ndtri(curve.fpr))
    assert y == pytest.approx(ndtri(curve.fnr))


@given(st.integers(1, 30), st.integers(1, 30))
def test_equal_error_rate_of_a_constant_score(p, n):
    assert cw.det_curve([1] * p + [0] * n, [1] * (p + n)).eer == pytest.approx(0.5)


def test_pr_curve_levels_and_interpolation():
    curve = cw.pr_curve(*sample(300))
    assert curve.chance == pytest.approx(sample(300)[0].mean())
    assert curve.precision_at(0) in (0.0, 1.0)
    assert curve.precision_at(1) == pytest.approx(curve.precision[np.argmax(curve.recall == 1)])
    with pytest.raises(cw.CurvewiseError, match="recall: expected a number from 0 to 1"):
        curve.precision_at(1.2)


def test_pr_gain_refuses_what_never_reaches_the_prevalence():
    s = cw.Sweep.from_counts([1], [1], [1], total_positives=100)
    with pytest.raises(cw.UndefinedMetricError, match="needs a recall of at least the prevalence"):
        cw.pr_gain_curve(s)


def test_a_curve_leaves_the_users_sweep_alone():
    y, s = sample(300)
    sweep = cw.sweep(y, s)
    curve = cw.roc_curve(sweep)
    assert sweep == cw.sweep(y, s)
    assert np.array_equal(curve.tpr, cw.roc_curve(y, s).tpr)
    assert np.array_equal(curve.threshold, cw.roc_curve(y, s).threshold)
    assert not np.shares_memory(curve.tpr, sweep.tp)


@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(1, 10), Fraction(1, 100)])
def test_pr_gain_area_moves_with_prevalence(share):
    """Precision gain is 1 - FPR/TPR, recall gain 1 - odds·(1-TPR)/TPR: exactly, for one ROC curve."""
    roc = [(Fraction(1, 10), Fraction(6, 10)), (Fraction(3, 10), Fraction(9, 10)), (Fraction(1), Fraction(1))]
    start = (share * roc[0][0] / roc[0][1], share)  # where recall is the prevalence, on the first segment
    odds = share / (1 - share)
    points = [(1 - odds * (1 - tpr) / tpr, 1 - fpr / tpr) for fpr, tpr in (start, *roc)]
    exact = sum((right - left) * (one + two) / 2 for (left, one), (right, two) in pairwise(points))
    s = cw.Sweep.from_counts([3, 2, 1], [60, 30, 10], [10, 20, 70]).at_prevalence(float(share))
    assert cw.pr_gain_curve(s).area == pytest.approx(float(exact), abs=1e-12)
    assert exact == {2: Fraction(79, 108), 10: Fraction(799, 972), 100: exact}[share.denominator]
    chance = cw.Sweep.from_counts([2, 1], [5, 5], [5, 5]).at_prevalence(float(share))
    assert cw.pr_gain_curve(chance).area == pytest.approx(0, abs=1e-12)


def exact_pr_gain(y, score):
    """Return the points of the curve as fractions, the first where recall is the prevalence."""
    rows = oracle.blocks(y, score)
    p, n = (sum(row[k] for row in rows) for k in (1, 2))
    odds, edge = Fraction(p, n), Fraction(p * p, p + n)
    points, tp, fp = [], Fraction(0), Fraction(0)
    for s, pos, neg in rows:
        if tp < edge < tp + pos:
            points.append((edge, fp + neg * (edge - tp) / pos, s))
        tp, fp = tp + pos, fp + neg
        if tp >= edge:
            points.append((tp, fp, s))
    return [(1 - odds * (p - t) / t, 1 - odds * f / t, s) for t, f, s in points]


@given(labelled())
def test_pr_gain_by_fractions(data):
    wanted, found = exact_pr_gain(*data), cw.pr_gain_curve(*data)
    assert found.recall_gain == pytest.approx([float(point[0]) for point in wanted], abs=1e-12)
    assert found.precision_gain == pytest.approx([float(point[1]) for point in wanted], abs=1e-12)
    assert found.threshold.tolist() == [point[2] for point in wanted]
    area = sum((right[0] - left[0]) * (left[1] + right[1]) / 2 for left, right in pairwise(wanted))
    assert found.area == pytest.approx(float(area), abs=1e-12)


def test_a_block_that_ends_at_the_prevalence_is_one_point_of_pr_gain():
    found = cw.pr_gain_curve([1, 1, 0, 0], [4, 3, 2, 1])
    assert (found.recall_gain.tolist(), found.threshold.tolist()) == ([0, 1, 1, 1], [4, 3, 2, 1])


def test_the_ends_of_a_curve_of_which_nothing_can_be_drawn():
    nowhere = np.full(4, math.nan)
    assert kept_points(nowhere, np.arange(4.0), 3).tolist() == [0, 3]


@pytest.mark.parametrize(
    ("x", "y", "corners"),
    [
        ([0, 1, 2, 3], [0, 1, 2, 3], [0, 3]),  # a straight line
        ([0, 1, 2], [0, 1, 2], [0, 2]),
        ([0, 1, 2, 2], [0, 0, 0, 1], [0, 2, 3]),  # a right angle
        ([0, 2, 1], [0, 0, 0], [0, 1, 2]),  # back on itself, across and up
        ([0, 0, 0], [0, 2, 1], [0, 1, 2]),
        ([0, 1, 2, 1], [0, 1, 2, 1], [0, 2, 3]),
        ([0, 1], [0, 1], [0, 1]),
    ],
)
def test_corners_of_a_line(x, y, corners):
    x, y = np.array(x, dtype=float), np.array(y, dtype=float)
    assert _corners(x, y).tolist() == corners
    assert kept_points(x, y, 10).tolist() == corners


def test_curves_are_thinned_to_a_thousand_points():
    rng = np.random.default_rng(0)
    curve = cw.roc_curve(rng.random(6000) < 0.5, rng.random(6000))
    assert len(curve) == len(curve.fpr) > 2000
    assert len(curve.thin()) <= 1000
    assert np.array_equal(curve.thin().fpr, curve.thin(1000).fpr)
    assert not np.array_equal(curve.thin().fpr, curve.thin(1001).fpr)


def test_thresholds_that_float64_cannot_hold_stay_whole():
    for ends, kind in (((2**53, 1), "f"), ((2**53 + 1, 1), "O"), ((1, -(2**60)), "O")):
        found = thresholds_from_nothing(np.array(ends), "positive")
        assert found.dtype.kind == kind
        assert found.tolist() == [math.inf, *ends]


def test_both_axes_are_scaled_before_points_are_compared():
    """The point left of a peak is farther from its chord than the right one, unless x were drawn much smaller."""
    aside = np.array([0.1, 0.5]) + 0.10 * np.array([1.0, -0.2]) / np.hypot(1.0, 0.2)
    beside = np.array([0.6, 0.5]) - 0.08 * np.array([1.0, 0.8]) / np.hypot(1.0, 0.8)
    x, y = np.array([(0.0, 0.0), aside, (0.2, 1.0), beside, (1.0, 0.0)]).T
    for low, width in ((0, 1), (100, 1), (0, 0.01)):
        assert kept_points(low + width * x, y, 4).tolist() == [0, 1, 2, 4]


def test_as_many_corners_as_there_is_room_for_all_stay():
    """Twelve of them on a short arc, far from the last."""
    turn = np.linspace(0, np.pi / 2, 12)
    x, y = np.append(0.001 * (1 - np.cos(turn)), 1.0), np.append(0.001 * np.sin(turn), 1.0)
    assert kept_points(x, y, 13).tolist() == list(range(13))


def test_an_end_that_is_not_drawn_leaves_room_for_one_point_less():
    x, y = np.array([np.nan, 0.0, 1.0, 2.0]), np.array([0.0, 0.0, 1.0, 3.0])
    assert kept_points(x, y, 2).tolist() == [0, 3]
    assert kept_points(x, y, 3).tolist() == [0, 1, 3]
    assert kept_points(x, y, 4).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("most", [12, 14])
def test_pieces_of_a_line_keep_their_ends_and_extremes(most):
    """18 steps along (0, 4) - (3, 4) - (3, 0) - (6, 0) - (6, 6) - (8, 6), in three pieces of six.

    The first, up to (3, 2), has its largest x + y at (3, 4). The second, from (3, 1) to (6, 1), has its smallest x + y
    at (3, 0) and its smallest y - x at (6, 0); the third, from (6, 2), its largest y - x at (6, 6).
    """
    corners = [(0, 4), (3, 4), (3, 0), (6, 0), (6, 6), (8, 6)]
    line = [corners[0]]
    for corner in corners[1:]:
        while line[-1] != corner:
            line.append(tuple(a + int(np.sign(b - a)) for a, b in zip(line[-1], corner, strict=True)))
    x, y = np.array(line).T / 8
    kept = _extremes(x, y, np.arange(19), most)
    assert [line[place] for place in kept] == [
        *[(0, 4), (3, 4), (3, 2)],
        *[(3, 1), (3, 0), (6, 0), (6, 1)],
        *[(6, 2), (6, 6), (8, 6)],
    ]


def test_only_room_left_before_the_values_is_reused():
    room = np.array([7, 1, 2, 4])
    assert from_zero(room[1:], 4).tolist() == [0, 0.25, 0.5, 1]
    assert room.tolist() == [7, 1, 2, 4]
    for other in (room[1:3], room[:], np.stack([room] * 3, axis=1)[1:, 0]):
        assert from_zero(other, 4, reuse=True).tolist() == [0, *(other / 4)]
    assert room.tolist() == [7, 1, 2, 4]
    shares = from_zero(room[1:], 4, reuse=True)
    assert shares.tolist() == [0, 0.25, 0.5, 1]
    assert np.shares_memory(shares, room)


def test_only_room_left_before_the_thresholds_is_reused():
    room = np.array([9.0, 3.0, 2.0])
    assert thresholds_from_nothing(room[1:], "positive").tolist() == [math.inf, 3, 2]
    assert room.tolist() == [9, 3, 2]
    halves = room[:1].copy().view(np.float32)  # two values in the place of one
    assert thresholds_from_nothing(halves, "positive", reuse=True).tolist() == [math.inf, *halves.tolist()]
    led = thresholds_from_nothing(room[1:], "negative", reuse=True)
    assert led.tolist() == [-math.inf, 3, 2]
    assert np.shares_memory(led, room)


def test_only_tips_and_bends_of_longer_lines_are_corners():
    there_and_back, level = np.array([0.0, 1, 3, 2, 1]), np.zeros(5)
    assert _corners(there_and_back, level).tolist() == [0, 2, 4]
    assert _corners(level, there_and_back).tolist() == [0, 2, 4]
    rising = np.arange(4.0)
    assert _corners(np.zeros(4), rising).tolist() == _corners(rising, np.zeros(4)).tolist() == [0, 3]
    x = np.arange(11) / 10  # steps that differ in their last digit
    assert _corners(x, 0.3 * x).tolist() == [0, 10]


@pytest.mark.parametrize("backend", ["polars", "pandas"])
def test_a_curve_becomes_a_frame_of_the_kind_that_is_asked_for(backend):
    frame = cw.roc_curve([0, 1], [1, 2]).to_frame(backend)
    assert type(frame).__module__.partition(".")[0] == backend
    assert list(frame.columns) == ["fpr", "tpr", "threshold"]

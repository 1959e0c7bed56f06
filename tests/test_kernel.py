"""The sort itself: every dtype, every number of threads, against brute force."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import curvewise as cw
from curvewise.core import kernel
from curvewise.core import keys as _keys
from curvewise.core import threads as _threads

DTYPES = ["f2", "f4", "f8", "g", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]


def brute(score, positive):
    threshold = np.unique(score)[::-1]
    above = score[None, :] >= threshold[:, None]
    return threshold, (above & positive).sum(axis=1), (above & ~positive).sum(axis=1)


def expect_blocks(score, positive, threads):
    cw.set_threads(threads)
    for few in (0, len(score)):  # by keys, and without
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernel, "FEW", few)
            expect_right(score, positive)


def expect_right(score, positive):
    threshold, tp, fp = kernel.blocks(score, positive)
    wanted = brute(score, positive)
    assert np.array_equal(threshold, wanted[0])
    assert threshold.dtype == score.dtype
    assert np.array_equal(tp, wanted[1])
    assert np.array_equal(fp, wanted[2])
    assert tp.dtype == fp.dtype == np.int64
    assert not np.signbit(threshold[threshold == 0]).any()
    assert kernel.doubled_wins(score, positive) == kernel.doubled_area(tp, fp)


@pytest.mark.parametrize("dtype", DTYPES)
@given(data=st.data())
def test_blocks_by_brute_force(dtype, data):
    # few rows make a range and a chunk here, so that several of both, and threads, are really used
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_threads, "ROWS_PER_THREAD", 4)
        patch.setattr(_keys, "CHUNK", 3)
        n = data.draw(st.integers(1, 40))
        elements = {"allow_nan": False} if np.dtype(dtype).kind == "f" else None
        few = data.draw(hnp.arrays(dtype, st.integers(1, 8), elements=elements))
        score = few[data.draw(hnp.arrays("i8", n, elements=st.integers(0, len(few) - 1)))]
        positive = data.draw(hnp.arrays(bool, n))
        for threads in (1, 2, 5):
            expect_blocks(score, positive, threads)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8"])
def test_large_input_is_the_same_for_any_number_of_threads(dtype):
    rng = np.random.default_rng(0)
    n = 450_000
    positive = rng.random(n) < 0.1
    score = (1000 * (rng.normal(size=n) + positive)).astype(dtype)
    if dtype == "f8":
        score = np.round(score, 1)  # ties across the class boundary
    results = []
    for threads in (1, 2, 3, 7):
        cw.set_threads(threads)
        results.append((*kernel.blocks(score, positive), kernel.doubled_wins(score, positive)))
    for other in results[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(results[0], other, strict=True))


def test_counts_beyond_int64_stay_exact():
    big = 3_000_000_000
    s = cw.Sweep.from_counts([2, 1], [big, 1], [1, big])
    exact = (2 * big + 1) * big + big  # doubled wins, by hand
    assert kernel.doubled_area(s.tp, s.fp) == exact
    assert cw.roc_auc(s) == exact / (2 * (big + 1) ** 2)
    assert cw.roc_hull(s).fpr.tolist() == [0.0, 1 / (big + 1), 1.0]


def test_hull_of_a_slowly_eroding_curve_is_linear():
    """A long concave arc below one late jump would need a pass a point; the walk ends it at once."""
    arc = np.arange(200_000, 0, -1)
    pos = np.append(arc, 10**12)
    s = cw.Sweep.from_counts(np.arange(len(pos))[::-1], pos, np.append(np.full(len(arc), 1000), 1))
    assert cw.roc_hull(s).block.tolist() == [-1, len(pos) - 1]


def test_threads_setting(monkeypatch):
    cw.set_threads(3)
    assert cw.get_threads() == 3
    cw.set_threads(None)
    monkeypatch.setenv("CURVEWISE_THREADS", "5")
    assert cw.get_threads() == 5
    monkeypatch.setenv("CURVEWISE_THREADS", "many")
    with pytest.raises(cw.CurvewiseError, match="CURVEWISE_THREADS: expected a whole number"):
        cw.get_threads()


@given(st.lists(st.integers(0, 6), min_size=1, max_size=80), st.data())
def test_short_and_long_ties_are_counted_alike(values, data):
    """Runs of one key beyond those looked at are searched; both ways count the pairs of every tie."""
    score = np.array(values, dtype=data.draw(st.sampled_from(["f4", "f8", "i8"])))
    positive = np.array(data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values))))
    wins = 2 * (score[:, None] > score) + (score[:, None] == score)
    assert kernel.doubled_wins(score, positive) == int((wins * (positive[:, None] & ~positive)).sum())
    keys = np.sort(score.astype(np.uint64))
    for step in (1, -1):
        places = (
            np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
            if step > 0
            else np.flatnonzero(np.append(keys[1:] != keys[:-1], True))
        )
        assert kernel._alike(keys, places, step).tolist() == np.unique(keys, return_counts=True)[1].tolist()


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity here")
def test_at_most_eight_threads_by_default(monkeypatch):
    monkeypatch.delenv("CURVEWISE_THREADS", raising=False)
    for processors, threads in ((1, 1), (5, 5), (8, 8), (64, 8)):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, n=processors: range(n))
        assert cw.get_threads() == threads


def test_an_area_of_exactly_two_to_the_63_does_not_overflow():
    half = 2**31
    s = cw.Sweep.from_counts([2, 1], [half, 0], [0, half])
    assert kernel.doubled_area(s.tp, s.fp) == 2**63
    assert cw.roc_auc(s) == 1


@pytest.mark.parametrize(
    ("tp", "fp", "area"),
    [([2**31, 2**31], [0, 2**31], 2**63), ([1, 2**32], [0, 2**31], 2**31 * (2**32 + 1))],
)
def test_areas_beyond_int64_are_exact(tp, fp, area):
    """A width of 2^31 times the sum of both heights."""
    assert kernel.doubled_area(np.array(tp), np.array(fp)) == area


def test_threads_by_default_are_the_processors_of_this_process(monkeypatch):
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("the system tells no processors of a process")
    monkeypatch.delenv("CURVEWISE_THREADS", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 1, 2} if process == 0 else {0})
    assert _threads.get_threads() == 3


def test_merged_scores_have_no_negative_zero():
    threshold, tp, fp = kernel.merged(np.array([0.0, 1.0, -0.0]), np.array([1, 2, 4]), np.array([3, 0, 1]))
    assert (threshold.tolist(), tp.tolist(), fp.tolist()) == ([1, 0], [2, 7], [0, 4])
    assert not np.signbit(threshold).any()


def test_every_piece_of_a_sum_counts_once(monkeypatch):
    """40 blocks in as many pieces: wins of each positive over the negatives below it, and half of those beside."""
    monkeypatch.setattr(_keys, "CHUNK", 1)
    positives, negatives = np.arange(1, 41), np.arange(40, 0, -1)
    wanted = sum(p * (2 * negatives[k + 1 :].sum() + negatives[k]) for k, p in enumerate(positives))
    assert kernel.doubled_area(np.cumsum(positives), np.cumsum(negatives)) == wanted


@pytest.mark.parametrize("many", [False, True])
def test_pairs_of_weighted_rows(many, monkeypatch):
    """Whole and fractional weights, few rows and more than one piece: all are sums over pairs."""
    monkeypatch.setattr(kernel, "CHUNK", 3 if many else 100)
    score, positive = np.array([3, 1, 2, 2, 5, 0]), np.array([1, 0, 1, 0, 0, 1], bool)
    for weight in (np.array([1, 2, 3, 4, 5, 6]), np.array([0.5, 2, 3, 4, 5, 6.25])):
        pairs = 0
        for s, w in zip(score[positive], weight[positive], strict=True):
            pairs += (w * weight[~positive] * (1 + np.sign(s - score[~positive]))).sum()
        up = kernel.weighted_wins(score, positive, weight)
        assert up == pytest.approx((weight[positive].sum(), weight[~positive].sum(), pairs))
        total = 2 * up[0] * up[1]
        assert kernel.weighted_wins(score, positive, weight, falling=False)[2] == pytest.approx(total - pairs)


def test_wins_are_whole_numbers():
    for positive in ([1, 0, 0, 0], [1, 1, 1, 0]):
        wins = kernel.doubled_wins(np.array([3.0, 2, 1, 1]), np.array(positive, bool))
        assert type(wins) is int


def test_pairs_of_heavy_rows_are_exact(monkeypatch):
    """Twice the pairs that the first positive wins, and once those in which the second ties."""
    monkeypatch.setattr(kernel, "CHUNK", 1)
    w = 2**45
    score, positive = np.array([3, 2, 2]), np.array([True, False, True])
    found = kernel.weighted_wins(score, positive, np.array([w + 1, w, w + 3]))
    assert found == (2 * w + 4, w, 2 * (w + 1) * w + (w + 3) * w)


def test_pairs_that_int64_just_cannot_hold_are_exact(monkeypatch):
    monkeypatch.setattr(kernel, "CHUNK", 1)
    found = kernel.weighted_wins(np.array([2, 1]), np.array([True, False]), np.array([2**31, 2**31]))
    assert found == (2**31, 2**31, 2**63)

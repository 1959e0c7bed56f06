"""The order of rows: stable, exact for every dtype, the same for every number of threads and of packed bits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import curvewise as cw
from curvewise.core import keys, row_order, threads
from curvewise.core.ranking import rank, taken

DTYPES = ["f2", "f4", "f8", "g", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]


def expect_order(score, *, falling):
    """Compare with Python's own stable sort, which knows nothing of bits."""
    values = score.tolist() if score.dtype.itemsize <= 8 else list(score)
    wanted = sorted(range(len(values)), key=values.__getitem__)
    if falling:
        wanted = sorted(range(len(values)), key=lambda row: (-values[row], row))
    order, tied = row_order.order_rows(score, falling=falling)
    assert order.tolist() == wanted
    assert order.dtype == np.int32
    like_next = [k for k in range(len(values) - 1) if values[wanted[k]] == values[wanted[k + 1]]]
    assert tied.tolist() == like_next
    last = [k for k in range(len(values)) if k not in set(like_next)]
    assert rank(score, falling=falling).ends.tolist() == last


@pytest.fixture(autouse=True)
def _default_threads():
    yield
    cw.set_threads(None)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("bits", [64, 40, 8])  # with few bits, most codes are cut short and must be repaired
@given(data=st.data())
def test_order_by_brute_force(dtype, bits, data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_order, "FEW", 1)
        patch.setattr(row_order, "BITS", bits)
        patch.setattr(threads, "ROWS_PER_THREAD", 4)
        patch.setattr(keys, "CHUNK", 3)
        n = data.draw(st.integers(1, 40))
        elements = {"allow_nan": False} if np.dtype(dtype).kind == "f" else None
        few = data.draw(hnp.arrays(dtype, st.integers(1, 12), elements=elements))
        score = few[data.draw(hnp.arrays("i8", n, elements=st.integers(0, len(few) - 1)))]
        for number in (1, 2, 5):
            cw.set_threads(number)
            for falling in (True, False):
                expect_order(score, falling=falling)


SPECIAL = {
    "infinities and zeros": np.array([0.0, -np.inf, -0.0, np.inf, 5e-324, -5e-324, 0.0, np.inf, -0.0, -np.inf, 1.0]),
    "all float64": np.array([np.finfo(float).max, -np.finfo(float).max, np.finfo(float).tiny, -1.0, 1.0]),
    "all int64": np.array([2**63 - 1, -(2**63), 0, -1, 1, 2**53, 2**53 + 1, -(2**53) - 1, -(2**53)]),
    "all uint64": np.array([2**64 - 1, 0, 2**63, 2**63 - 1, 2**63 + 1, 2**53 + 1, 2**53], dtype=np.uint64),
    "float32": np.array([-0.0, 0.0, np.inf, -np.inf, 1.0, np.nextafter(np.float32(1), 2)], dtype=np.float32),
    "float16": np.array([-0.0, 0.0, np.inf, -np.inf, 6e-8, -6e-8, 65504], dtype=np.float16),
    "one value": np.array([0.25]),
}


@pytest.mark.parametrize("name", SPECIAL)
@pytest.mark.parametrize("falling", [True, False])
@pytest.mark.parametrize("few", [1, 10_000])
def test_special_values(name, falling, few, monkeypatch):
    monkeypatch.setattr(row_order, "FEW", few)
    score = np.concatenate([SPECIAL[name], SPECIAL[name][::-1], SPECIAL[name]])
    expect_order(score, falling=falling)


@pytest.mark.parametrize("n", [row_order.FEW - 1, row_order.FEW, row_order.FEW + 1, 2**12 - 1, 2**12, 2**12 + 1])
@pytest.mark.parametrize("falling", [True, False])
def test_sizes_around_the_limits(n, falling):
    rng = np.random.default_rng(n)
    expect_order(rng.normal(size=n), falling=falling)
    expect_order(rng.integers(0, 20, n), falling=falling)


def adversarial(n):
    """Scores that differ only in their lowest bits, since a huge one makes codes long."""
    rng = np.random.default_rng(5)
    close = 1 + rng.integers(0, 50, n - 2) * 2.0**-52
    return rng.permutation(np.append(close, [1e300, -1e300]))


@pytest.mark.parametrize("falling", [True, False])
def test_scores_that_share_all_packed_bits(falling):
    score = adversarial(5000)
    packed, bits, is_exact = row_order._pack(score, falling=falling)
    assert not is_exact
    assert len(np.unique(packed >> np.uint64(bits))) < 10  # or this tests nothing
    expect_order(score, falling=falling)


def test_only_runs_in_the_wrong_order_are_sorted_again(monkeypatch):
    tied = np.array([0, 1, 4, 7, 8])
    wrong = np.array([False, True, False, False, False])
    assert row_order._runs(tied, wrong).tolist() == [0, 1, 2]
    assert row_order._runs(tied, np.array([False, False, True, True, False])).tolist() == [4, 5, 7, 8, 9]


@pytest.mark.parametrize("make", [adversarial, lambda n: np.random.default_rng(1).normal(size=n).round(2)])
def test_threads_make_no_difference(make):
    n = 4 * threads.ROWS_PER_THREAD + 1
    score = make(n)
    found = []
    for number in (1, 2, 3, 4):
        cw.set_threads(number)
        found.append(row_order.order_rows(score))
    wanted = np.argsort(-score, kind="stable")
    for order, tied in found:
        assert np.array_equal(order, wanted)
        assert np.array_equal(tied, found[0][1])
    assert n - len(found[0][1]) == len(np.unique(score))


@pytest.mark.parametrize("dtype", ["i8", "f8"])
def test_ranking_counts_and_places_like_pairs(dtype):
    rng = np.random.default_rng(2)
    n = 300
    score, positive = rng.integers(0, 40, n).astype(float), rng.random(n) < 0.4
    weight = rng.integers(1, 5, n).astype(dtype)
    ranking = rank(score)
    assert ranking.threshold.tolist() == sorted(set(score.tolist()), reverse=True)
    above = score[None, :] >= ranking.threshold[:, None]
    tp, fp = ranking.cumulated_counts(positive, weight)
    assert tp.tolist() == (above * (positive * weight)).sum(axis=1).tolist()
    assert fp.tolist() == (above * (~positive * weight)).sum(axis=1).tolist()
    assert tp.dtype == weight.dtype
    assert np.array_equal(ranking.threshold[ranking.block], score)
    wins = (score[:, None] > score) + 0.5 * (score[:, None] == score)
    outranks = (wins * (~positive * weight)).sum(axis=1) / weight[~positive].sum()
    outranked = (wins.T * (positive * weight)).sum(axis=1) / weight[positive].sum()
    assert ranking.placements(positive, weight) == pytest.approx(np.where(positive, outranks, outranked), rel=1e-14)
    distinct = rank(np.arange(6.0))
    assert distinct.placements(np.array([0, 1, 0, 1, 0, 1], bool)).tolist() == pytest.approx(
        [1, 1 / 3, 2 / 3, 2 / 3, 1 / 3, 1], rel=1e-15
    )


@pytest.mark.parametrize("higher_is", ["positive", "negative"])
@pytest.mark.parametrize("weights", [[0.5, 1.5, 2.25, 0.75, 1.0, 3.5], [1, 2, 3, 4, 5, 6]])
def test_weighted_area_is_that_of_the_sweep(higher_is, weights):
    y, score = [0, 1, 1, 0, 1, 0], [0.1, 0.4, 0.4, 0.4, 0.9, 0.2]
    options = {"weight": weights, "higher_is": higher_is}
    assert cw.roc_auc(y, score, **options) == cw.roc_auc(cw.sweep(y, score, **options))


def test_weighted_area_without_a_class_is_refused():
    with pytest.raises(cw.UndefinedMetricError, match="class"):
        cw.roc_auc([0, 1, 1], [0.1, 0.2, 0.3], weight=[1.0, 0.0, 0.0])


@settings(deadline=None)
@given(st.data())
def test_weighted_wins_piece_by_piece(data):
    n = data.draw(st.integers(2, 50))
    score = np.array(
        data.draw(st.lists(st.sampled_from([0.0, 0.1, 0.2, 5.0, -1.0]) | st.floats(-3, 3), min_size=n, max_size=n))
    )
    positive = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    weight = np.array(data.draw(st.lists(st.integers(1, 2**20), min_size=n, max_size=n)))
    own, other = positive[:, None] * weight[:, None], ~positive * weight
    pairs = ((2 * (score[:, None] > score) + (score[:, None] == score)) * own * other).sum()
    wanted = [weight[positive].sum(), weight[~positive].sum(), pairs]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "CHUNK", data.draw(st.integers(1, 60)))
        ranking = rank(score)
        assert list(ranking.weighted_wins(positive, weight)) == wanted
        assert list(ranking.weighted_wins(positive, weight / 4)) == [wanted[0] / 4, wanted[1] / 4, wanted[2] / 16]
        tp, fp = ranking.cumulated_counts(positive, weight)
        placed = ranking.placements(positive, weight) if tp[-1] and fp[-1] else None
        assert np.array_equal(taken(score, ranking.order), score[ranking.order])
        assert np.array_equal(ranking.threshold[ranking.block], score)
    if placed is not None:
        wins = (score[:, None] > score) + 0.5 * (score[:, None] == score)
        outranks, outranked = (wins * other).sum(axis=1) / fp[-1], (wins * own).sum(axis=0) / tp[-1]
        assert placed == pytest.approx(np.where(positive, outranks, outranked), rel=1e-12)


def test_pairs_of_large_whole_weights_do_not_overflow():
    y, score, weight = [1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0], [2**40, 2**39, 1, 3]
    pairs = 2**40 * (2**39 + 3) + 1 * 3
    assert cw.roc_auc(y, score, weight=weight) == pairs / ((2**40 + 1) * (2**39 + 3))


def test_weighted_area_of_many_rows_depends_on_neither_threads_nor_order():
    rng = np.random.default_rng(3)
    n = 2 * keys.CHUNK + 5
    y, score, whole = rng.random(n) < 0.3, rng.normal(size=n).round(4), rng.integers(1, 9, n)
    weight = rng.uniform(0.5, 2, n)
    cw.set_threads(1)
    one = cw.roc_auc(y, score, weight=weight), cw.roc_auc(y, score, weight=whole)
    cw.set_threads(3)
    assert (cw.roc_auc(y, score, weight=weight), cw.roc_auc(y, score, weight=whole)) == one
    assert one[0] == pytest.approx(cw.roc_auc(cw.sweep(y, score, weight=weight)), rel=1e-13)
    assert one[1] == cw.roc_auc(cw.sweep(y, score, weight=whole)) == cw.roc_auc(y.repeat(whole), score.repeat(whole))
    order = rng.permutation(n)
    assert cw.roc_auc(y[order], score[order], weight=whole[order]) == one[1]
    assert cw.roc_auc(y[order], score[order], weight=weight[order]) == pytest.approx(one[0], rel=1e-13)

"""The order of rows: stable, exact for every dtype, the same for every number of threads and of packed bits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import curvewise as cw
from curvewise.core import keys, row_order, threads
from curvewise.core.ranking import rank

DTYPES = ["f2", "f4", "f8", "g", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]


def expect_order(score, *, falling):
    """Compare with Python's own stable sort, which knows nothing of bits."""
    values = score.tolist() if score.dtype.itemsize <= 8 else list(score)
    wanted = sorted(range(len(values)), key=values.__getitem__)
    if falling:
        wanted = sorted(range(len(values)), key=lambda row: (-values[row], row))
    order, ends = row_order.order_rows(score, falling=falling)
    assert order.tolist() == wanted
    assert order.dtype == np.int32
    last = [k for k in range(len(values)) if k + 1 == len(values) or values[wanted[k]] != values[wanted[k + 1]]]
    assert ends.tolist() == last


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
    for order, ends in found:
        assert np.array_equal(order, wanted)
        assert np.array_equal(ends, found[0][1])
    assert len(found[0][1]) == len(np.unique(score))


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

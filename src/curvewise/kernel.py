"""From scores and labels to thresholds, true and false positives: the only place that sorts.

Unweighted rows are sorted as plain integers. A float of one sign keeps its order when its bits are
read as an integer, and then leaves one bit free: that bit carries the label, so one SIMD sort of
the keys sorts scores and labels together, with no argsort and no search. Keys rise as scores fall,
and a positive's key is even, so positives come first within a tie. Rows are dealt into disjoint
score ranges (at zero, where the sign changes, and at sample quantiles, one range a thread);
since the ranges do not overlap, their results are simply joined, with exact int64 offsets.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise._threads import get_threads, in_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Keys = NDArray[Any]  # uint32 or uint64
    Counts = NDArray[Any]  # int64, or float64 where weights are fractional
    Blocks = tuple[NDArray[Any], Counts, Counts]

ROWS_PER_THREAD = 100_000  # fewer rows than this do not repay a thread
CHUNK = 1 << 15  # elements per step of a sum that should stay in the cache


def blocks(
    score: NDArray[Any],
    positive: NDArray[np.bool_],
    weight: Counts | None = None,
    *,
    falling: bool = True,
) -> Blocks:
    """Return the unique scores, most positive first, with the counts at or above each."""
    if not falling:
        threshold, tp, fp = blocks(turned(score), positive, weight)
        return turned(threshold), tp, fp
    if weight is not None:
        return _blocks_by_argsort(score, positive, weight)
    dealt = _deal(score, positive)
    if dealt is None:
        return _blocks_by_argsort(score, positive, np.ones(len(score), dtype=np.int64))
    parts = in_threads(_Part.sorted, dealt)
    m = sum(part.distinct for part in parts)
    threshold = np.empty(m, dtype=score.dtype)
    tp, fp = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    starts = np.cumsum([[0, 0, 0]] + [[p.distinct, p.positives, p.negatives] for p in parts], axis=0)

    def write(which: int) -> None:
        start, positives, negatives = starts[which].tolist()
        here = slice(start, start + parts[which].distinct)
        parts[which].write(threshold[here], tp[here], fp[here], positives, negatives)

    in_threads(write, range(len(parts)))
    return threshold, tp, fp


def doubled_wins(score: NDArray[Any], positive: NDArray[np.bool_], *, falling: bool = True) -> int:
    """Count pairs, 2 for a positive above a negative and 1 for a tie, without building the sweep."""
    score = score if falling else turned(score)
    dealt = _deal(score, positive)
    if dealt is None:
        _, tp, fp = blocks(score, positive)
        return int(doubled_area(tp, fp))
    total = above = 0
    for positives, negatives, wins in in_threads(_Part.wins, dealt):
        total += wins + 2 * above * negatives
        above += positives
    return total


def doubled_area(tp: Counts, fp: Counts) -> int | float:
    """Sum (fp_k - fp_{k-1})(tp_k + tp_{k-1}): an exact integer for whole counts."""
    big = tp.dtype.kind == "i" and 2 * int(tp[-1]) * int(fp[-1]) >= 2**63
    total: int | float = 0
    for t, f in _chunks(tp, fp):
        width, height = f[1:] - f[:-1], t[1:] + t[:-1]
        if big:
            total += sum(w * h for w, h in zip(width.tolist(), height.tolist(), strict=True))
        else:
            total += np.dot(width, height).item()
    return total


def precision_sum(tp: Counts, fp: Counts) -> float:
    """Sum (tp_k - tp_{k-1}) · tp_k / (tp_k + fp_k), chunk by chunk."""
    return math.fsum(float(np.dot(t[1:] - t[:-1], t[1:] / (t[1:] + f[1:]))) for t, f in _chunks(tp, fp))


def _chunks(tp: Counts, fp: Counts) -> Iterator[tuple[Counts, Counts]]:
    """Yield pieces that fit the cache, each led by the counts before its first block."""
    for start in range(0, len(tp), CHUNK):
        here = slice(max(start - 1, 0), start + CHUNK)
        t, f = tp[here], fp[here]
        yield (t, f) if start else (np.concatenate([[0], t]), np.concatenate([[0], f]))


def merged(threshold: NDArray[Any], positives: Counts, negatives: Counts) -> Blocks:
    """Put counts per score in falling order, equal scores together, and cumulate."""
    threshold = threshold + threshold.dtype.type(0)  # -0.0 is 0.0
    order = np.argsort(threshold, kind="stable")[::-1]
    threshold = threshold[order]
    starts = np.concatenate([[0], np.flatnonzero(threshold[1:] != threshold[:-1]) + 1])
    tp = np.cumsum(np.add.reduceat(positives[order], starts))
    fp = np.cumsum(np.add.reduceat(negatives[order], starts))
    return threshold[starts], tp, fp


class _Part:
    """Rows of one score range as packed keys, and how to read a score back from a key."""

    def __init__(self, pack: Callable[[], Keys], unpack: Callable[[Keys], NDArray[Any]]) -> None:
        self.pack, self.unpack = pack, unpack

    def sorted(self) -> _Part:
        self.keys = self.pack()
        self.keys.sort()
        self.is_last = np.empty(len(self.keys), dtype=bool)
        np.greater(self.keys[1:] ^ self.keys[:-1], 1, out=self.is_last[:-1])
        self.is_last[-1:] = True
        self.distinct = int(np.count_nonzero(self.is_last))
        self.negatives = int(np.count_nonzero(_odd(self.keys)))
        self.positives = len(self.keys) - self.negatives
        return self

    def write(
        self,
        threshold: NDArray[Any],
        tp: NDArray[np.int64],
        fp: NDArray[np.int64],
        positives: int,
        negatives: int,
    ) -> None:
        keys = self.keys
        if self.distinct == len(keys):
            np.bitwise_and(keys, 1, out=fp, casting="unsafe")
            np.cumsum(fp, out=fp)
            tp[:] = np.arange(1, len(keys) + 1)
            ends: Any = slice(None)
        else:
            ends = np.flatnonzero(self.is_last)
            fp[:] = np.cumsum(keys & 1, dtype=np.int64)[ends]
            np.add(ends, 1, out=tp)
        tp -= fp
        tp += positives
        fp += negatives
        threshold[:] = self.unpack(keys[ends])
        del self.keys, self.is_last

    def wins(self) -> tuple[int, int, int]:
        """Return positives, negatives, and doubled wins within this range."""
        keys = self.pack()
        keys.sort()
        odd = _odd(keys)
        n, negatives = len(keys), int(np.count_nonzero(odd))
        positives = n - negatives
        # the j-th negative, at place i, stands below i - j positives (those tied with it included)
        if negatives <= positives:
            places = int(np.flatnonzero(odd).sum())
        else:
            places = n * (n - 1) // 2 - int(np.flatnonzero(~odd).sum())
        above = places - negatives * (negatives - 1) // 2
        # a tie of both classes shows as an even key followed by the same key plus one
        last_positive = np.flatnonzero((keys[1:] ^ keys[:-1]) == 1)
        ties = 0
        if len(last_positive):
            key = keys[last_positive]
            first = np.searchsorted(keys, key, side="left")
            stop = np.searchsorted(keys, key + keys.dtype.type(1), side="right")
            last_positive += 1
            ties = int(np.dot(last_positive - first, stop - last_positive))
        return positives, negatives, 2 * above - ties


def _odd(keys: Keys) -> NDArray[np.bool_]:
    low = keys.astype(np.uint8)
    low &= 1
    return low.view(bool)


def _deal(score: NDArray[Any], positive: NDArray[np.bool_]) -> list[_Part] | None:
    """Deal rows into score ranges, highest first; None where no key can hold score and label."""
    kind, size = score.dtype.kind, score.dtype.itemsize
    low, high = score.min(), score.max()
    if kind == "f":
        if size > 8:
            return None
        wide = score.astype(np.float32) if size == 2 else score
        cuts = _cuts(wide, at_zero=bool(low < 0 <= high))
    else:
        span = int(high) - int(low)
        if span >= 2**63:
            return None
        wide, key_type = score, np.uint32 if span < 2**31 else np.uint64
        cuts = _cuts(wide, at_zero=False)
    edges = [None, *cuts, None]

    def part(top: Any, bottom: Any) -> _Part:
        def pack() -> Keys:
            some, label = _between(wide, positive, bottom, top)
            if kind == "f":
                return _pack_floats(some, label, below_zero=below_zero)
            return _pack_integers(some, label, high, key_type)

        below_zero = bool(high < 0) or (top is not None and bool(top <= 0))
        if kind == "f":
            return _Part(pack, lambda keys: _unpack_floats(keys, below_zero=below_zero))
        return _Part(pack, lambda keys: _unpack_integers(keys, high, score.dtype))

    return [part(top, bottom) for top, bottom in pairwise(edges)]


def _cuts(score: NDArray[Any], *, at_zero: bool) -> list[Any]:
    """Choose the falling scores at which to divide the rows: sample quantiles, and zero if asked."""
    ranges = min(get_threads(), len(score) // ROWS_PER_THREAD)
    cuts: set[Any] = {score.dtype.type(0)} if at_zero else set()
    if ranges > 1:
        sample = np.sort(score[:: max(1, len(score) // (1000 * ranges))])
        cuts |= set(sample[np.arange(1, ranges) * len(sample) // ranges])
    # a cut at or below the lowest score would leave an empty range
    return sorted((cut for cut in cuts if cut > score.min()), reverse=True)


def _between(
    score: NDArray[Any], positive: NDArray[np.bool_], bottom: Any, top: Any
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    if bottom is None and top is None:
        return score, positive
    if bottom is None:
        inside = score < top
    else:
        inside = score >= bottom
        if top is not None:
            inside &= score < top
    rows = np.flatnonzero(inside)
    return score.take(rows), positive.take(rows)


def _pack_floats(score: NDArray[Any], positive: NDArray[np.bool_], *, below_zero: bool) -> Keys:
    unsigned = np.uint32 if score.dtype.itemsize == 4 else np.uint64
    # adding zero turns -0.0 into 0.0
    keys: Keys = (np.negative(score) if below_zero else score + score.dtype.type(0)).view(unsigned)
    keys <<= 1
    if below_zero:
        keys |= ~positive
    else:
        keys |= positive
        np.invert(keys, out=keys)
    return keys


def _unpack_floats(keys: Keys, *, below_zero: bool) -> NDArray[Any]:
    bits = (keys if below_zero else ~keys) >> 1
    score = bits.view(np.float32 if bits.dtype.itemsize == 4 else np.float64)
    return np.negative(score, out=score) if below_zero else score


def _pack_integers(score: NDArray[Any], positive: NDArray[np.bool_], high: Any, key_type: Any) -> Keys:
    # two's complement: the difference is right modulo 2^64 for signed and unsigned alike
    keys: Keys = (high.astype(np.uint64) - score.astype(np.uint64)).astype(key_type)
    keys <<= 1
    keys |= ~positive
    return keys


def _unpack_integers(keys: Keys, high: Any, dtype: Any) -> NDArray[Any]:
    score: NDArray[Any] = (high.astype(np.uint64) - (keys >> 1).astype(np.uint64)).astype(dtype)
    return score


def turned(score: NDArray[Any]) -> NDArray[Any]:
    """Map scores so that their order turns round, without overflow at the end of an integer type."""
    return ~score if score.dtype.kind in "iu" else 0 - score


def _blocks_by_argsort(score: NDArray[Any], positive: NDArray[np.bool_], weight: Counts) -> Blocks:
    order = np.argsort(score)[::-1]
    score, positive, weight = score[order], positive[order], weight[order]
    ends = np.append(np.flatnonzero(score[1:] != score[:-1]), len(score) - 1)
    tp = np.cumsum(np.where(positive, weight, 0))[ends]
    fp = np.cumsum(np.where(positive, 0, weight))[ends]
    return score[ends] + score.dtype.type(0), tp, fp

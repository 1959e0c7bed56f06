"""Bins of scores: what a sweep knows where it counted ranges of scores, not each score.

A bin knows the least and the greatest score in it, so a bin that holds one score only is as exact as a block of
ties. Bins of two sweeps are joined where they overlap; nothing else about how they came to be is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.core import kernel, packed
from curvewise.errors import CurvewiseError
from curvewise.rows.columns import EXACT_FLOAT

HALF, ONE = 0x3FE0_0000_0000_0000 >> 1, 0x3FF0_0000_0000_0000 >> 1  # the places of ½ and of 1, read as bits
MOST_SHIFT = 62


@dataclass(frozen=True, eq=False)
class Bins:
    """The least and the greatest score in each block of a sweep, in the order of its thresholds.

    ``wins`` and ``gained`` are known where the rows of each bin were ranked apart, in ranges that fit: twice the pairs
    that a positive of the bin wins against a negative of it, a tie counting half, and the sum of precision over its
    positives.
    """

    low: NDArray[Any]
    high: NDArray[Any]
    wins: NDArray[np.int64] | None = None
    gained: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        for array in (self.low, self.high, self.wins, self.gained):
            if array is not None:
                array.flags.writeable = False

    def __eq__(self, other: object) -> bool:
        """Compare the ranges; what is known of the order within does not matter."""
        if not isinstance(other, Bins):
            return NotImplemented
        return np.array_equal(self.low, other.low) and np.array_equal(self.high, other.high)

    __hash__ = None  # type: ignore[assignment]

    @property
    def mixed(self) -> NDArray[np.bool_]:
        """Which bins hold more than one score."""
        return self.low < self.high


@dataclass(frozen=True, eq=False)
class Summary:
    """Positives and negatives per bin, by rising score; ``shift`` 0 means one bin per score.

    Otherwise a bin holds the scores whose places on `grid` agree but for that many low bits. Bins of a larger shift
    are unions of bins of a smaller one, so it does not matter in which order, or where, rows were counted.
    """

    low: NDArray[Any]
    high: NDArray[Any]
    positives: kernel.Counts
    negatives: kernel.Counts
    shift: int = 0

    def __len__(self) -> int:
        return len(self.low)

    @classmethod
    def of(
        cls,
        score: NDArray[Any],
        positive: NDArray[np.bool_],
        weight: kernel.Counts | None = None,
        *,
        shift: int = 0,
    ) -> Summary:
        """Count rows by score, or by bins of a shift."""
        if weight is not None or score.dtype not in packed.CODES:
            return cls._from_blocks(*kernel.blocks(score, positive, weight)).shifted(shift)
        keys = packed.sorted_keys(score, positive)
        if shift == 0:
            low, pos, neg = packed.counts(keys)
            return cls(low, low, pos, neg)
        rising, label = packed.rising(keys)
        ends = np.append(np.flatnonzero(np.diff(grid(rising) >> shift)), len(rising) - 1)
        starts = np.append(0, ends[:-1] + 1)
        pos = np.diff(np.cumsum(label)[ends], prepend=0)
        return cls(rising[starts], rising[ends], pos, ends - starts + 1 - pos, shift)

    @classmethod
    def of_counts(cls, score: NDArray[Any], positives: kernel.Counts, negatives: kernel.Counts) -> Summary:
        """Put counts per score in order; equal scores are put together."""
        threshold, tp, fp = kernel.merged(score, positives, negatives)
        return cls._from_blocks(threshold, tp, fp)

    @classmethod
    def _from_blocks(cls, threshold: NDArray[Any], tp: kernel.Counts, fp: kernel.Counts) -> Summary:
        pos, neg = (np.diff(c, prepend=c.dtype.type(0))[::-1] for c in (tp, fp))
        low = threshold[::-1]
        return cls(low, low, pos, neg)

    @classmethod
    def total(cls, several: Sequence[Summary]) -> Summary:
        """Return the counts of all sets of rows, in bins of the largest shift."""
        if len(several) == 1:
            return several[0]
        shift = max(s.shift for s in several)
        both = cls._side_by_side([s.shifted(shift) for s in several])
        apart = both.low[1:] != both.low[:-1] if shift == 0 else np.diff(grid(both.low) >> shift) != 0
        return both._joined(apart, shift)

    def within(self, most: int) -> Summary:
        """Return at most that many bins: the smallest shift that does it."""
        if len(self) <= most:
            return self
        places = grid(self.low)
        first, last = max(self.shift, 1), MOST_SHIFT
        while first < last:  # the number of bins falls with the shift
            middle = (first + last) // 2
            if 1 + np.count_nonzero(np.diff(places >> middle)) <= most:
                last = middle
            else:
                first = middle + 1
        return self.shifted(first)

    def shifted(self, shift: int) -> Summary:
        """Return the bins of a larger shift."""
        return self if shift <= self.shift else self._joined(np.diff(grid(self.low) >> shift) != 0, shift)

    def overlapping(self, other: Summary) -> Summary:
        """Return the counts of both sets of rows, bins joined where they overlap, whatever made them."""
        both = self._side_by_side([self, other])
        reach = np.maximum.accumulate(both.high)
        return both._joined(both.low[1:] > reach[:-1], 0)

    @classmethod
    def _side_by_side(cls, several: Sequence[Summary]) -> Summary:
        """Put the bins of all in one rising order, none of them joined."""
        low = joined_scores([s.low for s in several])
        order = np.argsort(low, kind="stable")  # rising runs: merged, not sorted
        is_exact = all(s.low is s.high for s in several)
        low = low[order]
        high = low if is_exact else joined_scores([s.high for s in several])[order]
        pos, neg = (np.concatenate(c)[order] for c in zip(*((s.positives, s.negatives) for s in several), strict=True))
        return cls(low, high, pos, neg)

    def _joined(self, apart: NDArray[np.bool_], shift: int) -> Summary:
        """Join neighbours, except where they are to stay ``apart``."""
        starts = np.concatenate([[0], np.flatnonzero(apart) + 1])
        pos, neg = np.add.reduceat(self.positives, starts), np.add.reduceat(self.negatives, starts)
        low = self.low[starts]
        return Summary(
            low, low if shift == 0 and self.is_exact else np.maximum.reduceat(self.high, starts), pos, neg, shift
        )

    @property
    def is_exact(self) -> bool:
        """Whether every bin holds one score."""
        return self.low is self.high or bool((self.low == self.high).all())


def grid(score: NDArray[Any]) -> NDArray[np.int64]:
    """Return the place of each score on one line of integers that never falls as scores rise.

    The bits of a float64, read as an integer, rise with it, and their upper part is a bin of constant relative width.
    From ½ to 1 a score stands as far from the place of 1 as 1 - score stands from the place of 0: probabilities near 1
    have bins as narrow as those near 0. Places are halved, so that the whole line fits in 63 bits.
    """
    wide = score.astype(np.float64)
    wide += 0.0  # -0.0 is 0.0
    place = _bits(wide)
    upper = np.flatnonzero(wide > 0.5)
    if len(upper):
        above = wide[upper]
        to_one = 2 * HALF - _bits(1 - np.minimum(above, 1))  # 1 - score is exact from ½ on
        place[upper] = np.where(above <= 1, to_one, 2 * HALF + (place[upper] - ONE))
    return place


def same_dtype(a: NDArray[Any], b: NDArray[Any]) -> list[NDArray[Any]]:
    """Bring two arrays of scores to one dtype; refuse where that would merge different scores."""
    if a.dtype == b.dtype:
        return [a, b]
    common = np.result_type(a, b)
    for array in (a, b):
        if (
            array.dtype.kind in "iu"
            and common.kind == "f"
            and len(array)
            and max(abs(int(array.min())), abs(int(array.max()))) > EXACT_FLOAT
        ):
            raise CurvewiseError(f"Scores of {a.dtype} and {b.dtype} cannot be added exactly: integers beyond 2^53.")
    return [a.astype(common), b.astype(common)]


def joined_scores(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Put scores together in a dtype that keeps apart what differs."""
    if len({a.dtype for a in arrays}) == 1:
        return np.concatenate(arrays)
    joined = arrays[0]
    for array in arrays[1:]:
        joined = np.concatenate(same_dtype(joined, array))
    return joined


def _bits(wide: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the bits of floats as integers that rise with them, halved."""
    bits = wide.view(np.int64).copy()
    below = bits < 0
    if below.any():
        bits[below] ^= np.int64(0x7FFF_FFFF_FFFF_FFFF)
    bits >>= 1
    return bits

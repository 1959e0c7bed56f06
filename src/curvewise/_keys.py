"""Scores and labels as one sortable number each.

A float of one sign keeps its order when its bits are read as an integer. Shifting them left by one
drops the sign (and makes -0.0 equal 0.0) and leaves the lowest bit free: it carries the label.
Keys rise as scores fall, and a positive's key is even, so positives come first within a tie.
Whole scores are coded by their distance from the highest. One plain sort of the keys then sorts
scores and labels together, with no argsort. 64-bit keys are sorted as floats where they all
read as normal positive ones, which is how the fastest sort of a 64-bit number is reached.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise import _threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Keys = NDArray[Any]  # uint32 or uint64

SAMPLE = 1000  # scores looked at for each range to be cut
SMALLEST_NORMAL, INFINITY = 1 << 52, 0x7FF << 52  # bits of float64


class ScoreRange:
    """The rows with bottom <= score < top (None: no limit), and how they become keys and back."""

    def __init__(
        self,
        score: NDArray[Any],
        positive: NDArray[np.bool_],
        bottom: Any,
        top: Any,
        ends: tuple[Any, Any],
    ) -> None:
        self.score, self.positive, self.bottom, self.top = score, positive, bottom, top
        low, high = (ends[0] if bottom is None else bottom), (ends[1] if top is None else top)
        self.whole = score.dtype.kind in "iu"
        if self.whole:
            self.highest = int(high)
            first, last = 0, self.highest - int(low)
        else:
            self.below_zero = bool(low < 0)
            first, last = sorted((_magnitude(low), _magnitude(high)))
        # a falling code for scores that rise with their bits, else a rising one; both start at `start`
        self.falls = not self.whole and not self.below_zero
        span = 2 * (last - first) + 1
        self.key_type: Any = (
            np.uint32 if (score.dtype.itemsize == 4 or self.whole) and span < 2**32 else np.uint64
        )
        self.as_float = self.key_type is np.uint64 and SMALLEST_NORMAL + span < INFINITY
        start = SMALLEST_NORMAL if self.as_float else 0
        self.constant = self.key_type(
            (2 * last + 1 + start if self.falls else start - 2 * first)
            % 2 ** (8 * np.dtype(self.key_type).itemsize)
        )

    def sorted_keys(self) -> Keys:
        """Take the rows of this range and sort their keys."""
        keys = self._pack(*self._rows())
        (keys.view(np.float64) if self.as_float else keys).sort()
        return keys

    def _rows(self) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        if self.bottom is None and self.top is None:
            return self.score, self.positive
        if self.bottom is None:
            inside = self.score < self.top
        else:
            inside = self.score >= self.bottom
            if self.top is not None:
                inside &= self.score < self.top
        rows = np.flatnonzero(inside)
        return self.score.take(rows), self.positive.take(rows)

    def _pack(self, score: NDArray[Any], positive: NDArray[np.bool_]) -> Keys:
        keys: Keys
        if self.whole:
            # two's complement: right modulo 2^64 for signed and unsigned scores alike
            keys = (np.uint64(self.highest % 2**64) - score.astype(np.uint64)).astype(self.key_type)
            keys <<= 1
        else:
            keys = np.left_shift(np.ascontiguousarray(score).view(self.key_type), 1)
        if self.falls:
            keys |= positive
            return np.subtract(self.constant, keys, out=keys)
        keys |= ~positive
        keys += self.constant
        return keys

    def scores(self, keys: Keys) -> NDArray[Any]:
        """Read scores back from keys."""
        raw = np.subtract(self.constant, keys) if self.falls else np.subtract(keys, self.constant)
        raw >>= 1
        if self.whole:
            return np.uint64(self.highest % 2**64) - raw.astype(np.uint64)
        values = raw.view(self.score.dtype)
        return np.negative(values, out=values) if self.below_zero else values


def odd(keys: Keys) -> NDArray[np.bool_]:
    """Mark the negatives."""
    low = keys.astype(np.uint8)
    low &= 1
    return low.view(bool)


def ranges(score: NDArray[Any], positive: NDArray[np.bool_]) -> list[ScoreRange] | None:
    """Cut the scores into ranges, highest first, each to be sorted by itself; None if no key can hold them.

    Floats are cut at zero, where the sign changes, and large inputs into as many ranges as there are
    threads, at quantiles of a sample. Ranges do not overlap, so their results need only be joined.
    """
    kind, size = score.dtype.kind, score.dtype.itemsize
    low, high = score.min(), score.max()
    if (kind == "f" and size > 8) or (kind in "iu" and int(high) - int(low) >= 2**63):
        return None
    if kind == "f" and size == 2:
        score, low, high = (v.astype(np.float32) for v in (score, low, high))
    parts = min(_threads.get_threads(), len(score) // _threads.ROWS_PER_THREAD)
    cuts = {score.dtype.type(0)} if kind == "f" and low < 0 <= high else set()
    if parts > 1:
        sample = np.sort(score[:: max(1, len(score) // (SAMPLE * parts))])
        cuts |= set(sample[np.arange(1, parts) * len(sample) // parts])
    # a cut at the lowest score would leave an empty range below it
    edges = [None, *sorted((cut for cut in cuts if cut > low), reverse=True), None]
    return [ScoreRange(score, positive, bottom, top, (low, high)) for top, bottom in pairwise(edges)]


def _magnitude(value: Any) -> int:
    """Return the bits of a float without its sign."""
    unsigned = np.uint32 if value.dtype.itemsize == 4 else np.uint64
    return int(np.abs(value).view(unsigned))

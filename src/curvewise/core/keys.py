"""Scores and labels as one sortable number each.

A float of one sign keeps its order when its bits are read as an integer. Shifting them left by one
drops the sign (and makes -0.0 equal 0.0) and leaves the lowest bit free: it carries the label.
Keys rise as scores fall, and a positive's key is even, so positives come first within a tie.
Whole scores are coded by their distance from the highest. One plain sort of the keys then sorts
scores and labels together, with no argsort. 64-bit keys are sorted as floats where they all
read as normal positive ones, which is how the fastest sort of a 64-bit number is reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.core import threads as _threads

Keys = NDArray[Any]  # uint32 or uint64

CHUNK = 1 << 18  # rows a step: small enough for the cache, large enough that threads seldom meet
SAMPLE = 1000  # scores looked at for each range to be cut
SMALLEST_NORMAL, INFINITY = 1 << 52, 0x7FF << 52  # bits of float64


class ScoreRange:
    """The rows with bottom <= score < top (None: no limit), and how they become keys and back.

    ``ends`` are known bounds of the scores inside; the closer they are, the narrower the keys.
    """

    def __init__(
        self,
        score: NDArray[Any],
        positive: NDArray[np.bool_],
        bottom: Any,
        top: Any,
        ends: tuple[Any, Any],
    ) -> None:
        self.score, self.positive, self.bottom, self.top = score, positive, bottom, top
        low, high = ends
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
        self.key_type: Any = np.uint32 if (score.dtype.itemsize == 4 or self.whole) and span < 2**32 else np.uint64
        self.as_float = self.key_type is np.uint64 and SMALLEST_NORMAL + span < INFINITY
        start = SMALLEST_NORMAL if self.as_float else 0  # mutants: work
        self.constant = self.key_type(
            (2 * last + 1 + start if self.falls else start - 2 * first) % 2 ** (8 * np.dtype(self.key_type).itemsize)
        )

    def sorted_keys(self) -> Keys:
        """Take the rows of this range and sort their keys."""
        everything = self.bottom is None and self.top is None
        inside = len if everything else lambda score: int(np.count_nonzero(self._inside(score)))
        chunks = list(slices(len(self.score)))
        keys: Keys = np.empty(sum(inside(self.score[here]) for here in chunks), dtype=self.key_type)
        start = 0
        for here in chunks:
            score, positive = self.score[here], self.positive[here]
            if not everything:
                rows = np.flatnonzero(self._inside(score))
                score, positive = score.take(rows), positive.take(rows)
            self._pack(score, positive, keys[start : start + len(score)])
            start += len(score)
        (keys.view(np.float64) if self.as_float else keys).sort()
        return keys

    def _inside(self, score: NDArray[Any]) -> NDArray[np.bool_]:
        inside: NDArray[np.bool_] = score < self.top if self.bottom is None else score >= self.bottom
        if self.bottom is not None and self.top is not None:
            inside &= score < self.top
        return inside

    def _pack(self, score: NDArray[Any], positive: NDArray[np.bool_], out: Keys) -> None:
        if self.whole:
            # two's complement: right modulo 2^64 for signed and unsigned scores alike
            out[:] = np.uint64(self.highest % 2**64) - score.astype(np.uint64)
            out <<= 1
        else:
            np.left_shift(np.ascontiguousarray(score).view(self.key_type), 1, out=out)
        if self.falls:
            out |= positive
            np.subtract(self.constant, out, out=out)
        else:
            out |= ~positive
            out += self.constant

    def read_scores(self, keys: Keys, out: NDArray[Any]) -> None:
        """Read scores back from keys."""
        same_size = out.dtype.itemsize == keys.dtype.itemsize
        raw = out.view(keys.dtype) if same_size else np.empty_like(keys)
        if self.falls:
            np.subtract(self.constant, keys, out=raw)
        else:
            np.subtract(keys, self.constant, out=raw)
        raw >>= 1
        if self.whole:
            out[:] = (np.uint64(self.highest % 2**64) - raw.astype(np.uint64)).astype(out.dtype)
        elif not same_size:
            out[:] = raw.view(np.float32)  # float16 was widened
        if not self.whole and self.below_zero:
            np.negative(out, out=out)


def slices(n: int) -> Iterator[slice]:
    """Yield pieces of n rows that fit the cache, so that each step finds there what the last one wrote."""
    return (slice(start, min(start + CHUNK, n)) for start in range(0, n, CHUNK))


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
    zero = score.dtype.type(0)
    crosses = kind == "f" and bool(low < 0 <= high)
    nearest = min(np.abs(score[here]).min() for here in slices(len(score))) if crosses else zero
    # a cut at the lowest score would leave an empty range below it
    edges = [None, *(cut for cut in _cuts(score, crosses=crosses) if cut > low), None]
    limits = []
    for top, bottom in pairwise(edges):
        least = low if bottom is None else nearest if crosses and bottom == 0 else bottom
        most = high if top is None else -nearest if crosses and top == 0 else top
        limits.append(ScoreRange(score, positive, bottom, top, (least, most)))
    return limits


def _cuts(score: NDArray[Any], *, crosses: bool) -> list[Any]:
    """Return falling scores at which to cut: quantiles of a sample, and zero where scores cross it."""
    parts = min(_threads.get_threads(), len(score) // _threads.ROWS_PER_THREAD)
    cuts: set[Any] = set()
    if parts > 1:  # mutants: no cut
        sample = np.sort(score[:: max(1, len(score) // (SAMPLE * parts))])
        places = np.arange(1, parts) * len(sample) // parts
        if crosses:  # zero will do instead of a quantile close by
            away = np.abs(places - np.searchsorted(sample, 0))
            places = places[away > len(sample) / (4 * parts)]
        cuts = set(sample[places])
    if crosses:
        cuts.add(score.dtype.type(0))
    return sorted(cuts, reverse=True)


def _magnitude(value: Any) -> int:
    """Return the bits of a float without its sign."""
    unsigned = np.uint32 if value.dtype.itemsize == 4 else np.uint64
    return int(np.abs(value).view(unsigned))

"""Many columns of scores sorted together: per column the counts that areas and tests of ranks are read from.

A piece of columns is a matrix of keys, one line per column: the place of the score in the high bits, the code of the
row's class in the low ones. One sort of the lines serves every class against any others. A line of a sparse matrix
holds what is stored, then zeros; all other rows are tied with these, and are added to the counts afterwards.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Bools, Floats, Ints, Places
from curvewise.core.rate import PRIOR_DEGREES, averaged
from curvewise.core.sweep import Sweep
from curvewise.inference.many_intervals import areas_of, degrees_of_many
from curvewise.inference.pivots import KNOWN_BY_LOSS, LEAST_KNOWN, ends_of_share, expected_of_share

EXACT_SIDE, EXACT_TIED = 8, 30  # rows of the smaller class, and of both where scores tie, up to which p is exact
Sides = tuple[Floats, Floats]  # positives and negatives of each line


@dataclass(frozen=True)
class Contrast:
    """One class against others: which codes of rows are positive, and which take part."""

    positive: Bools
    inside: Bools


class Lines:
    """The sorted lines of a piece: codes of rows in order of the score, most positive first, and the ends of ties.

    ``totals`` holds for each code how many rows a column of a sparse matrix has; what is not stored is zero.
    """

    def __init__(
        self,
        values: NDArray[Any],
        code: NDArray[np.uint16],
        codes: int,
        *,
        falling: bool = True,
        totals: Ints | None = None,
    ) -> None:
        bits = max(codes - 1, 1).bit_length()
        placed, highest = placed_in_order(values, 1 << (63 - bits))
        if falling:
            np.subtract(highest, placed, out=placed)
        whole = (highest + 1) << bits  # more than any key
        keys: Ints = placed.astype(np.uint16 if whole <= 1 << 16 else np.uint32 if whole <= 1 << 32 else np.uint64)
        at_zero = keys[:, -1:].copy()
        keys <<= bits
        keys |= code.astype(keys.dtype)
        keys.sort(axis=1)
        self.code: Ints = (keys & ((1 << bits) - 1)).astype(np.uint8 if codes <= 256 else np.uint16)
        keys >>= bits
        last = np.ones(keys.shape, dtype=bool)
        np.not_equal(keys[:, 1:], keys[:, :-1], out=last[:, :-1])
        self.ends: Places = np.flatnonzero(last)
        self.start: Places = np.concatenate([[0], np.cumsum(np.count_nonzero(last, axis=1))[:-1]])
        self.totals, self.width, self._known = totals, keys.shape[1], dict[bytes, Ints]()
        self.has_outside = bool((self.code == codes - 1).any())
        if totals is not None:  # the block of zeros in each line
            before = np.count_nonzero(keys < at_zero, axis=1)
            self.zero = np.searchsorted(self.ends, np.arange(len(keys)) * keys.shape[1] + before)

    @cached_property
    def line(self) -> Places:
        """The line of each block."""
        return np.repeat(np.arange(len(self.start)), np.diff(self.start, append=len(self.ends)))

    @property
    def last(self) -> Places:
        """The last block of each line."""
        return np.append(self.start[1:], len(self.ends)) - 1

    def counts(self, contrast: Contrast) -> Counts:
        """Count the positives and the negatives of a contrast at or above each block."""
        tp, rows = self._cumulated(contrast.positive), self._inside(contrast.inside.tobytes())
        fp = rows - tp
        return Counts(tp, fp, self.start, (tp[self.last].astype(np.float64), fp[self.last].astype(np.float64)))

    def _inside(self, inside: bytes) -> Ints:
        """Count the rows that take part; the same for each class against all others."""
        if inside not in self._known:
            self._known[inside] = self._cumulated(np.frombuffer(inside, dtype=bool))
        return self._known[inside]

    def _cumulated(self, side: Bools) -> Ints:
        counts: Ints = self.ends + (1 - self.width * self.line)  # all rows
        if self.has_outside or not side[:-1].all():
            each = np.cumsum(side.view(np.uint8).take(self.code), axis=1, dtype=np.int32)
            counts = each.take(self.ends).astype(np.int64)
        if self.totals is not None:
            absent = (
                self.totals @ side - counts[self.last]
            )  # rows that are not stored, less the zeros that stand for them
            if (self.zero == self.last).all():
                counts[self.last] += absent
            else:
                counts += absent[self.line] * (np.arange(len(counts)) >= self.zero[self.line])
        return counts


@dataclass(frozen=True)
class Counts:
    """Sweeps of columns side by side: counts at or above each block, and where each column begins."""

    tp: Ints
    fp: Ints
    start: Places
    sides: Sides

    def areas(self) -> tuple[Floats, Floats, Floats]:
        """Return AUC, its variance and degrees of freedom; NaN where a class is absent."""
        return areas_of(self.tp, self.fp, self.start, *self.sides)

    @property
    def blocks(self) -> Ints:
        """How many rows tie in each block."""
        rows = self.tp + self.fp
        found = np.diff(rows, prepend=0)
        found[self.start] = rows[self.start]
        return found

    def sweep(self, line: int) -> Sweep:
        """Return the sweep of one column; its thresholds are the places of its blocks."""
        here = slice(self.start[line], np.append(self.start, len(self.tp))[line + 1])
        tp, fp = self.tp[here], self.fp[here]
        return Sweep(-np.arange(float(len(tp))), tp, fp, tp[-1].item(), fp[-1].item())

    def p_values(self, auc: Floats) -> Floats:
        """Return p of ranks being alike in both classes: Mann and Whitney's test.

        Normal with corrections for ties and continuity; exact where a class has at most 8 rows (and all rows are at
        most 30, if scores tie).
        """
        from scipy.special import ndtr  # noqa: PLC0415 - slow to load

        (p, n), sizes = self.sides, self.blocks
        tied = np.flatnonzero(sizes > 1)
        cubes = sizes[tied].astype(np.float64) ** 3 - sizes[tied]
        rows, of = p + n, np.searchsorted(self.start, tied, side="right") - 1
        ties = np.bincount(of, cubes, len(p))
        with np.errstate(divide="ignore", invalid="ignore"):
            error = np.sqrt(p * n / 12 * (rows + 1 - ties / (rows * (rows - 1))))
            away = np.abs(auc - 0.5) * p * n - 0.5
            found = np.where(error > 0, np.minimum(2 * ndtr(-away / error), 1.0), 1.0)
        few = (np.minimum(p, n) <= EXACT_SIDE) & ((ties == 0) | (rows <= EXACT_TIED)) & (np.minimum(p, n) > 0)
        ends = np.append(self.start[1:], len(sizes))
        for k in np.flatnonzero(few):
            own, side = sizes[self.start[k] : ends[k]], int(min(p[k], n[k]))
            chances = chances_of_wins(tuple(own[own > 0][::-1].tolist()) if ties[k] else int(rows[k]), side)
            wins = round(2 * auc[k] * p[k] * n[k])
            wins = wins if p[k] <= n[k] else len(chances) - 1 - wins  # of the smaller class
            found[k] = min(1.0, 2 * min(chances[: wins + 1].sum(), chances[wins:].sum()))
        return np.where(np.isnan(auc), math.nan, found)

    def precisions(self, level: float) -> tuple[Floats, Floats, Floats]:
        """Return average precision and its score interval, as `pivots.ScorePivot` finds it."""
        from scipy.special import stdtrit  # noqa: PLC0415 - slow to load

        (p, n), start = self.sides, self.start
        of = np.repeat(np.arange(len(start)), np.diff(start, append=len(self.tp)))
        tp, flagged = self.tp.astype(np.float64), (self.tp + self.fp).astype(np.float64)
        pos = np.diff(self.tp, prepend=0)
        pos[start] = self.tp[start]
        neg = self.blocks - pos

        def later(each: Floats) -> Floats:  # summed over this block and all below it in the column
            whole = np.cumsum(each)
            return np.append(whole[start[1:] - 1], whole[-1:])[of] - whole + each

        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.add.reduceat(pos * (tp / flagged), start) / p
            worse = np.add.reduceat(pos * (tp / (flagged + 0.5)), start) / p  # with half a negative above all
            gains = (tp / flagged - value[of] + later(pos * self.fp / flagged**2)) / p[of]
            losses = later(pos * tp / flagged**2) / p[of]
            squares = [(pos, gains**2), (neg, losses**2)]
            sums = [np.add.reduceat(k * s, start) for k, square in squares for s in (square, square**2)]
            variance, degrees = degrees_of_many(sums, p, n)
            inside = np.minimum((value * p + 0.5) / (p + 1), np.nextafter(1.0, 0.0))
            expected = expected_of_share(p)(inside)
            lost = p * np.minimum(value, 1 - value)
            known = np.minimum(degrees, LEAST_KNOWN + KNOWN_BY_LOSS * lost**2)
            times = averaged(1.0, variance / expected, known)
            reach = stdtrit(known + PRIOR_DEGREES, (1 + level) / 2) ** 2 * times
            low, high = ends_of_share(np.minimum(worse, value), value, reach, p)
        return value, np.maximum(low, 0.0), np.minimum(high, 1.0)


@lru_cache(maxsize=4096)
def chances_of_wins(tied: tuple[int, ...] | int, side: int) -> Floats:
    """Return how likely each number of doubled wins of one class is, of so many rows, if every order is as likely.

    ``tied`` are the sizes of blocks of tied rows, from the least score on, or the number of rows that do not tie. These
    have the generating function of Gaussian binomials; blocks are added one by one (Streitberg & Roehmel 1986).
    """
    rows = tied if isinstance(tied, int) else sum(tied)
    most = 2 * side * (rows - side)
    if isinstance(tied, int):
        wins = np.zeros(most // 2 + 1)
        wins[0] = 1.0
        for k in range(1, side + 1):  # times (1 - q^(rows - side + k)) / (1 - q^k)
            shift = rows - side + k
            wins[shift:] -= wins[: max(len(wins) - shift, 0)].copy()
            for first in range(k):
                wins[first::k] = np.cumsum(wins[first::k])
        chances = np.zeros(most + 1)
        chances[::2] = np.minimum(wins, wins[::-1])  # alike but for rounding, of which the end has more
        return chances / math.comb(rows, side)
    ways = np.zeros((side + 1, most + 1))
    ways[0, 0], before = 1.0, 0
    for size in tied:  # each taken row wins against those below that are not taken, and half of those tied
        added = np.zeros_like(ways)
        for taken in range(min(size, side) + 1):
            for old in range(min(before, side - taken) + 1):
                more = taken * (2 * (before - old) + size - taken)
                if more <= most:
                    added[old + taken, more:] += math.comb(size, taken) * ways[old, : most + 1 - more]
        ways, before = added, before + size
    return np.asarray(ways[side] / math.comb(rows, side))


def placed_in_order(values: NDArray[Any], most: int) -> tuple[NDArray[np.int64], int]:
    """Return whole numbers from 0 in the order of the values, equal where these are, and the largest of them.

    The bits of a float without its sign are in the order of its size. The sizes between 0 and the least that occurs are
    left out, so that there is room for the code of a row; where there is none, values are numbered instead.
    """
    kind, width = values.dtype.kind, values.dtype.itemsize
    if kind == "f" and width <= 8:
        values = values if width > 2 else values.astype(np.float32)
        bits: Any = np.int64 if width == 8 else np.int32
        size = (values.view(bits) & np.iinfo(bits).max).astype(np.int64, copy=False)
        size -= np.minimum(size, int((size - 1).view(np.uint64).min()))
        if (values < 0).any():
            np.negative(size, out=size, where=values < 0)
        low, high = int(size.min()), int(size.max())
        if high - low < most:
            size -= low
            return size, high - low
    elif kind in "biu":
        low, high = int(values.min()), int(values.max())
        if high - low < most and high < 2**63:
            return values.astype(np.int64) - low, high - low
    unique, place = np.unique(values, return_inverse=True)
    return place.reshape(values.shape), len(unique) - 1


def false_discovery(p_values: Floats) -> Floats:
    """Return p-values corrected by Benjamini and Hochberg for the share of false discoveries; NaN is no test."""
    corrected = p_values.copy()
    there = np.flatnonzero(~np.isnan(p_values.ravel()))
    order = there[np.argsort(p_values.ravel()[there], kind="stable")[::-1]]
    steps = p_values.ravel()[order] * len(order) / np.arange(len(order), 0, -1)
    corrected.ravel()[order] = np.minimum(np.minimum.accumulate(steps), 1.0)
    return corrected

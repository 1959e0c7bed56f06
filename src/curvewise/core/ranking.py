"""Rows sorted once, then counted with any labels and weights: resamples, groups, permutations, placements."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.core import keys
from curvewise.core.row_order import order_rows
from curvewise.core.threads import in_threads

Counts = NDArray[Any]  # int64, or float64 where weights are fractional

MOST_EXACT = 2**32  # of whole weights: the pairs of less do not overflow 64 bits, doubled


@dataclass(frozen=True, eq=False)
class Ranking:
    """The blocks of tied scores, most positive first.

    ``order`` are the rows from the most positive one on, ``tied`` the places in that order whose score is that of the
    next, ``score`` the scores in the order in which the rows came.
    """

    order: NDArray[Any]
    tied: NDArray[np.intp]
    score: NDArray[Any]

    def __len__(self) -> int:
        return len(self.order) - len(self.tied)

    @cached_property
    def ends(self) -> NDArray[np.intp]:
        """The places in the order where a block ends."""
        if not len(self.tied):
            return np.arange(len(self.order))
        is_last = np.ones(len(self.order), dtype=bool)
        is_last[self.tied] = False
        return np.flatnonzero(is_last)

    @cached_property
    def threshold(self) -> NDArray[Any]:
        """The score of each block."""
        scores = taken(self.score, self._at_ends(self.order))
        scores += scores.dtype.type(0)  # -0.0 is 0.0
        return scores

    @cached_property
    def ranked_score(self) -> NDArray[Any]:
        """The score of each row, in ranked order."""
        return self._spread(self.threshold)

    @cached_property
    def block(self) -> NDArray[Any]:
        """The block of each row, in the order in which the rows came."""
        small = np.int32 if len(self) < np.iinfo(np.int32).max else np.intp
        return self._by_row(self._spread(np.arange(len(self), dtype=small)))

    def joined(self, last: NDArray[np.intp]) -> Ranking:
        """Return the same order with blocks joined to bins, each of which ends with one of the ``last`` blocks."""
        is_tied = np.ones(len(self.order), dtype=bool)
        is_tied[self.ends[last]] = False
        return replace(self, tied=np.flatnonzero(is_tied))

    def cumulated(self, values: Counts) -> Counts:
        """Return the sum of a value per row over all rows up to the end of each block."""
        return self._at_ends(np.cumsum(taken(values, self.order)))

    def cumulated_counts(self, positive: NDArray[np.bool_], weight: Counts | None) -> tuple[Counts, Counts]:
        """Return true and false positives at each threshold."""
        is_positive = taken(positive, self.order)
        if weight is None:
            tp = self._at_ends(np.cumsum(is_positive, dtype=np.int64))
            fp = np.empty_like(tp)

            def write(here: slice) -> None:
                last = self.ends[here] if len(self.tied) else np.arange(here.start, here.stop)
                np.subtract(last, tp[here], out=fp[here])
                fp[here] += 1

            in_threads(write, list(keys.slices(len(tp))), len(tp))
            return tp, fp
        weights = taken(weight, self.order)
        tp = self._at_ends(np.cumsum(weights * is_positive))
        np.logical_not(is_positive, out=is_positive)
        weights *= is_positive
        return tp, self._at_ends(np.cumsum(weights, out=weights))

    def weighted_wins(self, positive: NDArray[np.bool_], weight: Counts) -> tuple[Any, Any, Any]:
        """Return the weights of positives, of negatives and of their pairs: 2 for a positive above, 1 for a tie.

        Summed piece by piece, with no cumulated weights; pieces end where blocks do. Whole weights are counted exactly
        if their sum is below `MOST_EXACT`.
        """

        def piece(bounds: tuple[int, int]) -> tuple[Any, Any, Any]:
            """Return the weights of both classes and of their pairs within a piece."""
            rows = self.order[slice(*bounds)]
            down, is_positive = weight.take(rows), positive.take(rows)
            up = down * is_positive
            down -= up
            if len(self.tied):
                first, last = np.searchsorted(self.ends, bounds)
                starts = np.append(bounds[0], self.ends[first : last - 1] + 1) - bounds[0]
                up, down = np.add.reduceat(up, starts), np.add.reduceat(down, starts)
            above = np.cumsum(up)
            positives, negatives = above[-1].item(), down.sum().item()
            above *= 2
            above -= up  # doubled, up to the middle of each block
            above *= down
            return positives, negatives, above.sum().item()

        stops = [here.stop for here in keys.slices(len(self.order))]
        if len(self.tied):
            stops = np.unique(self.ends[np.searchsorted(self.ends, np.array(stops) - 1)] + 1).tolist()
        pieces = in_threads(piece, list(pairwise([0, *stops])), len(self.order))
        total = sum if weight.dtype.kind == "i" else math.fsum
        positives, negatives, wins = (list(each) for each in zip(*pieces, strict=True))
        before = [0, *np.cumsum(positives).tolist()]
        wins += [2 * up * down for up, down in zip(before, negatives, strict=False)]
        return total(positives), total(negatives), total(wins)

    def placements(self, positive: NDArray[np.bool_], weight: Counts | None = None) -> NDArray[np.float64]:
        """Return for each row the share of the other class that it outranks (a positive) or is outranked by."""
        tp, fp = self.cumulated_counts(positive, weight)
        block = self._spread(np.arange(len(self), dtype=np.int32)) if len(self.tied) else None
        placed = np.empty(len(self.order))

        def write(here: slice) -> None:
            blocks = here if block is None else slice(int(block[here.start]), int(block[here.stop - 1]) + 1)
            above, below = _middle(tp, blocks), fp[-1] - _middle(fp, blocks)
            above /= tp[-1]
            below /= fp[-1]
            if block is not None:
                inside = block[here] - blocks.start
                above, below = above.take(inside), below.take(inside)
            rows = self.order[here]
            np.copyto(above, below, where=positive.take(rows))
            placed[rows] = above

        in_threads(write, list(keys.slices(len(placed))), len(placed))
        return placed

    def doubled_wins(
        self, label: NDArray[np.intp], label_above: int, labels: int, weight: Counts | None = None
    ) -> Counts:
        """Count pairs of a row labelled ``own`` and a row of each label: 2 for own above, 1 for a tie."""
        rows = np.ones(len(label), dtype=np.int64) if weight is None else weight
        tp = self.cumulated(np.where(label == label_above, rows, 0))
        above = 2 * tp - np.diff(tp, prepend=0)
        return np.bincount(label, above[self.block] * rows, labels)

    def _at_ends(self, values: Counts) -> Counts:
        """Return the values at the ends of blocks; values are in ranked order."""
        return taken(values, self.ends) if len(self.tied) else values

    def _spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return a value per block for each of its rows, in ranked order."""
        return np.repeat(values, np.diff(self.ends, prepend=-1)) if len(self.tied) else values

    def _by_row(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values in ranked order in the order in which the rows came."""
        by_row = np.empty_like(values)

        def write(here: slice) -> None:
            by_row[self.order[here]] = values[here]

        in_threads(write, list(keys.slices(len(values))), len(values))
        return by_row


def rank(score: NDArray[Any], *, falling: bool = True) -> Ranking:
    """Sort one column of scores; with ``falling`` the highest is the most positive."""
    return Ranking(*order_rows(score, falling=falling), score)


def taken(values: NDArray[Any], places: NDArray[Any]) -> NDArray[Any]:
    """Return the values at places all over an array, in threads: it is waiting for memory that takes the time."""
    there = np.empty(len(places), dtype=values.dtype)

    def write(here: slice) -> None:
        values.take(places[here], out=there[here], mode="clip")  # the places are right; "raise" would copy

    in_threads(write, list(keys.slices(len(places))), len(places))
    return there


def _middle(cumulated: Counts, here: slice) -> Counts:
    """Return the sums up to the middle of each block of a piece."""
    middle: Counts = cumulated[here].astype(np.float64)
    middle[1:] += cumulated[here][:-1]
    if here.start:
        middle[0] += cumulated[here.start - 1]
    middle /= 2
    return middle

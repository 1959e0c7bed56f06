"""Rows sorted once, then counted with any labels and weights: resamples, groups, permutations, placements."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[Any]  # int64, or float64 where weights are fractional


@dataclass(frozen=True, eq=False)
class Ranking:
    """The blocks of tied scores, most positive first.

    ``order`` are the rows from the most positive one on, ``ends`` the places in that order where a block ends,
    ``threshold`` the score of each block.
    """

    order: NDArray[Any]
    ends: NDArray[np.intp]
    threshold: NDArray[Any]

    def __len__(self) -> int:
        return len(self.threshold)

    @cached_property
    def block(self) -> NDArray[Any]:
        """The block of each row, in the order in which the rows came."""
        small = np.int32 if len(self) < np.iinfo(np.int32).max else np.intp
        found = np.empty(len(self.order), dtype=small)
        found[self.order] = np.repeat(np.arange(len(self), dtype=small), np.diff(self.ends, prepend=-1))
        return found

    def cumulated(self, values: Counts) -> Counts:
        """Return the sum of a value per row over all rows up to the end of each block."""
        summed: Counts = np.cumsum(values[self.order])[self.ends]
        return summed

    def cumulated_counts(self, positive: NDArray[np.bool_], weight: Counts | None) -> tuple[Counts, Counts]:
        """Return true and false positives at each threshold."""
        if weight is None:
            tp = np.cumsum(positive[self.order], dtype=np.int64)[self.ends]
            return tp, self.ends + 1 - tp
        return self.cumulated(np.where(positive, weight, 0)), self.cumulated(np.where(positive, 0, weight))

    def placements(self, positive: NDArray[np.bool_], weight: Counts | None = None) -> NDArray[np.float64]:
        """Return for each row the share of the other class that it outranks (a positive) or is outranked by."""
        tp, fp = self.cumulated_counts(positive, weight)
        pos, neg = np.diff(tp, prepend=0), np.diff(fp, prepend=0)
        above, below = tp - pos / 2, fp[-1] - fp + neg / 2
        placed: NDArray[np.float64] = np.where(positive, (below / fp[-1])[self.block], (above / tp[-1])[self.block])
        return placed

    def doubled_wins(self, label: NDArray[np.intp], own: int, labels: int, weight: Counts | None = None) -> Counts:
        """Count pairs of a row labelled ``own`` and a row of each label: 2 for own above, 1 for a tie."""
        rows = np.ones(len(label), dtype=np.int64) if weight is None else weight
        tp = self.cumulated(np.where(label == own, rows, 0))
        above = 2 * tp - np.diff(tp, prepend=0)
        return np.bincount(label, above[self.block] * rows, labels)


def rank(score: NDArray[Any], *, falling: bool = True) -> Ranking:
    """Sort one column of scores; with ``falling`` the highest is the most positive."""
    order = np.argsort(score)
    if falling:
        order = order[::-1]
    if len(score) < np.iinfo(np.int32).max:
        order = order.astype(np.int32)
    ranked = score[order]
    ends = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)
    return Ranking(order, ends, ranked[ends] + ranked.dtype.type(0))  # -0.0 is 0.0

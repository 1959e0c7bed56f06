"""Rows sorted once, then counted with any labels and weights: resamples, groups, permutations, placements."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.row_order import order_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[Any]  # int64, or float64 where weights are fractional


@dataclass(frozen=True, eq=False)
class Ranking:
    """The blocks of tied scores, most positive first.

    ``order`` are the rows from the most positive one on, ``ends`` the places in that order where a block ends,
    ``score`` the scores in the order in which the rows came.
    """

    order: NDArray[Any]
    ends: NDArray[np.intp]
    score: NDArray[Any]

    def __len__(self) -> int:
        return len(self.ends)

    @cached_property
    def threshold(self) -> NDArray[Any]:
        """The score of each block."""
        found: NDArray[Any] = self.score.take(self._at_ends(self.order))
        found += found.dtype.type(0)  # -0.0 is 0.0
        return found

    @cached_property
    def block(self) -> NDArray[Any]:
        """The block of each row, in the order in which the rows came."""
        small = np.int32 if len(self) < np.iinfo(np.int32).max else np.intp
        return self._by_row(self._spread(np.arange(len(self), dtype=small)))

    def cumulated(self, values: Counts) -> Counts:
        """Return the sum of a value per row over all rows up to the end of each block."""
        return self._at_ends(np.cumsum(values.take(self.order)))

    def cumulated_counts(self, positive: NDArray[np.bool_], weight: Counts | None) -> tuple[Counts, Counts]:
        """Return true and false positives at each threshold."""
        is_positive = positive.take(self.order)
        if weight is None:
            tp = self._at_ends(np.cumsum(is_positive, dtype=np.int64))
            return tp, self.ends + 1 - tp
        own = weight.take(self.order)
        tp = self._at_ends(np.cumsum(own * is_positive))
        np.logical_not(is_positive, out=is_positive)
        own *= is_positive
        return tp, self._at_ends(np.cumsum(own, out=own))

    def placements(self, positive: NDArray[np.bool_], weight: Counts | None = None) -> NDArray[np.float64]:
        """Return for each row the share of the other class that it outranks (a positive) or is outranked by."""
        tp, fp = self.cumulated_counts(positive, weight)
        above, below = self._spread(_middle(tp) / tp[-1]), self._spread((fp[-1] - _middle(fp)) / fp[-1])
        np.copyto(above, below, where=positive.take(self.order))
        return self._by_row(above)

    def doubled_wins(self, label: NDArray[np.intp], own: int, labels: int, weight: Counts | None = None) -> Counts:
        """Count pairs of a row labelled ``own`` and a row of each label: 2 for own above, 1 for a tie."""
        rows = np.ones(len(label), dtype=np.int64) if weight is None else weight
        tp = self.cumulated(np.where(label == own, rows, 0))
        above = 2 * tp - np.diff(tp, prepend=0)
        return np.bincount(label, above[self.block] * rows, labels)

    def _at_ends(self, values: Counts) -> Counts:
        """Return the values at the ends of blocks; values are in ranked order."""
        return values if len(self.ends) == len(self.order) else values.take(self.ends)

    def _spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return a value per block for each of its rows, in ranked order."""
        return values if len(self) == len(self.order) else np.repeat(values, np.diff(self.ends, prepend=-1))

    def _by_row(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values in ranked order in the order in which the rows came."""
        found = np.empty_like(values)
        found[self.order] = values
        return found


def rank(score: NDArray[Any], *, falling: bool = True) -> Ranking:
    """Sort one column of scores; with ``falling`` the highest is the most positive."""
    return Ranking(*order_rows(score, falling=falling), score)


def _middle(cumulated: Counts) -> Counts:
    """Return the sums up to the middle of each block."""
    middle: Counts = cumulated.astype(np.float64)
    middle[1:] += cumulated[:-1]
    middle /= 2
    return middle

"""One sort for all groups: rows are ranked once, then dealt to their groups in that order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.sweep import Sweep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.rows.reading import Rows


def ranked(rows: Rows) -> tuple[Rows, NDArray[np.intp]]:
    """Return the rows in order, most positive first, and where each of them was."""
    order = np.argsort(rows.score)
    if rows.higher_is == "positive":
        order = order[::-1]
    return _taken(rows, order), order


@dataclass(frozen=True)
class Partition:
    """Ranked rows dealt to ``count`` groups: those of group g are ``place[start[g]:start[g + 1]]``."""

    rows: Rows
    code: NDArray[np.intp]
    count: int
    place: NDArray[np.intp]
    start: NDArray[np.intp]

    def rows_of(self, group: int) -> Rows:
        """Return the rows of one group, still in order."""
        return _taken(self.rows, self.place[self.start[group] : self.start[group + 1]])

    def rows_of_the_rest(self, group: int) -> Rows:
        """Return the rows of all other groups, still in order."""
        return _taken(self.rows, np.flatnonzero(self.code != group))

    def sweeps(self) -> list[Sweep]:
        """Return the sweep of each group, equal to one made of its rows alone."""
        rows, place, start = self.rows, self.place, self.start
        score, code = rows.score[place], self.code[place]
        ends = np.append(np.flatnonzero((score[1:] != score[:-1]) | (code[1:] != code[:-1])), len(score) - 1)
        threshold = score[ends] + score.dtype.type(0)  # -0.0 is 0.0
        first = np.searchsorted(ends, start)
        positive = rows.positive[place]
        weight = None if rows.weight is None else rows.weight[place]
        found = []
        for g in range(self.count):
            rows_here, blocks = slice(start[g], start[g + 1]), slice(first[g], first[g + 1])
            last = ends[blocks] - start[g]
            tp, fp = _counts(positive[rows_here], None if weight is None else weight[rows_here], last)
            found.append(
                Sweep(
                    threshold[blocks],
                    tp,
                    fp,
                    positives=tp[-1].item(),
                    negatives=fp[-1].item(),
                    weighted=rows.weight is not None,
                    round_to=rows.round_to,
                    higher_is=rows.higher_is,
                    backend=rows.backend,
                )
            )
        return found


def partition(rows: Rows, code: NDArray[np.intp], count: int) -> Partition:
    """Deal ranked rows to groups; a stable sort of small whole numbers takes one pass a byte."""
    small: Any = np.uint8 if count <= 2**8 else np.uint16 if count <= 2**16 else np.int64
    place = np.argsort(code.astype(small), kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(code, minlength=count))])
    return Partition(rows, code, count, place, start)


def without(whole: Sweep, part: Sweep) -> Sweep:
    """Return the sweep of the rows of ``whole`` that are not in ``part``: counts are subtracted."""
    rising = whole.higher_is == "negative"
    order = slice(None) if rising else slice(None, None, -1)
    at = np.searchsorted(whole.threshold[order], part.threshold)
    at = at if rising else len(whole.threshold) - 1 - at
    pos, neg = np.diff(whole.tp, prepend=0), np.diff(whole.fp, prepend=0)
    pos[at] -= np.diff(part.tp, prepend=0)
    neg[at] -= np.diff(part.fp, prepend=0)
    used = np.flatnonzero((pos + neg) > 0)
    tp, fp = np.cumsum(pos[used]), np.cumsum(neg[used])
    return replace(
        whole,
        threshold=whole.threshold[used],
        tp=tp,
        fp=fp,
        positives=tp[-1].item(),
        negatives=fp[-1].item(),
    )


def _counts(
    positive: NDArray[np.bool_], weight: NDArray[Any] | None, last: NDArray[np.intp]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Cumulate the positives and negatives of one group, up to the last row of each block."""
    if weight is None:
        tp = np.cumsum(positive, dtype=np.int64)[last]
        return tp, last + 1 - tp
    return np.cumsum(np.where(positive, weight, 0))[last], np.cumsum(np.where(positive, 0, weight))[last]


def _taken(rows: Rows, which: NDArray[np.intp]) -> Rows:
    return replace(
        rows,
        score=rows.score[which],
        positive=rows.positive[which],
        weight=None if rows.weight is None else rows.weight[which],
    )

"""Rows that come in pieces, counted exactly with as little memory as their scores allow.

Pieces with many ties are counted by score. Where most scores differ, a row is kept as one number of 64 bits, its score
and its label, and all rows are sorted in place at the end: the thresholds of the sweep take the place of the rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.core import packed
from curvewise.core.bins import Summary
from curvewise.core.keys import Keys, slices
from curvewise.core.sweep import Sweep

if TYPE_CHECKING:
    from curvewise.core.kernel import Counts

PIECE = 1 << 20  # rows looked at together
CROWDED = 1 << 26  # rows kept as numbers before they are counted once more, in case scores repeat after all


class ExactCounter:
    """Counts rows by score, however many scores there are."""

    def __init__(self) -> None:
        self._counted: list[Summary] = []
        self._waiting: list[tuple[NDArray[Any], NDArray[np.bool_]]] = []
        self._rows_waiting = 0
        self._keys: dict[bool, list[Keys]] = {True: [], False: []}  # of scores below zero, and of others
        self._rows_kept, self._crowded = 0, CROWDED
        self._dtype: np.dtype[Any] | None = None

    def add(self, score: NDArray[Any], positive: NDArray[np.bool_], weight: Counts | None = None) -> None:
        """Count more rows; the arrays may be used again afterwards."""
        # mutants: work
        if weight is not None or score.dtype not in packed.CODES or self._dtype not in (None, score.dtype):
            self._add_counts(Summary.of(score, positive, weight))
            return
        self._dtype = score.dtype
        if len(score) < PIECE:
            self._waiting.append((score.copy(), positive.copy()))
            self._rows_waiting += len(score)
            if self._rows_waiting >= PIECE:  # mutants: work
                self._settle()
            return
        for start in range(0, len(score), 2 * PIECE):
            here = slice(start, start + 2 * PIECE)
            self._keep_or_count(score[here], positive[here])

    def _settle(self) -> None:
        """Take in the rows that wait."""
        if self._waiting:
            score, positive = (np.concatenate(pieces) for pieces in zip(*self._waiting, strict=True))
            self._waiting, self._rows_waiting = [], 0
            self._keep_or_count(score, positive)

    def _keep_or_count(self, score: NDArray[Any], positive: NDArray[np.bool_]) -> None:
        """Count rows, or keep them as numbers where most of their scores differ."""
        keys = packed.sorted_keys(score, positive)
        if 2 * packed.distinct(keys) <= len(score):
            self._add_counts(_counted(keys))
            return
        for is_below, some in keys.items():
            if len(some):
                self._keys[is_below].append(some)
        self._rows_kept += len(score)
        if self._rows_kept >= self._crowded:
            self._count_kept()

    def _count_kept(self) -> None:
        """Count the rows kept so far if that saves much; else look again when there are twice as many."""
        keys = self._gathered()
        if 4 * packed.distinct(keys) <= self._rows_kept:
            self._add_counts(_counted(keys))
            self._rows_kept, self._crowded = 0, CROWDED
        else:
            self._keys = {is_below: [k] if len(k) else [] for is_below, k in keys.items()}
            self._crowded = 2 * self._rows_kept

    def _add_counts(self, summary: Summary) -> None:
        self._counted.append(summary)
        # as numbers are added by carrying: two of about one size become one of the next
        while len(self._counted) > 1 and len(self._counted[-1]) * 2 >= len(self._counted[-2]):  # mutants: work
            self._counted[-2:] = [Summary.total(self._counted[-2:])]

    def _gathered(self) -> dict[bool, Keys]:
        """Sort all rows kept as numbers; the pieces are given up one by one."""
        found = {}
        for is_below, pieces in self._keys.items():
            dtype = pieces[0].dtype if pieces else np.dtype(np.uint64)
            keys: Keys = np.empty(sum(map(len, pieces)), dtype=dtype)
            end = len(keys)
            while pieces:
                piece = pieces.pop()
                keys[end - len(piece) : end] = piece
                end -= len(piece)
            keys.sort()
            found[is_below] = keys
        return found

    def summary(self) -> Summary | None:
        """Return positives and negatives per score; None where no row came."""
        self._settle()
        if self._rows_kept:
            self._add_counts(_counted(self._gathered()))
            self._rows_kept = 0
        return Summary.total(self._counted) if self._counted else None

    def sweep(self, **facts: Any) -> Sweep | None:
        """Return the sweep of all rows, None where none came; ``facts`` say how rows were read. Ends the counting."""
        self._settle()
        if not self._counted and self._rows_kept and facts.get("higher_is", "positive") == "positive":
            gathered = self._gathered()
            if not len(gathered[True]):
                return _in_place(gathered[False], **facts)
            self._add_counts(_counted(gathered))
            self._rows_kept = 0
        summary = self.summary()
        return None if summary is None else Sweep.from_summary(summary, **facts)


def _counted(keys: dict[bool, Keys]) -> Summary:
    low, pos, neg = packed.counts(keys)
    return Summary(low, low, pos, neg)


def _in_place(keys: Keys, **facts: Any) -> Sweep:
    """Turn the sorted numbers of scores of 0 or more into thresholds, with the counts at or above each."""
    is_last = np.empty(len(keys), dtype=bool)
    for here in slices(len(keys)):
        some = keys[here.start : here.stop + 1] >> 1  # mutants: not read
        is_last[here.start : here.start + len(some) - 1] = some[1:] != some[:-1]
    is_last[-1] = True
    distinct = int(np.count_nonzero(is_last))
    tp, fp = np.empty(distinct, dtype=np.int64), np.empty(distinct, dtype=np.int64)
    written = positives = 0
    for here in slices(len(keys)):
        some = keys[here].copy()
        hits = np.cumsum(some & 1, dtype=np.int64)
        hits += positives
        positives = int(hits[-1])
        ends = np.flatnonzero(is_last[here])
        out = slice(written, written + len(ends))
        tp[out] = hits[ends]
        fp[out] = ends + (here.start + 1) - hits[ends]
        keys[out] = some[ends] >> 1  # never beyond the rows that were read
        written = out.stop
    threshold = packed.scores(keys[:distinct], is_below=False)
    return Sweep(threshold, tp, fp, tp[-1].item(), fp[-1].item(), **facts)

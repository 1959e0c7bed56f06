"""Whether the scores of folds differ more than chance explains: pooling compares rows of different folds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from curvewise.arrays import Floats, Places
from curvewise.errors import Note, note
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.breakdown.partition import Partition

ALARM = 0.01  # the p-value below which folds are said to differ


@dataclass(frozen=True, repr=False)
class FoldShift(Result, schema="fold_shift"):
    """A test that the scores of each class are distributed alike in all folds.

    ``fold`` is the one that differs most. NaN where ``reason`` says why. With repeats, the smallest p-value of any
    repeat times their number, with the statistic of that repeat.
    """

    statistic: float
    degrees: int
    p_value: float
    fold: str | None = None
    reason: Note | None = None

    @property
    def differs(self) -> bool:
        """Whether folds differ more than chance explains: p below 0.01."""
        return self.p_value < ALARM

    @property
    def table(self) -> Table:
        """One row."""
        return Table("", {k: [getattr(self, k)] for k in ("statistic", "degrees", "p_value", "fold")})

    def parts(self) -> list[Table | Note]:
        """Return the row, and why it is undefined where it is."""
        return [self.table, *([] if self.reason is None else [self.reason])]


def fold_shift(part: Partition, repeat: Places | None = None) -> FoldShift:
    """Test that folds have the same scores within each class (Kruskal-Wallis), in each repeat.

    Ranks are compared within the positives and within the negatives, so that neither the share of positives in a fold
    nor a monotone change of all scores matters. The two statistics are independent, and their sum is chi-square. Rows
    are taken as independent: with clusters, strata, sampling weights or censored outcomes there is no test.
    """
    rows = part.rows
    if not rows.is_plain or rows.horizon is not None:
        return FoldShift(math.nan, 0, math.nan, None, note("folds_not_tested"))
    repeat = np.zeros(len(rows), dtype=np.intp) if repeat is None else repeat
    found = [_of_repeat(part, np.flatnonzero(repeat == k)) for k in np.unique(repeat)]
    best = min(found, key=lambda shift: shift.p_value)
    p = min(best.p_value * len(found), 1.0)
    return FoldShift(best.statistic, best.degrees, p, best.fold)


def _of_repeat(part: Partition, here: Places) -> FoldShift:
    from scipy.special import chdtrc  # noqa: PLC0415 - slow to load

    rows, folds, block = part.rows, part.category, part.ranking.block[here]
    code, positive = folds.code[here], rows.positive[here]
    weight = np.ones(len(here)) if rows.weight is None else rows.weight[here].astype(np.float64)
    away, degrees = np.zeros(len(folds)), 0
    for own in (positive, ~positive):
        each, free = _kruskal_wallis(block[own], code[own], weight[own], len(folds))
        away, degrees = away + each, degrees + free
    statistic = float(away.sum())
    p = float(chdtrc(degrees, statistic)) if degrees else 1.0
    return FoldShift(statistic, degrees, p, folds.names[int(np.argmax(away))])


def _kruskal_wallis(block: Places, fold: Places, weight: Floats, folds: int) -> tuple[Floats, int]:
    """Return what each fold adds to the statistic, (N - 1)·n(r̄ - r̄ of all)² / Σ(r - r̄ of all)², and the degrees."""
    size = np.bincount(block, weight)
    middle = (np.cumsum(size) - size / 2)[block]  # mid-ranks, but for a constant
    total = float(weight.sum())
    middle = middle - float(weight @ middle) / total if total else middle
    spread = float(weight @ middle**2)
    rows = np.bincount(fold, weight, folds)
    there = rows > 0
    if not spread:  # all scores are tied, or there are no rows
        return np.zeros(folds), 0
    sums = np.bincount(fold, weight * middle, folds)
    each = np.divide(sums**2, rows, out=np.zeros(folds), where=there)
    return (total - 1) * each / spread, int(there.sum()) - 1

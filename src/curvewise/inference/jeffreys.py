"""Intervals of numbers that the four counts at a threshold define, from Jeffreys' posterior of the counts.

The shares of the four cells are drawn from a Dirichlet distribution with half a row added to each cell, and the
number is read from each draw. The interval has equal tails. It holds for ratios and correlations alike, does not
collapse where a cell is empty, and its limits are numbers that the metric can have.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from curvewise.core.confusion import ALL, Confusion
from curvewise.core.rate import flagged_rows, units_and_weights
from curvewise.inference.influence import influences_of
from curvewise.inference.limits import critical_value
from curvewise.inference.pivots import Pivot
from curvewise.rows.seeds import random_stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from curvewise.core.registry import Bound
    from curvewise.core.sweep import Sweep
    from curvewise.rows.rows import Rows

    Floats = NDArray[np.float64]
    Ends = tuple[float, float]
    Rng = np.random.Generator | int | None

ADDED = 0.5  # rows to each cell: Jeffreys' prior
STEP = 1e-4  # of a row, to find derivatives


@dataclass(frozen=True)
class DrawnPivot(Pivot):
    """A number with draws of what it may be."""

    value: float
    drawn: Floats = field(repr=False)

    def ends(self, level: float) -> Ends:
        """Return quantiles of the draws, or the value where it lies beyond them, as at the end of its range."""
        low, high = np.quantile(self.drawn, [(1 - level) / 2, (1 + level) / 2]).tolist()
        return min(low, self.value), max(high, self.value)

    def p_below(self, null: float) -> float:
        """Return the share of draws at or above the null value; a half at least where the value is."""
        share = float(np.interp(null, self.drawn, np.linspace(1, 0, len(self.drawn))))
        least = 0.5 / len(self.drawn)  # no draw so far away does not mean that none can be
        share = min(max(share, least), 1 - least)
        return max(share, 0.5) if self.value >= null else share


def jeffreys(target: Bound, value: float, rows: Rows | None, sweep: Sweep, rng: Rng, replicates: int) -> DrawnPivot:
    """Return a number at a threshold with draws from the posterior of its four counts."""
    read = _reader(target)
    threshold = target.options["threshold"]
    cells = np.array([float(getattr(sweep.at(threshold), cell)) for cell in ALL])
    if rows is not None and not rows.is_plain:
        cells = _effective(rows, threshold, cells, read)
    shares = random_stream(rng).standard_gamma(cells + ADDED, (replicates, len(ALL)))
    return DrawnPivot(value, np.sort([read(row) for row in shares.tolist()]))


def _reader(target: Bound) -> Callable[[list[float]], float]:
    name = target.name

    def read(cells: list[float]) -> float:
        tp, fp, fn, tn = cells
        return float(getattr(Confusion(tp, fp, fn, tn), name))

    return read


def _effective(rows: Rows, threshold: float, cells: Floats, read: Callable[[list[float]], float]) -> Floats:
    """Return the counts of as many independent rows as clustered or weighted rows are worth for this number.

    That is the variance which independent rows would give it, over the one that clusters or weights do, both by
    derivatives (delta method), times the square of normal over t quantile where few units tell the latter.
    """
    flagged, positive = flagged_rows(rows, threshold), rows.positive
    cell = np.where(flagged, np.where(positive, 0, 1), np.where(positive, 2, 3))
    unit, weight = units_and_weights(rows)
    each = np.bincount(unit, weight)
    # units of equal weight: what is known at the least
    most = float(cells.sum()) if rows.are_units else 1 / float(np.sum((each / each.sum()) ** 2))
    number = float(cells.sum()) if rows.is_whole else float(len(rows))
    inside = cells + ADDED * float(cells.sum()) / max(most, 1.0)
    step = STEP * 2.0 ** round(math.log2(float(cells.sum()) / number))  # of a row: weights have no scale
    slope = np.array([(read((inside + step * one).tolist()) - read(inside.tolist())) / step for one in np.eye(4)])
    slope -= float(slope @ cells) / float(cells.sum())  # so that what the rows add sums to nothing
    found = influences_of(slope[cell] * weight, rows).spread()
    alone = float(cells @ slope**2)
    share = most / float(cells.sum())
    if found.variance > 0 and alone > 0 and math.isfinite(alone):
        share = alone / found.variance * (critical_value(0.95) / critical_value(0.95, found.degrees)) ** 2
    return cells * min(share, number / float(cells.sum()))

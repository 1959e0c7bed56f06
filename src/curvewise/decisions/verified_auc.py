"""The AUC of all rows where only some were verified, and how sure it is.

A false negative that was verified stands for many that were not, and often there is none: the variance of what was
seen then says nothing. The share of positives of each cell is therefore moved to the ends of its Wilson interval, and
how far the AUC moves with it is added up (MOVER).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from curvewise.core.ranking import rank
from curvewise.inference.influence import degrees_of_freedom
from curvewise.inference.limits import logit_wald

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core.ranking import Ranking
    from curvewise.decisions.verification_cells import VerificationCells

    Floats = NDArray[np.float64]

EXACT = 1e-12  # sums of weights are as far from perfect separation by rounding alone


@dataclass(frozen=True)
class VerifiedAuc:
    """The AUC of verified rows, each standing for the rows of its cell that it is like."""

    cells: VerificationCells

    @cached_property
    def _ranking(self) -> Ranking:
        rows = self.cells.rows
        return rank(rows.score[self.cells.verified], falling=rows.higher_is == "positive")

    @cached_property
    def _known(self) -> tuple[NDArray[np.intp], NDArray[np.bool_], Floats]:
        """The cell, the class and the weight of each verified row."""
        verified, rows = self.cells.verified, self.cells.rows
        return self.cells.cell[verified], rows.positive[verified], self.cells.units[1][verified]

    def _independent(self, some: NDArray[np.bool_]) -> int:
        """Count the independent units among some verified rows."""
        return len(np.unique(self.cells.units[0][self.cells.verified][some]))

    @cached_property
    def _masses(self) -> tuple[Floats, Floats]:
        """How many positives, and negatives, each verified row stands for."""
        _, positive, weight = self._known
        stands_for = self.cells.stands_for[self.cells.verified] * weight
        return np.where(positive, stands_for, 0.0), np.where(positive, 0.0, stands_for)

    def _of(self, positives: Floats, negatives: Floats) -> float:
        tp, fp = self._ranking.cumulated(positives), self._ranking.cumulated(negatives)
        pos, neg = np.diff(tp, prepend=0), np.diff(fp, prepend=0)
        return float(neg @ (tp - pos / 2)) / float(tp[-1] * fp[-1])

    @cached_property
    def value(self) -> float:
        """The AUC."""
        found = self._of(*self._masses)
        return round(found) if min(found, 1 - found) < EXACT else found

    def moved(self, cell: int, share: float) -> float:
        """Return the AUC if another share of a cell's rows were positive.

        Further rows of a class score like the verified ones of it and, as if there were one more, like any verified
        row of the cell: where none of them has been seen, nothing else is known.
        """
        at, positive, weight = self._known
        here = at == cell
        total = float(sum(mass[here].sum() for mass in self._masses))
        masses = []
        for mass, of_class, wanted in zip(self._masses, (positive, ~positive), (share, 1 - share), strict=True):
            new, own = mass.copy(), float(mass[here].sum())
            if wanted * total <= own:
                new[here] *= wanted * total / own if own else 0.0
            else:
                seen = self._independent(here & of_class)
                anywhere = weight[here] / weight[here].sum()
                alike = mass[here] / own if own else anywhere
                new[here] += (wanted * total - own) * (seen * alike + anywhere) / (seen + 1)
            masses.append(new)
        return self._of(*masses)

    @cached_property
    def influence(self) -> tuple[Floats, Floats]:
        """What each row adds to the error of the AUC: in all, and while the shares of positives stay as they are."""
        cells, rows = self.cells, self.cells.rows
        at, positive, weight = self._known
        placed = self._ranking.placements(positive, self._masses[0] + self._masses[1]) - self.value
        share = float(self._masses[0].sum()) / float(cells.units[1].sum())
        own = placed / np.where(positive, share, 1 - share)
        known = np.zeros(len(rows))
        known[cells.verified] = own
        whole = cells.units[1] / cells.units[1].sum()
        group = 2 * at + positive
        size = np.bincount(group, weight, 2 * len(cells.names))
        mean = np.bincount(group, own * weight, len(size)) / np.where(size > 0, size, 1.0)
        inside = np.zeros(len(rows))
        inside[cells.verified] = own - mean[group]
        of_cell = np.bincount(at, own * weight, len(cells.names)) / np.bincount(at, weight, len(cells.names))
        rest = of_cell[cells.cell] + cells.stands_for * inside
        return cells.spread_out(known) * whole, rest * whole

    def standard_error(self) -> float:
        """Return the standard error of what was seen."""
        return math.sqrt(self.cells.variance(self.influence[0]))

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval: moves of all cells, and what verified rows vary within them, added as squares.

        They are added on the scale of asin √AUC, which has an end at 1 as the logit scale has not: what one cell
        may move does not depend on whether a pair of verified rows is out of order.
        """
        value, positive = self.value, self._known[1]
        away = self.influence[1]
        variance = self.cells.variance(away)
        each = away if self.cells.rows.cluster is None else np.bincount(self.cells.rows.cluster, away)
        degrees = degrees_of_freedom(variance, [(each**2, None, len(each))])
        smaller = min(self._independent(positive), self._independent(~positive))
        reached = [logit_wald(value, math.sqrt(variance), level, smaller, degrees)]
        for k in range(len(self.cells.names)):
            _, (low, high), _ = self.cells.rate(self.cells.cell == k, level)
            moved = self.moved(k, low), self.moved(k, high)
            reached.append((min(*moved, value), max(*moved, value)))
        here = _angle(value)
        below = math.hypot(*(here - _angle(low) for low, _ in reached))
        above = math.hypot(*(_angle(high) - here for _, high in reached))
        return math.sin(max(here - below, 0.0)) ** 2, math.sin(min(here + above, math.pi / 2)) ** 2


def _angle(value: float) -> float:
    return math.asin(math.sqrt(min(max(value, 0.0), 1.0)))

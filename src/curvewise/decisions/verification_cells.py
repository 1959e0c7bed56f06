"""What verified rows tell of unverified ones: the same decision, score or covariate, the same share of positives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.rate import rate_interval, units_and_weights
from curvewise.decisions.predictive_values import ratio_ends
from curvewise.errors import UndefinedMetricError
from curvewise.inference.limits import critical_value, expit

if TYPE_CHECKING:
    from curvewise.rows.rows import Rows

    Mask = NDArray[np.bool_]
    Ends = tuple[float, float]


@dataclass(frozen=True)
class VerificationCells:
    """Rows in cells, within which verification does not depend on the class.

    ``verified`` marks the rows whose class is known (`Rows.positive` means nothing for the others), ``cell`` numbers
    the cells; ``names`` says what each is, for messages.
    """

    rows: Rows
    verified: Mask
    cell: NDArray[np.intp]
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        empty = np.flatnonzero(self._verified_weight == 0)
        if len(empty):
            count = int((self.cell == empty[0]).sum())
            more = f" (and {len(empty) - 1} more)" if len(empty) > 1 else ""
            raise UndefinedMetricError(
                f"None of {count} rows with {self.names[empty[0]]}{more} is verified, so nothing is known of them; "
                "use fewer bins, or a covariate with fewer values."
            )

    @cached_property
    def units(self) -> tuple[NDArray[np.intp], Floats]:
        """The independent unit of each row, and its weight."""
        return units_and_weights(self.rows)

    @cached_property
    def _total_weight(self) -> Floats:
        return np.bincount(self.cell, self.units[1], len(self.names)).astype(np.float64)

    @cached_property
    def _verified_weight(self) -> Floats:
        weight = np.where(self.verified, self.units[1], 0.0)
        return np.bincount(self.cell, weight, len(self.names)).astype(np.float64)

    @cached_property
    def stands_for(self) -> Floats:
        """How many rows each verified row stands for: 1 over the share of its cell that is verified; else 0."""
        share = self._total_weight / self._verified_weight
        return np.where(self.verified, share[self.cell], 0.0)

    def thin(self, few: int) -> int:
        """Count the cells in which fewer verified positives than ``few`` stand for unverified rows, too."""
        seen = np.bincount(self.cell, self.verified & self.rows.positive, len(self.names))
        return int(((seen < few) & (self._verified_weight < self._total_weight)).sum())

    def spread_out(self, known: Floats) -> Floats:
        """Replace what is known of verified rows by what it tells of all rows, so that its sum stays right.

        A row gets the mean of its cell; a verified one also what it differs from it, for all that it stands for.
        These are the influences of an estimator that fills in the mean of each cell.
        """
        weight = self.units[1]
        sums = np.bincount(self.cell, np.where(self.verified, known * weight, 0.0), len(self.names))
        mean = (sums / self._verified_weight)[self.cell]
        return np.where(self.verified, mean + self.stands_for * (known - mean), mean)

    @cached_property
    def positive(self) -> Floats:
        """The influence of each row on the number of positives."""
        return self.spread_out(self.rows.positive.astype(np.float64))

    def share(self, among: Mask) -> tuple[float, Floats]:
        """Return the share of positives among some rows (whole cells), and the error that each row adds."""
        weight = np.where(among, self.units[1], 0.0)
        value = float(self.positive @ weight) / float(weight.sum())
        return min(max(value, 0.0), 1.0), (self.positive - value) * weight / weight.sum()

    def variance(self, away: Floats) -> float:
        """Return the variance of a sum of errors: of independent rows, or of clusters."""
        if self.rows.cluster is not None:
            each = np.bincount(self.rows.cluster, away)
            groups = max(len(each), 2)
            return float(each @ each) * groups / (groups - 1)
        if self.rows.is_whole:  # a weight that counts rows is so many independent ones
            return float(np.sum(away**2 / self.units[1]))
        return float(away @ away)

    def rate(self, among: Mask, level: float) -> tuple[float, Ends, Floats]:
        """Return the share of positives among some rows with Wilson's interval, and the errors of its rows.

        The interval is that of as many independent verified rows as would give the same variance; where every
        verified row is of one class, as the verified rows are worth.
        """
        value, away = self.share(among)
        known = np.where(among, self.stands_for * self.units[1], 0.0)
        worth = self.variance(known / known.sum())
        trials = 1 / worth
        variance = self.variance(away)
        if 1e-12 < value < 1 - 1e-12 and variance > 0:
            trials = value * (1 - value) / variance
        if self.rows.cluster is not None:  # few clusters: as a t quantile would widen it
            clusters = len(np.unique(self.rows.cluster[among & self.verified]))
            degrees = max(clusters - 1, 1)
            trials *= (critical_value(level) / critical_value(level, degrees)) ** 2
        return value, rate_interval(value * trials, trials, level=level), away

    def prevalence(self, flagged: Mask | None, level: float) -> tuple[float, Ends, float]:
        """Return the share of positives of all rows with its interval (MOVER) and standard error.

        How far the share of positives of either decision, or of each cell, reaches, and how many rows it speaks of,
        added up: verified rows without a positive may stand for many, whose variance would be 0. Parts whose rows
        are all verified are one: their sum is known without them.
        """
        weight = self.units[1] / self.units[1].sum()
        everyone = np.ones(len(self.rows), dtype=bool)
        value, away = self.share(everyone)
        error = math.sqrt(self.variance(away))
        code = self.cell if flagged is None else flagged.astype(np.intp)
        partly = np.bincount(code, ~self.verified) > 0
        code = np.where(partly[code], code + 1, 0)
        of_part = np.zeros(len(self.rows))
        below, above, reach = [], [], critical_value(level)
        for part in np.unique(code):
            here = code == part
            share, (low, high), _ = self.rate(here, level)
            size = float(weight[here].sum())
            below.append(size * (share - low))
            above.append(size * (high - share))
            of_part[here] = share
        mixed = reach * math.sqrt(self.variance((of_part - value) * weight))
        ends = value - math.hypot(mixed, *below), value + math.hypot(mixed, *above)
        return value, (max(ends[0], 0.0), min(ends[1], 1.0)), error


@dataclass(frozen=True)
class Decided:
    """The share of positives among flagged rows and among the others, and what sensitivity follows from them.

    ``flagged`` is the share of rows flagged. `turned` is the same with classes and decisions swapped, whose
    sensitivity is the specificity.
    """

    cells: VerificationCells
    flagged: float
    odds_error: Floats  # of the log of the odds of being flagged, row by row
    above: tuple[float, Ends, Floats]
    below: tuple[float, Ends, Floats]

    def turned(self) -> Decided:
        """Return it for specificity."""
        above, below = (
            (1 - value, (1 - high, 1 - low), -away) for value, (low, high), away in (self.below, self.above)
        )
        return Decided(self.cells, 1 - self.flagged, -self.odds_error, above, below)

    def sensitivity(self) -> float:
        """Return the share of positives that is flagged; NaN where there are none."""
        hit, missed = self.flagged * self.above[0], (1 - self.flagged) * self.below[0]
        return hit / (hit + missed) if hit + missed else math.nan

    def logit_error(self) -> float:
        """Return Begg and Greenes' standard error of the logit; NaN at 0 and 1, where there is no logit."""
        (above, _, above_away), (below, _, below_away) = self.above, self.below
        if not (above > 0 and below > 0):
            return math.nan
        return math.sqrt(self.cells.variance(self.odds_error + above_away / above - below_away / below))

    def interval(self, level: float, method: str) -> Ends:
        """Return the interval: on the logit scale, or of the ratio of the two shares (MOVER), also at 0 and 1."""
        value, error, z = self.sensitivity(), self.logit_error(), critical_value(level)
        if method == "logit":
            if math.isnan(error):
                return math.nan, math.nan
            centre = math.log(value / (1 - value))
            return expit(centre - z * error), expit(centre + z * error)
        (above, above_ends, above_away), (below, below_ends, below_away) = self.above, self.below
        size = math.sqrt(float(above_away @ above_away) * float(below_away @ below_away))
        together = float(above_away @ below_away) / size if size else 0.0
        low, high = ratio_ends((below, *below_ends), (above, *above_ends), together)
        odds = (1 - self.flagged) / self.flagged
        if above > 0 and below > 0:  # how many rows are flagged is uncertain, too
            ratio, wider = below / above, z * z * self.cells.variance(self.odds_error)
            low = ratio * math.exp(-math.hypot(math.log(ratio / low), math.sqrt(wider))) if low else 0.0
            high = ratio * math.exp(math.hypot(math.log(high / ratio), math.sqrt(wider)))
        return (0.0 if math.isinf(high) else 1 / (1 + odds * high)), 1 / (1 + odds * low)


def decided(cells: VerificationCells, flagged: Mask, level: float) -> Decided:
    """Return the shares of positives of flagged rows and of the others; both must occur."""
    weight = cells.units[1]
    share = float(weight[flagged].sum()) / float(weight.sum())
    error = weight / weight.sum() * np.where(flagged, 1 / share, -1 / (1 - share))
    return Decided(cells, share, error, cells.rate(flagged, level), cells.rate(~flagged, level))

"""A rate of clustered rows, as so many independent rows that would tell as much."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.resampling import units
from curvewise.rows.checks import threshold_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core.registry import Bound
    from curvewise.rows.reading import Rows


@dataclass(frozen=True)
class EffectiveRate:
    """A proportion ``value`` that is known as well as that of ``rows`` independent rows.

    ``degrees`` say how well that number is known itself: infinitely well where every cluster is one row
    repeated, whose variance follows from the proportion alone. ``added`` is what each cluster adds to it.
    """

    value: float
    rows: float
    degrees: float
    added: NDArray[np.float64] = field(repr=False)

    @property
    def error(self) -> float | None:
        """The standard error, None where the proportion is 0 or 1 and tells none."""
        variance = self.value * (1 - self.value)
        return math.sqrt(variance / self.rows) if variance > 0 else None

    def counts(self, level: float) -> tuple[float, float]:
        """Return successes and trials for an interval: fewer where the variance is hardly known."""
        trials = self.rows
        if math.isfinite(self.degrees):
            from scipy.special import stdtrit  # noqa: PLC0415 - slow to load

            upper = (1 + level) / 2
            trials *= (NormalDist().inv_cdf(upper) / float(stdtrit(self.degrees, upper))) ** 2
        return self.value * trials, trials

    def correlation(self, other: EffectiveRate) -> float:
        """Return how it goes with another proportion of the same clusters."""
        lengths = float(np.sum(self.added**2)) * float(np.sum(other.added**2))
        return float(np.sum(self.added * other.added)) / math.sqrt(lengths) if lengths else 0.0


def effective_rate(target: Bound, rows: Rows) -> EffectiveRate:
    """Read a plain proportion at a threshold, and how far clusters and weights thin its rows.

    Rows are those of the variance of the ratio of two sums over clusters (linearised), against p(1 - p).
    Its degrees of freedom are Satterthwaite's, 2 V² / Var(V), from the squares that p does not explain: those
    of a single repeated row are a linear function of what it adds to p, so nothing is left.
    """
    part, whole = (_cells(target, rows, which) for which in (0, 1))
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight.astype(np.float64)
    each = units(rows)
    totals = np.bincount(each, np.where(whole, weight, 0.0))
    found = np.bincount(each, np.where(part, weight, 0.0), len(totals))
    total = float(totals.sum())
    value = float(found.sum()) / total
    added = (found - value * totals) / total
    there = totals > 0
    squares, away = added[there] ** 2, added[there]
    spread, clusters = float(squares.sum()), len(away)
    if (
        spread <= 1e-12 * float(np.sum(totals**2)) / total**2
    ):  # all or none: clusters are as large as they are
        return EffectiveRate(value, total**2 / float(np.sum(totals**2)), math.inf, added)
    slope = float(np.sum(away * squares)) / spread
    left = float(np.sum((squares - squares.mean() - slope * (away - away.mean())) ** 2))
    degrees = math.inf
    if left > 1e-9 * spread**2 / clusters:
        degrees = max(min(2 * spread**2 / left, clusters - 1.0), 1.0)
        spread *= (degrees + 1) / degrees
    most = total if rows.is_whole else float(np.count_nonzero(whole))
    return EffectiveRate(value, min(value * (1 - value) / spread, most), degrees, added)


def _cells(target: Bound, rows: Rows, which: int) -> NDArray[np.bool_]:
    """Mark the rows in the cells of the part (0) or the whole (1) of a proportion."""
    assert target.metric.rate is not None  # noqa: S101 - only proportions come here
    falling = rows.higher_is == "positive"
    cut: Any = threshold_for(rows.score.dtype, target.options["threshold"], falling=falling)
    flagged = rows.score >= cut if falling else rows.score <= cut
    cells = {"tp": (True, True), "fp": (False, True), "fn": (True, False), "tn": (False, False)}
    marked = np.zeros(len(rows), dtype=bool)
    for cell in target.metric.rate[which]:
        positive, called = cells[cell]
        marked |= (rows.positive == positive) & (flagged == called)
    return marked

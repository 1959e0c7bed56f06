"""The blocks of a sweep of probabilities turned round, rising, and put into bins where they are many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.metric.bins import in_bins

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep
    from curvewise.metric.blocks import Blocks

    Floats = NDArray[np.float64]

MANY = 4096  # more blocks than this are put into bins of equal mass
GRID = 101


@dataclass(frozen=True)
class Points:
    """Distinct probabilities, rising, with their rows, positives and squared weights, in bins where many."""

    p: Floats
    n: NDArray[Any]
    positives: NDArray[Any]
    squares: Floats

    @property
    def rows(self) -> Floats:
        """How many rows of equal weight would tell as much (Kish); the rows themselves if unweighted."""
        return self.n**2 / self.squares

    def grid(self) -> NDArray[np.intp]:
        """Return at most `GRID` places: half of them at equal steps of mass, half at equal steps of p."""
        if len(self.p) <= GRID:
            return np.arange(len(self.p))
        mass, half = np.cumsum(self.n), GRID // 2
        by_mass = np.searchsorted(mass, np.linspace(0, mass[-1], half + 1))
        by_p = np.searchsorted(self.p, np.linspace(self.p[0], self.p[-1], half))
        return np.unique(np.minimum(np.append(by_mass, by_p), len(self.p) - 1))


def points(sweep: Sweep, blocks: Blocks, *, squares: bool = True) -> Points:
    """Turn a sweep of probabilities round, and put its blocks into bins if they are many.

    A sweep with fractional counts has forgotten the squares of its weights; say if nobody needs them.
    """
    squared = (np.add(*blocks.need_squares("A band")) if squares else blocks.weight)[::-1]
    if len(sweep.threshold) <= MANY:
        pos, neg = (np.diff(c, prepend=c.dtype.type(0))[::-1] for c in (sweep.tp, sweep.fp))
        return Points(sweep.threshold[::-1], pos + neg, pos, squared)
    cut = in_bins(sweep, MANY, "mass")
    return Points(cut.mean, cut.n, cut.positives, np.add.reduceat(squared, cut.start))

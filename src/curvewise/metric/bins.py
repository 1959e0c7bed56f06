"""Probabilities in bins of equal width or of equal mass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from curvewise.rows.checks import one_of, whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core import kernel
    from curvewise.core.sweep import Sweep

    Floats = NDArray[np.float64]

BinWay = Literal["width", "mass"]
WAYS = ("width", "mass")


@dataclass(frozen=True, eq=False)
class Bins:
    """Rows in bins of probability, rising; bins without a row are left out and counted in ``empty``.

    ``low`` and ``high`` are the edges of equal widths, or the lowest and highest probability in bins of
    equal mass. ``start`` is the place of each bin's first block in the sweep turned round.
    """

    low: Floats
    high: Floats
    n: kernel.Counts
    positives: kernel.Counts
    mean: Floats  # of the probabilities
    start: NDArray[np.intp]
    empty: int = 0

    @property
    def observed(self) -> Floats:
        """The share of positives in each bin."""
        share: Floats = self.positives / self.n
        return share


def in_bins(sweep: Sweep, bins: int, how: BinWay = "width") -> Bins:
    """Put the rows of a sweep of probabilities into bins.

    Equal widths are (k/bins, (k+1)/bins], and the first takes 0 too. Equal masses hold about n/bins rows
    each; rows with one probability stay together.
    """
    bins = whole("bins", bins, 1)
    one_of("how", how, WAYS)
    p = sweep.threshold[::-1]
    pos, neg = (np.diff(c, prepend=c.dtype.type(0))[::-1] for c in (sweep.tp, sweep.fp))
    n = pos + neg
    if how == "width":
        edges = np.linspace(0, 1, bins + 1)
        stops = np.append(np.searchsorted(p, edges[1:-1], side="right"), len(p))
    else:
        share = np.cumsum(n) / sweep.n
        stops = np.append(np.searchsorted(share, np.arange(1, bins) / bins - 1e-12) + 1, len(p))
        stops = np.minimum(stops, len(p))
    starts = np.append(0, stops[:-1])
    used = np.flatnonzero(stops > starts)
    starts, stops = starts[used], stops[used]
    count = np.add.reduceat(n, starts)
    low, high = (edges[used], edges[used + 1]) if how == "width" else (p[starts], p[stops - 1])
    # between the ends, whatever rounding does to a sum
    mean = np.clip(np.add.reduceat(n * p, starts) / count, p[starts], p[stops - 1])
    return Bins(low, high, count, np.add.reduceat(pos, starts), mean, starts, bins - len(used))

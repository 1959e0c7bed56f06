"""The smooth reliability curve, and how far probabilities are from it: ICI, E50, E90."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from curvewise.core.probability import of_probabilities
from curvewise.core.registry import metric
from curvewise.metric.blocks import blocks_of, points
from curvewise.metric.calibration_error import GAP

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep
    from curvewise.metric.blocks import Blocks, Points

    Floats = NDArray[np.float64]

AUSTIN = "Austin & Steyerberg (2019) Statistics in Medicine 38:4051-4065"
# not shown: `calibration` has them, and 1000 smooth curves would keep a table waiting
SMOOTH_GAP = {**GAP, "shown": None, "reference": AUSTIN}


class Smooth(NamedTuple):
    """A smooth curve at some places, and what a row of each block counts for in each value."""

    value: Floats
    weight: Floats


def smoothed(data: Points, at: NDArray[np.intp]) -> Smooth:
    """Return the smooth share of positives at each place: a line through the n^(4/5) nearest rows.

    Rows (in units of equal weight) weigh by the tricube of their distance; at one p the line is their mean.
    """
    share = (float(data.rows.sum()) / data.design_effect) ** -0.2
    weight = np.empty((len(at), len(data.p)))
    for k, j in enumerate(at):
        away = data.p - data.p[j]
        distance = np.abs(away)
        order = np.argsort(distance, kind="stable")
        inside = np.searchsorted(np.cumsum(data.n[order]), share * data.n.sum())
        # the window's edge itself weighs nothing, so it lies on the first block beyond
        edge = distance[order[min(inside + 1, len(order) - 1)]]
        kernel = (1 - np.minimum(distance / edge, 1) ** 3) ** 3 if edge > 0 else np.ones(len(distance))
        weight[k] = _line(kernel, away, data.n)
    return Smooth(np.clip(weight @ data.positives, 0, 1), weight)


def _line(kernel: Floats, away: Floats, n: Floats) -> Floats:
    """Return what a row of each block counts for in the line's value at the place."""
    w0, w1, w2 = (float(np.sum(kernel * n * away**k)) for k in (0, 1, 2))
    spread = w2 - w1 * w1 / w0
    if spread <= 1e-12 * w2 or spread <= 0:
        return kernel / w0
    return np.asarray(kernel * (w2 - w1 * away) / (w0 * spread))


class SmoothGaps(NamedTuple):
    """Mean, median and 90% quantile over rows of the gap between probability and curve."""

    mean: float
    median: float
    ninety: float


def smooth_gaps(sweep: Sweep, blocks: Blocks) -> SmoothGaps:
    """Read the gaps from the curve at its places, and in a straight line between; clusters do not matter."""
    exact = sweep.tp.dtype.kind == "i"
    squares = blocks.weight if exact else np.add(*blocks.need_squares("A smooth curve"))
    data = points(sweep, replace(blocks, clusters=None), squares)
    at = data.grid()
    # at a horizon the gaps of unknown rows count as well
    p, weight = (blocks.p, blocks.weight) if blocks.horizon is None else blocks.horizon.everyone
    gap = np.abs(np.interp(p, data.p[at], smoothed(data, at).value) - p)
    order = np.argsort(gap, kind="stable")
    rising, mass = gap[order], np.cumsum(weight[order])
    mean = float(np.sum(weight * gap) / mass[-1])
    return SmoothGaps(mean, _quantile(rising, mass, 0.5), _quantile(rising, mass, 0.9))


def _gaps(sweep: Sweep) -> SmoothGaps:
    found = of_probabilities(sweep)
    return smooth_gaps(found, blocks_of(found))


def _quantile(rising: Floats, mass: Floats, share: float) -> float:
    """Return the value that so much of the mass does not exceed; between two, their middle."""
    wanted = share * mass[-1]
    k = int(np.searchsorted(mass, wanted * (1 - 1e-12)))
    on_edge = k + 1 < len(rising) and abs(mass[k] - wanted) <= 1e-12 * wanted
    return float((rising[k] + rising[k + 1]) / 2 if on_edge else rising[k])


@metric(
    aliases=("integrated_calibration_index",),
    **SMOOTH_GAP,
    formula="mean of |c(p) - p| over rows, c(p) the smooth share of positives",
)
def ici(sweep: Sweep) -> float:
    """Return the mean gap between probability and smooth curve (ICI)."""
    return _gaps(sweep).mean


@metric(
    **SMOOTH_GAP,
    formula="median of |c(p) - p| over rows, c(p) the smooth share of positives",
)
def e50(sweep: Sweep) -> float:
    """Return the median gap between probability and smooth curve (E50)."""
    return _gaps(sweep).median


@metric(
    **SMOOTH_GAP,
    formula="90% quantile of |c(p) - p| over rows, c(p) the smooth share of positives",
)
def e90(sweep: Sweep) -> float:
    """Return the gap between probability and smooth curve that 90% of the rows do not exceed (E90)."""
    return _gaps(sweep).ninety

"""The smooth reliability curve, and how far probabilities are from it: ICI, E50, E90."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from curvewise.core.keys import slices
from curvewise.core.probability import of_probabilities
from curvewise.core.registry import metric
from curvewise.core.threads import in_threads
from curvewise.metric.blocks import blocks_of
from curvewise.metric.calibration_error import GAP
from curvewise.metric.probability_bins import points

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep
    from curvewise.metric.blocks import Blocks
    from curvewise.metric.probability_bins import Points

    Floats = NDArray[np.float64]

CELLS = 4096  # of values among which a quantile is sought
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
    counts = (blocks.positives, blocks.negatives)
    data = points(sweep, replace(blocks, clusters=None), counts if exact else blocks.need_squares("A smooth curve"))
    at = data.grid()
    # at a horizon the gaps of unknown rows count as well
    p, *weights = (blocks.p, *counts) if blocks.horizon is None else blocks.horizon.everyone
    places, curve = data.p[at], smoothed(data, at).value

    def gaps(here: slice) -> tuple[Floats, Floats]:
        away = np.interp(p[here], places, curve)
        away -= p[here]
        return np.abs(away), np.sum([each[here] for each in weights], axis=0)

    # straight between the places and beyond the ends: the largest gap is at one of these
    ends = np.array([p.min(), p.max(), *places])
    most = float(np.abs(np.interp(ends, places, curve) - ends).max())
    return SmoothGaps(*mean_and_quantiles(gaps, len(p), most, (0.5, 0.9)))


def _gaps(sweep: Sweep) -> SmoothGaps:
    found = of_probabilities(sweep)
    return smooth_gaps(found, blocks_of(found))


def mean_and_quantiles(
    read: Callable[[slice], tuple[Floats, Floats]], size: int, most: float, shares: Sequence[float]
) -> list[float]:
    """Return the mean of so many values of 0 to ``most``, and what each share of their weight does not exceed.

    A quantile between two values is their middle. Values and weights are read piece by piece and counted in cells, so
    that only those of a cell or two need to be sorted.
    """
    pieces = list(slices(size))

    def cells(found: Floats) -> NDArray[np.intp]:
        return np.minimum(found / (most or 1.0) * CELLS, CELLS).astype(np.intp)

    def count(here: slice) -> Floats:
        found, weight = read(here)
        inside = np.bincount(cells(found), weight, CELLS + 1)
        return np.append(np.sum(found * weight), inside)

    total, *inside = np.sum(in_threads(count, pieces, size), axis=0)
    mass = np.cumsum(inside)
    wanted = np.array(shares) * mass[-1]
    first = np.searchsorted(mass, wanted * (1 - 1e-12))
    # with the next cell that holds something: an edge may lie between
    last = np.minimum(np.searchsorted(mass, mass[first], side="right"), CELLS)

    def take(here: slice) -> list[tuple[Floats, Floats]]:
        found, weight = read(here)
        which = cells(found)
        there = (np.flatnonzero((which >= low) & (which <= high)) for low, high in zip(first, last, strict=True))
        return [(found[rows], weight[rows]) for rows in there]

    taken, answers = in_threads(take, pieces, size), [float(total / mass[-1])]
    for k, share in enumerate(wanted):
        some, own = (np.concatenate([part[k][which] for part in taken]) for which in (0, 1))
        order = np.argsort(some, kind="stable")
        rising, up_to = some[order], np.cumsum(own[order]) + (mass[first[k] - 1] if first[k] else 0.0)
        at = min(int(np.searchsorted(up_to, share * (1 - 1e-12))), len(rising) - 1)
        on_edge = at + 1 < len(rising) and abs(up_to[at] - share) <= 1e-12 * share
        answers.append(float((rising[at] + rising[at + 1]) / 2 if on_edge else rising[at]))
    return answers


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

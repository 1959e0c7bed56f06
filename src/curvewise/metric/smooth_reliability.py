"""The smooth reliability curve, and how far probabilities are from it: ICI, E50, E90."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.kernel import sums_within
from curvewise.core.probability import of_probabilities
from curvewise.metric.blocks import Blocks, blocks_of
from curvewise.metric.calibration_error import GAP
from curvewise.metric.probability_bins import Points, points
from curvewise.metric.registry import metric

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

CELLS = 4096  # of probabilities whose distances from a curve are found together  # mutants: work
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
    if spread <= 1e-12 * w2 or spread <= 0:  # mutants: rounding, equal at 0
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
    line = data.p[at], smoothed(data, at).value
    p, *weights = (blocks.p, *counts)
    if blocks.horizon is not None:  # the gaps of unknown rows count as well
        p, *weights = blocks.horizon.everyone
        order = np.argsort(p)
        p, weights = p[order], [each[order] for each in weights]
    return SmoothGaps(*mean_and_quantiles(line, p, weights, (0.5, 0.9)))


def _gaps(sweep: Sweep) -> SmoothGaps:
    inside = of_probabilities(sweep)
    return smooth_gaps(inside, blocks_of(inside))


def mean_and_quantiles(
    line: tuple[Floats, Floats], p: Floats, weights: Sequence[Floats], shares: Sequence[float]
) -> list[float]:
    """Return the mean distance of probabilities from a line, and what each share of their weight does not exceed.

    The line is straight between its places and level beyond. Probabilities rise or fall, so most cells of neighbours
    lie beside one straight piece: the mean of their distances is that of their mean, and all are between those of
    the two ends. Only the rows of other cells, and of those that may hold a quantile, are looked at one by one. A
    quantile between two values is their middle.
    """
    size = len(p)
    starts = np.unique(np.linspace(0, size, min(CELLS, size), endpoint=False).astype(np.intp))  # mutants: work
    counts = np.diff(starts, append=size)

    def above(p: Floats) -> Floats:
        return np.interp(p, *line) - p

    def sums(here: slice) -> Floats:
        weight = np.sum([each[here] for each in weights], axis=0)
        return np.stack([weight, weight * p[here]])

    def rows(cells: NDArray[np.intp]) -> tuple[Floats, Floats]:
        skipped = starts[cells] - np.append(0, np.cumsum(counts[cells])[:-1])
        which = np.arange(counts[cells].sum()) + np.repeat(skipped, counts[cells])
        return np.abs(above(p[which])), np.sum([each[which] for each in weights], axis=0)

    mass, predicted = sums_within(sums, starts, size)
    mean = np.abs(above(np.divide(predicted, mass, out=np.zeros(len(mass)), where=mass > 0)))
    first, last = p[starts], p[starts + counts - 1]
    ends = np.stack([above(first), above(last)])
    least, most = np.abs(ends).min(axis=0), np.abs(ends).max(axis=0)
    bent = (ends.min(axis=0) < 0) & (ends.max(axis=0) > 0)  # mutants: work
    bent |= np.searchsorted(line[0], first) != np.searchsorted(line[0], last)
    if (cells := np.flatnonzero(bent & (mass > 0))).size:
        means, weight = rows(cells)
        begin = np.append(0, np.cumsum(counts[cells])[:-1])
        mean[cells] = np.add.reduceat(means * weight, begin) / mass[cells]
        least[cells], most[cells] = np.minimum.reduceat(means, begin), np.maximum.reduceat(means, begin)
    total = mass.sum()
    answers = [float(mean @ mass / total)]
    for wanted in np.array(shares) * total:
        low = _reached(least, mass, wanted * (1 - 1e-12))  # mutants: rounding, work
        # mutants: rounding
        high = _reached(most, mass, wanted * (1 + 1e-12))  # and the next value, where a quantile lies between two
        means, weight = rows(np.flatnonzero((most >= low) & (least <= high)))
        order = np.argsort(means, kind="stable")
        rising, up_to = means[order], np.cumsum(weight[order]) + mass[most < low].sum()
        at = min(int(np.searchsorted(up_to, wanted * (1 - 1e-12))), len(rising) - 1)  # mutants: rounding
        on_edge = at + 1 < len(rising) and abs(up_to[at] - wanted) <= 1e-12 * wanted  # mutants: rounding
        answers.append(float((rising[at] + rising[at + 1]) / 2 if on_edge else rising[at]))
    return answers


def _reached(values: Floats, mass: Floats, wanted: float) -> float:
    """Return the value up to which there is so much mass."""
    order = np.argsort(values, kind="stable")
    at = np.searchsorted(np.cumsum(mass[order]), wanted)
    return float(values[order[min(int(at), len(order) - 1)]])


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

"""How far probabilities are from the smooth reliability curve: ICI, E50, E90."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from curvewise.core.probability import of_probabilities
from curvewise.core.registry import metric
from curvewise.metric.bin_points import points
from curvewise.metric.blocks import blocks_of
from curvewise.metric.local_mean import smoothed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep
    from curvewise.metric.blocks import Blocks


class SmoothGaps(NamedTuple):
    """Mean, median and 90 % quantile over rows of the gap between probability and curve."""

    mean: float
    median: float
    ninety: float


def smooth_gaps(sweep: Sweep, blocks: Blocks) -> SmoothGaps:
    """Read the gaps from the curve at its places, and in a straight line between them."""
    data = points(sweep, blocks)
    at = data.grid()
    curve = np.interp(blocks.p, data.p[at], smoothed(data, at).value)
    gap = np.abs(curve - blocks.p)
    order = np.argsort(gap, kind="stable")
    mass = np.cumsum(blocks.weight[order])
    mean = float(np.sum(blocks.weight * gap) / mass[-1])
    return SmoothGaps(mean, *(_quantile(gap[order], mass, share) for share in (0.5, 0.9)))


@metric(
    family="probability",
    aliases=("integrated_calibration_index",),
    unit="area",
    better="lower",
    low=0.0,
    high=1.0,
    needs=(),
    interval="basic",
    reference="Austin & Steyerberg (2019) Statistics in Medicine 38:4051-4065",
)
def ici(sweep: Sweep) -> float:
    """Return the mean gap between probability and smooth curve (ICI)."""
    found = of_probabilities(sweep)
    return smooth_gaps(found, blocks_of(found)).mean


def _quantile(rising: NDArray[np.float64], mass: NDArray[np.float64], share: float) -> float:
    """Return the value that so much of the mass does not exceed; between two, their middle."""
    wanted = share * mass[-1]
    k = int(np.searchsorted(mass, wanted * (1 - 1e-12)))
    on_edge = k + 1 < len(rising) and abs(mass[k] - wanted) <= 1e-12 * wanted
    return float((rising[k] + rising[k + 1]) / 2 if on_edge else rising[k])

"""A smooth reliability curve: a straight line fitted to the neighbours of each place."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.metric.bin_points import Points

    Floats = NDArray[np.float64]


class Smooth(NamedTuple):
    """A smooth curve at some places, and what a row of each block counts for in each value."""

    value: Floats
    weight: Floats


def smoothed(data: Points, at: NDArray[np.intp]) -> Smooth:
    """Return the smooth share of positives at each place.

    The window of a place holds the n^(4/5) rows nearest to it (in units of equal weight); within it, rows
    weigh by the tricube of their distance and a straight line is fitted. Where all of them have one p,
    the line is their mean.
    """
    share = float(data.rows.sum()) ** -0.2
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


def smooth_interval(data: Points, at: NDArray[np.intp], curve: Smooth, level: float) -> tuple[Floats, Floats]:
    """Return value ± z standard errors, cut to [0, 1].

    A row varies as its own share, read from the curve, says; shares are drawn a little to the middle (as
    by Agresti and Coull), so that a window without a positive is not taken to be certain.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    value, weight = curve
    rows = effective_rows(data, curve)
    drawn = (value * rows + z * z / 2) / (rows + z * z)
    share = np.interp(data.p, data.p[at], drawn)
    error = np.sqrt(weight**2 @ (data.squares * share * (1 - share)))
    return np.maximum(value - z * error, 0), np.minimum(value + z * error, 1)


def effective_rows(data: Points, curve: Smooth) -> Floats:
    """Return how many rows of equal weight each value is worth."""
    rows: Floats = 1 / (curve.weight**2 @ data.squares)
    return rows


def _line(kernel: Floats, away: Floats, n: NDArray[np.float64]) -> Floats:
    """Return what a row of each block counts for in the line's value at the place."""
    w0, w1, w2 = (float(np.sum(kernel * n * away**k)) for k in (0, 1, 2))
    spread = w2 - w1 * w1 / w0
    if spread <= 1e-12 * w2 or spread <= 0:
        return kernel / w0
    weight: Floats = kernel * (w2 - w1 * away) / (w0 * spread)
    return weight

"""Restricted cubic splines: smooth, and straight beyond the outer knots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Harrell (2015) Regression Modeling Strategies, table 2.3
QUANTILES = {3: (0.1, 0.5, 0.9), 4: (0.05, 0.35, 0.65, 0.95), 5: (0.05, 0.275, 0.5, 0.725, 0.95)}


def knots_of(x: Floats, weight: Floats, number: int) -> Floats:
    """Return the distinct ones of Harrell's quantiles of x, each value counted with its weight."""
    order = np.argsort(x, kind="stable")
    mass = np.cumsum(weight[order])
    at = np.searchsorted(mass, np.array(QUANTILES[number]) * mass[-1])
    return np.unique(x[order][np.minimum(at, len(x) - 1)])


def spline_columns(x: Floats, knots: Floats) -> list[Floats]:
    """Return x, and for each knot but the last two a column that bends there; x alone for two knots or fewer."""
    if len(knots) < 3:
        return [x]
    before, last = float(knots[-2]), float(knots[-1])
    scale = (last - float(knots[0])) ** 2

    def above(knot: float) -> Floats:
        return np.asarray(np.maximum(x - knot, 0) ** 3)

    bent = [
        (above(k) - (above(before) * (last - k) - above(last) * (before - k)) / (last - before)) / scale
        for k in knots[:-2].tolist()
    ]
    return [x, *bent]

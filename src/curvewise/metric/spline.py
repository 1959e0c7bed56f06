"""Restricted cubic splines: smooth, and straight beyond the outer knots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from curvewise.arrays import Floats
from curvewise.core.keys import slices
from curvewise.core.threads import in_threads
from curvewise.metric.log_odds import log_odds

if TYPE_CHECKING:
    from curvewise.metric.blocks import Blocks

# Harrell (2015) Regression Modeling Strategies, table 2.3
QUANTILES = {3: (0.1, 0.5, 0.9), 4: (0.05, 0.35, 0.65, 0.95), 5: (0.05, 0.275, 0.5, 0.725, 0.95)}


def knots_of(blocks: Blocks, number: int) -> Floats:
    """Return the distinct ones of Harrell's quantiles of the log odds, each counted with its information w·p(1 - p)."""
    size = len(blocks.p)
    pieces = list(slices(size))[::-1]  # from the lowest on

    def rising(here: slice) -> Floats:
        p = blocks.p[here]
        information = (blocks.positives[here] + blocks.negatives[here]) * p * (1 - p)
        return information[::-1].cumsum()

    mass = np.cumsum(in_threads(lambda here: rising(here)[-1], pieces, size))
    places = []
    for wanted in np.array(QUANTILES[number]) * mass[-1]:
        k = int(np.searchsorted(mass, wanted))
        up_to = rising(pieces[k]) + (mass[k - 1] if k else 0.0)
        places.append(pieces[k].stop - 1 - int(np.searchsorted(up_to, wanted)))
    return np.unique(log_odds(blocks.p[places]))


def spline_columns(x: Floats, knots: Floats) -> list[Floats]:
    """Return x, and for each knot but the last two a column that bends there; x alone for two knots or fewer."""
    if len(knots) < 3:
        return [x]
    before, last = float(knots[-2]), float(knots[-1])
    scale = (last - float(knots[0])) ** 2
    highest = x.max(initial=-np.inf)

    def above(knot: float) -> Floats:
        if highest <= knot:  # a piece of the low probabilities
            return np.zeros(len(x))
        away = np.maximum(x - knot, 0)
        return np.asarray(away * away * away)

    outer = above(before), above(last)

    def bent(knot: float) -> Floats:
        cubes = above(knot)
        if highest > before:
            cubes -= outer[0] * ((last - knot) / (last - before))
        if highest > last:
            cubes += outer[1] * ((before - knot) / (last - before))
        cubes /= scale
        return cubes

    return [x, *(bent(knot) for knot in knots[:-2].tolist())]

"""Each class against each other one: the areas of all pairs, and Hand and Till's M."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from curvewise.core.threads import in_threads
from curvewise.errors import UndefinedMetricError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.many_classes.prepared import Prepared

    Floats = NDArray[np.float64]


def pair_areas(
    ready: Prepared, support: Floats, occurs: NDArray[np.bool_], weight: NDArray[np.int64] | None
) -> Floats:
    """Return A[j, k]: how often a row of class j has a higher score of class j than a row of class k.

    Classes that do not occur, and the diagonal, are NaN.
    """
    members = np.flatnonzero(occurs)
    if (support[members] == 0).any():
        raise UndefinedMetricError("One against one is undefined: a class has no row here.")
    own = [int(j) for j in members]
    wins = in_threads(
        lambda j: ready.columns[j].doubled_wins(ready.truth, j, len(support), weight), own, len(ready.truth)
    )
    areas = np.full((len(support), len(support)), np.nan)
    for j, row in zip(own, wins, strict=True):
        areas[j, members] = row[members] / (2 * support[j] * support[members])
        areas[j, j] = np.nan
    return areas


def one_against_one(areas: Floats, support: Floats, how: str) -> float:
    """Average (A[j, k] + A[k, j]) / 2 over pairs: alike (macro), or by the rows of the pair (weighted)."""
    j, k = np.triu_indices(len(areas), 1)
    both = (areas[j, k] + areas[k, j]) / 2
    there = ~np.isnan(both)
    if not there.any():
        raise UndefinedMetricError("One against one is undefined: fewer than two classes occur in y.")
    rows = (support[j] + support[k])[there] if how == "weighted" else None
    return float(np.average(both[there], weights=rows))

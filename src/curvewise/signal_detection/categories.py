"""The rows of a sweep as ordered categories, as few as say the same about a binormal curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep

    Floats = NDArray[np.float64]

MOST = 400  # more categories than this tell nothing more about two parameters


@dataclass(frozen=True)
class Categories:
    """Positives and negatives in each category, most positive first.

    ``threshold`` has the lowest score (the highest, where low means positive) of each category but the last.
    ``runs`` is how many there were before neighbours were put together to keep to the limit.
    """

    pos: Floats
    neg: Floats
    threshold: NDArray[Any]
    runs: int


def categories(sweep: Sweep) -> Categories:
    """Put together neighbouring blocks of one class alone, then neighbours until there are `MOST`.

    A cut between two blocks of the same single class can always be placed so that it explains both shares
    exactly, whatever the curve: it says nothing about the curve, and leaving it out changes no estimate
    (Metz, Herman & Shen's truth runs).
    """
    pos, neg = np.diff(sweep.tp, prepend=0), np.diff(sweep.fp, prepend=0)
    kind = np.where(neg == 0, 1, np.where(pos == 0, -1, 0))
    goes_on = (kind[1:] == kind[:-1]) & (kind[1:] != 0)
    last = np.append(np.flatnonzero(~goes_on), len(kind) - 1)
    runs = len(last)
    if runs > MOST:
        # of equal mass, the two classes counted alike: rare positives keep their detail
        mass = sweep.tp[last] / sweep.positives + sweep.fp[last] / sweep.negatives
        wanted = np.arange(1, MOST + 1) * (2 / MOST)
        last = last[np.unique(np.minimum(np.searchsorted(mass, wanted - 1e-12), runs - 1))]
    return Categories(
        np.diff(sweep.tp[last].astype(np.float64), prepend=0),
        np.diff(sweep.fp[last].astype(np.float64), prepend=0),
        sweep.threshold[last[:-1]],
        runs,
    )

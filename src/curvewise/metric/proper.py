"""Proper losses, and their mean over the blocks of a sweep.

A loss is proper if nobody can expect less of it than by saying what they believe. All rows with one
probability lose one of two amounts, so the mean is a sum over blocks: exact for any weights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.keys import slices
from curvewise.core.threads import in_threads

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ProperLoss:
    """What a row loses when ``q`` was the probability given to what happened: p, or 1 - p for a negative.

    ``added`` is a quick way to the sum of such losses, where there is one.
    """

    name: str
    of: Callable[[Floats], Floats]
    added: Callable[[Floats], float] | None = None

    def total(self, p: Floats, pos: NDArray[Any], neg: NDArray[Any]) -> float:
        """Sum the losses of so many positives and negatives at each p; nobody there loses nothing."""
        with np.errstate(divide="ignore", invalid="ignore"):  # 0 rows times an infinite loss
            lost = np.where(pos > 0, pos * self.of(p), 0.0)
            lost += np.where(neg > 0, neg * self.of(1 - p), 0.0)
        return float(lost.sum())

    def at_base_rate(self, sweep: Sweep) -> float:
        """Return the mean loss of saying the share of positives every time: the least of any constant."""
        totals = (np.array([float(total)]) for total in (sweep.positives, sweep.negatives))
        return self.total(np.array([sweep.prevalence]), *totals) / sweep.n

    def mean(self, sweep: Sweep) -> float:
        """Return the mean loss of a sweep of probabilities."""

        def part(here: slice) -> float:
            p = sweep.threshold[here]
            pos, neg = (_own(c, here) for c in (sweep.tp, sweep.fp))
            if pos.dtype.kind == "f" or pos.sum() + neg.sum() > len(p):
                return self.total(p, pos, neg)
            q = np.where(pos > 0, p, 1 - p)  # a row to a block: one loss instead of two
            with np.errstate(divide="ignore"):
                return float(self.of(q).sum()) if self.added is None else self.added(q)

        chunks = list(slices(len(sweep.threshold)))
        return math.fsum(in_threads(part, chunks, len(sweep.threshold))) / sweep.n

    def clipped(self, by: float) -> ProperLoss:
        """Return the loss after probabilities were moved into [by, 1 - by]."""
        return ProperLoss(self.name, lambda q: self.of(np.clip(q, by, 1 - by)))


def _own(counts: NDArray[Any], here: slice) -> NDArray[Any]:
    """Return what each block of a slice adds to cumulated counts."""
    added = counts[here].copy()
    added[1:] -= counts[here][:-1]
    if here.start:
        added[0] -= counts[here.start - 1]
    return added


def _logs(q: Floats) -> float:
    """Return the sum of -log q: products of eight need an eighth of the logarithms."""
    size = len(q) // 8
    if not size or q.min() < 1e-30:  # a product could be too small to hold
        return float(-np.log(q).sum())
    product = q[:size].copy()
    for k in range(1, 8):
        product *= q[k * size : (k + 1) * size]
    return float(-np.log(product).sum() - np.log(q[8 * size :]).sum())


LOSSES = {
    "brier": ProperLoss("brier", lambda q: (1 - q) ** 2),
    "log": ProperLoss("log", lambda q: -np.log(q), _logs),
    "spherical": ProperLoss("spherical", lambda q: 1 - q / np.hypot(q, 1 - q)),
}

"""Where each row stands among the rows of the two other classes, for three ordered classes, and what follows.

The volume under the ROC surface is the share of triples, one row of each class, that are in order. A row's placement
is the share of such triples that it is part of; placements of a class average to the volume, and how they vary tells
how it does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.ranking import rank
from curvewise.errors import UndefinedMetricError
from curvewise.inference.influence import degrees_of_freedom, spread_within
from curvewise.inference.pivots import Spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core.strata import Strata

    Floats = NDArray[np.float64]
    Counts = NDArray[Any]

MOST = 2**62  # sums of whole numbers up to here are exact in int64
CLASSES = 3


@dataclass(frozen=True)
class Blocks:
    """Rows of each class by blocks of equal score, the lowest first; ``block`` says where each row stands."""

    count: Counts  # one row per class
    block: NDArray[Any]

    @cached_property
    def before(self) -> Counts:
        """The rows of each class in lower blocks."""
        return np.cumsum(self.count, axis=1) - self.count

    @cached_property
    def after(self) -> Counts:
        """The rows of each class in higher blocks."""
        above: Counts = self.count.sum(axis=1, keepdims=True) - self.before - self.count
        return above

    def volume(self) -> float:
        """Return the share of triples in order: 1/2 for two rows tied in order, 1/6 for all three.

        Six times the number of triples is a whole number: Σ b (6 A C + 3 a C + 3 A c + a c), with a, b and c the
        rows of the block and A, C those below and above it. It is divided once.
        """
        a, b, c = self.count
        low, high = self.before[0], self.after[2]
        totals = [row.sum().item() for row in self.count]
        if self.count.dtype.kind == "i" and 6 * math.prod(totals) >= MOST:
            a, b, c, low, high = (values.astype(object) for values in (a, b, c, low, high))
        six = np.sum(b * (3 * low * (2 * high + c) + a * (3 * high + c)))
        return float(six / (6 * math.prod(totals)))

    def placements(self, label: NDArray[np.intp]) -> Floats:
        """Return the placement of each row: the share of its triples that are in order."""
        a, b, c = self.count.astype(np.float64)
        low, high = self.before[0].astype(np.float64), self.after[2].astype(np.float64)
        upward = b * (high + c / 2)  # pairs of a middle row of the block and a high row, in order
        downward = b * (low + a / 2)
        ordered = (
            np.cumsum(upward[::-1])[::-1] - upward + b * (high / 2 + c / 6),
            low * (high + c / 2) + a * (high / 2 + c / 6),
            np.cumsum(downward) - downward + b * (low / 2 + a / 6),
        )
        totals = a.sum(), b.sum(), c.sum()
        pairs = totals[1] * totals[2], totals[0] * totals[2], totals[0] * totals[1]
        each = np.stack([o / p for o, p in zip(ordered, pairs, strict=True)])
        found: Floats = each[label, self.block]
        return found


def blocks_of(score: NDArray[Any], label: NDArray[np.intp], weight: Counts | None, *, rising: bool) -> Blocks:
    """Count the rows of each class by blocks of equal score; the weight of a row is how often it counts."""
    ranking = rank(score, falling=not rising)
    block, number = ranking.block, len(ranking)
    rows = np.ones(len(label), dtype=np.int64) if weight is None else weight
    counted = [np.bincount(block[label == k], rows[label == k], number) for k in range(CLASSES)]
    return Blocks(np.stack(counted).astype(rows.dtype), block)


@dataclass(frozen=True)
class ThreeClassPlacements:
    """Placements of the same rows under one score (or the difference of two), and the variance of their mean."""

    value: Floats
    label: NDArray[np.intp]
    weight: Counts | None = None
    cluster: NDArray[np.intp] | None = None
    counted: bool = False
    strata: Strata | None = None

    def minus(self, other: ThreeClassPlacements) -> ThreeClassPlacements:
        """Return the differences row by row, whose variance is that of the difference of the volumes."""
        return replace(self, value=self.value - other.value)

    def spread(self) -> Spread:
        """Return the variance of the mean placement, and how well it is known.

        Rows of a class are independent of each other; with clusters, clusters are, whatever their classes; with
        strata, rows or clusters are compared within these, whatever their classes.
        """
        weight = np.ones(len(self.label)) if self.weight is None else self.weight.astype(np.float64)
        masks = [self.label == k for k in range(CLASSES)]
        away = np.zeros(len(self.label))
        for on in masks:
            away[on] = (self.value[on] - np.average(self.value[on], weights=weight[on])) / weight[on].sum()
        if self.cluster is not None:
            _need_two(min(self.units()), "clusters with each class")
        if self.strata is not None:
            _need_two(min(self.units()), "rows of each class")
            return spread_within(self.strata, self.strata.sums(away * weight))
        if self.cluster is not None:
            each = np.bincount(self.cluster, away * weight)
            squares = each**2
            variance = float(squares.sum()) * len(each) / (len(each) - 1)
            return Spread(variance, degrees_of_freedom(variance, [(squares, None, len(each))]))
        parts: list[tuple[NDArray[Any], NDArray[Any] | None, float]] = []
        variance = 0.0
        for on in masks:
            rows = float(weight[on].sum()) if self.counted else float(on.sum())
            _need_two(rows, "rows of each class")
            squares = away[on] ** 2 if self.counted else (away[on] * weight[on]) ** 2
            times = weight[on] if self.counted else np.ones(int(on.sum()))
            variance += float(squares @ times) * rows / (rows - 1)
            parts.append((squares, times, rows))
        return Spread(variance, degrees_of_freedom(variance, parts))

    def units(self) -> list[float]:
        """Count what is independent in each class: rows, or clusters."""
        masks = [self.label == k for k in range(CLASSES)]
        if self.cluster is not None:
            return [len(np.unique(self.cluster[on])) for on in masks]
        if self.counted and self.weight is not None:
            return [float(self.weight[on].sum()) for on in masks]
        return [float(on.sum()) for on in masks]


def _need_two(count: float, of: str) -> None:
    if count < 2:
        raise UndefinedMetricError(
            f"The variance of a volume under the surface needs at least two {of}, got {math.floor(count)}."
        )

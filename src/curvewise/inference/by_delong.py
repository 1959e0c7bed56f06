"""AUCs compared by the variance of their placements."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from curvewise.core.ranking import rank
from curvewise.core.sweep import sweep_of
from curvewise.errors import OptionError
from curvewise.inference.by_influence import (
    against_value,
    covariances_of_models,
    models_of,
    pair_of_pivot,
    sum_of_spreads,
)
from curvewise.inference.comparison import ModelTest
from curvewise.inference.delong import placements
from curvewise.inference.methods import default_pivot
from curvewise.inference.pivots import JoinedPivot, Spread, WaldPivot

if TYPE_CHECKING:
    from curvewise.core.registry import Bound
    from curvewise.inference.comparison import Pair, Parts
    from curvewise.inference.pivots import Pivot
    from curvewise.rows.rows import Rows


class ByDelong(ModelTest):
    """AUCs compared by the variance of their placements, as pROC does it.

    Where that variance is 0 although the models rank differently, as when both separate the classes, the interval
    is joined from those of the two AUCs (MOVER), and the p-value follows from it.
    """

    method = "delong"

    def __init__(self, tables: list[Rows], targets: list[Bound], level: float, against: float | None) -> None:
        self.level = level
        for t in tables:
            if t.positive.all() or not t.positive.any():
                sweep_of(t.of(t.models[0])).need_both_classes("A comparison of AUCs")
        if against is not None and len(tables) > 1:
            raise OptionError.of("against", "expected models on the same rows.")
        self.models, self.against = models_of(tables, targets), against
        self.placed = [placements(t) for t in tables]
        if against is not None:  # a model that places every row there has that AUC, and no variance
            flat = np.full((1, len(tables[0].positive)), against)
            self.placed = [replace(p, value=np.concatenate([p.value, flat])) for p in self.placed]
        self.values = [float(v) for p in self.placed for v in p.auc()]

    def _spread(self, i: int, j: int) -> Spread:
        """Return the variance of a difference; t has degrees of freedom of clusters or strata, else Welch's."""
        if len(self.placed) == 1:
            placed = self.placed[0]
            most = math.inf if placed.cluster is None else len(np.unique(placed.cluster)) - 1
            most = most if placed.strata is None else placed.strata.degrees
            return Spread(placed.variance_of_difference(i, j), most)
        each = [self.placed[k] for k in (i, j)]
        degrees = [p.units - 1 if p.strata is None else p.strata.degrees for p in each]
        parts = [Spread(float(p.covariance()[0, 0]), n) for p, n in zip(each, degrees, strict=True)]
        return sum_of_spreads(*parts)

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference."""
        two = names[i], names[j]
        if j == len(self.models):
            return against_value(self.models[i], self.values[j], two, self.level, margin)
        away, spread = self.values[i] - self.values[j], self._spread(i, j)
        if spread.variance <= 0 and not self._rank_alike(i, j):
            pivot: Pivot = JoinedPivot(
                away, *(default_pivot(m.target, m.rows) for m in (self.models[i], self.models[j]))
            )
            spread = Spread(0.0, math.inf)
        else:
            pivot = WaldPivot(away, spread)
        target = self.models[i].target
        return pair_of_pivot(pivot, spread, two, target, self.method, self.level, margin)

    def _rank_alike(self, i: int, j: int) -> bool:
        """Say whether two models put the same rows in the same order."""
        if len(self.placed) > 1:
            return False
        first, second = (rank(self.models[k].rows.score).block for k in (i, j))
        return bool(np.array_equal(first, second))

    def covariances(self) -> Parts:
        """Return the parts of the covariance of all AUCs."""
        return covariances_of_models(self.models, paired=len(self.placed) == 1)

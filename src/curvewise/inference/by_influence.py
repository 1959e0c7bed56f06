"""Metrics compared by what each row adds to the difference; and one model compared with a fixed value."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.sweep import sweep_of
from curvewise.errors import note
from curvewise.inference.comparison import ModelTest, Task, pair_of_models
from curvewise.inference.influence import covariances_of, influences
from curvewise.inference.methods import default_pivot, has_pivot, method_of
from curvewise.inference.pivots import Pivot, Spread, WaldPivot
from curvewise.results.estimate import Estimate, value_alone

if TYPE_CHECKING:
    from curvewise.inference.comparison import Pair, Parts
    from curvewise.metric.registry import Bound
    from curvewise.rows.rows import Rows

ROUNDING = 1e-12  # a difference closer to 0 is 0


@dataclass(frozen=True)
class Model:
    """One model with its metric, its rows and what its number is."""

    target: Bound
    rows: Rows

    @cached_property
    def value(self) -> float:
        """What the number is; read when it is asked for, since AUCs are known from placements."""
        return self.target.value(sweep_of(self.rows))


def models_of(task: Task) -> list[Model]:
    """Return every model of every table with its metric."""
    each = [table.of(name) for table in task.tables for name in table.models]
    return [Model(t, rows) for t, rows in zip(task.targets, each, strict=True)]


class ByInfluence(ModelTest):
    """A metric compared by the variance of what rows, or whole clusters, add to the difference."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.paired, self.models = len(task.tables) == 1, models_of(task)
        self.values = [m.value for m in self.models] + ([] if task.against is None else [task.against])
        few = len(self.models) > 1
        self.each = [influences(m.target, m.rows, sweep_of(m.rows)) for m in self.models] if few else []

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference."""
        if j == len(self.models):
            return against_value(self, self.models[i], (names[i], names[j]), margin)
        if self.paired:
            apart = self.each[i].minus(self.each[j])
            spread = apart.spread()
            if apart.of_all:  # of many outcomes: normal, as concordances are compared; of few clusters not
                number = math.inf if apart.rows.cluster is None else int(apart.rows.cluster.max())
                spread = replace(spread, degrees=number if apart.rows.stratum is None else spread.degrees)
        else:
            spread = sum_of_spreads(self.each[i].spread(), self.each[j].spread())
        away = self.values[i] - self.values[j]
        two = names[i], names[j]
        target = self.models[i].target
        pivot = WaldPivot(away, spread)
        return pair_of_pivot(pivot, spread, two, target.name, self.method, self.level, margin, target.bounds)

    def covariances(self) -> Parts:
        """Return the parts of the covariance of all numbers."""
        return covariances_of_models(self.models, paired=self.paired)


def covariances_of_models(models: list[Model], *, paired: bool) -> Parts:
    """Return the parts of the covariance of models' numbers: of the same rows, or one model after the other."""
    each = [influences(m.target, m.rows, sweep_of(m.rows)) for m in models]
    if paired:
        return covariances_of(each)
    parts = []
    for k, one in enumerate(each):
        alone = np.zeros((len(each), len(each)))
        for variance, units in covariances_of([one]):
            parts.append((alone.copy(), units))
            parts[-1][0][k, k] = variance.item()
    return parts


def sum_of_spreads(one: Spread, two: Spread) -> Spread:
    """Return the variance of a difference of independent numbers, with Welch's degrees of freedom."""
    below = one.variance**2 / one.degrees + two.variance**2 / two.degrees
    variance = one.variance + two.variance
    clusters = one.of_rows is not None or two.of_rows is not None
    of_rows = sum_of_spreads(one.of_rows or one, two.of_rows or two) if clusters else None
    return Spread(variance, variance**2 / below if below else 1.0, of_rows)


def pair_of_pivot(
    pivot: Pivot,
    spread: Spread,
    names: tuple[str, str],
    metric: str,
    method: str,
    level: float,
    margin: float | None,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Pair:
    """Test a difference; its interval excludes 0 exactly when p < 1 - level, and stays within what is possible."""
    name = f"difference of {metric}"
    if _says_nothing(pivot):
        return _untested(names, name, pivot.value, level, margin)
    (low, high), most = pivot.ends(level), bounds[1] - bounds[0]
    margins = None if margin is None else (pivot.p_above(-margin), pivot.p_below(margin))
    gap = Estimate(name, pivot.value, max(low, -most), min(high, most), level, method, spread.error)
    more: dict[str, Any] = {"degrees_of_freedom": None if math.isinf(spread.degrees) else spread.degrees}
    return pair_of_models(names, gap, pivot.statistic(0.0), pivot.p_value(0), margins, **more)


def against_value(test: ModelTest, model: Model, names: tuple[str, str], margin: float | None) -> Pair:
    """Compare one model with the fixed value, by the pivot of its interval."""
    pivot = default_pivot(model.target, model.rows, test.task.rng, test.task.replicates)
    null, level = test.values[-1], test.level
    away, name, method = model.value - null, f"difference of {model.target.name}", model.target.metric.interval
    if _says_nothing(pivot):
        return _untested(names, name, away, level, margin)
    low, high = (end - null for end in pivot.ends(level))
    spread: Spread | None = getattr(pivot, "spread", None)
    error = None if spread is None else spread.error
    gap = Estimate(name, away, low, high, level, method, error)
    margins = None if margin is None else (pivot.p_above(null - margin), pivot.p_below(null + margin))
    return pair_of_models(names, gap, pivot.deviate(null), pivot.p_value(null), margins)


def _says_nothing(pivot: Pivot) -> bool:
    """Say whether all rows add the same, so that nothing is known of how uncertain a number other than 0 is."""
    return isinstance(pivot, WaldPivot) and not pivot.spread.variance > 0 and abs(pivot.value) > ROUNDING


def _untested(names: tuple[str, str], name: str, away: float, level: float, margin: float | None) -> Pair:
    """Return a difference without interval and test."""
    margins = None if margin is None else (math.nan, math.nan)
    return pair_of_models(names, value_alone(name, away, level, note("no_variance")), None, math.nan, margins)


def has_influence(target: Bound) -> bool:
    """Say whether a metric can be compared by influence: its interval is made from a derivative."""
    quantile = target.metric.interval == "beta"  # read where another rate is reached
    return has_pivot(target) and not (quantile or method_of(target).needs_draws(target))

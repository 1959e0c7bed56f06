"""Any metric compared by resampling rows, the same ones for all models that share rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.resampling import draw_models, replicate_draws, resampler
from curvewise.core.sweep import sweep_of
from curvewise.errors import note
from curvewise.inference.by_influence import against_value, models_of
from curvewise.inference.comparison import ModelTest, Task, pair_of_models
from curvewise.inference.influence import independent_sizes
from curvewise.inference.methods import has_pivot
from curvewise.results.estimate import Estimate
from curvewise.rows.seeds import random_stream

if TYPE_CHECKING:
    from curvewise.inference.comparison import Pair, Parts
    from curvewise.metric.registry import Bound
    from curvewise.rows.rows import Rows

METHOD = "bootstrap"
SAME = 1e-12  # of the largest difference: one closer to 0 is 0 but for rounding


class ByBootstrap(ModelTest):
    """Any metric compared by resampling rows, the same ones for all models that share rows."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        tables, targets, rng, replicates = task.tables, task.targets, task.rng, task.replicates
        self.models = models_of(task)
        sweeps = [sweep_of(model.rows) for model in self.models]
        self.values = [k.value(s) for s, k in zip(sweeps, targets, strict=True)]
        moved = 0.0
        if len(tables) == 1:
            drawn, failed, moved = _replicate_paired(tables[0], targets, replicates, rng)
        else:
            seeds = random_stream(rng).spawn(len(tables))
            parts = []
            for m, s, k, seed in zip(self.models, sweeps, targets, seeds, strict=True):
                source = resampler(m.rows, s, stratified=k.stratified, threshold=k.threshold)
                parts.append(source.replicate(k.of_counts, replicates, seed))
            failed = max(f for _, f in parts)
            drawn = np.stack([v[: replicates - failed] for v, _ in parts])
        self.units = min(min(independent_sizes(t, sweep_of(t.of(t.models[0])))) for t in tables)
        if task.against is not None:
            self.values.append(task.against)
            drawn = np.concatenate([drawn, np.full((1, drawn.shape[1]), task.against)])
        self.drawn = drawn
        if targets[0].metric.interval == "none":
            self.notes += (note("biased_resamples", metric=self.name),)
        if failed:
            self.notes += (note("resamples_undefined", failed=failed, replicates=replicates),)
        if moved:
            self.notes += (note("binned_at_most", moved=moved),)

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference; from a fixed value as the default interval does, unless resampling was asked for."""
        if self.task.by_default and j == len(self.models) and has_pivot(self.models[i].target):
            return against_value(self, self.models[i], (names[i], names[j]), margin)
        away = self.values[i] - self.values[j]
        drawn = self.drawn[i] - self.drawn[j]
        return pair_of_draws((names[i], names[j]), self.name, away, drawn, self.level, margin)

    def covariances(self) -> Parts:
        """Return the covariance of all numbers over the resamples, with the units of the smaller class."""
        return [(np.cov(self.drawn), self.units)]


def _replicate_paired(
    rows: Rows,
    targets: Sequence[Bound],
    replicates: int,
    rng: np.random.Generator | int | None,
) -> tuple[Floats, int, float]:
    """Return the statistic of every model (one row per model) on the same resampled rows.

    Also how many resamples failed to define one, and how far binning moved a value (0 for few rows).
    """
    names = rows.models
    stratified = all(target.stratified for target in targets)
    draw, models = draw_models(rows, [target.threshold for target in targets], stratified=stratified)
    away = np.zeros(len(names))
    for k, (target, (like, binned)) in enumerate(zip(targets, models, strict=True)):
        if binned:
            away[k] = target.value(sweep_of(rows.of(names[k]))) - target.value(like)

    def one(stream: np.random.Generator) -> list[float]:
        read = zip(targets, models, draw(stream), strict=True)
        return [target.of_counts(like, *counts) for target, (like, _), counts in read]

    values, failed = replicate_draws(one, replicates, rng, len(rows))
    return values.T + away[:, None], failed, float(np.abs(away).max())


def pair_of_draws(
    names: tuple[str, str],
    metric: str,
    away: float,
    drawn: NDArray[np.float64],
    level: float,
    margin: float | None,
) -> Pair:
    """Test a difference by where 0 lies among its replicates.

    Between replicates quantiles are joined by straight lines. Where many replicates are equal the line is flat, and
    each tail reaches to its far end: the interval of a level excludes a value exactly where p is below 1 - level.
    """
    drawn = np.sort(np.where(np.abs(drawn) <= SAME * np.abs(drawn).max(), 0.0, drawn))
    ranks, least = np.linspace(0, 1, len(drawn)), 1 / len(drawn)

    def p_above(x: float) -> float:  # of a difference of x or less
        return max(float(np.interp(x, drawn, ranks, left=0.0)), least)

    def p_below(x: float) -> float:
        return max(float(np.interp(-x, -drawn[::-1], ranks, left=0.0)), least)

    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]).tolist()
    if (1 - level) / 2 < least:  # so few replicates know no smaller p-value, so the interval holds 0
        low, high = min(low, 0.0), max(high, 0.0)
    error = float(np.std(drawn, ddof=1))
    margins = None if margin is None else (p_above(-margin), p_below(margin))
    gap = Estimate(f"difference of {metric}", away, low, high, level, METHOD, error, len(drawn))
    return pair_of_models(names, gap, None, min(1.0, 2 * p_above(0), 2 * p_below(0)), margins, drawn=drawn)

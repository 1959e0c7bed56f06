"""AUCs compared by the variance of their placements."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from curvewise.core.ranking import rank
from curvewise.core.strata import strata_of
from curvewise.core.sweep import sweep_of
from curvewise.errors import OptionError
from curvewise.inference.by_influence import (
    against_value,
    covariances_of_models,
    models_of,
    pair_of_pivot,
    sum_of_spreads,
)
from curvewise.inference.comparison import ModelTest, Task
from curvewise.inference.delong import Placements, placements
from curvewise.inference.influence import independent_sizes
from curvewise.inference.limits import critical_value, crossing
from curvewise.inference.pivots import (
    Pivot,
    ScorePivot,
    Spread,
    WaldPivot,
    expected_of_pairs,
    log_t_tail,
    most_known,
)

if TYPE_CHECKING:
    from curvewise.inference.comparison import Pair, Parts
    from curvewise.inference.pivots import Ends

# Of how many degrees of freedom is what is expected beforehand: of the variance of a difference, and of the correlation
# of two models. A difference leans to neither side, and more is known of its variance than its kurtosis says.
# Chosen by simulation: 504 cells of 10 to 100 positives and 10 to 390 negatives, AUC .75 to .997, correlations .3 to
# .9, normal scores of equal and unequal variance and powers of uniform ones. Where next to nothing is lost, models do
# not count as correlated: else the variance would be least at equality, and larger differences more likely again.
AHEAD, CORRELATION_AHEAD, CORRELATION, LESS_SKEWED, CORRELATED_BY_LOSS = 2.0, 0.5, 0.5, 2.0, 1.5


@dataclass(frozen=True)
class ScoreDifference(Pivot):
    """A difference of two AUCs, judged by the variance that it has where it is the null value.

    It is `ScorePivot` for two. θ₁ and θ₂ are the AUCs that differ by the null value and are nearest to the estimates,
    in terms of what these are expected to vary by. There the variance is ρ·[V₁(θ₁) + V₂(θ₂) - 2r√(V₁V₂)]: ρ is how many
    times more than expected the difference varies, and r the correlation of both estimates, 0 on different rows. Each
    is averaged with what is expected, 1 and `CORRELATION`. ``apart`` is the spread of the difference.

    References
    ----------
    Mee (1984) Biometrics 40:1175-1176. DeLong, DeLong & Clarke-Pearson (1988) Biometrics 44:837-845.
    """

    value: float
    first: ScorePivot
    second: ScorePivot
    apart: Spread
    paired: bool

    @cached_property
    def _if_equal(self) -> Ends:
        """The variances that both are expected to have if they are equal."""
        half = (self.first.value + self.second.value) / 2
        return self._expected(half, half)

    @cached_property
    def _least(self) -> float:
        """How near an AUC may come to 0 or 1: half a pair."""
        return 0.5 / (min(self.first.trials, self.second.trials) + 1)

    def _expected(self, first: float, second: float) -> Ends:
        """Return the variances that two AUCs are expected to have."""
        least = self._least
        first, second = min(max(first, least), 1 - least), min(max(second, least), 1 - least)
        return self.first.expected(first), self.second.expected(second)

    def _of_difference(self, one: float, two: float) -> float:
        """Return the variance of a difference of AUCs of these variances."""
        return one + two - 2 * self._correlation * math.sqrt(one * two)

    @cached_property
    def _lost(self) -> float:
        """How many rows are lost to the AUC of both if they are equal."""
        one, two = self._if_equal
        common = (self.first.value * two + self.second.value * one) / (one + two)
        return min(self.first.units, self.second.units) * min(common, 1 - common)

    @cached_property
    def _correlation(self) -> float:
        one, two, apart = (s.of_rows or s for s in (self.first.spread, self.second.spread, self.apart))
        both = math.sqrt(one.variance * two.variance)
        if not (self.paired and both):
            return 0.0
        known = min(one.degrees, two.degrees, most_known(self._lost))
        seen = (one.variance + two.variance - apart.variance) / (2 * both)
        mean = (CORRELATION_AHEAD * CORRELATION + known * seen) / (CORRELATION_AHEAD + known)
        return mean * min(1.0, CORRELATED_BY_LOSS * self._lost)

    @cached_property
    def _known(self) -> float:
        return min((self.apart.of_rows or self.apart).degrees, most_known(self._lost))

    @property
    def degrees(self) -> float:
        """The degrees of freedom of the quantile."""
        return AHEAD + min(self.apart.degrees, most_known(self._lost))

    @cached_property
    def _times(self) -> float:
        """How many times larger the variance is than expected beforehand."""
        rows = self.apart.of_rows or self.apart
        seen = rows.variance / self._of_difference(*self._expected(self.first.value, self.second.value))
        effect = max(self.apart.variance / rows.variance, 1.0) if rows.variance > 0 else 1.0
        return (AHEAD + self._known * seen) / (AHEAD + self._known) * effect

    def _error(self, null: float) -> float:
        """Return the standard error that holds where the difference is ``null``."""
        gap, first, second = self.value - null, self.first.value, self.second.value
        one, two = self._if_equal
        for _ in range(2):
            share = gap / (one + two)
            nearest, other = first - share * one, second + share * two
            beyond = max(nearest - 1, other - 1, 0.0) + min(nearest, other, 0.0)
            one, two = self._expected(nearest - beyond, other - beyond)
        return math.sqrt(self._times * self._of_difference(one, two))

    def statistic(self, null: float) -> float:
        """Return how many standard errors, those that hold at ``null``, the difference lies above it."""
        return (self.value - null) / self._error(null)

    def ends(self, level: float) -> Ends:
        """Return the interval of a level."""
        reach = critical_value(level, self.degrees)
        return self._end(reach), self._end(-reach)

    def _end(self, reach: float) -> float:
        """Return what the difference lies so many standard errors above: by secants, or by bisection if they fail."""
        ends = [-1.0, self.value] if reach > 0 else [self.value, 1.0]
        if ends[0] < 0 < ends[1]:  # on the side of 0 that the test of 0 says
            ends[int(self.statistic(0.0) <= reach)] = 0.0
        last, off = self.value, reach * self._error(self.value)
        end = last - off
        for _ in range(20):
            miss = end + reach * self._error(end) - self.value if abs(end) < 1 else off
            if abs(miss) < 1e-15 and ends[0] <= end <= ends[1]:
                return end
            if miss == off:
                break
            last, off, end = end, miss, end - miss * (end - last) / (miss - off)
        return crossing(lambda null: self.statistic(null) - reach, *ends)

    def log_tail(self, null: float) -> float:
        """Return the logarithm of the one-sided p-value on the side of ``null`` where the estimate lies."""
        return log_t_tail(self.statistic(null), self.degrees)


def less_skewed(spread: Spread, most: float = math.inf) -> Spread:
    """Return the spread of a difference with more degrees of freedom than its kurtosis says."""
    of_rows = None if spread.of_rows is None else less_skewed(spread.of_rows)
    times = LESS_SKEWED if spread.variance > 0 else 1.0  # without variance there is no kurtosis either
    return Spread(spread.variance, min(times * spread.degrees, most), of_rows)


class ByDelong(ModelTest):
    """AUCs compared by the variance of their placements: by the score test, or as pROC does it ("delong-wald")."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        for t in task.tables:
            if t.positive.all() or not t.positive.any():
                sweep_of(t.of(t.models[0])).need_both_classes("A comparison of AUCs")
        if task.against is not None and len(task.tables) > 1:
            raise OptionError.of("against", "expected models on the same rows.")
        self.models = models_of(task)
        if len(self.models) == 1 and task.against is not None:
            self.values = [self.models[0].value, task.against]
        else:
            self.values = [float(v) for p in self.placed for v in p.auc()]

    @cached_property
    def placed(self) -> list[Placements]:
        """The placements of each table's rows; a fixed value is a model that places every row there."""
        each = [placements(t) for t in self.task.tables]
        if self.task.against is None:
            return each
        flat = np.full((1, len(self.task.tables[0])), self.task.against)
        return [replace(p, value=np.concatenate([p.value, flat])) for p in each]

    @cached_property
    def _spreads(self) -> dict[tuple[int, int | None], Spread]:
        """The variance of each model's AUC and, on the same rows, of each difference."""
        alone: list[tuple[int, int | None]] = [(k, None) for k in range(len(self.models))]
        if len(self.placed) > 1:
            return dict(zip(alone, (p.spread() for p in self.placed), strict=True))
        which = [*alone, *combinations(range(len(self.models)), 2)]
        return dict(zip(which, self.placed[0].spreads(which), strict=True))

    def _alone(self, k: int) -> ScorePivot:
        """Return the AUC of one model with its uncertainty."""
        spread = self._spreads[k, None]
        clusters = spread.of_rows is None or spread.of_rows.variance <= 0
        sizes = independent_sizes(self.models[k].rows, None, clusters=clusters)
        return ScorePivot(self.values[k], spread, expected_of_pairs(*sizes), sizes[0] * sizes[1], min(sizes))

    @cached_property
    def _most(self) -> float:
        """The degrees of freedom that clusters or strata leave."""
        placed = self.placed[0]
        if (strata := strata_of(placed.rows)) is not None:
            return strata.degrees
        return math.inf if placed.rows.cluster is None else placed.units - 1

    def _wald(self, i: int, j: int) -> Spread:
        """Return the variance of a difference; t has degrees of freedom of clusters or strata, else Welch's."""
        if len(self.placed) == 1:
            return replace(self._spreads[i, j], degrees=self._most)
        each = [self.placed[k] for k in (i, j)]
        degrees = [p.units - 1 if (s := strata_of(p.rows)) is None else s.degrees for p in each]
        return sum_of_spreads(
            *(replace(self._spreads[k, None], degrees=n) for k, n in zip((i, j), degrees, strict=True))
        )

    @cached_property
    def _pivots(self) -> dict[tuple[int, int], ScoreDifference]:
        """What each difference is, by the score test."""
        each, paired = [self._alone(k) for k in range(len(self.models))], len(self.placed) == 1
        most, pivots = self._most if paired else math.inf, {}
        for i, j in combinations(range(len(each)), 2):
            first, second = each[i], each[j]
            apart = self._spreads[i, j] if paired else sum_of_spreads(first.spread, second.spread)
            pivots[i, j] = ScoreDifference(first.value - second.value, first, second, less_skewed(apart, most), paired)
        return pivots

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference."""
        two = names[i], names[j]
        if j == len(self.models):
            return against_value(self, self.models[i], two, margin)
        if self.method != "delong" or self._rank_alike(i, j):
            spread = self._wald(i, j)
            pivot: Pivot = WaldPivot(self.values[i] - self.values[j], spread)
        else:
            pivot = self._pivots[i, j]
            spread = replace(pivot.apart, degrees=pivot.degrees)
        target = self.models[i].target
        return pair_of_pivot(pivot, spread, two, target.name, self.method, self.level, margin, target.bounds)

    def _rank_alike(self, i: int, j: int) -> bool:
        """Say whether two models put the same rows in the same order."""
        if len(self.placed) > 1 or self.values[i] != self.values[j]:
            return False
        first, second = (rank(self.models[k].rows.score).block for k in (i, j))
        return bool(np.array_equal(first, second))

    def covariances(self) -> Parts:
        """Return the parts of the covariance of all AUCs."""
        return covariances_of_models(self.models, paired=len(self.placed) == 1)

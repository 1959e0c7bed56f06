"""Two models compared by swapping their scores at random, row by row or cluster by cluster.

If the models are equally good, it does not matter which of them gave which score to a row. Scores of two
models rarely share a scale, so metrics of the ranking swap ranks, and metrics at a threshold swap decisions.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.resampling import read_counts, replicate_draws
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.errors import OptionError, note
from curvewise.inference.comparison import Pair
from curvewise.results.estimate import Estimate
from curvewise.rows.checks import threshold_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core.registry import Bound
    from curvewise.rows.reading import Rows

    Codes = NDArray[np.intp]

SAME = 1e-12  # differences closer than this are alike but for rounding


class ByPermutation:
    """Any metric compared by swapping; the p-value counts swaps that differ at least as much."""

    method = "permutation"
    notes = (note("permutation_no_interval"),)

    def __init__(
        self,
        tables: list[Rows],
        targets: list[Bound],
        level: float,
        replicates: int,
        rng: np.random.Generator | int | None,
    ) -> None:
        self.table = only_paired(tables, self.method)
        self.level, self.targets, self.replicates = level, targets, replicates
        self.models = list(self.table.scores)
        self.values = [
            float(k.statistic(sweep_of(self.table.of(m)))) for k, m in zip(targets, self.models, strict=True)
        ]
        self.seeds = np.random.default_rng(rng).spawn(math.comb(len(self.models), 2))

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference."""
        refuse_margin(margin, self.method)
        targets = [self.targets[k] for k in (i, j)]
        swaps = _Swaps(self.table, [self.models[k] for k in (i, j)], targets)
        drawn, _ = replicate_draws(swaps.difference, self.replicates, self.seeds.pop(0))
        away = self.values[i] - self.values[j]
        return unbounded_pair(names[i], names[j], self, away, None, share_beyond(abs(away), np.abs(drawn)))

    def omnibus(self) -> None:
        """Say that there is no test of all models at once."""
        return


class _Swaps:
    """The scores of two models as places in one row of blocks, so that swapping needs no sort."""

    def __init__(self, table: Rows, models: list[str], targets: list[Bound]) -> None:
        own = [comparable(table.of(m), k) for m, k in zip(models, targets, strict=True)]
        unique, codes = np.unique(np.concatenate(own), return_inverse=True)
        ranked = targets[0].threshold is not None or targets[0].metric.family == "ranking"
        higher_is = "positive" if ranked else table.higher_is
        if higher_is == "positive":
            unique, codes = unique[::-1], len(unique) - 1 - codes
        if targets[0].threshold is not None:  # 1 is flagged, 0 is not
            unique = np.where(unique == 1, targets[0].threshold, -np.inf)
        self.like = Sweep(unique, np.zeros(0), np.zeros(0), 0, 0, higher_is=higher_is)
        self.first, self.second = np.split(codes, 2)
        self.table = table
        self.statistic = targets[0].statistic
        self.on = np.flatnonzero(table.positive), np.flatnonzero(~table.positive)

    def difference(self, rng: np.random.Generator) -> float:
        """Return the difference after one round of swaps."""
        one, two = (self._value(c) for c in swapped(rng, self.first, self.second, self.table.cluster))
        return one - two

    def _value(self, codes: Codes) -> float:
        weight = self.table.weight
        counts = [
            np.bincount(codes[on], None if weight is None else weight[on], len(self.like.threshold))
            for on in self.on
        ]
        if weight is not None and weight.dtype.kind == "i":
            counts = [c.astype(np.int64) for c in counts]
        return float(read_counts(self.like, self.statistic, *counts))


def comparable(rows: Rows, target: Bound) -> NDArray[Any]:
    """Return decisions for a metric at a threshold, ranks for one of the ranking, else the scores."""
    falling = rows.higher_is == "positive"
    if target.threshold is not None:
        cut = threshold_for(rows.score.dtype, target.threshold, falling=falling)
        return np.where(rows.score >= cut if falling else rows.score <= cut, 1, 0)
    if target.metric.family == "ranking":
        return doubled_ranks(rows)
    scores: NDArray[Any] = rows.score
    return scores


def doubled_ranks(rows: Rows) -> NDArray[np.int64]:
    """Return twice the mid-rank of each row, 2 for the least positive."""
    _, codes, count = np.unique(rows.score, return_inverse=True, return_counts=True)
    ranks = 2 * np.cumsum(count) - count + 1
    return np.asarray((ranks if rows.higher_is == "positive" else 2 * len(codes) + 2 - ranks)[codes])


def swapped(
    rng: np.random.Generator, first: NDArray[Any], second: NDArray[Any], cluster: Codes | None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Swap two models' entries in each row, or in each whole cluster, with probability one half."""
    swap = rng.integers(0, 2, len(first) if cluster is None else int(cluster.max()) + 1).astype(bool)
    swap = swap if cluster is None else swap[cluster]
    return np.where(swap, second, first), np.where(swap, first, second)


def share_beyond(found: float, drawn: NDArray[np.float64]) -> float:
    """Return the p-value: the share of draws, with the data themselves, at least as large."""
    beyond = int(np.count_nonzero(drawn >= found - SAME * max(found, 1.0)))
    return (1 + beyond) / (1 + len(drawn))


def only_paired(tables: list[Rows], method: str) -> Rows:
    """Return the one table of models on the same rows."""
    if len(tables) > 1:
        raise OptionError.of("method", f"{method!r} compares models on the same rows; use 'bootstrap'.")
    return tables[0]


def refuse_margin(margin: float | None, method: str) -> None:
    """Say that a test without an interval knows no margin."""
    if margin is not None:
        raise OptionError.of(
            "margin", f"method={method!r} tests only whether models differ; leave out margin."
        )


def unbounded_pair(
    first: str, second: str, test: Any, away: float, statistic: float | None, p_value: float
) -> Pair:
    """Return a pair whose difference has no interval."""
    found = Estimate(
        f"difference of {test.targets[0].name}", away, math.nan, math.nan, test.level, test.method
    )
    return Pair(first, second, replace(found, replicates=test.replicates), statistic, p_value, math.nan)

"""Two models compared by swapping their scores at random, row by row or cluster by cluster.

If the models are equally good, it does not matter which of them gave which score to a row. Scores of two
models rarely share a scale, so metrics of the ranking swap ranks, and metrics at a threshold swap decisions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.core.resampling import replicate_draws
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.errors import OptionError, note
from curvewise.inference.comparison import ModelTest, Pair, Task, pair_of_models
from curvewise.results.estimate import Estimate
from curvewise.rows.checks import threshold_for
from curvewise.rows.seeds import random_stream

if TYPE_CHECKING:
    from curvewise.metric.registry import Bound
    from curvewise.rows.rows import Rows

    Codes = NDArray[np.intp]
    Ranks = NDArray[np.int64]
    Both = tuple[NDArray[Any], NDArray[Any]]  # of the positives, and of the negatives

CLOSE = 1e-3  # to chance, as a user writes it
SAME = 1e-12  # differences closer than this are alike but for rounding


class ByPermutation(ModelTest):
    """Any metric compared by swapping; the p-value counts swaps that differ at least as much."""

    notes = (note("permutation_no_interval"),)

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.table, self.targets, self.replicates = only_paired(task.tables, task.method), task.targets, task.replicates
        self.models = list(self.table.scores)
        sweeps = [sweep_of(self.table.of(m)) for m in self.models]
        self.values = [k.value(s) for k, s in zip(task.targets, sweeps, strict=True)]
        if task.against is not None:
            self.values.append(_chance(task.targets[0], sweeps[0], self.table, task.against))
        self.seeds = random_stream(task.rng).spawn(math.comb(len(self.values), 2))

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference; from chance by giving the scores of one model to other rows."""
        self.refuse(margin)
        if j == len(self.models):
            shuffles = _shuffling(self.table, self.models[i], self.targets[i])
            drawn, _ = replicate_draws(shuffles, self.replicates, self.seeds.pop(0))
            rarer = min(share_beyond(self.values[i], drawn), share_beyond(-self.values[i], -drawn))
            return self.unbounded((i, j), names, None, min(1.0, 2 * rarer))
        swaps = _swapping(self.table, [self.models[k] for k in (i, j)], [self.targets[k] for k in (i, j)])
        drawn, _ = replicate_draws(swaps, self.replicates, self.seeds.pop(0))
        away = abs(self.values[i] - self.values[j])
        return self.unbounded((i, j), names, None, share_beyond(away, np.abs(drawn)))

    def refuse(self, margin: float | None) -> None:
        """Say that a test without an interval knows no margin."""
        if margin is not None:
            why = f"method={self.method!r} tests only whether models differ; leave out margin."
            raise OptionError.of("margin", why)

    def unbounded(self, which: tuple[int, int], names: list[str], statistic: float | None, p_value: float) -> Pair:
        """Return a pair whose difference has no interval."""
        i, j = which
        ends, name = (math.nan, math.nan), f"difference of {self.name}"
        away = self.values[i] - self.values[j]
        gap = Estimate(name, away, *ends, self.level, self.method, replicates=self.replicates)
        return pair_of_models((names[i], names[j]), gap, statistic, p_value)


def _swapping(table: Rows, models: list[str], targets: list[Bound]) -> Callable[[np.random.Generator], float]:
    """Return the difference after a round of swaps; places in blocks that both share need no sort."""
    codes, value = _of_places(table, models, targets)
    first, second = np.split(codes, 2)

    def difference(rng: np.random.Generator) -> float:
        one, two = (value(c) for c in swapped(rng, first, second, table.cluster))
        return one - two

    return difference


def _shuffling(table: Rows, model: str, target: Bound) -> Callable[[np.random.Generator], float]:
    """Return the number of a model whose scores are given to rows at random, within strata."""
    codes, value = _of_places(table, [model], [target])
    strata = (
        [np.arange(len(codes))]
        if table.stratum is None
        else [np.flatnonzero(table.stratum == stratum) for stratum in np.unique(table.stratum)]
    )

    def number(rng: np.random.Generator) -> float:
        mixed = codes.copy()
        for rows in strata:
            mixed[rows] = codes[rng.permutation(rows)]
        return value(mixed)

    return number


def _chance(target: Bound, sweep: Sweep, table: Rows, against: float) -> float:
    """Return the value of a score that says nothing; refuse another, and clusters, whose rows are no like rows."""
    chance = sweep.prevalence if target.metric.chance == "prevalence" else target.metric.chance
    if chance is None or not math.isclose(against, float(chance), rel_tol=CLOSE):
        known = "for which no value is known" if chance is None else f"{float(chance):.6g} here"
        why = f"a permutation compares {target.name} with chance, {known}; use method='bootstrap'."
        raise OptionError.of("against", why)
    if table.cluster is not None:
        raise OptionError.of(
            "method", "'permutation' compares with chance where rows are independent; use 'bootstrap'."
        )
    return float(chance)


def _of_places(table: Rows, models: list[str], targets: list[Bound]) -> tuple[Codes, Callable[[Codes], float]]:
    """Return the places of rows among the scores of all models, and what reads the number from places."""
    columns = [comparable(table.of(m), k) for m, k in zip(models, targets, strict=True)]
    unique, codes = np.unique(np.concatenate(columns), return_inverse=True)
    target = targets[0]  # of one metric; where thresholds differ, its own stands for either
    ranked = target.threshold is not None or target.metric.family == "ranking"
    higher_is = "positive" if ranked else table.higher_is
    if higher_is == "positive":
        unique, codes = unique[::-1], len(unique) - 1 - codes
    if target.threshold is not None:  # 1 is flagged, 0 is not
        unique = np.where(unique == 1, target.threshold, -np.inf)
    like = Sweep(unique, np.zeros(0), np.zeros(0), 0, 0, higher_is=higher_is)  # mutants: not read
    classes, weight = (np.flatnonzero(table.positive), np.flatnonzero(~table.positive)), table.weight

    def value(codes: Codes) -> float:
        shares = [None if weight is None else weight[on] for on in classes]
        counts = [np.bincount(codes[on], w, len(unique)) for on, w in zip(classes, shares, strict=True)]
        if weight is not None and weight.dtype.kind == "i":
            counts = [c.astype(np.int64) for c in counts]
        return float(target.of_counts(like, *counts))

    return codes, value


def comparable(rows: Rows, target: Bound) -> NDArray[Any]:
    """Return decisions for a metric at a threshold, ranks for one of the ranking, else the scores."""
    falling = rows.higher_is == "positive"
    if target.threshold is not None:
        cut = threshold_for(rows.score.dtype, target.threshold, falling=falling)
        return np.where(rows.score >= cut if falling else rows.score <= cut, 1, 0)
    if target.metric.family == "ranking":
        return doubled_ranks(rows)
    return np.asarray(rows.score)


def doubled_ranks(rows: Rows) -> Ranks:
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


def share_beyond(observed: float, drawn: NDArray[np.float64]) -> float:
    """Return the p-value: the share of draws, with the data themselves, at least as large."""
    beyond = int(np.count_nonzero(drawn >= observed - SAME * max(abs(observed), 1.0)))
    return (1 + beyond) / (1 + len(drawn))


def only_paired(tables: list[Rows], method: str) -> Rows:
    """Return the one table of models on the same rows."""
    if len(tables) > 1:
        raise OptionError.of("method", f"{method!r} compares models on the same rows; use 'bootstrap'.")
    return tables[0]


class Venkatraman(ByPermutation):
    """Whole curves compared: errors at each rank, summed over ranks, against swapped ranks.

    ``statistic`` is E = Σₖ |errors of the first - errors of the second| when the k rows ranked lowest are
    called negative. Tied rows share their mid-rank, so the order of rows plays no part.
    """

    notes = (note("whole_curves"),)

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.ranks = [doubled_ranks(self.table.of(model)) for model in self.models]
        weight = self.table.weight
        self.gain = np.where(self.table.positive, 1, -1) * (1 if weight is None else weight)

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one pair of curves."""
        self.refuse(margin)
        first, second = self.ranks[i], self.ranks[j]

        def one(rng: np.random.Generator) -> float:
            return self._apart(*(_ranked_again(r) for r in swapped(rng, first, second, self.table.cluster)))

        apart = self._apart(first, second)
        drawn, _ = replicate_draws(one, self.replicates, self.seeds.pop(0))
        return self.unbounded((i, j), names, apart, share_beyond(apart, drawn))

    def _apart(self, first: Ranks, second: Ranks) -> float:
        """Return E: calling row k negative costs an error if it is positive and corrects one if not."""
        size = 2 * len(first) + 1  # mutants: sums cancel
        errors = np.bincount(first, self.gain, size) - np.bincount(second, self.gain, size)
        return float(np.abs(np.cumsum(errors)[2:-1:2]).sum())


def _ranked_again(ranks: Ranks) -> Ranks:
    """Return doubled mid-ranks of numbers that are ranks themselves, by counting."""
    count = np.bincount(ranks)
    return np.asarray((2 * np.cumsum(count) - count + 1)[ranks])


class UnpairedVenkatraman(ByPermutation):
    """Whole curves of models on different rows compared, against positives and negatives exchanged at random.

    With F and G the distribution functions of positives and negatives and κ the share of positives among the
    rows of both models, a threshold that calls the share p = κF + (1 - κ)G negative makes the errors
    e(p) = κF + (1 - κ)(1 - G). ``statistic`` is E = ∫ |e₁(p) - e₂(p)| dp. If the curves are equal, so are the
    distributions of p of the positives under both models, and those of the negatives: these are exchanged, and not
    ranks, which mean other shares in a sample of another size or prevalence. Tied rows share one place, and curves are
    joined by straight lines across them.
    """

    notes = (note("whole_curves"),)

    def __init__(self, task: Task) -> None:
        ModelTest.__init__(self, task)
        tables = task.tables
        if any(t.cluster is not None or t.weight is not None for t in tables):
            why = "'venkatraman' takes models on different rows without weights and clusters."
            raise OptionError.of("method", why)
        self.replicates = task.replicates
        self.values = [k.value(sweep_of(t)) for k, t in zip(task.targets, tables, strict=True)]
        self.tables = [(doubled_ranks(t), t.positive) for t in tables]
        self.seeds = random_stream(task.rng).spawn(math.comb(len(tables), 2))

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one pair of curves."""
        self.refuse(margin)
        samples = [self.tables[k] for k in (i, j)]
        share = sum(np.count_nonzero(y) for _, y in samples) / sum(len(y) for _, y in samples)
        first, second = (_split(*one) for one in samples)
        apart = _errors_apart(first, second, share)
        places = [_split(_places(*one, share), one[1]) for one in samples]
        pooled = [np.concatenate(both) for both in zip(*places, strict=True)]
        sizes = [len(part) for part in places[0]]

        def one(rng: np.random.Generator) -> float:
            mixed = (np.split(rng.permutation(values), [size]) for values, size in zip(pooled, sizes, strict=True))
            (pos1, pos2), (neg1, neg2) = mixed
            return _errors_apart((pos1, neg1), (pos2, neg2), share)

        drawn, _ = replicate_draws(one, self.replicates, self.seeds.pop(0))
        return self.unbounded((i, j), names, apart, share_beyond(apart, drawn))


def _split(values: NDArray[Any], positive: NDArray[np.bool_]) -> Both:
    """Return the values of the positives, and of the negatives."""
    return values[positive], values[~positive]


def _places(score: NDArray[Any], positive: NDArray[np.bool_], share: float) -> NDArray[np.float64]:
    """Return for each row twice the share of rows below it, half of those tied, with ``share`` positives."""
    shares = np.zeros(len(score))
    for values, part in zip(_split(score, positive), (share, 1 - share), strict=True):
        rising = np.sort(values)
        below, to = (np.searchsorted(rising, score, side=side) for side in ("left", "right"))
        shares += part * (below + to) / len(values)  # mutants: same in the end
    return shares


def _errors_apart(first: Both, second: Both, share: float) -> float:
    """Return the area between the errors of two models, exactly: both are straight between their thresholds."""
    (p1, e1), (p2, e2) = (_errors(*one, share) for one in (first, second))
    p = np.union1d(p1, p2)
    gap = np.interp(p, p1, e1) - np.interp(p, p2, e2)
    left, right, width = np.abs(gap[:-1]), np.abs(gap[1:]), np.diff(p)
    crossed = gap[:-1] * gap[1:] < 0
    total = left + right
    between = np.where(crossed, (left**2 + right**2) / np.where(crossed, total, 1.0), total)
    return float(np.sum(between * width)) / 2


def _errors(positives: NDArray[Any], negatives: NDArray[Any], share: float) -> Both:
    """Return the share called negative at each threshold, and how many more errors that makes than none."""
    at = np.union1d(positives, negatives)
    f, g = (np.searchsorted(np.sort(v), at, side="right") / len(v) for v in (positives, negatives))
    f, g = np.append(0.0, f), np.append(0.0, g)
    return share * f + (1 - share) * g, share * f - (1 - share) * g

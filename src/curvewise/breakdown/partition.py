"""One sort for all groups: rows are ranked once, then dealt to their groups in that order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats, Places
from curvewise.core.ranking import Ranking, rank, taken
from curvewise.core.resampling import class_order, draw_times, replicate_draws, row_counter
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.errors import UndefinedMetricError
from curvewise.rows.category import Category, combined

if TYPE_CHECKING:
    from curvewise.metric.registry import Bound
    from curvewise.rows.rows import Rows


@dataclass(frozen=True, eq=False)
class Partition:
    """Rows dealt to the groups of a category.

    ``ranked`` are the places in the ranking of the rows of group after group, each group's most positive first: those
    of group g are ``ranked[start[g]:start[g + 1]]``.
    """

    rows: Rows
    ranking: Ranking
    category: Category
    ranked: Places
    start: Places

    @cached_property
    def place(self) -> Places:
        """The rows of group after group, each group's most positive first."""
        return taken(self.ranking.order, self.ranked)

    def __len__(self) -> int:
        return len(self.category)

    def rows_of(self, group: int) -> Rows:
        """Return the rows of one group in the order in which they came."""
        taken = some_rows(self.rows, np.sort(self.place[self.start[group] : self.start[group + 1]]))
        return taken if taken.horizon is None else replace(taken, horizon=taken.horizon.within(self._members(group)))

    def rows_of_the_rest(self, group: int) -> Rows:
        """Return the rows of all other groups in the order in which they came."""
        taken = some_rows(self.rows, np.flatnonzero(self.category.code != group))
        return taken if taken.horizon is None else replace(taken, horizon=taken.horizon.within(~self._members(group)))

    def _members(self, group: int) -> NDArray[np.bool_]:
        """Return which of all outcomes at a horizon, the unknown ones too, belong to a group."""
        assert self.rows.horizon is not None  # noqa: S101 - asked at a horizon alone
        held = self.rows.horizon.everyone
        beside = [c for c in (held.site, held.fold) if c is not None and c.column == self.category.column]
        everyone = (
            held.groups.get(self.category.column) or next(iter(beside), None) or combined([*held.groups.values()])
        )
        found: NDArray[np.bool_] = everyone.code == everyone.names.index(self.category.names[group])
        return found

    def rows_between(self, positives_of: int, negatives_of: int) -> Rows:
        """Return the positives of one group and the negatives of another."""
        return some_rows(self.rows, self._between(positives_of, negatives_of))

    def _between(self, positives_of: int, negatives_of: int) -> Places:
        code, positive = self.category.code, self.rows.positive
        return np.flatnonzero(((code == positives_of) & positive) | ((code == negatives_of) & ~positive))

    @cached_property
    def is_nested(self) -> bool:
        """Whether no cluster has rows in two groups, so that groups are independent."""
        return is_nested(self.rows.cluster, self.category)

    @cached_property
    def is_independent(self) -> bool:
        """Whether no cluster and no stratum has rows in two groups: how many rows a stratum gives to each is chance.

        Groups of a horizon share the estimate of censoring.
        """
        return self.rows.censored is None and self.is_nested and is_nested(self.rows.stratum, self.category)

    def sweeps(self) -> list[Sweep]:
        """Return the sweep of each group, equal to one made of its rows alone."""
        if self.rows.horizon is not None:
            return [sweep_of(self.rows_of(g)) for g in range(len(self))]
        rows, start = self.rows, self.start
        # by the ranking, not by row: then every group is read from one end to the other
        score = taken(self.ranking.ranked_score, self.ranked)
        threshold, first, ends = score, start, None
        if len(self.ranking.tied):  # else every row is a block of its group, too
            is_last = np.ones(len(score), dtype=bool)
            np.not_equal(score[1:], score[:-1], out=is_last[:-1])
            is_last[start[1:] - 1] = True  # groups are never empty
            ends = np.flatnonzero(is_last)
            threshold, first = score.take(ends), np.searchsorted(ends, start)
        positive = taken(rows.positive, self.place)
        weight = None if rows.weight is None else taken(rows.weight, self.place)
        one = np.ones(1, dtype=np.int64) if weight is None else weight
        # in one array for all groups, whose memory is quicker to get than that of many
        counts = np.empty((2, len(threshold)), dtype=one.dtype)
        for total, each in zip(counts, (one * positive, one * ~positive), strict=True):
            if each.dtype.kind == "i":  # exact: all groups at once, less what came before each
                np.cumsum(each, out=each)
                before = np.append(0, each[start[1:-1] - 1])
                np.subtract(each if ends is None else each.take(ends), np.repeat(before, np.diff(first)), out=total)
                continue
            for g in range(len(self)):
                up_to = np.cumsum(each[start[g] : start[g + 1]])
                own = slice(first[g], first[g + 1])
                total[own] = up_to if ends is None else up_to[ends[own] - start[g]]
        each_group = (slice(*bounds) for bounds in pairwise(first.tolist()))
        return [_sweep(rows, threshold[own], *counts[:, own]) for own in each_group]

    def correlation(self, target: Bound, replicates: int, seed: int, *, rest: bool = False) -> Floats | None:
        """Return how the metric of each group goes with that of each other, or of the ``rest`` of the rows.

        None for groups that share no cluster and no stratum: they are independent. Otherwise whole clusters are
        drawn, or rows within strata, and all groups are read from the same draw.
        """
        k = len(self)
        if self.is_independent:
            return None
        parts = [np.sort(self.place[self.start[g] : self.start[g + 1]]) for g in range(k)]
        parts += [np.flatnonzero(self.category.code != g) for g in range(k) if rest]
        found = correlated(self.rows, parts, target, replicates, seed)
        return found[:k, k:] if rest else found

    def correlation_between(self, first: int, second: int, target: Bound, replicates: int, seed: int) -> float:
        """Return how two AUCs between groups go together, each with the positives of one group.

        A cluster with both classes joins the two even within one group.
        """
        parts = [self._between(first, second), self._between(second, first)]
        shared = (c for c in (self.rows.cluster, self.rows.stratum) if c is not None)
        if not any(len(np.intersect1d(c[parts[0]], c[parts[1]])) for c in shared):
            return 0.0
        return float(correlated(self.rows, parts, target, replicates, seed)[0, 1])


def ranked(rows: Rows) -> Ranking:
    """Sort the rows once."""
    return rank(rows.score, falling=rows.higher_is == "positive")


def partition(rows: Rows, ranking: Ranking, category: Category) -> Partition:
    """Deal ranked rows to groups; a stable sort of small whole numbers takes one pass per byte."""
    category = _occurring(category)
    count = len(category)
    small: Any = np.uint8 if count <= 2**8 else np.uint16 if count <= 2**16 else np.int64
    among = np.argsort(taken(category.code.astype(small), ranking.order), kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(category.code, minlength=count))])
    return Partition(rows, ranking, category, among, start)


def whole_sweep(rows: Rows, ranking: Ranking) -> Sweep:
    """Return the sweep of all rows."""
    if rows.horizon is not None:
        return sweep_of(rows)
    return _sweep(rows, ranking.threshold, *ranking.cumulated_counts(rows.positive, rows.weight))


def without(whole: Sweep, part: Sweep) -> Sweep:
    """Return the sweep of the rows of ``whole`` that are not in ``part``: counts are subtracted."""
    rising = whole.higher_is == "negative"
    order = slice(None) if rising else slice(None, None, -1)
    at = np.searchsorted(whole.threshold[order], part.threshold)
    at = at if rising else len(whole.threshold) - 1 - at
    pos, neg = whole.block_positives.copy(), whole.block_negatives.copy()
    pos[at] -= part.block_positives
    neg[at] -= part.block_negatives
    return whole.with_counts(pos, neg)


def some_rows(rows: Rows, places: Places) -> Rows:
    """Return some rows, whose clusters are numbered anew: those that are not there cannot be drawn."""
    taken = rows.take(places)
    if taken.cluster is None:
        return taken
    return replace(taken, cluster=np.unique(taken.cluster, return_inverse=True)[1])


def correlated(rows: Rows, parts: Sequence[Places], target: Bound, replicates: int, seed: int) -> Floats:
    """Return the correlation of a metric between parts of the rows, over resamples of the same clusters."""
    order, times = class_order(rows), draw_times(rows, stratified=target.stratified)
    read = []
    for places in parts:
        some = rows.take(places)
        like, count, _ = row_counter(some, target.threshold)
        read.append((like, count, places[class_order(some)]))

    def one(stream: np.random.Generator) -> list[float]:
        took = times(stream)
        drawn = np.empty_like(took)
        drawn[order] = took
        return [_value(target, like, count(drawn[own])) for like, count, own in read]

    values, _ = replicate_draws(one, replicates, seed)
    together = correlation_of(values[~np.isnan(values).any(axis=1)].T)
    return np.eye(len(parts)) if together is None else together


def is_nested(unit: Places | None, category: Category) -> bool:
    """Say whether no unit, a cluster or a stratum, has rows in two groups."""
    if unit is None:
        return True
    pairs = np.unique(unit * np.intp(len(category)) + category.code)  # mutants: also unique
    return len(pairs) == len(np.unique(unit))


def correlation_of(drawn: Floats) -> Floats | None:
    """Return how numbers go together over resamples, one line each; None of fewer than two resamples."""
    if drawn.shape[1] < 2:
        return None
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.atleast_2d(np.nan_to_num(np.corrcoef(drawn)))  # what never varies goes with nothing


def _value(target: Bound, like: Sweep, counts: tuple[NDArray[Any], NDArray[Any]]) -> float:
    """Return the metric of a resample, NaN where that does not define it."""
    if not (counts[0].any() or counts[1].any()):
        return np.nan
    try:
        return float(target.of_counts(like, *counts))
    except UndefinedMetricError:
        return np.nan


def _sweep(rows: Rows, threshold: NDArray[Any], tp: NDArray[Any], fp: NDArray[Any]) -> Sweep:
    totals, kind = (tp[-1].item(), fp[-1].item()), None if rows.weight is None else rows.weight_kind
    return Sweep(threshold, tp, fp, *totals, kind, 0, rows.round_to, rows.higher_is, backend=rows.backend)


def _occurring(category: Category) -> Category:
    """Leave out groups without a row, which remain when rows are taken from others."""
    there = np.flatnonzero(np.bincount(category.code, minlength=len(category)))
    if len(there) == len(category):
        return category
    labels, names = (tuple(old[k] for k in there) for old in (category.labels, category.names))
    return replace(category, code=np.searchsorted(there, category.code), labels=labels, names=names)

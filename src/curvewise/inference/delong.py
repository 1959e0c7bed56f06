"""The variance of AUC, and of differences of AUCs, from placements (DeLong; Obuchowski for clusters; within strata).

A positive's placement is the share of negatives it outranks (ties half), a negative's the share of positives
that outrank it. Both average to the AUC, and how they vary tells how the AUC does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core import kernel
from curvewise.core.keys import slices
from curvewise.core.ranking import rank
from curvewise.core.rate import units_and_weights
from curvewise.core.threads import in_threads
from curvewise.errors import UndefinedMetricError
from curvewise.inference.influence import Influences, covariances_of, degrees_of_sums
from curvewise.inference.pivots import Spread

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.rows.rows import Rows


def spread_of_sweep(sweep: Sweep) -> Spread:
    """Return DeLong's variance of the AUC of a sweep with whole counts, block by block."""
    p, n = sweep.positives, sweep.known_negatives("The variance of an AUC")
    _need_two(p, n)
    auc = kernel.doubled_area(sweep.tp, sweep.fp) / (2 * p * n)

    def sums(tp: NDArray[Any], fp: NDArray[Any]) -> tuple[float, ...]:
        """Return for the positives and for the negatives the sums of squared shares, and of the squares of these."""
        pos, neg = np.diff(tp).astype(np.float64), np.diff(fp).astype(np.float64)
        outranks = (n - fp[1:] + neg / 2) / n  # placement of the block's positives
        outranked = (tp[1:] - pos / 2) / p  # placement of the block's negatives
        return *_sums(outranks, auc, p, pos), *_sums(outranked, auc, n, neg)

    first, first2, second, second2 = map(math.fsum, zip(*kernel.in_chunks(sums, sweep.tp, sweep.fp), strict=True))
    variance = first * p / (p - 1) + second * n / (n - 1)
    return Spread(variance, degrees_of_sums(variance, [(first, first2, p), (second, second2, n)]))


def _sums(placed: Floats, auc: float, size: float, count: Floats) -> tuple[float, float]:
    """Return the sum of squared shares, and of the squares of these; writes over the arrays it is given."""
    placed -= auc
    placed /= size
    placed *= placed
    count *= placed
    total = float(count.sum())
    count *= placed
    return total, float(count.sum())


@dataclass(frozen=True)
class Placements:
    """Placements of the same rows under k models: ``value`` has one row per model."""

    value: Floats
    rows: Rows

    def auc(self) -> Floats:
        """Return each model's AUC."""
        return np.asarray(self._means[0])

    def covariance(self) -> Floats:
        """Return the covariance matrix of the AUCs."""
        self._need_two_units()
        if self.rows.cluster is not None and self.rows.stratum is None:
            return self._of_clusters(self.rows.cluster, self.value)
        parts = covariances_of([self._influences(line) for line in self.value])
        return np.asarray(sum(part for part, _ in parts))

    @property
    def units(self) -> float:
        """How many independent units there are: clusters, or rows, each as often as it counts."""
        if self.rows.cluster is not None:
            return len(np.unique(self.rows.cluster))
        return len(self.rows) if self.rows.weight is None or not self.rows.is_whole else float(self.rows.weight.sum())

    def _weights(self, here: slice) -> tuple[Floats, Floats]:
        """Return the weights of a piece of the rows as positives, and as negatives: 0 in the other class."""
        positive = self.rows.positive[here]
        if self.rows.weight is None:
            return positive.astype(np.float64), (~positive).astype(np.float64)
        weight = self.rows.weight[here].astype(np.float64)  # so that totals round as the sums do that they divide
        return weight * positive, weight * ~positive

    def _summed(self, term: Callable[[slice], Floats]) -> Floats:
        """Return the sum of what a term finds in pieces of the rows; the number of threads does not show in it."""
        size = len(self.rows)
        total: Floats = np.sum(in_threads(term, list(slices(size)), size), axis=0)
        return total

    @cached_property
    def _totals(self) -> Floats:
        """The weights of positives and of negatives."""
        return self._summed(lambda here: np.array([weight.sum() for weight in self._weights(here)], dtype=np.float64))

    @cached_property
    def _means(self) -> Floats:
        """The mean placements of the positives under each model, and of the negatives."""

        def sums(here: slice) -> Floats:
            return np.array([[np.sum(line[here] * weight) for line in self.value] for weight in self._weights(here)])

        return self._summed(sums) / self._totals[:, None]

    def _influences(self, line: Floats) -> Influences:
        """Return what each row adds to the AUC of a model, or to the difference of two, given its placement."""
        positive, weight = self.rows.positive, units_and_weights(self.rows)[1]
        positives, negatives = self._totals.tolist()
        area = float(np.average(line[positive], weights=weight[positive]))
        # areas have the degrees of freedom of rows as they were drawn, whatever their weights
        return Influences((line - area) * weight / np.where(positive, positives, negatives), self.rows, as_drawn=True)

    def _need_two_units(self) -> None:
        """Refuse rows with fewer than two clusters, or rows, of a class."""
        rows, counts = self.rows, self.rows.weight if self.rows.is_whole else None
        classes = [rows.positive, ~rows.positive]
        if rows.cluster is not None:
            cluster = rows.cluster
            sizes = [float(len(np.unique(cluster[on]))) for on in classes]
        else:
            sizes = [float(np.count_nonzero(on) if counts is None else counts[on].sum()) for on in classes]
        _need_two(*sizes, of="rows" if rows.cluster is None else "clusters")

    def spread(self) -> Spread:
        """Return the variance of the first model's AUC, and how well it is known."""
        return self.spreads([(0, None)])[0]

    def spreads(self, which: Sequence[tuple[int, int | None]]) -> list[Spread]:
        """Return the variance of each model's AUC, or of that less another's, row by row, and how well it is known."""
        if self.rows.weight is not None or not self.rows.is_plain:
            self._need_two_units()
            return [self._of_units(self.value[i] if j is None else self.value[i] - self.value[j]) for i, j in which]
        means, counts = self._means, self._totals
        _need_two(*counts)

        def sums(here: slice) -> Floats:
            sums_of_classes, on = np.empty((2, len(which), 2)), self.rows.positive[here]
            for k, (rows, mean) in enumerate(zip((on, ~on), means, strict=True)):
                away = [np.compress(rows, line[here]) - centre for line, centre in zip(self.value, mean, strict=True)]
                for sums, (i, j) in zip(sums_of_classes[k], which, strict=True):
                    squares = away[i] if j is None else away[i] - away[j]
                    squares = squares * squares
                    sums[:] = squares.sum(), np.square(squares, out=squares).sum()
            return sums_of_classes

        spreads = []
        for parts in self._summed(sums).transpose(1, 0, 2).tolist():
            shares = [(a / n**2, b / n**4, n) for (a, b), n in zip(parts, counts.tolist(), strict=True)]
            variance = sum(first * n / (n - 1) for first, _, n in shares)
            spreads.append(Spread(variance, degrees_of_sums(variance, shares)))
        return spreads

    def _of_units(self, line: Floats) -> Spread:
        """Return the variance of a model's AUC, or of a difference, from what each row, or cluster, adds."""
        rows, one = self.rows, self._influences(line)
        if rows.cluster is None:
            return one.spread()
        if rows.stratum is not None:  # the variance within strata is taken as it is, without a design effect
            return replace(one.spread(), of_rows=None)
        return one.spread(float(self._of_clusters(rows.cluster, line[None])[0, 0]))

    def _of_clusters(self, cluster: NDArray[np.intp], lines: Floats) -> Floats:
        """Return Obuchowski's covariance, in which rows of one cluster may depend on each other.

        The factor is G/(G - 1) of the G clusters of each class; other numbers have one factor for all clusters.
        """
        each, groups = np.stack([self._influences(line).each for line in lines]), int(cluster.max()) + 1
        sums, factor = [], []
        for on in (self.rows.positive, ~self.rows.positive):
            sums.append(np.stack([np.bincount(cluster, np.where(on, line, 0.0), groups) for line in each]))
            count = len(np.unique(cluster[on]))
            factor.append(count / (count - 1))
        first, second = sums
        cross = first @ second.T
        within = factor[0] * first @ first.T + factor[1] * second @ second.T
        return np.asarray(within + groups / (groups - 1) * (cross + cross.T))


def placements(rows: Rows) -> Placements:
    """Place rows under each of their models."""
    falling = rows.higher_is == "positive"

    def one(score: NDArray[Any]) -> Floats:
        return rank(score, falling=falling).placements(rows.positive, rows.weight)

    value = np.stack([one(score) for score in rows.scores.values()])
    return Placements(value, rows)


def _need_two(positives: float, negatives: float, *, of: str = "rows") -> None:
    if min(positives, negatives) < 2:
        raise UndefinedMetricError(
            f"The variance of an AUC needs at least two {of} of each class, "
            f"got {math.floor(positives)} positive and {math.floor(negatives)} negative."
        )

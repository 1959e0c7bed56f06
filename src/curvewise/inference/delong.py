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
from curvewise.core.cluster_shares import fewer_degrees
from curvewise.core.keys import slices
from curvewise.core.ranking import rank
from curvewise.core.strata import Strata, strata_of
from curvewise.core.threads import in_threads
from curvewise.errors import UndefinedMetricError
from curvewise.inference.influence import LEAST_LEFT, degrees_of_freedom, degrees_of_sums, spread_within
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
    """Placements of the same rows under k models: ``value`` has one row per model.

    ``counted`` says that a weight is a number of independent rows, and not the share of one.
    """

    value: Floats
    positive: NDArray[np.bool_]
    weight: NDArray[Any] | None = None
    cluster: NDArray[np.intp] | None = None
    counted: bool = False
    strata: Strata | None = None

    def auc(self) -> Floats:
        """Return each model's AUC."""
        return np.asarray(self._means[0])

    def covariance(self) -> Floats:
        """Return the covariance matrix of the AUCs."""
        if self.strata is not None:
            return self.strata.apart(self._sums(self.strata)).products
        if self.cluster is not None:
            return self._clustered(self.cluster)
        return self._products()

    @property
    def units(self) -> float:
        """How many independent units there are: clusters, or rows, each as often as it counts."""
        if self.cluster is not None:
            return len(np.unique(self.cluster))
        return float(self.weight.sum()) if self.counted and self.weight is not None else len(self.positive)

    def _weights(self, here: slice) -> tuple[Floats, Floats]:
        """Return the weights of a piece of the rows as positives, and as negatives: 0 in the other class."""
        positive = self.positive[here]
        if self.weight is None:
            return positive.astype(np.float64), (~positive).astype(np.float64)
        weight = self.weight[here].astype(np.float64)  # so that totals round as the sums do that they divide
        return weight * positive, weight * ~positive

    def _summed(self, term: Callable[[slice], Floats]) -> Floats:
        """Return the sum of what a term finds in pieces of the rows; the number of threads does not show in it."""
        size = len(self.positive)
        found: Floats = np.sum(in_threads(term, list(slices(size)), size), axis=0)
        return found

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

    def _products(self) -> Floats:
        """Return the covariance of the AUCs of independent rows."""
        counts, by_weight = self._totals, self.weight is not None and not self.counted
        if by_weight:  # rows count, not weights
            counts = np.array([np.count_nonzero(self.positive), np.count_nonzero(~self.positive)], dtype=np.float64)
        for count in counts:
            _need_two(count, count)

        def products(here: slice) -> Floats:
            found = []
            for weight, total, mean in zip(self._weights(here), self._totals, self._means, strict=True):
                factor = weight
                if by_weight:
                    # each row as if it had been left out: a heavy one pulls the mean towards itself
                    factor = (weight / np.maximum(1 - weight / total, LEAST_LEFT) / total) ** 2
                away = self.value[:, here] - mean[:, None]
                found.append(np.einsum("ji,ki->jk", away * factor, away))
            return np.stack(found)

        first, second = self._summed(products)
        # the variance of a weighted mean; or as if each row stood there so many times
        scale = (counts - 1) / counts if by_weight else 1 / (counts - 1) / counts
        return np.asarray(first * scale[0] + second * scale[1])

    def spread(self) -> Spread:
        """Return the variance of the first model's AUC, and how well it is known."""
        return self.spreads([(0, None)])[0]

    def spreads(self, which: Sequence[tuple[int, int | None]]) -> list[Spread]:
        """Return the variance of each model's AUC, or of that less another's, row by row, and how well it is known."""
        if self.weight is not None or self.cluster is not None or self.strata is not None:
            lines = [self.value[i] if j is None else self.value[i] - self.value[j] for i, j in which]
            return [replace(self, value=line[None])._spread_of_units() for line in lines]
        means, counts = self._means, self._totals
        _need_two(*counts)

        def sums(here: slice) -> Floats:
            found, on = np.empty((2, len(which), 2)), self.positive[here]
            for k, (rows, mean) in enumerate(zip((on, ~on), means, strict=True)):
                away = [np.compress(rows, line[here]) - centre for line, centre in zip(self.value, mean, strict=True)]
                for sums, (i, j) in zip(found[k], which, strict=True):
                    squares = away[i] if j is None else away[i] - away[j]
                    squares = squares * squares
                    sums[:] = squares.sum(), np.square(squares, out=squares).sum()
            return found

        spreads = []
        for parts in self._summed(sums).transpose(1, 0, 2).tolist():
            shares = [(a / n**2, b / n**4, n) for (a, b), n in zip(parts, counts.tolist(), strict=True)]
            variance = sum(first * n / (n - 1) for first, _, n in shares)
            spreads.append(Spread(variance, degrees_of_sums(variance, shares)))
        return spreads

    def _spread_of_units(self) -> Spread:
        """Return the same of the first model from what each row, or cluster, counts."""
        if self.cluster is None and self.strata is not None:
            return spread_within(self.strata, self._sums(self.strata)[0])
        variance = float(self.covariance()[0, 0])
        away = self.value[0] - self.auc()[0]
        weight = np.ones(len(away)) if self.weight is None else self.weight
        classes = [self.positive, ~self.positive]
        shares = [np.where(on, away * weight / weight[on].sum(), 0.0) for on in classes]
        if self.cluster is not None:
            alone = replace(self, cluster=None, strata=None).spread()
            if self.strata is not None:
                found = spread_within(self.strata, self._sums(self.strata)[0])
            else:
                each = np.bincount(self.cluster, shares[0] + shares[1])[np.bincount(self.cluster) > 0]
                found = Spread(variance, degrees_of_freedom(variance, [(each**2, None, len(each))]), alone)
            known = found.degrees, self.cluster, weight, self.positive, shares[0] + shares[1], alone.variance
            return replace(found, degrees=fewer_degrees(*known))
        parts: list[Any] = [(share[on] ** 2, None, int(on.sum())) for share, on in zip(shares, classes, strict=True)]
        if self.counted and self.weight is not None:  # so many rows with one share each
            alike = [(share[on] / self.weight[on], self.weight[on]) for share, on in zip(shares, classes, strict=True)]
            parts = [(own**2, count, float(count.sum())) for own, count in alike]
        return Spread(variance, degrees_of_freedom(variance, parts))

    def _sums(self, strata: Strata) -> Floats:
        """Return what each unit adds to each AUC: placements less the AUC, as shares of the weight of their class."""
        weight = np.ones(len(self.positive)) if self.weight is None else self.weight.astype(np.float64)
        share = np.zeros(len(weight))
        units = weight if self.counted and self.cluster is None else None
        count = []
        for on in (self.positive, ~self.positive):
            share[on] = weight[on] / weight[on].sum()
            count.append(len(np.unique(strata.unit[on])) if units is None else float(units[on].sum()))
        _need_two(count[0], count[1], of="rows" if self.cluster is None else "clusters")
        return strata.sums((self.value - self.auc()[:, None]) * share)

    def _clustered(self, cluster: NDArray[np.intp]) -> Floats:
        """Return Obuchowski's covariance, in which rows of one cluster may depend on each other."""
        weight = np.ones(len(self.positive)) if self.weight is None else self.weight.astype(np.float64)
        groups = int(cluster.max()) + 1
        auc, sums, count = self.auc(), [], []
        for on in (self.positive, ~self.positive):
            w = np.where(on, weight, 0.0)
            away = (self.value - auc[:, None]) * w
            # a cluster's sum for this class, as a share of the class's weight
            sums.append(np.stack([np.bincount(cluster, row, groups) for row in away]) / w.sum())
            count.append(len(np.unique(cluster[on])))
        _need_two(count[0], count[1], of="clusters")
        first, second = sums
        factor = [k / (k - 1) for k in (*count, groups)]
        cross = first @ second.T
        within = factor[0] * first @ first.T + factor[1] * second @ second.T
        return np.asarray(within + factor[2] * (cross + cross.T))


def placements(rows: Rows) -> Placements:
    """Place rows under each of their models."""
    falling = rows.higher_is == "positive"

    def one(score: NDArray[Any]) -> Floats:
        return rank(score, falling=falling).placements(rows.positive, rows.weight)

    value = np.stack([one(score) for score in rows.scores.values()])
    counted = rows.weight_kind == "count"
    return Placements(value, rows.positive, rows.weight, rows.cluster, counted, strata_of(rows))


def _need_two(positives: float, negatives: float, of: str = "rows") -> None:
    if min(positives, negatives) < 2:
        raise UndefinedMetricError(
            f"The variance of an AUC needs at least two {of} of each class, "
            f"got {math.floor(positives)} positive and {math.floor(negatives)} negative."
        )

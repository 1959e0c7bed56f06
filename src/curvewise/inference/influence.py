"""What each row adds to a number read from a sweep, and how uncertain that makes the number.

The influence of a row is the derivative of the number by the row's weight. Its squares, summed over rows or
over whole clusters, are the variance of the number (infinitesimal jackknife), and differences of influences
are the variance of a difference of two models on the same rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.cluster_shares import fewer_degrees
from curvewise.core.ranking import rank
from curvewise.core.rate import flagged_rows, units_and_weights
from curvewise.core.resampling import at_one_threshold, merged_blocks
from curvewise.core.strata import Strata, strata_of
from curvewise.errors import Note, UndefinedMetricError, note
from curvewise.inference.pivots import Spread

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.metric.registry import Bound
    from curvewise.rows.rows import Rows

    Parts = Sequence[tuple[NDArray[Any], NDArray[Any] | None, float]]  # squares, how often each counts, units
    OfBlocks = tuple[Floats, Floats]  # of a positive and of a negative row in each block

BINS = 400  # blocks for which derivatives are found; more are put together
LEAST_LEFT = 0.05  # of the weight of a class, without its heaviest row
OBSERVED_EXPECTED = "observed_expected"
STEP = 1e-3  # rows added to a block to find the derivative
MANY_TO_A_BLOCK = 2**20  # rows beside which a thousandth of one is lost in rounding


def influence_of(target: Bound, sweep: Sweep) -> OfBlocks:
    """Return the influence of a positive, and of a negative, in each block of a sweep."""
    formula = target.metric.influence
    known = None if formula is None else formula(sweep, **target.options)
    if known is not None:
        return np.asarray(known[0], dtype=np.float64), np.asarray(known[1], dtype=np.float64)
    like, place = merged_blocks(sweep, BINS, BINS)  # a derivative for each of many blocks would take too long
    counts = [c.astype(np.float64) for c in (like.block_positives, like.block_negatives)]
    value = target.value(like)
    slopes, step = [], _step(like)
    for which in (0, 1):
        each = np.zeros(len(like.threshold))
        for k in np.flatnonzero(counts[which]):
            counts[which][k] += step
            each[k] = target.value(like.with_counts(*counts)) - value
            counts[which][k] -= step
        slopes.append(each / step)
    positive, negative = (each if place is None else each[place] for each in slopes)
    if not (np.isfinite(positive).all() and np.isfinite(negative).all()):
        raise UndefinedMetricError(f"The variance of {target.name} is undefined on these rows.")
    return positive, negative


def _step(sweep: Sweep) -> float:
    """Return what is added to a block: a part of a row; of what a block holds where that is weight, or very much."""
    held = float(sweep.n) / len(sweep.threshold)
    alone = sweep.is_whole and held < MANY_TO_A_BLOCK
    return STEP if alone else STEP * held  # weights have no scale


def spread_of_counts(influence: OfBlocks, sweep: Sweep) -> Spread:
    """Return the variance that independent rows of a sweep with whole counts give a number."""
    parts = []
    for each, counts in zip(influence, (sweep.block_positives, sweep.block_negatives), strict=True):
        total = float(counts.sum())
        if total:
            parts.append((each**2, counts, total))
    variance = sum(float(np.sum(k * u)) * (m / (m - 1) if m > 1 else 1.0) for u, k, m in parts)
    return Spread(variance, degrees_of_freedom(variance, parts))


def lonely_notes(strata: Strata) -> tuple[Note, ...]:
    """Say how many strata have one unit only."""
    return (note("lonely_stratum", lonely=strata.lonely, strata=strata.number),) if strata.lonely else ()


def spread_within(strata: Strata, each: Floats) -> Spread:
    """Return the variance of a number from what each unit adds to it, within the strata that units were sampled in.

    The degrees of freedom are at most the units less the strata.
    """
    apart = strata.apart(each)
    squares = apart.each**2 * (1 - 1 / max(strata.units, 2))  # as for units without strata, if there is one stratum
    variance = apart.variance
    degrees = degrees_of_freedom(variance, [(squares, apart.times, float(apart.times.sum()))])
    return Spread(variance, min(degrees, strata.degrees))


def degrees_of_freedom(variance: float, parts: Parts) -> float:
    """Return 2 V² / Var(V), where V sums squared shares of independent units, each counted some times.

    At least 1, and at most the units less one for each class. Where all is equal, as at perfect separation, they are
    those of the nearest data that are not: one unit of each class makes all of the variance, which gives 2 each.
    """
    sums = []
    for squares, counts, units in parts:
        n = 1 if counts is None else counts
        sums.append((float(np.sum(n * squares)), float(np.sum(n * squares**2)), units))
    return degrees_of_sums(variance, sums)


def degrees_of_sums(variance: float, sums: Sequence[tuple[float, float, float]]) -> float:
    """Return the same from the sum of the squares, the sum of their squares, and the units of each part."""
    most = max(sum(units - 1 for _, _, units in sums), 1.0)
    of_variance = sum(of_squares - total**2 / units for total, of_squares, units in sums)
    if variance <= 0:
        return min(2.0 * len(sums), most)
    if of_variance <= 1e-12 * variance**2:  # rounding leaves a little where all squares are alike
        return most
    return min(max(2 * variance**2 / of_variance, 1.0), most)


@dataclass(frozen=True, eq=False)
class Influences:
    """The influence of every row, times its weight, of one model or of the difference of two."""

    each: Floats
    rows: Rows
    of_all: bool = False  # at a horizon: of all outcomes, with the term through the estimate of censoring
    as_drawn: bool = False  # degrees of freedom are of rows as they are, not as if each had been left out

    def spread(self, variance: float | None = None) -> Spread:
        """Return the variance, if it is not known: of sums over clusters, or over rows that count alike, or by weight.

        With strata, sums of clusters, or rows, are compared within these. At a horizon it is the sum of squares alone
        (infinitesimal jackknife): classes are not fixed there, and no row is left out.
        """
        rows = self.rows
        if rows.cluster is not None and len(np.unique(rows.cluster)) < 2:
            raise UndefinedMetricError("A variance between clusters needs two of them.", why=note("one_cluster"))
        if (strata := strata_of(rows)) is not None:
            known = spread_within(strata, strata.sums(self.each))
            if rows.cluster is None:
                return known
            return self._of_clusters(known)
        parts = [(each**2, times, units) for each, times, units in self._units()]
        if variance is None:
            variance = sum(self._factor(m) * float(np.sum(u if k is None else k * u)) for u, k, m in parts)
        if self.as_drawn:
            parts = [(each**2, times, units) for each, times, units in self._units(left_out=False)]
        known = Spread(variance, degrees_of_freedom(variance, parts))
        return known if rows.cluster is None else self._of_clusters(known)

    def _of_clusters(self, spread: Spread) -> Spread:
        """Return the variance between clusters with that of independent rows, and the degrees that clusters leave."""
        rows, alone = self.rows, replace(self, rows=replace(self.rows, cluster=None, stratum=None)).spread()
        cluster, weight = units_and_weights(rows)
        few = fewer_degrees(spread.degrees, cluster, weight, rows.positive, self.each, alone.variance)
        return replace(spread, degrees=few, of_rows=alone)

    def _units(self, *, left_out: bool = True) -> list[tuple[Floats, Floats | None, float]]:
        """Return what units add, how often each counts, and how many there are: of each class, or all clusters."""
        rows = self.rows
        parts: list[tuple[Floats, Floats | None, float]]
        if rows.cluster is not None:
            sums = np.bincount(rows.cluster, self.each)[np.bincount(rows.cluster) > 0].astype(np.float64)
            return [(sums, None, float(len(sums)))]
        if self.of_all:
            return [(self.each, None, float(len(rows)))]
        if rows.is_plain and rows.weight is not None:  # a weight is a number of rows with one share each
            weight = rows.weight.astype(np.float64)
            parts = [(self.each[on] / weight[on], weight[on], float(weight[on].sum())) for on in self._classes]
        else:
            each = self._left_out if left_out else self.each.__getitem__
            parts = [(each(on), None, float(np.count_nonzero(on))) for on in self._classes]
        return [part for part in parts if part[2]]

    def _factor(self, units: float) -> float:
        return units / (units - 1) if units > 1 and not self.of_all else 1.0

    def _left_out(self, on: NDArray[np.bool_]) -> Floats:
        """Return what rows of a class add, as if each had been left out: a heavy one pulls the number to itself."""
        if self.rows.weight is None:
            return np.asarray(self.each[on])
        weight = self.rows.weight[on].astype(np.float64)
        count, share = len(weight), weight / weight.sum()
        # for equal weights this is what the factor n/(n - 1) of the variance does
        return np.asarray(self.each[on] / np.maximum(1 - share, LEAST_LEFT) * (count - 1) / count)

    @cached_property
    def _classes(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        return self.rows.positive, ~self.rows.positive

    def minus(self, other: Influences) -> Influences:
        """Return the influence on the difference from another model on the same rows."""
        return replace(self, each=self.each - other.each)


def covariances_of(several: Sequence[Influences]) -> list[tuple[Floats, float]]:
    """Return the parts of the covariance of several numbers of the same rows, with how many units made each."""
    if (strata := strata_of(several[0].rows)) is not None:
        return [(strata.apart(strata.sums(np.stack([one.each for one in several]))).products, strata.degrees + 1)]
    covariances = []
    for part in zip(*[one._units() for one in several], strict=True):
        _, times, units = part[0]
        lines = np.stack([each for each, _, _ in part])
        covariances.append((several[0]._factor(units) * (lines if times is None else lines * times) @ lines.T, units))
    return covariances


def influences_of(each: Floats, rows: Rows) -> Influences:
    """Return influences, given what each row adds to a number by its weight; at a horizon those of all outcomes."""
    if (horizon := rows.censored) is None:
        return Influences(each, rows)
    return Influences(horizon.influence(each), horizon.everyone, of_all=True)


def influences(target: Bound, rows: Rows, sweep: Sweep) -> Influences:
    """Return the influence of every row on a number of the sweep of these rows."""
    if target.threshold is not None:  # two blocks: flagged, and not
        positive, negative = influence_of(target, at_one_threshold(sweep, target.threshold))
        flagged = flagged_rows(rows, target.threshold)
        block = (~flagged).astype(np.intp) if flagged.any() else np.zeros(len(flagged), dtype=np.intp)
    else:
        positive, negative = influence_of(target, sweep)
        block = rank(rows.score, falling=rows.higher_is == "positive").block
    each = np.where(rows.positive, positive[block], negative[block])
    direct = influences_of(each * units_and_weights(rows)[1], rows)
    if (horizon := rows.censored) is None or target.name != OBSERVED_EXPECTED:
        return direct
    # the mean probability is that of all outcomes, each of which moves it
    value, mean = target(sweep), horizon.facts(rows).mean_score or math.nan
    return replace(direct, each=direct.each - value / mean * horizon.of_mean_score(rows))


def spread_of(target: Bound, rows: Rows | None, sweep: Sweep) -> Spread:
    """Return the variance of a number, and how well it is known."""
    if rows is None or (rows.is_plain and rows.weight is None):
        return spread_of_counts(influence_of(target, sweep), sweep)
    return influences(target, rows, sweep).spread()


def independent_sizes(rows: Rows | None, sweep: Sweep | None, *, clusters: bool = True) -> tuple[float, float]:
    """Count what is independent among positives and negatives: clusters, or rows of equal weight (Kish).

    Without ``clusters``, the rows of a cluster count one by one.
    """
    if sweep is not None and (rows is None or rows.are_units):
        return float(sweep.positives), float(sweep.known_negatives("An interval"))
    assert rows is not None  # noqa: S101 - without a sweep there are rows
    classes = rows.positive, ~rows.positive
    if rows.is_whole and (rows.cluster is None or not clusters):  # a weight is a number of rows
        one, two = (np.count_nonzero(on) if rows.weight is None else rows.weight[on].sum() for on in classes)
        return float(one), float(two)
    unit, weight = units_and_weights(rows)
    unit = unit if clusters else np.arange(len(rows))
    sizes = []
    for on in classes:
        each = np.bincount(unit[on], weight[on])
        total = float(each.sum())
        sizes.append(total**2 / float(each @ each) if total else math.nan)
    return sizes[0], sizes[1]

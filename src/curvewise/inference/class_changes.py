"""What a change of models gains in each class and in both: means of what each row gains, with intervals and tests.

A gain of the positives and one of the negatives add up. Of clustered rows, whole clusters are left out in turn
(jackknife); the two classes are then correlated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.rate import units_and_weights
from curvewise.errors import note
from curvewise.inference.compare import tango_score
from curvewise.inference.limits import critical_value, crossing
from curvewise.inference.pivots import Spread, WaldPivot, t_tail
from curvewise.results.estimate import Estimate, value_alone

if TYPE_CHECKING:
    from curvewise.rows.rows import Rows

FARTHEST = 37.0  # normal deviates: beyond, a p-value is 0 in floating point


@dataclass(frozen=True)
class Part:
    """The mean gain of a class, or the sum of both: its variance, and what each unit adds to its error."""

    value: float
    variance: float  # NaN where a class has one unit only
    degrees: float
    away: Floats
    alone: bool = False  # one unit only


@dataclass(frozen=True)
class Changes:
    """Gains of the positives, of the negatives, and their sum."""

    rows: Rows
    gain: Floats  # per row, above 0 where the new model does better by this row
    level: float

    def parts(self) -> tuple[Part, Part, Part]:
        """Return the two classes and their sum."""
        one, two = (self._class(on) for on in (self.rows.positive, ~self.rows.positive))
        away, value = one.away + two.away, one.value + two.value
        if self.rows.cluster is not None:
            clusters = len(away)
            variance = float(away @ away) * (clusters - 1) / clusters
            return one, two, Part(value, variance, clusters - 1.0, away, one.alone or two.alone)
        variance = one.variance + two.variance
        # Welch: each variance is as well known as its class is large
        below = sum(p.variance**2 / p.degrees for p in (one, two) if p.degrees and p.variance)
        return one, two, Part(value, variance, variance**2 / below if below else math.inf, away, one.alone or two.alone)

    def _class(self, on: NDArray[np.bool_]) -> Part:
        rows = self.rows
        unit, weight = units_and_weights(rows)
        w = np.where(on, weight, 0.0)
        total = float(w.sum())
        value = float(w @ self.gain) / total
        apart = w * (self.gain - value)
        if rows.cluster is None and rows.is_whole:  # a weight is a number of rows
            variance = float(apart @ (self.gain - value)) / (total * (total - 1)) if total > 1 else math.nan
            return Part(value, variance, total - 1, apart / total, alone=total < 2)
        each = np.bincount(unit, w)
        units = int(np.count_nonzero(each))
        rest = total - each
        if units < 2 or not rest.all():  # one unit, or one beside which the others do not show
            return Part(value, math.nan, 0.0, np.zeros(len(each)), alone=True)
        # by how much the mean moves without each unit (jackknife): a large cluster hides part of its own error
        away = np.bincount(unit, apart) / rest
        return Part(value, float(away @ away) * (units - 1) / units, units - 1.0, away)

    def means(self, name: str) -> list[tuple[Estimate, float]]:
        """Return class, class and sum with t intervals and p-values: gains are any numbers."""
        estimates = []
        plain = self.rows.is_plain
        for part, method in zip(self.parts(), ("t", "t", "welch-t"), strict=True):
            error = math.sqrt(part.variance)
            estimate = Estimate(name, part.value, math.nan, math.nan, self.level, None)
            if part.alone:
                estimates.append((self._without(name, part), math.nan))
                continue
            if error <= 1e-15 * max(abs(part.value), 1e-300):  # mutants: rounding
                if part.value:
                    estimates.append((estimate.without_interval(note("same_gain_everywhere")), math.nan))
                    continue
                estimates.append((Estimate(name, 0.0, 0.0, 0.0, self.level, method, 0.0), 1.0))
                continue
            pivot = WaldPivot(part.value, Spread(part.variance, part.degrees))
            how = method if plain else "robust-t"
            estimate = Estimate(name, part.value, *pivot.ends(self.level), self.level, how, error)
            estimates.append((estimate, pivot.p_value(0)))
        return estimates

    def net_shares(self, name: str) -> list[tuple[Estimate, float]]:
        """Return class, class and sum with score intervals and p-values: gains are -1, 0 or 1.

        The net share of a class is a difference of paired proportions, with Tango's interval; the sum combines both
        (MOVER). Clustered or weighted rows are taken for as many independent ones as would know it as well.
        """
        *classes, whole = self.parts()
        masks = self.rows.positive, ~self.rows.positive
        shares = [self._net_share(part, on) for part, on in zip(classes, masks, strict=True)]
        estimates = [self._share(name, part, share) for part, share in zip(classes, shares, strict=True)]
        one, two = classes[0].away, classes[1].away
        norm = math.sqrt(float(one @ one) * float(two @ two))
        together = float(one @ two) / norm if norm else 0.0
        return [*estimates, self._sum_of_shares(name, whole, shares, together)]

    def _net_share(self, part: Part, on: NDArray[np.bool_]) -> NetShare | None:
        """Return the net share of a class; None where it has one cluster only."""
        unit, weight = units_and_weights(self.rows)
        w = np.where(on, weight, 0.0)
        total = float(w.sum())
        up, down = (float(w @ (self.gain == sign)) / total for sign in (1, -1))
        most = total if self.rows.is_whole else float(np.count_nonzero(on))
        spread = up + down - part.value**2
        if self.rows.is_plain:
            return NetShare(up, down, most)
        if part.alone:
            return None if self.rows.cluster is not None else NetShare(up, down, 1.0)
        if part.variance <= 1e-12 * spread or spread <= 1e-12:
            each = np.bincount(unit, w)  # nothing varies: rows of one cluster count as one
            return NetShare(up, down, total**2 / float(each @ each))
        return NetShare(up, down, spread / part.variance, part.degrees, most)

    def _share(self, name: str, part: Part, share: NetShare | None) -> tuple[Estimate, float]:
        if share is None:
            return self._without(name, part), math.nan
        z = critical_value(self.level)
        estimate = self._estimate(name, part, (share.end(z, -1), share.end(z, 1)), "tango")
        return estimate, 2 * t_tail(-share.deviates())

    def _sum_of_shares(
        self, name: str, whole: Part, shares: list[NetShare | None], together: float
    ) -> tuple[Estimate, float]:
        one, two = shares
        if one is None or two is None:
            return self._without(name, whole), math.nan

        def end(z: float, side: int) -> float:
            a, b = (abs(share.end(z, side) - share.value) for share in (one, two))
            return whole.value + side * math.sqrt(max(a * a + b * b + 2 * together * a * b, 0.0))

        z = critical_value(self.level)
        estimate = self._estimate(name, whole, (max(end(z, -1), -2.0), min(end(z, 1), 2.0)), "mover")
        if abs(whole.value) < 1e-15:  # mutants: rounding
            return estimate, 1.0
        side = -1 if whole.value > 0 else 1
        # the p-value is that of the level at which the interval just reaches 0
        reached = crossing(lambda x: -side * end(x, side), 0.0, FARTHEST)
        return estimate, 2 * t_tail(-reached)

    def _estimate(self, name: str, part: Part, ends: tuple[float, float], method: str) -> Estimate:
        error = None if math.isnan(part.variance) else math.sqrt(part.variance)
        how = method if self.rows.is_plain else f"effective-{method}"
        return Estimate(name, part.value, *ends, self.level, how, error)

    def _without(self, name: str, part: Part) -> Estimate:
        """Return the value alone: one cluster, or one row, says nothing about its error."""
        reason = note("one_cluster" if self.rows.cluster is not None else "one_row_of_class")
        return value_alone(name, part.value, self.level, reason)


@dataclass(frozen=True)
class NetShare:
    """The share of rows that gain less the share that lose, of ``n`` independent rows.

    Where ``n`` follows from a variance with few degrees of freedom, it is smaller by the square of normal over t
    quantile, and never more than the ``most`` rows that there are.
    """

    up: float
    down: float
    n: float
    degrees: float = math.inf
    most: float = math.inf

    @property
    def value(self) -> float:
        """The net share."""
        return self.up - self.down

    def rows(self, z: float) -> float:
        """Return the number of rows that an interval of z normal deviates is made for."""
        n = self.n
        if z and math.isfinite(self.degrees):
            from scipy.special import stdtrit  # noqa: PLC0415 - slow to load

            n *= (z / float(stdtrit(self.degrees, t_tail(-z)))) ** 2
        return max(min(n, self.most), 1e-9)

    def score(self, n: float, away: float) -> float:
        """Return Tango's statistic of a difference."""
        return tango_score(n * self.up, n * self.down, n, away)

    def end(self, z: float, side: int) -> float:
        """Return the lower (-1) or upper (1) end of the interval of z normal deviates."""
        low, high = (-1.0, self.value) if side < 0 else (self.value, 1.0)
        n = self.rows(z)
        return crossing(lambda away: self.score(n, away) + side * z, low, high)

    def deviates(self) -> float:
        """Return for how many normal deviates the interval just reaches 0."""
        if not math.isfinite(self.degrees):
            return abs(self.score(self.rows(0.0), 0.0))
        return crossing(lambda z: abs(self.score(self.rows(z), 0.0)) - z, 0.0, FARTHEST)

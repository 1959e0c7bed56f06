"""The variance of a sum over units that were sampled within strata.

Units are clusters, or rows where there are none. What they add to the error of a number is centred within strata,
and each stratum has the factor G / (G - 1) of its G units (ultimate clusters, drawn with replacement): Σ over strata
of G/(G - 1)·Σ(z - z̄)².
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats, Places

if TYPE_CHECKING:
    from curvewise.rows.rows import Rows


UNITS_PER_PLACE = 32  # from which on a multinomial number costs less than the units one by one


@dataclass(frozen=True, eq=False)
class Apart:
    """How far each unit is from the others of its stratum, and how often each such distance counts.

    Distances have the factor √(G / (G - 1)) already: their squares sum to the variance.
    """

    each: Floats  # one line per number, or one number alone
    times: Floats

    @property
    def variance(self) -> float:
        """The variance of one number."""
        return float(self.times @ self.each**2)

    @property
    def products(self) -> Floats:
        """The covariance matrix of several numbers."""
        return np.asarray((self.each * self.times) @ self.each.T)

    @property
    def folded(self) -> Floats:
        """Distances whose plain products sum to variances and covariances."""
        return np.asarray(self.each * np.sqrt(self.times))


@dataclass(frozen=True, eq=False)
class Strata:
    """Units with the stratum of each.

    ``sampled`` counts the units of each stratum by design. Those of them that are not among the units (rows of other
    groups, say) add 0 to a sum and are units all the same, as surveys count them in a domain. ``times`` says how
    many units each stands for, where weights count rows.

    References
    ----------
    Korn & Graubard (1999) Analysis of Health Surveys, Wiley. Lumley (2004) J. Stat. Softw. 9(8):1-19.
    """

    unit: Places  # of each row
    places: Places  # the numbers of the units that are there
    stratum: Places  # of each of them
    sampled: Floats
    times: Floats

    @cached_property
    def number(self) -> int:
        """How many strata have units here."""
        return len(np.unique(self.stratum))

    @cached_property
    def lonely(self) -> int:
        """How many of them have one unit only, by design."""
        return int(np.count_nonzero(self.sampled[np.unique(self.stratum)] == 1))

    @property
    def degrees(self) -> float:
        """The degrees of freedom of a variance within strata: units less strata, 1 at the least."""
        return max(float(self.times.sum()) - self.number, 1.0)

    @cached_property
    def units(self) -> float:
        """How many units there are by design in the strata that are here."""
        return float(self.sampled[np.unique(self.stratum)].sum())

    def sums(self, each: Floats) -> Floats:
        """Return sums of what rows add over units, one line per number."""
        size = int(self.places[-1]) + 1
        lines = np.atleast_2d(each)
        totals = np.stack([np.bincount(self.unit, line, size) for line in lines])
        return np.asarray(totals if each.ndim > 1 else totals[0], dtype=np.float64)

    def squares(self, each: Floats) -> float:
        """Return Σ z² over independent units, as they count where nothing varies."""
        there = each[self.places]
        return float(np.sum(there**2 / self.times))

    def apart(self, each: Floats) -> Apart:
        """Return how far sums of units are from the mean of their stratum.

        A stratum with one unit is compared with all units, whose mean is 0, by its own square.
        """
        size, shares = self.sampled, each[..., self.places] / self.times
        lines = np.atleast_2d(shares) * self.times
        mean = np.stack([np.bincount(self.stratum, line, len(size)) for line in lines]) / np.maximum(size, 1)
        mean[:, size == 1] = 0.0
        factor = np.sqrt(size / np.maximum(size - 1, 1))
        there = np.bincount(self.stratum, self.times, len(size))
        away = (np.atleast_2d(shares) - mean[:, self.stratum]) * factor[self.stratum]
        distances = np.concatenate([away, -mean * factor], axis=1)  # units that are not here add 0
        times = np.concatenate([self.times, np.maximum(size - there, 0.0)])
        return Apart(distances if each.ndim > 1 else distances[0], times)

    def draw(self) -> Callable[[np.random.Generator], NDArray[np.int64]]:
        """Return what draws how often each unit is taken: as many within each stratum as it has.

        Strata with one unit are drawn as one stratum, or they would never vary.
        """
        lonely = np.flatnonzero(self.sampled == 1)
        together = np.arange(len(self.sampled))
        together[lonely] = lonely[0] if len(lonely) else 0
        size = np.bincount(together, self.sampled, len(together)).astype(np.int64)
        if self.times.sum() > UNITS_PER_PLACE * len(self.places):
            return self._draw_counts(together[self.stratum], size)
        owner = np.repeat(self.places, self.times.astype(np.int64))
        stratum = np.repeat(together[self.stratum], self.times.astype(np.int64))
        owner, stratum = (v[np.argsort(stratum, kind="stable")] for v in (owner, stratum))
        there = np.bincount(stratum, minlength=len(size))
        first, last = np.cumsum(there) - there, int(self.places[-1]) + 1
        of_draw = np.repeat(np.arange(len(size)), size)
        slots, padded = size[of_draw], np.append(owner, last)

        def drawn(rng: np.random.Generator) -> NDArray[np.int64]:
            pick = rng.integers(0, slots)
            at = np.where(pick < there[of_draw], first[of_draw] + pick, len(owner))  # else one that is not here
            return np.bincount(padded[at], minlength=last)[:last]

        return drawn

    def _draw_counts(self, stratum: Places, size: NDArray[np.int64]) -> Callable[[np.random.Generator], Any]:
        """Return what draws how many of many units each place gets, a multinomial number within each stratum."""
        last = int(self.places[-1]) + 1
        parts = []
        for number in np.unique(stratum):
            here = np.flatnonzero(stratum == number)
            there = self.times[here].sum()
            absent = max(size[number] - there, 0.0)  # units by design that are not here
            share = np.append(absent, self.times[here]) / (there + absent)
            parts.append((self.places[here], int(size[number]), share))

        def drawn(rng: np.random.Generator) -> NDArray[np.int64]:
            times = np.zeros(last, dtype=np.int64)
            for places, number, share in parts:
                times[places] = rng.multinomial(number, share)[1:]
            return times

        return drawn


def strata_of(rows: Rows) -> Strata | None:
    """Return the strata of rows; None where they were not sampled within any."""
    if rows.stratum is None:
        return None
    counted = None if rows.weight_kind != "count" or rows.cluster is not None else rows.weight
    return strata_of_columns(rows.stratum, rows.cluster, rows.sampled, counted)


def strata_of_columns(
    stratum: Places, cluster: Places | None, sampled: Places | None, counted: NDArray[Any] | None = None
) -> Strata:
    """Return the strata of columns of rows; ``counted`` says how many units each row stands for."""
    unit = np.arange(len(stratum)) if cluster is None else cluster
    of_unit = np.full(int(unit.max()) + 1, -1, dtype=np.intp)
    of_unit[unit] = stratum
    places = np.flatnonzero(of_unit >= 0)
    times = np.ones(len(places)) if counted is None else counted.astype(np.float64)
    there = np.bincount(of_unit[places], times).astype(np.float64)
    if sampled is None or len(sampled) < len(there):
        return Strata(unit, places, of_unit[places], there, times)
    there = np.append(there, np.zeros(len(sampled) - len(there)))
    return Strata(unit, places, of_unit[places], np.maximum(sampled, there), times)

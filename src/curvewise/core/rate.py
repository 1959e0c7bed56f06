"""Intervals for a rate, k out of n: Wilson's score interval, and Clopper and Pearson's exact one.

Rows that depend on each other, or that count differently, are worth as many independent ones as would give
their rate the same variance: with that effective number, the same intervals hold for them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from curvewise.core.cluster_shares import design_degrees
from curvewise.core.strata import Strata, strata_of
from curvewise.rows.checks import one_of, real, threshold_for

if TYPE_CHECKING:
    from curvewise.rows.horizon_rows import HorizonRows
    from curvewise.rows.rows import Rows

RateMethod = Literal["wilson", "clopper-pearson"]
METHODS = ("wilson", "clopper-pearson")
# How much a variance estimate is pulled towards what is expected beforehand: as much as an estimate with this many
# degrees of freedom would be. `simulations/pivot_constants.py` counts what other numbers do.
PRIOR_DEGREES = 5.0


def rate_interval(
    successes: float, trials: float, *, level: float = 0.95, method: RateMethod = "wilson"
) -> tuple[float, float]:
    """Return the interval of a proportion.

    Parameters
    ----------
    successes, trials
        k out of n rows.
    level
        The confidence level, strictly between 0 and 1.
    method
        ``"wilson"`` (default): close to the stated level on average over rates, never empty, never outside
        [0, 1]. ``"clopper-pearson"``: at least the stated level always, therefore wider.

    Returns
    -------
    tuple of float
        (low, high); (nan, nan) when there are no trials.

    Notes
    -----
    At a single rate Wilson's interval may hold it less often than stated. Of a 95% interval the lowest coverage
    over all rates is 0.835 for n = 10, 0.837 for 20 and 0.838 for 50 and 100: it stays there for any n, next to 0
    and 1, where n·rate is about 0.18. Between rates of 0.1 and 0.9 it is 0.916, 0.926, 0.931 and 0.933, and on average
    over all rates 0.954, 0.953, 0.952 and 0.951.

    References
    ----------
    Wilson (1927) J. Am. Stat. Assoc. 22:209-212. Clopper & Pearson (1934) Biometrika 26:404-413.
    Brown, Cai & DasGupta (2001) Statist. Sci. 16:101-133.

    Examples
    --------
    >>> import curvewise as cw
    >>> low, high = cw.rate_interval(30, 50)
    >>> round(low, 4), round(high, 4)
    (0.4618, 0.7239)
    """
    one_of("method", method, METHODS)
    level = real("level", level, 0, 1, closed=False)
    trials = real("trials", trials, 0, math.inf)
    successes = real("successes", successes, 0, trials)
    if trials == 0:
        return math.nan, math.nan
    if method == "wilson":
        return _wilson(successes, trials, level)
    return _clopper_pearson(successes, trials, level)


def _wilson(k: float, n: float, level: float) -> tuple[float, float]:
    z = NormalDist().inv_cdf((1 + level) / 2)
    centre = (k + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(k * (n - k) / n + z * z / 4)
    # at the ends the bound is exactly 0 or 1; the subtraction would leave rounding noise
    return (0.0 if k == 0 else centre - half), (1.0 if k == n else centre + half)


def wilson_ends(k: NDArray[np.float64], n: NDArray[np.float64], level: float) -> tuple[Any, Any]:
    """Return Wilson's intervals of many rates, NaN where there are no trials."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    centre = (k + z * z / 2) / (n + z * z)
    inside = np.divide(k * (n - k), n, out=np.full(len(n), math.nan), where=n > 0)
    half = z / (n + z * z) * np.sqrt(inside + z * z / 4)
    low, high = np.where(k == 0, 0.0, centre - half), np.where(k == n, 1.0, centre + half)
    return np.where(n > 0, low, math.nan), np.where(n > 0, high, math.nan)


def _clopper_pearson(k: float, n: float, level: float) -> tuple[float, float]:
    from scipy.special import betaincinv  # noqa: PLC0415 - half a second that Wilson never needs

    tail = (1 - level) / 2
    low = 0.0 if k == 0 else float(betaincinv(k, n - k + 1, tail))
    high = 1.0 if k == n else float(betaincinv(k + 1, n - k, 1 - tail))
    return low, high


@dataclass(frozen=True)
class RateOfRows:
    """A rate of rows that may be clustered or weighted.

    ``trials`` is the number of independent rows that would know it as well, given the level of the interval;
    ``away`` what each independent unit adds to its error, from which two rates of the same rows have their
    correlation.
    """

    value: float
    trials: float
    away: NDArray[np.float64]

    def interval(self, level: float) -> tuple[float, float]:
        """Return Wilson's interval for the effective number of rows; NaN where that is unknown."""
        if math.isnan(self.trials) or math.isnan(self.value):
            return math.nan, math.nan
        return rate_interval(self.value * self.trials, self.trials, level=level)

    def correlation(self, other: RateOfRows) -> float:
        """Return how much the errors of two rates of the same rows go together."""
        size = math.sqrt(_dot(self.away, self.away) * _dot(other.away, other.away))
        return _dot(self.away, other.away) / size if size else 0.0


def rate_of_rows(
    rows: Rows, part: NDArray[np.bool_], whole: NDArray[np.bool_] | None = None, *, level: float
) -> RateOfRows:
    """Return the weighted share of ``part`` among the rows of ``whole`` (all by default)."""
    unit, weight = units_and_weights(rows)
    if whole is not None:
        weight = np.where(whole, weight, 0.0)
    if rows.censored is not None:
        return _rate_at_horizon(rows, rows.censored, weight * part, weight, level)
    each = np.bincount(unit, weight)
    most = float(weight.sum()) if rows.is_whole else float(np.count_nonzero(weight))
    hits = np.bincount(unit, weight * part, len(each))
    return rate_of_units(hits, each, most, level, clustered=rows.cluster is not None, strata=strata_of(rows))


def _rate_at_horizon(
    rows: Rows, horizon: HorizonRows, hits: NDArray[np.float64], each: NDArray[np.float64], level: float
) -> RateOfRows:
    """Return a rate from what each row has in the part and in the whole, with the error of the censoring weights.

    All outcomes vary it, the unknown ones through those weights, so they may know it better than the rows alone.
    """
    total, everyone = float(each.sum()), horizon.everyone
    value, strata = float(hits.sum()) / total if total else math.nan, strata_of(everyone)
    away = horizon.influence((hits - value * each) / total if total else hits)
    if strata is not None:
        away = strata.apart(strata.sums(away)).folded
    elif everyone.cluster is not None:
        away = np.asarray(np.bincount(everyone.cluster, away), dtype=np.float64)
    alone = np.bincount(units_and_weights(rows)[0], each)
    if not total or (rows.cluster is not None and np.count_nonzero(alone) == 1):
        return RateOfRows(value, math.nan, away)
    worth = total**2 / _dot(alone, alone)
    if min(value, 1 - value) < 1e-12:  # mutants: rounding
        return RateOfRows(float(value > 0.5), worth, away)  # mutants: rounding
    spread, there = _dot(away, away), away[away != 0]
    if spread <= 1e-12 / worth:  # the same rate in every cluster  # mutants: rounding
        return RateOfRows(value, float(np.count_nonzero(each)), away)
    degrees = _degrees(there, np.ones(len(there)))
    if strata is not None:
        degrees = min(degrees, strata.degrees)
    return RateOfRows(value, min(_worth(value, spread, degrees, level), float(len(everyone))), away)


def units_and_weights(rows: Rows) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the number of the independent unit of each row, and its weight."""
    unit = np.arange(len(rows)) if rows.cluster is None else rows.cluster
    return unit, np.ones(len(rows)) if rows.weight is None else rows.weight.astype(np.float64)


def rate_of_units(
    hits: NDArray[Any],
    each: NDArray[Any],
    most: float,
    level: float,
    *,
    clustered: bool,
    strata: Strata | None = None,
) -> RateOfRows:
    """Return the rate of independent units, from what each has in the part and in the whole.

    The variance is that of a ratio of sums over clusters (over rows where there are none). Where every row is
    in the part, or none, it is unknown, and rows of one cluster count as one. The variance of few clusters is
    itself uncertain, the more so the more their weights differ, so the effective number is smaller by the square of
    normal over t quantile; of one cluster it is unknown (NaN). It is never more than the ``most`` rows that there are.
    Where each cluster is one row repeated, the variance follows from the rate, nothing is uncertain, and the rows count
    exactly as if they were not repeated.

    Of rows sampled within several strata the variance is that within strata. Where it is below that of as many
    independent rows, it is `averaged` with the latter: few rows may by chance not vary within strata. One stratum is
    none.

    References
    ----------
    Korn & Graubard (1998) Survey Methodology 24:193-201. Franco et al. (2019) J. Surv. Stat. Methodol.
    7:334-364.
    """
    total = float(each.sum())
    if not total:  # errors are as many as those of other rates of these rows
        nothing = np.zeros(len(each))
        return RateOfRows(math.nan, math.nan, nothing if strata is None else strata.apart(nothing).folded)
    value = float(hits.sum()) / total
    away = (hits - value * each) / total
    if clustered and np.count_nonzero(each) == 1:
        return RateOfRows(value, math.nan, away if strata is None else strata.apart(away).folded)
    concentration = (float(each @ each) if strata is None else strata.squares(each)) / total**2
    inside, times, number = away[each > 0], np.ones(np.count_nonzero(each > 0)), 1  # mutants: the only values
    if strata is not None:
        apart, here = strata.apart(away), np.flatnonzero(each[strata.places] > 0)
        # less the factor of all units as one stratum, which the degrees of freedom below bring
        factor, number = math.sqrt(1 - 1 / max(strata.units, 2)), len(np.unique(strata.stratum[here]))
        away, inside, times = factor * apart.folded, factor * apart.each[here], apart.times[here]
    spread = float(away @ away)
    if min(value, 1 - value) < 1e-12:  # mutants: rounding
        return RateOfRows(float(value > 0.5), 1 / concentration, away)  # mutants: rounding
    if spread <= 1e-12 * concentration:  # the same rate in every cluster  # mutants: rounding
        return RateOfRows(value, most, away)
    degrees = _degrees(inside, times)
    alone = value * (1 - value) / most if most > len(inside) else 0.0
    if math.isfinite(degrees) and (clustered or not alone):  # not of rows that a weight counts
        degrees = min(degrees, design_degrees([each], [spread], alone))
    if number > 1:
        degrees = min(degrees, max(float(times.sum()) - number, 1.0))
        spread = max(spread, averaged(value * (1 - value) / most, spread, degrees))
        most = math.inf
    return RateOfRows(value, min(_worth(value, spread, degrees, level), most), away)


def averaged(expected: Any, variance: Any, degrees: Any) -> Any:
    """Return a variance averaged with what is expected beforehand, which counts as `PRIOR_DEGREES`."""
    return (PRIOR_DEGREES * expected + degrees * variance) / (PRIOR_DEGREES + degrees)


def _worth(value: float, spread: float, degrees: float, level: float) -> float:
    """Return how many independent rows have such a variance; fewer where it is itself uncertain."""
    trials = value * (1 - value) / spread
    if math.isfinite(degrees):
        from scipy.special import stdtrit  # noqa: PLC0415 - slow to load, needed for such rows alone

        tail = (1 + level) / 2  # mutants: squared
        trials *= degrees / (degrees + 1) * (NormalDist().inv_cdf(tail) / float(stdtrit(degrees, tail))) ** 2
    return trials


def _degrees(away: NDArray[np.float64], times: NDArray[np.float64]) -> float:
    """Return the degrees of freedom of a variance between units: 2 V² / Var(V) (Satterthwaite).

    V sums squares, and part of how those vary is known from the rate: the square of what a single row adds
    is a linear function of it, whatever the rate. Only what such a line leaves over is uncertain.
    """
    squares, number = away**2, float(times.sum())
    total = _dot(times, squares)
    if total <= 0:
        return 1.0
    slope = _dot(times, away * squares) / total
    left = squares - total / number - slope * (away - _dot(times, away) / number)
    uncertain = _dot(times, left**2)
    if uncertain <= 1e-9 * total**2 / number:  # mutants: rounding
        return math.inf
    return max(min(2 * total**2 / uncertain, number - 1.0), 1.0)


def _dot(one: NDArray[Any], two: NDArray[Any]) -> float:
    """Multiply and sum without BLAS, whose threads wait for each other in so short a task."""
    return float(np.einsum("i,i->", one, two))


def flagged_rows(rows: Rows, threshold: float) -> NDArray[np.bool_]:
    """Mark the rows on the positive side of a threshold."""
    falling = rows.higher_is == "positive"
    cut = threshold_for(rows.score.dtype, threshold, falling=falling)
    flagged: NDArray[np.bool_] = rows.score >= cut if falling else rows.score <= cut
    return flagged


def rate_of_cells(
    rows: Rows, threshold: float, part: tuple[str, ...], whole: tuple[str, ...], *, level: float
) -> RateOfRows:
    """Return a rate of the confusion table at a threshold, by the cells of its part and of its whole."""
    flagged, positive = flagged_rows(rows, threshold), rows.positive
    cells = {
        "tp": flagged & positive,
        "fp": flagged & ~positive,
        "fn": ~flagged & positive,
        "tn": ~flagged & ~positive,
    }
    some, every = (np.logical_or.reduce([cells[k] for k in names]) for names in (part, whole))
    return rate_of_rows(rows, some, every, level=level)

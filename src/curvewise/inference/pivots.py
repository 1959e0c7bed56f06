"""How far the data allow a number to be from its estimate: an interval and a test that always agree.

A pivot knows the estimate, how uncertain it is and on which scale. `ends` gives the interval of any level,
`p_value` the two-sided p-value of any null value, both from one statistic: p < 1 - level exactly when the
interval of that level excludes the null value.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from curvewise.core.rate import PRIOR_DEGREES, averaged
from curvewise.inference.limits import critical_value, crossing, expit, logit

Ends = tuple[float, float]

# What other numbers would do, by `simulations/pivot_constants.py`, in 90 studies of an AUC with 10 to 50 positives: as
# they are, coverage is 0.926 at the lowest, 1 study is below 0.93 and 5 are above 0.985. PRIOR_DEGREES of 0: 25 below;
# of 20: 18 above. Without a limit on what few lost rows tell, lowest 0.852; with LEAST_KNOWN alone, 54 above.
# PAIRS_AHEAD of 1, scores as normal with equal variance: lowest 0.904; of 2.5: 10 above. TRIALS_AHEAD leaves room as
# that does; since half an unseen row came in, average precision would hold its level with 1, too (lowest 0.968).
LEAST_KNOWN, KNOWN_BY_LOSS = 4.0, 30.0
TIED = 3**-0.5  # Owen's slope of a correlation of ½
FARTHEST = 150.0  # of a logarithm: an end beyond is as good as infinite, and products of several are still numbers
LEAST_TAIL = 1e-290  # below which only the logarithm of a tail is exact
LEAST_DEVIATE, LEVEL_BY_RANKS = 2.0, 0.954  # within 2 standard errors of chance ranks have no part in its test
PAIRS_AHEAD, TRIALS_AHEAD = 1.6, 1.2  # times the variance of binormal scores of equal variance, of a proportion


@dataclass(frozen=True)
class Spread:
    """The variance of an estimate, and how well it is known.

    ``degrees`` are those of the t distribution whose tails fit a variance that is itself estimated
    (Satterthwaite), with the kurtosis of what each row adds: near an end of the range a few rows make all of
    the variance.
    """

    variance: float
    degrees: float
    of_rows: Spread | None = None  # where clusters made it: the same if rows were independent

    @property
    def error(self) -> float:
        """The standard error."""
        return math.sqrt(max(self.variance, 0.0))

    @property
    def effect(self) -> float:
        """How many times clusters multiply the variance, or how many of their rows are as one."""
        alone = self.of_rows
        return 1.0 if alone is None or alone.variance <= 0 else max(self.variance / alone.variance, 1.0)

    def no_less_than(self, expected: float) -> Spread:
        """Return the spread, averaged with a variance that was expected beforehand where that is larger.

        The latter counts as `PRIOR_DEGREES` degrees of freedom.
        """
        if self.variance >= expected:
            return self
        return replace(self, variance=averaged(expected, self.variance, self.degrees))

    def times(self, factor: float) -> Spread:
        """Return the spread of the number times a factor."""
        rows = None if self.of_rows is None else self.of_rows.times(factor)
        return Spread(self.variance * factor**2, self.degrees, rows)


class Pivot:
    """An estimate with its uncertainty."""

    value: float

    def ends(self, level: float) -> Ends:
        """Return the interval of a level."""
        raise NotImplementedError

    def log_tail(self, null: float) -> float:
        """Return the logarithm of the one-sided p-value on the side of ``null`` where the estimate lies.

        Each tail is computed on its own side, so that none rounds to 0.
        """
        below = self.p_below(null)
        return math.log(min(below, 1 - below))

    def p_value(self, null: float) -> float:
        """Return the two-sided p-value of the number being ``null``."""
        return min(2 * math.exp(self.log_tail(null)), 1.0)  # NaN stays

    def p_below(self, null: float) -> float:
        """Return the one-sided p-value of the number being ``null`` or more: small if it is clearly below."""
        tail = math.exp(self.log_tail(null))
        return 1 - tail if self.value > null else tail

    def p_above(self, null: float) -> float:
        """Return the one-sided p-value of the number being ``null`` or less: small if it is clearly above."""
        tail = math.exp(self.log_tail(null))
        return 1 - tail if self.value < null else tail

    def statistic(self, null: float) -> float:
        """Return the statistic of a test of ``null``: the normal deviate, unless a test has one of its own."""
        return self.deviate(null)

    def deviate(self, null: float) -> float:
        """Return the normal deviate that has the p-value of ``null``, positive if the number is above it."""
        return math.copysign(deviate_of(self.log_tail(null)), self.value - null)


Scale = Literal["plain", "log", "log-complement"]


@dataclass(frozen=True)
class WaldPivot(Pivot):
    """The estimate plus and minus t standard errors, on the scale of the number or of a logarithm.

    ``"log"`` is for numbers of 0 or more (losses, ratios), ``"log-complement"`` for those of at most ``top``
    (skill scores). At the end of the range a logarithm has no error: the interval is then the estimate alone,
    which `is_degenerate` says.

    ``better`` is the number with one more of the positives of the highest score, and the upper end is measured from it.
    Of probabilities that are too extreme, few positives make most of a skill, and a variance of rows that were drawn
    does not know of those that were not: in simulations of four families with slopes of 0.5 to 2, skills with 10 to 40
    positives held 0.85 to 0.99 of a nominal 0.95 without it, and hold 0.925 to 0.995.
    """

    value: float
    spread: Spread
    scale: Scale = "plain"
    top: float = 1.0
    better: float | None = None

    @property
    def is_degenerate(self) -> bool:
        """Whether the estimate lies at the end of its scale, or has no variance."""
        return self.spread.variance <= 0 or (self.scale != "plain" and self._away <= 0)

    @property
    def _away(self) -> float:
        return self.value if self.scale == "log" else self.top - self.value

    @property
    def _least_away(self) -> float:
        """How far the number that the upper end is measured from is from the top."""
        return self._away if self.better is None else self.top - max(self.better, self.value)

    def ends(self, level: float) -> Ends:
        """Return the interval of a level."""
        if self.is_degenerate:
            return self.value, self.value
        reach = critical_value(level, self.spread.degrees) * self.spread.error
        if self.scale == "plain":
            return self.value - reach, self.value + reach
        times = math.exp(min(reach / self._away, FARTHEST))
        if self.scale == "log":
            return self.value / times, self.value * times
        return self.top - self._away * times, self.top - self._least_away / times

    def log_tail(self, null: float) -> float:
        """Return the logarithm of the one-sided p-value on the side of ``null`` where the estimate lies."""
        return log_t_tail(self.statistic(null), self.spread.degrees)

    def statistic(self, null: float) -> float:
        """Return how many standard errors the estimate lies above ``null``."""
        gap = self.value - null
        if self.is_degenerate:
            return math.copysign(math.inf, gap) if gap else 0.0
        if self.scale == "plain":
            return gap / self.spread.error
        beyond = null if self.scale == "log" else self.top - null
        if beyond <= 0:
            return math.copysign(math.inf, gap)
        sign = 1 if self.scale == "log" else -1
        away = min(max(beyond, self._least_away), self._away)
        return sign * math.log(away / beyond) * self._away / self.spread.error


@dataclass(frozen=True)
class LogitPivot(Pivot):
    """A share of pairs plus and minus t standard errors of its logit.

    At 0 and 1, where a logit has no error, the interval ends at the share that leaves a chance of α/2 to as many
    independent pairs, ``pairs``, as there are at the least, all to be alike.
    """

    value: float
    spread: Spread
    pairs: float

    @property
    def is_degenerate(self) -> bool:
        """Whether nothing is known of how uncertain the estimate is."""
        return self.value not in (0, 1) and self.spread.variance <= 0

    @property
    def _error(self) -> float:
        return self.spread.error / (self.value * (1 - self.value))

    def ends(self, level: float) -> Ends:
        """Return the interval of a level."""
        if self.is_degenerate:
            return self.value, self.value
        if self.value in (0, 1):
            bound = ((1 - level) / 2) ** (1 / self.pairs)
            return (bound, 1.0) if self.value == 1 else (0.0, 1 - bound)
        reach, centre = critical_value(level, self.spread.degrees) * self._error, logit(self.value)
        return expit(centre - reach), expit(centre + reach)

    def log_tail(self, null: float) -> float:
        """Return the logarithm of the one-sided p-value on the side of ``null`` where the estimate lies."""
        if self.value == null:
            return math.log(0.5)
        if self.is_degenerate or not 0 < null < 1:
            return -math.inf
        if self.value in (0, 1):
            return min(self.pairs * math.log(null if self.value else 1 - null), math.log(0.5))
        return log_t_tail((logit(self.value) - logit(null)) / self._error, self.spread.degrees)


@dataclass(frozen=True)
class ScorePivot(Pivot):
    """A number between ``low`` and ``high``, judged by the variance that it has at the null value.

    Wilson's idea: the distance of the estimate u from θ, both as shares of the range, is compared with the
    standard error that holds at θ, so that intervals never leave the range and never collapse at its ends.
    The variance at θ is ρ·V₀(θ). V₀ is what is expected beforehand, and ρ = (ν₀ + ν·V̂/V₀(û)) / (ν₀ + ν) how
    many times larger the rows say it is: the estimate V̂ with its ν degrees of freedom, averaged with V₀, which
    counts as ν₀ degrees. û is the estimate moved a little into the range. The quantile is that of t with ν₀ + ν
    degrees of freedom. So the interval does not jump between an estimate at the end of the range and one next to it.
    Clusters multiply the variance of independent rows by their design effect, and t has their degrees of freedom.

    ``trials`` is the number of rows or pairs that u is a share of, ``units`` the rows of the class that has fewer.
    Where less than a row's worth of them is lost, what was lost says little about the variance: ν is at most
    4 + 30·(units·min(u, 1-u))². Where ranks have a test of their own of the null value ``chance``, ``at_chance`` takes
    the logarithm of the tail found here to that which holds: the same where the estimate is near, or the level is at
    most `LEVEL_BY_RANKS`, and classes are not separated.

    ``worse`` is the number with one row more, or half of one, at the wrong end: there the lower end starts. Of m
    negatives none may stand above all positives although a share of 1/(m + 1) of all negatives does; such rows decide
    about a small range of false positive rates, and about precision at a low prevalence, and the variance of rows that
    were drawn does not know of them. In simulations of eight families, average precision of 100 positives and 100
    negatives that weigh 20 held 0.72 to 0.98 of a nominal 0.95 without it, and holds 0.92 to 0.995 with half a row; a
    mean sensitivity over (0, 0.1) with 50 negatives held 0.84 to 0.98, and holds 0.92 to 1 with one.

    References
    ----------
    Wilson (1927) J. Am. Stat. Assoc. 22:209-212. Newcombe (2006) Statistics in Medicine 25:559-573.
    """

    value: float
    spread: Spread
    expected: Callable[[float], float] = field(repr=False)
    trials: float
    units: float
    low: float = 0.0
    high: float = 1.0
    chance: float = math.nan
    at_chance: Callable[[float], float] | None = None
    worse: float | None = None
    of_share: bool = False  # whether ``expected`` is that of a share of ``trials``, for which there is a formula

    @cached_property
    def _share(self) -> float:
        return min(max((self.value - self.low) / (self.high - self.low), 0.0), 1.0)

    @property
    def degrees(self) -> float:
        """The degrees of freedom of the quantile."""
        return self._known(self.spread) + (0.0 if self._effect else PRIOR_DEGREES)

    def _known(self, spread: Spread) -> float:
        """Return the degrees of freedom of a variance, no more than what was lost can tell."""
        lost = self.units * min(self._share, 1 - self._share)
        return min(spread.degrees, most_known(lost))

    @cached_property
    def _effect(self) -> float | None:
        """How many times clusters multiply the variance; None without clusters, or if that cannot be known."""
        rows = self.spread.of_rows
        return None if rows is None or rows.variance <= 0 else self.spread.effect

    @cached_property
    def _times(self) -> float:
        """How many times larger the variance is than expected beforehand."""
        inside = min((self._share * self.trials + 0.5) / (self.trials + 1), math.nextafter(1.0, 0.0))
        spread = self.spread if self._effect is None or self.spread.of_rows is None else self.spread.of_rows
        seen = spread.variance / (self.high - self.low) ** 2 / self.expected(inside)
        return float(averaged(1.0, seen, self._known(spread))) * (self._effect or 1.0)

    @cached_property
    def _worse(self) -> float:
        """The share that the lower end is measured from."""
        away = 0.0 if self.worse is None else max(self.value - self.worse, 0.0)
        return max(self._share - away / (self.high - self.low), 0.0)

    def _statistic(self, share: float, estimate: float) -> float:
        gap = estimate - share
        variance = self._times * self.expected(share) if 0 < share < 1 else 0.0
        if variance <= 0:
            return math.copysign(math.inf, gap) if gap else 0.0
        return gap / math.sqrt(variance)

    def ends(self, level: float) -> Ends:
        """Return the interval of a level."""
        reach = critical_value(level, self.degrees)
        if self.of_share:
            low, high = ends_of_share(self._worse, self._share, reach**2 * self._times, self.trials)
        else:
            low = crossing(lambda x: self._statistic(x, self._worse) - reach, 0.0, self._worse)
            high = crossing(lambda x: self._statistic(x, self._share) + reach, self._share, 1.0)
        low, high = (self.low + (self.high - self.low) * x for x in (low, high))
        if self.at_chance is not None and (level > LEVEL_BY_RANKS or self._share in (0, 1)):
            beyond = self.p_value(self.chance) < 1 - level  # decides on which side of chance the interval ends
            if self.value > self.chance:
                low = max(low, math.nextafter(self.chance, math.inf)) if beyond else min(low, self.chance)
            else:
                high = min(high, math.nextafter(self.chance, -math.inf)) if beyond else max(high, self.chance)
        return low, high

    def log_tail(self, null: float) -> float:
        """Return the logarithm of the one-sided p-value on the side of ``null`` where the estimate lies."""
        share = (null - self.low) / (self.high - self.low)
        tail = log_t_tail(self._statistic(share, min(max(share, self._worse), self._share)), self.degrees)
        return tail if self.at_chance is None or null != self.chance else self.at_chance(tail)


@dataclass(frozen=True)
class EndsPivot(Pivot):
    """A number whose interval of any level is given by a function."""

    value: float
    of_level: Callable[[float], Ends] = field(repr=False)

    def ends(self, level: float) -> Ends:
        """Return the interval of a level."""
        return self.of_level(level)

    def log_tail(self, null: float) -> float:
        """Return the logarithm of half of what is left of the level at which the interval ends at ``null``."""
        above = self.value > null

        def inside(p: float) -> float:  # how far within the interval the null value lies: less, the larger p is
            low, high = self.ends(1 - p)
            return null - low if above else high - null

        return math.log(0.5 if self.value == null else crossing(inside, 1e-15, 1 - 1e-12) / 2)  # mutants: rounding


@dataclass(frozen=True)
class RatePivot(EndsPivot):
    """A share of so many independent rows with Wilson's interval, and the test that it inverts."""

    trials: float

    def log_tail(self, null: float) -> float:
        """Return the logarithm of the one-sided p-value on the side of ``null`` where the share lies."""
        variance = null * (1 - null) / self.trials
        if variance <= 0:
            return -math.inf if self.value != null else math.log(0.5)
        return log_t_tail((self.value - null) / math.sqrt(variance))


def t_tail(statistic: float, degrees: float = math.inf) -> float:
    """Return the probability of a t statistic at or below this one; of a normal one if degrees are infinite."""
    if math.isinf(degrees) or math.isinf(statistic):
        return math.erfc(-statistic / math.sqrt(2)) / 2
    from scipy.special import stdtr  # noqa: PLC0415 - slow to load

    return float(stdtr(degrees, statistic))


def log_t_tail(statistic: float, degrees: float = math.inf) -> float:
    """Return the logarithm of the chance of a t statistic as large as this one, whatever its sign, on one side.

    Beyond what floats hold it is that of ½·I_x(ν/2, ½), x = ν/(ν + t²), by the hypergeometric series (DLMF 8.17.8).
    """
    from scipy.special import betaln, hyp2f1, log_ndtr, stdtr  # noqa: PLC0415 - slow to load

    statistic = abs(statistic)
    if math.isinf(degrees) or math.isinf(statistic):
        return float(log_ndtr(-statistic))
    tail = float(stdtr(degrees, -statistic))
    if tail > LEAST_TAIL:
        return math.log(tail)
    half, share = degrees / 2, degrees / (degrees + statistic**2)
    series = math.log(hyp2f1(half + 0.5, 1, half + 1, share)) + math.log1p(-share) / 2
    return float(half * math.log(share) + series - math.log(degrees) - betaln(half, 0.5))


def deviate_of(log_tail: float) -> float:
    """Return the normal deviate that leaves a tail beyond it, given the logarithm of the tail."""
    from scipy.special import ndtri_exp  # noqa: PLC0415 - slow to load

    return float(-ndtri_exp(log_tail))


def most_known(lost: float) -> float:
    """Return the most degrees of freedom of a variance where so many rows, or parts of one, are lost."""
    return LEAST_KNOWN + KNOWN_BY_LOSS * lost**2


def expected_of_share(trials: Any) -> Callable[[Any], Any]:
    """Return the variance that a share of so many rows is expected to have beforehand."""
    return lambda share: TRIALS_AHEAD * share * (1 - share) / trials


def ends_of_share(low: Any, high: Any, reach: Any, trials: Any) -> tuple[Any, Any]:
    """Return where (x - low)² and (x - high)² are ``reach`` times that variance at x, below and above; or of arrays."""
    far = reach * TRIALS_AHEAD / trials
    below, above = ((far**2 + 4 * far * u * (1 - u)) ** 0.5 for u in (low, high))
    return (2 * low + far - below) / (2 + 2 * far), (2 * high + far + above) / (2 + 2 * far)


def expected_of_pairs(positives: float, negatives: float) -> Callable[[float], float]:
    """Return the variance that an AUC is expected to have beforehand.

    That of normal scores of equal variance, [A(1-A) + (m+n-2)(Q-A²)]/mn, in which Q, the chance that two
    positives outrank one negative, is Φ₂(h, h; ½) with h = Φ⁻¹(A).
    """
    from scipy.special import ndtri, owens_t  # noqa: PLC0415 - slow to load

    each, of_pair = PAIRS_AHEAD * (1 / positives + 1 / negatives), 1 / (positives * negatives)

    def variance(auc: float) -> float:  # as `variance_of_pairs`, which is slow for one
        shared = auc - 2 * float(owens_t(ndtri(auc), TIED)) - auc * auc  # Q - A²
        return each * shared + of_pair * max(auc * (1 - auc) - 2 * shared, 0.0)

    return variance


def variance_of_pairs(auc: Any, positives: Any, negatives: Any) -> Any:
    """Return that variance for one AUC, or for arrays of them."""
    from scipy.special import ndtri, owens_t  # noqa: PLC0415 - slow to load

    shared = auc - 2 * owens_t(ndtri(auc), TIED) - auc * auc  # Q - A²
    rest = np.maximum(auc * (1 - auc) - 2 * shared, 0.0)
    return PAIRS_AHEAD * shared * (1 / positives + 1 / negatives) + rest / (positives * negatives)

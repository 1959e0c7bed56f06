"""From replicates, or from a standard error, to the two ends of an interval."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.errors import UndefinedMetricError

BOOTSTRAPS = ("percentile", "basic", "bca")
Ends = tuple[float, float]
MOST_STEPS = 200  # of a search that bisects at every third


def from_replicates(
    method: str,
    value: float,
    replicates: Floats,
    level: float,
    jackknife: Callable[[], Floats | tuple[Floats, Floats]],
) -> Ends:
    """Return the ends of a bootstrap interval.

    ``percentile``: quantiles of the replicates. ``basic``: the same, reflected at the value. ``bca``:
    quantiles corrected for bias and acceleration (Efron 1987).
    """
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    if method == "bca":
        tails = _bca(value, replicates, tails, jackknife())
    low, high = _quantiles(replicates, tails)
    return (2 * value - high, 2 * value - low) if method == "basic" else (low, high)


def critical_value(level: float, degrees: float = math.inf) -> float:
    """Return how many standard errors an interval reaches: a quantile of t, or of the normal distribution."""
    # a level near 1 that is shared among several pairs may round to 1
    share = min((1 + level) / 2, math.nextafter(1, 0))
    if math.isinf(degrees):
        return NormalDist().inv_cdf(share)
    from scipy.special import stdtrit  # noqa: PLC0415 - slow to load

    return float(stdtrit(degrees, share))


def wald(value: float, standard_error: float, level: float) -> Ends:
    """Return value ± z standard errors, cut to [0, 1]."""
    away = critical_value(level) * standard_error
    return max(value - away, 0.0), min(value + away, 1.0)


def logit_wald(
    value: float, standard_error: float, level: float, smaller_class: float, degrees: float = math.inf
) -> Ends:
    """Return an interval on the logit scale; at 0 and 1 the bound (α/2)^(1/min(P, N)).

    Towards 0 or 1, whichever is nearer, it reaches as far as the normal quantile says. Towards 0.5 it
    reaches further, up to the quantile of t with the variance's degrees of freedom, the more so the
    nearer the value is to 0 or 1: a value that came out near 1 by luck has too small a variance.
    """
    bound = ((1 - level) / 2) ** (1 / smaller_class)
    if value in (0, 1):
        return (bound, 1.0) if value == 1 else (0.0, 1 - bound)
    centre, scale = logit(value), standard_error / (value * (1 - value))
    outward = critical_value(level)
    inward = outward + abs(2 * value - 1) * (critical_value(level, degrees) - outward)
    below, above = (inward, outward) if value > 0.5 else (outward, inward)
    return expit(centre - below * scale), expit(centre + above * scale)


def _bca(value: float, replicates: Floats, tails: Floats, left_out: Floats | tuple[Floats, Floats]) -> Floats:
    normal = NormalDist()
    below = float(np.mean(replicates < value) + np.mean(replicates == value) / 2)
    if not 0 < below < 1:
        raise UndefinedMetricError(
            "method='bca' is undefined: every replicate lies on one side of the value; use 'percentile'."
        )
    bias = normal.inv_cdf(below)
    each, times = left_out if isinstance(left_out, tuple) else (left_out, np.ones(len(left_out)))
    away = np.average(each, weights=times) - each if len(each) else each
    spread = float(np.sum(times * away**2))
    speed = float(np.sum(times * away**3)) / (6 * spread**1.5) if spread else 0.0
    z = np.array([normal.inv_cdf(t) for t in tails]) + bias
    return np.array([normal.cdf(bias + v / (1 - speed * v)) for v in z])


def _quantiles(replicates: Floats, tails: Floats) -> list[float]:
    """Return quantiles; where ratios are infinite (x/0) those of replicates, not between two."""
    finite = bool(np.isfinite(replicates).all())
    ends: list[float] = np.quantile(replicates, tails, method="linear" if finite else "nearest").tolist()
    return ends


def expit(x: float) -> float:
    """Return 1 / (1 + e^-x), which undoes a logit, without overflow."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def logit(share: float) -> float:
    """Return log(p / (1 - p)) of a share strictly between 0 and 1."""
    return math.log(share / (1 - share))


def crossings(falling: Callable[[Floats, NDArray[np.intp]], Floats], low: Floats, high: Floats) -> Floats:
    """Return for many falling functions at once what `crossing` returns for each, step for step.

    ``falling`` is given one argument for some of the functions, and which these are.
    """
    places, which = np.empty(len(low)), np.arange(len(low))
    at_low, at_high = falling(low, which), falling(high, which)
    places[at_low <= 0] = low[at_low <= 0]
    places[(at_low > 0) & (at_high >= 0)] = high[(at_low > 0) & (at_high >= 0)]
    which = which[(at_low > 0) & (at_high < 0)]
    low, high, at_low, at_high = (each[which] for each in (low, high, at_low, at_high))
    kept = np.zeros(len(which))
    for step in range(MOST_STEPS):
        middle = (low + high) / 2
        if step % 3 != 2:
            finite = np.isfinite(at_low) & np.isfinite(at_high)
            at, end = at_low[finite], at_high[finite]
            middle[finite] = low[finite] + (high - low)[finite] * at / (at - end)
        places[which] = middle
        at = falling(middle, which)
        inside = (low < middle) & (middle < high) & (at != 0)
        up = at > 0
        at_high = np.where(up & (kept == 1), at_high / 2, at_high)  # mutants: work
        at_low = np.where(~up & (kept == -1), at_low / 2, at_low)  # mutants: work
        low, at_low = np.where(up, middle, low), np.where(up, at, at_low)
        high, at_high = np.where(up, high, middle), np.where(up, at_high, at)
        kept = np.where(up, 1.0, -1.0)
        left = inside & (high - low > 4 * np.spacing(np.abs(middle)))  # mutants: rounding
        if not left.any():
            break
        which, low, high, at_low, at_high, kept = (e[left] for e in (which, low, high, at_low, at_high, kept))
    return places


def crossing(falling: Callable[[float], float], low: float, high: float) -> float:
    """Return where a falling function crosses 0, to the last bits; an end if it does not.

    The secant through both ends where that halves the way at least every other step (Illinois), else bisection.
    """
    at_low, at_high = falling(low), falling(high)
    if at_low <= 0:
        return low
    if at_high >= 0:
        return high
    kept = 0  # which end stayed in the last step
    for step in range(MOST_STEPS):
        middle = (low + high) / 2
        if step % 3 != 2 and math.isfinite(at_low) and math.isfinite(at_high):
            secant = low + (high - low) * at_low / (at_low - at_high)  # mutants: work
            middle = secant if low < secant < high else middle  # a steep function rounds it onto an end
        if not low < middle < high:
            break
        at_middle = falling(middle)
        if at_middle == 0:
            break
        if at_middle > 0:
            low, at_low = middle, at_middle
            at_high = at_high / 2 if kept == 1 else at_high
            kept = 1
        else:
            high, at_high = middle, at_middle
            at_low = at_low / 2 if kept == -1 else at_low  # mutants: work
            kept = -1
        if high - low <= 4 * math.ulp(middle):
            break
    return middle

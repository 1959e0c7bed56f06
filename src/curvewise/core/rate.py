"""Intervals for a rate, k out of n: Wilson's score interval, and Clopper and Pearson's exact one."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Literal

from curvewise.rows.checks import one_of, real

RateMethod = Literal["wilson", "clopper-pearson"]
METHODS = ("wilson", "clopper-pearson")


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
        ``"wilson"`` (default): close to the stated level on average, never empty, never outside
        [0, 1]. ``"clopper-pearson"``: at least the stated level always, therefore wider.

    Returns
    -------
    tuple of float
        (low, high); (nan, nan) when there are no trials.

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


def _clopper_pearson(k: float, n: float, level: float) -> tuple[float, float]:
    from scipy.special import betaincinv  # noqa: PLC0415 - half a second that Wilson never needs

    tail = (1 - level) / 2
    low = 0.0 if k == 0 else float(betaincinv(k, n - k + 1, tail))
    high = 1.0 if k == n else float(betaincinv(k + 1, n - k, 1 - tail))
    return low, high

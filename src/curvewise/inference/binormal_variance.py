"""The variance of an AUC, and the covariance of two, if scores are normal in each class with equal spread."""

from __future__ import annotations

import math
from statistics import NormalDist

NORMAL = NormalDist()


def auc_variance(auc: float, cases: float, controls: float) -> float:
    """Return the variance of the estimate of an AUC, exact for any number of rows.

    (A(1-A) + (m+n-2)(Q-A²)) / mn, where Q is the chance that a positive outranks two negatives, which is
    also the chance that two positives outrank one negative (Bamber 1975, eq. 12, with normal scores).
    """
    return auc_covariance(auc, auc, 1.0, cases, controls)


def auc_covariance(first: float, second: float, correlation: float, cases: float, controls: float) -> float:
    """Return the covariance of the estimates of two AUCs on the same rows.

    ``correlation`` is that of the two scores within each class. Of two pairs of rows that share one row, the
    differences of scores are correlated half as much.
    """
    h, k = NORMAL.inv_cdf(first), NORMAL.inv_cdf(second)
    chance = first * second
    same = both_below(h, k, correlation) - chance
    shared = both_below(h, k, correlation / 2) - chance
    return (same + (cases + controls - 2) * shared) / (cases * controls)


def both_below(h: float, k: float, correlation: float) -> float:
    """Return the chance that two standard normal numbers lie below h and k (Owen 1956)."""
    below = NORMAL.cdf(h), NORMAL.cdf(k)
    if correlation >= 1:
        return min(below)
    if correlation <= -1:
        return max(sum(below) - 1, 0.0)
    if h == 0 and k == 0:
        return 0.25 + math.asin(correlation) / (2 * math.pi)
    from scipy.special import owens_t  # noqa: PLC0415 - slow to load

    root = math.sqrt(1 - correlation**2)

    def part(x: float, other: float) -> float:
        slope = (other - correlation * x) / (x * root) if x else math.copysign(math.inf, other)
        return float(owens_t(x, slope))

    apart = h * k < 0 or (h * k == 0 and h + k < 0)
    return sum(below) / 2 - part(h, k) - part(k, h) - (0.5 if apart else 0.0)

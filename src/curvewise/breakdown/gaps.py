"""How far apart groups are: differences and ratios of independent estimates, one pair or the widest of all.

The interval of a difference or a ratio is recovered from the intervals of its two members (MOVER); for
proportions with Wilson's intervals that is Newcombe's hybrid score method. The widest of all pairs is a
choice made by looking at the data: its members' intervals are widened by the quantile of the studentised
range, so that all pairs hold at once, and the widest among them.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ends = tuple[Floats, Floats]


def difference_ends(a: Floats, of_a: Ends, b: Floats, of_b: Ends) -> Ends:
    """Return the interval of a - b (Zou & Donner 2008; Newcombe 1998 for proportions)."""
    low = a - b - np.hypot(a - of_a[0], of_b[1] - b)
    high = a - b + np.hypot(of_a[1] - a, b - of_b[0])
    return low, high


def ratio_ends(a: Floats, of_a: Ends, b: Floats, of_b: Ends) -> Ends:
    """Return the interval of a / b for values of 0 or more (Donner & Zou 2012), infinite where b may be 0."""
    product = a * b
    for_low = np.maximum(product**2 - of_a[0] * of_b[1] * (2 * a - of_a[0]) * (2 * b - of_b[1]), 0)
    for_high = np.maximum(product**2 - of_a[1] * of_b[0] * (2 * a - of_a[1]) * (2 * b - of_b[0]), 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        # the lower end in the form that stays finite where 2b is its upper end
        low = of_a[0] * (2 * a - of_a[0]) / (product + np.sqrt(for_low))
        high = (product + np.sqrt(for_high)) / (of_b[0] * (2 * b - of_b[0]))
    return np.where(of_a[0] <= 0, 0.0, low), np.where(of_b[0] <= 0, np.inf, high)


@lru_cache(maxsize=256)
def range_level(groups: int, level: float) -> float:
    """Return the level of each estimate at which all pairs of ``groups`` estimates hold at ``level``.

    The quantile q of the range of independent standard normals (Tukey) takes the place of √2·z.
    """
    if groups <= 2:
        return level
    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _below(middle, groups) < level else (low, middle)
    return 2 * NormalDist().cdf(high / math.sqrt(2)) - 1


def expected_spread(errors: Floats) -> float:
    """Return how far the largest of equal groups would lie above the smallest by chance, on average."""
    from scipy.special import ndtr  # noqa: PLC0415 - slow to load

    errors = errors[errors > 0]
    if len(errors) < 2:
        return 0.0
    x = np.linspace(-8, 8, 1601) * errors.max()
    below = np.prod(ndtr(x[:, None] / errors), axis=1)  # all are below x: the largest is
    # the mean of the largest; the smallest is its mirror image
    return float(2 * np.trapezoid(np.heaviside(x, 0.5) - below, x))


def _below(width: float, groups: int) -> float:
    """Return the chance that independent standard normals lie within ``width`` of each other."""
    from scipy.special import ndtr  # noqa: PLC0415 - slow to load

    x = np.linspace(-8, 8, 801)
    density = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    return float(groups * np.trapezoid(density * (ndtr(x + width) - ndtr(x)) ** (groups - 1), x))

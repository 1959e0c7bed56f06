"""The interval of a difference or a ratio of two estimates, recovered from their own; and of the widest of all pairs.

For proportions with Wilson's intervals a difference has Newcombe's hybrid score interval (MOVER).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from curvewise.arrays import Floats, Places
from curvewise.errors import UndefinedMetricError

if TYPE_CHECKING:
    from curvewise.results.estimate import Estimate

    Ends = Sequence[Floats]

PAIRS = 2**20  # of groups, compared at a time


def difference_ends(a: Floats, of_a: Ends, b: Floats, of_b: Ends, correlation: Floats | float) -> Ends:
    """Return the interval of a - b (Zou & Donner 2008; Newcombe 1998 for proportions)."""
    low = a - b - _joined(a - of_a[0], of_b[1] - b, correlation)
    high = a - b + _joined(of_a[1] - a, b - of_b[0], correlation)
    return low, high


def ratio_ends(a: Floats, of_a: Ends, b: Floats, of_b: Ends, correlation: Floats | float) -> Ends:
    """Return the interval of a / b for values of 0 or more (Donner & Zou 2012), infinite where b may be 0."""
    first = a * b - correlation * (a - of_a[0]) * (of_b[1] - b)
    second = a * b - correlation * (of_a[1] - a) * (b - of_b[0])
    for_low = np.maximum(first**2 - of_a[0] * of_b[1] * (2 * a - of_a[0]) * (2 * b - of_b[1]), 0)
    for_high = np.maximum(second**2 - of_a[1] * of_b[0] * (2 * a - of_a[1]) * (2 * b - of_b[0]), 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        # the lower end in the form that stays finite where 2b is its upper end
        low = of_a[0] * (2 * a - of_a[0]) / (first + np.sqrt(for_low))
        high = (second + np.sqrt(for_high)) / (of_b[0] * (2 * b - of_b[0]))
    return np.where(of_a[0] <= 0, 0.0, low), np.where(of_b[0] <= 0, np.inf, high)


def ends_of_two(ends: Callable[..., Ends], one: Estimate, two: Estimate, correlation: float) -> tuple[float, float]:
    """Return what `difference_ends` or `ratio_ends` says of two estimates."""
    (a, *of_a), (b, *of_b) = (np.array([e.value, e.low, e.high]) for e in (one, two))
    low, high = ends(a, of_a, b, of_b, correlation)
    return float(low), float(high)


def _joined(one: Floats, two: Floats, correlation: Floats | float) -> Floats:
    """Return the length of two arms of an interval together: √(x² + y² - 2rxy)."""
    if not np.any(correlation):
        return np.hypot(one, two)
    return np.asarray(np.sqrt(np.maximum(one**2 + two**2 - 2 * correlation * one * two, 0)))


def widest_ends(
    value: Floats, low: Floats, high: Floats, together: Floats | None, *, ratio: bool
) -> tuple[float, float]:
    """Return the largest lower and the largest upper end of the differences of all pairs; the smallest of ratios.

    Of independent estimates (``together`` is None) few pairs can have them. An end rises or falls in the value and
    in one arm of the interval of either member, so one that another beats in both can be left out.
    """
    below, above = value - low, high - value
    every = np.arange(len(value))
    # what makes an end extreme, of the first and of the second member: more of both
    wanted = (
        [((-value, below), (value, above)), ((-value, -above), (value, -below))]
        if ratio
        else [((value, -below), (-value, -above)), ((value, above), (-value, below))]
    )
    found = []
    for which, members in enumerate(wanted):
        first, second = (every, every) if together is not None else (_unbeaten(*traits) for traits in members)
        found.append(_extreme(which, first, second, (value, low, high), together, ratio=ratio))
    return found[0], found[1]


def _extreme(
    which: int,
    first: Places,
    second: Places,
    of: tuple[Floats, Floats, Floats],
    together: Floats | None,
    *,
    ratio: bool,
) -> float:
    """Return one end of the pair that has it most extreme, pairs of many groups a part at a time."""
    apart = ratio_ends if ratio else difference_ends
    worst = np.inf if ratio else -np.inf
    b, *of_b = (each[second][None] for each in of)
    found = []
    for here in slices(len(first), len(second)):
        own = first[here]
        a, *of_a = (each[own, None] for each in of)
        ends = apart(a, of_a, b, of_b, 0.0 if together is None else together[np.ix_(own, second)])
        # no group is compared with itself
        pairs = np.where(own[:, None] != second, ends[which], worst)
        found.append(float(pairs.min() if ratio else pairs.max()))
    return min(found) if ratio else max(found)


def farthest(value: Floats, low: Floats, high: Floats, together: Floats | None) -> float:
    """Return the most times that the arm of a pair's interval towards 0 fits into its difference.

    The lower end of the widest gap is above 0 exactly where that is more than once.
    """
    below, above, every = value - low, high - value, np.arange(len(value))
    first, second = (every, every) if together is not None else (_unbeaten(value, -below), _unbeaten(-value, -above))
    most = 0.0
    for here in slices(len(first), len(second)):
        one = first[here]
        apart = value[one, None] - value[second]
        arms = _joined(below[one, None], above[second], 0.0 if together is None else together[np.ix_(one, second)])
        if ((arms <= 0) & (apart > 0)).any():
            raise UndefinedMetricError("A test of equality needs standard errors above 0: a group has none.")
        most = max(most, float(np.divide(apart, arms, out=np.zeros_like(apart), where=apart > 0).max()))
    return most


def slices(first: int, second: int) -> list[slice]:
    """Return ranges of ``first`` groups of which all pairs with ``second`` others are compared at a time."""
    step = max(PAIRS // second, 1)
    return [slice(start, start + step) for start in range(0, first, step)]


def _unbeaten(one: Floats, two: Floats) -> Places:
    """Return the places of which no other has at least as much of both, and those that only such a one beats.

    The latter take its place in pairs where the other member is itself. Of equal ones the first beats the second.
    """
    left, found = np.arange(len(one)), []
    for _ in range(2):
        order = left[np.lexsort((-two[left], -one[left]))]
        most = np.maximum.accumulate(two[order])
        best = np.ones(len(order), dtype=bool)
        best[1:] = two[order[1:]] > most[:-1]
        found.append(order[best])
        left = np.sort(order[~best])
    return np.concatenate(found)

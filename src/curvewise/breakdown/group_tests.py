"""Tests that groups are equal: all at once, and every pair with Holm's correction."""

from __future__ import annotations

import math
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from curvewise.breakdown.group_gaps import difference_ends
from curvewise.errors import UndefinedMetricError, note
from curvewise.inference.comparison import Comparison, Pair, holm
from curvewise.inference.interval import rate_of
from curvewise.results.estimate import Estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from curvewise.breakdown.group_metrics import Groups
    from curvewise.core.registry import Bound

    Floats = NDArray[np.float64]
    Places = NDArray[np.intp]

EXPECTED = 5  # fewer rows than this expected in a cell make a chi-square doubtful


def compare_groups(found: Groups, target: Bound, column: str) -> Comparison:
    """Compare the groups of a column in one metric."""
    groups, name = found.breakdowns[column], target.name
    places = [k for k, g in enumerate(groups) if g.estimates[name].has_interval]
    kept = [groups[k] for k in places]
    notes = [
        note("group_left_out", group=g.name, why=g.why(name))
        for g in groups
        if not g.estimates[name].has_interval
    ]
    if len(kept) < 2:
        raise UndefinedMetricError(
            f"A test of equal {name} needs two groups that define it, got {len(kept)} of {column}."
        )
    estimates = [g.estimates[name] for g in kept]
    value, low, high = (np.array([getattr(e, k) for e in estimates]) for k in ("value", "low", "high"))
    first, second = np.array(list(combinations(range(len(kept)), 2))).T
    together = found.correlation(name, column)[np.ix_(places, places)]
    ends = difference_ends(
        value[first],
        (low[first], high[first]),
        value[second],
        (low[second], high[second]),
        together[first, second],
    )
    method, z, chi, doubtful = _statistics(found, target, column, places, together, first, second)
    if doubtful:
        notes.append(note("few_expected", rows=EXPECTED))
    from scipy.special import chdtrc, ndtr  # noqa: PLC0415 - slow to load

    pairs = holm(
        [
            Pair(
                kept[i].name,
                kept[j].name,
                Estimate(f"difference of {name}", value[i] - value[j], lo, hi, found.level, "MOVER"),
                statistic,
                2 * float(ndtr(-abs(statistic))),
                math.nan,
            )
            for i, j, lo, hi, statistic in zip(
                first.tolist(), second.tolist(), *(v.tolist() for v in (*ends, z)), strict=True
            )
        ]
    )
    degrees = len(kept) - 1
    values = {g.name: float(v) for g, v in zip(kept, value, strict=True)}
    omnibus = (chi, float(degrees), float(chdtrc(degrees, chi)))
    return Comparison(name, method, values, pairs, omnibus, tuple(notes))


def p_equal(found: Groups, target: Bound, column: str) -> float:
    """Return the p-value of all groups being equal, NaN where a group does not define the metric."""
    groups = found.breakdowns[column]
    if len(groups) < 2 or not all(g.estimates[target.name].has_interval for g in groups):
        return math.nan
    from scipy.special import chdtrc  # noqa: PLC0415 - slow to load

    none = np.zeros(0, dtype=np.intp)
    together = found.correlation(target.name, column)
    try:
        chi = _statistics(found, target, column, range(len(groups)), together, none, none)[2]
    except UndefinedMetricError:
        return math.nan
    return float(chdtrc(len(groups) - 1, chi))


def _statistics(
    found: Groups,
    target: Bound,
    column: str,
    places: Sequence[int],
    together: Floats,
    first: Places,
    second: Places,
) -> tuple[str, Floats, float, bool]:
    """Return the method, z of the pairs, chi-square of all, and whether cells are too small for it."""
    groups, dealt = found.breakdowns[column], found.partitions[column]
    if target.metric.rate is not None and dealt.is_nested:
        counts = [
            target.rate(groups[k].sweep) if found.is_plain else _effective(found, target, column, k)
            for k in places
        ]
        return "chi-square", *_of_rates(np.array(counts, dtype=np.float64), first, second)
    estimates = [groups[k].estimates[target.name] for k in places]
    return "wald", *_of_errors(estimates, together, first, second, found.level), False


def _effective(found: Groups, target: Bound, column: str, which: int) -> tuple[float, float]:
    """Return the counts of as many independent rows as clustered or weighted ones are worth."""
    known = rate_of(target, found.partitions[column].rows_of(which), found.level)
    return known.value * known.trials, known.trials


def _of_rates(counts: Floats, first: Places, second: Places) -> tuple[Floats, float, bool]:
    """Return z of each pair and the chi-square of all, each around the rate of those compared.

    Counts of clustered or weighted rows are those of the independent rows that tell as much (Rao & Scott
    1992).
    """
    part, whole = counts.T
    pooled = (part[first] + part[second]) / (whole[first] + whole[second])
    error = np.sqrt(pooled * (1 - pooled) * (1 / whole[first] + 1 / whole[second]))
    away = part[first] / whole[first] - part[second] / whole[second]
    z = np.divide(away, error, out=np.zeros_like(away), where=error > 0)
    common = part.sum() / whole.sum()
    within = whole * common * (1 - common)
    chi = float(np.sum((part - whole * common) ** 2 / within)) if 0 < common < 1 else 0.0
    return z, chi, bool((whole * min(common, 1 - common)).min() < EXPECTED) and 0 < common < 1


def _of_errors(
    estimates: list[Estimate], together: Floats, first: Places, second: Places, level: float
) -> tuple[Floats, float]:
    """Return z of each pair and Cochran's Q; a standard error of 0 gives way to the interval's width."""
    reach = NormalDist().inv_cdf((1 + level) / 2)
    value = np.array([e.value for e in estimates])
    error = np.array([e.standard_error or (e.high - e.low) / (2 * reach) for e in estimates])
    if not (error > 0).all():
        if (value == value[0]).all():
            return np.zeros(len(first)), 0.0
        raise UndefinedMetricError("A test of equality needs standard errors above 0: a group has none.")
    covariance = together * np.outer(error, error)
    apart = value[first] - value[second]
    spread = np.sqrt(error[first] ** 2 + error[second] ** 2 - 2 * covariance[first, second])
    z = np.divide(apart, spread, out=np.zeros_like(apart), where=spread > 0)
    if (together == np.eye(len(value))).all():
        weight = 1 / error**2
        return z, float(np.sum(weight * (value - np.average(value, weights=weight)) ** 2))
    contrast = np.eye(len(value))[:-1] - np.eye(len(value))[1:]
    away, between = contrast @ value, contrast @ covariance @ contrast.T
    return z, float(away @ np.linalg.pinv(between) @ away)

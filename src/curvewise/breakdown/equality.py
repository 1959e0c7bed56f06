"""Tests that groups are equal: all at once, and every pair with Holm's correction."""

from __future__ import annotations

import math
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from curvewise.breakdown.gaps import difference_ends
from curvewise.errors import UndefinedMetricError
from curvewise.inference.comparison import Comparison, Pair, holm
from curvewise.results.estimate import Estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from curvewise.breakdown.breakdown import Group, Groups
    from curvewise.breakdown.measures import Measure

    Floats = NDArray[np.float64]

EXPECTED = 5  # fewer rows than this expected in a cell make a chi-square doubtful


def equality(found: Groups, measure: Measure, column: str) -> Comparison:
    """Compare the groups of a column, which are independent."""
    groups = found.breakdowns[column]
    kept = [g for g in groups if not (math.isnan(g.estimates[measure.name].low))]
    notes = [f"left out: {g.name} ({g.why(measure.name)})" for g in groups if g not in kept]
    if len(kept) < 2:
        raise UndefinedMetricError(
            f"A test of equal {measure.name} needs two groups that define it, got {len(kept)} of {column}."
        )
    estimates = [g.estimates[measure.name] for g in kept]
    value = np.array([e.value for e in estimates])
    low, high = np.array([e.low for e in estimates]), np.array([e.high for e in estimates])
    first, second = np.array(list(combinations(range(len(kept)), 2))).T
    ends = difference_ends(
        value[first], (low[first], high[first]), value[second], (low[second], high[second])
    )
    method, z, chi, doubtful = _statistics(measure, kept, first, second, found.level)
    if doubtful:
        notes.append(f"fewer than {EXPECTED} rows are expected in a cell: the p-values are approximate")
    from scipy.special import chdtrc, ndtr  # noqa: PLC0415 - slow to load

    pairs = holm(
        [
            Pair(
                kept[i].name,
                kept[j].name,
                Estimate(f"difference of {measure.name}", value[i] - value[j], lo, hi, found.level, "MOVER"),
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
    return Comparison(measure.name, method, values, pairs, omnibus, tuple(notes))


def p_equal(found: Groups, measure: Measure, column: str) -> float:
    """Return the p-value of all groups being equal, NaN where a group does not define the metric."""
    groups = found.breakdowns[column]
    if len(groups) < 2 or any(math.isnan(g.estimates[measure.name].low) for g in groups):
        return math.nan
    from scipy.special import chdtrc  # noqa: PLC0415 - slow to load

    no_pairs = np.zeros(0, dtype=np.intp)
    try:
        chi = _statistics(measure, groups, no_pairs, no_pairs, found.level)[2]
    except UndefinedMetricError:
        return math.nan
    return float(chdtrc(len(groups) - 1, chi))


def _statistics(
    measure: Measure,
    groups: Sequence[Group],
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    level: float,
) -> tuple[str, Floats, float, bool]:
    """Return the method, z of the pairs, chi-square of all, and whether cells are too small for it."""
    estimates = [g.estimates[measure.name] for g in groups]
    if measure.known.rate is not None and all(e.method == "wilson" for e in estimates):
        return "chi-square", *_of_rates(measure, groups, first, second)
    return "wald", *_of_errors(estimates, first, second, level), False


def _of_rates(
    measure: Measure, groups: Sequence[Group], first: NDArray[np.intp], second: NDArray[np.intp]
) -> tuple[Floats, float, bool]:
    """Return z of each pair and the chi-square of all, each around the rate of those compared."""
    rate = measure.known.rate
    assert rate is not None  # noqa: S101 - Wilson's interval is of rates alone
    part, whole = np.array([rate(g.sweep) for g in groups], dtype=np.float64).T
    pooled = (part[first] + part[second]) / (whole[first] + whole[second])
    error = np.sqrt(pooled * (1 - pooled) * (1 / whole[first] + 1 / whole[second]))
    away = part[first] / whole[first] - part[second] / whole[second]
    z = np.divide(away, error, out=np.zeros_like(away), where=error > 0)
    common = part.sum() / whole.sum()
    within = whole * common * (1 - common)
    chi = float(np.sum((part - whole * common) ** 2 / within)) if 0 < common < 1 else 0.0
    return z, chi, bool((whole * min(common, 1 - common)).min() < EXPECTED) and 0 < common < 1


def _of_errors(
    estimates: list[Estimate], first: NDArray[np.intp], second: NDArray[np.intp], level: float
) -> tuple[Floats, float]:
    """Return z of each pair and Cochran's Q; a standard error of 0 gives way to the interval's width."""
    reach = NormalDist().inv_cdf((1 + level) / 2)
    value = np.array([e.value for e in estimates])
    error = np.array([e.standard_error or (e.high - e.low) / (2 * reach) for e in estimates])
    if not (error > 0).all():
        if (value == value[0]).all():
            return np.zeros(len(first)), 0.0
        raise UndefinedMetricError("A test of equality needs standard errors above 0: a group has none.")
    z = (value[first] - value[second]) / np.hypot(error[first], error[second])
    weight = 1 / error**2
    return z, float(np.sum(weight * (value - np.average(value, weights=weight)) ** 2))

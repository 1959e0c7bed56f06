"""Intervals by formula of the measures of calibration: slope, intercept, in the large, O/E."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from curvewise.core.rate import rate_interval
from curvewise.core.registry import bound
from curvewise.core.sweep import sweep_of
from curvewise.errors import Note, UndefinedMetricError, note
from curvewise.inference.influence import influences
from curvewise.inference.limits import critical_value
from curvewise.metric.blocks import read_blocks
from curvewise.metric.calibration_error import ratio_of
from curvewise.metric.logistic import in_the_large_fit, slope_fit
from curvewise.results.estimate import Estimate, undefined

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.metric.blocks import Blocks
    from curvewise.metric.logistic import Fit
    from curvewise.rows.rows import Rows

# the coefficient of each fit
FITTED = {
    "calibration_in_the_large": (in_the_large_fit, 0),
    "calibration_slope": (slope_fit, 1),
    "calibration_intercept": (slope_fit, 0),
}
FORMULAS = (*FITTED, "observed_expected")


def formula_estimate(name: str, source: Sweep | Rows, level: float) -> Estimate:
    """Return a measure of `FORMULAS` with its interval, as `curvewise.calibration` has it.

    Undefined for rows that do not define it, with the reason.
    """
    sweep, blocks = read_blocks(source, None, {})
    try:
        if name not in FITTED:
            return ratio_estimate(sweep, blocks, level)
        fit, which = FITTED[name]
        return fit_estimate(name, fit(blocks), which, blocks, level)
    except UndefinedMetricError as error:
        return undefined(name, level, error.reason)


def fit_estimate(name: str, fit: Fit | Note, which: int, blocks: Blocks, level: float) -> Estimate:
    """Return one coefficient of a logistic fit with its Wald interval, or the reason why there is none."""
    if isinstance(fit, Note):
        return undefined(name, level, fit)
    value, error = float(fit.coefficients[which]), math.sqrt(fit.covariance[which, which])
    degrees = math.inf if fit.degrees is None else float(fit.degrees[which])
    away = math.nan if math.isnan(error) else critical_value(level, degrees) * error
    return _wald(name, value, (value - away, value + away), error, blocks, level)


def ratio_estimate(sweep: Sweep, blocks: Blocks, level: float) -> Estimate:
    """Return O/E with an interval on the log scale.

    From the variance of Σ(y - O/E·p) for independent rows that count alike, else by leaving out each cluster
    or weighted row. At a horizon, from the influence of all outcomes on the share observed and on the mean probability.
    """
    name, value = "observed_expected", ratio_of(sweep, blocks)
    expected = blocks.expected
    if blocks.horizon is not None and sweep.horizon is not None:
        expected = blocks.n * (sweep.horizon.mean_score or math.nan)
    if not value and blocks.squares is not None:
        high = rate_interval(0, blocks.rows("O/E"), level=level)[1] * blocks.n / expected
        return Estimate(name, value, 0.0, high, level, "wilson", notes=(note("no_positives"),))
    degrees: float
    if math.isinf(value):  # the probabilities sum to less than the least number whose reciprocal is one
        relative, degrees = math.nan, blocks.degrees
    elif blocks.horizon is not None:
        rows = blocks.horizon.rows
        spread = influences(bound(name), rows, sweep_of(rows)).spread()
        relative, degrees = spread.error / value, blocks.horizon.degrees
    elif blocks.is_plain:
        relative, degrees = math.sqrt(_variance(blocks, value)) / expected / value, blocks.degrees
    elif blocks.sampled is not None:
        predicted = value * blocks.p
        variance = blocks.scatter(1 - predicted[None], -predicted[None])[0, 0]
        relative, degrees = math.sqrt(variance) / expected / value, blocks.degrees
    else:
        relative, degrees = _log_jackknife(blocks, value)
    times = math.exp(critical_value(level, degrees) * relative) if math.isfinite(relative) else math.nan
    return _wald(name, value, (value / times, value * times), value * relative, blocks, level)


def _variance(blocks: Blocks, value: float) -> float:
    """Return Σ(y - O/E·p)² of independent rows that count alike."""

    def squares(here: slice) -> float:
        predicted = value * blocks.p[here]
        found = np.sum(blocks.negatives[here] * predicted * predicted)
        np.subtract(1, predicted, out=predicted)
        return float(found + np.sum(blocks.positives[here] * predicted * predicted))

    return float(blocks.summed(squares))


def _log_jackknife(blocks: Blocks, value: float) -> tuple[float, float]:
    """Return the standard error of log O/E and its degrees of freedom, from clusters or weighted rows left out."""
    p, cells, squares = blocks.p, blocks.clusters, blocks.squares
    right = np.clip(value * p, 0, 1)
    if cells is not None:
        rows, observed = np.ones(cells.number), cells.sums(cells.positives)
        expected = cells.sums(cells.weight * p[cells.place])
        degrees = cells.worth(np.sqrt(right * (1 - right))[None, cells.place], np.ones((1, 1)))
    elif squares is not None:
        weight, both = np.append(blocks.positives, blocks.negatives), np.append(squares[0], squares[1])
        on = weight > 0
        rows, each = weight[on] ** 2 / both[on], both[on] / weight[on]  # rows of typical weight
        observed, expected = each * np.repeat([1.0, 0.0], len(p))[on], each * np.tile(p, 2)[on]
        added = each**2 * np.tile(right * (1 - right), 2)[on]
        degrees = max(float((rows @ added) ** 2 / (rows @ added**2 or math.inf)) - 1, 1.0)
    else:
        return math.nan, math.nan
    number, total, predicted = float(rows.sum()), float(rows @ observed), float(rows @ expected)
    left = (total - observed) / total, (predicted - expected) / predicted
    if number < 2 or min(float(part.min()) for part in left) < 1e-9:  # one of them holds everything
        return math.nan, math.nan
    moved = np.log(left[0]) - np.log(left[1])
    return math.sqrt(float(rows @ moved**2) * (number - 1) / number), degrees


def _wald(name: str, value: float, ends: tuple[float, float], error: float, blocks: Blocks, level: float) -> Estimate:
    """Return the estimate, without its interval where nothing is known of it."""
    method = "wald" if blocks.is_plain else "robust-wald"
    found = Estimate(name, value, *ends, level, method, error)
    if found.has_interval:
        return found
    if blocks.clusters is None and blocks.squares is None:
        return found.without_interval(note("weights_forgotten"))
    one = blocks.clusters is not None and blocks.clusters.number == 1
    return found.without_interval(note("one_cluster" if one else "one_decides"))

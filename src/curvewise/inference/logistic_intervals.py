"""Intervals by formula of the measures of calibration: slope, intercept, in the large, O/E."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from curvewise.arrays import Floats
from curvewise.core.rate import rate_interval
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.errors import Note, UndefinedMetricError, note
from curvewise.inference.influence import influences
from curvewise.inference.pivots import EndsPivot, Pivot, Spread, WaldPivot
from curvewise.metric.blocks import Blocks, read_blocks
from curvewise.metric.calibration_error import ratio_of
from curvewise.metric.logistic import Fit, in_the_large_fit, slope_fit
from curvewise.metric.registry import bound
from curvewise.results.estimate import Estimate, undefined

if TYPE_CHECKING:
    from curvewise.rows.rows import Rows

# the coefficient of each fit
FITTED = {
    "calibration_in_the_large": (in_the_large_fit, 0),
    "calibration_slope": (slope_fit, 1),
    "calibration_intercept": (slope_fit, 0),
}
FORMULAS = (*FITTED, "observed_expected")
LEAST = 1e-9  # of what there is: without less, nothing is left to learn from


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


def formula_pivot(name: str, source: Sweep | Rows) -> Pivot:
    """Return a measure of `FORMULAS` with its uncertainty, for tests of any value."""
    sweep, blocks = read_blocks(source, None, {})
    if name not in FITTED:
        return _ratio_pivot(sweep, blocks)
    fit, which = FITTED[name]
    return _pivot_of_fit(fit(blocks), which)


def fit_estimate(name: str, fit: Fit | Note, which: int, blocks: Blocks, level: float) -> Estimate:
    """Return one coefficient of a logistic fit with its Wald interval, or the reason why there is none."""
    if isinstance(fit, Note):
        return undefined(name, level, fit)
    return _wald(name, _pivot_of_fit(fit, which), blocks, level)


def _pivot_of_fit(fit: Fit, which: int) -> WaldPivot:
    degrees = math.inf if fit.degrees is None else float(fit.degrees[which])
    return WaldPivot(float(fit.coefficients[which]), Spread(float(fit.covariance[which, which]), degrees))


def ratio_estimate(sweep: Sweep, blocks: Blocks, level: float) -> Estimate:
    """Return O/E with an interval on the log scale, or Wilson's where its logarithm has no error."""
    name, pivot = "observed_expected", _ratio_pivot(sweep, blocks)
    if isinstance(pivot, WaldPivot):
        return _wald(name, pivot, blocks, level)
    notes = () if pivot.value else (note("no_positives"),)
    return Estimate(name, pivot.value, *pivot.ends(level), level, "wilson", notes=notes)


def _ratio_pivot(sweep: Sweep, blocks: Blocks) -> WaldPivot | EndsPivot:
    """Return O/E with its uncertainty.

    By leaving out each row or cluster; within strata from the variance of Σ(y - O/E·p); at a horizon from the influence
    of all outcomes on the share observed and on the mean probability. Where one positive is all there is, or none,
    Wilson's for the share of positives, with the mean probability taken as known.
    """
    value, expected = ratio_of(sweep, blocks), blocks.expected
    if blocks.horizon is not None and sweep.horizon is not None:
        expected = blocks.n * (sweep.horizon.mean_score or math.nan)
    rows_alone = blocks.clusters is None and blocks.sampled is None and blocks.horizon is None
    if blocks.squares is not None and (not value or (rows_alone and _is_one(blocks))):
        trials = blocks.rows("O/E")

        def ends(level: float) -> tuple[float, float]:
            low, high = rate_interval(float(blocks.positives.sum()) / blocks.n * trials, trials, level=level)
            return low * blocks.n / expected, high * blocks.n / expected

        return EndsPivot(value, ends)
    degrees: float
    if math.isinf(value):  # the probabilities sum to less than the least number whose reciprocal is one
        relative, degrees = math.nan, blocks.degrees
    elif blocks.horizon is not None:
        rows = blocks.horizon.rows
        spread = influences(bound("observed_expected"), rows, sweep_of(rows)).spread()
        relative, degrees = spread.error / value, blocks.horizon.degrees
    elif blocks.sampled is not None:
        predicted = value * blocks.p
        variance = blocks.scatter(1 - predicted[None], -predicted[None])[0, 0]
        relative, degrees = math.sqrt(variance) / expected / value, blocks.degrees
    else:
        relative, degrees = _log_jackknife(blocks, value)
    return WaldPivot(value, Spread((value * relative) ** 2, degrees), "log")


def _is_one(blocks: Blocks) -> bool:
    """Whether all positives are one row."""
    assert blocks.squares is not None  # noqa: S101 - asked of rows
    weight, squares = float(blocks.positives.sum()), float(blocks.squares[0].sum())
    return weight**2 < (2 if blocks.whole else 1 + LEAST) * squares


def _log_jackknife(blocks: Blocks, value: float) -> tuple[float, float]:
    """Return the standard error of log O/E and its degrees of freedom, from clusters or rows left out."""
    total, predicted = float(blocks.positives.sum()), blocks.expected

    def sums(rows: Floats, observed: Floats, expected: Floats, added: Floats) -> Floats:
        """Sum over units: how many are alike, positives and mean of each, and the variance that it adds."""
        left = (total - observed) / total, (predicted - expected) / predicted
        moved = np.log(np.where(left[0] < LEAST, np.nan, left[0])) - np.log(np.where(left[1] < LEAST, np.nan, left[1]))
        return np.array([rows.sum(), rows @ moved**2, rows @ added, rows @ added**2])

    def of_rows(here: slice) -> Floats:
        assert squares is not None  # noqa: S101 - else there is nothing to sum
        weights, p = (blocks.positives[here], blocks.negatives[here]), blocks.p[here]
        right = np.minimum(value * p, 1)
        totals = np.zeros(4)
        for observed, weight, both in zip((1.0, 0.0), weights, squares, strict=True):
            on = weight > 0
            each = both[here][on] / weight[on]  # the weight of a typical row
            totals += sums(weight[on] / each, each * observed, each * p[on], each**2 * (right * (1 - right))[on])
        return totals

    cells, squares = blocks.clusters, blocks.squares
    if cells is not None:
        expected = cells.sums(cells.weight * blocks.p[cells.place])
        number, moved, *_ = sums(np.ones(cells.number), cells.sums(cells.positives), expected, expected)
        right = np.clip(value * blocks.p, 0, 1)
        degrees = cells.worth(np.sqrt(right * (1 - right))[None, cells.place], np.ones((1, 1)))
    elif squares is not None:
        number, moved, added, of_squares = blocks.summed(of_rows).tolist()
        degrees = max(added**2 / (of_squares or math.inf) - 1, 1.0)
    else:
        return math.nan, math.nan
    return math.sqrt(moved * (number - 1) / number) if number >= 2 else math.nan, degrees


def _wald(name: str, pivot: WaldPivot, blocks: Blocks, level: float) -> Estimate:
    """Return the estimate, without its interval where nothing is known of it."""
    ends = (math.nan, math.nan) if math.isnan(pivot.spread.variance) else pivot.ends(level)
    estimate = Estimate(name, pivot.value, *ends, level, "robust-wald", pivot.spread.error)
    if estimate.has_interval:
        return estimate
    if blocks.clusters is None and blocks.squares is None:
        return estimate.without_interval(note("weights_forgotten"))
    one = blocks.clusters is not None and blocks.clusters.number == 1
    return estimate.without_interval(note("one_cluster" if one else "one_decides"))

"""Which method a metric's interval has, and the pivot that makes both its interval and its tests."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from curvewise.core.probability import of_probabilities
from curvewise.core.rate import METHODS, RateMethod, RateOfRows, rate_interval, rate_of_cells
from curvewise.core.resampling import REPLICATES, Resampler, resampler
from curvewise.core.strata import Strata, strata_of
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.errors import CurvewiseError, OptionError, UndefinedMetricError
from curvewise.inference.delong import placements, spread_of_sweep
from curvewise.inference.influence import OBSERVED_EXPECTED, independent_sizes, spread_of
from curvewise.inference.jeffreys import jeffreys
from curvewise.inference.limits import BOOTSTRAPS
from curvewise.inference.logistic_intervals import FORMULAS, formula_pivot
from curvewise.inference.pivots import (
    LEAST_DEVIATE,
    EndsPivot,
    Pivot,
    RatePivot,
    ScorePivot,
    Spread,
    WaldPivot,
    deviate_of,
    expected_of_pairs,
    expected_of_share,
    log_t_tail,
)
from curvewise.inference.rate_at_rate import interval_at_fixed
from curvewise.metric.losses import why_infinite
from curvewise.rows.checks import one_of

if TYPE_CHECKING:
    from curvewise.core.registry import Bound
    from curvewise.rows.rows import Rows

AREAS = ("delong", "delong-wald", "hanley-mcneil")  # methods for the area under the ROC curve
WHOLE_AREAS = ("roc_auc", "gini")
# Mann-Whitney deviates between which the score test goes over into that of ranks. By simulation: where an AUC is 0.5
# and 20 positives of 400 rows are spread twice as widely, p < .05, .01, .001 in .043, .009, .0017 of 3,000 runs.
BY_RANKS = (3.0, 7.0)
PIVOTS = ("delong", "score", "beta", "wald", "log", "log-complement", "jeffreys")  # an interval and a test in one


@dataclass(frozen=True)
class Draws:
    """A number of each resample that defines it, and how many do not."""

    source: Resampler
    values: NDArray[np.float64]
    undefined: int


def needs_draws(target: Bound, method: str) -> bool:
    """Say whether rows are resampled: for quantiles, or for a variance that no derivative gives."""
    return method in BOOTSTRAPS or (method in PIVOTS and not target.metric.smooth)


def is_auc(target: Bound) -> bool:
    """Say whether a metric is the area under the ROC curve itself, and not a function of that name."""
    return target.name == "roc_auc" and target.metric.family == "ranking"


def has_pivot(target: Bound) -> bool:
    """Say whether the default interval of a metric comes with a test of any value."""
    ordered = target.options.get("ties", "block") != "block"  # of whole rows, which have no derivative
    return (target.metric.interval in PIVOTS or target.metric.rate is not None) and not ordered


def method_for(asked: str | None, target: Bound, rows: Rows | None, sweep: Sweep) -> str:
    """Choose the method of an interval, or refuse the one that was asked for."""
    best = target.metric.interval
    own: tuple[str, ...] = (best,)
    if target.metric.rate is not None:
        own = METHODS
    elif is_auc(target):
        own = AREAS
    one_of("method", asked, (None, *dict.fromkeys((*own, "bootstrap", *BOOTSTRAPS))))
    if rows is None and not sweep.is_whole:
        raise CurvewiseError(
            "A sweep with weighted or fractional counts has no interval of its own: pass labels, scores and weights."
        )
    drawn = asked is not None and asked != best
    if rows is not None and rows.censored is not None and drawn and target.name == OBSERVED_EXPECTED:
        raise OptionError.of("method", "O/E at a horizon has one method, the influence of all rows; leave it out.")
    if asked == "bootstrap":
        return best if best in BOOTSTRAPS else "percentile"
    chosen = asked or best
    if chosen in ("hanley-mcneil", "bca") and not (rows is None or rows.is_plain):
        raise OptionError.of(
            "method", f"{chosen!r} takes rows that are independent and count alike, without strata; use 'percentile'."
        )
    if chosen == "score" and asked is None and target.options.get("ties", "block") != "block":
        return "percentile"  # whole rows are put in order: no derivative
    return chosen


def default_pivot(target: Bound, rows: Rows, rng: np.random.Generator | int | None = 0, replicates: int = 0) -> Pivot:
    """Return what gives a number its default interval, and its tests."""
    sweep = sweep_of(rows)
    method, value = method_for(None, target, rows, sweep), value_of(target, sweep)
    count = replicates or REPLICATES
    drawn = draws_of(target, rows, sweep, rng, count) if needs_draws(target, method) else None
    return pivot_of(target, value, method, rows, sweep, drawn)


def draws_of(
    target: Bound,
    rows: Rows | None,
    sweep: Sweep,
    rng: np.random.Generator | int | None,
    replicates: int,
    stratified: bool | None = None,
) -> Draws:
    """Resample rows, and read the number from each resample."""
    keep = target.stratified if stratified is None else stratified
    drawn_from = resampler(rows, sweep, stratified=keep, threshold=target.threshold)
    return Draws(drawn_from, *drawn_from.replicate(target.statistic, replicates, rng))


def value_of(target: Bound, sweep: Sweep) -> float:
    """Return the value; one that the rows do not define, or an infinite loss, has no interval."""
    value = target(sweep)
    if math.isinf(value) and target.metric.unit == "loss":
        why = why_infinite(of_probabilities(sweep))
        raise UndefinedMetricError("{why}, so it has no interval; pass clip= to bound it.", why=why)
    return value


def pivot_of(
    target: Bound,
    value: float,
    method: str,
    rows: Rows | None,
    sweep: Sweep,
    drawn: Draws | None = None,
) -> Pivot:
    """Return what gives a number both its interval and its tests."""
    if method in METHODS:
        return _rate_pivot(target, value, cast("RateMethod", method), rows, sweep)
    source = sweep if rows is None else rows
    if method == "beta":
        return EndsPivot(value, lambda level: interval_at_fixed(target, source, level))
    if target.name in FORMULAS and method == "wald":
        return formula_pivot(target.name, source)
    if method == "jeffreys":
        return jeffreys(target, value, rows, sweep)
    sizes = independent_sizes(rows, sweep)
    if drawn is not None:
        variance = float(np.var(drawn.values, ddof=1)) if len(drawn.values) > 1 else 0.0
        spread = Spread(*corrected(variance, min(sizes), None if rows is None else strata_of(rows)))
    elif method == "delong":
        spread = auc_spread(method, value, rows, sweep)
        low, high = target.bounds
        spread = spread.times(high - low)
    else:
        spread = spread_of(target, rows, sweep)
    if target.metric.expected is not None and (rows is None or rows.censored is None):
        rows_there = sum(independent_sizes(rows, sweep, clusters=False))
        spread = spread.no_less_than(target.metric.expected(sweep, **target.options) / rows_there)
    unseen = target.metric.unseen
    unseen = unseen(**target.options) if callable(unseen) else unseen
    if method in ("wald", "log", "log-complement"):
        wald = WaldPivot(value, spread, cast("Any", "plain" if method == "wald" else method))
        if unseen is None or (rows is not None and rows.censored is not None) or not 0 < sweep.prevalence < 1:
            return wald
        return replace(wald, better=_with_unseen(target, unseen, rows, sweep, wald.spread))
    low, high = target.bounds
    if spread.of_rows is not None and spread.of_rows.variance > 0:  # clusters come in by their design effect
        sizes = independent_sizes(rows, sweep, clusters=False)
    of = target.metric.trials
    if of == "pairs":
        ranks = _test_of_ranks(target, value, rows, sweep)
        pairs = sizes[0] * sizes[1]
        return ScorePivot(value, spread, expected_of_pairs(*sizes), pairs, min(sizes), low, high, *ranks)
    rows_of = {"positives": sizes[0], "negatives": sizes[1], "smaller": min(sizes)}
    trials = of(*sizes, **target.options) if callable(of) else rows_of[of]
    pivot = ScorePivot(value, spread, expected_of_share(trials), trials, trials, low, high)
    return pivot if unseen is None else replace(pivot, worse=_with_unseen(target, unseen, rows, sweep, spread))


def _with_unseen(
    target: Bound, unseen: tuple[str, float], rows: Rows | None, sweep: Sweep, spread: Spread
) -> float | None:
    """Return the number with a part of a row more than were drawn; None where no row of that class was."""
    (which, part), (positives, negatives) = unseen, independent_sizes(rows, sweep, clusters=False)
    alike = negatives if which == "negative" else positives
    return target.value(_with_more(sweep, which, part * spread.effect / alike)) if alike > 0 else None


def _with_more(sweep: Sweep, which: str, share: float) -> Sweep:
    """Return the sweep with a share more of negatives above all scores, of positives below all, or at the highest."""
    tp, fp = (c.astype(np.float64) for c in (sweep.tp, sweep.fp))
    if which == "hit":
        return sweep.with_cumulated(sweep.threshold, tp + share * tp[-1], fp)
    above = math.inf if sweep.higher_is == "positive" else -math.inf
    if which == "negative":
        threshold = np.append(above, sweep.threshold)
        return sweep.with_cumulated(threshold, np.append(0, tp), np.append(0, fp) + share * fp[-1])
    threshold = np.append(sweep.threshold, -above)
    return sweep.with_cumulated(threshold, np.append(tp, tp[-1] * (1 + share)), np.append(fp, fp[-1]))


def _test_of_ranks(
    target: Bound, value: float, rows: Rows | None, sweep: Sweep
) -> tuple[float, Callable[[float], float]] | tuple[()]:
    """Return chance, and how far from it the test of an area goes over into the test of ranks.

    Near chance rows say how much the area varies, and the score test holds. What they say near an end of the range is
    little known of chance: there it is Mann and Whitney's normal deviate, whose variance is known, and, of few rows
    whose classes are separated, the number of orders.
    """
    chance, separated = target.metric.chance, value in target.bounds
    whole = target.name in WHOLE_AREAS
    if not (isinstance(chance, float) and (whole or separated) and (rows is None or rows.is_plain)):
        return ()
    m, n = int(sweep.positives), int(sweep.known_negatives("A test of ranks"))

    def log_tail(tail: float) -> float:
        deviate = _rank_deviate(m, n, np.diff(sweep.tp) + np.diff(sweep.fp)) if whole else 0.0
        least, most = target.bounds
        deviate *= abs(2 * (value - least) / (most - least) - 1)
        if separated and deviate < BY_RANKS[1]:
            return math.lgamma(m + 1) + math.lgamma(n + 1) - math.lgamma(m + n + 1)  # of all orders, one
        by_score, (near, far) = deviate_of(tail), BY_RANKS
        share = float(np.clip((deviate - near) / (far - near), 0, 1) * np.clip(by_score - LEAST_DEVIATE, 0, 1))
        return log_t_tail(by_score + share * (deviate - by_score)) if share else tail

    return chance, log_tail


def _rank_deviate(positives: int, negatives: int, blocks: NDArray[np.int64]) -> float:
    """Return Mann and Whitney's normal deviate of separated classes, given how many rows each score has."""
    rows, sizes = positives + negatives, blocks.astype(np.float64)
    ties = float(np.sum(sizes**3 - sizes)) / (rows * (rows - 1))
    return math.sqrt(3 * positives * negatives / (rows + 1 - ties)) if rows + 1 > ties else 0.0


def corrected(variance: float, smaller: float, strata: Strata | None) -> tuple[float, float]:
    """Return the variance of resamples and its degrees of freedom.

    It has the factor that few rows of a class, or few units of a stratum, take from it.
    """
    factor, degrees = smaller / (smaller - 1) if smaller > 1 else 1.0, max(smaller - 1, 1.0)
    if strata is not None:
        factor, degrees = max(factor, strata.units / strata.degrees), min(degrees, strata.degrees)
    return variance * factor, degrees if variance else 1.0


def _rate_pivot(target: Bound, value: float, method: RateMethod, rows: Rows | None, sweep: Sweep) -> EndsPivot:
    """Return a plain proportion with its interval; of rows that are not plain, of as many as they are worth."""
    if rows is None or rows.is_plain:
        of = target.rate(sweep) or (0.0, 0.0)

        def ends(level: float) -> tuple[float, float]:
            return rate_interval(*of, level=level, method=method)

        return RatePivot(value, ends, of[1]) if method == "wilson" else EndsPivot(value, ends)

    def of_units(level: float) -> tuple[float, float]:
        trials = rate_of(target, rows, level).trials
        if math.isnan(trials):
            return math.nan, math.nan
        return rate_interval(value * trials, trials, level=level, method=method)

    return EndsPivot(value, of_units)


def auc_spread(method: str, value: float, rows: Rows | None, sweep: Sweep) -> Spread:
    """Return the variance of the area under the ROC curve."""
    if method == "hanley-mcneil":
        p, n = sweep.positives, sweep.known_negatives("The variance of an AUC")
        q1, q2 = value / (2 - value), 2 * value**2 / (1 + value)
        variance = (value * (1 - value) + (p - 1) * (q1 - value**2) + (n - 1) * (q2 - value**2)) / (p * n)
        return Spread(variance, math.inf)
    return spread_of_sweep(sweep) if rows is None or rows.is_plain else placements(rows).spread()


def rate_of(target: Bound, rows: Rows, level: float) -> RateOfRows:
    """Return a plain proportion at a threshold with what clustered or weighted rows tell of it."""
    assert target.metric.rate is not None  # noqa: S101 - only proportions come here
    return rate_of_cells(rows, target.options["threshold"], *target.metric.rate, level=level)

"""The interval of any number read from a sweep."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from curvewise.core.probability import of_probabilities
from curvewise.core.rate import METHODS, rate_interval, rate_of_cells
from curvewise.core.registry import find
from curvewise.core.resampling import BINS, REPLICATES, merged_blocks, resampler, units
from curvewise.core.strata import strata_of
from curvewise.core.sweep import Sweep, as_source, sweep_of
from curvewise.errors import CurvewiseError, Note, OptionError, UndefinedMetricError, note
from curvewise.inference.delong import placements, spread_of_sweep
from curvewise.inference.influence import independent_sizes, lonely_notes, spread_of
from curvewise.inference.jeffreys import jeffreys
from curvewise.inference.limits import BOOTSTRAPS, from_replicates, wald
from curvewise.inference.logistic_intervals import FORMULAS, formula_estimate
from curvewise.inference.pivots import (
    EndsPivot,
    Pivot,
    ScorePivot,
    Spread,
    WaldPivot,
    expected_of_pairs,
    expected_of_share,
)
from curvewise.inference.rate_at_rate import interval_at_fixed
from curvewise.metric.losses import why_infinite
from curvewise.results.estimate import Estimate
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.rows import RowOptions, Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from curvewise.core.rate import RateMethod, RateOfRows
    from curvewise.core.registry import Bound
    from curvewise.core.resampling import Resampler
    from curvewise.core.strata import Strata

FEW = 10  # rows of a class below which any interval is unreliable
FEW_CLUSTERS = 20  # clusters below which their variance is known badly
AREAS = ("delong", "delong-wald", "hanley-mcneil")  # methods for the area under the ROC curve
PIVOTS = ("delong", "score", "beta", "wald", "log", "log-complement", "jeffreys")  # an interval and a test in one


def interval(
    metric: str | Callable[[Sweep], float],
    y: object,
    score: object = None,
    *,
    level: float = 0.95,
    method: str | None = None,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    stratified: bool | None = None,
    **options: Any,
) -> Estimate:
    """Return a metric with its confidence interval.

    Parameters
    ----------
    metric
        The name of any metric that `curvewise.metrics` lists, or one of its aliases; or any function of a
        `Sweep`.
    y, score
        A `Sweep` or `Rows` alone, or labels and scores.
    level
        The confidence level, strictly between 0 and 1.
    method
        By default the best for the metric, which `curvewise.metrics` names. AUC: ``"delong"`` (a score interval
        with DeLong's variance), ``"delong-wald"`` (pROC's, cut to [0, 1]) or ``"hanley-mcneil"``. Other areas and
        shares: ``"score"``. Rates at a threshold: ``"wilson"`` or ``"clopper-pearson"``; what else the four counts
        define: ``"jeffreys"``. Losses and ratios: ``"log"``. Anything: ``"percentile"``, ``"basic"``, ``"bca"``,
        all by bootstrap; ``"bootstrap"`` picks among them for the metric.
    rng
        A seed or a NumPy generator for the bootstrap, 0 by default: the same call gives the same interval,
        for any number of threads. None draws a fresh seed.
    replicates
        How many bootstrap resamples.
    stratified
        Whether the bootstrap keeps the number of positives and negatives. By default it does for what
        does not depend on prevalence. Clusters are never stratified. Rows with ``stratum=`` are drawn within
        their strata, and this is refused.
    **options
        Options of the metric (``fpr=``, ``scale=``, ``ties=``, ``threshold=`` …) and of `curvewise.sweep`
        (``weight=``, ``cluster=``, ``stratum=``, ``positive=`` …). With clusters, AUC has Obuchowski's variance,
        a number at a threshold the interval of as many independent rows as the clusters are worth, and everything
        else the variance between whole clusters, with t quantiles. With strata, every variance compares rows, or
        clusters, within strata, with at most as many degrees of freedom as there are of these, less the strata.

    Notes
    -----
    The interval speaks of new rows of the same kind. It does not repair rows that the model was fitted
    on, nor a threshold that was chosen on these rows.

    The acceleration of ``"bca"`` is that of leaving out each row in turn, within each class where classes are
    resampled apart; more than 2048 distinct scores are put together in bins first.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988) Biometrics 44:837-845. Obuchowski (1997) Biometrics
    53:567-578. Hanley & McNeil (1982) Radiology 143:29-36. Efron (1987) J. Am. Stat. Assoc. 82:171-185.

    Examples
    --------
    >>> import curvewise as cw
    >>> s = cw.Sweep.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
    >>> cw.interval("roc_auc", s)
    roc_auc 0.8932, 95 % interval 0.8023 to 0.9398 (delong)
      note: many ties: 5 distinct scores in 109 rows
    """
    reading, own = split_options(options)
    target = find(metric).bind(own, verb=("level", "method", "rng", "replicates", "stratified"))
    source = scored(as_source(y, score, reading))
    asked: Any = {"level": level, "method": method, "rng": rng, "replicates": replicates}
    return interval_of(target, source, **asked, stratified=stratified)


def split_options(options: Mapping[str, Any]) -> tuple[RowOptions, dict[str, Any]]:
    """Part the options that say how rows are read from those of a metric."""
    reading = {k: v for k, v in options.items() if k in RowOptions.__annotations__}
    return cast("RowOptions", reading), {k: v for k, v in options.items() if k not in reading}


def scored(source: Sweep | Rows) -> Sweep | Rows:
    """Refuse a sweep that cannot be resampled because some of its positives have no score."""
    if isinstance(source, Sweep) and not source.all_scored:
        raise CurvewiseError("A sweep in which some positives have no score has no interval yet.")
    return source


def interval_of(
    target: Bound,
    source: Sweep | Rows,
    *,
    level: float = 0.95,
    method: str | None = None,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    stratified: bool | None = None,
) -> Estimate:
    """Return a metric of a sweep, or of rows, with its interval."""
    level = real("level", level, 0, 1, closed=False)
    replicates = whole("replicates", replicates, 2)
    rows, sweep = (None, source) if isinstance(source, Sweep) else (source, sweep_of(source))
    method = method_for(method, target, rows, sweep)
    value, drawn = _value(target, sweep), None
    if stratified is not None and rows is not None and rows.stratum is not None:
        raise OptionError.of("stratified", "rows with strata are drawn within these, not within classes; leave it out.")
    if needs_draws(target, method):
        drawn = _draws(target, rows, sweep, rng, replicates, stratified)
    return _estimate(target, value, method, level, rows, sweep, drawn, rng, replicates)


def _draws(
    target: Bound,
    rows: Rows | None,
    sweep: Sweep,
    rng: np.random.Generator | int | None,
    replicates: int,
    stratified: bool | None = None,
) -> Draws:
    keep = target.stratified if stratified is None else stratified
    drawn_from = resampler(rows, sweep, stratified=keep, threshold=target.threshold)
    return Draws(drawn_from, *drawn_from.replicate(target.statistic, replicates, rng))


def default_pivot(target: Bound, rows: Rows, rng: np.random.Generator | int | None = 0, replicates: int = 0) -> Pivot:
    """Return what gives a number its default interval, and its tests."""
    sweep = sweep_of(rows)
    method, value = method_for(None, target, rows, sweep), _value(target, sweep)
    count = replicates or REPLICATES
    drawn = _draws(target, rows, sweep, rng, count) if needs_draws(target, method) else None
    return pivot_of(target, value, method, rows, sweep, drawn, rng, count)


def has_pivot(target: Bound) -> bool:
    """Say whether the default interval of a metric comes with a test of any value."""
    ordered = target.options.get("ties", "block") != "block"  # of whole rows, which have no derivative
    return (target.metric.interval in PIVOTS or target.metric.rate is not None) and not ordered


@dataclass(frozen=True)
class Draws:
    """A number of each resample that defines it, and how many do not."""

    source: Resampler
    values: NDArray[np.float64]
    undefined: int


def needs_draws(target: Bound, method: str) -> bool:
    """Say whether rows are resampled: for quantiles, or for a variance that no derivative gives."""
    return method in BOOTSTRAPS or (method in PIVOTS and not target.metric.smooth)


def _estimate(
    target: Bound,
    value: float,
    method: str,
    level: float,
    rows: Rows | None,
    sweep: Sweep,
    drawn: Draws | None,
    rng: np.random.Generator | int | None,
    replicates: int,
) -> Estimate:
    """Return a number with its interval, the resamples of which have been read where it needs any."""
    notes = notes_on(target.name, sweep, value, rows)
    if drawn is not None and drawn.undefined:
        counts = {"failed": drawn.undefined, "replicates": len(drawn.values) + drawn.undefined}
        notes += (note("resamples_undefined", **counts),)
    if drawn is not None and method in BOOTSTRAPS and rows is not None:
        notes += small_strata(strata_of(rows))
    if method in BOOTSTRAPS:
        assert drawn is not None  # noqa: S101 - drawn for every bootstrap
        return _from_draws(target, value, method, level, drawn, notes)
    if method == "none":
        return value_alone(target.name, value, level, note(target.metric.why_none), notes)
    if method in METHODS:
        ends = _rate_ends(target, value, method, rows, sweep)(level)
        if math.isnan(ends[0]):
            return value_alone(target.name, value, level, note("one_cluster"), notes)
        return Estimate(target.name, value, *ends, level, method, notes=notes)
    if method in ("delong-wald", "hanley-mcneil"):
        error = _spread(method, value, rows, sweep).error
        return Estimate(target.name, value, *wald(value, error, level), level, method, error, notes=notes)
    if target.name in FORMULAS and method == "wald":
        by_fit = formula_estimate(target.name, sweep if rows is None else rows, level)
        return replace(by_fit, notes=(*by_fit.notes, *notes))
    if method == "beta":
        low, high = interval_at_fixed(target, sweep if rows is None else rows, level)
        if math.isnan(low):
            return value_alone(target.name, value, level, note("one_cluster"), notes)
        return Estimate(target.name, value, low, high, level, method, notes=notes)
    how = None if drawn is None and method != "jeffreys" else replicates if drawn is None else len(drawn.values)
    pivot = pivot_of(target, value, method, rows, sweep, drawn, rng, replicates)
    if isinstance(pivot, WaldPivot) and pivot.is_degenerate:
        return value_alone(target.name, value, level, note("no_variance"), notes)
    low, high = pivot.ends(level)
    least, most = target.bounds
    spread = getattr(pivot, "spread", None)
    ends = max(low, least), min(high, most)
    return Estimate(target.name, value, *ends, level, method, None if spread is None else spread.error, how, notes)


def pivot_of(
    target: Bound,
    value: float,
    method: str,
    rows: Rows | None,
    sweep: Sweep,
    drawn: Draws | None = None,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
) -> Pivot:
    """Return what gives a number both its interval and its tests."""
    if method in METHODS:
        return EndsPivot(value, _rate_ends(target, value, method, rows, sweep))
    source = sweep if rows is None else rows
    if method == "beta":
        return EndsPivot(value, lambda level: interval_at_fixed(target, source, level))
    if target.name in FORMULAS and method == "wald":

        def ends(level: float) -> tuple[float, float]:
            found = formula_estimate(target.name, source, level)
            return found.low, found.high

        return EndsPivot(value, ends)
    if method == "jeffreys":
        return jeffreys(target, value, rows, sweep, rng, replicates)
    sizes = independent_sizes(rows, sweep)
    if drawn is not None:
        variance = float(np.var(drawn.values, ddof=1)) if len(drawn.values) > 1 else 0.0
        spread = Spread(*corrected(variance, min(sizes), None if rows is None else strata_of(rows)))
    elif method == "delong":
        spread = _spread(method, value, rows, sweep)
        low, high = target.bounds
        spread = spread.times(high - low)
    else:
        spread = spread_of(target, rows, sweep)
    if method in ("wald", "log", "log-complement"):
        return WaldPivot(value, spread, cast("Any", "plain" if method == "wald" else method))
    low, high = target.bounds
    if spread.of_rows is not None and spread.of_rows.variance > 0:  # clusters come in by their design effect
        sizes = independent_sizes(rows, sweep, clusters=False)
    of = target.metric.trials
    if of == "pairs":
        exact = _exact_at_separation(target, value, rows, sweep)
        pairs = sizes[0] * sizes[1]
        return ScorePivot(value, spread, expected_of_pairs(*sizes), pairs, min(sizes), low, high, *exact)
    rows_of = {"positives": sizes[0], "negatives": sizes[1], "smaller": min(sizes)}
    trials = of(*sizes, **target.options) if callable(of) else rows_of[of]
    return ScorePivot(value, spread, expected_of_share(trials), trials, trials, low, high)


def _exact_at_separation(
    target: Bound, value: float, rows: Rows | None, sweep: Sweep
) -> tuple[float, float] | tuple[()]:
    """Return chance, and the exact p-value that ranks have for it if classes are separated perfectly."""
    chance = target.metric.chance
    if value not in target.bounds or not isinstance(chance, float) or not (rows is None or rows.is_plain):
        return ()
    m, n = int(sweep.positives), int(sweep.known_negatives("An exact test"))
    orders = math.lgamma(m + n + 1) - math.lgamma(m + 1) - math.lgamma(n + 1)  # of both classes, all alike by chance
    return chance, min(1.0, 2 * math.exp(-orders))


def corrected(variance: float, smaller: float, strata: Strata | None) -> tuple[float, float]:
    """Return the variance of resamples and its degrees of freedom.

    It has the factor that few rows of a class, or few units of a stratum, take from it.
    """
    factor, degrees = smaller / (smaller - 1) if smaller > 1 else 1.0, max(smaller - 1, 1.0)
    if strata is not None:
        factor, degrees = max(factor, strata.units / strata.degrees), min(degrees, strata.degrees)
    return variance * factor, degrees if variance else 1.0


def small_strata(strata: Strata | None) -> tuple[Note, ...]:
    """Say that resamples vary too little where strata have few units: by one part in as many as each has."""
    if strata is None or strata.units >= FEW * strata.number:
        return ()
    return (note("small_strata", units=strata.units / strata.number),)


def _rate_ends(
    target: Bound, value: float, method: str, rows: Rows | None, sweep: Sweep
) -> Callable[[float], tuple[float, float]]:
    """Return the interval of a plain proportion as a function of the level."""

    def ends(level: float) -> tuple[float, float]:
        part, trials = target.rate(sweep) or (0.0, 0.0)
        if rows is not None and not rows.is_plain:  # as many independent rows as they are worth
            trials = rate_of(target, rows, level).trials
            part = value * trials
        if math.isnan(trials):
            return math.nan, math.nan
        return rate_interval(part, trials, level=level, method=cast("RateMethod", method))

    return ends


def intervals_of(
    targets: Iterable[Bound],
    source: Sweep | Rows,
    *,
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
) -> dict[str, Estimate]:
    """Return metrics with intervals, by name; what is undefined has NaN and the reason.

    Metrics that are resampled alike are read from the same resamples, drawn once. With the same seed each is
    what `interval_of` gives for it.
    """
    rows, sweep = (None, source) if isinstance(source, Sweep) else (source, sweep_of(source))
    found: dict[str, Estimate] = {}
    alike: dict[tuple[bool, float | None], list[tuple[Bound, float, str]]] = {}
    targets = list(targets)

    def finish(target: Bound, value: float, method: str, drawn: Draws | None) -> None:
        try:
            found[target.name] = _estimate(target, value, method, level, rows, sweep, drawn, rng, replicates)
        except UndefinedMetricError as error:
            found[target.name] = undefined_estimate(target, sweep, level, error)

    for target in targets:
        try:
            value, method = _value(target, sweep), method_for(None, target, rows, sweep)
        except UndefinedMetricError as error:
            found[target.name] = undefined_estimate(target, sweep, level, error)
            continue
        if needs_draws(target, method):
            alike.setdefault((target.stratified, target.threshold), []).append((target, value, method))
        else:
            finish(target, value, method, None)
    for (stratified, threshold), some in alike.items():
        drawn_from = resampler(rows, sweep, stratified=stratified, threshold=threshold)
        drawn, failed = _drawn_together(drawn_from, [target for target, _, _ in some], replicates, rng)
        for (target, value, method), own in zip(some, drawn.T, strict=True):
            defined = own[~np.isnan(own)]
            if len(defined):
                finish(target, value, method, Draws(drawn_from, defined, failed + len(own) - len(defined)))
            else:
                why = note("no_resample_defines", replicates=replicates)
                notes = notes_on(target.name, sweep, value, rows)
                found[target.name] = value_alone(target.name, value, level, why, notes)
    return {target.name: found[target.name] for target in targets}


def estimate_of(target: Bound, source: Sweep | Rows, **how: Any) -> Estimate:
    """Return a metric with its interval; where one of them is undefined, NaN with the reason."""
    return intervals_of([target], source, **how)[target.name]


def undefined_estimate(target: Bound, sweep: Sweep, level: float, error: UndefinedMetricError) -> Estimate:
    """Return what is known of a metric without an interval: its value if it has one, and the reason."""
    return value_alone(target.name, _or_nan(target, sweep), level, error.reason)


def value_alone(name: str, value: float, level: float, reason: Note | None, notes: tuple[Note, ...] = ()) -> Estimate:
    """Return a value without an interval, and why it has none."""
    return Estimate(name, value, math.nan, math.nan, level, None, notes=notes, reason=reason)


def _value(target: Bound, sweep: Sweep) -> float:
    """Return the value; one that the rows do not define, or an infinite loss, has no interval."""
    value = target(sweep)
    if math.isinf(value) and target.metric.unit == "loss":
        raise UndefinedMetricError(
            f"{why_infinite(of_probabilities(sweep))}, so it has no interval; pass clip= to bound it."
        )
    return value


def independent(rows: Rows | None, sweep: Sweep) -> tuple[float, float]:
    """Count what is independent among positives and negatives: clusters, or rows whatever their weight."""
    if rows is None or rows.are_units:
        return sweep.positives, sweep.known_negatives("An interval")
    each = units(rows)
    return len(np.unique(each[rows.positive])), len(np.unique(each[~rows.positive]))


def smaller_class(rows: Rows | None, sweep: Sweep) -> float:
    """Count what is independent in the smaller class."""
    return min(independent(rows, sweep))


def rate_of(target: Bound, rows: Rows, level: float) -> RateOfRows:
    """Return a plain proportion at a threshold with what clustered or weighted rows tell of it."""
    assert target.metric.rate is not None  # noqa: S101 - only proportions come here
    return rate_of_cells(rows, target.options["threshold"], *target.metric.rate, level=level)


def is_auc(target: Bound) -> bool:
    """Say whether a metric is the area under the ROC curve itself, and not a function of that name."""
    return target.name == "roc_auc" and target.metric.family == "ranking"


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


def _spread(method: str, value: float, rows: Rows | None, sweep: Sweep) -> Spread:
    """Return the variance of the area under the ROC curve."""
    if method == "hanley-mcneil":
        p, n = sweep.positives, sweep.known_negatives("The variance of an AUC")
        q1, q2 = value / (2 - value), 2 * value**2 / (1 + value)
        variance = (value * (1 - value) + (p - 1) * (q1 - value**2) + (n - 1) * (q2 - value**2)) / (p * n)
        return Spread(variance, math.inf)
    return spread_of_sweep(sweep) if rows is None or rows.is_plain else placements(rows).spread()


def _drawn_together(
    drawn_from: Resampler, targets: list[Bound], replicates: int, rng: np.random.Generator | int | None
) -> tuple[NDArray[np.float64], int]:
    """Return metrics of the same resamples, one column each and NaN where undefined, and how many failed."""

    def read(sweep: Sweep) -> NDArray[np.float64]:
        return np.array([_or_nan(target, sweep) for target in targets])

    try:  # alone, a statistic may have a quicker way
        statistic: Any = targets[0].statistic if len(targets) == 1 else read
        drawn, failed = drawn_from.replicate(statistic, replicates, rng)
        return drawn.reshape(len(drawn), -1), failed
    except UndefinedMetricError:
        return np.full((1, len(targets)), math.nan), replicates


def _or_nan(target: Bound, sweep: Sweep) -> float:
    try:
        return float(target.statistic(sweep))
    except UndefinedMetricError:
        return math.nan


def _from_draws(
    target: Bound, value: float, method: str, level: float, drawn: Draws, notes: tuple[Note, ...]
) -> Estimate:
    """Return the estimate of a statistic whose interval is made of quantiles of resamples."""
    source, values = drawn.source, drawn.values
    if source.binned:
        away = value - float(target.statistic(source.like))
        values = values + away
        notes += (note("binned", bins=len(source.like.threshold), moved=abs(away)),)
    low, high = from_replicates(method, value, values, level, lambda: _left_out(target, source.like))
    # a reflected quantile may leave the range that the metric cannot leave
    least, most = target.bounds
    low, high = max(low, least), min(high, most)
    if values.min() == values.max():
        notes += (note("all_resamples_equal"),)
    if target.metric.interval == "none":
        notes += (note("biased_resamples", metric=target.name),)
    some = len(values) > 1 and bool(np.isfinite(values).all())
    error = float(np.std(values, ddof=1)) if some else None
    return Estimate(target.name, value, low, high, level, method, error, len(values), notes)


def _left_out(target: Bound, sweep: Sweep) -> NDArray[np.float64]:
    """Return the statistic without each row, for the acceleration of BCa.

    Rows of one class in one block are alike, so one evaluation serves them all; more than 2048 blocks are put
    together as for resamples. Where classes are resampled apart, each class is centred on its own mean and
    weighed by (m - 1)/m, as for two samples (Davison & Hinkley 1997, eq. 5.23).
    """
    sweep, _ = merged_blocks(sweep, BINS)
    counts, parts = (sweep.block_positives, sweep.block_negatives), []
    for which, own in enumerate(counts):
        found = []
        for k in np.flatnonzero(own):
            fewer = [c.copy() for c in counts]
            fewer[which][k] -= 1
            found.append(float(target.statistic(sweep.with_counts(*fewer))))
        each = np.repeat(found, own[own > 0])
        parts.append((each - each.mean()) * (1 - 1 / len(each)) if target.stratified and len(each) else each)
    return np.concatenate(parts)


def notes_on(name: str, sweep: Sweep, value: float, rows: Rows | None = None) -> tuple[Note, ...]:
    """Say what a careful reader should know of a number and its rows."""
    notes = []
    p, n = sweep.positives, sweep.known_negatives("An interval")
    if rows is not None and rows.cluster is not None:
        clusters = len(np.unique(rows.cluster))
        if clusters < FEW_CLUSTERS:
            notes.append(note("few_clusters", clusters=clusters))
    if rows is not None and (strata := strata_of(rows)) is not None:
        notes += lonely_notes(strata)
    if min(p, n) < FEW:
        notes.append(note("few_positives" if p <= n else "few_negatives", count=math.floor(min(p, n))))
    if name == "roc_auc" and value in (0, 1):
        notes.append(note("separated"))
    if sweep.is_whole and len(sweep.threshold) < sweep.n / 2:
        notes.append(note("many_ties", distinct=len(sweep.threshold), rows=sweep.n))
    return tuple(notes)

"""The interval of any number read from a sweep."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from curvewise.core.resampling import REPLICATES, Resampler, resampler, units
from curvewise.core.strata import strata_of
from curvewise.core.sweep import Sweep, as_source, sweep_of
from curvewise.errors import CurvewiseError, Note, OptionError, UndefinedMetricError, note
from curvewise.inference.influence import independent_sizes, lonely_notes
from curvewise.inference.methods import Case, Draws, Method, draws_of, method_for, value_of
from curvewise.metric.bounds import note_on_bins
from curvewise.metric.registry import Bound, find
from curvewise.metric.roc_auc import roc_auc
from curvewise.results.estimate import Estimate, value_alone
from curvewise.rows.checks import real, whole
from curvewise.rows.rows import RowOptions, Rows
from curvewise.rows.seeds import random_stream

FEW_IN_RANGE = 5  # rows of the class whose rate a range is of, below which its edge is hardly known
FEW = 10  # rows of a class below which any interval is unreliable
HEAVY = 0.1  # of the weight of a class in one row, above which what was not drawn may matter
CHANCE = 0.5  # of an AUC
FEW_CLUSTERS = 20  # clusters below which their variance is known badly


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
        A `Sweep`, `Rows` or a `Horizon` alone, or labels and scores.
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
        Whether a bootstrap keeps the number of positives and negatives; refused where nothing is
        resampled. By default it does for what
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
    roc_auc 0.8932, 95% interval 0.8023 to 0.9398 (score interval, DeLong's variance)
      note: many ties: 5 distinct scores in 109 rows
    """
    reading, metric_options = split_options(options)
    target = find(metric).bind(metric_options, verb=("level", "method", "rng", "replicates", "stratified"))
    source = scored(as_source(y, score, reading))
    how: Any = {"level": level, "method": method, "rng": rng, "replicates": replicates}
    return interval_of(target, source, **how, stratified=stratified)


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
    if type(rng) is not int or rng < 0:
        random_stream(rng)  # refuses what is no seed
    rows, sweep = (None, source) if isinstance(source, Sweep) else (source, sweep_of(source))
    chosen = method_for(method, target, rows, sweep)
    value, drawn = value_of(target, sweep), None
    if stratified is not None and rows is not None and rows.stratum is not None:
        raise OptionError.of("stratified", "rows with strata are drawn within these, not within classes; leave it out.")
    if stratified is not None and rows is not None and rows.censored is not None:
        why = "at a horizon whole rows are drawn, whose class by then may be unknown; leave it out."
        raise OptionError.of("stratified", why)
    if stratified is not None and not chosen.needs_draws(target):
        why = f"method={chosen.name!r} does not resample; leave it out, or pass method='percentile'."
        raise OptionError.of("stratified", why)
    if chosen.needs_draws(target):
        drawn = draws_of(target, rows, sweep, rng, replicates, stratified)
    return _estimate(Case(target, value, rows, sweep, drawn), chosen, level)


def _of_sweep(estimate: Estimate, target: Bound, sweep: Sweep) -> Estimate:
    """Return the estimate with its horizon, where outcomes are censored, and what bins of scores leave open."""
    if sweep.is_binned and estimate.is_defined:
        estimate = replace(estimate, notes=(*estimate.notes, *note_on_bins(target, sweep)))
    if (here := sweep.horizon) is None:
        return estimate
    return replace(estimate, horizon=here.at, notes=(here.counts, *estimate.notes))


def _estimate(case: Case, method: Method, level: float) -> Estimate:
    """Return a number with its interval, the resamples of which have been read where it needs any."""
    target, sweep, drawn = case.target, case.sweep, case.drawn
    notes = notes_on(target.name, sweep, case.value, case.rows) + _few_in_range(target, sweep, case.rows)
    if drawn is not None and drawn.undefined:
        counts = {"failed": drawn.undefined, "replicates": len(drawn.values) + drawn.undefined}
        notes += (note("resamples_undefined", **counts),)
    return _of_sweep(method.estimate(case, level, notes), target, sweep)


def _few_in_range(target: Bound, sweep: Sweep, rows: Rows | None) -> tuple[Note, ...]:
    """Say how few rows lie in the range of FPR, or of TPR, that an area is taken over."""
    for option, which in (("fpr", "negatives"), ("tpr", "positives")):
        range_ = target.options.get(option)
        if isinstance(range_, (tuple, list)):
            sizes = dict(zip(("positives", "negatives"), independent_sizes(rows, sweep, clusters=False), strict=True))
            width = float(range_[1]) - float(range_[0])
            if sizes[which] * width < FEW_IN_RANGE:
                needed = min(math.ceil(100 * FEW_IN_RANGE / sizes[which]) / 100, 1.0)
                return (note(f"few_{which}_in_range", count=sizes[which] * width, needed=needed),)
    return ()


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
    estimates: dict[str, Estimate] = {}
    alike: dict[tuple[bool, float | None], list[tuple[Case, Method]]] = {}
    targets = list(targets)

    def finish(case: Case, method: Method) -> None:
        try:
            estimates[case.target.name] = _estimate(case, method, level)
        except UndefinedMetricError as error:
            estimates[case.target.name] = undefined_estimate(case.target, sweep, level, error)

    for target in targets:
        try:
            case, method = Case(target, value_of(target, sweep), rows, sweep), method_for(None, target, rows, sweep)
        except UndefinedMetricError as error:
            estimates[target.name] = undefined_estimate(target, sweep, level, error)
            continue
        if method.needs_draws(target):
            alike.setdefault((target.stratified, target.threshold), []).append((case, method))
        else:
            finish(case, method)
    for (stratified, threshold), some in alike.items():
        drawn_from = resampler(rows, sweep, stratified=stratified, threshold=threshold)
        drawn, failed = _drawn_together(drawn_from, [case.target for case, _ in some], replicates, rng)
        for (case, method), values in zip(some, drawn.T, strict=True):
            defined, name = values[~np.isnan(values)], case.target.name
            if len(defined):
                undefined = failed + len(values) - len(defined)
                finish(replace(case, drawn=Draws(drawn_from, defined, undefined)), method)
            else:
                why = note("no_resample_defines", replicates=replicates)
                alone = value_alone(name, case.value, level, why, notes_on(name, sweep, case.value, rows))
                estimates[name] = _of_sweep(alone, case.target, sweep)
    return {target.name: estimates[target.name] for target in targets}


def estimate_of(target: Bound, source: Sweep | Rows, **how: Any) -> Estimate:
    """Return a metric with its interval; where one of them is undefined, NaN with the reason."""
    return intervals_of([target], source, **how)[target.name]


def undefined_estimate(target: Bound, sweep: Sweep, level: float, error: UndefinedMetricError) -> Estimate:
    """Return what is known of a metric without an interval: its value if it has one, and the reason."""
    return _of_sweep(value_alone(target.name, _or_nan(target, sweep), level, error.reason), target, sweep)


def independent(rows: Rows | None, sweep: Sweep) -> tuple[float, float]:
    """Count what is independent among positives and negatives: clusters, or rows whatever their weight."""
    if rows is None or rows.are_units:
        return sweep.positives, sweep.known_negatives("An interval")
    each = units(rows)
    return len(np.unique(each[rows.positive])), len(np.unique(each[~rows.positive]))


def smaller_class(rows: Rows | None, sweep: Sweep) -> float:
    """Count what is independent in the smaller class."""
    return min(independent(rows, sweep))


def _drawn_together(
    drawn_from: Resampler, targets: list[Bound], replicates: int, rng: np.random.Generator | int | None
) -> tuple[NDArray[np.float64], int]:
    """Return metrics of the same resamples, one column each and NaN where undefined, and how many failed."""

    def read(like: Sweep, *counts: NDArray[Any]) -> NDArray[np.float64]:
        resample = like.with_counts(*counts)
        return np.array([_or_nan(target, resample) for target in targets])

    try:  # alone, a metric may have a quicker way
        drawn, failed = drawn_from.replicate(targets[0].of_counts if len(targets) == 1 else read, replicates, rng)
        return drawn.reshape(len(drawn), -1), failed
    except UndefinedMetricError:
        return np.full((1, len(targets)), math.nan), replicates


def _or_nan(target: Bound, sweep: Sweep) -> float:
    try:
        return target.value(sweep)
    except UndefinedMetricError:
        return math.nan


def reversed_rows(rows: Rows, level: float = 0.95, **values: Any) -> Note | None:
    """Return what to say where the whole interval of an AUC lies below that of chance, as of a score turned round."""
    try:
        if roc_auc(rows) >= CHANCE or not (estimate := interval("roc_auc", rows, level=level)).high < CHANCE:
            return None
    except UndefinedMetricError:
        return None
    return note("reversed" if rows.higher_is == "positive" else "reversed_again", auc=estimate.value, **values)


def notes_on(name: str, sweep: Sweep, value: float, rows: Rows | None = None) -> tuple[Note, ...]:
    """Say what a careful reader should know of a number and its rows."""
    notes = []
    p, n = sweep.positives, sweep.known_negatives("An interval")
    if sweep.horizon is not None:  # rows, not weights
        p, n = sweep.horizon.cases, sweep.horizon.controls
    elif rows is not None and not rows.is_whole:
        p = int(np.count_nonzero(rows.positive))
        n = len(rows) - p
    if rows is not None and rows.cluster is not None:
        clusters = len(np.unique(rows.cluster))
        if clusters < FEW_CLUSTERS:
            notes.append(note("few_clusters", clusters=clusters))
    if rows is not None and (strata := strata_of(rows)) is not None:
        notes += lonely_notes(strata)
    if rows is not None and rows.weight is not None and not rows.is_whole and rows.censored is None:
        lightest = min(float(rows.weight[on].sum()) for on in (rows.positive, ~rows.positive) if on.any())
        share = float(rows.weight.max()) / lightest
        if share > HEAVY:
            notes.append(note("heavy_weights", share=min(share, 1.0)))
    if min(p, n) < FEW:
        notes.append(note("few_positives" if p <= n else "few_negatives", count=math.floor(min(p, n))))
    if name == "roc_auc" and value in (0, 1):
        notes.append(note("separated"))
    if sweep.is_whole and not sweep.is_binned and len(sweep.threshold) < sweep.n / 2:
        notes.append(note("many_ties", distinct=len(sweep.threshold), rows=sweep.n))
    return tuple(notes)

"""The interval of any number read from a sweep."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from curvewise import kernel
from curvewise._errors import CurvewiseError
from curvewise._sweep import Sweep, sweep_of
from curvewise._validate import RowOptions, Rows, one_of, real, whole
from curvewise.areas.roc_auc import roc_auc
from curvewise.counts.rates import METHODS, rate_interval
from curvewise.uncertainty.delong import Placements, Spread, spread_of_sweep
from curvewise.uncertainty.estimate import Estimate
from curvewise.uncertainty.known import Known, known
from curvewise.uncertainty.limits import BOOTSTRAPS, from_replicates, logit_wald, wald
from curvewise.uncertainty.resample import read_source, resampler

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from curvewise.counts.rates import RateMethod
    from curvewise.uncertainty.resample import Resampler

FEW = 10  # rows of a class below which any interval is shaky
GROUPS = 100  # rows are left out in this many groups for the acceleration of BCa


def interval(
    metric: str | Callable[[Sweep], float],
    y: object,
    score: object = None,
    *,
    level: float = 0.95,
    method: str | None = None,
    rng: np.random.Generator | int | None = None,
    cluster: object = None,
    replicates: int = 2000,
    stratified: bool | None = None,
    **options: Any,
) -> Estimate:
    """Return a metric with its confidence interval.

    Parameters
    ----------
    metric
        ``"roc_auc"``, ``"partial_roc_auc"``, ``"average_precision"``, ``"pr_auc"``, ``"h_measure"``,
        ``"equal_error_rate"``, ``"pr_gain_area"``; of probabilities ``"brier_loss"``, ``"log_loss"``,
        ``"spherical_loss"``, their skills (``"brier_skill"`` …), ``"calibration_slope"``,
        ``"calibration_intercept"``, ``"calibration_in_the_large"``, ``"observed_expected"``, ``"ece"``,
        ``"mce"``, ``"ici"``; any metric of `Confusion` by name, with ``threshold=``; or any function of
        a `Sweep`.
    y, score
        A `Sweep` alone, or labels and scores.
    level
        The confidence level, strictly between 0 and 1.
    method
        By default the best for the metric. AUC: ``"delong"`` (on the logit scale, with a bound at perfect
        separation), ``"delong-wald"`` (pROC's, cut to [0, 1]) or ``"hanley-mcneil"``. Rates at a threshold:
        ``"wilson"`` or ``"clopper-pearson"``. Anything: ``"percentile"``, ``"basic"``, ``"bca"``,
        ``"logit-percentile"``, all by bootstrap; ``"bootstrap"`` picks among them for the metric.
    rng
        A seed or a NumPy generator for the bootstrap. The same seed gives the same interval for any
        number of threads.
    cluster
        One label a row (a patient, an image): rows of one cluster may depend on each other. AUC then
        has Obuchowski's variance; everything else is resampled by whole clusters.
    replicates
        How many bootstrap resamples.
    stratified
        Whether the bootstrap keeps the number of positives and negatives. By default it does for what
        does not depend on prevalence. Clusters are never stratified.
    **options
        Options of the metric (``fpr=``, ``scale=``, ``ties=``, ``threshold=`` …) and of `curvewise.sweep`
        (``weight=``, ``positive=`` …).

    Returns
    -------
    Estimate

    Notes
    -----
    The interval speaks of new rows of the same kind. It does not repair rows that the model was fitted
    on, nor a threshold that was chosen on these rows.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988) Biometrics 44:837-845. Obuchowski (1997) Biometrics
    53:567-578. Hanley & McNeil (1982) Radiology 143:29-36. Efron (1987) J. Am. Stat. Assoc. 82:171-185.

    Examples
    --------
    >>> import curvewise as cw
    >>> s = cw.Sweep.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
    >>> cw.interval("roc_auc", s)
    roc_auc 0.8932, 95 % interval 0.8125 to 0.9402 (delong)
      note: many ties: 5 distinct scores in 109 rows
    """
    reading = {k: options.pop(k) for k in RowOptions.__annotations__ if k in options}
    source = read_source(y, score, cluster, reading)
    return interval_of(
        metric,
        source,
        level=level,
        method=method,
        rng=rng,
        replicates=replicates,
        stratified=stratified,
        **options,
    )


def interval_of(
    metric: str | Callable[[Sweep], float],
    source: Sweep | Rows,
    *,
    level: float = 0.95,
    method: str | None = None,
    rng: np.random.Generator | int | None = None,
    replicates: int = 2000,
    stratified: bool | None = None,
    **options: Any,
) -> Estimate:
    """Return a metric of a sweep, or of rows that passed the door, with its interval."""
    level = real("level", level, 0, 1, closed=False)
    replicates = whole("replicates", replicates, 2)
    target = known(metric, options)
    rows, sweep = (None, source) if isinstance(source, Sweep) else (source, sweep_of(source))
    groups = None if rows is None else rows.cluster
    method = method_for(method, target, groups, rows, sweep)
    value = float(target.statistic(sweep))
    notes = notes_on(target.name, sweep, value)
    if method in BOOTSTRAPS:
        keep = target.stratified if stratified is None else stratified
        return _bootstrap(target, value, method, level, rng, replicates, keep, rows, sweep, notes)
    if target.rate and method in METHODS:
        low, high = rate_interval(*target.rate(sweep), level=level, method=cast("RateMethod", method))
        return Estimate(target.name, value, low, high, level, method, notes=notes)
    spread = _spread(method, value, rows, sweep, groups)
    error = math.sqrt(spread.variance)
    if method == "delong":
        low, high = logit_wald(value, error, level, smaller_class(rows, sweep), spread.degrees)
    else:
        low, high = wald(value, error, level)
    return Estimate(target.name, value, low, high, level, method, error, notes=notes)


def smaller_class(rows: Rows | None, sweep: Sweep) -> float:
    """Count what is independent in the smaller class: clusters, or rows whatever their fractional weight."""
    if rows is None or (rows.cluster is None and sweep.tp.dtype.kind == "i"):
        return min(sweep.positives, sweep.negatives)
    each = np.arange(len(rows.positive)) if rows.cluster is None else rows.cluster
    return min(len(np.unique(each[on])) for on in (rows.positive, ~rows.positive))


def method_for(asked: str | None, target: Known, groups: object, rows: Rows | None, sweep: Sweep) -> str:
    """Choose the method of an interval, or refuse the one that was asked for."""
    own: tuple[str, ...] = ("delong", "delong-wald", "hanley-mcneil") if target.statistic is roc_auc else ()
    if target.rate:
        own = METHODS
    one_of("method", asked, (None, *own, "bootstrap", *BOOTSTRAPS))
    fractional = sweep.tp.dtype.kind == "f"
    if fractional and rows is None:
        raise CurvewiseError(
            "A sweep with fractional counts has no interval of its own: pass labels, scores and weights."
        )
    if asked == "bootstrap" or (asked is None and target.rate and (groups is not None or fractional)):
        return target.method if target.method in BOOTSTRAPS else "percentile"
    chosen = asked or target.method
    if chosen in (*METHODS, "hanley-mcneil", "bca") and (groups is not None or fractional):
        raise CurvewiseError(
            f"method={chosen!r} takes rows that are independent and count alike; use method='percentile'."
        )
    return chosen


def _spread(
    method: str, auc: float, rows: Rows | None, sweep: Sweep, groups: NDArray[np.intp] | None
) -> Spread:
    if method == "hanley-mcneil":
        p, n = sweep.positives, sweep.negatives
        q1, q2 = auc / (2 - auc), 2 * auc**2 / (1 + auc)
        variance = (auc * (1 - auc) + (p - 1) * (q1 - auc**2) + (n - 1) * (q2 - auc**2)) / (p * n)
        return Spread(variance, math.inf)
    if rows is None or (groups is None and sweep.tp.dtype.kind == "i"):
        return spread_of_sweep(sweep)
    placed = kernel.placements(rows.score, rows.positive, rows.weight, falling=rows.higher_is == "positive")
    return Placements(placed[None], rows.positive, rows.weight, groups).spread()


def _bootstrap(
    target: Known,
    value: float,
    method: str,
    level: float,
    rng: np.random.Generator | int | None,
    replicates: int,
    stratified: bool,
    rows: Rows | None,
    sweep: Sweep,
    notes: tuple[str, ...],
) -> Estimate:
    source = resampler(rows, sweep, stratified=stratified, threshold=target.threshold)
    values, undefined = source.replicate(target.statistic, replicates, rng)
    smaller = smaller_class(rows, sweep)
    return from_draws(target, value, method, level, source, values, undefined, smaller, notes)


def from_draws(
    target: Known,
    value: float,
    method: str,
    level: float,
    source: Resampler,
    values: NDArray[np.float64],
    undefined: int,
    smaller: float,
    notes: tuple[str, ...],
) -> Estimate:
    """Return the estimate of a statistic whose resamples have been read.

    Where all of them agree, as those of AP do at perfect separation, a bootstrap knows nothing: a number on
    the logit scale then gets the bound that AUC has, any other a note.
    """
    if undefined:
        notes += (f"{undefined} of {len(values) + undefined} resamples do not define it and were left out",)
    if source.binned:
        away = value - float(target.statistic(source.like))
        values = values + away
        notes += (
            f"resampled in {len(source.like.threshold)} bins; binning moves the value by {abs(away):.2g}",
        )
    low, high = from_replicates(method, value, values, level, lambda: _left_out(target, source.like))
    if values.min() == values.max():
        if method == "logit-percentile" and value in (0, 1) and smaller:
            low, high = logit_wald(value, 0.0, level, smaller)
            notes += ("every resample gives the same value: the interval is a bound",)
        else:
            notes += ("every resample gives the same value: no width is not certainty",)
    error = float(np.std(values, ddof=1)) if len(values) > 1 else None
    return Estimate(target.name, value, low, high, level, method, error, len(values), notes)


def _left_out(target: Known, sweep: Sweep) -> NDArray[np.float64]:
    """Return the statistic without each row, or each of `GROUPS` groups dealt in order of score."""
    pos, neg = np.diff(sweep.tp, prepend=0), np.diff(sweep.fp, prepend=0)
    groups = min(GROUPS, int(sweep.n))
    stop = sweep.tp + sweep.fp  # rows in order: a block's positives, then its negatives
    middle, start = stop - neg, stop - neg - pos
    found = []
    for k in range(groups):
        before, between, after = ((edge + groups - 1 - k) // groups for edge in (start, middle, stop))
        fewer_pos, fewer_neg = pos - (between - before), neg - (after - between)
        used = np.flatnonzero((fewer_pos + fewer_neg) > 0)
        tp, fp = np.cumsum(fewer_pos[used]), np.cumsum(fewer_neg[used])
        part = Sweep(sweep.threshold[used], tp, fp, tp[-1].item(), fp[-1].item(), higher_is=sweep.higher_is)
        found.append(target.statistic(part))
    return np.asarray(found)


def notes_on(name: str, sweep: Sweep, value: float) -> tuple[str, ...]:
    """Say what a careful reader should know of a number and its rows."""
    notes = []
    if min(sweep.positives, sweep.negatives) < FEW:
        fewer = "positives" if sweep.positives <= sweep.negatives else "negatives"
        count = math.floor(min(sweep.positives, sweep.negatives))
        notes.append(f"only {count} {fewer}: any interval is shaky")
    if name == "roc_auc" and value in (0, 1):
        notes.append("the classes are separated perfectly: the interval is a bound")
    if sweep.tp.dtype.kind == "i" and len(sweep.threshold) < sweep.n / 2:
        notes.append(f"many ties: {len(sweep.threshold)} distinct scores in {sweep.n} rows")
    return tuple(notes)

"""Bands around a curve: how sure each height is, or the whole line at once."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, Unpack

import numpy as np

from curvewise.arrays import Floats
from curvewise.core.rate import rate_interval, rate_of_cells, rate_of_rows
from curvewise.core.resampling import REPLICATES, resampler
from curvewise.core.sweep import Sweep, as_source, sweep_of
from curvewise.errors import CurvewiseError, OptionError
from curvewise.inference.interval import scored
from curvewise.inference.rate_at_rate import Held, RateAtRate, first_at, fpr_at, precision_ends, rate_at_rate, tpr_at
from curvewise.metric.registry import every, find
from curvewise.results.numbers import percent
from curvewise.results.result import Result, Table
from curvewise.rows.checks import flag, one_of, real, values_of, whole
from curvewise.rows.columns import shown
from curvewise.rows.seeds import random_stream

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions, Rows

    Reach = Callable[[Sweep, Floats], Floats]
    Read = tuple[Rows | None, Sweep]
    How = tuple[float, np.random.Generator | int | None, int]  # level, rng, replicates
    Rng = np.random.Generator | int | None

GRID = 101
POINTWISE = ("beta", "percentile")
WHOLE = ("max-t", "dkw")


@dataclass(frozen=True, eq=False, repr=False)
class Band(Result, schema="band"):
    """A curve at fixed places, with the ends of its interval at each.

    ``x`` and ``value`` are what ``x_name`` and ``value_name`` say. ``simultaneous`` means that the whole
    curve lies inside with the stated confidence; otherwise each interval speaks for its own place. ``method``
    says how the ends were made.
    """

    x_name: str
    value_name: str
    x: Floats
    value: Floats
    low: Floats
    high: Floats
    level: float
    simultaneous: bool = False
    replicates: int | None = None
    method: str | None = None
    backend: str | None = None

    @property
    def table(self) -> Table:
        """One row per place: the value and the ends of its interval."""
        columns = {self.x_name: self.x, self.value_name: self.value, "low": self.low, "high": self.high}
        return Table(str(self), {name: values.tolist() for name, values in columns.items()}, self.backend)

    def __str__(self) -> str:
        kind = "simultaneous" if self.simultaneous else "pointwise"
        drawn = None if self.replicates is None else f"{self.replicates} replicates"
        how = ", ".join(filter(None, (self.method, drawn)))
        places = f"{self.value_name} at {len(self.x)} values of {self.x_name}"
        return f"Band({places}, {percent(self.level)} {kind}{f' ({how})' if how else ''})"


def roc_band(
    y: object,
    score: object = None,
    *,
    at: Literal["fpr", "tpr"] = "fpr",
    grid: object = None,
    simultaneous: bool = False,
    method: str | None = None,
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    **rows: Unpack[RowOptions],
) -> Band:
    """Return intervals of TPR at fixed FPR, or of FPR at fixed TPR.

    Parameters
    ----------
    y, score
        A `Sweep` or `Rows` alone, or labels and scores with the options of `curvewise.sweep`.
    at
        Which rate is fixed: ``"fpr"`` (intervals of TPR) or ``"tpr"`` (intervals of FPR).
    grid
        The values it is fixed at; 0, 0.01 … 1 by default.
    simultaneous
        Whether the band is to hold the whole curve with the stated confidence (rows that are independent and
        count alike).
    method
        Of each interval: ``"beta"`` (default) or ``"percentile"``, by bootstrap. Of a simultaneous band:
        ``"max-t"`` (default), or ``"dkw"``, which holds for any scores and is far wider (TPR at fixed FPR).
    level, rng, replicates
        As in `curvewise.interval`; ``"beta"`` and ``"dkw"`` draw nothing.

    Notes
    -----
    TPR at an FPR f is uncertain twice: where the threshold of f lies among the n negatives (the true FPR of the
    k-th highest has a Beta(k, n + 1 - k) distribution) and which share of the m positives lies above it (Beta,
    after so many of m). ``"beta"`` takes the quantiles of both together. Percentiles of
    resampled curves know neither the ends, where a resampled curve never leaves 1, nor the discreteness: at
    FPR 0.01 and 50 rows of each class they hold the true value in 70 of 100 studies instead of 95.
    Where f is at most 1/n, no row tells how low TPR may be: the lower end is 0 (at other levels up to
    (1 + ln(0.05/α))/n). With clusters or sampling weights, rows count as many independent ones as they are worth
    at each threshold.

    An interval at each place is no statement about all places at once. ``"max-t"`` intervals reach so many standard
    errors that all of them together hold the curve, from FPR 0.001 to 0.999, by the distribution of
    the largest deviation (two Brownian bridges, Hsieh & Turnbull). The band of ``"dkw"`` follows from the
    distribution functions of both classes, which lie within √(ln(2/α)/2n) of their estimates (Dvoretzky, Kiefer &
    Wolfowitz, with Massart's constant).

    References
    ----------
    Hilgers (1991) Methods Inf. Med. 30:96-101. Gu, Ghosal & Roy (2008) Statistics in Medicine 27:5407-5420.
    Hsieh & Turnbull (1996) Ann. Statist. 24:25-40. Campbell (1994) Statistics in Medicine 13:499-508. Massart (1990)
    Ann. Probab. 18:1269-1283.

    Examples
    --------
    >>> import curvewise as cw
    >>> s = cw.Sweep.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
    >>> band = cw.roc_band(s, grid=[0.1, 0.2])
    >>> band
    Band(tpr at 2 values of fpr, 95% pointwise (beta))
    >>> band.value.round(3), band.low.round(3), band.high.round(3)
    (array([0.722, 0.835]), array([0.551, 0.691]), array([0.837, 0.932]))
    """
    one_of("at", at, ("fpr", "tpr"))
    simultaneous = flag("simultaneous", simultaneous)
    one_of("method", method, (None, *(WHOLE if simultaneous else POINTWISE)))
    level, places = real("level", level, 0, 1, closed=False), _places(grid)
    replicates = whole("replicates", replicates, 2)
    random_stream(rng)  # refuses what is no seed
    read = _read(y, score, rows)
    names = (at, "tpr" if at == "fpr" else "fpr")
    if simultaneous:
        return _whole_curve(read, names, places, method or WHOLE[0], (level, rng, replicates))
    if method == "percentile":
        reach = tpr_at if at == "fpr" else fpr_at
        return _percentiles(reach, names, read, places, (level, rng, replicates), stratified=True)
    known = rate_at_rate(_counted(read), places, held=at, level=level)
    ends = known.interval(level)
    return Band(*names, places, known.value, *ends, level, method=POINTWISE[0], backend=read[1].backend)


def pr_band(
    y: object,
    score: object = None,
    *,
    grid: object = None,
    method: str | None = None,
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    **rows: Unpack[RowOptions],
) -> Band:
    """Return intervals of precision at fixed recall.

    Precision is r·π/(r·π + (1 - π)·f), with r the recall, f the FPR at that recall and π the prevalence.
    ``"beta"`` (default) combines what `curvewise.roc_band` knows of f with a Beta distribution of π: the rows are
    taken to be a sample of the population, so that its prevalence is uncertain, too. ``"percentile"`` is by
    bootstrap. Where the recall is at most 1 / P, with P positives, the upper end is 1: no threshold may have been
    seen that is as good. Options as in `curvewise.roc_band`.

    Examples
    --------
    >>> import curvewise as cw
    >>> s = cw.Sweep.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
    >>> band = cw.pr_band(s, grid=[0.5, 0.9])
    >>> band.value.round(3), band.low.round(3), band.high.round(3)
    (array([0.943, 0.711]), array([0.821, 0.539]), array([0.988, 0.867]))
    """
    one_of("method", method, (None, *POINTWISE))
    level, places = real("level", level, 0, 1, closed=False), _places(grid)
    replicates = whole("replicates", replicates, 2)
    random_stream(rng)  # refuses what is no seed
    names, read = ("recall", "precision"), _read(y, score, rows)
    if method == "percentile":
        return _percentiles(precision_at_recall, names, read, places, (level, rng, replicates), stratified=False)
    known = rate_at_rate(_counted(read), places, held="tpr", level=level)
    value = precision_at_recall(read[1], places)
    ends = precision_ends(known, _prevalence(read, level), level)
    ends = np.fmin(ends[0], value), np.fmax(ends[1], value)
    unknown = np.isnan(known.size)
    low, high = (np.where(unknown, np.nan, end) for end in ends)
    return Band(*names, places, value, low, high, level, method=POINTWISE[0], backend=read[1].backend)


def threshold_band(
    y: object,
    score: object = None,
    *,
    rate: str = "recall",
    grid: object = None,
    level: float = 0.95,
    **rows: Unpack[RowOptions],
) -> Band:
    """Return intervals of a rate at fixed thresholds.

    It is NaN where the rate is 0/0, as precision is where nothing is flagged.

    Parameters
    ----------
    rate
        Any rate of `Confusion`: ``"recall"``, ``"specificity"``, ``"precision"``, ``"predicted_rate"`` …
    grid
        The thresholds; by default scores of these rows, at most 101, as many rows between each two.
    y, score, level, **rows
        As in `curvewise.roc_band`. Intervals are Wilson's; with clusters or sampling weights, of as many
        independent rows as they are worth.

    Examples
    --------
    >>> import curvewise as cw
    >>> s = cw.Sweep.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
    >>> band = cw.threshold_band(s, rate="specificity", grid=[3, 5])
    >>> band.value.round(3), band.low.round(3), band.high.round(3)
    (array([0.672, 0.966]), array([0.544, 0.883]), array([0.779, 0.99 ]))
    """
    metric = find(rate)
    if metric.rate is None:
        rates = ", ".join(m.name for m in every() if m.rate is not None)
        raise CurvewiseError(f"rate: expected a plain proportion of rows ({rates}), got {shown(rate)}.")
    level = real("level", level, 0, 1, closed=False)
    row_table, sweep = _read(y, score, rows)
    places = _thresholds(grid, sweep)
    tables = [sweep.at(cut) for cut in places.tolist()]
    value = np.array([getattr(c, metric.name) for c in tables])
    if row_table is None or row_table.is_plain:
        _counted((row_table, sweep))
        counts = [[sum(getattr(c, cell) for cell in cells) for cells in metric.rate] for c in tables]
        ends = [rate_interval(k, n, level=level) for k, n in counts]
    else:
        of_rows = [rate_of_cells(row_table, cut, *metric.rate, level=level) for cut in places.tolist()]
        ends = [rate_here.interval(level) for rate_here in of_rows]
    low, high = np.array(ends).reshape(-1, 2).T
    names = ("threshold", metric.name)
    return Band(*names, places, value, low, high, level, method="wilson", backend=sweep.backend)


def _thresholds(grid: object, sweep: Sweep) -> Floats:
    if grid is not None:
        return np.array([real("grid", v, -math.inf, math.inf) for v in values_of("grid", grid)])
    below = sweep.tp + sweep.fp
    ends = np.searchsorted(below, np.linspace(0, 1, GRID)[1:] * below[-1] * (1 - 1e-12))
    return np.asarray(sweep.threshold[np.unique(np.append(0, ends))], dtype=np.float64)


def rates_by_powers(negatives: float) -> Floats:
    """Return false positive rates from one negative to all, evenly by powers of ten: a grid for a log axis."""
    return np.geomspace(1 / max(negatives, 10), 1, GRID)


def _places(grid: object) -> Floats:
    if grid is None:
        return np.linspace(0, 1, GRID)
    return np.array([real("grid", v, 0, 1) for v in values_of("grid", grid)])


def _read(y: object, score: object, options: RowOptions) -> Read:
    source = scored(as_source(y, score, options))
    rows, sweep = (None, source) if isinstance(source, Sweep) else (source, sweep_of(source))
    sweep.need_both_classes("A band")
    return rows, sweep


def _counted(read: Read) -> Sweep | Rows:
    """Return what intervals are made from: rows where weights or clusters need them, else whole counts."""
    rows, sweep = read
    if rows is not None and not rows.is_plain:
        return rows
    if not sweep.is_whole:
        raise CurvewiseError("A sweep of weighted rows has no intervals of its own: pass labels, scores and weights.")
    return sweep


def _prevalence(read: Read, level: float) -> tuple[float, float]:
    """Return how many independent rows the positives, and the negatives, are worth for the prevalence."""
    rows, sweep = read
    if rows is None or rows.is_plain:
        return float(sweep.positives), float(sweep.negatives)
    share = rate_of_rows(rows, rows.positive, level=level)
    return share.value * share.trials, (1 - share.value) * share.trials


def _percentiles(
    reach: Reach, names: tuple[str, str], read: Read, places: Floats, how: How, *, stratified: bool
) -> Band:
    (rows, sweep), (level, rng, replicates) = read, how
    source = resampler(rows, sweep, stratified=stratified)
    drawn, _ = source.replicate(lambda like, *counts: reach(like.with_counts(*counts), places), replicates, rng)
    # a place that some resamples leave undefined is judged by the others
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # all undefined: NaN
        low, high = np.nanquantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    value, count = reach(sweep, places), len(drawn)
    return Band(*names, places, value, low, high, level, False, count, POINTWISE[1], sweep.backend)


def _whole_curve(read: Read, names: tuple[str, str], places: Floats, method: str, how: How) -> Band:
    (rows, sweep), (level, rng, replicates) = read, how
    if not (sweep.is_whole if rows is None else rows.is_plain):
        raise CurvewiseError(
            "simultaneous: a band for the whole curve takes rows that are independent and count alike, without strata."
        )
    if method == "dkw":
        if names[0] != "fpr":
            raise OptionError.of("method", "'dkw' is a band of TPR at fixed FPR; use 'max-t' for at='tpr'.")
        drawn: int | None = None
        ends, value = dkw(sweep, places, level), tpr_at(sweep, places)
    else:
        held: Literal["fpr", "tpr"] = "fpr" if names[0] == "fpr" else "tpr"
        level_of_each = max_t_level(sweep, held, level, rng, replicates)
        known = rate_at_rate(sweep, places, held=held, level=level_of_each)
        ends, drawn, value = known.interval(level_of_each), replicates, known.value
    return Band(*names, places, value, *ends, level, True, drawn, method, sweep.backend)


def precision_at_recall(sweep: Sweep, recall: Floats) -> Floats:
    """Return the precision where each recall is reached, counts growing in proportion within a block."""
    sweep.need_positives("Precision at a recall")
    tp = recall * sweep.positives
    fp = first_at(sweep.tp.astype(np.float64), sweep.fp.astype(np.float64), tp)
    first = float(sweep.tp[0] / (sweep.tp[0] + sweep.fp[0]))  # the limit at recall 0
    return np.asarray(np.divide(tp, tp + fp, out=np.full(len(tp), first), where=tp + fp > 0))


# ---- Bands that hold a whole ROC curve at once ----

ENDS = (0.001, 0.002, 0.005)
ALONG = np.array([*ENDS, *(np.arange(1, 100) / 100), *(1 - e for e in reversed(ENDS))])  # where a curve is followed


def max_t_level(sweep: Sweep, held: Held, level: float, rng: Rng, replicates: int) -> float:
    """Return the level of intervals at each place that all hold the curve together with the stated level.

    An estimated curve differs from the true one by two Brownian bridges, B₁(TPR)/√P + slope·B₂(FPR)/√N
    (Hsieh & Turnbull 1996). ``replicates`` of that process are drawn along the curve, each divided by its standard
    deviation; the quantile of their largest absolute value says how many standard errors intervals must reach.
    """
    known = rate_at_rate(sweep, ALONG, held=held)
    largest = np.sort(np.abs(_standardised(known, sweep, held, rng, replicates)).max(axis=1))
    reach = float(np.quantile(largest, level))
    return 2 * NormalDist().cdf(reach) - 1


def _standardised(known: RateAtRate, sweep: Sweep, held: Held, rng: Rng, replicates: int) -> Floats:
    n, m = (sweep.negatives, sweep.positives) if held == "fpr" else (sweep.positives, sweep.negatives)
    x, y = known.x, known.centre
    slope = np.gradient(y, x)
    covariance = _bridge(y) / m + np.outer(slope, slope) * _bridge(x) / n
    error = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(error, error) + 1e-9 * np.eye(len(x))
    root = np.linalg.cholesky(correlation)
    return np.asarray(random_stream(rng).normal(size=(replicates, len(x))) @ root.T)


def _bridge(at: Floats) -> Floats:
    """Return the covariance of a Brownian bridge at places of [0, 1]."""
    return np.asarray(np.minimum.outer(at, at) * (1 - np.maximum.outer(at, at)))


def dkw(sweep: Sweep, places: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the ends of Campbell's band of TPR at fixed FPR, for any scores."""
    alpha = 1 - math.sqrt(level)  # for each class: both hold together with the level
    sizes = (sweep.positives, sweep.known_negatives("A band"))
    up, across = (math.sqrt(math.log(2 / alpha) / (2 * n)) for n in sizes)
    low = np.where(places > across, tpr_at(sweep, np.maximum(places - across, 0)) - up, 0)
    high = tpr_at(sweep, np.minimum(places + across, 1)) + up
    return np.clip(low, 0, 1), np.clip(high, 0, 1)

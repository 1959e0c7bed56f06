"""Bands around a curve: how sure each height is, or the whole line at once."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Unpack

import numpy as np

from curvewise.core.rate import rate_interval
from curvewise.core.registry import every, find
from curvewise.core.resampling import REPLICATES, resampler
from curvewise.core.sweep import Sweep, as_source, sweep_of
from curvewise.errors import CurvewiseError
from curvewise.inference.interval import scored
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.columns import as_column
from curvewise.rows.reading import real_numbers

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from curvewise.rows.rows import RowOptions, Rows

    Floats = NDArray[np.float64]
    Reach = Callable[[Sweep, Floats], Floats]
    Read = tuple[Rows | None, Sweep]
    How = tuple[float, np.random.Generator | int | None, int]  # level, rng, replicates

GRID = 101


@dataclass(frozen=True, eq=False, repr=False)
class Band(Result):
    """A curve at fixed places, with the ends of its interval at each.

    ``x`` and ``value`` are what ``x_name`` and ``value_name`` say. ``simultaneous`` means that the whole
    curve lies inside with the stated confidence; otherwise each interval speaks for its own place.
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
    backend: str | None = None

    @property
    def table(self) -> Table:
        """One row per place: the value and the ends of its interval."""
        columns = {self.x_name: self.x, self.value_name: self.value, "low": self.low, "high": self.high}
        return Table(str(self), {name: values.tolist() for name, values in columns.items()}, self.backend)

    def __str__(self) -> str:
        kind = "simultaneous" if self.simultaneous else "pointwise"
        if self.replicates is not None:
            kind += f", {self.replicates} replicates"
        places = f"{self.value_name} at {len(self.x)} values of {self.x_name}"
        return f"Band({places}, {100 * self.level:.4g} % {kind})"


def roc_band(
    y: object,
    score: object = None,
    *,
    at: Literal["fpr", "tpr"] = "fpr",
    grid: object = None,
    simultaneous: bool = False,
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    **rows: Unpack[RowOptions],
) -> Band:
    """Return intervals of TPR at fixed FPR, or of FPR at fixed TPR.

    Parameters
    ----------
    y, score
        A `Sweep` alone, or labels and scores with the options of `curvewise.sweep`.
    at
        Which rate is fixed: ``"fpr"`` (intervals of TPR) or ``"tpr"`` (intervals of FPR).
    grid
        The values it is fixed at; 0, 0.01 … 1 by default.
    simultaneous
        Whether the band is to hold the whole curve with the stated confidence (TPR at fixed FPR, rows
        that are independent and count alike).
    level, rng, replicates
        As in `curvewise.interval`; the class sizes are kept, except with clusters.

    Notes
    -----
    Pointwise intervals are percentiles of resampled curves. Where few rows reach, at the very ends of the
    curve, a bootstrap knows little: read those with care. The simultaneous band needs no resampling: the
    distribution functions of both classes lie within √(ln(2/α)/2n) of their estimates (Dvoretzky,
    Kiefer & Wolfowitz, with Massart's constant), so the curve lies within that of its estimate in both
    directions. It is wide, and it holds for any scores.

    References
    ----------
    Campbell (1994) Statistics in Medicine 13:499-508. Massart (1990) Ann. Probab. 18:1269-1283.

    Examples
    --------
    >>> import curvewise as cw
    >>> s = cw.Sweep.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
    >>> cw.roc_band(s, grid=[0.1, 0.2], rng=0)
    Band(tpr at 2 values of fpr, 95 % pointwise, 1000 replicates)
    """
    one_of("at", at, ("fpr", "tpr"))
    level, places = real("level", level, 0, 1, closed=False), _places(grid)
    read = _read(y, score, rows)
    if simultaneous:
        return _whole_curve(*read, at, places, level)
    reach, names = (_tpr_at, ("fpr", "tpr")) if at == "fpr" else (_fpr_at, ("tpr", "fpr"))
    return _pointwise(reach, names, read, places, (level, rng, replicates), stratified=True)


def pr_band(
    y: object,
    score: object = None,
    *,
    grid: object = None,
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    **rows: Unpack[RowOptions],
) -> Band:
    """Return intervals of precision at fixed recall, by bootstrap.

    The prevalence varies from resample to resample, since precision depends on it. Options as in
    `curvewise.roc_band`.

    Examples
    --------
    >>> import curvewise as cw
    >>> s = cw.Sweep.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
    >>> band = cw.pr_band(s, grid=[0.5, 0.9], rng=0)
    >>> band.value.round(3)
    array([0.943, 0.711])
    """
    level, places = real("level", level, 0, 1, closed=False), _places(grid)
    names, read = ("recall", "precision"), _read(y, score, rows)
    return _pointwise(_precision_at, names, read, places, (level, rng, replicates), stratified=False)


def threshold_band(
    y: object,
    score: object = None,
    *,
    rate: str = "recall",
    grid: object = None,
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
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
    y, score, level, rng, replicates, **rows
        As in `curvewise.roc_band`; with clusters or sampling weights the intervals are percentiles of
        resamples, otherwise Wilson's.

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
        raise CurvewiseError(f"rate: expected a plain proportion of rows ({rates}), got {rate!r}.")
    level = real("level", level, 0, 1, closed=False)
    row_table, sweep = _read(y, score, rows)
    places = _thresholds(grid, sweep)
    part, of_all = metric.rate

    def at(s: Sweep, cuts: Floats) -> Floats:
        return np.array([getattr(s.at(cut), metric.name) for cut in cuts.tolist()])

    names = ("threshold", metric.name)
    if not (sweep.is_whole if row_table is None else row_table.is_plain):
        how = (level, rng, replicates)
        return _pointwise(at, names, (row_table, sweep), places, how, stratified=not metric.prevalence)
    tables = [sweep.at(cut) for cut in places.tolist()]
    counts = [[sum(getattr(c, cell) for cell in cells) for cells in (part, of_all)] for c in tables]
    low, high = np.array([rate_interval(k, n, level=level) for k, n in counts]).T
    return Band(*names, places, at(sweep, places), low, high, level, backend=sweep.backend)


def _thresholds(grid: object, sweep: Sweep) -> Floats:
    if grid is not None:
        return np.asarray(real_numbers(as_column(grid, "grid")), dtype=np.float64)
    below = sweep.tp + sweep.fp
    ends = np.searchsorted(below, np.linspace(0, 1, GRID)[1:] * below[-1] * (1 - 1e-12))
    return np.asarray(sweep.threshold[np.unique(np.append(0, ends))], dtype=np.float64)


def _places(grid: object) -> Floats:
    if grid is None:
        return np.linspace(0, 1, GRID)
    return np.array([real("grid", v, 0, 1) for v in real_numbers(as_column(grid, "grid"))])


def _read(y: object, score: object, options: RowOptions) -> Read:
    source = scored(as_source(y, score, options))
    rows, sweep = (None, source) if isinstance(source, Sweep) else (source, sweep_of(source))
    sweep.need_both_classes("A band")
    return rows, sweep


def _pointwise(reach: Reach, names: tuple[str, str], read: Read, places: Floats, how: How, *, stratified: bool) -> Band:
    (rows, sweep), (level, rng, replicates) = read, how
    source = resampler(rows, sweep, stratified=stratified)
    drawn, _ = source.replicate(lambda s: reach(s, places), whole("replicates", replicates, 2), rng)
    # a place that some resamples leave undefined is judged by the others
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # all undefined: NaN
        low, high = np.nanquantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    value = reach(sweep, places)
    return Band(*names, places, value, low, high, level, replicates=len(drawn), backend=sweep.backend)


def _whole_curve(rows: Rows | None, sweep: Sweep, at: str, places: Floats, level: float) -> Band:
    if at != "fpr" or not (sweep.is_whole if rows is None else rows.is_plain):
        raise CurvewiseError(
            "simultaneous: a band for the whole curve is of TPR at fixed FPR, for rows that are independent "
            "and count alike, without strata."
        )
    alpha = 1 - math.sqrt(level)  # for each class: both hold together with the level
    sizes = (sweep.positives, sweep.known_negatives("A band"))
    up, across = (math.sqrt(math.log(2 / alpha) / (2 * n)) for n in sizes)
    low = np.where(places > across, _tpr_at(sweep, np.maximum(places - across, 0)) - up, 0)
    high = _tpr_at(sweep, np.minimum(places + across, 1)) + up
    value = _tpr_at(sweep, places)
    ends = np.clip(low, 0, 1), np.clip(high, 0, 1)
    return Band("fpr", "tpr", places, value, *ends, level, simultaneous=True, backend=sweep.backend)


def _tpr_at(sweep: Sweep, fpr: Floats) -> Floats:
    """Return the highest TPR that each FPR allows, straight lines within a block."""
    f, t = np.append(0, sweep.fp / sweep.negatives), np.append(0, sweep.tp / sweep.positives)
    return np.asarray(np.interp(fpr, f, t))


def _fpr_at(sweep: Sweep, tpr: Floats) -> Floats:
    """Return the lowest FPR at which each TPR is reached."""
    return _first(sweep.tp / sweep.positives, sweep.fp / sweep.negatives, tpr)


def _precision_at(sweep: Sweep, recall: Floats) -> Floats:
    sweep.need_positives("Precision at a recall")
    tp = recall * sweep.positives
    fp = _first(sweep.tp.astype(np.float64), sweep.fp.astype(np.float64), tp)
    first = float(sweep.tp[0] / (sweep.tp[0] + sweep.fp[0]))  # the limit at recall 0
    return np.asarray(np.divide(tp, tp + fp, out=np.full(len(tp), first), where=tp + fp > 0))


def _first(rising: Floats, other: Floats, wanted: Floats) -> Floats:
    """Return the other count where the rising one first reaches what is wanted."""
    k = np.minimum(np.searchsorted(rising, wanted * (1 - 1e-12), side="left"), len(rising) - 1)
    r0, o0 = (np.where(k > 0, c[k - 1], 0.0) for c in (rising, other))
    step = rising[k] - r0
    share = np.divide(wanted - r0, step, out=np.zeros(len(k)), where=step > 0)
    return np.asarray(o0 + (other[k] - o0) * np.clip(share, 0, 1))

"""The area under the precision-recall curve, by six ways of joining its points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Unpack, get_args

import numpy as np

from curvewise.arrays import Floats
from curvewise.core import kernel
from curvewise.core.sweep import Sweep, as_sweep
from curvewise.metric.average_precision import PR_AREA, ends_in_bins
from curvewise.metric.bounds import best, outward, worst
from curvewise.metric.registry import metric, read
from curvewise.results.result import Result
from curvewise.rows.checks import one_of, real, unit_range

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions

Interpolation = Literal["continuous", "step", "trapezoid", "envelope", "11-point", "101-point"]
Range = tuple[float, float]
KEILWAGEN = "Keilwagen, Grosse & Grau (2014) PLoS ONE 9:e92209"


def _within(
    sweep: Sweep, *, interpolation: Interpolation = "continuous", recall: Range = (0, 1)
) -> tuple[float, float] | None:
    """Return the least and the greatest area over bins; straight lines know none, nor do steps of a range."""
    if interpolation == "step" and tuple(recall) == (0, 1):
        return ends_in_bins(sweep)
    if interpolation in ("step", "trapezoid"):
        return None
    ends = (_of_sweep(ordered(sweep), interpolation=interpolation, recall=recall) for ordered in (worst, best))
    return outward(*ends)


@metric(
    "pr_auc",
    aliases=("auprc", "aupr", "aucpr", "auc_pr", "prauc", "area_under_pr"),
    **PR_AREA,
    within=_within,
    place=3,
    reference=KEILWAGEN,
    formula="∫ TP/(TP + FP) d(TP/P), where FP rises with TP in a straight line between thresholds",
)
def _of_sweep(sweep: Sweep, *, interpolation: Interpolation = "continuous", recall: Range = (0, 1)) -> float:
    one_of("interpolation", interpolation, get_args(Interpolation))
    low, high = unit_range("recall", recall)
    sweep.need_positives("The area under the precision-recall curve")
    if not len(sweep.threshold):
        return 0.0  # positives without any score: none is found
    if interpolation == "continuous":
        return _continuous(sweep, low, high)
    precision, p = sweep.tp / (sweep.tp + sweep.fp), float(sweep.positives)
    if interpolation == "trapezoid":
        line = np.append(0.0, sweep.tp / sweep.positives), np.append(1.0, precision)
        return _under_lines(*line, high) - _under_lines(*line, low)
    if interpolation != "step":
        precision = np.maximum.accumulate(precision[::-1])[::-1]
    if interpolation.endswith("point"):
        return _at_grid(sweep, precision, int(interpolation.removesuffix("-point")) - 1, low, high)
    ends = np.clip(sweep.tp, low * p, high * p)
    return float(np.sum(np.diff(ends, prepend=low * p) * precision)) / p


def pr_auc(
    y: object,
    score: object = None,
    *,
    interpolation: Interpolation = "continuous",
    recall: Range = (0, 1),
    **rows: Unpack[RowOptions],
) -> float:
    """Return the area under the precision-recall curve, over all recalls or a range of them.

    Parameters
    ----------
    y, score
        A `Sweep` alone, or labels and scores with the options of `curvewise.sweep`.
    interpolation
        ``"continuous"`` (default): counts grow in proportion within a block; the exact integral.
        ``"step"``: each block's precision over the recall it adds; over all recalls, average precision.
        ``"trapezoid"``: straight lines from (0, 1); optimistic, for comparison with other programs only.
        ``"envelope"``: the highest precision at any greater recall (Pascal VOC from 2010, all points).
        ``"11-point"``, ``"101-point"``: the mean of the envelope at that many equally spaced recalls
        (Pascal VOC 2007, COCO).
    recall
        The range (low, high). The area is not divided by its width. Recall that no threshold reaches
        (objects never found) counts with precision 0.

    Notes
    -----
    From (t₀, f₀) to (t₁, f₁), with h = (f₁-f₀)/(t₁-t₀), precision is t/(t + f₀ + h(t-t₀)), whose integral
    is [Δt - b/(1+h)·ln(n₁/n₀)]/(1+h), b = f₀ - h·t₀, n = t + f. The area depends on prevalence: see
    `curvewise.pr_auc_levels` for what chance and the worst ranking reach.

    References
    ----------
    Davis & Goadrich (2006) ICML. Keilwagen, Grosse & Grau (2014) PLoS ONE 9:e92209. Boyd, Eng & Page
    (2013) ECML PKDD, LNCS 8190:451-466.

    Examples
    --------
    >>> import curvewise as cw
    >>> y, constant = [0, 1, 0, 1], [1, 1, 1, 1]
    >>> cw.pr_auc(y, constant), cw.pr_auc(y, constant, interpolation="trapezoid")
    (0.5, 0.75)
    """
    return read("pr_auc", as_sweep(y, score, rows), interpolation=interpolation, recall=recall)


@dataclass(frozen=True, repr=False)
class PrLevels(Result, schema="pr_levels"):
    """What a PR area should be read against: ``chance``, and the ``least`` any ranking can have."""

    chance: float
    least: float


def pr_auc_levels(prevalence: float, *, recall: Range = (0, 1)) -> PrLevels:
    """Return the PR area of a score that knows nothing, and of the worst possible ranking.

    Parameters
    ----------
    prevalence
        The share π of positives, strictly between 0 and 1.
    recall
        The range (low, high) that the area was taken over.

    Notes
    -----
    Chance is π times the width. The least area is that of a ranking with every negative above every
    positive: over all recalls, 1 + (1-π)·ln(1-π)/π.

    References
    ----------
    Boyd, Santos Costa, Davis & Page (2012) ICML, 1619-1626.

    Examples
    --------
    >>> import curvewise as cw
    >>> levels = cw.pr_auc_levels(0.5)
    >>> levels.chance, round(levels.least, 6)
    (0.5, 0.306853)
    """
    share = real("prevalence", prevalence, 0, 1, closed=False)
    low, high = unit_range("recall", recall)
    # log1p keeps the difference exact where the prevalence is tiny
    growth = math.log1p(share * (high - low) / (1 - share + share * low))
    return PrLevels(chance=share * (high - low), least=(high - low) - (1 - share) / share * growth)


def _under_lines(x: Floats, y: Floats, end: float) -> float:
    """Integrate straight lines from 0 to ``end``; vertical pieces add nothing."""
    k = int(np.searchsorted(x, end, side="right"))
    area = float(np.trapezoid(y[:k], x[:k]))
    if k < len(x):
        at_end = y[k - 1] + (y[k] - y[k - 1]) * (end - x[k - 1]) / (x[k] - x[k - 1])
        area += float((end - x[k - 1]) * (y[k - 1] + at_end) / 2)
    return area


def _at_grid(sweep: Sweep, envelope: Floats, steps: int, low: float, high: float) -> float:
    grid = np.arange(steps + 1)
    grid = grid[(grid >= low * steps) & (grid <= high * steps)]
    # TP·steps >= k·P compares recall with k/steps exactly, where k/steps itself would be rounded;
    # fractional counts are rounded already, and a recall that equals k/steps must not miss it by that
    wanted = grid * sweep.positives
    if sweep.tp.dtype.kind == "f":
        wanted = wanted * (1 - 1e-12)
    reached = np.searchsorted(sweep.tp * steps, wanted, side="left")
    precision = np.where(reached < len(envelope), envelope[np.minimum(reached, len(envelope) - 1)], 0)
    return float(precision.mean()) * (high - low) if len(grid) else math.nan


def _continuous(sweep: Sweep, low: float, high: float) -> float:
    p = float(sweep.positives)

    def gained(t: kernel.Counts, f: kernel.Counts) -> Floats:
        within = np.clip(t, low * p, high * p)
        used = np.flatnonzero(within[1:] > within[:-1])
        start, stop = within[used], within[used + 1]
        t0, f0, t1, f1 = (c[used].astype(np.float64) for c in (t[:-1], f[:-1], t[1:], f[1:]))
        dt, df = t1 - t0, f1 - f0
        growth = 1 + df / dt  # rows per positive within the block
        before = t0 + f0 + growth * (start - t0)
        shift = (f0 * dt - t0 * df) / (dt + df)  # b/(1+h)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(shift == 0, 0.0, shift * np.log1p(growth * (stop - start) / before))
        return np.asarray((stop - start - logs) / growth)

    return float(kernel.summed(gained, sweep.tp, sweep.fp)) / p

"""The area under part of the ROC curve: a range of FPR, of TPR, or of both."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core import kernel
from curvewise.core.sweep import Sweep, as_sweep
from curvewise.errors import UndefinedMetricError
from curvewise.metric.registry import Unseen, metric, read
from curvewise.metric.smooth_area import Smooth, smooth_area
from curvewise.rows.checks import one_of, unit_range
from curvewise.rows.reading import refuse_beside

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions

Scale = Literal["raw", "mean", "mcclish", "skill"]
Range = tuple[float, float]
EDGE = 0.6  # how much the place of the range on the curve adds to the variance, found by simulation
SHOWN = {"fpr": (0, 0.1), "scale": "mean"}
MCCLISH = "McClish (1989) Med. Decis. Making 9:190-195"
DODD = "Dodd & Pepe (2003) Biometrics 59:614-623"


def _bounds(*, fpr: Range | None = None, tpr: Range | None = None, scale: Scale = "raw") -> Range:
    """Return the least and the largest area that these options allow."""
    a, b = (0.0, 1.0) if fpr is None else fpr
    c, d = (0.0, 1.0) if tpr is None else tpr
    best, chance = (b - a) * (d - c), _chance(a, b, c, d)
    if scale in ("raw", "mean") or chance >= best:
        return 0.0, best if scale == "raw" else 1.0
    least = -chance / (best - chance)
    return (least if scale == "skill" else (1 + least) / 2), 1.0


def _trials(
    positives: float, negatives: float, *, fpr: Range | None = None, tpr: Range | None = None, **_: Any
) -> float:
    """Return how many rows a mean rate over a range is worth: fewer where few rows of the other class are in it."""
    across, up = (1.0 if r is None else r[1] - r[0] for r in (fpr, tpr))
    if fpr is None and tpr is not None:  # the mean specificity
        positives, negatives, across = negatives, positives, up
    return 1 / (1 / positives + EDGE / (negatives * across))


def _unseen(*, fpr: Range | None = None, tpr: Range | None = None, **_: Any) -> Unseen:
    """Return which row at the wrong end takes most of the range."""
    return ("negative", 1.0) if fpr is not None else None if tpr is None else ("positive", 1.0)


def _influence(
    sweep: Sweep, *, fpr: Range | None = None, tpr: Range | None = None, scale: Scale = "raw"
) -> tuple[Floats, Floats] | None:
    """Return what one more positive, or negative, in each block adds to the area; None for both ranges at once.

    A positive adds the part of the range that it is above (its restricted placement). A negative moves the curve
    beyond its score to the right: what is lost is the rise of the curve within the range there (Dodd & Pepe 2003;
    He & Escobar 2008 Statist. Med. 27:5291-5308).
    """
    if fpr is not None and tpr is not None:
        return None
    pos, neg = sweep.block_positives, sweep.block_negatives
    if tpr is None:
        up, down = _of_blocks(pos, neg, (0.0, 1.0) if fpr is None else fpr)
    else:  # the same with the classes in each other's place, from the other end
        other, same = _of_blocks(neg[::-1], pos[::-1], (1 - tpr[1], 1 - tpr[0]))
        up, down = same[::-1], other[::-1]
    _, most = _bounds(fpr=fpr, tpr=tpr, scale="raw")  # from 0
    low, high = _bounds(fpr=fpr, tpr=tpr, scale=scale)
    factor = (high - low) / most
    return up * factor, down * factor


def _of_blocks(pos: NDArray[Any], neg: NDArray[Any], range_: Range) -> tuple[Floats, Floats]:
    """Return the influence on the area over a range of FPR, block by block."""
    (a, b), p, n = range_, float(pos.sum()), float(neg.sum())
    right = np.cumsum(neg) / n
    left = right - neg / n
    start, stop = np.clip(left, a, b), np.clip(right, a, b)
    wide = right > left
    inside = np.where(wide, (stop - start) / np.where(wide, right - left, 1), (a < right) & (right <= b))
    rise = pos / p * inside  # of the curve, within the range
    # the mean over the block's width of what lies to the right of it in the range
    above = np.where(wide, 0.0, b - start)
    width = np.where(wide, right - left, 1.0)
    before, after = np.clip(a - left, 0, width), np.clip(right - b, 0, width)
    within = width - before - after
    mean = (before * (b - a) + within * (b - (start + stop) / 2)) / width
    above = np.where(wide, mean, above)
    area = float(np.sum(pos * above)) / p
    moved = float(np.sum(rise * (start + stop) / 2))  # the integral of f over the rise
    later = np.cumsum(rise[::-1])[::-1] - rise
    # within its own block a negative moves the part of the rise to its right, on average over the block
    tied = rise * np.where(wide, ((start + stop) / 2 - left) / width, 0.0)
    return (above - area) / p, (moved - later - tied) / n


@metric(
    "partial_roc_auc",
    aliases=("pauc", "partial_auc"),
    unit="area",
    prevalence=False,
    interval="score",
    influence=_influence,
    trials=_trials,
    unseen=_unseen,
    bounds=_bounds,
    monotone=True,
    shown=SHOWN,
    place=2,
    reference=f"{MCCLISH}; {DODD}",
    formula="A = ∫ TPR dFPR within the range (of TPR: ∫ (1 - FPR) dTPR); "
    "mean A/width; mcclish (1 + s)/2; skill s = (A - chance)/(largest - chance)",
)
def _of_sweep(sweep: Sweep, *, fpr: Range | None = None, tpr: Range | None = None, scale: Scale = "raw") -> float:
    return _scaled(partial(_area, sweep), fpr, tpr, scale)


def partial_roc_auc(
    y: object,
    score: object = None,
    *,
    fpr: Range | None = None,
    tpr: Range | None = None,
    scale: Scale = "raw",
    **rows: Unpack[RowOptions],
) -> float:
    """Return the area under the ROC curve within a range of FPR, of TPR, or of both.

    Parameters
    ----------
    y, score
        A `Sweep` or a smooth curve (`AnalyticRoc`, `BinormalRoc`) alone, or labels and scores with the
        options of `curvewise.sweep`.
    fpr
        Range (a, b) of the false positive rate.
    tpr
        Range (c, d) of the true positive rate: alone, the integral of specificity over it.
    scale
        ``"raw"``: the area. ``"mean"``: divided by the area of the region, so the mean sensitivity over an
        FPR range, the mean specificity over a TPR range. ``"mcclish"``: ½[1 + (A - min)/(max - min)],
        0.5 at chance, 1 perfect. ``"skill"``: (A - chance)/(max - chance), 0 at chance, 1 perfect. A curve
        below chance has less than ½ (McClish) or less than 0 (skill).

    Notes
    -----
    A = ∫ₐᵇ [min(max(T(f), c), d) - c] df, with T the curve, joined by straight lines. Areas over
    neighbouring ranges add up. scikit-learn's ``roc_auc_score(max_fpr=b)`` is ``fpr=(0, b),
    scale="mcclish"``; pROC's ``partial.auc.focus="sensitivity"`` is ``tpr=``.

    References
    ----------
    McClish (1989) Medical Decision Making 9:190-195. Dodd & Pepe (2003) Biometrics 59:614-623.
    Yang et al. (2019) Statistics in Medicine 38:4243-4258 (both ranges at once).

    Examples
    --------
    >>> import curvewise as cw
    >>> s = cw.Sweep.from_counts([3, 2, 1], [40, 20, 40], [5, 5, 90])
    >>> round(cw.partial_roc_auc(s, fpr=(0, 0.1)), 6)
    0.035
    >>> round(cw.partial_roc_auc(s, fpr=(0, 0.1), scale="mcclish"), 6)
    0.657895
    """
    if isinstance(y, Smooth):
        refuse_beside("A curve was", score, rows)
        return _scaled(lambda *region: smooth_area(y, *region), fpr, tpr, scale)
    return read("partial_roc_auc", as_sweep(y, score, rows), fpr=fpr, tpr=tpr, scale=scale)


def _scaled(area_of: Callable[..., float], fpr: Range | None, tpr: Range | None, scale: Scale) -> float:
    """Return the area of a region, on a scale."""
    one_of("scale", scale, ("raw", "mean", "mcclish", "skill"))
    a, b = (0.0, 1.0) if fpr is None else unit_range("fpr", fpr)
    c, d = (0.0, 1.0) if tpr is None else unit_range("tpr", tpr)
    area = area_of(a, b, c, d)
    if scale == "raw":
        return area
    best = (b - a) * (d - c)
    if scale == "mean":
        return area / best
    chance = _chance(a, b, c, d)
    if chance >= best:
        raise UndefinedMetricError(
            f"scale={scale!r} is undefined here: on FPR ({a:g}, {b:g}) and TPR ({c:g}, {d:g}) chance "
            "already fills the region; use scale='raw' or 'mean'."
        )
    skill = (area - chance) / (best - chance)
    return skill if scale == "skill" else (1 + skill) / 2


def _area(sweep: Sweep, a: float, b: float, c: float, d: float) -> float:
    """Integrate in counts: x = FP from a·N to b·N, y = TP cut to [c·P, d·P]."""
    sweep.need_both_classes("A partial area under the ROC curve")
    n, p = float(sweep.negatives), float(sweep.positives)
    left = max(a * n, kernel.first_reach(sweep.tp, sweep.fp, c * p))
    full = kernel.first_reach(sweep.tp, sweep.fp, d * p)  # from here on the curve is above the region
    right = min(b * n, full)
    total = (d - c) * p * max(b * n - max(a * n, full), 0.0)
    if right > left:
        total += _integral(sweep, left, right) - c * p * (right - left)
    return total / (n * p)


def _integral(sweep: Sweep, left: float, right: float) -> float:
    """Integrate TP over FP between two places, straight lines between blocks."""
    first = int(np.searchsorted(sweep.fp, left, side="right"))  # first block beyond the left end
    last = int(np.searchsorted(sweep.fp, right, side="left"))  # first block at or beyond the right end
    start, stop = height(sweep, left, first), height(sweep, right, last)
    if first >= last:  # both ends on one segment
        return (right - left) * (start + stop) / 2
    tp, fp = sweep.tp[first:last], sweep.fp[first:last]
    between = kernel.doubled_area(tp, fp) - tp[0].item() * fp[0].item()  # without the way from (0, 0)
    ends = (fp[0] - left) * (start + tp[0]) + (right - fp[-1]) * (tp[-1] + stop)
    return float(between + ends) / 2


def height(sweep: Sweep, fp: float, k: int) -> float:
    """Return TP at a place on the segment that ends in block ``k``."""
    t0, f0 = (float(sweep.tp[k - 1]), float(sweep.fp[k - 1])) if k else (0.0, 0.0)
    if k == len(sweep.fp) or sweep.fp[k] <= f0:
        return t0
    t1, f1 = float(sweep.tp[k]), float(sweep.fp[k])
    return t0 + (t1 - t0) * max(fp - f0, 0.0) / (f1 - f0)


def _chance(a: float, b: float, c: float, d: float) -> float:
    """Return the area of the diagonal within the region."""
    left, right = max(a, c), min(b, d)
    on_slope = (right - left) * ((left + right) / 2 - c) if right > left else 0.0  # mutants: adds 0
    return on_slope + (d - c) * max(b - max(a, d), 0.0)

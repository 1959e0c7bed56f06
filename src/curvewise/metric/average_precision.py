"""Average precision, and what ties do to it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Unpack, get_args

import numpy as np

from curvewise.arrays import Floats, Ints
from curvewise.core import kernel
from curvewise.core.sweep import Sweep, as_sweep
from curvewise.errors import CurvewiseError
from curvewise.metric import AREA
from curvewise.metric.bounds import outward
from curvewise.metric.registry import metric, read
from curvewise.rows.checks import one_of

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions

Ties = Literal["block", "expected", "optimistic", "pessimistic"]
PR_AREA = {**AREA, "chance": "prevalence", "perfect": 1.0, "needs": ("positives",)}
PR_AREA |= {"interval": "score", "trials": "positives", "unseen": ("negative", 0.5)}
DIRECT = 32.0  # from here on the asymptotic series is exact to the last digit  # mutants: work


def _influence(sweep: Sweep, **_: Ties) -> tuple[Floats, Floats]:
    """Return what one more positive, or negative, in each block adds: dAP/dw (ties in one block)."""
    tp, fp = sweep.tp.astype(np.float64), sweep.fp.astype(np.float64)
    pos, flagged, total = sweep.block_positives, tp + fp, float(sweep.positives)
    precision = tp / flagged
    value = float(np.sum(pos * precision)) / total

    def later(each: Floats) -> Floats:  # summed over this block and all below it
        return np.cumsum(each[::-1])[::-1]

    return (precision - value + later(pos * fp / flagged**2)) / total, -later(pos * tp / flagged**2) / total


def ends_in_bins(sweep: Sweep, *, ties: Ties = "block") -> tuple[float, float]:
    """Return the least and the greatest average precision over bins.

    At least: negatives of a bin first, then its positives one by one. At most: its positives first, all at once.
    """
    bins, pos, total = sweep.bins, sweep.block_positives, sweep.positives
    if bins is not None and bins.gained is not None and ties == "block":
        value = math.fsum(bins.gained) / total
        return value, value
    if ties != "block":
        tied = replace(sweep, bins=None)
        return outward(_of_sweep(tied, ties="pessimistic"), _of_sweep(tied, ties="optimistic"))
    mixed = np.zeros(len(pos), dtype=bool) if bins is None else bins.mixed & (pos > 0)
    tp, fp, before = sweep.tp[mixed], sweep.fp[mixed], (sweep.fp - sweep.block_negatives)[mixed]
    p, hits = pos[mixed], (sweep.tp - pos)[mixed]
    sure = math.fsum((pos * (sweep.tp / (sweep.tp + sweep.fp)))[~mixed & (pos > 0)])  # mutants: adds 0
    if pos.dtype.kind == "i":
        least = p - fp * _harmonic(hits + fp, p)  # the sum of (hits + i)/(hits + i + fp) for i = 1…p
    else:
        least = p - fp * np.log1p(np.divide(p, hits + fp, out=np.zeros(len(p)), where=fp > 0))
    most = p * (tp / (tp + before))
    return outward((sure + math.fsum(least)) / total, (sure + math.fsum(most)) / total)


def _of_counts(pos: Ints, neg: Ints, *, ties: Ties = "block") -> float | None:
    """Return average precision from counts per block, for resampling; None where rows of a block are ordered."""
    tp = np.cumsum(pos)
    if ties != "block" or not tp[-1]:
        return None
    used = np.flatnonzero(pos)  # blocks without positives add nothing
    hits = tp.take(used)
    return float(np.sum(pos.take(used) * (hits / (hits + np.cumsum(neg).take(used))))) / float(tp[-1])


@metric(
    "average_precision",
    aliases=("ap", "avg_precision"),
    **PR_AREA,
    influence=_influence,
    within=ends_in_bins,
    of_counts=_of_counts,
    place=1,
    reference="McSherry & Najork (2008) ECIR, LNCS 4956:414-421; Boyd, Eng & Page (2013) ECML, LNCS 8190:451-466",
    formula="Σ (p_k/P)·TP_k/(TP_k + FP_k)",
)
def _of_sweep(sweep: Sweep, *, ties: Ties = "block") -> float:
    if ties != "block":
        one_of("ties", ties, get_args(Ties))
    sweep.need_positives("Average precision")
    if not len(sweep.threshold):
        return 0.0  # positives without any score: none is found
    if ties == "block":
        return kernel.precision_sum(sweep.tp, sweep.fp) / sweep.positives
    if sweep.tp.dtype.kind == "f":
        raise CurvewiseError(
            f"ties={ties!r} orders whole rows, but these counts are fractional (weights, or another "
            "prevalence); use ties='block'."
        )
    pos, neg = sweep.block_positives, sweep.block_negatives
    used = pos > 0
    p, q = pos[used], neg[used]
    hits = sweep.tp[used] - p  # positives before the block
    before = hits + sweep.fp[used] - q  # rows before the block
    if ties == "pessimistic":
        before = before + q
    gains: Floats = (hits + 1) / (before + 1)
    tied = p + (q if ties == "expected" else 0) > 1  # mutants: one order
    h, b, k, m = hits[tied], before[tied], p[tied], (p + q)[tied]
    if ties == "expected":
        slope = (k - 1) / (m - 1)
        # (h + 1 + (i-1)·slope)/(b + i) = slope + (h + 1 - slope·(b + 1))/(b + i)
        gains[tied] = k / m * (m * slope + (h + 1 - slope * (b + 1)) * _harmonic(b, m))
    else:  # the sum of (h + i)/(b + i) for i = 1…k
        gains[tied] = k - (b - h) * _harmonic(b, k)
    return float(np.sum(gains)) / sweep.positives


def average_precision(y: object, score: object = None, *, ties: Ties = "block", **rows: Unpack[RowOptions]) -> float:
    """Return the average precision: the mean, over positives, of the precision at their rank.

    Parameters
    ----------
    y, score
        A `Sweep` alone, or labels and scores with the options of `curvewise.sweep`.
    ties
        How rows with one score are ordered. ``"block"`` (default, scikit-learn's): all at once.
        ``"expected"``: the mean over all random orders, in closed form. ``"optimistic"``: positives first.
        ``"pessimistic"``: negatives first. The last three order whole rows, so they take whole weights only.

    Notes
    -----
    AP = Σ ΔRecall · Precision over blocks. It depends on prevalence, which is also its value for a
    constant score. pessimistic ≤ expected ≤ optimistic always; block may lie anywhere.
    Expected: a block of n rows with p positives, after N rows with P positives, adds
    Σᵢ (p/n)·(P + 1 + (i-1)(p-1)/(n-1))/(N + i), over all positives.

    References
    ----------
    McSherry & Najork (2008) ECIR, LNCS 4956:414-421.

    Examples
    --------
    >>> import curvewise as cw
    >>> y, tied = [1, 1, 0, 0], [1, 1, 1, 1]
    >>> [round(cw.average_precision(y, tied, ties=t), 4)
    ...  for t in ("block", "expected", "optimistic", "pessimistic")]
    [0.5, 0.6806, 1.0, 0.4167]
    """
    return read("average_precision", as_sweep(y, score, rows), ties=ties)


def _harmonic(n: Ints, p: Ints) -> Floats:
    """Return H(n + p) - H(n) = Σ 1/(n + i), i = 1…p, to full relative precision."""
    low, high = n.astype(np.float64), (n + p).astype(np.float64)
    total = np.zeros(len(low))
    while (small := (low < DIRECT) & (low < high)).any():  # mutants: work
        total[small] += 1 / (low[small] + 1)
        low[small] += 1
    far = low < high
    # Euler-Maclaurin, as differences so that nothing cancels: ln(b/a) - ½(1/a - 1/b) + (1/a² - 1/b²)/12 - …
    a, b = low[far], high[far]
    gap, u, v = b - a, 1 / a, 1 / b
    series = np.log1p(gap / a) - gap * u * v / 2
    u2, v2 = u * u, v * v
    square = gap * u * v * (u + v)  # 1/a² - 1/b²
    series += square / 12 - square * (u2 + v2) / 120 + square * (u2 * u2 + u2 * v2 + v2 * v2) / 252
    total[far] += series
    return total

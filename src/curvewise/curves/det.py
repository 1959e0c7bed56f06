"""The detection error tradeoff: miss rate against false alarm rate, and where the two are equal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise.core.sweep import as_sweep
from curvewise.curves.base import Curve, Floats, Scores, from_zero, origin, thresholds_from_nothing
from curvewise.curves.hull import hull_places

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DetCurve(Curve, schema="det_curve"):
    """Points from (fpr 0, fnr 1) to (fpr 1, fnr 0); ``eer`` is the equal error rate on the hull."""

    points = ("fpr", "fnr", "threshold")
    fpr: Floats
    fnr: Floats
    threshold: Scores
    eer: float

    def axes(self) -> tuple[Floats, Floats]:
        """Return both rates as normal deviates, the scale a DET curve is drawn on."""
        from scipy.special import ndtri  # noqa: PLC0415 - slow to load, needed for drawing alone

        return ndtri(self.fpr), ndtri(self.fnr)


def det_curve(y: object, score: object = None, **rows: Unpack[RowOptions]) -> DetCurve:
    """Return the DET curve of a sweep, or of labels and scores.

    Takes a `Sweep` or `Rows` alone, or labels and scores with the options of `curvewise.sweep`.
    Unpacks as ``fpr, fnr, threshold``; ``axes()`` gives normal deviates for drawing, on which two
    equal-variance normal score distributions make a straight line.

    Notes
    -----
    FNR = 1 - TPR. The equal error rate is where FPR = FNR on the convex hull of the ROC curve: a rate
    that can really be reached, by one threshold or by mixing two at random. The crossing of
    the raw steps, which others report, depends on how the steps are joined.

    References
    ----------
    Martin et al. (1997) Eurospeech, 1895-1898. Brümmer & de Villiers (2013) arXiv:1304.2865.

    Examples
    --------
    >>> import curvewise as cw
    >>> cw.det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).eer
    0.25
    """
    sweep = as_sweep(y, score, rows)
    sweep.need_both_classes("A DET curve")
    fpr, fnr = from_zero(sweep.fp, sweep.negatives), 1 - from_zero(sweep.tp, sweep.positives)
    threshold = thresholds_from_nothing(sweep.threshold, sweep.higher_is)
    vertices = hull_places(sweep.tp, sweep.fp)
    k = int(np.argmax((fpr >= fnr)[vertices]))  # fpr rises and fnr falls: they cross just before  # mutants: gap of 0
    before, after = vertices[k - 1], vertices[k]
    gap0, gap1 = fnr[before] - fpr[before], fpr[after] - fnr[after]
    eer = float((fpr[before] * gap1 + fpr[after] * gap0) / (gap0 + gap1))
    return DetCurve(fpr=fpr, fnr=fnr, threshold=threshold, eer=eer, **origin(sweep))

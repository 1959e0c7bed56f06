"""The area under the ROC curve: the chance that a positive outranks a negative."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise import kernel
from curvewise._sweep import Sweep, refuse_rows_beside_sweep, sweep_of
from curvewise._validate import read_rows, refuse_unknown
from curvewise.areas.smooth import Smooth

if TYPE_CHECKING:
    from curvewise._validate import RowOptions


def roc_auc(y: object, score: object = None, **rows: Unpack[RowOptions]) -> float:
    """Return the area under the ROC curve.

    Parameters
    ----------
    y, score
        A `Sweep` or a smooth curve (`AnalyticRoc`, `BinormalRoc`) alone, or labels and scores with the
        options of `curvewise.sweep`.

    Returns
    -------
    float
        Exact: an integer count of pairs, divided once.

    Raises
    ------
    UndefinedMetricError
        If a class is absent.

    Notes
    -----
    AUC = P(S⁺ > S⁻) + ½ P(S⁺ = S⁻) = the area under the trapezoids = the mid-rank (Mann-Whitney)
    formula. 0.5 is chance. It weighs all false positive rates alike: where only low ones matter, see
    `curvewise.partial_roc_auc`. A score that ranks the wrong way round has an AUC below 0.5 and is
    not flipped: see ``higher_is``.

    References
    ----------
    Hanley & McNeil (1982) Radiology 143:29-36.

    Examples
    --------
    >>> import curvewise as cw
    >>> cw.roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    >>> cw.roc_auc([0, 1, 0, 1], [7, 7, 7, 7])
    0.5
    """
    if isinstance(y, Sweep | Smooth):
        refuse_rows_beside_sweep(score, rows)
        return _from_sweep(y) if isinstance(y, Sweep) else y.auc
    refuse_unknown(rows)
    read = read_rows(y, score, **rows)
    positives = int(np.count_nonzero(read.positive))
    negatives = len(read.positive) - positives
    if read.weight is not None or not positives or not negatives:
        return _from_sweep(sweep_of(read))
    wins = kernel.doubled_wins(read.score, read.positive, falling=read.higher_is == "positive")
    return wins / (2 * positives * negatives)


def _from_sweep(sweep: Sweep) -> float:
    sweep.need_both_classes("The area under the ROC curve")
    return kernel.doubled_area(sweep.tp, sweep.fp) / (2 * sweep.positives * sweep.negatives)

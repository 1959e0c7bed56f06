"""The Brier curve: what stated probabilities cost when they are used unchanged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise.core.probability import probability_sweep
from curvewise.curves.base import Curve, Floats, origin

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BrierCurve(Curve, schema="brier_curve"):
    """Loss against cost proportion, rising from 0 to 1: straight pieces, each with its two ends.

    Where one piece ends and the next begins, the loss jumps. ``area`` is the Brier score.
    """

    points = ("cost_proportion", "loss")
    cost_proportion: Floats
    loss: Floats
    area: float


def brier_curve(y: object, p: object = None, **rows: Unpack[RowOptions]) -> BrierCurve:
    """Return the Brier curve of labels and probabilities, or of a sweep of probabilities.

    Takes a `Sweep` or `Rows` alone, or labels and probabilities of the positive class in [0, 1], with the
    options of `curvewise.sweep`. Unpacks as ``cost_proportion, loss``; ``area`` is the Brier score.

    Notes
    -----
    With the cost proportion c = c_FP/(c_FP + c_FN), who believes p flags a row when p ≥ c. The loss is 2[c·FP
    + (1-c)·FN]/n, and its area over c is the Brier score, the mean of (p - y)². A cost curve shows what the
    best thresholds would reach; this one what those stated do. Where it rises above 2·min(c·(1-π), (1-c)·π),
    the cost of flagging all or none, the probabilities are worse than none: recalibrate them.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2011) ICML, 585-592.

    Examples
    --------
    >>> import curvewise as cw
    >>> c, loss = cw.brier_curve([0, 1], [0.25, 0.5])
    >>> c, loss
    (array([0.  , 0.25, 0.25, 0.5 , 0.5 , 1.  ]), array([0.  , 0.25, 0.  , 0.  , 0.5 , 0.  ]))
    >>> cw.brier_curve([0, 1], [0.25, 0.5]).area     # (0.25² + 0.5²)/2
    0.15625
    """
    sweep = probability_sweep(y, p, rows)
    t = sweep.threshold
    edges = np.concatenate([[0.0], t[::-1], [1.0]])
    fp = np.append(sweep.fp[::-1], 0)  # up to and at the lowest score all rows are flagged
    fn = sweep.positives - np.append(sweep.tp[::-1], 0)
    wide = edges[1:] > edges[:-1]
    ends = np.stack([edges[:-1][wide], edges[1:][wide]], axis=1)
    loss = 2 * (ends * fp[wide, None] + (1 - ends) * fn[wide, None]) / sweep.n
    squares = sweep.block_positives * (1 - t) ** 2 + sweep.block_negatives * t**2
    area = float(squares.sum() / sweep.n)
    return BrierCurve(cost_proportion=ends.ravel(), loss=loss.ravel(), area=area, **origin(sweep))

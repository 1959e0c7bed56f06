"""Cumulative gain and lift: what share of the positives the top share of the rows holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise.core.sweep import as_sweep
from curvewise.curves.base import Curve, Floats, Scores, from_zero, origin, thresholds_from_nothing

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LiftCurve(Curve, schema="lift_curve"):
    """Points from nothing flagged to everything flagged; lift is NaN where nothing is flagged."""

    points = ("predicted_rate", "gain", "lift", "threshold")
    predicted_rate: Floats
    gain: Floats
    lift: Floats
    threshold: Scores


def lift_curve(y: object, score: object = None, **rows: Unpack[RowOptions]) -> LiftCurve:
    """Return the cumulative gain and lift curve of a sweep, or of labels and scores.

    Takes a `Sweep` or `Rows` alone, or labels and scores with the options of `curvewise.sweep`.
    Unpacks as ``predicted_rate, gain, lift, threshold``.

    Notes
    -----
    predicted_rate = (TP + FP)/n, gain = TP/P, lift = gain/predicted_rate = precision/prevalence. "Call the
    top 10% and reach 40% of the buyers" is the point (0.1, 0.4), a lift of 4. Lift depends on
    prevalence: it cannot exceed 1/prevalence.

    Examples
    --------
    >>> import curvewise as cw
    >>> share, gain, lift, threshold = cw.lift_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> share, gain
    (array([0.  , 0.25, 0.5 , 0.75, 1.  ]), array([0. , 0.5, 0.5, 1. , 1. ]))
    >>> lift[1:].round(3)
    array([2.   , 1.   , 1.333, 1.   ])
    """
    sweep = as_sweep(y, score, rows)
    sweep.need_positives("A lift curve")
    share = from_zero(sweep.tp + sweep.fp, sweep.n)
    gain = from_zero(sweep.tp, sweep.positives)
    lift = np.full(len(gain), np.nan)
    np.divide(gain[1:], share[1:], out=lift[1:])
    threshold = thresholds_from_nothing(sweep.threshold, sweep.higher_is)
    return LiftCurve(predicted_rate=share, gain=gain, lift=lift, threshold=threshold, **origin(sweep))

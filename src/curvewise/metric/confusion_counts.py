"""Confusion tables of rows at a threshold, or of predicted labels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.core.confusion import Confusion
from curvewise.core.sweep import Sweep
from curvewise.rows.checks import threshold_for
from curvewise.rows.reading import Missing, RowOptions, as_rows, read_labels, refuse_beside

if TYPE_CHECKING:
    from numpy.typing import NDArray


def confusion(
    y: object, score: object = None, *, threshold: float, zero: float = math.nan, **rows: Unpack[RowOptions]
) -> Confusion:
    """Count the rows on either side of a threshold: positive means score ≥ threshold.

    Parameters
    ----------
    y, score
        A `Sweep` or `Rows` alone, or labels and scores with the options of `curvewise.sweep`. With ``higher_is="negative"``, positive
        means score ≤ threshold.
    threshold
        Where to cut. It is compared in the scores' own dtype, so that the float32 score 0.7 is at
        the threshold 0.7.
    zero
        What 0/0 is worth: NaN, 0 or 1; see `Confusion`.

    Examples
    --------
    >>> import curvewise as cw
    >>> c = cw.confusion([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], threshold=0.35)
    >>> c.tp, c.fp, c.fn, c.tn
    (2, 1, 0, 1)
    """
    if isinstance(y, Sweep):
        refuse_beside("A Sweep was", score, rows)
        return y.at(threshold, zero=zero)
    read = as_rows(y, score, rows)
    cut = threshold_for(read.score.dtype, threshold, falling=read.higher_is == "positive")
    flagged = read.score >= cut if read.higher_is == "positive" else read.score <= cut
    return _counted(read.positive, flagged, read.weight, zero, threshold, read.dropped)


def confusion_from_labels(
    y: object,
    predicted: object,
    *,
    weight: object = None,
    positive: object = None,
    missing: Missing = "raise",
    zero: float = math.nan,
) -> Confusion:
    """Compare true labels with predicted ones, where there is no score.

    Examples
    --------
    >>> import curvewise as cw
    >>> c = cw.confusion_from_labels(["ill", "well", "ill"], ["ill", "ill", "well"], positive="ill")
    >>> c.tp, c.fp, c.fn, c.tn
    (1, 1, 1, 0)
    """
    truth, guess, weights, dropped = read_labels(
        y, predicted, weight=weight, positive=positive, missing=missing
    )
    return _counted(truth, guess, weights, zero, None, dropped)


def _counted(
    positive: NDArray[np.bool_],
    flagged: NDArray[np.bool_],
    weight: NDArray[Any] | None,
    zero: float,
    threshold: float | None,
    dropped: int,
) -> Confusion:
    def total(mask: NDArray[np.bool_]) -> float:
        return int(np.count_nonzero(mask)) if weight is None else weight[mask].sum().item()

    return Confusion(
        tp=total(positive & flagged),
        fp=total(~positive & flagged),
        fn=total(positive & ~flagged),
        tn=total(~positive & ~flagged),
        zero=zero,
        threshold=threshold,
        dropped=dropped,
    )

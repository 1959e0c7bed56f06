"""Confusion tables of rows at a threshold, or of predicted labels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Bools
from curvewise.core.confusion import Confusion
from curvewise.core.sweep import Sweep
from curvewise.rows.checks import threshold_for
from curvewise.rows.reading import as_given, read_labels, refuse_beside

if TYPE_CHECKING:
    from curvewise.rows.rows import Missing, RowOptions


def confusion(
    y: object, score: object = None, *, threshold: float, zero: float = math.nan, **rows: Unpack[RowOptions]
) -> Confusion:
    """Count the rows on either side of a threshold: positive means score ≥ threshold.

    Parameters
    ----------
    y, score
        A `Sweep` or `Rows` alone, or labels and scores with the options of `curvewise.sweep`. With
        ``higher_is="negative"``, positive means score ≤ threshold.
    threshold
        Where to cut; compared in the scores' own dtype, so that the float32 score 0.7 is at 0.7.
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
    read = as_given(y, score, rows)
    cut = threshold_for(read.score.dtype, threshold, falling=read.higher_is == "positive")
    flagged = read.score >= cut if read.higher_is == "positive" else read.score <= cut
    cells = _cells(read.positive, flagged, read.weight)
    return Confusion(**cells, zero=zero, threshold=threshold, dropped=read.dropped)


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
    read = read_labels(y, predicted, weight=weight, positive=positive, missing=missing)
    truth, guess, weights, dropped = read
    return Confusion(**_cells(truth, guess, weights), zero=zero, dropped=dropped)


def _cells(positive: Bools, flagged: Bools, weight: NDArray[Any] | None) -> dict[str, float]:
    """Count rows, or their weight, in the four cells."""
    cells = {"tp": positive & flagged, "fp": ~positive & flagged}
    cells |= {"fn": positive & ~flagged, "tn": ~positive & ~flagged}
    if weight is None:
        return {name: int(np.count_nonzero(mask)) for name, mask in cells.items()}
    return {name: weight[mask].sum().item() for name, mask in cells.items()}

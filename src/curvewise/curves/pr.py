"""The precision-recall curve, whose points are joined by counts and never by straight lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise.core import kernel
from curvewise.core.keys import slices
from curvewise.core.sweep import as_sweep
from curvewise.core.threads import in_threads
from curvewise.curves.base import Curve, Floats, Scores, origin
from curvewise.errors import UndefinedMetricError
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PrCurve(Curve, schema="pr_curve"):
    """One point per block of tied scores, highest threshold first, with the counts behind it."""

    points = ("precision", "recall", "threshold")
    counts = ("tp", "fp")
    precision: Floats
    recall: Floats
    threshold: Scores
    tp: kernel.Counts
    fp: kernel.Counts
    average_precision: float

    @property
    def chance(self) -> float:
        """The precision of a score that knows nothing: the prevalence."""
        if self.negatives is None:
            raise UndefinedMetricError("Prevalence needs the number of negatives, which is unknown here.")
        return float(self.positives / (self.positives + self.negatives))

    def axes(self) -> tuple[Floats, Floats]:
        """Return recall and precision."""
        return self.recall, self.precision

    def precision_at(self, recall: float) -> float:
        """Return the precision at a recall, interpolating counts within a block.

        On the way through a block, true and false positives grow in proportion, as they do when its rows are
        taken in random order; precision is read from those counts (Davis & Goadrich 2006).

        Examples
        --------
        >>> import curvewise as cw
        >>> s = cw.Sweep.from_counts([2, 1], [6, 2], [0, 2], total_positives=10)
        >>> cw.pr_curve(s).precision_at(0.7)
        0.875
        """
        if not len(self):
            raise UndefinedMetricError("Precision at a recall is undefined: no positive has a score.")
        wanted = real("recall", recall, 0, float(self.recall[-1])) * self.positives
        fp = kernel.first_reach(self.tp, self.fp, wanted)
        # at recall 0 nothing may be flagged yet: precision is then the limit from the right
        return wanted / (wanted + fp) if wanted + fp else float(self.precision[0])


def pr_curve(y: object, score: object = None, **rows: Unpack[RowOptions]) -> PrCurve:
    """Return the precision-recall curve of a sweep, or of labels and scores.

    Takes a `Sweep` or `Rows` alone, or labels and scores with the options of `curvewise.sweep`.
    Unpacks as ``precision, recall, threshold``; ``precision_at`` interpolates.

    Notes
    -----
    Precision = TP/(TP + FP), recall = TP/P. Points run from the highest threshold down, one per block,
    with no invented point at recall 0 (scikit-learn runs upward and adds (0, 1)). A PR curve
    depends on prevalence: compare two only at the same one (``Sweep.at_prevalence``).

    References
    ----------
    Davis & Goadrich (2006) ICML, 233-240. Saito & Rehmsmeier (2015) PLoS ONE 10:e0118432.

    Examples
    --------
    >>> import curvewise as cw
    >>> precision, recall, threshold = cw.pr_curve([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8])
    >>> precision.round(3), recall
    (array([0.   , 0.5  , 0.667, 0.5  ]), array([0. , 0.5, 1. , 1. ]))
    """
    sweep = as_sweep(y, score, rows)
    sweep.need_positives("A precision-recall curve")
    size = len(sweep.tp)
    precision, recall = np.empty(size), np.empty(size)

    def write(here: slice) -> None:
        tp = sweep.tp[here]
        np.divide(tp, tp + sweep.fp[here], out=precision[here])
        np.divide(tp, sweep.positives, out=recall[here])

    in_threads(write, list(slices(size)), size)
    return PrCurve(
        precision=precision,
        recall=recall,
        average_precision=kernel.precision_sum(sweep.tp, sweep.fp) / sweep.positives,
        **{name: getattr(sweep, name) for name in ("threshold", "tp", "fp")},
        **origin(sweep),
    )

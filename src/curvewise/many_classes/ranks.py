"""Scores sorted once: sweeps of any weights, and all pairs of classes, are read from the order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.sweep import Sweep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Ranks:
    """Rows in falling order of score; ``ends`` are the places where a block of equal scores ends."""

    order: NDArray[Any]
    ends: NDArray[np.intp]
    threshold: NDArray[Any]

    def sweep(self, own: NDArray[np.bool_], weight: Counts | None, backend: str | None = None) -> Sweep:
        """Return the sweep of rows that are weighed in any way, without sorting again.

        ``own`` marks the positives, in the order of the ranks. Blocks whose rows all have weight 0 are left
        out.
        """
        threshold = self.threshold
        if weight is None:
            tp = np.cumsum(own)[self.ends]
            fp = self.ends + 1 - tp
        else:
            rows = weight[self.order]
            tp = np.cumsum(rows * own)[self.ends]
            fp = np.cumsum(rows * ~own)[self.ends]
            total = tp + fp
            used = np.append(total[0] > 0, total[1:] > total[:-1])
            if not used.all():
                threshold, tp, fp = threshold[used], tp[used], fp[used]
        return Sweep(
            threshold,
            tp,
            fp,
            positives=tp[-1].item(),
            negatives=fp[-1].item(),
            weighted=weight is not None,
            backend=backend,
        )

    def doubled_wins(self, truth: NDArray[np.intp], own: int, classes: int, weight: Counts | None) -> Counts:
        """Count the pairs of a row of class ``own`` and one of each class: 2 for own above, 1 for a tie."""
        rows = np.ones(len(truth), dtype=np.int64) if weight is None else weight
        label, rows = truth[self.order], rows[self.order]
        tp = np.cumsum(np.where(label == own, rows, 0))[self.ends]
        above = 2 * tp - np.diff(tp, prepend=0)
        size = np.diff(self.ends, prepend=-1)
        return np.bincount(label, np.repeat(above, size) * rows, classes)


def ranks(score: NDArray[Any]) -> Ranks:
    """Sort one column of scores."""
    order = np.argsort(score)[::-1]
    ranked = score[order]
    ends = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)
    threshold = ranked[ends] + ranked.dtype.type(0)  # -0.0 is 0.0
    small = len(score) < np.iinfo(np.int32).max
    return Ranks(order.astype(np.int32) if small else order, ends, threshold)

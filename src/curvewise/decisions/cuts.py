"""Every way to cut a sweep: flag nobody, then the rows at or above each threshold in turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.confusion import Confusion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep

    Counts = NDArray[Any]

EXACT = 2**62  # products of counts up to here are compared as int64


@dataclass(frozen=True, eq=False)
class Cuts:
    """Counts at each cut; place 0 flags nobody, place k everything down to the k-th threshold.

    ``up`` and ``down`` multiply positives and negatives where a prevalence is stated, else they are 1.
    """

    tp: Counts
    fp: Counts
    positives: float
    negatives: float
    prevalence: float | None = None
    threshold: NDArray[Any] | None = None

    @classmethod
    def of(cls, sweep: Sweep, prevalence: float | None) -> Cuts:
        """Read the cuts of a sweep."""
        tp, fp = (np.concatenate([np.zeros(1, dtype=c.dtype), c]) for c in (sweep.tp, sweep.fp))
        return cls(tp, fp, sweep.positives, sweep.negatives, prevalence, sweep.threshold)

    @property
    def n(self) -> float:
        """All rows."""
        return self.positives + self.negatives

    @property
    def up(self) -> float:
        """What one positive row counts for at the stated prevalence."""
        return 1 if self.prevalence is None else self.prevalence * self.n / self.positives

    @property
    def down(self) -> float:
        """What one negative row counts for at the stated prevalence."""
        return 1 if self.prevalence is None else (1 - self.prevalence) * self.n / self.negatives

    @property
    def alarms(self) -> Counts:
        """Rows flagged, in numbers of the stated prevalence."""
        return self.up * self.tp + self.down * self.fp

    def linear(self, gain: float, loss: float) -> Counts:
        """Return gain·TP − loss·FP: exact for whole numbers, as long as int64 holds them."""
        whole = self.tp.dtype.kind == "i" and isinstance(gain, int) and isinstance(loss, int)
        if whole and abs(gain) * int(self.positives) + abs(loss) * int(self.negatives) < EXACT:
            return gain * self.tp - loss * self.fp
        return float(gain) * self.tp - float(loss) * self.fp

    def at(self, place: int) -> Confusion:
        """Return the confusion table at one cut, at the stated prevalence."""
        counts = (self.tp[place].item(), self.fp[place].item(), self.positives, self.negatives)
        return confusion_of(*counts, prevalence=self.prevalence)


def confusion_of(
    tp: float, fp: float, positives: float, negatives: float, *, prevalence: float | None = None
) -> Confusion:
    """Return the table of these counts, the classes reweighted where a prevalence is stated."""
    missed, passed = max(positives - tp, 0), max(negatives - fp, 0)
    if prevalence is None or not (positives and negatives):
        return Confusion(tp=tp, fp=fp, fn=missed, tn=passed)
    n = positives + negatives
    up, down = prevalence * n / positives, (1 - prevalence) * n / negatives
    return Confusion(tp=tp * up, fp=fp * down, fn=missed * up, tn=passed * down)

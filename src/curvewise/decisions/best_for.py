"""For which costs the chosen point is the best one: its place on the ROC hull."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from curvewise.curves.hull import hull_places
from curvewise.errors import Note, note
from curvewise.results.result import Result

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.results.result import Table

Range = tuple[float, float]


@dataclass(frozen=True, repr=False)
class BestFor(Result):
    """The slopes, and the costs of a miss in false alarms, for which a point of the ROC curve is best.

    ``slope`` is (low, high) of the iso-cost lines that touch the curve here, None for a point below the hull
    (``reason`` says why); ``cost_ratio`` the same as c_FN/c_FP at ``prevalence``.
    """

    slope: Range | None
    cost_ratio: Range | None
    prevalence: float
    reason: Note | None = None

    @property
    def statement(self) -> Note:
        """The range in words, or why there is none."""
        if self.slope is None or self.cost_ratio is None:
            return self.reason or note("no_best_costs")
        few, many = self.cost_ratio
        code = "best_costs_from" if math.isinf(many) else "best_costs_to" if few == 0 else "best_costs"
        low, high = self.slope
        return note(code, few=few, many=many, prevalence=self.prevalence, low=low, high=high)

    def parts(self) -> list[Table | Note]:
        """Return the statement."""
        return [self.statement]

    def __str__(self) -> str:
        return f"{self.statement}."


def best_for(sweep: Sweep, place: int, prevalence: float) -> BestFor:
    """Find the segments of the hull that meet at a candidate."""
    vertices = hull_places(sweep.tp, sweep.fp)
    k = int(np.searchsorted(vertices, place))
    if vertices[k] != place:
        first, second = (str(sweep.threshold[v - 1]) for v in vertices[k - 1 : k + 1])
        if vertices[k - 1]:
            why = note("no_best_costs", first=first, second=second)
        else:
            why = note("no_best_costs_or_none", second=second)
        return BestFor(None, None, prevalence, why)
    steep = math.inf if k == 0 else _slope(sweep, int(vertices[k - 1]), place)
    flat = 0.0 if k == len(vertices) - 1 else _slope(sweep, place, int(vertices[k + 1]))
    odds = (1 - prevalence) / prevalence
    few, many = (odds / s if s else math.inf for s in (steep, flat))
    return BestFor((flat, steep), (few, many), prevalence)


def _slope(sweep: Sweep, start: int, stop: int) -> float:
    t, f = (c[stop - 1].item() - (c[start - 1].item() if start else 0) for c in (sweep.tp, sweep.fp))
    negatives = sweep.known_negatives("A slope of equal cost")
    return math.inf if f == 0 else (t * negatives) / (f * sweep.positives)

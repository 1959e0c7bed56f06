"""For which costs the chosen point is the best one: its place on the ROC hull."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.curves.hull import hull_places
from curvewise.results.numbers import json_safe, show

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep


@dataclass(frozen=True)
class BestFor:
    """The slopes, and the costs of a miss in false alarms, for which a point of the ROC curve is best.

    Attributes
    ----------
    slope
        (low, high) of the iso-cost lines that touch the curve here; None for a point below the hull.
    cost_ratio
        The same as c_FN/c_FP at ``prevalence``.
    reason
        Why there is no such range.
    """

    slope: tuple[float, float] | None
    cost_ratio: tuple[float, float] | None
    prevalence: float
    reason: str | None = None

    def __str__(self) -> str:
        if self.slope is None or self.cost_ratio is None:
            return f"{self.reason}."
        few, many = self.cost_ratio
        if math.isinf(many):
            costs = f"{show(few)} false alarms or more"
        elif few == 0:
            costs = f"{show(many)} false alarms or less"
        else:
            costs = f"{show(few)} to {show(many)} false alarms"
        return (
            f"The cheapest cut there is while a miss costs {costs}, at a prevalence of "
            f"{100 * self.prevalence:.4g} % (slopes {show(self.slope[0])} to {show(self.slope[1])})."
        )

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, JSON-safe."""
        pairs = {"slope": self.slope, "cost_ratio": self.cost_ratio}
        safe = {k: None if v is None else [json_safe(x) for x in v] for k, v in pairs.items()}
        return {**safe, "prevalence": self.prevalence, "reason": self.reason}


def best_for(sweep: Sweep, place: int, prevalence: float) -> BestFor:
    """Find the segments of the hull that meet at a cut."""
    vertices = hull_places(sweep.tp, sweep.fp)
    k = int(np.searchsorted(vertices, place))
    if vertices[k] != place:
        around = " and ".join(_named(sweep, int(v)) for v in vertices[k - 1 : k + 1])
        reason = f"No costs make this the single best cut: for any, one of {around} is at least as cheap"
        return BestFor(None, None, prevalence, reason)
    steep = math.inf if k == 0 else _slope(sweep, int(vertices[k - 1]), place)
    flat = 0.0 if k == len(vertices) - 1 else _slope(sweep, place, int(vertices[k + 1]))
    odds = (1 - prevalence) / prevalence
    ratio = tuple(0.0 if math.isinf(s) else odds / s if s else math.inf for s in (steep, flat))
    return BestFor((flat, steep), (ratio[0], ratio[1]), prevalence)


def _slope(sweep: Sweep, start: int, stop: int) -> float:
    t, f = (c[stop - 1].item() - (c[start - 1].item() if start else 0) for c in (sweep.tp, sweep.fp))
    return math.inf if f == 0 else (t * sweep.negatives) / (f * sweep.positives)


def _named(sweep: Sweep, place: int) -> str:
    return str(sweep.threshold[place - 1]) if place else "flagging nobody"

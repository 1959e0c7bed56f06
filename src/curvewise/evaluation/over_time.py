"""What the section on all horizons shows besides the numbers of `Survival`, each part computed when first asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from curvewise.censored.horizon import FEW
from curvewise.errors import UndefinedMetricError
from curvewise.probabilities.reliability import Reliability, reliability

if TYPE_CHECKING:
    from curvewise.censored.observed import RiskGroups
    from curvewise.censored.survival_result import Survival
    from curvewise.censored.time_curve import TimeCurve

MANY, POINTS, FEW_POINTS = 20_000, 40, 15  # rows, from which on AUC is shown at fewer times
BINS, FEW_BINS, ENOUGH = 10, 5, 500  # bins of equal count, fewer with fewer rows
CURVE = ("time", "value", "low", "high", "reference")


@dataclass(frozen=True, eq=False)
class OverTime:
    """All horizons, and the models that are shown one by one."""

    survival: Survival
    models: list[str]

    @cached_property
    def auc(self) -> dict[str, TimeCurve]:
        """AUC(t) by model over the times of events, without models for which it is undefined at all of them.

        Times with few rows that had the event by then, or few that are followed on, are left out where others remain:
        the curve only shows chance there.
        """
        time, event = self.survival.outcomes.time, self.survival.outcomes.event
        had, every, found = np.sort(time[event]), np.sort(time), {}
        for name in self.models:
            try:
                curve = self.survival.auc_curve(name, points=POINTS if len(time) < MANY else FEW_POINTS)
            except UndefinedMetricError:
                continue
            cases = np.searchsorted(had, curve.time, side="right")
            later = len(every) - np.searchsorted(every, curve.time, side="right")
            on = (cases >= FEW) & (later >= FEW)
            some = {k: getattr(curve, k)[on] for k in CURVE}
            found[name] = replace(curve, **some) if on.sum() > 1 else curve
        return found

    @cached_property
    def calibration(self) -> dict[float, dict[str, Reliability]]:
        """By horizon and model what was observed, by Kaplan–Meier, in bins of equal count of the probabilities."""
        found = self.survival
        bins = BINS if len(found.outcomes) >= ENOUGH else FEW_BINS
        asked = [(at, m) for at in found.horizons for m in self.models if found.predictions.has_probability(m, at)]
        each: dict[float, dict[str, Reliability]] = {}
        for at, model in asked:
            own = found.at(at, model)
            each.setdefault(at, {})[model] = reliability(own, bins=bins, binning="count", level=found.level)
        return each

    @cached_property
    def groups(self) -> dict[str, RiskGroups]:
        """By model what was observed over time in three groups of equal size of its risk score."""
        return {name: self.survival.risk_groups(name) for name in self.models}

    def key(self, at: float, place: int) -> str:
        """Return the key of the figure of calibration at a horizon, of the model at a place of the page."""
        return f"calibration_at:{place}-{self.survival.horizons.index(at)}"

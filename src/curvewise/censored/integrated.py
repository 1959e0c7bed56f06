"""A metric integrated over time, with the rule and the range in its name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from curvewise.arrays import Floats
from curvewise.errors import Note, UndefinedMetricError
from curvewise.results.numbers import exactly, percent
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.results.estimate import Estimate

Rule = Literal["trapezoid", "step", "step-from-zero"]
RULES: tuple[Rule, ...] = ("trapezoid", "step", "step-from-zero")


@dataclass(frozen=True, eq=False, repr=False)
class Integrated(Result, schema="integrated"):
    """A mean over time of a metric, by model.

    Attributes
    ----------
    metric
        ``"brier_loss"`` (the integrated Brier score) or ``"roc_auc"`` (the mean AUC).
    rule
        How times are weighed.
    start, stop, times
        The range, and how many times were taken in it.
    values
        By model, an `Estimate`.
    reference
        The same mean of a model that predicts the observed share for every row; None for the AUC.
    skill
        By model: 1 - value / reference, the integrated IPA; empty for the AUC.
    """

    metric: str
    rule: str
    start: float
    stop: float
    times: int
    values: dict[str, Estimate]
    reference: float | None = None
    skill: dict[str, float] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    @property
    def table(self) -> Table:
        """One row per model."""
        found = list(self.values.values())
        columns: dict[str, list[object]] = {"model": list(self.values)}
        columns |= {k: [getattr(e, k) for e in found] for k in ("value", "low", "high")}
        if self.skill:
            columns["skill"] = [self.skill[name] for name in self.values]
            columns["reference"] = [self.reference] * len(found)
        level = f"; {percent(found[0].level)} confidence" if found and found[0].has_interval else ""
        name = "Integrated Brier score" if self.metric == "brier_loss" else "Mean AUC"
        ends = f"{exactly(self.start)} to {exactly(self.stop)}"
        return Table(f"{name}, {self.rule}, {ends}, {self.times} times{level}", columns, self.backend)


def weights_of(times: Floats, rule: Rule) -> Floats:
    """Return how much each time counts in a mean over time.

    The trapezoid rule and the left step are divided by the length of the range; the step from zero takes the
    value before the first time as 0, and divides by the last time.
    """
    if len(times) < 2:
        raise UndefinedMetricError(f"An integral over time needs two times or more, got {len(times)}.")
    gap = np.diff(times)
    if rule == "trapezoid":
        both = np.append(gap, 0.0) + np.append(0.0, gap)
        return np.asarray(both / 2 / (times[-1] - times[0]))
    step = np.append(gap, 0.0)
    return np.asarray(step / (times[-1] - times[0] if rule == "step" else times[-1]))

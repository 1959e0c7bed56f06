"""What decisions cost that look at no score: to flag no row, or every row."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.rate import flagged_rows
from curvewise.decisions.choice import Rule, confusion_of
from curvewise.decisions.row_costs import COSTS
from curvewise.errors import Note, note
from curvewise.results.estimate import Estimate
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.decisions.operating_point import OperatingPoint
    from curvewise.decisions.row_costs import CostsOfRows

CHOICE, TRIVIAL = "cost", ("none", "every")


def stated_costs(rule: Rule) -> dict[str, Any] | None:
    """Return the costs that a rule was given, also as the risk at which one would act; None where it has none."""
    if rule.name == "max_net_benefit":
        p = float(rule.options["threshold_probability"])
        return {"fp": p, "fn": 1 - p}
    return {k: v for k, v in rule.options.items() if k in COSTS} if rule.name == "min_cost" else None


@dataclass(frozen=True, repr=False)
class DecisionCost(Result, schema="decision_cost"):
    """What a row costs on average by decisions, and what it would cost if all rows were treated alike.

    ``estimate`` is as expected on new rows, ``none`` and ``every`` are the cost of flagging no row and every row,
    ``least`` that of the cheapest decision for each row, ``rows`` how many rows there are, in ``unit``. ``ratio`` is
    how many false alarms a miss costs, by the averages of costs that differ by row.
    """

    estimate: Estimate
    none: float
    every: float
    least: float
    rows: float
    ratio: float
    unit: str = ""

    @property
    def total(self) -> float:
        """The cost of as many rows as there are."""
        return self.rows * self.estimate.value

    @property
    def saving(self) -> float:
        """The share of the best possible saving: 1 less the cost over that of the cheaper trivial decision.

        Both are counted from the cost of the cheapest decision for each row, which is 0 where right decisions cost
        nothing. Below 0 the trivial decision is cheaper; NaN where nothing can be saved.
        """
        most = min(self.none, self.every) - self.least
        return 1 - (self.estimate.value - self.least) / most if most > 0 else math.nan

    @property
    def statement(self) -> Note:
        """The cost in words."""
        named = f" {self.unit}" if self.unit else ""
        values = {"cost": self.estimate.value, "total": self.total, "rows": self.rows, "unit": named}
        values |= {"none": self.none, "every": self.every, "saving": self.saving}
        if self.estimate.has_interval:
            return note("decision_cost_between", **values, low=self.estimate.low, high=self.estimate.high)
        return note("decision_cost", **values)

    @property
    def table(self) -> Table:
        """One row per decision."""
        names = ("decision", "cost", "low", "high")
        e = self.estimate
        rows = [(CHOICE, e.value, e.low, e.high), ("none", self.none, None, None), ("every", self.every, None, None)]
        return Table(self.unit, dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def decision_cost(point: OperatingPoint, sweep: Sweep, by_row: CostsOfRows | None) -> DecisionCost | None:
    """Return what a row costs by the decisions of a rule that states costs."""
    costs, goal = stated_costs(point.rule), point.rule.goal
    if costs is None or point.rule.name != "min_cost" or math.isnan(point.prevalence):
        return None
    unit = str(point.rule.options.get("unit", ""))
    estimate = Estimate(goal, point.value, math.nan, math.nan, point.level, None)
    if point.optimism is not None and point.is_corrected:
        estimate = point.optimism.goal.corrected
    if by_row is None:
        share, every = point.prevalence, {"tp": 0.0, "tn": 0.0, **costs}
        least = share * min(every["tp"], every["fn"]) + (1 - share) * min(every["tn"], every["fp"])
        fixed = costs_of(point)
        return DecisionCost(estimate, fixed["none"], fixed["every"], least, sweep.n, ratio_of(costs), unit)
    if not point.is_corrected:
        nothing = np.zeros(len(by_row.rows), dtype=bool)
        each = by_row.of_rows(nothing if point.flags_nothing else flagged_rows(by_row.rows, point.threshold))
        ends = by_row.interval(point.value, each, point.level, point.value)
        estimate = Estimate(goal, point.value, *ends, point.level, "influence")
    return DecisionCost(estimate, *by_row.trivial(), sweep.n, ratio_of(by_row.typical()), unit)


def ratio_of(costs: Mapping[str, float]) -> float:
    """Return how many false alarms one miss costs."""
    gain, loss = (costs[wrong] - costs.get(right, 0) for wrong, right in (("fn", "tp"), ("fp", "tn")))
    return max(gain, 0) / loss if loss > 0 else math.inf


def costs_of(point: OperatingPoint, rates: Mapping[str, Estimate] | None = None) -> dict[str, float]:
    """Return what a row costs at the chosen threshold, if none is flagged, and if every one is.

    The rule was given costs; rates at the threshold are those expected on new rows, or others.
    """
    if point.rule.by_row and point.cost is not None:
        chosen = point.cost.estimate.value if rates is None else point.value
        return {CHOICE: chosen, "none": point.cost.none, "every": point.cost.every}
    share, costs, rates = point.prevalence, stated_costs(point.rule) or {}, rates or point.expected
    flagged = (rates["recall"].value, rates["fpr"].value), (0.0, 0.0), (1.0, 1.0)
    cells = (confusion_of(share * recall, (1 - share) * fpr, share, 1 - share) for recall, fpr in flagged)
    return dict(zip((CHOICE, *TRIVIAL), (c.expected_cost(**costs) for c in cells), strict=True))


def cheaper_trivial(costs: Mapping[str, float]) -> str:
    """Return the cheaper one of the two trivial decisions."""
    return min(TRIVIAL, key=costs.__getitem__)


def trivial_notes(point: OperatingPoint) -> tuple[Note, ...]:
    """Say so where a trivial decision is expected to cost no more than the chosen threshold."""
    if stated_costs(point.rule) is None or point.flags_nothing or math.isnan(point.prevalence):
        return ()
    costs = costs_of(point)
    best = cheaper_trivial(costs)
    return (note(f"trivial_{best}", cost=costs[CHOICE], trivial=costs[best]),) if costs[best] <= costs[CHOICE] else ()

"""What decisions cost that look at no score: to flag no row, or every row."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from curvewise.decisions.choice import Rule, confusion_of
from curvewise.errors import Note, note

if TYPE_CHECKING:
    from curvewise.decisions.operating_point import OperatingPoint
    from curvewise.results.estimate import Estimate

CHOICE, TRIVIAL = "cost", ("none", "every")


def stated_costs(rule: Rule) -> dict[str, float] | None:
    """Return the costs that a rule was given, also as the risk at which one would act; None where it has none."""
    if rule.name == "max_net_benefit":
        p = float(rule.options["threshold_probability"])
        return {"fp": p, "fn": 1 - p}
    return dict(rule.options) if rule.name == "min_cost" else None


def costs_of(point: OperatingPoint, rates: Mapping[str, Estimate] | None = None) -> dict[str, float]:
    """Return what a row costs at the chosen threshold, if none is flagged, and if every one is.

    The rule was given costs; rates at the threshold are those expected on new rows, or others.
    """
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

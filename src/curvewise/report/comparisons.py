"""Models compared by what matters for this use: costs, a limited range of false alarms, AUC and average precision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.decisions.compare_costs import compare_costs, costs_compared
from curvewise.inference.compare import compare
from curvewise.report.better import AP, AUC, COST, PARTIAL, fpr_limit, stated_costs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from curvewise.decisions.operating_point import OperatingPoint
    from curvewise.inference.comparison import Comparison
    from curvewise.report.evaluation_options import EvaluationOptions
    from curvewise.rows.rows import Rows


def comparisons_of(
    rows: Rows, points: Mapping[str, OperatingPoint | None], options: EvaluationOptions
) -> dict[str, Comparison]:
    """Compare models, given the threshold chosen for each; the comparison that decides comes first."""
    rule, found = options.rule, {}
    drawn: dict[str, Any] = {"level": options.level, "rng": options.seed, "replicates": options.replicates}
    costs: dict[str, Any] | None = stated_costs(rule)
    limit = fpr_limit(rule)
    if costs is not None:
        chosen = {name: point for name, point in points.items() if point is not None}
        if rule.name == "min_cost" and len(chosen) == len(points):
            found[COST] = costs_compared(rows, chosen, options.level)
        else:
            found[COST] = compare_costs(rows, None, **costs, prevalence=rule.prevalence, **drawn)
    if limit is not None:
        found[PARTIAL] = compare(rows, metric=PARTIAL, fpr=(0.0, limit), scale="mean", **drawn)
    found[AUC] = compare(rows, **drawn)
    found[AP] = compare(rows, metric=AP, **drawn)
    return found

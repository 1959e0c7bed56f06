"""Models compared by what matters for this use: costs, a limited range of false alarms, AUC and average precision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from curvewise.decisions.compare_costs import compare_costs, costs_compared
from curvewise.decisions.trivial import stated_costs
from curvewise.evaluation.answers.better import (
    AP,
    AUC,
    COST,
    PARTIAL,
    PICKED,
    Better,
    better_of,
    fpr_limit,
    picked_sentence,
)
from curvewise.inference.compare import compare, compare_in_family
from curvewise.inference.comparison import Comparison, in_one_family
from curvewise.inference.interval import intervals_of
from curvewise.metric.registry import find

if TYPE_CHECKING:
    from curvewise.decisions.operating_point import OperatingPoint
    from curvewise.evaluation.options import EvaluationOptions
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
    return found | areas_compared(rows, **drawn)


def decide(
    rows: Rows,
    comparisons: Mapping[str, Comparison],
    prevalence: float,
    limit: float | None = None,
    level: float = 0.95,
    **drawing: Any,
) -> Better:
    """Decide which model is better; of one that is picked among three or more, say how much that flatters it.

    The lower ends of k intervals of the level 1 - α/k hold together in 1 - α/2 of samples (Bonferroni), and with them
    that of the model picked, whichever it is. Its upper end needs no correction: to be picked a value must be high.
    """
    found = better_of(rows.models, comparisons, prevalence, limit)
    if not PICKED <= len(rows.models) > len(found.spoken_of):
        return found
    options = {PARTIAL: {"fpr": (0.0, limit), "scale": "mean"}}
    targets = [find(name).bind(options.get(name, {})) for name in found.by if name != COST]
    said = []
    for model in found.spoken_of:
        intervals = []
        for target in targets:
            wide, plain = (
                intervals_of([target], rows.of(model), level=1 - (1 - level) / k, **drawing)[target.name]
                for k in (len(rows.models), 1)
            )
            intervals.append(replace(plain, metric=target.metric.name, low=wide.low))
        said.append(picked_sentence(model, [comparisons[name] for name in found.by], intervals, limit))
    return replace(found, answers=(*found.answers, *said))


def areas_compared(rows: Rows, margin: float | None = None, **options: Any) -> dict[str, Comparison]:
    """Compare models by AUC and by average precision, corrected for the tests of both; a margin is one of AUC."""
    margins = {AUC: margin, AP: None}
    return in_one_family(*(compare_in_family(2, rows, metric=k, margin=m, **options) for k, m in margins.items()))

"""Which threshold to use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from curvewise.decisions.trivial import TRIVIAL, cheaper_trivial, stated_costs
from curvewise.errors import Note, Word, note
from curvewise.evaluation.answers.better import pair_values
from curvewise.evaluation.answers.ranking import has_skill
from curvewise.evaluation.shown import spoken_of

if TYPE_CHECKING:
    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.evaluation.two_classes import ModelEvaluation

ALIKE = 0.05  # a miss and a false alarm whose costs differ by less are said to count alike


def answer(evaluation: Evaluation) -> Iterator[Note]:
    """Say which threshold to use, or that none is better than flagging no row, or every row."""
    for model in spoken_of(evaluation):
        yield from trivial_of(model)
        if model.trivial is None or not has_skill(model):
            yield threshold_of(model)


def is_advised(model: ModelEvaluation) -> bool:
    """Whether a threshold is advised: the model has skill, and flagging no row, or every row, costs more."""
    return model.point is not None and has_skill(model) and model.trivial is None


def trivial_of(model: ModelEvaluation) -> list[Note]:
    """Say so where flagging no row, or every row, costs less than the threshold, or is not shown to cost more."""
    costs, point = model.beside_trivial, model.point
    if costs is None or point is None or not has_skill(model):
        return []
    best = cheaper_trivial(costs.values)
    pair = costs.pairs[TRIVIAL.index(best)]
    if pair.is_clear and model.trivial is None:
        return []
    values = pair_values(costs, pair, better_first=False)
    code = f"{'advise' if model.trivial else 'not_below'}_{best}"
    return [note(code, model=model.name, threshold=point.threshold, **values)]


def threshold_of(model: ModelEvaluation) -> Note:
    """Say which threshold to use, by which rule, and what it takes a miss to be worth; or why there is none."""
    point = model.point
    if not has_skill(model):
        return note("no_threshold_without_skill", model=model.name)
    if model.unmet is not None and model.unmet.code.startswith("guarantee_"):
        return note("guarantee_of_model", model=model.name, guarantee=model.unmet)
    if point is None:
        return note("no_threshold_meets_rule", model=model.name, rule=Word("rule", model.rule.name))
    values: dict[str, Any] = {"model": model.name, "rule": Word("rule", point.rule.name)}
    if point.flags_nothing:
        return note("threshold_none", **values)
    stated = stated_costs(point.rule) is not None
    alike = "_alike" if abs(point.cost_ratio - 1) < ALIKE else ""
    worth = note(f"miss_{'stated' if stated else 'implied'}{alike}", ratio=point.cost_ratio)
    side = "high" if point.higher_is == "positive" else "low"
    return note(f"threshold_{side}", threshold=point.threshold, worth=worth, **values)

"""What happens to cases at the threshold chosen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from curvewise.decisions.trivial import costs_of
from curvewise.errors import Note, note
from curvewise.evaluation.answers.ranking import has_skill
from curvewise.evaluation.shown import spoken_of

if TYPE_CHECKING:
    from curvewise.decisions.operating_point import OperatingPoint
    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.evaluation.two_classes import ModelEvaluation


def answer(evaluation: Evaluation) -> Iterator[Note]:
    """Say what the choice does to cases, and what it costs."""
    for model in spoken_of(evaluation):
        if model.point is None or not has_skill(model):
            continue
        if model.trivial is not None:
            yield note(f"then_{model.trivial}", model=model.name, prevalence=model.point.prevalence)
            continue
        yield consequence_of(model.name, model.point)
        yield from guarantee_of(model)
        if model.beside_trivial is not None:
            yield note("then_costs", model=model.name, **costs_of(model.point))


def guarantee_of(model: ModelEvaluation) -> list[Note]:
    """Say what the threshold keeps on new rows, where the rule asks for it."""
    point = model.point
    if point is None or point.guarantee is None:
        return []
    statement = point.guarantee.statement(point.threshold, point.higher_is)
    return [note("guarantee_of_model", model=model.name, guarantee=statement)]


def consequence_of(name: str, point: OperatingPoint) -> Note:
    """Say what a choice does to cases: new ones, where that is known."""
    values: dict[str, Any] = {"model": name, "prevalence": point.prevalence}
    if point.flags_nothing:
        return note("then_none", **values)
    rates = {metric: e.value for metric, e in point.expected.items()}
    right = point.prevalence * rates["recall"]
    shares = {"alarms": rates["predicted_rate"], "right": right, "missed": point.prevalence - right}
    values |= {metric: rates[metric] for metric in ("recall", "precision")}
    return note("then_new" if point.is_corrected else "then_here", **shares, **values)

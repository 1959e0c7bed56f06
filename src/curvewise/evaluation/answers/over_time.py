"""How well the scores rank over time, where outcomes are censored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.errors import Note, note
from curvewise.evaluation.shown import spoken_of

if TYPE_CHECKING:
    from curvewise.censored.survival_model import SurvivalModel
    from curvewise.evaluation.evaluation import Evaluation


def answer(evaluation: Evaluation) -> list[Note]:
    """Say it of every model that answers are about; nothing where outcomes are labels."""
    survival = evaluation.survival
    return [] if survival is None else [concordance_of_model(survival.models[m.name]) for m in spoken_of(evaluation)]


def concordance_of_model(model: SurvivalModel) -> Note:
    """Say how often the row with the higher score has its event first, or why that is not known."""
    e = model.concordance
    if not e.is_defined:
        return note("over_time_undefined", model=model.name, why=e.reason)
    values = {"model": model.name, "value": e.value, "level": e.level}
    if not e.has_interval:
        return note("over_time_value", **values)
    return note("over_time_concordance", ends=(e.low, e.high), **values)

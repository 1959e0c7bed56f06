"""Whether the probabilities can be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.errors import Note, note
from curvewise.evaluation.shown import spoken_of

if TYPE_CHECKING:
    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.evaluation.two_classes import ModelEvaluation


def answer(evaluation: Evaluation) -> list[Note]:
    """Say it of every model that answers are about."""
    return [trust_of(model) for model in spoken_of(evaluation)]


def trust_of(model: ModelEvaluation) -> Note:
    """Say whether the probabilities of a model can be trusted."""
    calibration = model.calibration
    if calibration is None:
        return note("not_probabilities", model=model.name)
    return note("recalibrate" if calibration.signs else "trust", model=model.name, verdict=calibration.verdict)

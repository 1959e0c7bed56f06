"""How well the scores rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.errors import Note, note
from curvewise.evaluation.answers.better import MOST

if TYPE_CHECKING:
    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.evaluation.two_classes import ModelEvaluation


def answer(evaluation: Evaluation) -> list[Note]:
    """Say which models rank better than chance."""
    models = list(evaluation.models.values())
    if len(models) < 2:
        return [ranking_of(model) for model in models]
    good, rest = [m for m in models if has_skill(m)], [m for m in models if not has_skill(m)]
    notes = [ranking_of(model) for model in rest[:MOST]]
    if len(rest) > MOST:
        notes.append(note("more_without_skill", more=len(rest) - MOST))
    if len(good) == 1:
        return [ranking_of(good[0]), *notes]
    areas = [m.estimates["roc_auc"].value for m in good]
    return [note("all_rank_better", models=len(good), low=min(areas), high=max(areas)), *notes] if good else notes


def has_skill(model: ModelEvaluation) -> bool:
    """Whether these rows show that a model ranks better than chance; without that no threshold is advised."""
    return model.estimates["roc_auc"].low > 0.5


def ranking_of(model: ModelEvaluation) -> Note:
    """Say whether a model ranks better than chance."""
    auc = model.estimates["roc_auc"]
    kind = "better" if has_skill(model) else "worse" if auc.high < 0.5 else "unclear"
    values = {"value": auc.value, "low": auc.low, "high": auc.high, "level": auc.level}
    return note(f"ranks_{kind}", model=model.name, **values)

"""How much the AUC varies over folds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from curvewise.errors import Note, note
from curvewise.evaluation.shown import spoken_of

if TYPE_CHECKING:
    from curvewise.evaluation.evaluation import Evaluation


def answer(evaluation: Evaluation) -> Iterator[Note]:
    """Say what the mean AUC over folds is, how it varies, and what pooling makes of it; nothing without folds."""
    if evaluation.folds is None:
        return
    for model in (evaluation.folds.models[m.name] for m in spoken_of(evaluation)):
        mean = model.mean
        values = {"model": model.model, "folds": len(evaluation.folds.folds), "value": mean.value}
        values["spread"] = model.spread
        if mean.has_interval:
            ends = {"low": mean.low, "high": mean.high, "level": mean.level}
            yield note("folds_mean", pooled=model.pooled, **ends, **values)
        else:
            yield note("folds_mean_alone", pooled=model.pooled, **values)

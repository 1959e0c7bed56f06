"""Whether the scores rank well at every site, and what to expect at a new one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from curvewise.errors import Note, note
from curvewise.evaluation.shown import spoken_of

if TYPE_CHECKING:
    from curvewise.breakdown.pooling import Pooled
    from curvewise.evaluation.evaluation import Evaluation


def answer(evaluation: Evaluation) -> Iterator[Note]:
    """Say it of every model that answers are about; nothing without sites."""
    for model in spoken_of(evaluation):
        pooled = evaluation.sites[model.name].pooled if model.name in evaluation.sites else None
        if pooled is not None:
            yield site_sentence(model.name, pooled, evaluation.options.level)


def site_sentence(name: str, pooled: Pooled, level: float) -> Note:
    """Say what the AUC is over all sites, and what to expect at a new one."""
    ends = {"low": pooled.low, "high": pooled.high, "level": level}
    new = {"new_low": pooled.prediction_low, "new_high": pooled.prediction_high}
    return note("sites_pooled", model=name, value=pooled.value, **ends, **new)

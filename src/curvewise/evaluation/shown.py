"""Which models answers and pages are about: those spoken of, those shown one by one, and their order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from curvewise.evaluation.answers.better import COST

if TYPE_CHECKING:
    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.evaluation.two_classes import ModelEvaluation
    from curvewise.inference.comparison import Comparison

FEW_MODELS, DETAILED = 6, 4  # so many all have figures of their own; of more models, so many of the best


def spoken_of(evaluation: Evaluation) -> list[ModelEvaluation]:
    """Return the models that the answers are about: the best; where that is not decided, all if they are few."""
    return [evaluation.models[name] for name in evaluation.better.spoken_of]


def page_order(evaluation: Evaluation) -> list[ModelEvaluation]:
    """Return the models in the order of the page: their own if they are few; of many the most promising first."""
    models = list(evaluation.models.values())
    if len(models) <= FEW_MODELS:
        return models
    best, deciding = evaluation.better.best, next(iter(evaluation.comparisons.values()))
    sign = 1 if deciding.metric == COST else -1
    rest = sorted((m for m in models if m.name not in best), key=lambda m: sign * deciding.values[m.name])
    return [*(evaluation.models[name] for name in best), *rest]


def detailed(evaluation: Evaluation) -> list[ModelEvaluation]:
    """Return the models that are shown one by one: all of few, of many the most promising."""
    models = page_order(evaluation)
    return models if len(models) <= FEW_MODELS else models[:DETAILED]


def shown_pairs(evaluation: Evaluation, comparison: Comparison) -> Comparison:
    """Return a comparison with the pairs of the models that are shown one by one, the most promising first."""
    order = {m.name: place for place, m in enumerate(detailed(evaluation))}
    pairs = [p for p in comparison.pairs if {p.first, p.second} <= set(order)]
    if len(order) < len(evaluation.models):
        pairs.sort(key=lambda p: sorted((order[p.first], order[p.second])))
    return replace(comparison, pairs=tuple(pairs))

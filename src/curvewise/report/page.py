"""What every section of the page is written from: the evaluation, its figures, a language."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.document.blocks import Block, Fold, Plate, Plates, Tabs, Text
from curvewise.report.better import fpr_limit
from curvewise.report.verdicts import of_model
from curvewise.results.numbers import json_safe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from curvewise.decisions.operating_point import OperatingPoint
    from curvewise.document.blocks import Grid
    from curvewise.document.embedded_svg import Figure
    from curvewise.errors import Note
    from curvewise.report.evaluation import Evaluation
    from curvewise.report.model_evaluation import ModelEvaluation
    from curvewise.words import Words

SIDE_BY_SIDE = 4  # figures of models in a row
FEW_NOTES = 2
NO_COSTS = {"fp": 1.0, "fn": 1.0, "tp": 0.0, "tn": 0.0}


@dataclass(frozen=True)
class Page:
    """An evaluation, its figures, and a language."""

    evaluation: Evaluation
    w: Words
    figures: dict[str, Figure] = field(default_factory=dict)

    @cached_property
    def models(self) -> list[ModelEvaluation]:
        """The models, in order."""
        return list(self.evaluation.models.values())

    @cached_property
    def names(self) -> list[str]:
        """The names of the models."""
        return list(self.evaluation.models)

    @property
    def level(self) -> float:
        """The confidence level of all intervals."""
        return self.evaluation.options.level

    @property
    def costs(self) -> dict[str, float]:
        """What each outcome costs; where nothing was said, a miss as much as a false alarm."""
        return {**NO_COSTS, **(self.evaluation.options.costs or {})}

    @property
    def prevalence(self) -> float | None:
        """The share of positives where the model will be used: as stated, else that of the rows."""
        stated = self.evaluation.options.prevalence
        return self.evaluation.data.get("prevalence") if stated is None else stated

    @cached_property
    def chosen(self) -> dict[int, OperatingPoint]:
        """The chosen thresholds, by the place of their model."""
        return {k: m.point for k, m in enumerate(self.models) if m.point is not None}

    @property
    def fpr_limit(self) -> float | None:
        """The highest false positive rate that the rule allows, where it limits it."""
        return fpr_limit(self.evaluation.options.rule)

    @property
    def whose(self) -> str:
        """Whose rates are shown at chosen thresholds: of ``"new"`` rows (corrected), or of those ``"here"``."""
        return "new" if self.chosen and all(p.is_corrected for p in self.chosen.values()) else "here"

    def plate(self, key: str, grid: Grid, model: str | None = None) -> Plate:
        """Return a figure, or its table alone where the figure was not drawn."""
        kind = key.partition(":")[0]
        title = self.w(f"figure.{kind}")
        if model is not None and len(self.models) > 1:
            title = self.w("figure.of", title=title, model=model)
        return Plate(self.figures.get(key), title, self.w(f"figure.{kind}.caption"), grid, key)

    def one_by_one(self, plates: list[Plate]) -> list[Block]:
        """Return a figure per model: side by side, or of many models one at a time."""
        if len(plates) <= SIDE_BY_SIDE:
            return [Plates(plates)] if plates else []
        tabs: list[tuple[str, list[Block]]] = [
            (model.name, [Plates([plate])]) for model, plate in zip(self.models, plates, strict=False)
        ]
        return [Tabs(self.w("page.models"), tabs)]

    def of_each(self, blocks: dict[str, list[Block]]) -> list[Block]:
        """Return what there is of each model, of several one at a time."""
        if len(blocks) == 1:
            return next(iter(blocks.values()))
        return [Tabs(self.w("page.models"), list(blocks.items()))]

    def folded_notes(self, said: Iterable[str]) -> list[Block]:
        """Return remarks on numbers, each once; many are folded."""
        notes: list[Block] = [Text(text, "note") for text in dict.fromkeys(said)]
        return [Fold(self.w("page.remarks", count=len(notes)), notes)] if len(notes) > FEW_NOTES else notes

    def left_out(self, part: str) -> list[Block]:
        """Say why a part, or a model in it, is missing."""
        title = self.w(f"part.{part}") + self.w("colon")
        return [
            Text(self.of_model(found), "note", title=title)
            for found in self.evaluation.left_out
            if found.values["part"] == part
        ]

    def answer(self, question: str) -> list[Block]:
        """Return the answer to a question, as the summary has it."""
        said = [v for v in self.evaluation.verdicts if v.question == question]
        return [Text(a.text(self.w.lang), "lead") for v in said for a in v.answers]

    def of_model(self, found: Note) -> str:
        """Return the sentence of a note, after the model that it speaks of."""
        return of_model(found).text(self.w.lang)

    def remarks(self, notes: Iterable[Note]) -> list[Block]:
        """Return notes as small paragraphs, each once."""
        return [Text(text, "note") for text in dict.fromkeys(n.text(self.w.lang) for n in notes)]

    def script_data(self) -> dict[str, Any]:
        """Return what the page's script needs: thresholds with rates, costs, places of figures, words."""
        rows = self.evaluation.rows
        plain = rows is not None and rows.is_plain and rows.weight is None
        return {
            "models": [self._thresholds(k) for k in range(len(self.models))],
            "costs": self.costs,
            "prevalence": self.evaluation.options.prevalence,
            "z": NormalDist().inv_cdf((1 + self.level) / 2) if plain else None,
            "figures": {f.id: {"key": key, "frames": f.frames} for key, f in self.figures.items()},
            "percent": self.w.numbers.percent,
            "between": self.w.numbers.between,
            "words": self.w.under("js."),
        }

    def _thresholds(self, place: int) -> dict[str, Any]:
        """Return the thresholds of a model, first the one that flags no row, with counts and rates."""
        model, point = self.models[place], self.chosen.get(place)
        sweep = model.thinned
        tp, fp = (np.append(0, c) for c in (sweep.tp, sweep.fp))
        with np.errstate(invalid="ignore"):
            precision = tp / (tp + fp)
        rule = None
        if point is not None:
            rule = int(np.flatnonzero((tp == point.confusion.tp) & (fp == point.confusion.fp))[0])
        found: dict[str, Any] = json_safe(
            {
                "place": place,
                "name": model.name,
                "threshold": [None, *sweep.threshold.tolist()],
                "tp": tp,
                "fp": fp,
                "recall": tp / sweep.positives,
                "fpr": fp / sweep.known_negatives("A rate"),
                "precision": precision,
                "positives": sweep.positives,
                "negatives": sweep.negatives,
                "higher": sweep.higher_is,
                "rule": rule,
                "thinned": len(sweep.threshold) < len(model.sweep.threshold),
                "distinct": len(model.sweep.threshold),
            }
        )
        return found

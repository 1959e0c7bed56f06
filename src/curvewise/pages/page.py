"""What every section of the page is written from: the evaluation, its figures, a language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.breakdown.threshold_policies import ThresholdPolicies, threshold_policies
from curvewise.document.blocks import Block, Fold, Grid, Plate, Plates, Tabs, Text
from curvewise.document.terminal import STOPS
from curvewise.evaluation.answers.caveats import of_model
from curvewise.evaluation.shown import detailed, page_order
from curvewise.pages.scores.explorer import MOST_GROUPS, cost_pair, digits_of, kept_cuts

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.decisions.operating_point import OperatingPoint
    from curvewise.document.embedded_svg import Figure
    from curvewise.errors import Note
    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.evaluation.two_classes import ModelEvaluation
    from curvewise.words import Words

SIDE_BY_SIDE = 4  # figures of models in a row
FEW_NOTES = 2
NO_COSTS = {"fp": 1.0, "fn": 1.0, "tp": 0.0, "tn": 0.0}


class PageParts:
    """What every page is written with: words, figures with their tables, and remarks."""

    w: Words
    figures: dict[str, Figure]

    @property
    def names(self) -> list[str]:
        """The names of the models."""
        raise NotImplementedError

    def plate(self, key: str, grid: Grid, model: str | None = None, **said: Any) -> Plate:
        """Return a figure, or its table alone where the figure was not drawn; ``said`` is what its caption tells."""
        kind = key.partition(":")[0]
        title = self.w(f"figure.{kind}")
        if model is not None and len(self.names) > 1:
            title = self.w("figure.of", title=title, model=model)
        return Plate(self.figures.get(key), title, self.w(f"figure.{kind}.caption", **said), grid, key)

    def one_by_one(self, plates: list[Plate]) -> list[Block]:
        """Return a figure per model: side by side, or of many models one at a time."""
        if len(plates) <= SIDE_BY_SIDE:
            return [Plates(plates)] if plates else []
        return [Tabs(self.w("page.models"), [(plate.title, [Plates([plate])]) for plate in plates])]

    def folded_notes(self, said: Iterable[str]) -> list[Block]:
        """Return remarks on numbers, each once; many are folded."""
        notes: list[Block] = [Text(text, "note") for text in dict.fromkeys(said)]
        return [Fold(self.w("page.remarks", count=len(notes)), notes)] if len(notes) > FEW_NOTES else notes

    def remarks(self, notes: Iterable[Note]) -> list[Block]:
        """Return notes as small paragraphs, each once."""
        return [Text(text, "note") for text in dict.fromkeys(self.sentence(n) for n in notes)]

    def sentence(self, found: Note) -> str:
        """Return a note as a sentence of its own: a name at its beginning stays as it is."""
        text, w = found.text(self.w.lang), self.w
        if not w.texts[f"note.{found.code}"].startswith("{"):
            text = text[:1].upper() + text[1:]
        return text if text.endswith(STOPS) else text + w("terminal.stop")


@dataclass(frozen=True)
class Page(PageParts):
    """An evaluation, its figures, and a language."""

    evaluation: Evaluation
    w: Words
    figures: dict[str, Figure] = field(default_factory=dict)

    @cached_property
    def models(self) -> list[ModelEvaluation]:
        """The models: in their own order, of many the most promising first."""
        return page_order(self.evaluation)

    @property
    def detailed(self) -> list[ModelEvaluation]:
        """The models that have figures and folds of their own: all of few, of many the best."""
        return detailed(self.evaluation)

    @cached_property
    def names(self) -> list[str]:
        """The names of the models."""
        return [m.name for m in self.models]

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

    @cached_property
    def policies(self) -> dict[int, ThresholdPolicies]:
        """What it takes to treat groups of the first column alike at the chosen threshold, by the model's place."""
        found = {}
        for place, point in self.chosen.items():
            groups = self.evaluation.groups.get(self.names[place])
            if groups is not None and not point.flags_nothing:
                first = next(iter(groups.breakdowns.values()))
                if 1 < len(first) <= MOST_GROUPS:
                    sweep = self.models[place].sweep
                    found[place] = threshold_policies(first, sweep, point.threshold, self.evaluation.options.prevalence)
        return found

    @cached_property
    def cuts(self) -> list[Sweep]:
        """The thresholds of every model that the page keeps."""
        return [kept_cuts(self, place) for place in range(len(self.models))]

    @cached_property
    def digits(self) -> list[list[int]]:
        """How many digits tell each of those thresholds from the ones beside it."""
        return [digits_of(sweep) for sweep in self.cuts]

    def threshold(self, place: int, value: float) -> str:
        """Write a threshold of a model short, with enough digits to tell it from those beside it on the page."""
        known = np.flatnonzero(self.cuts[place].threshold == value)
        return self.w.numbers.amount(value, self.digits[place][known[0]] if len(known) else 4)

    def costs_at(self, place: int) -> dict[str, float]:
        """Return the stated costs, or those that the choice of a model's threshold implies."""
        if self.evaluation.options.costs or place not in self.chosen:
            return self.costs
        return {**NO_COSTS, **cost_pair(self.chosen[place].cost_ratio)}

    @property
    def whose(self) -> str:
        """Whose rates are shown at chosen thresholds: of ``"new"`` rows (corrected), or of those ``"here"``."""
        return "new" if self.chosen and all(p.is_corrected for p in self.chosen.values()) else "here"

    def of_each(self, blocks: dict[str, list[Block]]) -> list[Block]:
        """Return what there is of each model, of several one at a time, the most promising first."""
        if len(blocks) == 1:
            return next(iter(blocks.values()))
        best = self.evaluation.better.best
        order = sorted(blocks, key=lambda name: best.index(name) if name in best else len(best))
        return [Tabs(self.w("page.models"), [(name, blocks[name]) for name in order])]

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

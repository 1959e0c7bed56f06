"""What the sections on scores of two classes are written from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from curvewise.document.blocks import Block, Section, Tabs, Text
from curvewise.evaluation.answers.caveats import of_model
from curvewise.evaluation.shown import detailed, page_order
from curvewise.pages.page import Page
from curvewise.pages.scores.baseline import baseline
from curvewise.pages.scores.caveats import caveats
from curvewise.pages.scores.data import data
from curvewise.pages.scores.explorer import cost_pair, digits_of, kept_cuts, script_data
from curvewise.pages.scores.folds import folds
from curvewise.pages.scores.groups import groups
from curvewise.pages.scores.over_time import over_time
from curvewise.pages.scores.probabilities import probabilities
from curvewise.pages.scores.ranking import comparison, ranking
from curvewise.pages.scores.sites import sites
from curvewise.pages.scores.summary import numbers, summary
from curvewise.pages.scores.threshold import explorer
from curvewise.results.numbers import exactly

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.decisions.operating_point import OperatingPoint
    from curvewise.document.embedded_svg import Figure
    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.evaluation.two_classes import ModelEvaluation
    from curvewise.figures.export import Drawing
    from curvewise.words import Words

NO_COSTS = {"fp": 1.0, "fn": 1.0, "tp": 0.0, "tn": 0.0}


@dataclass(frozen=True)
class ScorePage(Page):
    """An evaluation of scores of two classes, its figures, and a language."""

    sections: ClassVar[tuple[Callable[[Any], Section | None], ...]] = (
        *(summary, explorer, ranking, comparison, probabilities, over_time, groups, sites, folds, baseline),
        *(caveats, data),
    )
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
    def of(self) -> str:
        """What the page is about, by name."""
        return self.w("page.names", names=self.names or self.evaluation.options.scores)

    def facts(self) -> list[str]:
        """Return how many rows of which kind there are, and what is positive."""
        w, evaluation, options = self.w, self.evaluation, self.evaluation.options
        counted = "page.subtitle.weighted" if evaluation.data.get("weighted") else "page.subtitle"
        plain = bool(self.models) and evaluation.survival is None
        facts = [w(counted, **evaluation.data) if plain else evaluation.statement.text(w.lang)]
        if (outcome := options.outcome) is not None:
            facts.append(w("page.positive_by", event=outcome.event, at=exactly(outcome.main_horizon)))
        if self.models and options.label is not None:
            positive = options.reading.get("positive", 1)
            facts.append(w("page.positive", label=options.label, positive=str(positive)))
        return facts

    def numbers(self) -> list[Block]:
        """Return the numbers that matter, which the terminal shows, too."""
        return numbers(self)

    def drawings(self) -> dict[str, Drawing]:
        """Draw all figures, by the keys that the sections know."""
        from curvewise.pages.scores.drawings import drawings  # noqa: PLC0415 - needs matplotlib

        return drawings(self.evaluation, self.w.lang)

    def script_data(self) -> dict[str, Any]:
        """Return thresholds with counts, costs and words."""
        return script_data(self)

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
            Text(of_model(found).text(self.w.lang), "note", title=title)
            for found in self.evaluation.left_out
            if found.values["part"] == part
        ]

    def answer(self, question: str) -> list[Block]:
        """Return the answer to a question, as the summary has it."""
        said = [v for v in self.evaluation.verdicts if v.question == question]
        return [Text(a.text(self.w.lang), "lead") for v in said for a in v.answers]

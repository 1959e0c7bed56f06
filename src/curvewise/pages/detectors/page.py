"""What the sections on detectors are written from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Block, Grid, Plate, Tabs, Text
from curvewise.pages.detectors.caveats import caveats
from curvewise.pages.detectors.data import data
from curvewise.pages.detectors.explorer import script_data
from curvewise.pages.detectors.groups import groups
from curvewise.pages.detectors.mistakes import mistakes
from curvewise.pages.detectors.probabilities import scores
from curvewise.pages.detectors.ranking import quality
from curvewise.pages.detectors.summary import summary
from curvewise.pages.detectors.threshold import threshold
from curvewise.pages.page import Page

if TYPE_CHECKING:
    from curvewise.document.embedded_svg import Figure
    from curvewise.evaluation.detector import DetectorEvaluation
    from curvewise.evaluation.detectors import DetectionEvaluation
    from curvewise.figures.export import Drawing
    from curvewise.words import Words

DETAILED = 4  # detectors with figures and tables of their own: of more, the best


@dataclass(frozen=True)
class DetectionPage(Page):
    """An evaluation of detectors, its figures, and a language."""

    sections = (summary, threshold, quality, mistakes, scores, groups, caveats, data)
    heading = "detection.page.title"
    styles = (*Page.styles, "charts.css", "detection.css")
    scripts = ("page.js", "charts.js", "figures.js", "detection.js")
    evaluation: DetectionEvaluation
    w: Words
    figures: dict[str, Figure] = field(default_factory=dict)

    @cached_property
    def names(self) -> list[str]:
        """The names of the detectors."""
        return list(self.evaluation.detectors)

    @property
    def first(self) -> DetectorEvaluation:
        """The first detector: what the images and objects are read from."""
        return self.evaluation.detectors[self.names[0]]

    @cached_property
    def detailed(self) -> list[DetectorEvaluation]:
        """The detectors that are shown one by one: all of few, of many those with the greatest AP."""
        found = list(self.evaluation.detectors.values())
        best = sorted(found, key=lambda d: -_ap(d))[:DETAILED]
        return [d for d in found if d in best]

    @property
    def leader(self) -> str:
        """The detector with the greatest AP, which is shown first."""
        return max(self.evaluation.detectors.values(), key=_ap).name

    def facts(self) -> list[str]:
        """Return how many images, objects and classes there are."""
        m = self.first.matched
        sizes = {"images": len(m.images), "truths": int(m.counting[:, 0].sum())}
        return [self.w("detection.page.subtitle", **sizes, classes=len(self.first.sweeps))]

    def drawings(self) -> dict[str, Drawing]:
        """Draw all figures, by the keys that the sections know."""
        from curvewise.pages.detectors.drawings import drawings  # noqa: PLC0415 - needs matplotlib

        return drawings(self.evaluation, self.detailed, self.w.lang)

    def script_data(self) -> dict[str, Any]:
        """Return thresholds with counts, of all classes and of each, and words."""
        return script_data(self)

    def place(self, name: str) -> int:
        """Return the place of a detector, which decides its colour."""
        return self.names.index(name)

    def plate(self, key: str, grid: Grid, model: str | None = None, **said: Any) -> Plate:
        """Return a figure, with its table under its own title: the same numbers may stand beside it, too."""
        found = super().plate(key, grid, model, **said)
        return replace(found, grid=replace(grid, caption=found.title))

    def answer(self, question: str) -> list[Block]:
        """Return the answer to a question, as the summary has it."""
        return [Text(self.sentence(said), "lead") for said in self.evaluation.answers.get(question, ())]

    def of_each(self, blocks: dict[str, list[Block]]) -> list[Block]:
        """Return what there is of each detector, of several one at a time."""
        if len(blocks) < 2:
            return next(iter(blocks.values()), [])
        return [Tabs(self.w("detection.page.detectors"), list(blocks.items()))]


def _ap(detector: DetectorEvaluation) -> float:
    found = detector.summary.numbers["ap"]
    return found.value if found.is_defined else -1.0

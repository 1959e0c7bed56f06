"""The report of detectors as one page: what its sections are written from, and what writes it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from curvewise.detection.numbers.per_class import class_sweeps
from curvewise.document.blocks import Block, Grid, Plate, Section, Tabs, Text
from curvewise.document.embedded_svg import Figure, embedded
from curvewise.document.html import STYLES, HtmlPage, render_html
from curvewise.pages.detectors.closing import caveats, data
from curvewise.pages.detectors.drawings import detection_drawings
from curvewise.pages.detectors.explorer import script_data
from curvewise.pages.detectors.groups import groups
from curvewise.pages.detectors.mistakes import mistakes
from curvewise.pages.detectors.probabilities import scores
from curvewise.pages.detectors.ranking import quality
from curvewise.pages.detectors.summary import summary
from curvewise.pages.detectors.threshold import threshold
from curvewise.pages.page import PageParts
from curvewise.pages.render import made_by, put_page
from curvewise.rows.checks import one_of
from curvewise.words import LANGS, Lang, Words, words

if TYPE_CHECKING:
    from os import PathLike

    from curvewise.core.sweep import Sweep
    from curvewise.evaluation.detectors import DetectionEvaluation, DetectorEvaluation

# in the order of a reader's questions
SECTIONS = (summary, threshold, quality, mistakes, scores, groups, caveats, data)
SCRIPTS = ("page.js", "charts.js", "figures.js", "detection.js")
DETAILED = 4  # detectors with figures and tables of their own: of more, the best


@dataclass(frozen=True)
class DetectionPage(PageParts):
    """An evaluation of detectors, its figures, and a language."""

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
        return detailed(self.evaluation)

    @property
    def leader(self) -> str:
        """The detector with the greatest AP, which is shown first."""
        return max(self.evaluation.detectors.values(), key=_ap).name

    @cached_property
    def sweeps(self) -> dict[str, dict[Any, Sweep]]:
        """The sweep of every class with an object, by detector."""
        iou = self.evaluation.options.iou
        return {name: class_sweeps(d.matched, iou) for name, d in self.evaluation.detectors.items()}

    @cached_property
    def pooled(self) -> dict[str, Sweep]:
        """The sweep of all classes together, by detector."""
        iou = self.evaluation.options.iou
        return {name: d.matched.sweep(iou=iou) for name, d in self.evaluation.detectors.items()}

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


def detailed(evaluation: DetectionEvaluation) -> list[DetectorEvaluation]:
    """Return the detectors that are shown one by one: all of few, of many those with the greatest AP."""
    found = list(evaluation.detectors.values())
    best = sorted(found, key=lambda d: -_ap(d))[:DETAILED]
    return [d for d in found if d in best]


def _ap(detector: DetectorEvaluation) -> float:
    found = detector.summary.numbers["ap"]
    return found.value if found.is_defined else -1.0


def write_detection_page(
    evaluation: DetectionEvaluation,
    path: str | PathLike[str],
    *,
    lang: str = "en",
    force: bool = False,
    title: str | None = None,
    author: str | None = None,
) -> None:
    """Check where the page may go, make it, and put it there whole or not at all."""
    put_page(
        path,
        None,
        lambda: render_detection_page(evaluation, lang, title=title, author=author),
        lang=lang,
        force=force,
    )


def render_detection_page(
    evaluation: DetectionEvaluation,
    lang: str = "en",
    *,
    title: str | None = None,
    author: str | None = None,
    made: date | None = None,
) -> str:
    """Return the page of an evaluation of detectors, with all its figures.

    Parameters
    ----------
    evaluation
        What `curvewise.detection.evaluate` returned.
    lang
        ``"en"``, ``"zh"`` or ``"zh-general"``.
    title, author, made
        What stands above the report, who made it, and when: by default a title of its own, nobody, today.
    """
    one_of("lang", lang, LANGS)
    spoken = cast("Lang", lang)
    w = words(spoken)
    drawn, sheet = embedded(detection_drawings(evaluation, detailed(evaluation), spoken))
    page = DetectionPage(evaluation, w, drawn)
    names = w("page.names", names=page.names)
    m = page.first.matched
    sizes = {"images": len(m.images), "truths": int(m.counting[:, 0].sum()), "classes": len(page.sweeps[page.names[0]])}
    written = (write(page) for write in SECTIONS)
    return render_html(
        HtmlPage(
            title=title or w("detection.page.title.of", names=names),
            heading=title or w("detection.page.title"),
            facts=[names, w("detection.page.subtitle", **sizes), *made_by(w, author, made or date.today())],
            sections=[section for section in written if isinstance(section, Section)],
            sheet=sheet,
            data=script_data(page),
            styles=(*STYLES, "charts.css", "detection.css"),
            scripts=SCRIPTS,
        ),
        spoken,
    )

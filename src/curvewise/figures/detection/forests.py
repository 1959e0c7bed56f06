"""Average precision by class, by overlap, by size and by group of images, each with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.detection.numbers.breakdown import AREA, IOU, DetectionGroups
from curvewise.figures.forest import by_model, row_of
from curvewise.figures.forest_rows import Row, draw_rows
from curvewise.figures.legend import FigureWords, models, panel
from curvewise.figures.registry import draws
from curvewise.figures.style import MARKERS
from curvewise.results.text import visible
from curvewise.words import Lang, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.detection.numbers.per_class import ClassTable
    from curvewise.detection.numbers.summary import DetectionSummary
    from curvewise.detection.resampling.class_differences import ClassDifferences
    from curvewise.figures.legend import Ax, Labels, Many


@draws("ClassTable")
def draw_class_table(
    tables: Many[ClassTable],
    *,
    most: int | None = None,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw AP of each class, the lowest first (of several detectors by the first), with a line at the mean.

    Classes without objects have none and are left out; ``most`` shows the lowest of many. Several detectors by name
    become panels side by side. Other options as in `draw_roc`.
    """
    say, several = FigureWords(lang, labels), models(tables)
    first = {row.name: row.ap.value for row in several[0].result.rows if row.ap.is_defined}
    order = sorted(first, key=lambda name: first[name])[:most]
    found = []
    for model in several:
        own = {row.name: row for row in model.result.rows}
        rows = [row_of(str(name), own[name].ap, n=own[name].truths) for name in order]
        values = [row.ap.value for row in own.values() if row.ap.is_defined]
        found.append((model, rows, float(np.mean(values)) if values else None))
    return by_model(found, ax, say, say["ap"], style)


@draws("ClassDifferences")
def draw_class_differences(
    found: ClassDifferences, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw the difference of two detectors in each class, first minus second, with a line at 0; see `draw_roc`."""
    say = FigureWords(lang, labels)
    both = zip(found.classes, found.differences, strict=True)
    rows = [row_of(str(name), e, decimals=3) for name, e in both]
    title = say["difference"].format(metric=say.metric(found.metric))
    return draw_rows(rows, ax, say, f"{title}: {visible(found.first)} − {visible(found.second)}", style, 0.0)


@draws("DetectionEvaluation")
def draw_detection_evaluation(
    evaluation: Any, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw AP of each class of every detector of a `DetectionEvaluation`; see `draw_class_table`."""
    tables = {name: d.per_class for name, d in evaluation.detectors.items()}
    some = tables if len(tables) > 1 else next(iter(tables.values()))
    return draw_class_table(some, ax=ax, labels=labels, lang=lang, **style)


@draws("DetectionSummary")
def draw_detection_summary(
    summary: DetectionSummary, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw the numbers that sum up a detector with their intervals; options as in `draw_roc`."""
    say = FigureWords(lang, labels)
    rows = [row_of(name.upper().replace("_", " "), e, decimals=3) for name, e in summary.numbers.items()]
    return draw_rows(rows, ax, say, say["value"], style)


@draws("DetectionGroups")
def draw_detection_groups(
    groups: Many[DetectionGroups], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw AP of each group of images or size of objects, all together as a line; by overlap, as a curve.

    Several detectors by name become panels side by side, or curves. Options as in `draw_roc`.
    """
    say, several = FigureWords(lang, labels), models(groups)
    if several[0].result.column == IOU:
        return _by_iou(groups, ax, labels, lang, style)
    found = [
        (m, [_group_row(g, m.result.column, lang) for g in m.result.groups], m.result.overall.value) for m in several
    ]
    return by_model(found, ax, say, say["ap"], style)


def _group_row(group: Any, column: str, lang: Lang) -> Row:
    """Return the line of a group: of images with their number, of sizes in the reader's words."""
    if column == AREA:
        return row_of(words(lang).known("detection.size", str(group.name)), group.ap)
    return row_of(str(group.name), group.ap, n=group.images)


def _by_iou(groups: Many[DetectionGroups], ax: Ax, labels: Labels, lang: Lang, style: dict[str, Any]) -> Axes:
    with panel(groups, ax, labels, lang, 0.85) as (axes, several, say):
        for model in several:
            found = model.result.groups
            x = np.array([float(g.name) for g in found])
            y, low, high = (np.array([getattr(g.ap, k) for g in found]) for k in ("value", "low", "high"))
            if np.isfinite(low).any():
                axes.fill_between(x, low, high, **model.area())
            dots = {"marker": MARKERS[model.place % len(MARKERS)], "markersize": 3}
            model.draw(axes, {**dots, **style}, points=(x, y))
        axes.set(ylim=(-0.015, 1.015), xlabel=say["iou"], ylabel=say["ap"])
    return axes

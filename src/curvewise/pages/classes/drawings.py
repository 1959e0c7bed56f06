"""Every figure of a report on many classes, drawn from the parts of an evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from curvewise.figures.classes import draw_class_pr, draw_class_reliability, draw_class_roc, draw_confusion_matrix
from curvewise.figures.forest import draw_groups
from curvewise.pages.drawn import drawn_rows

if TYPE_CHECKING:
    from curvewise.evaluation.many_classes import ClassEvaluation
    from curvewise.figures.export import Drawing
    from curvewise.pages.drawn import Row


def drawings(classes: ClassEvaluation, lang: str) -> dict[str, Drawing]:
    """Return the figures by the keys that the page knows; one that the data do not define is absent."""
    return drawn_rows(_rows(classes), lang)


def _rows(classes: ClassEvaluation) -> Iterator[Row]:
    ranked = classes.rows.ready is not None
    row: Row = {"confusion_matrix": partial(draw_confusion_matrix, classes.rows.matrix)}
    yield {**row, "class_roc": partial(draw_class_roc, classes.roc)} if ranked else row
    row = {"class_pr": partial(draw_class_pr, classes.pr)} if ranked else {}
    if classes.reliability:
        row["class_reliability"] = partial(draw_class_reliability, classes.reliability)
    yield row
    if classes.groups is not None:
        row = {"class_groups": partial(draw_groups, classes.groups, "accuracy")}
        yield {**row, "class_groups_auc": partial(draw_groups, classes.groups, "roc_auc")} if ranked else row

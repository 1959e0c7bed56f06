"""Every figure of a report about detectors, drawn from the parts of an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from curvewise.figures.detection.curves import draw_f_curve, draw_froc, draw_matched
from curvewise.figures.detection.forests import draw_class_table, draw_detection_groups
from curvewise.figures.detection.mistakes import draw_detection_confusion, draw_detection_errors
from curvewise.figures.forest import draw_difference
from curvewise.figures.legend import SomeModels
from curvewise.figures.reliability import draw_reliability
from curvewise.figures.scores import draw_distribution
from curvewise.pages.drawn import drawn_rows
from curvewise.words import Lang, words

if TYPE_CHECKING:
    from curvewise.detection.numbers.breakdown import DetectionGroups
    from curvewise.evaluation.detector import DetectorEvaluation
    from curvewise.evaluation.detectors import DetectionEvaluation
    from curvewise.figures.export import Drawing
    from curvewise.pages.drawn import Row

BREAKDOWNS = {"detection_iou": "overlaps", "detection_size": "sizes"}  # figures, and parts of a detector
MOST_CLASSES = 20  # lines of the forest of classes


def drawings(evaluation: DetectionEvaluation, detailed: list[DetectorEvaluation], lang: Lang) -> dict[str, Drawing]:
    """Return the figures by the keys that the page knows; one that the data do not define is absent."""
    return drawn_rows(_rows(evaluation, detailed, lang), lang)


def _rows(evaluation: DetectionEvaluation, detailed: list[DetectorEvaluation], lang: Lang) -> Iterator[Row]:
    every, names = list(evaluation.detectors.values()), list(evaluation.detectors)
    options = evaluation.options

    def of(detectors: list[DetectorEvaluation], part: Callable[[DetectorEvaluation], Any]) -> Any:
        """Return a part of each detector: by name, or alone where there is one, which then has no legend."""
        found = {d.name: part(d) for d in detectors}
        return SomeModels(found, names) if len(names) > 1 else found[names[0]]

    yield {
        "detection_f": partial(draw_f_curve, of(every, lambda d: d.f_curve)),
        "detection_froc": partial(draw_froc, of(every, lambda d: d.froc), point={d.name: d.at.pooled for d in every}),
    }
    classes = partial(draw_class_table, of(detailed, lambda d: d.per_class), most=MOST_CLASSES)
    yield {"detection_classes": classes}
    yield {
        f"detection_pr:{names.index(d.name)}": partial(draw_matched, d.matched, iou=options.iou, threshold=d.threshold)
        for d in detailed
    }
    parts = {key: part for key, part in BREAKDOWNS.items() if getattr(every[0], part) is not None}
    yield {key: partial(draw_detection_groups, of(every, attrgetter(part))) for key, part in parts.items()}
    if evaluation.comparison is not None:
        yield {"detection_difference": partial(draw_difference, evaluation.comparison)}
    yield {"detection_errors": partial(draw_detection_errors, of(every, lambda d: d.errors))}
    yield {
        f"detection_confusion:{names.index(d.name)}": partial(draw_detection_confusion, d.confusion) for d in detailed
    }
    yield _scores(detailed, names, lang)
    for place, column in enumerate(options.by):
        yield {f"detection_groups:{place}": partial(draw_detection_groups, of(detailed, partial(_groups, column)))}


def _scores(detailed: list[DetectorEvaluation], names: list[str], lang: Lang) -> Row:
    w = words(lang)
    row: Row = {}
    stated = {d.name: d.reliability for d in detailed if d.reliability is not None}
    if stated:
        spread = {d.name: d.pooled for d in detailed}
        said = {"observed": "share_right", "rows": "boxes"}
        labels = {"probability": w("detection.column.score"), **{k: w(f"figure.word.{v}") for k, v in said.items()}}
        curves: Any = SomeModels(stated, names) if len(names) > 1 else stated[names[0]]
        shown: Any = spread if len(names) > 1 else spread[names[0]]
        row["detection_reliability"] = partial(draw_reliability, curves, histogram=shown, labels=labels)
    labels = {"positives": "right_boxes", "negatives": "wrong_boxes", "share_of_class": "share_of_boxes"}
    labels = {"score": w("detection.column.score"), **{k: w(f"figure.word.{v}") for k, v in labels.items()}}
    for d in detailed:
        if len(d.matched.found):
            draw = partial(draw_distribution, d.score_counts, threshold=d.threshold, labels=labels)
            row[f"detection_scores:{names.index(d.name)}"] = draw
    return row


def _groups(column: str, detector: DetectorEvaluation) -> DetectionGroups:
    return detector.groups[column]

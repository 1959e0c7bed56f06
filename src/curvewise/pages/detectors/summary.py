"""The summary of detectors: every question answered in a sentence, and the numbers that matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Answers, Block, Card, CardColumn, Cards, Cell, Grid, Section
from curvewise.pages.cells import ends_of, estimate_cell, estimate_head, number_cell, written

if TYPE_CHECKING:
    from curvewise.evaluation.detector import DetectorEvaluation
    from curvewise.pages.detectors.page import DetectionPage

MOST_COLUMNS = 4  # detectors side by side
MORE = {  # the section that says more
    "detector_quality": "quality",
    "detector_better": "quality",
    "detector_threshold": "explorer",
    "detector_errors": "errors",
}
ORDER = ("detector_threshold", "detector_better", "detector_quality", "detector_errors")


def summary(page: DetectionPage) -> Section:
    """Write the summary."""
    w, answers = page.w, page.evaluation.answers
    asked = [*(k for k in ORDER if k in answers), *(k for k in answers if k not in ORDER)]
    rows = [(w(f"ask.{k}"), [page.sentence(n) for n in answers[k]], MORE.get(k, "quality")) for k in asked]
    return Section("summary", w("section.summary"), [Answers(rows), _numbers(page)])


def _numbers(page: DetectionPage) -> Block:
    """Return the numbers that matter: cards of few detectors, a table of many."""
    found = page.evaluation.detectors
    if len(found) > MOST_COLUMNS:
        return _table(page)
    several = len(found) > 1
    return Cards([CardColumn(d.name, page.place(d.name) if several else None, _cards(page, d)) for d in found.values()])


def _cards(page: DetectionPage, detector: DetectorEvaluation) -> list[Card]:
    w, numbers, classes = page.w, detector.summary.numbers, detector.summary.classes
    iou = detector.matched.iou
    way = "detection.card.ap" if len(iou) > 1 else "detection.card.ap_one"
    said = {"ap": w(way, classes=classes["ap"], low=iou[0], high=iou[-1]), "ap50": w("detection.card.ap50")}
    cards = [
        Card(w(f"detection.column.{k}"), written(w, "area", numbers[k].value), ends_of(w, numbers[k], "area"), text)
        for k, text in said.items()
        if k in numbers
    ]
    for name in ("recall", "precision"):
        ends = ends_of(w, detector.rates[name], "share") if detector.rates else ""
        text = w(f"detection.card.{name}", threshold=detector.threshold)
        value = written(w, "share", getattr(detector.at.pooled, name))
        cards.append(Card(w(f"detection.column.{name}"), value, ends, text))
    return cards


def _table(page: DetectionPage) -> Grid:
    w, found = page.w, page.evaluation.detectors
    numbers = [k for k in ("ap", "ap50") if k in page.first.summary.numbers]
    head = [Cell(w("detection.column.detector")), *(estimate_head(w, w(f"detection.column.{k}")) for k in numbers)]
    head += [estimate_head(w, w(f"detection.column.{k}")) for k in ("recall", "precision")]
    rows = [
        [
            Cell(d.name),
            *(estimate_cell(w, d.summary.numbers[k], "area") for k in numbers),
            *(_rate(page, d, k) for k in ("recall", "precision")),
        ]
        for d in found.values()
    ]
    caption = w("detection.quality.table", level=page.evaluation.options.level)
    return Grid(caption, head, rows, list(range(len(rows))))


def _rate(page: DetectionPage, detector: DetectorEvaluation, name: str) -> Cell:
    if detector.rates:
        return estimate_cell(page.w, detector.rates[name], "share")
    return number_cell(page.w, "share", getattr(detector.at.pooled, name))

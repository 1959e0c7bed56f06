"""Which threshold of the scores, and what it does: the slider, and the report's own threshold below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Cell, Explorer, Fold, Grid, Plates, Section, Text
from curvewise.pages.cells import count_cell, estimate_cell, estimate_head, number_cell
from curvewise.pages.curve_tables import TENTHS, first_reaching
from curvewise.pages.detectors.explorer import explored_classes

if TYPE_CHECKING:
    from curvewise.evaluation.detector import DetectorEvaluation
    from curvewise.pages.detectors.page import DetectionPage

COUNTS, SHARES = ("truths", "tp", "missed", "fp"), ("recall", "precision")
RATES = {  # at a threshold: what the estimate is called, and how the number is written
    "recall": ("recall", "share"),
    "precision": ("precision", "share"),
    "f": ("f1", "area"),
    "false_positives_per_image": ("false_positives_per_image", "short"),
}
MOST_WRONG = (1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8)  # boxes per image, as FROC curves are read


def threshold(page: DetectionPage) -> Section:
    """Write the section of the slider."""
    w, options, kept = page.w, page.evaluation.options, explored_classes(page)
    names = [str(name) for name in kept]
    blocks: list[Block] = [Text(w("detection.explorer.lead", iou=options.iou), "lead", on_page=True)]
    blocks.append(Explorer(page.names, "detection.html.j2", names))
    if 0 < len(kept) < len(page.first.sweeps):
        said = w("detection.explorer.some", all=len(page.first.sweeps), kept=len(kept))
        blocks.append(Text(said, "note"))
    blocks.append(_detectors(page))
    if options.threshold is None:
        blocks.append(Text(w("detection.at.best"), "note"))
    each: dict[str, list[Block]] = {d.name: [_classes(page, d)] for d in page.detailed}
    blocks.append(Fold(w("detection.at.by_class"), page.of_each(each)))
    plates = [page.plate("detection_f", _f_grid(page)), page.plate("detection_froc", _froc_grid(page))]
    blocks.append(Fold(w("detection.at.curves"), [Plates(plates)]))
    return Section("explorer", w("detection.section.explorer"), blocks)


def _detectors(page: DetectionPage) -> Grid:
    """Lay out what each detector does at its threshold, rates with their intervals."""
    w, options = page.w, page.evaluation.options
    head = [Cell(w("detection.column.detector")), Cell(w("detection.column.threshold"), numeric=True)]
    head += [Cell(w(f"detection.column.{k}"), numeric=True) for k in COUNTS]
    head += [estimate_head(w, w(f"detection.column.{k}")) for k in RATES]
    rows = []
    for d in page.evaluation.detectors.values():
        cells = [Cell(d.name), number_cell(w, "cost", d.threshold)]
        cells += [count_cell(w, getattr(d.at.pooled, k)) for k in COUNTS]
        if d.rates:
            cells += [estimate_cell(w, d.rates[estimated], way) for estimated, way in RATES.values()]
        else:
            cells += [number_cell(w, way, getattr(d.at.pooled, k)) for k, (_, way) in RATES.items()]
        rows.append(cells)
    key = "detection.at.table" if options.intervals else "detection.at.table_alone"
    return Grid(w(key, iou=options.iou, level=options.level), head, rows, list(range(len(rows))))


def _classes(page: DetectionPage, detector: DetectorEvaluation) -> Grid:
    """Lay out what the threshold does to each class."""
    w = page.w
    head = [Cell(w(f"detection.column.{k}"), numeric=k != "class") for k in ("class", *COUNTS, *RATES)]
    rows = [
        [
            Cell(str(name)),
            *(count_cell(w, getattr(row, k)) for k in COUNTS),
            *(number_cell(w, way, getattr(row, k)) for k, (_, way) in RATES.items()),
        ]
        for name, row in detector.at.by_class.items()
    ]
    return Grid(w("detection.at.class_table", threshold=detector.threshold), head, rows)


def _f_grid(page: DetectionPage) -> Grid:
    """Return precision, recall and F1 where recall reaches round places, and at the best F1."""
    w = page.w
    names = ("recall", "precision", "f")
    head = [Cell(w("detection.column.detector")), Cell(w("detection.column.threshold"), numeric=True)]
    head += [Cell(w(f"detection.column.{name}"), numeric=True) for name in names]
    rows, places = [], []
    for d in page.evaluation.detectors.values():
        curve = d.f_curve
        kept = {*first_reaching(curve.recall, TENTHS), *([curve.best] if len(curve) else [])}
        for k in sorted(kept):
            values = [number_cell(w, "share", float(getattr(curve, n)[k])) for n in SHARES]
            cut = number_cell(w, "cost", float(curve.threshold[k]))
            rows.append([Cell(d.name), cut, *values, number_cell(w, "area", float(curve.f[k]))])
            places.append(page.place(d.name))
    return Grid(w("figure.detection_f"), head, rows, places, points=True)


def _froc_grid(page: DetectionPage) -> Grid:
    """Return recall at round numbers of wrong boxes per image."""
    w, found = page.w, page.evaluation.detectors.values()
    head = [Cell(w("detection.column.false_positives_per_image"), numeric=True)]
    head += [Cell(d.name, w("many.column.recall"), numeric=True) for d in found]
    rows = [
        [number_cell(w, "cost", rate), *(number_cell(w, "share", d.froc.recall_at(rate)) for d in found)]
        for rate in MOST_WRONG
    ]
    return Grid(w("figure.detection_froc"), head, rows, points=True)

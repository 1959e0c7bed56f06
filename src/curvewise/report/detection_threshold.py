"""Which threshold of the scores, and what it does: the slider, and the report's own threshold below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Cell, Explorer, Fold, Grid, Plates, Section, Text
from curvewise.report.cells import count_cell, number_cell
from curvewise.report.curve_tables import TENTHS, first_reaching
from curvewise.report.detection_explorer import explored_classes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from curvewise.detection.at_threshold import ClassAt
    from curvewise.report.detection_page import DetectionPage

COUNTS, SHARES = ("truths", "tp", "missed", "fp"), ("recall", "precision")
MOST_WRONG = (1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8)  # boxes per image, as FROC curves are read


def threshold(page: DetectionPage) -> Section:
    """Write the section of the slider."""
    w, options, kept = page.w, page.evaluation.options, explored_classes(page)
    names = [str(name) for name in kept]
    blocks: list[Block] = [Text(w("detection.explorer.lead", iou=options.iou), "lead")]
    blocks.append(Explorer(page.names, "detection.html.j2", names))
    if 0 < len(kept) < len(page.sweeps[page.names[0]]):
        said = w("detection.explorer.some", all=len(page.sweeps[page.names[0]]), kept=len(kept))
        blocks.append(Text(said, "note"))
    found = {d.name: d.at.pooled for d in page.evaluation.detectors.values()}
    caption = w("detection.at.table", iou=options.iou)
    cuts = {d.name: d.threshold for d in page.evaluation.detectors.values()}
    blocks.append(_grid(page, found, caption, w("detection.column.detector"), cuts))
    if options.threshold is None:
        blocks.append(Text(w("detection.at.best"), "note"))
    each: dict[str, list[Block]] = {}
    for d in page.detailed:
        caption = w("detection.at.class_table", threshold=d.threshold)
        own = {str(name): row for name, row in d.at.by_class.items()}
        each[d.name] = [_grid(page, own, caption, w("detection.column.class"))]
    blocks.append(Fold(w("detection.at.by_class"), page.of_each(each)))
    plates = [page.plate("detection_f", _f_grid(page)), page.plate("detection_froc", _froc_grid(page))]
    blocks.append(Fold(w("detection.at.curves"), [Plates(plates)]))
    return Section("explorer", w("detection.section.explorer"), blocks)


def _grid(
    page: DetectionPage, rows: Mapping[str, ClassAt], caption: str, named: str, cuts: Mapping[str, float] | None = None
) -> Grid:
    """Lay out counts and rates, one row per detector or class."""
    w, names = page.w, (*COUNTS, *SHARES, "f", "false_positives_per_image")
    head = [Cell(named), *([Cell(w("detection.column.threshold"), numeric=True)] if cuts else [])]
    head += [Cell(w(f"detection.column.{name}"), numeric=True) for name in names]
    lines = []
    for name, row in rows.items():
        cells = [Cell(name), *([number_cell(w, "cost", cuts[name])] if cuts else [])]
        cells += [count_cell(w, getattr(row, k)) for k in COUNTS]
        cells += [number_cell(w, "share", getattr(row, k)) for k in SHARES]
        lines.append([*cells, number_cell(w, "area", row.f), number_cell(w, "short", row.false_positives_per_image)])
    return Grid(caption, head, lines, [page.place(name) for name in rows] if cuts else ())


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
    return Grid(w("figure.detection_f"), head, rows, places)


def _froc_grid(page: DetectionPage) -> Grid:
    """Return recall at round numbers of wrong boxes per image."""
    w, found = page.w, page.evaluation.detectors.values()
    head = [Cell(w("detection.column.false_positives_per_image"), numeric=True)]
    head += [Cell(d.name, w("detection.recall"), numeric=True) for d in found]
    rows = [
        [number_cell(w, "cost", rate), *(number_cell(w, "share", d.froc.recall_at(rate)) for d in found)]
        for rate in MOST_WRONG
    ]
    return Grid(w("figure.detection_froc"), head, rows)

"""Average precision by attributes of the images, and how far groups lie apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Beside, Block, Cell, Grid, Heading, Section, Text
from curvewise.pages.cells import count_cell, estimate_cell, estimate_head

if TYPE_CHECKING:
    from curvewise.evaluation.detector import DetectorEvaluation
    from curvewise.pages.detectors.page import DetectionPage


def groups(page: DetectionPage) -> Section | None:
    """Write the section; nothing where no attribute was asked for."""
    w, columns = page.w, page.evaluation.options.by
    if not columns:
        return None
    blocks: list[Block] = [Text(w("detection.groups.lead"), "lead")]
    for place, column in enumerate(columns):
        blocks += [Heading(column)] if len(columns) > 1 else []
        notes = [n for d in page.detailed for n in d.groups[column].notes]
        each: dict[str, list[Block]] = {d.name: [_one(page, d, column)] for d in page.detailed}
        plate = page.plate(f"detection_groups:{place}", _all(page, column))
        blocks.append(Beside(plate, [*page.of_each(each), *page.remarks(notes)]))
    return Section("groups", w("detection.section.groups"), blocks)


def _all(page: DetectionPage, column: str) -> Grid:
    """Lay out AP of every group, one column per detector."""
    w, found = page.w, page.detailed
    head = [Cell(w("detection.column.group"))]
    head += [estimate_head(w, d.name if len(found) > 1 else w("detection.column.ap")) for d in found]
    others = [{g.name: g.ap for g in d.groups[column].groups} for d in found]
    rows = [
        [Cell(_name(page, g.name)), *(estimate_cell(w, own.get(g.name), "area") for own in others)]
        for g in found[0].groups[column].groups
    ]
    return Grid(w("figure.detection_groups"), head, rows)


def _one(page: DetectionPage, detector: DetectorEvaluation, column: str) -> Grid:
    """Lay out the groups of one detector: their sizes, AP, and how far below the best group each lies."""
    w, found = page.w, detector.groups[column].groups
    head = [Cell(w("detection.column.group"))]
    head += [Cell(w(f"detection.column.{k}"), numeric=True) for k in ("images", "truths", "classes")]
    head += [estimate_head(w, w(f"detection.column.{k}")) for k in ("ap", "gap")]
    rows = [
        [
            Cell(_name(page, g.name)),
            *(count_cell(w, getattr(g, k)) for k in ("images", "truths", "classes")),
            estimate_cell(w, g.ap, "area"),
            Cell("", raw=("", "", ""), numeric=True) if g.gap is None else estimate_cell(w, g.gap, "area"),
        ]
        for g in found
    ]
    return Grid(w("detection.groups.table", column=column, level=page.evaluation.options.level), head, rows)


def _name(page: DetectionPage, name: Any) -> str:
    return page.w.known("special", str(name))

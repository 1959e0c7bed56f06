"""Average precision by attributes of the images, and how far groups lie apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Beside, Block, Cell, Grid, Heading, Section, Text
from curvewise.report.cells import count_cell, estimate_cell, estimate_head

if TYPE_CHECKING:
    from curvewise.report.detection_page import DetectionPage


def groups(page: DetectionPage) -> Section | None:
    """Write the section; nothing where no attribute was asked for."""
    w, columns = page.w, page.evaluation.options.by
    if not columns:
        return None
    blocks: list[Block] = [Text(w("detection.groups.lead"), "lead")]
    for place, column in enumerate(columns):
        blocks += [Heading(column)] if len(columns) > 1 else []
        grid = _grid(page, column)
        notes = [n for d in page.detailed for n in d.groups[column].notes]
        blocks.append(Beside(page.plate(f"detection_groups:{place}", grid), [grid, *page.remarks(notes)]))
    return Section("groups", w("detection.section.groups"), blocks)


def _grid(page: DetectionPage, column: str) -> Grid:
    w, found = page.w, page.detailed
    head = [Cell(w("detection.column.group"))]
    head += [Cell(w(f"detection.column.{k}"), numeric=True) for k in ("images", "truths", "classes")]
    head += [estimate_head(w, d.name if len(found) > 1 else w("detection.column.ap")) for d in found]
    others = [{g.name: g.ap for g in d.groups[column].groups} for d in found]
    rows = [
        [
            Cell(w.known("special", str(g.name))),
            *(count_cell(w, getattr(g, k)) for k in ("images", "truths", "classes")),
            *(estimate_cell(w, own.get(g.name), "area") for own in others),
        ]
        for g in found[0].groups[column].groups
    ]
    return Grid(w("detection.groups.table", column=column, level=page.evaluation.options.level), head, rows)

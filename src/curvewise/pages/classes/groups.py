"""Is it fair: the numbers of every group, and how far the groups lie apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Beside, Block, Cell, Grid, Section, Text
from curvewise.pages.cells import count_cell, estimate_cell, estimate_head, label_of, table_grid

if TYPE_CHECKING:
    from curvewise.many_classes.class_groups import ClassGroup, ClassGroups
    from curvewise.pages.classes.page import ClassPage


def groups(page: ClassPage) -> Section:
    """Write the numbers of every group, and how far the groups lie apart."""
    w, found = page.w, page.classes.groups
    if found is None:
        return Section("groups", w("ask.groups"), page.left_out("groups"))
    gaps = table_grid(w, found.gaps(), w("groups.gaps", level=page.level), leave=("note",))
    grid = _groups_grid(page, found)
    blocks: list[Block] = [*page.answer("groups"), Text(w("many.groups.lead"), "note")]
    for key, table in (("class_groups", grid), ("class_groups_auc", gaps)):
        drawn = key in page.figures
        blocks.append(Beside(page.plate(key, grid), [table]) if drawn else table)
    return Section("groups", w("ask.groups"), [*blocks, *page.remarks(found.notes)])


def _groups_grid(page: ClassPage, found: ClassGroups) -> Grid:
    w, several = page.w, len(found.breakdowns) > 1
    head = [Cell(w("column.group")), Cell(w("column.n"), numeric=True)]
    head += [estimate_head(w, label_of(w, metric)) for metric in found.metrics]
    rows = [_group_row(page, g, several=several) for g in found.every_group()]
    return Grid(w("groups.table", level=page.level), head, rows)


def _group_row(page: ClassPage, group: ClassGroup, *, several: bool) -> list[Cell]:
    w = page.w
    own = isinstance(group.label, tuple) or not group.column  # names its columns itself, or is all rows
    name = group.name if own or not several else f"{group.column}={group.name}"
    said = w("list.semicolon").join(n.text(w.lang) for n in group.notes)
    cells = [Cell(w.known("special", name), said), count_cell(w, group.n)]
    return [*cells, *(estimate_cell(w, e) for e in group.estimates.values())]

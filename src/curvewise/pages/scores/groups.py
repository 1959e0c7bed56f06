"""Is it fair: metrics by group, and how far the groups lie apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Beside, Block, Cell, Fold, Grid, Section, Text
from curvewise.pages.cells import (
    count_cell,
    estimate_cell,
    estimate_head,
    label_of,
    number_cell,
    table_grid,
    way_of,
)

if TYPE_CHECKING:
    from curvewise.breakdown.fairness import Fairness
    from curvewise.breakdown.group_metrics import Group, Groups
    from curvewise.pages.scores.page import ScorePage

MOST_COLUMNS = 4  # groups that stand side by side


def groups(page: ScorePage) -> Section | None:
    """Write every metric by group, and how far the groups lie apart."""
    w, found = page.w, page.evaluation.groups
    if not found:
        return None
    blocks: list[Block] = [*page.answer("groups"), Text(w("groups.lead"), "note")]
    each = {m.name: _groups(page, page.names.index(m.name), m.name, found[m.name]) for m in page.detailed}
    first = next(iter(found.values()))
    plate = page.plate("groups", _groups_down(page, first.every_group(), several=len(first.breakdowns) > 1))
    more = page.of_each(each)
    return Section("groups", w("ask.groups"), [*blocks, *([Beside(plate, more)] if plate.figure else more)])


def _groups(page: ScorePage, place: int, name: str, found: Groups) -> list[Block]:
    w, several = page.w, len(found.breakdowns) > 1
    shown = [g for groups in found.breakdowns.values() for g in groups]
    lay_out = _groups_across if len(shown) <= MOST_COLUMNS and not several else _groups_down
    grid = lay_out(page, [found.overall, *shown], several=several)
    key = f"groups:{place}"
    blocks: list[Block] = [page.plate(key, grid, name) if key in page.figures else grid]
    caption = w("groups.gaps", level=page.level)
    for column, table in page.evaluation.gaps[name].items():
        title = w("of_column", title=caption, column=column) if several else caption
        gaps = table_grid(w, table, title, leave=("note",))
        blocks.append(Fold(title, [gaps]))
    fairness = page.evaluation.fairness.get(name)
    if fairness is not None:
        told = page.remarks(fairness.notes)
        lead = Text(w("groups.fairness.lead"))
        blocks.append(Fold(w("groups.fairness"), [lead, _criteria(page, fairness), *told]))
    return blocks


def _groups_across(page: ScorePage, found: list[Group], *, several: bool) -> Grid:  # noqa: ARG001 - one column only
    w = page.w
    head = [Cell(w("column.metric"))]
    for g in found:
        said = w("groups.rows_at_horizon" if "unknown" in g.sizes else "groups.rows", **g.sizes)
        head.append(estimate_head(w, w.known("special", g.name), _small(page, g, said)))
    body = [
        [Cell(label_of(w, metric)), *(estimate_cell(w, g.estimates[metric]) for g in found)]
        for metric in found[0].estimates
    ]
    return Grid(w("groups.table", level=page.level), head, body)


def _groups_down(page: ScorePage, found: list[Group], *, several: bool) -> Grid:
    w = page.w
    head = [Cell(w("column.column"))] if several else []
    counts = [k for k in found[0].sizes if k != "prevalence"]
    head += [Cell(w("column.group")), *(Cell(w(f"column.{k}"), numeric=True) for k in counts)]
    head += [estimate_head(w, label_of(w, metric)) for metric in found[0].estimates]
    body = []
    for g in found:
        cells = [Cell(g.column)] if several else []
        cells += [Cell(w.known("special", g.name), _small(page, g))]
        cells += [count_cell(w, g.sizes[k]) for k in counts]
        body.append([*cells, *(estimate_cell(w, e) for e in g.estimates.values())])
    return Grid(w("groups.table", level=page.level), head, body, heads=2 if several else 1)


def _criteria(page: ScorePage, found: Fairness) -> Grid:
    w = page.w
    head = [Cell(w("column.criterion")), estimate_head(w, w("column.gap"))]
    head += [Cell(w(f"column.{name}"), numeric=True) for name in ("ratio", "p_equal")]
    rows = []
    for c in found.criteria:
        way = way_of(c.metric)
        gap = estimate_cell(w, c.gap, "points" if way == "share" else way)
        ratio = number_cell(w, "area", None if c.ratio is None else c.ratio.value)
        rows.append([Cell(c.label(w.lang), c.told(w.lang)), gap, ratio, number_cell(w, "p_value", c.p_value)])
    return Grid(w("groups.fairness"), head, rows)


def _small(page: ScorePage, group: Group, said: str = "") -> str:
    w = page.w
    return w.listed([t for t in (said, w("groups.small") if group.is_small else "") if t])

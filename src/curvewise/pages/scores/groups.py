"""Is it fair, and does it work everywhere: metrics by group and by site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Beside, Block, Cell, Fold, Grid, Section, Text
from curvewise.evaluation.answers.sites import site_sentence
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
    from curvewise.breakdown.by_site import Sites
    from curvewise.breakdown.fairness import Fairness
    from curvewise.breakdown.group_metrics import Group, Groups
    from curvewise.pages.page import Page

MOST_COLUMNS = 4  # groups that stand side by side


def groups(page: Page) -> Section | None:
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


def _groups(page: Page, place: int, name: str, found: Groups) -> list[Block]:
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


def _groups_across(page: Page, found: list[Group], *, several: bool) -> Grid:  # noqa: ARG001 - one column only
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


def _groups_down(page: Page, found: list[Group], *, several: bool) -> Grid:
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


def _criteria(page: Page, found: Fairness) -> Grid:
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


def _small(page: Page, group: Group, said: str = "") -> str:
    w = page.w
    return w.listed([t for t in (said, w("groups.small") if group.is_small else "") if t])


def sites(page: Page) -> Section | None:
    """Write each site, all sites pooled, and what to expect at a new one."""
    w, found = page.w, page.evaluation.sites
    if not found:
        return None
    blocks: list[Block] = [*page.answer("sites"), Text(w("sites.lead"), "note")]
    each = {m.name: _sites(page, page.names.index(m.name), m.name, found[m.name]) for m in page.detailed}
    plate, more = page.plate("sites", _forest(page, next(iter(found.values())))), page.of_each(each)
    return Section("sites", w("ask.sites"), [*blocks, *([Beside(plate, more)] if plate.figure else more)])


def _forest(page: Page, found: Sites) -> Grid:
    return table_grid(page.w, found.forest, page.w("sites.table", level=page.level), metric="roc_auc")


def _sites(page: Page, place: int, name: str, found: Sites) -> list[Block]:
    w, pooled = page.w, found.pooled
    blocks: list[Block] = []
    if pooled is not None:
        blocks.append(Text(site_sentence(name, pooled, page.level).text(w.lang)))
        spread = {"tau2": pooled.tau2, "i2": pooled.i2, "q": pooled.q, "p": pooled.q_p_value}
        blocks.append(Text(w("sites.spread", **spread), "note"))
    grid, key = _forest(page, found), f"sites:{place}"
    if key in page.figures:
        blocks.append(page.plate(key, grid, name))
    else:
        blocks += [Fold(grid.caption, [grid])] if "sites" in page.figures else [grid]
    blocks.append(Fold(w("sites.more"), [_each_site(page, found, grid.caption)]))
    notes = (*(() if pooled is None else pooled.notes), *found.notes)
    return [*blocks, *page.remarks(notes)]


def _each_site(page: Page, found: Sites, caption: str) -> Grid:
    w, others = page.w, list(found.sites[0].others)
    head = [Cell(w("column.site"))]
    sizes = list(found.sites[0].group.sizes)
    head += [Cell(w(f"column.{k}"), numeric=True) for k in sizes]
    head.append(estimate_head(w, label_of(w, "roc_auc")))
    plain = tuple(found.sites[0].areas())
    head += [Cell(label_of(w, name), numeric=True) for name in plain]
    head += [estimate_head(w, label_of(w, name)) for name in others]
    rows = []
    for site in found.sites:
        own, why = site.group.sizes, site.left_out
        notes = [*([] if why is None else [why]), *site.group.notes]
        rows.append(
            [
                Cell(site.name, w.listed([n.text(w.lang) for n in notes])),
                *(number_cell(w, "share" if k == "prevalence" else "count", own[k]) for k in sizes),
                estimate_cell(w, site.auc),
                *(number_cell(w, "area", getattr(site, name)) for name in plain),
                *(estimate_cell(w, e) for e in site.others.values()),
            ]
        )
    return Grid(caption, head, rows)

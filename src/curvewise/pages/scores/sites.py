"""Does it work everywhere: metrics by site, and what to expect at a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Beside, Block, Cell, Fold, Grid, Section, Text
from curvewise.evaluation.answers.sites import site_sentence
from curvewise.pages.cells import estimate_cell, estimate_head, label_of, number_cell, table_grid

if TYPE_CHECKING:
    from curvewise.breakdown.by_site import Sites
    from curvewise.pages.scores.page import ScorePage


def sites(page: ScorePage) -> Section | None:
    """Write each site, all sites pooled, and what to expect at a new one."""
    w, found = page.w, page.evaluation.sites
    if not found:
        return None
    blocks: list[Block] = [*page.answer("sites"), Text(w("sites.lead"), "note")]
    each = {m.name: _sites(page, page.names.index(m.name), m.name, found[m.name]) for m in page.detailed}
    plate, more = page.plate("sites", _forest(page, next(iter(found.values())))), page.of_each(each)
    return Section("sites", w("ask.sites"), [*blocks, *([Beside(plate, more)] if plate.figure else more)])


def _forest(page: ScorePage, found: Sites) -> Grid:
    return table_grid(page.w, found.forest, page.w("sites.table", level=page.level), metric="roc_auc")


def _sites(page: ScorePage, place: int, name: str, found: Sites) -> list[Block]:
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


def _each_site(page: ScorePage, found: Sites, caption: str) -> Grid:
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

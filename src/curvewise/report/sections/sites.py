"""Does it work everywhere: each site, all sites pooled, and what to expect at a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Block, Fold, Heading, Section, Text
from curvewise.report.tables import table_grid

if TYPE_CHECKING:
    from curvewise.report.paper import Paper


def sites(paper: Paper) -> Section | None:
    """Write the section on sites."""
    w, found = paper.w, paper.document.get("sites")
    why = paper.left_out("sites")
    if not found:
        return Section("sites", w("section.sites"), why) if why else None
    blocks: list[Block] = [Text(w("sites.lead"), "lead")]
    for entry in found:
        if len(found) > 1:
            blocks.append(Heading(entry["model"]))
        blocks += _one(paper, entry)
    return Section("sites", w("section.sites"), [*blocks, *why])


def _one(paper: Paper, entry: dict[str, Any]) -> list[Block]:
    w, pooled, spread = paper.w, entry.get("pooled"), entry.get("heterogeneity")
    blocks: list[Block] = []
    if pooled:
        ends = {k: w.interval(*v) for k, v in _ends(entry).items() if v}
        key = "sites.pooled.new" if "new" in ends else "sites.pooled"
        blocks.append(Text(w(key, value=pooled["value"], level=paper.level, **ends)))
    if spread:
        blocks.append(Text(w("sites.spread", **spread), "note"))
    caption = w("sites.table", level=paper.level)
    rows = [{**row, "metric": "roc_auc"} for row in entry["forest"]["rows"]]
    grid = table_grid(w, {"rows": rows}, caption, leave=("metric",))
    key = f"sites:{paper.names.index(entry['model'])}" if entry["model"] in paper.names else ""
    blocks.append(paper.plate(key, grid, entry["model"]) if key in paper.figures else grid)
    if entry.get("table"):
        blocks.append(Fold(w("sites.more"), [table_grid(w, entry["table"], caption)]))
    return [*blocks, *(Text(note, "note", lang="en") for note in entry.get("notes") or [])]


def _ends(entry: dict[str, Any]) -> dict[str, Any]:
    pooled = entry["pooled"]
    return {"ends": (pooled.get("low"), pooled.get("high")), "new": entry.get("prediction")}

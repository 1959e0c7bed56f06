"""Is it better than the other one: differences between models, with their tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Section, Text
from curvewise.report.sections.summary import MOST_PAIRS, pair_sentence
from curvewise.report.tables import table_grid

if TYPE_CHECKING:
    from curvewise.report.paper import Paper


def comparison(paper: Paper) -> Section | None:
    """Write the section on differences."""
    w, found = paper.w, paper.document.get("comparison")
    why = paper.left_out("comparison")
    if found is None:
        return Section("comparison", w("section.comparison"), why) if why else None
    metric = w.metric(found["metric"])
    caption = w("comparison.table", metric=metric, level=paper.level)
    rows = [{**row, "metric": found["metric"]} for row in found["pairs"]]
    grid = table_grid(w, {"rows": rows}, caption, leave=("metric",))
    blocks: list[Block] = []
    if len(rows) <= MOST_PAIRS:
        blocks += [Text(pair_sentence(paper, found["metric"], row), "lead") for row in rows]
    if found.get("omnibus"):
        chi, degrees, p = found["omnibus"]
        blocks.append(Text(w("comparison.all", chi=chi, degrees=degrees, p=p)))
    blocks.append(paper.plate("difference", grid) if "difference" in paper.figures else grid)
    method = w.known("way", found["method"])
    blocks.append(Text(w("comparison.how", method=method), "note"))
    blocks += [Text(note, "note", lang="en") for note in found.get("notes") or []]
    return Section("comparison", w("section.comparison"), [*blocks, *why])

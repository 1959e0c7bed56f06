"""More than two classes: all together, and the table of what was taken for what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Section, Text
from curvewise.report.tables import rows_by_model, table_grid

if TYPE_CHECKING:
    from curvewise.report.paper import Paper


def classes(paper: Paper) -> Section | None:
    """Write the section on many classes."""
    w, found = paper.w, paper.document.get("multiclass")
    if not found:
        return None
    blocks: list[Block] = [Text(w("classes.lead"), "lead")]
    if found.get("estimates"):
        metrics = list(found["estimates"])
        caption = w("classes.estimates", level=paper.level)
        blocks.append(rows_by_model(w, [w("column.value")], [found["estimates"]], metrics, caption))
    blocks.append(table_grid(w, found["table"], w("classes.table", level=paper.level)))
    if found.get("confusion"):
        blocks.append(table_grid(w, found["confusion"], w("classes.confusion")))
    blocks += [Text(note, "note", lang="en") for note in found.get("notes") or []]
    return Section("classes", w("section.classes"), blocks)

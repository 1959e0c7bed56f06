"""Is it fair: every metric by group, and how far the groups lie apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Block, Fold, Heading, Section, Text
from curvewise.report.tables import pivoted, table_grid

if TYPE_CHECKING:
    from curvewise.report.paper import Paper


def groups(paper: Paper) -> Section | None:
    """Write the section on groups."""
    w, found = paper.w, paper.document.get("groups")
    why = paper.left_out("groups")
    if not found:
        return Section("groups", w("section.groups"), why) if why else None
    blocks: list[Block] = [Text(w("groups.lead"), "lead")]
    for entry in found:
        if len(found) > 1:
            blocks.append(Heading(entry["model"]))
        blocks += _one(paper, entry)
    return Section("groups", w("section.groups"), [*blocks, *why])


def _one(paper: Paper, entry: dict[str, Any]) -> list[Block]:
    w = paper.w
    grid, reasons = pivoted(w, entry["table"], w("groups.table", level=paper.level))
    key = f"groups:{paper.names.index(entry['model'])}" if entry["model"] in paper.names else ""
    blocks: list[Block] = [paper.plate(key, grid, entry["model"]) if key in paper.figures else grid]
    blocks += [Text(reason, "note", lang="en") for reason in reasons]
    several = len({row.get("column") for row in entry["gaps"]["rows"]}) > 1
    leave = ("note",) if several else ("note", "column")
    caption = w("groups.gaps", level=paper.level)
    gaps = table_grid(w, entry["gaps"], caption, leave=leave)
    blocks.append(Fold(caption, [gaps]) if several else gaps)
    if entry.get("fairness"):
        blocks.append(
            Fold(
                w("groups.fairness"),
                [
                    Text(w("groups.fairness.lead")),
                    table_grid(w, entry["fairness"], w("groups.fairness")),
                ],
            )
        )
    return [*blocks, *(Text(note, "note", lang="en") for note in entry.get("notes") or [])]

"""Is the model any good: how well the scores rank, in numbers and curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Fold, Plates, Section, Text
from curvewise.report import behind
from curvewise.report.tables import rows_by_model

if TYPE_CHECKING:
    from curvewise.report.paper import Paper

METRICS = ["roc_auc", "average_precision", "partial_roc_auc", "pr_auc", "equal_error_rate", "h_measure"]
MORE = {"pr_gain": behind.pr_gain_grid, "det": behind.det_grid, "lift": behind.lift_grid}


def ranking(paper: Paper) -> Section | None:
    """Write the section on ranking."""
    w = paper.w
    if not paper.models:
        return None
    estimates = [m.get("estimates") for m in paper.models]
    caption = w("ranking.table", level=paper.level)
    blocks: list[Block] = [
        Text(w("ranking.lead"), "lead"),
        Plates([paper.plate("roc", behind.roc_grid(paper)), paper.plate("pr", behind.pr_grid(paper))]),
        rows_by_model(w, paper.names, estimates, METRICS, caption),
        *paper.left_out("ranking"),
    ]
    said = {
        f"{m['name']}: {note}": None
        for m in paper.models
        for e in (m.get("estimates") or {}).values()
        for note in (e or {}).get("notes") or []
    }
    blocks += [Text(note, "note", lang="en") for note in said]
    shown = [
        paper.plate(f"distribution:{k}", behind.distribution_grid(paper, k), m["name"])
        for k, m in enumerate(paper.models)
        if m.get("histogram")
    ]
    blocks += [Plates(shown)] if shown else []
    more = [paper.plate(key, make(paper)) for key, make in MORE.items() if key in paper.figures]
    blocks += [Fold(w("ranking.more"), [Plates(more)])] if more else []
    return Section("ranking", w("section.ranking"), blocks)

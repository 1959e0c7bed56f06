"""Can the probabilities be trusted: losses, their parts, calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Block, Cell, Fold, Grid, Plates, Section, Text
from curvewise.report import behind
from curvewise.report.measures import number
from curvewise.report.tables import rows_by_model, table_grid

if TYPE_CHECKING:
    from curvewise.report.paper import Paper

LOSSES = ["brier_loss", "log_loss"]
PARTS = ("score", "miscalibration", "discrimination", "uncertainty")


def probabilities(paper: Paper) -> Section | None:
    """Write the section on probabilities."""
    w = paper.w
    found = [(k, m, m["probabilities"]) for k, m in enumerate(paper.models) if m.get("probabilities")]
    why = paper.left_out("probabilities")
    if not found:
        return Section("probabilities", w("section.probabilities"), why) if why else None
    names = [m["name"] for _, m, _ in found]
    losses: list[dict[str, Any] | None] = [p["losses"] for _, _, p in found]
    blocks: list[Block] = [
        Text(w("probabilities.lead"), "lead"),
        Plates(
            [
                paper.plate(f"reliability:{k}", behind.reliability_grid(paper, k), m["name"])
                for k, m, p in found
                if p.get("reliability")
            ]
        ),
        rows_by_model(w, names, losses, LOSSES, w("probabilities.losses", level=paper.level)),
    ]
    parts = [(k, m["name"], p["parts"]) for k, m, p in found if p.get("parts")]
    if parts:
        blocks += [_parts(paper, parts), Text(w("probabilities.parts.note"), "note")]
    for _, model, p in found:
        caption = w("probabilities.calibration", model=model["name"], level=paper.level)
        blocks.append(Fold(caption, [table_grid(w, p["calibration"], caption)]))
    return Section("probabilities", w("section.probabilities"), [*blocks, *why])


def _parts(paper: Paper, found: list[tuple[int, str, dict[str, Any]]]) -> Grid:
    w = paper.w
    head = [Cell(w("column.model")), *(Cell(w(f"column.{p}"), numeric=True) for p in PARTS)]
    rows = [[Cell(name), *(number(w, "loss", parts.get(p)) for p in PARTS)] for _, name, parts in found]
    return Grid(w("probabilities.parts"), head, rows, [k for k, _, _ in found])

"""The rows that the chosen threshold gets most wrong, by what the user calls them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Cell, Grid, Heading, Tabs, Text
from curvewise.evaluation.mistakes import COLUMNS, COSTS, TRUTH, Mistake, Mistakes
from curvewise.pages.cells import number_cell

if TYPE_CHECKING:
    from curvewise.pages.scores.page import ScorePage
    from curvewise.words import Words


def mistakes_blocks(page: ScorePage) -> list[Block]:
    """Write the costliest mistakes of every model, one at a time; nothing where rows have no names."""
    by_model = page.evaluation.mistakes
    if not by_model:
        return []
    w, places = page.w, {name: place for place, name in enumerate(page.names)}
    each = {name: _of_model(w, mistakes, places[name]) for name, mistakes in by_model.items()}
    several = [Tabs(w("column.model"), list(each.items()))] if len(each) > 1 else next(iter(each.values()))
    return [Heading(w("mistakes.title")), Text(w("mistakes.lead")), *several]


def _of_model(w: Words, mistakes: Mistakes, place: int) -> list[Block]:
    """Write one table where costs order the kinds, else one for each kind."""
    together = any(m.cost is not None for m in mistakes.found)
    blocks: list[Block] = []
    for key, kinds in {"both": tuple(COSTS)}.items() if together else {kind: (kind,) for kind in COSTS}.items():
        rows = [m for m in mistakes.found if m.kind in kinds]
        caption = w(f"mistakes.{key}", model=mistakes.model, threshold=mistakes.threshold, **mistakes.total)
        blocks.append(_grid(w, caption, rows, place) if rows else Text(caption))
    return blocks


def _grid(w: Words, caption: str, rows: list[Mistake], place: int) -> Grid:
    priced = rows[0].cost is not None
    names = COLUMNS if priced else COLUMNS[:4]
    head = [Cell(w(f"mistakes.column.{name}"), numeric=name in ("score", "cost")) for name in names]
    head += [Cell(w("column.site") if name == "site" else name) for name in rows[0].places]
    cells = [
        [
            Cell(m.id),
            Cell(w(f"matrix.{TRUTH[m.kind]}")),
            number_cell(w, "amount", m.score),
            Cell(w(f"mistake.{m.kind}")),
            *([number_cell(w, "cost", m.cost)] if priced else []),
            *map(Cell, m.places.values()),
        ]
        for m in rows
    ]
    return Grid(caption, head, cells, [place] * len(cells))

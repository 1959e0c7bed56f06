"""The rows that a threshold gets most wrong, by what the user calls them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.core.rate import flagged_rows
from curvewise.decisions.row_costs import COSTS as COLUMNS
from curvewise.document.blocks import Block, Cell, Grid, Heading, Tabs, Text
from curvewise.pages.cells import number_cell
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.pages.page import Page
    from curvewise.rows.rows import Rows
    from curvewise.words import Words

MOST = 10  # rows of a kind
COSTS = {"miss": "fn", "false_alarm": "fp"}  # the kinds of mistakes, and whose cost each has
OWN = ("id", "truth", "score", "mistake", "cost")  # columns of the table that no group may take the place of
TRUTH = {"miss": "positive", "false_alarm": "negative"}


@dataclass(frozen=True, repr=False)
class Mistake(Result, schema="mistake"):
    """One row on the wrong side of a threshold.

    ``id`` is what the user calls it, ``kind`` is ``"miss"`` or ``"false_alarm"``, ``cost`` what that kind costs (None
    where nothing was said), ``places`` its groups and site by the names of their columns.
    """

    id: str
    kind: str
    score: float
    cost: float | None
    places: dict[str, str]

    @property
    def row(self) -> dict[str, Any]:
        """The mistake as a row of a table."""
        found = {"id": self.id, "truth": TRUTH[self.kind], "score": self.score, "mistake": self.kind}
        cost = {} if self.cost is None else {"cost": self.cost}
        return {**found, **cost, **self.places}

    @property
    def table(self) -> Table:
        """One row."""
        return Table("", {name: [value] for name, value in self.row.items()})


@dataclass(frozen=True, repr=False)
class Mistakes(Result, schema="mistakes"):
    """The costliest mistakes of a model at a threshold: at most 10 misses and 10 false alarms.

    Those that cost more come first (misses, where no costs were stated), and of equal cost those whose score lies
    furthest on the wrong side of the threshold. ``total`` counts all rows of each kind.
    """

    model: str
    threshold: float
    found: tuple[Mistake, ...]
    total: dict[str, int]

    @property
    def table(self) -> Table:
        """One row per mistake."""
        rows = [mistake.row for mistake in self.found]
        names = list(rows[0] if rows else OWN[:4])
        told = f"{self.total['miss']} missed, {self.total['false_alarm']} false alarms in all"
        title = f"Costliest mistakes of {self.model} at threshold {self.threshold} ({told})"
        return Table(title, {name: [row[name] for row in rows] for name in names})

    def of_kind(self, kind: str) -> list[Mistake]:
        """Return the misses (``"miss"``) or the false alarms (``"false_alarm"``)."""
        return [mistake for mistake in self.found if mistake.kind == kind]

    def content(self) -> dict[str, Any]:
        """Return the model, the threshold, how many mistakes there are, and the costliest, JSON-safe."""
        said = {"model": self.model, "threshold": self.threshold, "total": self.total}
        return {**json_safe(said), "found": [json_safe(mistake.row) for mistake in self.found]}


def mistakes_of(rows: Rows, threshold: float, costs: Mapping[str, float] | None) -> Mistakes:
    """Return the costliest mistakes in the rows of one model, which have ids."""
    flagged, score = flagged_rows(rows, threshold), rows.score
    wrong = {"miss": rows.positive & ~flagged, "false_alarm": ~rows.positive & flagged}
    found = []
    for kind, of in COSTS.items():
        each = np.full(len(rows), 0.0 if costs is None else float(costs[of]))
        if rows.costs is not None:
            each = rows.costs[:, COLUMNS.index(of)]
        low = (kind == "miss") == (rows.higher_is == "positive")
        for k in _costliest(each, score, np.flatnonzero(wrong[kind]), low=low):
            cost = None if costs is None else float(each[k])
            found.append(Mistake(_name(rows.id[k]), kind, score[k].item(), cost, _places(rows, k)))  # type: ignore[index]
    found.sort(key=lambda mistake: -(mistake.cost or 0.0))
    total = {kind: int(np.count_nonzero(mask)) for kind, mask in wrong.items()}
    return Mistakes(rows.models[0], threshold, tuple(found), total)


def _costliest(cost: NDArray[np.float64], score: NDArray[Any], which: NDArray[np.intp], *, low: bool) -> list[int]:
    """Return the places of the costliest among some, of equal cost those with the lowest, or the highest, scores."""
    values = score[which]
    order = np.lexsort((values if low else -values.astype(np.float64), -cost[which]))[:MOST]
    return [int(k) for k in which[order]]


def _places(rows: Rows, k: int) -> dict[str, str]:
    columns = {**rows.groups, **({} if rows.site is None else {"site": rows.site})}
    named = {f"group {name}" if name in OWN else name: category for name, category in columns.items()}
    return {name: category.names[category.code[k]] for name, category in named.items()}


def _name(value: Any) -> str:
    """Write what the user calls a row; nothing where it has no name."""
    return "" if value is None else str(value.item() if isinstance(value, np.generic) else value)


def mistakes_blocks(page: Page) -> list[Block]:
    """Write the costliest mistakes of every model, one at a time; nothing where rows have no names."""
    found = page.evaluation.mistakes
    if not found:
        return []
    w, places = page.w, {name: place for place, name in enumerate(page.names)}
    each = {name: _of_model(w, mistakes, places[name]) for name, mistakes in found.items()}
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
    names = OWN if priced else OWN[:4]
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

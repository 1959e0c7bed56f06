"""How much it varies over folds: curves, mean, spread and pooled value, and the models over the same folds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Cell, Fold, Grid, Section, Text
from curvewise.pages.cells import estimate_cell, estimate_head, number_cell, table_grid
from curvewise.results.result import Table

if TYPE_CHECKING:
    from curvewise.breakdown.fold_results import Folds
    from curvewise.pages.scores.page import ScorePage

SPREADS = ("spread", "expected_spread", "pooled")


def folds(page: ScorePage) -> Section | None:
    """Write curves and values of the folds, mean beside pooled, and how models compare; nothing without folds."""
    w, found = page.w, page.evaluation.folds
    if found is None:
        return None
    names = [m.name for m in page.detailed]
    plates = [page.plate(f"folds:{page.names.index(name)}", _each_fold(page, found, name), name) for name in names]
    blocks: list[Block] = [
        *page.answer("folds"),
        Text(w("folds.lead"), "note"),
        _summary(page, found),
        *page.one_by_one(plates),
    ]
    if (compared := page.evaluation.folds_compared) is not None:
        title = w("folds.compared", level=page.level)
        grid = table_grid(w, compared.table, title, metric="roc_auc")
        blocks.append(Fold(title, [grid, *page.remarks(compared.notes)]))
    return Section("folds", w("ask.folds"), [*blocks, *page.remarks(found.notes)])


def _summary(page: ScorePage, found: Folds) -> Grid:
    w = page.w
    head = [Cell(w("column.model")), estimate_head(w, w("column.mean"))]
    head += [Cell(w(f"column.{name}"), numeric=True) for name in (*SPREADS, "pooled_difference")]
    rows = []
    for name in page.names:
        model = found.models[name]
        cells = [number_cell(w, "area", getattr(model, key)) for key in (*SPREADS, "difference")]
        rows.append([Cell(name), estimate_cell(w, model.mean, "area"), *cells])
    return Grid(w("folds.summary", level=page.level), head, rows, list(range(len(rows))))


def _each_fold(page: ScorePage, found: Folds, model: str) -> Grid:
    sizes = [fold.sizes for fold in found.folds]
    estimates = [fold.estimates[model] for fold in found.folds]
    columns = {name: [own[name] for own in sizes] for name in sizes[0]}
    columns |= {name: [getattr(e, name) for e in estimates] for name in ("value", "low", "high")}
    return table_grid(page.w, Table("", columns), page.w("folds.table", level=page.level), metric="roc_auc")

"""How a table of diagnostic accuracy is laid out: measures down, models across, notes below."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from curvewise.document.blocks import Cell, Document, Grid
from curvewise.document.csv_text import long_rows
from curvewise.document.terminal import grid_cells
from curvewise.pages.cells import ends_of, estimate_cell, rule_of, way_of, written
from curvewise.pages.scores.reclassification import note_below, reclassification_parts
from curvewise.results.result import Table

if TYPE_CHECKING:
    from curvewise.evaluation.diagnostic_accuracy import DiagnosticAccuracy, DiagnosticTable
    from curvewise.words import Words

SHARES = ("recall", "specificity", "precision", "npv", "accuracy")
RATIOS = ("lr_positive", "lr_negative")
OF_ROWS = ("recall", "specificity")  # whose counts another prevalence does not change
SIDES = {"positive": "≥", "negative": "≤"}


def text_table(table: DiagnosticTable, w: Words) -> Table:
    """Return the table with its cells as text."""
    grid = layout(table, w)
    head, rows, _ = grid_cells(grid)
    names = ["measure", *(f"model {name}" if name == "measure" else name for name in head[1:])]
    return Table(grid.caption, dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def layout(table: DiagnosticTable, w: Words) -> Grid:
    """Lay a table out in the words of a language."""
    models = list(table.models.values())
    head = [Cell(""), *(Cell(m.model) for m in models)]
    rows: list[list[Cell]] = []

    def add(label: str, cell: Callable[[DiagnosticAccuracy], Cell]) -> None:
        rows.append([Cell(label), *map(cell, models)])

    at = table.horizon  # rows, not weights
    counted = Cell(written(w, "count", table.rows if at is None else at.cases + at.controls + at.unknown))
    add(w("diagnostic.rows"), lambda _: counted)
    cases = table.positives if at is None else at.cases
    positives = f"{written(w, 'count', cases)} ({written(w, 'share', _share(table))})"
    add(w("diagnostic.positives"), lambda _: Cell(positives))
    interval = w("diagnostic.interval", level=table.level)
    add(f"{w('metric.roc_auc')}{interval}", lambda m: estimate_cell(w, m.auc))
    add(w("column.threshold"), lambda m: Cell(_threshold(table, m, w)))
    corrected = any(m.is_corrected for m in models)
    if corrected and at is None:
        add(w("diagnostic.counts"), lambda m: Cell(_counts(m, w)))
    for name in SHARES:
        own = not corrected and not table.weighted and (table.prevalence is None or name in OF_ROWS)
        label = w("diagnostic.n_of_n", name=w(f"diagnostic.{name}")) if own else w(f"diagnostic.{name}")
        add(f"{label}{interval}", lambda m, name=name, own=own: _rate(m, name, w, own=own))  # type: ignore[misc]
    for name in RATIOS:
        add(f"{w(f'diagnostic.{name}')}{interval}", lambda m, name=name: _rate(m, name, w, own=False))  # type: ignore[misc]
    if len(models) > 1:
        first = models[0].model
        add(w("diagnostic.p", first=first), lambda m: Cell(_p_value(m, first, w)))
    return Grid(_caption(table, w), head, rows)


def document_of(
    table: DiagnosticTable, w: Words, heading: dict[str, Any] | None = None, reading: tuple[str, ...] = ()
) -> Document:
    """Return the table with its notes as a document, for any writer; ``heading`` is how its JSON begins."""
    blocks: list[Any] = [layout(table, w), *(note_below(w, n) for n in table.notes)]
    if table.reclassification is not None:
        blocks += reclassification_parts(w, table.reclassification)
    several = len(table.tables()) > 1
    named: list[tuple[dict[str, Any], Table]] = [
        ({"table": key} if several else {}, found)
        for key, found in zip(("accuracy", "reclassification"), table.tables(), strict=False)
    ]
    return Document(_caption(table, w), blocks, {**(heading or {}), **table.content()}, long_rows(named), reading)


def _caption(table: DiagnosticTable, w: Words) -> str:
    if table.rule is None:
        return w("diagnostic.caption")
    return w("diagnostic.caption.rule", rule=rule_of(w, table.rule))


def _share(table: DiagnosticTable) -> float:
    return table.positives / (table.positives + table.negatives)


def _threshold(table: DiagnosticTable, model: DiagnosticAccuracy, w: Words) -> str:
    if model.threshold is None or model.confusion is None:
        return w("diagnostic.none")
    if not model.confusion.tp + model.confusion.fp:
        return w("cut.none")
    return f"{SIDES[table.higher_is]} {w.numbers.amount(model.threshold)}"


def _counts(model: DiagnosticAccuracy, w: Words) -> str:
    c = model.confusion
    if c is None:
        return w("diagnostic.none")
    return " / ".join(written(w, "count", value) for value in (c.tp, c.fp, c.fn, c.tn))


def _rate(model: DiagnosticAccuracy, name: str, w: Words, *, own: bool) -> Cell:
    """Write a rate with its interval, behind the counts that it is made of (``own``)."""
    found = model.rates.get(name)
    if found is None or not found.is_defined:
        return Cell(w("diagnostic.none"))
    if name in RATIOS:  # two decimals, as papers have them
        value, *ends = (w.numbers.area(number, 2) for number in (found.value, found.low, found.high))
        return Cell(value, w.numbers.between.join(ends) if found.has_interval else "")
    value, counts = written(w, way_of(name), found.value), model.counts(name) if own else None
    if counts is not None:
        value = w("diagnostic.counted", part=counts[0], of=counts[1], value=value)
    return Cell(value, ends_of(w, found))


def _p_value(model: DiagnosticAccuracy, first: str, w: Words) -> str:
    if model.model == first or model.p_value is None:
        return w("diagnostic.reference")
    return written(w, "p_value", model.p_value)

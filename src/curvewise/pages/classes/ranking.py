"""Each class: its numbers and curves, the classes it is taken for, its probabilities, the worst mistakes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from curvewise.document.blocks import Beside, Block, Cell, Fold, Grid, Heading, Section, Text
from curvewise.pages.cells import estimate_cell, estimate_head, label_of, number_cell
from curvewise.pages.classes.cells import class_grid
from curvewise.pages.curve_tables import RATES, TENTHS, first_reaching, last_within

if TYPE_CHECKING:
    from curvewise.pages.classes.page import ClassPage


UNSHOWN = ("rows", "largest_gap")  # of the tables of calibration


def classes(page: ClassPage) -> Section:
    """Write each class, its curves, the pairs confused most, whether the probabilities are right, and all numbers."""
    w, found = page.w, page.classes
    blocks: list[Block] = [
        Text(w("many.classes.lead"), "lead"),
        class_grid(w, found.summary.each, w("classes.table", level=page.level)),
    ]
    never = Text(w("note.classes_never_confused"))
    pairs: Block = class_grid(w, found.confused, w("many.pairs")) if len(found.confused) else never
    if found.rows.ready is not None:
        pairs = Beside(page.plate("class_pr", curve_grid(page, "pr")), [pairs])
    blocks += [pairs, Heading(w("ask.probabilities")), *page.answer("probabilities")]
    if found.calibration is not None and found.choice is not None:
        table, chosen = found.calibration.table, found.choice.table
        both = {k: [*values, *chosen.columns[k]] for k, values in table.columns.items() if k not in UNSHOWN}
        grid = class_grid(w, replace(table, columns=both), w("many.calibration", level=page.level))
        blocks.append(Beside(page.plate("class_reliability", _reliability_grid(page)), [grid]))
    if found.mistakes is not None and len(found.mistakes):
        blocks.append(class_grid(w, found.mistakes, w("many.mistakes")))
    blocks.append(Fold(w("many.estimates"), [estimates_grid(page)]))
    said = [n.text(w.lang) for e in found.estimates.values() for n in e.notes]
    return Section("classes", w("section.classes"), [*blocks, *page.folded_notes(said)])


def estimates_grid(page: ClassPage) -> Grid:
    """Return every number of all classes together."""
    w, found = page.w, page.classes.summary
    head = [Cell(w("column.metric")), estimate_head(w, w("column.value"))]
    rows = [
        [Cell(label_of(w, name), found.meaning(e, w.lang)), estimate_cell(w, e)] for name, e in found.estimates.items()
    ]
    return Grid(w("classes.estimates", level=page.level), head, rows)


def curve_grid(page: ClassPage, kind: str) -> Grid:
    """Return each class's curve at round places: TPR at round FPRs, precision at round recalls."""
    w, curves = page.w, getattr(page.classes, kind)
    axis, value, limits, places = (
        ("fpr", "tpr", RATES, last_within) if kind == "roc" else ("recall", "precision", TENTHS, first_reaching)
    )
    head = [Cell(w("many.column.class")), Cell(w(f"figure.word.{axis}"), numeric=True)]
    head.append(Cell(w(f"figure.word.{value}"), numeric=True))
    rows = []
    for name, curve in curves.items():
        called = w("many.mean") if type(curve).__name__.startswith("Mean") else name
        for k in places(getattr(curve, axis), limits):
            numbers = (float(getattr(curve, which)[k]) for which in (axis, value))
            rows.append([Cell(called), *(number_cell(w, "share", x) for x in numbers)])
    return Grid(w(f"figure.class_{kind}"), head, rows, points=True)


def _reliability_grid(page: ClassPage) -> Grid:
    w = page.w
    head = [Cell(w("many.column.class")), Cell(w("column.probability"), numeric=True)]
    head.append(Cell(w("column.observed"), numeric=True))
    rows = [
        [Cell(name), number_cell(w, "share", float(curve.p[k])), number_cell(w, "share", float(curve.observed[k]))]
        for name, curve in page.classes.reliability.items()
        for k in first_reaching(curve.p, TENTHS)
    ]
    return Grid(w("figure.class_reliability"), head, rows, points=True)

"""What the report is about: rows, classes, scores, groups, and the file they came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Cell, Facts, Fold, Grid, Section
from curvewise.pages.cells import count_cell, number_cell
from curvewise.pages.scores.methods import made, methods
from curvewise.results.numbers import exactly

if TYPE_CHECKING:
    from curvewise.pages.scores.page import ScorePage


def data(page: ScorePage) -> Section:
    """Write the data, how each number is defined, and how the page was made."""
    grids = [*([_scores(page)] if page.models else []), *_sizes(page)]
    more: list[Block] = [Fold(page.w("data.scores.fold"), [*grids])] if grids else []
    return Section("data", page.w("section.data"), [_facts(page), *more, methods(page), made(page)])


def _facts(page: ScorePage) -> Facts:
    w, found, options = page.w, page.evaluation.data, page.evaluation.options
    write, reading = w.numbers, options.reading
    rows = [("rows", write.count(found["rows"]), False)]
    if page.evaluation.survival is not None:
        counted = {"cases": "positives", "controls": "negatives", "unknown": "unknown"}
        at = exactly(found["horizon"])
        rows += [(name, w("data.by_then", count=found[k], at=at), False) for name, k in counted.items()]
        rows.append(("observed", write.share(found["prevalence"]), False))
    elif page.models:
        positives = w("data.of_rows", count=found["positives"], share=found["prevalence"])
        rows += [("positives", positives, False), ("negatives", write.count(found["negatives"]), False)]
    if "classes" in found:
        rows.append(("number_of_classes", write.count(len(found["classes"])), False))
    rows.append(("dropped", write.count(found["dropped"]), False))
    weight = reading.get("weight")
    how = "data.weighted" if page.models else "data.weighted_classes"
    how = "data.weighted_outcomes" if page.evaluation.survival is not None else how
    said = w("no") if weight is None else w(how, column=weight, sum=found.get("weight"))
    rows.append(("weights", said, False))
    if found.get("clusters") is not None:
        said = w("data.clustered", column=reading.get("cluster"), count=found["clusters"])
        rows.append(("clusters", said, False))
    if found.get("strata") is not None:
        said = w("data.stratified", column=reading.get("stratum"), count=found["strata"])
        rows.append(("strata", said, False))
    named = {"label": options.label, "positive": reading.get("positive")}
    rows += [(name, str(value), False) for name, value in named.items() if value is not None]
    if options.prevalence is not None:
        rows.append(("stated_prevalence", write.share(options.prevalence), False))
    return Facts([(w(f"data.{name}"), value, code) for name, value, code in rows])


def _scores(page: ScorePage) -> Grid:
    w = page.w
    head = [Cell(w("column.model"))]
    head += [Cell(w(f"column.{k}"), numeric=True) for k in ("lowest", "highest", "distinct", "tied")]
    head.append(Cell(w("column.probability_scale")))
    rows = []
    for m in page.models:
        n, distinct = len(m.rows), len(m.sweep.threshold)
        ends = sorted(t.item() for t in (m.sweep.threshold[0], m.sweep.threshold[-1]))
        why = "" if m.why_not_probability is None else w(f"why.{m.why_not_probability}")
        rows.append(
            [
                Cell(m.name),
                *(number_cell(w, "amount", end) for end in ends),
                count_cell(w, distinct),
                number_cell(w, "share", (n - distinct) / n),
                Cell(w("yes") if m.is_probability else w("no"), why),
            ]
        )
    return Grid(w("data.scores"), head, rows, list(range(len(rows))))


def _sizes(page: ScorePage) -> list[Grid]:
    w, found = page.w, page.evaluation.data
    grids = []
    rows_head = Cell(w("column.n"), numeric=True)
    if found.get("classes"):
        total = sum(found["classes"].values())
        rows = [
            [Cell(name), count_cell(w, n), number_cell(w, "share", n / total)] for name, n in found["classes"].items()
        ]
        head = [Cell(w("many.column.class")), rows_head, Cell(w("many.column.prevalence"), numeric=True)]
        grids.append(Grid(w("data.classes"), head, rows))
    if found.get("groups"):
        rows = [
            [Cell(column), Cell(name), count_cell(w, n)]
            for column, sizes in found["groups"].items()
            for name, n in sizes.items()
        ]
        head = [Cell(w("column.column")), Cell(w("column.group")), rows_head]
        grids.append(Grid(w("data.groups"), head, rows, heads=2))
    if found.get("sites"):
        rows = [[Cell(name), count_cell(w, n)] for name, n in found["sites"].items()]
        grids.append(Grid(w("data.sites"), [Cell(w("column.site")), rows_head], rows))
    return grids

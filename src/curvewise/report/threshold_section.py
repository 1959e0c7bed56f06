"""Which threshold, and what happens then: sliders, and the rule's choice beneath them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Cell, Explorer, Fold, Grid, Heading, Plates, Section, Text
from curvewise.report.cells import (
    estimate_cell,
    estimate_head,
    label_of,
    meaning_of,
    number_cell,
    rule_of,
    way_of,
    written,
)
from curvewise.report.curve_tables import confusion_grid, cost_grid, decision_grid, thresholds_grid

if TYPE_CHECKING:
    from curvewise.decisions.operating_point import OperatingPoint
    from curvewise.report.page import Page

SHOWN = ("recall", "fpr", "precision")


def explorer(page: Page) -> Section | None:
    """Write the section of the sliders."""
    w = page.w
    if not page.models:
        return None
    blocks: list[Block] = [Text(w("explorer.lead"), "lead"), Explorer(page.names), *_points(page)]
    costs = []
    if any(m.decision is not None for m in page.models):
        costs.append(page.plate("decision", decision_grid(page)))
    if "cost" in page.figures:
        costs.append(page.plate("cost", cost_grid(page)))
    blocks += [Heading(w("explorer.costs")), Text(w("explorer.costs.lead")), Plates(costs)] if costs else []
    return Section("explorer", w("section.explorer"), blocks)


def _points(page: Page) -> list[Block]:
    """Write what the rule chose for every model."""
    w = page.w
    if not page.chosen:
        return page.left_out("point")
    blocks: list[Block] = [Heading(w("point.title")), _overview(page)]
    if any(point.optimism is not None for point in page.chosen.values()):
        blocks.append(Text(w("point.same_rows"), "note"))
    blocks += [Fold(w("point.of", model=page.names[k]), _one(page, k)) for k in page.chosen]
    return [*blocks, *page.left_out("point")]


def _overview(page: Page) -> Grid:
    w = page.w
    head = [Cell(w("column.model")), Cell(w("column.threshold"), numeric=True)]
    head += [estimate_head(w, label_of(w, name)) for name in SHOWN]
    head.append(Cell(w("column.alarms_1000"), numeric=True))
    rows = [
        [
            Cell(page.names[k]),
            _threshold(page, point),
            *(estimate_cell(w, point.estimates[name]) for name in SHOWN),
            number_cell(w, "per_1000", point.estimates["predicted_rate"].value),
        ]
        for k, point in page.chosen.items()
    ]
    caption = w("point.table", prevalence=page.prevalence, level=page.level)
    return Grid(caption, head, rows, list(page.chosen))


def _threshold(page: Page, point: OperatingPoint) -> Cell:
    w = page.w
    if point.flags_nothing:
        return Cell(w("cut.none"), raw=("",), numeric=True)
    sub = "" if point.threshold_interval is None else w.interval(*point.threshold_interval, "cost")
    return Cell(w.numbers.amount(point.threshold), sub, (point.threshold,), numeric=True)


def _one(page: Page, place: int) -> list[Block]:
    w, point, name = page.w, page.chosen[place], page.names[place]
    blocks: list[Block] = [
        Text(point_sentence(page, place)),
        Text(w("point.by", rule=rule_of(w, point.rule)), "note"),
    ]
    if math.isfinite(point.threshold) and math.isfinite(point.midpoint):
        exact = {"exact": repr(point.threshold), "midpoint": repr(point.midpoint)}
        blocks.append(Text(w("point.exact", **exact), "note"))
    if point.optimism is not None:
        goal = point.optimism.goal
        apparent, expected = (written(w, way_of(goal.metric), v) for v in (goal.apparent, goal.out_of_bag.value))
        said = {"quantity": label_of(w, goal.metric), "apparent": apparent, "expected": expected}
        blocks.append(Text(w("point.optimism", **said)))
    blocks.append(Text(point.best_for.statement.text(w.lang)))
    blocks.append(
        Plates(
            [
                page.plate(f"confusion:{place}", confusion_grid(page, place), name),
                page.plate(f"thresholds:{place}", thresholds_grid(page, place), name),
            ]
        )
    )
    return [*blocks, _rates(page, point), *page.remarks(point.notes)]


def _rates(page: Page, point: OperatingPoint) -> Grid:
    w = page.w
    head = [Cell(w("column.metric")), estimate_head(w, w("column.value")), Cell(w("column.meaning"))]
    rows = [
        [
            Cell(label_of(w, name)),
            estimate_cell(w, e),
            Cell(meaning_of(w, name, e.value) if e.is_defined else ""),
        ]
        for name, e in point.estimates.items()
    ]
    return Grid(w("point.rates", prevalence=page.prevalence, level=page.level), head, rows)


def point_sentence(page: Page, place: int) -> str:
    """Say what the rule's choice does to 1,000 cases, in plain words."""
    w, point, name = page.w, page.chosen[place], page.names[place]
    there = page.models[place].sweep
    if page.evaluation.options.prevalence is not None:
        there = there.at_prevalence(page.evaluation.options.prevalence)
    at = there.at(point.threshold)
    values = {"model": name, "prevalence": page.prevalence, "recall": at.recall, "fpr": at.fpr}
    if not at.tp + at.fp:
        return w("then.none", **values)
    counts = {"alarms": at.tp + at.fp, "right": at.tp, "missed": at.fn}
    shares = {k: count / there.n for k, count in counts.items()}
    return w("then.alarms", precision=at.precision, **shares, **values)

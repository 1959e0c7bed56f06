"""Which threshold, and what happens then: sliders, and the rule's choice beneath them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Cell, Explorer, Fold, Grid, Heading, Plates, Section, Text
from curvewise.evaluation.answers.verdicts import consequence_of, guarantee_of, trivial_of
from curvewise.evaluation.mistakes import mistakes_blocks
from curvewise.pages.cells import (
    ends_of,
    estimate_cell,
    estimate_head,
    label_of,
    meaning_of,
    number_cell,
    rule_of,
    way_of,
    written,
)
from curvewise.pages.curve_tables import confusion_grid, cost_grid, decision_grid, thresholds_grid
from curvewise.words.numbers import base_of

if TYPE_CHECKING:
    from curvewise.core.confusion import Confusion
    from curvewise.decisions.operating_point import OperatingPoint
    from curvewise.pages.page import Page

SHOWN = ("recall", "fpr", "precision")


def explorer(page: Page) -> Section | None:
    """Write the section of the sliders."""
    w = page.w
    if not page.models:
        return None
    blocks: list[Block] = [Text(w("explorer.lead"), "lead"), _sliders(page), *_points(page)]
    costs = []
    if any(m.decision is not None for m in page.detailed):
        costs.append(page.plate("decision", decision_grid(page)))
    if "cost" in page.figures:
        costs.append(page.plate("cost", cost_grid(page)))
    blocks += [Fold(w("explorer.costs"), [Text(w("explorer.costs.lead")), Plates(costs)])] if costs else []
    return Section("explorer", w("ask.threshold"), blocks)


def _sliders(page: Page) -> Explorer:
    return Explorer(page.names, shares=page.evaluation.survival is not None, level=page.level)


def _points(page: Page) -> list[Block]:
    """Write what the rule chose for every model."""
    w = page.w
    if not page.chosen:
        return page.left_out("point")
    blocks: list[Block] = [Heading(w("point.title")), _overview(page)]
    if any(point.is_corrected for point in page.chosen.values()):
        blocks.append(Text(w("point.same_rows"), "note"))
    each = {page.names[k]: _one(page, k) for k in _shown(page)}
    blocks += [Fold(w("point.detail"), page.of_each(each))] if each else []
    if page.policies:
        blocks.append(Fold(w("policy.at_rule"), _policies(page)))
    blocks += mistakes_blocks(page)
    return [*blocks, *page.left_out("point")]


def _shown(page: Page) -> list[int]:
    """Return the places of the models that are shown one by one and have a threshold."""
    return [page.names.index(m.name) for m in page.detailed if m.point is not None]


def _overview(page: Page) -> Grid:
    w, chosen = page.w, {k: page.chosen[k] for k in _shown(page)}
    head = [Cell(w("column.model")), Cell(w("column.threshold"), numeric=True)]
    head += [estimate_head(w, label_of(w, name)) for name in SHOWN]
    shown = [{"expected": p.expected, "here": p.estimates} for p in chosen.values()]
    cases = base_of(found["predicted_rate"].value for both in shown for found in both.values())
    head.append(Cell(w("column.alarms_in", cases=cases), numeric=True))
    rows: list[list[Cell]] = []
    places: list[int] = []
    for place, point in chosen.items():
        rates = {page.names[place]: point.expected}
        if point.is_corrected:
            rates[w("column.uncorrected")] = {k: e.without_interval() for k, e in point.estimates.items()}
        for name, found in rates.items():
            cut = _threshold(page, place) if not places or places[-1] != place else Cell("", raw=("",), numeric=True)
            flagged = found["predicted_rate"].value
            alarms = Cell(w.numbers.of(flagged, cases), raw=(cases * flagged,), numeric=True)
            rows.append([Cell(name), cut, *(estimate_cell(w, found[k]) for k in SHOWN), alarms])
            places.append(place)
    caption = w(f"point.table.{page.whose}", prevalence=page.prevalence, level=page.level)
    return Grid(caption, head, rows, places)


def _policies(page: Page) -> list[Block]:
    """Write what treating groups alike takes and costs at the rule's choice."""
    w = page.w
    blocks: list[Block] = [Text(w("policy.lead"))]
    for place, found in page.policies.items():
        if place not in _shown(page):
            continue
        head = [Cell(w("column.group")), *(Cell(w(f"policy.{policy}"), numeric=True) for policy in found.cells)]
        groups = list(found.cells["one"])
        rows = [
            [Cell(w.known("special", g)), *(_policy_cell(page, place, cells[g]) for cells in found.cells.values())]
            for g in groups
        ]
        if not page.evaluation.options.rule.by_row:  # a cost of counts
            costs = [found.overall(policy).expected_cost(**page.costs_at(place)) for policy in found.cells]
            rows.append([Cell(w("policy.cost")), *(number_cell(w, "cost", cost) for cost in costs)])
        blocks.append(Grid(w("policy.table", model=page.names[place]), head, rows))
    return [*blocks, *page.remarks(next(iter(page.policies.values())).notes)]


def _policy_cell(page: Page, place: int, c: Confusion) -> Cell:
    said = page.w("policy.rates", recall=c.recall, fpr=c.fpr, flagged=c.predicted_rate)
    cut = float("nan" if c.threshold is None else c.threshold)
    return Cell(page.threshold(place, cut), said, (cut,), numeric=True)


def _threshold(page: Page, place: int) -> Cell:
    w, point = page.w, page.chosen[place]
    if point.flags_nothing:
        return Cell(w("cut.none"), raw=("",), numeric=True)
    sub = "" if point.threshold_interval is None else w.interval(*point.threshold_interval, "cost")
    return Cell(page.threshold(place, point.threshold), sub, (point.threshold,), numeric=True)


def _one(page: Page, place: int) -> list[Block]:
    w, point, name = page.w, page.chosen[place], page.names[place]
    blocks: list[Block] = [
        *(Text(said.text(w.lang)) for said in trivial_of(page.models[place])),
        *(Text(said.text(w.lang)) for said in (consequence_of(name, point), *guarantee_of(page.models[place]))),
        Text(w("point.by", rule=rule_of(w, point.rule)), "note"),
    ]
    if math.isfinite(point.threshold) and math.isfinite(point.midpoint):
        exact = {"exact": repr(point.threshold), "midpoint": repr(point.midpoint)}
        blocks.append(Text(w("point.exact", **exact), "note"))
    if point.optimism is not None and point.is_corrected:
        goal, way = point.optimism.goal, way_of(point.optimism.goal.metric)
        apparent, expected = (written(w, way, v) for v in (goal.apparent, goal.corrected.value))
        ends = w("interval", level=page.level, ends=ends_of(w, goal.corrected, way) or None)
        said = {"quantity": label_of(w, goal.metric), "apparent": apparent, "expected": expected, "interval": ends}
        blocks.append(Text(w("point.optimism", **said)))
    blocks += [Text(said.text(w.lang)) for said in point.on_costs]
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
    head = [Cell(w("column.metric")), estimate_head(w, w("column.value"))]
    head += [Cell(w("column.uncorrected"), numeric=True)] if point.is_corrected else []
    head.append(Cell(w("column.meaning")))
    rows = []
    for name, e in point.expected.items():
        row = [Cell(label_of(w, name)), estimate_cell(w, e)]
        row += [number_cell(w, way_of(name), point.estimates[name].value)] if point.is_corrected else []
        rows.append([*row, Cell(meaning_of(w, name, e.value) if e.is_defined else "")])
    return Grid(w(f"point.rates.{page.whose}", prevalence=page.prevalence, level=page.level), head, rows)

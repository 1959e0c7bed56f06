"""Can the probabilities be trusted: losses, their parts, calibration."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Cell, Fold, Grid, Section, Text
from curvewise.evaluation.answers.probabilities import trust_of
from curvewise.pages.cells import estimate_cell, estimate_head, label_of, metrics_grid, number_cell, way_of
from curvewise.pages.curve_tables import reliability_grid
from curvewise.probabilities.calibration import MEASURES, Calibration
from curvewise.probabilities.goodness_tests import GoodnessTest
from curvewise.results.estimate import Estimate

if TYPE_CHECKING:
    from curvewise.pages.scores.page import ScorePage

PARTS = ("score", "miscalibration", "discrimination", "uncertainty")


def probabilities(page: ScorePage) -> Section | None:
    """Write the section on probabilities."""
    w = page.w
    found = [(k, m) for k, m in enumerate(page.models) if m.is_probability]
    why = page.left_out("probabilities")
    if not found:
        return Section("probabilities", w("ask.probabilities"), why) if why else None
    estimates = {m.name: m.of_family("probability") for _, m in found}
    losses: Block = metrics_grid(w, estimates, w("probabilities.losses", level=page.level))
    if len(found) > len(page.detailed):
        losses = Fold(w("probabilities.losses", level=page.level), [losses])
    curves = [page.plate(f"reliability:{k}", reliability_grid(page, k), m.name) for k, m in found if m in page.detailed]
    blocks: list[Block] = [
        *(Text(trust_of(m).text(w.lang), "lead") for m in page.detailed),
        Text(w("probabilities.lead"), "note"),
        *page.one_by_one(curves),
        losses,
        Fold(
            w("probabilities.parts"), [_parts(page, [k for k, _ in found]), Text(w("probabilities.parts.note"), "note")]
        ),
    ]
    for model in (m for _, m in found if m in page.detailed):
        caption = w("probabilities.calibration", model=model.name, level=page.level)
        blocks.append(Fold(caption, _calibration(page, model.calibration, caption)))
    return Section("probabilities", w("ask.probabilities"), [*blocks, *why])


def _parts(page: ScorePage, places: list[int]) -> Grid:
    w = page.w
    head = [Cell(w("column.model")), *(Cell(w(f"column.{p}"), numeric=True) for p in PARTS)]
    rows = [
        [
            Cell(page.names[k]),
            *(number_cell(w, "cost", getattr(page.models[k].parts_of_loss, p)) for p in PARTS),
        ]
        for k in places
    ]
    return Grid(w("probabilities.parts"), head, rows, places)


def _calibration(page: ScorePage, found: Calibration | None, caption: str) -> list[Block]:
    """Lay out every measure of calibration, with its interval or p-value and what it says."""
    w = page.w
    if found is None:
        return []
    head = [
        Cell(w("column.metric")),
        estimate_head(w, w("column.value")),
        *(Cell(w(f"column.{name}"), numeric=True) for name in ("expected", "limit", "p_value")),
    ]
    rows = []
    for field, name in MEASURES.items():
        value, p_value, degrees = getattr(found, field), Cell("", raw=("",), numeric=True), None
        expected = limit = p_value
        if isinstance(value, GoodnessTest):
            p_value, degrees = number_cell(w, "p_value", value.p_value), value.degrees
            value = value.statistic
        if name in found.expected:
            right = found.expected[name]
            expected, limit = (number_cell(w, way_of(name), v) for v in (right.expected, right.limit))
            p_value = number_cell(w, "p_value", right.p_value)
        if not isinstance(value, Estimate):
            value = Estimate(name, value, math.nan, math.nan, found.level, None, reason=found.reasons.get(name))
        meaning = w(f"metric.meaning.{name}", degrees=degrees, value=value.value)
        cells = [estimate_cell(w, value, way_of(name)), expected, limit, p_value]
        rows.append([Cell(label_of(w, name), meaning), *cells])
    said = [Text(w("probabilities.expected.note", beyond=1 - found.level), "note")] if found.expected else []
    return [Grid(caption, head, rows), *said, *page.remarks((found.verdict, *found.notes))]

"""What has changed since the baseline: every number then and now, and how far the scores have moved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Cell, Grid, Plates, Section, Text
from curvewise.pages.cells import estimate_cell, estimate_head, label_of, number_cell, way_of

if TYPE_CHECKING:
    from curvewise.evaluation.then_and_now import MetricChange, ModelThenAndNow
    from curvewise.pages.scores.page import ScorePage

MEASURES = ("psi", "psi_limit", "size", "ks")


def baseline(page: ScorePage) -> Section | None:
    """Write what has changed; nothing without a baseline."""
    w, found = page.w, page.evaluation.then_and_now
    if found is None:
        return None
    source = found.origin.name or w("baseline.unnamed")
    blocks: list[Block] = [
        *page.answer("baseline"),
        Text(w("baseline.of", source=source, rows=found.rows_then, now=found.rows_now), "note"),
    ]
    if found.prevalence is not None:
        blocks.append(_changes(page, w("baseline.prevalence"), [found.prevalence]))
    blocks += page.of_each({name: _model(page, model) for name, model in found.models.items()})
    return Section("baseline", w("ask.baseline"), [*blocks, *page.remarks(found.notes)])


def _model(page: ScorePage, found: ModelThenAndNow) -> list[Block]:
    w = page.w
    blocks: list[Block] = [
        _changes(page, w("baseline.table", level=page.level), [*found.metrics.values(), *found.calibration.values()])
    ]
    if found.at_threshold:
        title = w("baseline.at_threshold", threshold=found.threshold)
        blocks.append(_changes(page, title, found.at_threshold.values()))
    if found.scores:
        blocks.append(_drift(page, found))
    key = f"drift:{page.names.index(found.name)}" if found.histograms is not None else ""
    return [*blocks, Plates([page.plate(key, _bins(page, found), found.name)])] if key in page.figures else blocks


def _changes(page: ScorePage, caption: str, changes: Iterable[MetricChange]) -> Grid:
    w, found = page.w, list(changes)
    tested = any(c.p_value is not None for c in found)
    head = [Cell(w("column.metric"))]
    head += [estimate_head(w, w(f"column.{name}")) for name in ("then", "now", "difference")]
    head += [Cell(w("column.p"), numeric=True)] if tested else []
    rows = []
    for c in found:
        way = way_of(c.metric)
        gap = estimate_cell(w, c.difference, "points" if way == "share" else way)
        # the difference alone has its interval shown, so that a telephone shows it too; a CSV file has all of them
        both = [replace(estimate_cell(w, e, way), sub="") for e in (c.then, c.now)]
        cells = [Cell(label_of(w, c.metric, shown=True)), *both, gap]
        rows.append([*cells, *([number_cell(w, "p_value", c.p_value)] if tested else [])])
    return Grid(caption, head, rows)


def _drift(page: ScorePage, found: ModelThenAndNow) -> Grid:
    w = page.w
    head = [Cell(w("column.part")), *(Cell(w(f"column.{name}"), numeric=name != "size") for name in MEASURES)]
    rows = []
    for part, drift in found.scores.items():
        size = "" if drift.size is None else w.known("drift_size", drift.size)
        cells = {name: number_cell(w, "area", getattr(drift, name)) for name in MEASURES if name != "size"}
        rows.append([Cell(w.known("drift_part", part)), *({**cells, "size": Cell(size)}[name] for name in MEASURES)])
    return Grid(w("baseline.drift"), head, rows)


def _bins(page: ScorePage, found: ModelThenAndNow) -> Grid:
    """Return the counts behind the figure, in the bins of the baseline."""
    w, histograms = page.w, found.histograms or ()
    head = [Cell(w(f"column.{name}"), numeric=True) for name in ("from", "to")]
    columns = [h.edges[k : len(h.edges) - 1 + k] for h in histograms[:1] for k in (0, 1)]
    for part in ("positives", "negatives"):
        for when, h in zip(("then", "now"), histograms, strict=True):
            title = w("baseline.bins", part=w(f"column.{part}"), when=w(f"column.{when}"))
            head.append(Cell(title, numeric=True))
            columns.append(getattr(h, part))
    ways = ("amount", "amount", *["count"] * 4)
    rows = [
        [number_cell(w, way, v) for way, v in zip(ways, row, strict=True)]
        for row in zip(*(c.tolist() for c in columns), strict=True)
    ]
    return Grid(w("figure.drift"), head, rows, points=True)

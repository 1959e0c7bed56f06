"""How well the scores rank, and which model is better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Cell, Fold, Grid, Plates, Section, Tabs, Text
from curvewise.report.better import COST, pair_sentence
from curvewise.report.cells import estimate_cell, estimate_head, label_of, metrics_grid, table_grid
from curvewise.report.curve_tables import curve_grid, distribution_grid

if TYPE_CHECKING:
    from curvewise.inference.comparison import Comparison
    from curvewise.report.page import Page
    from curvewise.results.estimate import Estimate

MOST_PAIRS = 3  # beyond them the table says more
MOST_MODELS = 6  # that stand side by side in a table
MORE = ("roc_log", "pr_gain", "det", "lift")


def ranking(page: Page) -> Section | None:
    """Write how well the scores rank, in numbers and curves."""
    w = page.w
    if not page.models:
        return None
    estimates = {m.name: m.of_family("ranking") for m in page.models}
    caption = w("ranking.table", level=page.level)
    wide = len(estimates) > MOST_MODELS
    blocks: list[Block] = [
        Text(w("ranking.lead"), "lead"),
        _models_down(page, estimates, caption) if wide else metrics_grid(w, estimates, caption),
    ]
    said = (
        w("note.of_model", model=name, said=note)
        for name, found in estimates.items()
        for e in found.values()
        for note in e.notes
    )
    blocks += page.folded_notes(said)
    spread = [page.plate(f"distribution:{k}", distribution_grid(page, k), m.name) for k, m in enumerate(page.models)]
    more = [page.plate(kind, curve_grid(page, kind)) for kind in MORE if kind in page.figures]
    blocks += page.one_by_one(spread)
    blocks += [Fold(w("ranking.more"), [Plates(more)])] if more else []
    return Section("ranking", w("section.ranking"), blocks)


def _models_down(page: Page, found: dict[str, dict[str, Estimate]], caption: str) -> Grid:
    """Lay out the numbers of many models: one row per model."""
    w, names = page.w, list(next(iter(found.values())))
    head = [Cell(w("column.model")), *(estimate_head(w, label_of(w, n, shown=True)) for n in names)]
    rows = [[Cell(model), *(estimate_cell(w, e.get(n)) for n in names)] for model, e in found.items()]
    return Grid(caption, head, rows, list(range(len(rows))))


def comparison(page: Page) -> Section | None:
    """Write the differences between models by every metric that was compared, with their tests."""
    w, found = page.w, page.evaluation.comparisons
    if not found:
        return None
    blocks: list[Block] = [Text(" ".join(a.text(w.lang) for a in page.evaluation.better.answers), "lead")]
    if "difference" in page.figures:
        blocks.append(page.plate("difference", _pairs_grid(page, next(iter(found.values())))))
    tabs: list[tuple[str, list[Block]]] = [(_called(page, metric), _one(page, c)) for metric, c in found.items()]
    blocks.append(Tabs(w("comparison.by"), tabs))
    return Section("comparison", w("section.comparison"), blocks)


def _called(page: Page, metric: str) -> str:
    return page.w("metric.expected_cost") if metric == COST else label_of(page.w, metric)


def _one(page: Page, found: Comparison) -> list[Block]:
    """Write one comparison: its pairs in words if they are few, the test of all, the table, how it was made."""
    w = page.w
    blocks: list[Block] = []
    if 1 < len(found.pairs) <= MOST_PAIRS:
        blocks += [Text(pair_sentence(found, pair, page.fpr_limit).text(w.lang)) for pair in found.pairs]
    if found.omnibus is not None:
        chi, degrees, p = found.omnibus
        blocks.append(Text(w("comparison.all", chi=chi, degrees=degrees, p=p)))
    blocks.append(_pairs_grid(page, found))
    blocks.append(Text(w("comparison.how", method=w.known("way", found.method)), "note"))
    return [*blocks, *page.remarks(found.notes)]


def _pairs_grid(page: Page, found: Comparison) -> Grid:
    w = page.w
    caption = w("comparison.table", metric=_called(page, found.metric), level=page.level)
    return table_grid(w, found.table, caption, metric=found.metric)

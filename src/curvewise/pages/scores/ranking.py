"""How well the scores rank, and which model is better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Beside, Block, Fold, Grid, Plates, Section, Tabs, Text
from curvewise.evaluation.answers.better import COST
from curvewise.evaluation.shown import shown_pairs
from curvewise.pages.cells import label_of, metrics_grid, table_grid
from curvewise.pages.curve_tables import curve_grid, distribution_grid
from curvewise.pages.scores.reclassification import reclassification_blocks

if TYPE_CHECKING:
    from curvewise.inference.comparison import Comparison
    from curvewise.pages.scores.page import ScorePage

BESIDE = 3  # models whose numbers fit beside a figure
MORE = ("pr_gain", "det", "lift")
AT_HORIZON = ("at_horizon", "at_horizon_known")  # said of all numbers of the page in one place


def ranking(page: ScorePage) -> Section | None:
    """Write how well the scores rank, in numbers and curves."""
    w = page.w
    if not page.models:
        return None
    estimates = {m.name: m.of_family("ranking") for m in page.models}
    caption = w("ranking.table", level=page.level)
    grid: Block = metrics_grid(w, estimates, caption)
    if len(page.models) > len(page.detailed):
        grid = Fold(caption, [grid])
    rare = page.plate("roc_log", curve_grid(page, "roc_log")) if "roc_log" in page.figures else None
    narrow = rare is not None and len(estimates) <= BESIDE
    blocks: list[Block] = [Text(w("ranking.lead"), "lead"), Beside(rare, [grid]) if rare and narrow else grid]
    said = (
        w("note.of_model", model=name, said=note)
        for name, found in estimates.items()
        for e in found.values()
        for note in e.notes
        if note.code not in AT_HORIZON
    )
    blocks += page.folded_notes(said)
    shown = [(page.names.index(m.name), m.name) for m in page.detailed]
    spread = [page.plate(f"distribution:{k}", distribution_grid(page, k), name) for k, name in shown]
    more = [page.plate(kind, curve_grid(page, kind)) for kind in MORE if kind in page.figures]
    more = [rare, *more] if rare and not narrow else more
    blocks.append(Fold(w("ranking.spread"), page.one_by_one(spread)))
    blocks += [Fold(w("ranking.more"), [Plates(more)])] if more else []
    return Section("ranking", w("ask.ranking"), blocks)


def comparison(page: ScorePage) -> Section | None:
    """Write the differences between models by every metric that was compared, with their tests."""
    w, found = page.w, page.evaluation.comparisons
    if not found:
        return None
    blocks: list[Block] = [Text(" ".join(a.text(w.lang) for a in page.evaluation.better.answers), "lead")]
    tabs = Tabs(w("comparison.by"), [(_called(page, metric), _one(page, c)) for metric, c in found.items()])
    plate = page.plate("difference", _pairs_grid(page, next(iter(found.values()))))
    blocks.append(tabs if plate.figure is None else Beside(plate, [tabs]))
    return Section("comparison", w("ask.better"), [*blocks, *reclassification_blocks(page)])


def _called(page: ScorePage, metric: str) -> str:
    return page.w("metric.expected_cost") if metric == COST else label_of(page.w, metric)


def _one(page: ScorePage, found: Comparison) -> list[Block]:
    """Write one comparison: the test of all models, the pairs, how it was made."""
    w = page.w
    blocks: list[Block] = []
    if found.omnibus is not None:
        chi, degrees, p = found.omnibus
        blocks.append(Text(w("comparison.all", chi=chi, degrees=degrees, p=p)))
    blocks.append(_pairs_grid(page, found))
    blocks.append(Text(w("comparison.how", method=w.known("way", found.method)), "note"))
    return [*blocks, *page.remarks(found.notes)]


def _pairs_grid(page: ScorePage, found: Comparison) -> Grid:
    """Lay out the pairs; of many models those of the ones that are shown one by one."""
    w, found = page.w, shown_pairs(page.evaluation, found)
    caption = w("comparison.table", metric=_called(page, found.metric), level=page.level)
    return table_grid(w, found.table, caption, metric=found.metric, leave=("low_simultaneous", "high_simultaneous"))

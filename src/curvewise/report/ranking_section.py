"""Is the model any good, and is it better than the other: ranking, comparison, many classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Cell, Fold, Grid, Plates, Section, Text
from curvewise.report.cells import estimate_cell, estimate_head, label_of, metrics_grid, table_grid
from curvewise.report.curve_tables import curve_grid, distribution_grid

if TYPE_CHECKING:
    from curvewise.inference.comparison import Pair
    from curvewise.report.page import Page

MOST_PAIRS = 3  # beyond them the table says more
MORE = ("pr_gain", "det", "lift")


def ranking(page: Page) -> Section | None:
    """Write how well the scores rank, in numbers and curves."""
    w = page.w
    if not page.models:
        return None
    estimates = {m.name: m.of_family("ranking") for m in page.models}
    blocks: list[Block] = [
        Text(w("ranking.lead"), "lead"),
        Plates([page.plate(kind, curve_grid(page, kind)) for kind in ("roc", "pr")]),
        metrics_grid(w, estimates, w("ranking.table", level=page.level)),
    ]
    said = (
        w("note.of_model", model=name, said=note)
        for name, found in estimates.items()
        for e in found.values()
        for note in e.notes
    )
    blocks += [Text(text, "note") for text in dict.fromkeys(said)]
    spread = [page.plate(f"distribution:{k}", distribution_grid(page, k), m.name) for k, m in enumerate(page.models)]
    more = [page.plate(kind, curve_grid(page, kind)) for kind in MORE if kind in page.figures]
    blocks += [Plates(spread), *([Fold(w("ranking.more"), [Plates(more)])] if more else [])]
    return Section("ranking", w("section.ranking"), blocks)


def comparison(page: Page) -> Section | None:
    """Write the differences between models, with their tests."""
    w, found, why = page.w, page.evaluation.comparison, page.left_out("comparison")
    if found is None:
        return Section("comparison", w("section.comparison"), why) if why else None
    caption = w("comparison.table", metric=w.metric(found.metric), level=page.level)
    grid = table_grid(w, found.table, caption, metric=found.metric)
    blocks: list[Block] = []
    if len(found.pairs) <= MOST_PAIRS:
        blocks += [Text(pair_sentence(page, found.metric, p, len(found.pairs)), "lead") for p in found.pairs]
    if found.omnibus is not None:
        chi, degrees, p = found.omnibus
        blocks.append(Text(w("comparison.all", chi=chi, degrees=degrees, p=p)))
    blocks.append(page.plate("difference", grid) if "difference" in page.figures else grid)
    blocks.append(Text(w("comparison.how", method=w.known("way", found.method)), "note"))
    return Section("comparison", w("section.comparison"), [*blocks, *page.remarks(found.notes)])


def pair_sentence(page: Page, metric: str, pair: Pair, pairs: int) -> str:
    """Say in words whether the first model of a pair is better than the second."""
    w, clear = page.w, pair.p_holm < 1 - page.level
    # where the corrected p-value is small the plain interval excludes 0, else that of all pairs holds 0
    found = pair.difference if clear or pair.simultaneous is None else pair.simultaneous
    names, ends, difference = (pair.first, pair.second), (found.low, found.high), found.value
    if clear and difference < 0:  # say it of the better one
        names, ends, difference = names[::-1], (-ends[1], -ends[0]), -difference
    return w(
        "pair.better" if clear else "pair.same",
        first=names[0],
        second=names[1],
        difference=difference,
        metric=w.metric(metric),
        ends=w(
            "pair.ends" if found is pair.difference else "pair.ends_all",
            level=page.level,
            ends=w.interval(*ends),
            pairs=pairs,
        ),
        p=w("pair.p" if pairs == 1 else "pair.p_holm", p=pair.p_holm, pairs=pairs),
    )


def classes(page: Page) -> Section | None:
    """Write more than two classes: all together, and the table of what was taken for what."""
    w, found = page.w, page.evaluation.classes
    if found is None:
        return None
    head = [Cell(w("column.metric")), estimate_head(w, w("column.value"))]
    rows = [
        [Cell(label_of(w, name), found.meaning(e, w.lang)), estimate_cell(w, e)] for name, e in found.estimates.items()
    ]
    blocks: list[Block] = [
        Text(w("classes.lead"), "lead"),
        Grid(w("classes.estimates", level=page.level), head, rows),
        table_grid(w, found.each, w("classes.table", level=page.level)),
    ]
    if found.matrix is not None:
        blocks.append(table_grid(w, found.matrix.table, w("classes.confusion")))
    return Section("classes", w("section.classes"), [*blocks, *page.remarks(found.notes)])

"""NRI and IDI of two models, with the caveat that goes with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Cell, Fold, Grid, Text
from curvewise.pages.cells import estimate_cell, estimate_head, number_cell
from curvewise.words.numbers import UNDEFINED

if TYPE_CHECKING:
    from curvewise.errors import Note
    from curvewise.pages.scores.page import ScorePage
    from curvewise.probabilities.reclassification import Reclassification
    from curvewise.words import Words

OF = ("positives", "negatives", "total")


def reclassification_blocks(page: ScorePage) -> list[Block]:
    """Write NRI and IDI of two models of probabilities, folded; nothing for any other models."""
    found = page.evaluation.reclassification
    if found is None:
        return []
    return [Fold(page.w("reclassification.title"), reclassification_parts(page.w, found))]


def reclassification_parts(w: Words, found: Reclassification) -> list[Block]:
    """Return the table of the measures, and what to beware of."""
    head = [Cell(w("column.measure")), *(estimate_head(w, w(f"reclassification.{of}")) for of in OF)]
    head.append(Cell(w("column.p"), numeric=True))
    rows = []
    for measure in (found.nri, found.continuous_nri, found.idi):
        if measure is None:
            continue
        limits = w.listed([w.numbers.amount(t) for t in found.thresholds])
        name = w(f"reclassification.{measure.measure}", limits=limits)
        p = measure.p_value
        last = number_cell(w, "p_value", p) if p == p else Cell(UNDEFINED, numeric=True)  # noqa: PLR0124 - NaN
        rows.append([Cell(name), *(estimate_cell(w, getattr(measure, of), "area") for of in OF), last])
    caption = w("reclassification.caption", new=found.new, old=found.old, level=found.level)
    return [Grid(caption, head, rows), *(note_below(w, n) for n in found.notes)]


def note_below(w: Words, found: Note) -> Text:
    """Return a note below a table as a sentence: with a capital and a full stop."""
    text = found.text(w.lang)
    return Text(w("diagnostic.note", said=text[:1].upper() + text[1:]))

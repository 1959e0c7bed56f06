"""Caveats of these data, and what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Heading, Points, Section, Text
from curvewise.evaluation.answers.caveats import of_model, shown_caveats

if TYPE_CHECKING:
    from curvewise.pages.scores.page import ScorePage


def caveats(page: ScorePage) -> Section:
    """Write what a careful reader should know of these data, warnings first, and what was left out."""
    w = page.w
    blocks: list[Block] = [Text(w("note.no_caveats"))]
    found = sorted(shown_caveats(page.evaluation), key=lambda n: str(n.values["severity"]) != "warn")
    if found:
        said = []
        for note in found:
            model = note.values["model"]
            text = page.sentence(note)
            said.append(Text(text, note.values["severity"], title=model + w("colon") if model else ""))
        blocks = [Points(said)]
    if more := len(page.evaluation.notes) - len(found):
        blocks.append(Text(w("caveats.more", more=more), "note"))
    left = page.evaluation.left_out
    if left:
        said = [Text(of_model(n).text(w.lang), title=w(f"part.{n.values['part']}") + w("colon")) for n in left]
        blocks += [Heading(w("caveats.left_out")), Points(said)]
    return Section("caveats", w("section.caveats"), blocks)

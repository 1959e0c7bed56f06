"""Caveats of data of detectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Block, Points, Section, Text

if TYPE_CHECKING:
    from curvewise.pages.detectors.page import DetectionPage


def caveats(page: DetectionPage) -> Section:
    """Write what a careful reader should know of these data."""
    w = page.w
    said = [Text(page.sentence(found), found.values.get("severity", "note")) for found in page.evaluation.notes]
    blocks: list[Block] = [Points(said)] if said else [Text(w("note.no_caveats"))]
    return Section("caveats", w("section.caveats"), blocks)

"""A document as headings, paragraphs, lists and tables alone: what a text processor knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import (
    Answers,
    Beside,
    Cards,
    Cell,
    Explorer,
    Facts,
    Fold,
    Grid,
    Heading,
    Plate,
    Plates,
    Points,
    Section,
    Switches,
    Tabs,
    Text,
)
from curvewise.document.terminal import card_cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from curvewise.document.blocks import Block

    Simple = Heading | Text | Points | Grid


def simple_blocks(blocks: Iterable[Block | Section]) -> list[Simple]:
    """Return blocks in reading order: folds and tabs are open, a figure is its table, sliders are left out."""
    return [simple for block in blocks for simple in _simple(block)]


def _simple(block: Block | Section) -> list[Simple]:
    match block:
        case Heading() | Text() | Points() | Grid():
            return [block]
        case Section() | Fold():
            return [Heading(block.title), *simple_blocks(block.blocks)]
        case Tabs():
            return [simple for title, inner in block.tabs for simple in (Heading(title), *simple_blocks(inner))]
        case Plate():
            return [block.grid]
        case Plates():
            return [plate.grid for plate in block.plates]
        case Beside():
            return simple_blocks([block.plate, *block.blocks])
        case Facts():
            return [_grid(["", ""], [[name, value] for name, value, _ in block.rows])]
        case Answers():
            return [_grid(["", ""], [[question, " ".join(texts)] for question, texts, _ in block.rows])]
        case Cards():
            return [_grid(*card_cells(block)[:2])]
        case Explorer() | Switches():
            return []


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Grid:
    return Grid("", [Cell(text) for text in head], [[Cell(text) for text in row] for row in rows])

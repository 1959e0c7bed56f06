"""A document as headings, paragraphs, lists and tables alone: what a text processor knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from curvewise.document.blocks import (
    Answers,
    Block,
    Cards,
    Cell,
    Facts,
    Grid,
    Heading,
    Plain,
    Points,
    Section,
    Text,
    opened,
)
from curvewise.document.terminal import card_cells

Simple = Heading | Text | Points | Grid


def simple_blocks(blocks: Iterable[Block | Section]) -> list[Simple]:
    """Return blocks in reading order, opened, with facts, answers and cards as tables."""
    return [_simple(block) for block in opened(blocks)]


def _simple(block: Plain) -> Simple:
    match block:
        case Facts():
            return _grid(["", ""], [[name, value] for name, value, _ in block.rows])
        case Answers():
            return _grid(["", ""], [[question, " ".join(texts)] for question, texts, _ in block.rows])
        case Cards():
            return _grid(*card_cells(block)[:2])
        case Heading() | Text() | Points() | Grid():
            return block


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Grid:
    return Grid("", [Cell(text) for text in head], [[Cell(text) for text in row] for row in rows])

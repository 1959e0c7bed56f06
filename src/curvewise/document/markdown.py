"""A document as Markdown, in which every name from the data is only text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import (
    Answers,
    Beside,
    Cards,
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
from curvewise.document.terminal import card_cells, grid_cells, said
from curvewise.results.text import markdown, piped

if TYPE_CHECKING:
    from curvewise.document.blocks import Block, Document


def markdown_page(document: Document, *, title: bool = False) -> str:
    """Return the document as Markdown, with its title as a heading where asked."""
    parts = [f"# {markdown(document.title)}"] if title else []
    for block in document.blocks:
        if isinstance(block, Section):
            parts += [f"## {markdown(block.title)}", *map(_block, block.blocks)]
        else:
            parts.append(_block(block))
    return "\n\n".join(filter(None, parts)) + "\n"


def _block(block: Block) -> str:
    match block:
        case Grid():
            text = piped(*grid_cells(block))
            return f"### {markdown(block.caption)}\n\n{text}" if block.caption else text
        case Text():
            return ("> " if block.way in ("note", "warn") else "") + markdown(said(block))
        case Heading():
            return f"### {markdown(block.text)}"
        case Facts():
            return piped(["fact", "value"], [[name, value] for name, value, _ in block.rows], [False, False])
        case Points():
            return "\n".join(f"- {markdown(said(text))}" for text in block.texts)
        case Cards():
            return piped(*card_cells(block))
        case Answers():
            rows = [[question, " ".join(texts)] for question, texts, _ in block.rows]
            return piped(["question", "answer"], rows, [False, False])
        case Plate():
            return _block(block.grid)
        case Plates():
            return "\n\n".join(_block(plate.grid) for plate in block.plates)
        case Beside():
            return "\n\n".join(map(_block, (block.plate, *block.blocks)))
        case Fold():
            return "\n\n".join([f"### {markdown(block.title)}", *map(_block, block.blocks)])
        case Tabs():
            return "\n\n".join(
                "\n\n".join([f"### {markdown(title)}", *map(_block, inner)]) for title, inner in block.tabs
            )
        case Explorer() | Switches():
            return ""

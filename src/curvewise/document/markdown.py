"""A document as Markdown, in which every name from the data is only text."""

from __future__ import annotations

from curvewise.document.blocks import (
    Answers,
    Cards,
    Document,
    Facts,
    Grid,
    Heading,
    Plain,
    Points,
    Section,
    Text,
    opened,
)
from curvewise.document.terminal import card_cells, grid_cells, said
from curvewise.results.text import markdown, piped


def markdown_page(document: Document, *, title: bool = False) -> str:
    """Return the document as Markdown, with its title as a heading where asked."""
    parts = [f"# {markdown(document.title)}"] if title else []
    for block in document.blocks:
        if isinstance(block, Section):
            parts += [f"## {markdown(block.title)}", *map(_block, opened(block.blocks))]
        else:
            parts += map(_block, opened([block]))
    return "\n\n".join(filter(None, parts)) + "\n"


def _block(block: Plain) -> str:
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

"""A document for a terminal or a plain text file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import (
    Answers,
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
from curvewise.results.text import aligned, visible

if TYPE_CHECKING:
    from rich.console import Console

    from curvewise.document.blocks import Block, Card, Cell, Document

BEGINNINGS = {"note": "Note: ", "warn": "Warning: "}  # of a paragraph, by its way


def terminal(document: Document) -> str:
    """Return the document as text without colours."""
    return "\n\n".join(filter(None, map(plain, flat(document)))) + "\n"


def flat(document: Document) -> list[Block]:
    """Return the blocks in reading order: a section begins with its heading, folds are open."""
    found: list[Block] = []
    for block in document.blocks:
        inside = isinstance(block, (Section, Fold))
        found += [Heading(block.title), *block.blocks] if inside else [block]  # type: ignore[union-attr, list-item]
    return found


def plain(block: Block) -> str:
    """Return one block as text; what only a page can show is left out."""
    match block:
        case Grid():
            text = aligned(*grid_cells(block))
            return f"{visible(block.caption)}\n\n{text}" if block.caption else text
        case Text():
            return visible(said(block))
        case Heading():
            return visible(block.text)
        case Facts():
            return aligned(["fact", "value"], [[name, value] for name, value, _ in block.rows], [False, False])
        case Points():
            return "\n".join(f"- {visible(said(text))}" for text in block.texts)
        case Cards():
            return aligned(*card_cells(block))
        case Answers():
            return "\n".join(visible(f"{question} {' '.join(texts)}") for question, texts, _ in block.rows)
        case Plate():
            return plain(block.grid)
        case Plates():
            return "\n\n".join(plain(plate.grid) for plate in block.plates)
        case Fold():
            return "\n\n".join([visible(block.title), *map(plain, block.blocks)])
        case Tabs():
            return "\n\n".join("\n\n".join([visible(title), *map(plain, inner)]) for title, inner in block.tabs)
        case Explorer() | Switches():
            return ""


def said(text: Text) -> str:
    """Return the words of a paragraph with what stands before and behind it."""
    begin = f"{text.title}: " if text.title else BEGINNINGS.get(text.way, "")
    end = "" if text.way not in BEGINNINGS or text.text.endswith((".", "?", "!")) else "."
    return begin + text.text + end + (f" {text.sub}" if text.sub else "")


def grid_cells(grid: Grid) -> tuple[list[str], list[list[str]], list[bool]]:
    """Return the head, the rows and which columns hold numbers."""
    return (
        [cell_text(cell) for cell in grid.head],
        [[cell_text(cell) for cell in row] for row in grid.rows],
        [cell.numeric for cell in grid.head],
    )


def card_cells(cards: Cards) -> tuple[list[str], list[list[str]], list[bool]]:
    """Return cards as a table: one row per number, one column per model."""
    names = dict.fromkeys(card.name for column in cards.columns for card in column.cards)
    by_name = [{card.name: card for card in column.cards} for column in cards.columns]
    rows = [[name, *(_card_text(found.get(name)) for found in by_name)] for name in names]
    return ["", *(column.title for column in cards.columns)], rows, [False] * (len(by_name) + 1)


def _card_text(card: Card | None) -> str:
    if card is None:
        return ""
    return f"{card.value} ({card.interval})" if card.interval else card.value


def cell_text(cell: Cell) -> str:
    """Return what stands in a cell, with its small print in brackets."""
    return f"{cell.text} ({cell.sub})" if cell.sub else cell.text


def print_with_colours(document: Document) -> bool:
    """Print on a terminal with rich; say False where it is not installed. Colours obey NO_COLOR."""
    try:
        from rich.console import Console  # noqa: PLC0415 - slow to load, for a terminal alone
    except ImportError:
        return False
    console = Console(highlight=False, markup=False, emoji=False)
    for block in flat(document):
        _print(block, console)
        console.print()
    return True


def _print(block: Block, console: Console) -> None:
    from rich import box  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text as Words  # noqa: PLC0415

    if not isinstance(block, Grid):
        return console.print(Words(plain(block)))
    head, rows, right = grid_cells(block)
    title = Words(visible(block.caption), "bold") if block.caption else None
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    for place, (name, numeric) in enumerate(zip(head, right, strict=True)):
        style = "cyan" if place < block.heads else None
        table.add_column(Words(visible(name)), justify="right" if numeric else "left", style=style)
    for row in rows:
        table.add_row(*(Words(visible(cell)) for cell in row))
    return console.print(table)

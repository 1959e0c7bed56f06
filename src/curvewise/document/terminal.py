"""A document for a terminal or a plain text file."""

from __future__ import annotations

from dataclasses import dataclass

from curvewise.document.blocks import (
    Answers,
    Card,
    Cards,
    Cell,
    Document,
    Facts,
    Grid,
    Heading,
    Plain,
    Points,
    Text,
    opened,
)
from curvewise.results.folding import aligned, paragraph
from curvewise.results.text import visible
from curvewise.words import Lang, words

STOPS = (".", "?", "!", "。", "？", "！")
ENDED = (*STOPS, ":", "：")
STYLES = {"head": "1", "name": "36"}  # bold and cyan, as terminals number them


@dataclass(frozen=True)
class Screen:
    """How text is written: the language of what stands around it, how many characters a line has, in colours or not.

    Lines are as long as they are by default, as in a file: one row of a table is then one line.
    """

    lang: Lang = "en"
    width: int | None = None
    colours: bool = False

    def paint(self, text: str, style: str) -> str:
        """Return a text in the colour of its part of a table, if there are colours."""
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self.colours and text else text


FILE = Screen()


def terminal(document: Document, screen: Screen = FILE) -> str:
    """Return the document as text."""
    return "\n\n".join(filter(None, (plain(block, screen) for block in opened(document.blocks)))) + "\n"


def plain(block: Plain, screen: Screen = FILE) -> str:
    """Return one block as text."""
    match block:
        case Grid():
            return _titled(block.caption, [_table(*grid_cells(block), screen)], screen)
        case Text():
            return paragraph(said(block, screen.lang), screen.width)
        case Heading():
            return _titled(block.text, [], screen)
        case Facts():
            w = words(screen.lang)
            rows = [[name, value] for name, value, _ in block.rows]
            return _table([w("terminal.fact"), w("terminal.value")], rows, [False, False], screen)
        case Points():
            return "\n".join(paragraph(said(text, screen.lang), screen.width, "- ", "  ") for text in block.texts)
        case Cards():
            return _table(*card_cells(block), screen)
        case Answers():
            return "\n".join(_answer(question, texts, screen) for question, texts, _ in block.rows)


def _answer(question: str, texts: list[str], screen: Screen) -> str:
    """Return a question with its answers behind it."""
    text = paragraph(words(screen.lang)("space").join([question, *texts]), screen.width, "", "  ")
    asked = visible(question)
    return screen.paint(asked, "head") + text.removeprefix(asked) if text.startswith(asked) else text


def _titled(title: str, parts: list[str], screen: Screen) -> str:
    """Return parts below their title, if it has one."""
    lines = paragraph(title, screen.width).split("\n")
    return "\n\n".join(filter(None, ["\n".join(screen.paint(line, "head") for line in lines), *parts]))


def _table(head: list[str], rows: list[list[str]], right: list[bool], screen: Screen) -> str:
    return aligned(head, rows, right, screen.width, screen.paint)


def said(text: Text, lang: Lang = "en") -> str:
    """Return the words of a paragraph with what stands before and behind it."""
    w, is_note = words(lang), text.way in ("note", "warn")
    begin = w(f"terminal.{text.way}") if is_note else ""
    if text.title:
        begin = text.title + w("space") if text.title.endswith(ENDED) else w("terminal.titled", title=text.title)
    end = w("terminal.stop") if is_note and not text.text.endswith(STOPS) else ""
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

"""What a document is made of: sections of paragraphs, tables, figures, facts and controls.

Renderers turn one document into a terminal page, Markdown, HTML, JSON or CSV.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from curvewise.results.result import Result, Table
from curvewise.words import Lang, words
from curvewise.words.numbers import read

if TYPE_CHECKING:
    from curvewise.document.embedded_svg import Figure


@dataclass(frozen=True)
class Cell:
    """One cell: what is shown, smaller what goes with it, and the raw numbers that a CSV file gets."""

    text: str
    sub: str = ""
    raw: tuple[Any, ...] = ()
    numeric: bool = False
    lang: str | None = None

    @property
    def data(self) -> str | None:
        """The raw numbers as an attribute, texts as JSON; None where the text itself is the value."""
        if any(isinstance(v, str) and v for v in self.raw):
            return json.dumps([_plain(v) for v in self.raw], ensure_ascii=False)
        return "|".join(_plain(v) for v in self.raw) if self.raw else None


@dataclass(frozen=True)
class Grid:
    """A table. ``models`` says which model a row belongs to, so that it can be switched off."""

    kind: ClassVar[str] = "grid"
    caption: str
    head: list[Cell]
    rows: list[list[Cell]]
    models: Sequence[int | None] = ()
    heads: int = 1  # how many first cells of a row name it

    def model(self, row: int) -> int | None:
        """Return the place of the model of a row."""
        return self.models[row] if self.models else None


@dataclass(frozen=True)
class Text:
    """A paragraph; ``way`` is plain, lead, note or warn; ``sub`` follows in small type."""

    kind: ClassVar[str] = "text"
    text: str
    way: str = "plain"
    lang: str | None = None
    title: str = ""
    sub: str = ""


@dataclass(frozen=True)
class Plate:
    """A figure with its caption, and the table of its numbers."""

    kind: ClassVar[str] = "plate"
    figure: Figure | None
    title: str
    caption: str
    grid: Grid
    key: str


@dataclass(frozen=True)
class Plates:
    """Figures side by side."""

    kind: ClassVar[str] = "plates"
    plates: list[Plate]


@dataclass(frozen=True)
class Beside:
    """A figure, and beside it, where there is room, what belongs to it."""

    kind: ClassVar[str] = "beside"
    plate: Plate
    blocks: list[Block]


@dataclass(frozen=True)
class Fold:
    """Something for those who want more."""

    kind: ClassVar[str] = "fold"
    title: str
    blocks: list[Block]


@dataclass(frozen=True)
class Heading:
    """A smaller heading."""

    kind: ClassVar[str] = "heading"
    text: str


@dataclass(frozen=True)
class Facts:
    """Names and values, a line each."""

    kind: ClassVar[str] = "facts"
    rows: list[tuple[str, str, bool]]  # name, value, whether the value is code


@dataclass(frozen=True)
class Points:
    """A list of texts."""

    kind: ClassVar[str] = "points"
    texts: list[Text]


@dataclass(frozen=True)
class Card:
    """A number that matters: its name, value, interval, and what it says."""

    name: str
    value: str
    interval: str
    words: str


@dataclass(frozen=True)
class CardColumn:
    """The numbers that matter of one model; ``place`` gives its colour, None where there is one model only."""

    title: str
    place: int | None
    cards: list[Card]
    remark: str = ""  # what sets it apart from the others


@dataclass(frozen=True)
class Cards:
    """The numbers that matter: one column per model, side by side."""

    kind: ClassVar[str] = "cards"
    columns: list[CardColumn]


@dataclass(frozen=True)
class Tabs:
    """The same for each of several models or groups, of which a page shows one at a time."""

    kind: ClassVar[str] = "tabs"
    label: str
    tabs: list[tuple[str, list[Block]]]


@dataclass(frozen=True)
class Answers:
    """Questions and their answers in plain words, each with the id of the section to read on in."""

    kind: ClassVar[str] = "answers"
    rows: list[tuple[str, list[str], str]]  # question, answers, section


@dataclass(frozen=True)
class Switches:
    """What shows and hides the curves of each model, and of all ``others``, which have no colour of their own."""

    kind: ClassVar[str] = "switches"
    models: list[str]
    others: int = 0


@dataclass(frozen=True)
class Explorer:
    """The place of the sliders, written by ``template``; of detectors, with the classes to choose from.

    ``shares``: what is counted are weights of censored outcomes, and shown as shares; ``level``: the confidence of
    guarantees.
    """

    kind: ClassVar[str] = "explorer"
    models: list[str]
    template: str = "explorer.html.j2"
    classes: Sequence[str] = ()
    shares: bool = False
    level: float = 0.95


Plain = Grid | Text | Heading | Facts | Points | Cards | Answers  # what holds no other block
Block = Plain | Plate | Plates | Beside | Fold | Tabs | Switches | Explorer


@dataclass(frozen=True)
class Section:
    """A part of the page."""

    id: str
    title: str
    blocks: list[Block]


@dataclass(frozen=True)
class Document:
    """Everything that a command or a report has to say, before anybody decides how it is written.

    ``data`` is what JSON gets, ``long`` what CSV gets (a header, then rows), ``reading`` how the data were
    read: the notes of a file reader, for standard error.
    """

    title: str
    blocks: list[Block | Section]
    data: dict[str, Any]
    long: list[list[Any]]
    reading: tuple[str, ...] = ()


def opened(blocks: Iterable[Block | Section]) -> list[Plain]:
    """Return blocks in reading order: folds and tabs are open, a figure is its table, sliders are left out."""
    return [plain for block in blocks for plain in _opened(block)]


def _opened(block: Block | Section) -> list[Plain]:
    match block:
        case Section() | Fold():
            return [Heading(block.title), *opened(block.blocks)]
        case Tabs():
            return [plain for title, inner in block.tabs for plain in (Heading(title), *opened(inner))]
        case Plate():
            return [block.grid]
        case Plates():
            return [plate.grid for plate in block.plates]
        case Beside():
            return opened([block.plate, *block.blocks])
        case Explorer() | Switches():
            return []
        case _:
            return [block]


def grid_of(table: Table, title: str | None = None, lang: Lang = "en") -> Grid:
    """Return a table of the library as a block: numbers as they are shown, raw values beside them.

    In English, columns are called as they are in Python.
    """
    numeric = table.numeric()
    called = [name if lang == "en" else words(lang).known("column", name) for name in table.columns]
    head = [Cell(name, numeric=n) for name, n in zip(called, numeric, strict=True)]
    raw = zip(*table.columns.values(), strict=True)
    rows = [
        [Cell(text, raw=(value,) if n else (), numeric=n) for text, value, n in zip(*row, numeric, strict=True)]
        for row in zip(table.cells(), raw, strict=True)
    ]
    return Grid(table.title if title is None else title, head, rows)


def blocks_of(result: Result, lang: Lang = "en") -> list[Block]:
    """Return what a reader is shown of any result: its tables, and its notes as paragraphs."""
    return [
        grid_of(part, lang=lang)
        if isinstance(part, Table)
        else Text(part.text(lang), part.values.get("severity", "note"))
        for part in result.parts()
    ]


def _plain(value: Any) -> str:
    if isinstance(value, (int, str)):
        return str(value)
    number = read(value)
    return "" if math.isnan(number) else repr(number)

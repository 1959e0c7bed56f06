"""What every page is written with: words, figures with their tables, answers and remarks; and what it consists of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from curvewise.document.blocks import Block, Fold, Grid, Plate, Plates, Section, Tabs, Text
from curvewise.document.html import SCRIPTS, STYLES
from curvewise.document.terminal import STOPS

if TYPE_CHECKING:
    from curvewise.document.embedded_svg import Figure
    from curvewise.errors import Note
    from curvewise.words import Words

SIDE_BY_SIDE = 4  # figures of models in a row
FEW_NOTES = 2


class Page:
    """An evaluation, its figures, and a language: what a section is written from.

    A kind of page has its ``sections``, in the order of a reader's questions, its figures and what its script gets.
    """

    sections: ClassVar[tuple[Callable[[Any], Section | None], ...]]
    heading: ClassVar[str] = "page.title"  # the key of its title
    styles: ClassVar[tuple[str, ...]] = STYLES
    scripts: ClassVar[tuple[str, ...]] = SCRIPTS
    w: Words
    figures: Mapping[str, Figure]

    @property
    def names(self) -> list[str]:
        """The names of the models."""
        raise NotImplementedError

    @property
    def of(self) -> str:
        """What the page is about, by name."""
        return self.w("page.names", names=self.names)

    def written(self) -> list[Section]:
        """Return the sections that these data have."""
        return [section for write in self.sections if (section := write(self)) is not None]

    def plate(self, key: str, grid: Grid, model: str | None = None, **said: Any) -> Plate:
        """Return a figure, or its table alone where the figure was not drawn; ``said`` is what its caption tells."""
        kind = key.partition(":")[0]
        title = self.w(f"figure.{kind}")
        if model is not None and len(self.names) > 1:
            title = self.w("figure.of", title=title, model=model)
        return Plate(self.figures.get(key), title, self.w(f"figure.{kind}.caption", **said), grid, key)

    def one_by_one(self, plates: list[Plate]) -> list[Block]:
        """Return a figure per model: side by side, or of many models one at a time."""
        if len(plates) <= SIDE_BY_SIDE:
            return [Plates(plates)] if plates else []
        return [Tabs(self.w("page.models"), [(plate.title, [Plates([plate])]) for plate in plates])]

    def folded_notes(self, said: Iterable[str]) -> list[Block]:
        """Return remarks on numbers, each once; many are folded."""
        notes: list[Block] = [Text(text, "note") for text in dict.fromkeys(said)]
        return [Fold(self.w("page.remarks", count=len(notes)), notes)] if len(notes) > FEW_NOTES else notes

    def remarks(self, notes: Iterable[Note]) -> list[Block]:
        """Return notes as small paragraphs, each once."""
        return [Text(text, "note") for text in dict.fromkeys(self.sentence(n) for n in notes)]

    def sentence(self, found: Note) -> str:
        """Return a note as a sentence of its own: a name at its beginning stays as it is."""
        text, w = found.text(self.w.lang), self.w
        if not w.template(f"note.{found.code}").startswith("{"):
            text = text[:1].upper() + text[1:]
        return text if text.endswith(STOPS) else text + w("terminal.stop")

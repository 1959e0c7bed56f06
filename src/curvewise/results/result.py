"""The base of everything that a verb returns, and the table that each can become."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

from curvewise.results.folding import aligned
from curvewise.results.frames import to_frame
from curvewise.results.numbers import json_safe, show
from curvewise.results.text import markdown, piped, visible

if TYPE_CHECKING:
    from curvewise.errors import Note


MOST_ROWS, ENDS = 60, 10  # of a table in a notebook; longer ones show so many at each end


class Result:
    """What a verb returns: frozen, printable, and a table, a frame, a dict, Markdown or a figure.

    A subclass has a ``table``; where a dict of its fields is not what a program wants, `content`; and where
    the table is not what a person wants to read, ``__str__``. It states the name of its schema, as in
    ``class RocCurve(Curve, schema="roc_curve")``: programs read that name, whatever the class is called later.
    """

    schema: ClassVar[str]  # what `to_dict` begins with: "curvewise.roc_curve"
    version: ClassVar[int] = 1
    notes: tuple[Note, ...] = ()
    backend: str | None = None

    def __init_subclass__(cls, schema: str | None = None, **options: Any) -> None:
        super().__init_subclass__(**options)
        if schema is not None:
            cls.schema = f"curvewise.{schema}"

    @property
    def table(self) -> Table:
        """The result as a table, one row per number or per group of numbers."""
        names = [f.name for f in dataclasses.fields(self) if f.repr]  # type: ignore[arg-type]
        values = [getattr(self, name) for name in names]
        plain = [(n, v) for n, v in zip(names, values, strict=True) if isinstance(v, (str, int, float))]
        return Table("", {"field": [n for n, _ in plain], "value": [v for _, v in plain]})

    def tables(self) -> list[Table]:
        """Return the tables that hold every number, as a CSV file does; by default the table."""
        return [self.table]

    def parts(self) -> list[Table | Note]:
        """Return all that a reader is shown, in reading order: tables and notes.

        What ``str``, `to_markdown`, a notebook and the command line show; by default the table and the notes.
        """
        return [self.table, *self.notes]

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the table as a frame (``"polars"``, ``"pandas"`` or ``"pyarrow"``).

        By default of the library that the rows came from, else of the first one loaded or installed.
        """
        return to_frame(self.table.columns, self.backend if backend is None else backend)

    def content(self) -> dict[str, Any]:
        """Return the fields as JSON-safe values, without the heading that `to_dict` adds."""
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        return {f.name: json_safe(getattr(self, f.name)) for f in fields if f.repr}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a JSON-safe dict that begins with its schema and version."""
        return {"schema": self.schema, "version": self.version, **self.content()}

    def to_markdown(self) -> str:
        """Return the tables and the notes as Markdown."""
        shown = (p.markdown_table() if isinstance(p, Table) else f"> {markdown(str(p))}" for p in self.parts())
        return "\n\n".join(shown) + "\n"

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draw the result; see `curvewise.figures` for everything a figure can show beside it.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; None makes a figure of the width of a journal's column.
        **style
            Options of the drawing function of this result; what it does not know goes to matplotlib's line.

        Returns
        -------
        matplotlib.axes.Axes
        """
        # by name: drawing lies above the results, and no result may depend on it
        from curvewise.figures import draw  # noqa: PLC0415 - needs matplotlib

        return draw(self, ax=ax, **style)

    def __str__(self) -> str:
        lines: list[str] = []
        for part in self.parts():
            if isinstance(part, Table):
                lines += ["", str(part)] if lines else [str(part)]
            else:
                lines.append(f"note: {visible(str(part))}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return "".join(
            part.html_table() if isinstance(part, Table) else f"<p>{escape(str(part))}</p>" for part in self.parts()
        )


@dataclass(frozen=True, repr=False)
class Table(Result, schema="table"):
    """Named columns of equal length; numbers keep full precision, only their display is rounded."""

    title: str
    columns: dict[str, list[Any]]
    backend: str | None = None

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), []))

    @property
    def table(self) -> Table:
        """The table itself."""
        return self

    def parts(self) -> list[Table | Note]:
        """Return the table alone."""
        return [self]

    def rows(self) -> list[dict[str, Any]]:
        """Return one dict per row."""
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*self.columns.values(), strict=True)]

    def content(self) -> dict[str, Any]:
        """Return the title, and one dict per row."""
        return {"title": self.title, "rows": json_safe(self.rows())}

    def cells(self) -> list[list[str]]:
        """Return the displayed text of every row."""
        shown = ([show(v) for v in values] for values in self.columns.values())
        return [list(row) for row in zip(*shown, strict=True)]

    def numeric(self) -> list[bool]:
        """Say which columns hold numbers, which are written to the right."""
        return [any(isinstance(v, (int, float)) for v in values) for values in self.columns.values()]

    def __str__(self) -> str:
        text = aligned(list(self.columns), self.cells(), self.numeric())
        return f"{visible(self.title)}\n\n{text}" if self.title else text

    def markdown_table(self) -> str:
        """Return the title as a heading and the cells as a Markdown table."""
        text = piped(list(self.columns), self.cells(), self.numeric())
        return f"### {markdown(self.title)}\n\n{text}" if self.title else text

    def html_table(self) -> str:
        """Return an HTML table in which every name is text; of a long one, the first and the last rows."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        shown, left_out = self, len(self) - 2 * ENDS if len(self) > MOST_ROWS else 0
        if left_out:
            shown = Table("", {name: [*values[:ENDS], *values[-ENDS:]] for name, values in self.columns.items()})
        rows = ["<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in shown.cells()]
        if left_out:
            said = f"… {left_out:,} more rows, all of them in to_frame()"
            rows.insert(ENDS, f'<tr><td colspan="{len(self.columns)}">{said}</td></tr>')
        body = "".join(rows)
        return (
            f"<table><caption>{escape(self.title)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )

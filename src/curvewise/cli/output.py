"""A report in four formats, on standard output or in a file."""

from __future__ import annotations

import csv
import io
import json
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, Protocol

from curvewise._version import __version__
from curvewise.cli.run import ReaderGoneError, say
from curvewise.results.numbers import json_safe
from curvewise.results.text import markdown, spreadsheet, visible

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from curvewise.cli.layout import Grid

Format = Literal["table", "json", "md", "csv"]


class Document(Protocol):
    """What a command has to say: notes on how the data were read, parts to lay out, and data."""

    @property
    def notes(self) -> list[str]:
        """How the file was read."""

    def parts(self) -> list[Grid | str]:
        """Return tables and sentences in reading order."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""

    def long(self) -> list[list[Any]]:
        """Return a header and rows, one number a row."""


def heading(document: Any, schema: str, version: int) -> dict[str, Any]:
    """Return how every command's JSON begins: which schema, which curvewise, what was asked of what."""
    return {
        "schema": schema,
        "version": version,
        "curvewise": __version__,
        **{name: getattr(document, name) for name in ("source", "options", "notes")},
    }


def emit(report: Document, form: Format, output: Path | None) -> None:
    """Write the report where it belongs, and its notes on standard error."""
    for note in report.notes:
        say(f"Note: {note}.")
    if form == "csv":  # the long form has no place for words
        for line in [p for p in report.parts() if isinstance(p, str)]:
            say(line)
    if output is not None:
        from curvewise.results.writing import write_atomically  # noqa: PLC0415 - only with -o

        write_atomically(output, render(report, form).encode())
        return
    with _reader():
        if form == "table" and sys.stdout.isatty() and _on_terminal(report):
            return
    put(render(report, form))


def put(text: str, *, exactly: bool = False) -> None:
    """Write text on standard output: as the terminal can show it, or ``exactly``, in UTF-8."""
    with _reader():
        if isinstance(sys.stdout, io.TextIOWrapper):
            if exactly:
                sys.stdout.reconfigure(encoding="utf-8")
            else:  # a terminal of another encoding shows "?"
                sys.stdout.reconfigure(errors="replace")
        sys.stdout.write(text.replace("─", "-") if is_plain() else text)
        sys.stdout.flush()


def is_plain() -> bool:
    """Say whether standard output cannot show the characters that curves are drawn with."""
    try:
        "│└─⣿".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


@contextmanager
def _reader() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise ReaderGoneError from None


def render(report: Document, form: Format) -> str:
    """Return the report as text that ends in a newline."""
    if form == "json":
        return json.dumps(report.to_dict(), indent=2, allow_nan=False) + "\n"
    if form == "csv":
        return _csv(report.long())
    if form == "md":
        return "\n\n".join(_markdown(part) for part in report.parts()) + "\n"
    return "\n\n".join(visible(p) if isinstance(p, str) else str(p) for p in report.parts()) + "\n"


def _csv(rows: list[list[Any]]) -> str:
    text = io.StringIO()
    safe = [[spreadsheet(c) if isinstance(c, str) else json_safe(c) for c in row] for row in rows]
    csv.writer(text, lineterminator="\n").writerows(safe)
    return text.getvalue()


def _markdown(part: Grid | str) -> str:
    if isinstance(part, str):
        return markdown(part)
    rule = ["---:" if i in part.right else "---" for i in range(len(part.head))]
    lines = [[markdown(c) for c in part.head], rule, *([markdown(c) for c in row] for row in part.rows)]
    return "\n".join(
        [f"### {markdown(part.title)}", "", *("| " + " | ".join(cells) + " |" for cells in lines)]
    )


def _on_terminal(report: Document) -> bool:
    """Print with rich; say False where it is not installed. Colours obey NO_COLOR there."""
    try:
        from rich import box  # noqa: PLC0415 - slow to load, for a terminal alone
        from rich.console import Console  # noqa: PLC0415
        from rich.table import Table  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415
    except ImportError:
        return False
    console = Console(highlight=False, markup=False, emoji=False)
    for part in report.parts():
        if isinstance(part, str):
            console.print(Text(visible(part)))
        else:
            table = Table(title=Text(visible(part.title), "bold"), title_justify="left", box=box.SIMPLE_HEAD)
            for i, name in enumerate(part.head):
                style = "cyan" if i == 0 else None
                table.add_column(
                    Text(visible(name)), justify="right" if i in part.right else "left", style=style
                )
            for row in part.rows:
                table.add_row(*(Text(visible(cell)) for cell in row))
            console.print(table)
        console.print()
    return True

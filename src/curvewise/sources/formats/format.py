"""The file formats: how a file is recognised, by its content and then by its name, and which module reads it.

The module of a format has four functions, each of which takes the source and the format:

``columns``
    the names of the columns, read without NumPy and Polars where the format is text;
``head``
    the first rows with all columns;
``read``
    the columns that are asked for, notes, and the line of the first row where rows are lines;
``append``
    the bytes of the same file with one more column of numbers, of which the name is taken from the column; None where
    a column cannot be added.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curvewise.errors import CurvewiseError, SourceError
from curvewise.results.text import shortened
from curvewise.sources.byte_source import as_utf8, open_source
from curvewise.sources.file_names import files_of
from curvewise.sources.unpack import PACKED

if TYPE_CHECKING:
    from curvewise.sources.byte_source import ByteSource


@dataclass(frozen=True)
class Format:
    """What is known of a format before a file is read.

    ``title`` is what a reader calls it; ``begins`` are the first bytes of such a file. ``has_nulls`` says that it
    tells a missing value from a word for it.
    """

    kind: str
    title: str
    home: str
    endings: tuple[str, ...]
    begins: bytes | None = None
    is_text: bool = False
    has_nulls: bool = True

    @property
    def module(self) -> Any:
        """The module with its four functions."""
        return import_module(f"curvewise.sources.formats.{self.home}")


ARROW = (".arrow", ".feather", ".ipc")
FORMATS = {
    each.kind: each
    for each in (
        Format("delimited", "CSV", "delimited", (".csv", ".tsv", ".tab"), is_text=True, has_nulls=False),
        Format("json lines", "JSON lines", "json_records", (".jsonl", ".ndjson"), is_text=True),
        Format("json array", "a JSON array", "json_records", (".json",), is_text=True),
        Format("parquet", "Parquet", "columnar", (".parquet", ".pq"), b"PAR1"),
        Format("arrow", "Arrow", "columnar", ARROW, b"ARROW1"),
        Format("arrow stream", "Arrow stream", "columnar", ARROW, b"\xff\xff\xff\xff"),
        # what is still packed when its format is asked for is a workbook
        Format("excel", "an Excel workbook", "excel", (".xlsx", ".xlsm", ".xlsb"), b"PK\x03\x04", has_nulls=False),
    )
}
BY_ENDING = {ending: each for each in reversed(FORMATS.values()) for ending in each.endings}
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # Microsoft's container of old files, and of encrypted ones
ARRAY = re.compile(rb"\[\s*[{\]]")  # of records; a header of CSV may begin with a bracket, too
SURROGATE = re.compile("[\ud800-\udfff]")
MOST_LISTED, LONGEST = 12, 60


def format_by_bytes(head: bytes) -> Format | None:
    """Return the binary format whose files begin like this."""
    return next((each for each in FORMATS.values() if each.begins and head.startswith(each.begins)), None)


def format_of(source: ByteSource) -> Format:
    """Tell what a file is; a name that promises something else is refused."""
    named, binary = BY_ENDING.get(source.suffix), format_by_bytes(source.head)
    if binary is not None:
        return binary
    if source.head.startswith(COMPOUND):
        raise SourceError(
            f"{source.name}: this is a file of an old Office program, or locked; save it as .xlsx without a password, "
            "or as CSV."
        )
    if named is not None and not named.is_text:
        raise SourceError(
            f"{source.name}: the content is not {named.title}, although the name says so; "
            "the file may be cut off or misnamed."
        )
    if named is not None and named.kind == "delimited":
        return named
    begin = source.head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if begin.startswith(b"{"):
        return FORMATS["json lines"]
    if ARRAY.match(begin) or (named is not None and begin.startswith(b"[")):
        return FORMATS["json array"]
    return named or FORMATS["delimited"]


def is_file_name(name: str) -> bool:
    """Whether a word is a file, or is called like one."""
    path = Path(name)
    return path.suffix.lower() in (*PACKED, ".txt", *BY_ENDING) or path.is_file()


def open_first(path: str) -> tuple[ByteSource, Format]:
    """Open a file, the first one of a folder or a glob, as UTF-8 where it is text."""
    source = open_source(path if path == "-" else files_of(path)[0])
    form = format_of(source)
    return (as_utf8(source)[0] if form.is_text else source), form


def column_names(path: str) -> list[str]:
    """Return the columns of a file, the first one of a folder or a glob; of JSON those of its first objects."""
    source, form = open_first(path)
    names: list[str] = form.module.columns(source, form)
    return names


def positions(source: str, header: Sequence[str], wanted: Sequence[str]) -> dict[str, int]:
    """Return where each wanted column is; refuse a name that is absent or stands there twice.

    The error of an absent one has it in the field ``name``, and the nearest column, or None, in ``near``.
    """
    for name in wanted:
        times = header.count(name)
        if times == 0:
            folded = {h.strip().casefold(): h for h in header}
            close = get_close_matches(name.strip().casefold(), list(folded), n=1)
            near = folded[close[0]] if close else None
            raise CurvewiseError(
                "{source}: there is no column {absent}{hint}; the columns are {listed}.",
                source=source,
                absent=repr(name),
                name=name,
                near=near,
                hint=f" (did you mean {near!r}?)" if close else "",
                listed=listed(header),
            )
        if times > 1:
            raise CurvewiseError(f"{source}: {times} columns are called {name!r}; rename them, so that one is meant.")
    return {name: header.index(name) for name in wanted}


def listed(header: Sequence[str]) -> str:
    """Write the names of columns one after the other, many in part."""
    more = f", … {len(header)} in all" if len(header) > MOST_LISTED else ""
    return ", ".join(repr(shortened(name, LONGEST)) for name in header[:MOST_LISTED]) + more


def refuse_present(source: ByteSource, name: str, names: object) -> None:
    """Refuse a new column whose name is taken."""
    if name in names:  # type: ignore[operator]
        raise CurvewiseError(f"{source.name}: there is a column {name!r} already; give another name.")

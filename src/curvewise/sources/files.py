"""Read the named columns of a file: CSV, TSV, JSON lines, Parquet or Arrow, by name or by content.

Nothing is guessed in silence: a detected delimiter or decimal comma comes back as a note, a cell
that is no number is an error, and a label keeps the text it has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from curvewise.errors import CurvewiseError, SourceError
from curvewise.sources._polars import pl
from curvewise.sources.delimited import read_delimited
from curvewise.sources.header import positions
from curvewise.sources.json_lines import read_json_lines
from curvewise.sources.numbers import (
    TEXT,
    has_decimal_comma,
    labels,
    numbers,
    without_missing,
)
from curvewise.sources.source import Source, as_utf8, open_source

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind = Literal["parquet", "arrow", "arrow stream", "json lines", "delimited"]

SUFFIXES: dict[str, Kind] = {
    ".csv": "delimited",
    ".tsv": "delimited",
    ".tab": "delimited",
    ".jsonl": "json lines",
    ".ndjson": "json lines",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
MAGIC: tuple[tuple[bytes, Kind], ...] = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"\xff\xff\xff\xff", "arrow stream"),
)


@dataclass(frozen=True)
class FileData:
    """The columns read, what was detected on the way, and the line of the first row.

    ``first_line`` is None where a row is not a line of text.
    """

    frame: pl.DataFrame
    notes: list[str]
    first_line: int | None = None


def read_file(path: str, *, label: str, numeric: Sequence[str], names: Sequence[str] = ()) -> FileData:
    """Read a label column and number columns from a file.

    Parameters
    ----------
    path
        The file; ``-`` is standard input. A gzipped file is unpacked.
    label
        The column of labels: numbers and booleans where all cells are plainly that, else text.
    numeric
        The columns of scores and weights: integers where all cells are, else float64, exactly.
    names
        Columns of names (a patient, a group), read as labels are.

    Returns
    -------
    FileData
        Missing values (empty, NA, NaN, null, None, in any case of letters) are null.

    Raises
    ------
    SourceError
        If the file is absent, unreadable, empty, corrupt or not text.
    CurvewiseError
        If a column is unknown, rows are ragged or a cell is no number.
    """
    wanted = list(dict.fromkeys([label, *names, *numeric]))
    source = open_source(path)
    kind = kind_of_file(source)
    notes: list[str] = []
    first_line = None
    if kind in ("delimited", "json lines"):
        source, notes = as_utf8(source)
        if not source.head.strip():
            raise SourceError(f"{source.name}: the file is empty.")
        reader = read_delimited if kind == "delimited" else read_json_lines
        frame, more, first_line = reader(source, wanted)
        notes += more
    else:
        frame = _read_binary(source, kind, wanted)
    if not frame.height:
        raise CurvewiseError(f"{source.name}: there are columns and no row in them.")
    cells = [without_missing(frame[name]) if frame[name].dtype in TEXT else frame[name] for name in numeric]
    comma = has_decimal_comma(cells)
    if comma:
        notes.append("decimal comma detected")
    columns = [labels(frame[name], decimal_comma=comma) for name in (label, *names)]
    columns += [numbers(c, first_line, decimal_comma=comma) for c in cells]
    by_name = {c.name: c for c in columns}
    return FileData(pl.DataFrame(list(by_name.values())), notes, first_line)


def kind_of_file(source: Source) -> Kind:
    """Tell what a file is by its content, then by its name."""
    named = SUFFIXES.get(source.suffix)
    for magic, kind in MAGIC:
        if source.head.startswith(magic):
            return kind
    if named in ("parquet", "arrow"):
        raise SourceError(
            f"{source.name}: the content is not {named.capitalize()}, although the name says so; "
            "the file may be cut off or misnamed."
        )
    if named is None and source.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return "json lines"
    return named or "delimited"


def _read_binary(source: Source, kind: Kind, wanted: Sequence[str]) -> pl.DataFrame:
    """Read columns of Parquet or Arrow; only those are decoded."""
    try:
        if kind == "parquet":
            lazy = pl.scan_parquet(source.for_polars(), glob=False)
            positions(source.name, lazy.collect_schema().names(), wanted)
            return lazy.select(wanted).collect()
        with source.open() as stream:
            if kind == "arrow":
                positions(source.name, list(pl.read_ipc_schema(stream)), wanted)
                stream.seek(0)
                return pl.read_ipc(stream, columns=list(wanted))
            frame = pl.read_ipc_stream(stream)
            positions(source.name, frame.columns, wanted)
            return frame.select(wanted)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        why = str(error).split("\n", 1)[0]
        raise SourceError(
            f"{source.name}: cannot be read as {kind.capitalize()} ({why}); the file may be corrupt."
        ) from None

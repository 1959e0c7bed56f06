"""Read the named columns of a file: CSV, TSV, JSON lines, Parquet or Arrow, by name or by content.

Nothing is guessed in silence: a detected delimiter or decimal comma comes back as a note, a cell
that is no number is an error, and a label keeps the text it has.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from curvewise.errors import CurvewiseError, Note, RowNumbers, SourceError, note
from curvewise.sources._polars import pl
from curvewise.sources.byte_source import ByteSource, as_utf8, open_source
from curvewise.sources.cells import TEXT, has_decimal_comma, labels, numbers, without_missing
from curvewise.sources.csv_rows import positions, read_delimited
from curvewise.sources.wording import file_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Kind = Literal["parquet", "arrow", "arrow stream", "json lines", "delimited"]

ENDINGS: dict[Kind, tuple[str, ...]] = {
    "delimited": (".csv", ".tsv", ".tab"),
    "json lines": (".jsonl", ".ndjson"),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".feather", ".ipc"),
}
SUFFIXES = {suffix: kind for kind, suffixes in ENDINGS.items() for suffix in suffixes}
MAGIC: dict[bytes, Kind] = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow stream"}
LOOK_AHEAD = 1000
# Python's own reader: it is strict, tells the line, and hands over the digits as they stand. It
# also takes the NaN and Infinity that Python itself writes.
DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)


@dataclass(frozen=True)
class FileData:
    """The columns read, what was detected on the way, and the line of the first row where rows are lines."""

    frame: pl.DataFrame
    notes: list[Note]
    first_line: int | None = None


def read_file(
    path: str, *, label: str, numeric: Sequence[str], names: Sequence[str] = (), as_is: Sequence[str] = ()
) -> FileData:
    """Read a label column, number columns and columns of names from a file (``-`` is standard input).

    Labels and names are numbers and booleans where all cells are plainly that, else text; numbers are whole
    where all cells are, else float64, exactly. Missing values (empty, NA, NaN, null, None, in any case of
    letters) are null. Columns ``as_is`` are what the file has, text in a file of text: 1.50 is not 1.5 where it names a
    row. A file that is absent, unreadable, empty, corrupt or not text is a `SourceError`; an
    unknown column, ragged rows or a cell that is no number a `CurvewiseError`.
    """
    found, _, _ = read_cells(path, list(dict.fromkeys([label, *names, *numeric, *as_is])))
    cells, comma, notes = number_cells([found.frame[name] for name in numeric])
    columns = [labels(found.frame[name], decimal_comma=comma) for name in (label, *names)]
    columns += [numbers(c, found.first_line, decimal_comma=comma) for c in cells]
    columns += [found.frame[name] for name in as_is if name not in (label, *names, *numeric)]
    frame = pl.DataFrame(list({c.name: c for c in columns}.values()))
    return FileData(frame, [*found.notes, *notes], found.first_line)


def read_cells(path: str, wanted: Sequence[str], *, all_columns: bool = False) -> tuple[FileData, ByteSource, Kind]:
    """Read columns as the file has them, and what they were read from; ``all_columns`` of a binary file."""
    source = open_source(path)
    kind = kind_of_file(source)
    if kind in ("delimited", "json lines"):
        source, notes = as_utf8(source)
        if not source.head.strip():
            raise SourceError(f"{source.name}: the file is empty.")
        reader = read_delimited if kind == "delimited" else _read_json_lines
        frame, more, first_line = reader(source, wanted)
        found = FileData(frame, [*notes, *more], first_line)
    else:
        found = FileData(_read_binary(source, kind, wanted, all_columns=all_columns), [])
    if not found.frame.height:
        raise CurvewiseError(f"{source.name}: there are columns and no row in them.")
    return found, source, kind


def number_cells(columns: Sequence[pl.Series]) -> tuple[list[pl.Series], bool, list[Note]]:
    """Empty the cells that stand for no value, and say whether numbers have a decimal comma."""
    cells = [without_missing(c) if c.dtype in TEXT else c for c in columns]
    comma = has_decimal_comma(cells)
    return cells, comma, [note("decimal_comma_detected")] if comma else []


def kind_of_file(source: ByteSource) -> Kind:
    """Tell what a file is by its content, then by its name."""
    named = SUFFIXES.get(source.suffix)
    for magic, kind in MAGIC.items():
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


def _read_binary(source: ByteSource, kind: Kind, wanted: Sequence[str], *, all_columns: bool) -> pl.DataFrame:
    """Read columns of Parquet or Arrow; only those are decoded, unless all are asked for."""
    try:
        if kind == "parquet":
            lazy = pl.scan_parquet(source.for_polars(), glob=False)
            positions(source.name, lazy.collect_schema().names(), wanted)
            return (lazy if all_columns else lazy.select(wanted)).collect()
        with source.open() as stream:
            if kind == "arrow":
                positions(source.name, list(pl.read_ipc_schema(stream)), wanted)
                stream.seek(0)
                return pl.read_ipc(stream, columns=None if all_columns else list(wanted))
            frame = pl.read_ipc_stream(stream)
            positions(source.name, frame.columns, wanted)
            return frame if all_columns else frame.select(wanted)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        why = str(error).split("\n", 1)[0]
        raise SourceError(
            f"{source.name}: cannot be read as {kind.capitalize()} ({why}); the file may be corrupt."
        ) from None


def _read_json_lines(source: ByteSource, wanted: Sequence[str]) -> tuple[pl.DataFrame, list[Note], int | None]:
    """Return the wanted values as text, no notes, and 1 where rows are lines; a key left out is null."""
    columns: dict[str, list[str | None]] = {name: [] for name in wanted}
    last = 0
    for number, row in _objects(source):
        for name, cells in columns.items():
            cells.append(_as_text(row.get(name), number, name, source))
        last = number
    frame = pl.DataFrame(columns, schema=dict.fromkeys(wanted, pl.String))
    if any(frame[name].null_count() == frame.height for name in wanted):
        keys = [k for (_, row), _ in zip(_objects(source), range(LOOK_AHEAD), strict=False) for k in row]
        positions(source.name, list(dict.fromkeys(keys)), wanted)
    return frame, [], 1 if last == frame.height else None


def _objects(source: ByteSource) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each object with its line; name every line that holds none."""
    bad = []
    with source.open() as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                row = DECODER.decode(line.decode())
            except ValueError:
                row = None
            if not isinstance(row, dict):
                bad.append(number)
            elif not bad:
                yield number, row
    if bad:
        raise CurvewiseError(
            f"{source.name}: expected one JSON object per line ({{…}}), found something else on "
            f"{file_lines(RowNumbers(tuple(bad[:5]), len(bad) > 5), 0)}; correct the file."
        )


def _as_text(value: object, line: int, name: str, source: ByteSource) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    raise CurvewiseError(
        f"{source.name}: column {name!r} holds a list or an object on line {line}, where one value is "
        "expected; flatten it first."
    )

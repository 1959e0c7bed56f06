"""Read the named columns of a file: CSV, TSV, JSON, Parquet, Arrow or Excel, by name or by content.

Nothing is guessed in silence: a detected delimiter or decimal comma comes back as a note, a cell
that is no number is an error, and a label keeps the text it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from curvewise.errors import CurvewiseError, Note, SourceError, note
from curvewise.rows.columns import count
from curvewise.sources._polars import FAILURES, by_name, pl
from curvewise.sources.byte_source import ByteSource, as_utf8, open_source
from curvewise.sources.file_names import files_of, folder_keys, is_empty
from curvewise.sources.formats.cells import (
    TEXT,
    has_decimal_comma,
    labels,
    numbers,
    plain_names,
    quoted_name,
    without_missing,
    without_thousands,
)
from curvewise.sources.formats.csv_rows import read_delimited
from curvewise.sources.formats.header import column_names, json_keys, positions
from curvewise.sources.formats.json_rows import json_objects, text_of
from curvewise.sources.formats.kinds import TEXT_KINDS, Kind, kind_of_file
from curvewise.sources.formats.workbooks import read_workbook
from curvewise.sources.several_files import FilePart, joined, one_kind


@dataclass(frozen=True)
class FileData:
    """The columns read, what was detected on the way, and the line of the first row where rows are lines of one file.

    ``files`` says of several files how many rows each has, and the line of its first one. ``sha256`` is that of a pipe,
    which cannot be read again. ``has_nulls`` says that missing values are null there, and NA or None a text as any.
    """

    frame: pl.DataFrame
    notes: list[Note]
    first_line: int | None = None
    files: tuple[tuple[str, int, int | None], ...] = ()
    sha256: str | None = None
    has_nulls: bool = False


def read_file(
    path: str | Sequence[str],
    *,
    label: str | None = None,
    numeric: Sequence[str] = (),
    names: Sequence[str] = (),
    as_is: Sequence[str] = (),
) -> FileData:
    """Read a label column, number columns and columns of names from a file (``-`` is standard input).

    A folder or a glob is all its files, read as if they were one; folders called ``key=value`` are columns, too.

    Labels are numbers and booleans where all cells are plainly that, else text; names are, too, unless that would
    change how one is written; numbers are whole where all cells are, else float64, exactly. Missing values (empty,
    NA, NaN, null, None, in any case of letters) are null; where the file has nulls of its own, as JSON and Parquet do,
    only these are, but for numbers. Columns ``as_is`` are what the file has, text in a file of
    text: 1.50 is not 1.5 where it names a row. A file that is absent, unreadable, empty, corrupt or not text is a
    `SourceError`; an unknown column, ragged rows or a cell that is no number a `CurvewiseError`.
    """
    label_columns = [] if label is None else [label]
    found = read_all_cells(path, list(dict.fromkeys([*label_columns, *names, *numeric, *as_is])))
    held = {name: quoted_name(found.frame[name]) for name in found.frame.columns}
    cells, comma, notes = number_cells([held[name] for name in numeric])
    words = not found.has_nulls
    columns = {name: plain_names(held[name], words=words) for name in names}
    columns |= {name: labels(held[name], decimal_comma=comma, words=words) for name in label_columns}
    columns |= {name: _numbers(c, found, decimal_comma=comma) for name, c in zip(numeric, cells, strict=True)}
    columns |= {name: held[name] for name in as_is if name not in columns}
    return FileData(pl.DataFrame(columns), [*found.notes, *notes], found.first_line, found.files, found.sha256)


def _numbers(cells: pl.Series, found: FileData, *, decimal_comma: bool) -> pl.Series:
    """Read a column of numbers; name the file of cells that are none."""
    try:
        return numbers(cells, found.first_line, decimal_comma=decimal_comma)
    except CurvewiseError:
        start = 0
        for path, rows, first_line in found.files:
            try:
                numbers(cells[start : start + rows], first_line, decimal_comma=decimal_comma)
            except CurvewiseError as error:
                raise CurvewiseError(f"{path}: {error}") from None
            start += rows
        raise


def read_all_cells(path: str | Sequence[str], wanted: Sequence[str]) -> FileData:
    """Read columns as the file, or the files of a folder or a glob, have them."""
    paths = [path] if path == "-" else files_of(path)
    keys = {} if path == "-" else _keys_wanted(paths, wanted)
    if len(paths) == 1 and not keys:
        return read_cells(paths[0], wanted)[0]
    parts, notes = list[FilePart](), list[Note]()
    for at, name in enumerate(paths):
        if len(paths) > 1 and is_empty(name):
            continue  # of a task of Spark that had no rows
        read, _, kind = read_cells(name, [w for w in wanted if w not in keys], may_be_empty=len(paths) > 1)
        added = [
            pl.Series(k, [values[at]], pl.String).new_from_index(0, read.frame.height) for k, values in keys.items()
        ]
        parts.append(FilePart(name, kind, read.frame.with_columns(added), read.first_line))
        notes += [n for n in read.notes if n not in notes]
        one_kind([(p.path, p.kind) for p in (parts[0], parts[-1])])
    frame = joined(parts, wanted) if parts else pl.DataFrame()
    if not frame.height:
        raise CurvewiseError(f"{paths[0]}: there is no row in this file, nor in {count(len(paths) - 1, 'other file')}.")
    files = tuple((p.path, p.frame.height, p.first_line) for p in parts)
    return FileData(frame, notes, None, files, has_nulls=all(_has_nulls(p.kind) for p in parts))


def _has_nulls(kind: Kind) -> bool:
    """Say whether a kind of file tells a missing value from a word for it."""
    return kind not in ("delimited", "excel")


def _keys_wanted(paths: Sequence[str], wanted: Sequence[str]) -> dict[str, list[str | None]]:
    """Return the wanted columns that the names of folders hold; a column of the files themselves goes first."""
    keys = folder_keys(paths)
    found = {name: keys[name] for name in wanted if name in keys}
    return found if found and not set(found) & set(column_names(paths[0])) else {}


def read_cells(
    path: str, wanted: Sequence[str], *, all_columns: bool = False, may_be_empty: bool = False
) -> tuple[FileData, ByteSource, Kind]:
    """Read columns as the file has them, and what they were read from; ``all_columns`` of a binary file."""
    source = open_source(path)
    kind = kind_of_file(source)
    if kind in TEXT_KINDS:
        source, notes = as_utf8(source)
        if not source.head.strip():
            raise SourceError(f"{source.name}: the file is empty.")
        is_json = kind != "delimited"
        frame, more, first_line = (
            _read_json(source, kind, wanted) if is_json else read_delimited(source, wanted, may_be_empty=may_be_empty)
        )
        found = FileData(frame, [*notes, *more], first_line, sha256=source.sha256, has_nulls=is_json)
    elif kind == "excel":
        header, frame, notes = read_workbook(source)
        at = positions(source.name, header, wanted)
        found = FileData(
            frame.select(pl.col(str(at[name])).alias(name) for name in wanted), notes, sha256=source.sha256
        )
    else:
        binary = _read_binary(source, kind, wanted, all_columns=all_columns)
        found = FileData(binary, [], sha256=source.sha256, has_nulls=True)
    source.check_unchanged()
    if not found.frame.height and not may_be_empty:
        raise CurvewiseError(f"{source.name}: there are columns and no row in them.")
    return found, source, kind


def number_cells(columns: Sequence[pl.Series]) -> tuple[list[pl.Series], bool, list[Note]]:
    """Empty the cells that stand for no value, join digits, and say whether numbers have a decimal comma."""
    cells = [without_missing(c) if c.dtype in TEXT else c for c in columns]
    cells, separator = without_thousands(cells)
    comma = has_decimal_comma(cells)
    notes = [note("thousands_detected", separator=separator)] if separator else []
    return cells, comma, [*notes, note("decimal_comma_detected")] if comma else notes


def _read_binary(source: ByteSource, kind: Kind, wanted: Sequence[str], *, all_columns: bool) -> pl.DataFrame:
    """Read columns of Parquet or Arrow; only those are decoded, unless all are asked for."""
    with unbroken(source, kind):
        if kind == "parquet":
            lazy = pl.scan_parquet(source.for_polars(), glob=False)
            positions(source.name, lazy.collect_schema().names(), wanted)
            return (lazy if all_columns else lazy.select(by_name(*wanted))).collect()
        with source.open() as stream:
            if kind == "arrow":
                places = positions(source.name, list(pl.read_ipc_schema(stream)), wanted)
                stream.seek(0)
                return pl.read_ipc(stream, columns=None if all_columns else list(places.values()))
            frame = pl.read_ipc_stream(stream)
            positions(source.name, frame.columns, wanted)
            return frame if all_columns else frame.select(by_name(*wanted))


@contextmanager
def unbroken(source: ByteSource, kind: Kind) -> Iterator[None]:
    """Say in one sentence that a file of Parquet or Arrow cannot be read."""
    try:
        yield
    except FAILURES as error:
        why = "Polars broke off" if isinstance(error, pl.exceptions.PanicException) else str(error).split("\n", 1)[0]
        raise SourceError(
            f"{source.name}: cannot be read as {kind.capitalize()} ({why}); the file may be corrupt."
        ) from None


def binary_columns(source: ByteSource, kind: Kind) -> list[str]:
    """Return the columns of a file that is not text."""
    if kind == "excel":
        return read_workbook(source, rows=1)[0]
    with unbroken(source, kind), source.open() as stream:
        if kind == "parquet":
            return list(pl.read_parquet_schema(stream))
        return list(pl.read_ipc_schema(stream)) if kind == "arrow" else pl.read_ipc_stream(stream).columns


def _read_json(source: ByteSource, kind: Kind, wanted: Sequence[str]) -> tuple[pl.DataFrame, list[Note], int | None]:
    """Return the wanted values as text, no notes, and 1 where rows are lines; a key left out is null."""
    columns: dict[str, list[str | None]] = {name: [] for name in wanted}
    last = 0
    for number, row in json_objects(source, kind):
        for name, cells in columns.items():
            cells.append(text_of(row, name, number, source, kind))
        last = number
    frame = pl.DataFrame(columns, schema=dict.fromkeys(wanted, pl.String))
    if any(frame[name].null_count() == frame.height for name in wanted):
        positions(source.name, json_keys(source, kind), wanted)
    return frame, [], 1 if kind == "json lines" and last == frame.height else None

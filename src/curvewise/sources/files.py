"""Read the named columns of a file: CSV, TSV, JSON, Parquet, Arrow or Excel, by name or by content.

Nothing is guessed in silence: a detected delimiter or decimal comma comes back as a note, a cell
that is no number is an error, and a label keeps the text it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from curvewise.errors import CurvewiseError, Note, SourceError, note
from curvewise.rows.columns import count
from curvewise.sources._polars import pl
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
from curvewise.sources.formats.format import BY_ENDING, SURROGATE, Format, column_names, format_of, open_first

if TYPE_CHECKING:
    from pathlib import Path

MOST_GLANCED = 2000  # rows, for a guess at which column is what


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
    read = read_all_cells(path, list(dict.fromkeys([*label_columns, *names, *numeric, *as_is])))
    held = {name: quoted_name(read.frame[name]) for name in read.frame.columns}
    cells, comma, notes = number_cells([held[name] for name in numeric])
    words = not read.has_nulls
    columns = {name: plain_names(held[name], words=words) for name in names}
    columns |= {name: labels(held[name], decimal_comma=comma, words=words) for name in label_columns}
    columns |= {name: _numbers(c, read, decimal_comma=comma) for name, c in zip(numeric, cells, strict=True)}
    columns |= {name: held[name] for name in as_is if name not in columns}
    return FileData(pl.DataFrame(columns), [*read.notes, *notes], read.first_line, read.files, read.sha256)


def _numbers(cells: pl.Series, read: FileData, *, decimal_comma: bool) -> pl.Series:
    """Read a column of numbers; name the file of cells that are none."""
    try:
        return numbers(cells, read.first_line, decimal_comma=decimal_comma)
    except CurvewiseError:
        start = 0
        for path, rows, first_line in read.files:
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
    parts, forms, notes = dict[str, FileData](), list[tuple[str, Format]](), list[Note]()
    for at, name in enumerate(paths):
        if len(paths) > 1 and is_empty(name):
            continue  # of a task of Spark that had no rows
        read, _, form = read_cells(name, [w for w in wanted if w not in keys], may_be_empty=len(paths) > 1)
        added = [
            pl.Series(k, [values[at]], pl.String).new_from_index(0, read.frame.height) for k, values in keys.items()
        ]
        parts[name] = replace(read, frame=read.frame.with_columns(added))
        forms.append((name, form))
        one_kind([forms[0], forms[-1]])
        notes += [n for n in read.notes if n not in notes]
    frame = pl.DataFrame({name: _joined_column(name, parts) for name in wanted}) if parts else pl.DataFrame()
    if not frame.height:
        raise CurvewiseError(f"{paths[0]}: there is no row in this file, nor in {count(len(paths) - 1, 'other file')}.")
    files = tuple((path, part.frame.height, part.first_line) for path, part in parts.items())
    return FileData(frame, notes, None, files, has_nulls=all(form.has_nulls for _, form in forms))


def _keys_wanted(paths: Sequence[str], wanted: Sequence[str]) -> dict[str, list[str | None]]:
    """Return the wanted columns that the names of folders hold; a column of the files themselves goes first."""
    keys = folder_keys(paths)
    by_folder = {name: keys[name] for name in wanted if name in keys}
    return by_folder if by_folder and not set(by_folder) & set(column_names(paths[0])) else {}


def read_cells(path: str, wanted: Sequence[str], *, may_be_empty: bool = False) -> tuple[FileData, ByteSource, Format]:
    """Read columns as the file has them, and say what they were read from."""
    source, notes = open_source(path), list[Note]()
    form = format_of(source)
    if form.is_text:
        source, notes = as_utf8(source)
        if not source.head.strip():
            raise SourceError(f"{source.name}: the file is empty.")
    frame, more, first_line = form.module.read(source, form, wanted)
    source.check_unchanged()
    if not frame.height and not may_be_empty:
        what = "are columns and no row in them" if form.has_nulls else "is a header and no row below it"
        raise CurvewiseError(f"{source.name}: there {what}.")
    data = FileData(frame, [*notes, *more], first_line, sha256=source.sha256, has_nulls=form.has_nulls)
    return data, source, form


def first_rows(path: str) -> pl.DataFrame:
    """Return the first rows of a file, the first one of a folder or a glob, with all columns.

    Columns are numbers and booleans where all cells are that, else text.
    """
    source, form = open_first(path)
    frame: pl.DataFrame = form.module.head(source, form, MOST_GLANCED)
    plain = [c for c in frame if c.dtype.is_numeric() or c.dtype in (pl.Boolean, pl.String, pl.Categorical)]
    quoted = {c.name: quoted_name(c) for c in plain}
    return pl.DataFrame({name: labels(c, decimal_comma=_may_have_comma(c)) for name, c in quoted.items()})


def _may_have_comma(column: pl.Series) -> bool:
    return column.dtype == pl.String and not column.str.contains(".", literal=True).any()


def number_cells(columns: Sequence[pl.Series]) -> tuple[list[pl.Series], bool, list[Note]]:
    """Empty the cells that stand for no value, join digits, and say whether numbers have a decimal comma."""
    cells = [without_missing(c) if c.dtype in TEXT else c for c in columns]
    cells, separator = without_thousands(cells)
    comma = has_decimal_comma(cells)
    notes = [note("thousands_detected", separator=separator)] if separator else []
    return cells, comma, [*notes, note("decimal_comma_detected")] if comma else notes


# ---- Columns of several files put together as if they had been one file ----


def one_kind(files: Sequence[tuple[str, Format]]) -> None:
    """Refuse text beside Parquet or Arrow: numbers of one and text of the other are not alike."""
    first, form = files[0]
    for path, other in files[1:]:
        if other != form and not (other.is_text and form.is_text):
            raise SourceError(
                f"{first} is {form.title} and {path} is {other.title}: files that are read together must be "
                "of one kind; name them by a pattern that ends alike, as '*.parquet'."
            )


def _joined_column(name: str, parts: Mapping[str, FileData]) -> pl.Series:
    """Put a column together; types of numbers that differ are brought to one exactly, through text."""
    columns = [part.frame[name] for part in parts.values()]
    there = [(path, c) for path, c in zip(parts, columns, strict=True) if c.dtype != pl.Null and len(c)]
    dtypes = {c.dtype for _, c in there}
    if len(dtypes) > 1:
        first, held = there[0][0], held_in(there[0][1].dtype)
        for path, column in there[1:]:
            same_in_both(name, (first, held), (path, held_in(column.dtype)))
        columns = [_as_text(c) for c in columns]
    elif dtypes:
        columns = [c.cast(next(iter(dtypes))) for c in columns]
    return pl.concat(columns)


def same_in_both(name: str, one: tuple[str, str], other: tuple[str, str]) -> None:
    """Refuse a column that holds one thing in one file and another thing in another."""
    if one[1] != other[1]:
        raise CurvewiseError(
            f"column {name!r}: holds {one[1]} in {one[0]} and {other[1]} in {other[0]}; write the files alike."
        )


def held_in(dtype: pl.DataType) -> str:
    """Say what a column holds."""
    if dtype in TEXT:
        return "text"
    if dtype == pl.Boolean:
        return "booleans"
    return "numbers" if dtype.is_numeric() else str(dtype)


def _as_text(column: pl.Series) -> pl.Series:
    """Write values so that they are read back exactly."""
    wide = column.cast(pl.Float64) if column.dtype.is_float() else column
    return wide.cast(pl.String)


# ---- A file with one more column ----


@dataclass(frozen=True)
class WholeFile:
    """A file, with the numbers of one of its columns and how they are written there."""

    source: ByteSource
    form: Format
    column: str
    values: pl.Series
    notes: list[Note]
    first_line: int | None
    decimal_comma: bool = False

    def check_name(self, path: Path) -> None:
        """Refuse an output whose name promises another kind of file."""
        suffix = path.suffix.lower()
        like_input = BY_ENDING.get(self.source.suffix, self.form).kind in (self.form.kind, "json array")
        if suffix not in ("", self.source.suffix if like_input else "", *self.form.endings):
            raise SourceError(
                f"{path}: the output is {self.form.title} as the input is; name it accordingly "
                f"({', '.join(self.form.endings)})."
            )

    def with_column(self, name: str, values: pl.Series) -> bytes:
        """Return the file, in its own encoding, with a column of numbers at the end; a missing one stays empty.

        Every other byte or value stays what it was.
        """
        if SURROGATE.search(name):  # of bytes that were typed and are no text
            raise CurvewiseError(f"{name!r} is no name for a column: it is not text.")
        append, added = self.form.module.append, values.alias(name)
        data: bytes = append(self.source, self.form, added, self.column, decimal_comma=self.decimal_comma)
        self.source.check_unchanged()
        return self.source.as_found(data) if self.form.is_text else data


def read_whole(path: str, column: str) -> WholeFile:
    """Read a file and the numbers of one column, as `read_file` does."""
    data, source, form = read_cells(path, [column])
    if form.module.append is None:
        raise SourceError(f"{source.name}: no column can be added to {form.title}; save it as CSV first.")
    (cells,), comma, notes = number_cells([quoted_name(data.frame[column])])
    values = numbers(cells, data.first_line, decimal_comma=comma).cast(pl.Float64).fill_nan(None)
    return WholeFile(source, form, column, values, [*data.notes, *notes], data.first_line, comma)

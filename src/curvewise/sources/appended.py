"""A file with one more column: every other byte or value stays what it was."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from curvewise.errors import CurvewiseError, SourceError
from curvewise.sources._polars import pl
from curvewise.sources.delimited import RETURN, line_blocks, read_delimited, sniff
from curvewise.sources.files import SUFFIXES, kind_of_file
from curvewise.sources.header import positions
from curvewise.sources.json_lines import read_json_lines
from curvewise.sources.numbers import TEXT, has_decimal_comma, numbers, without_missing
from curvewise.sources.source import as_utf8, open_source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from curvewise.sources.files import Kind
    from curvewise.sources.source import Source


@dataclass(frozen=True)
class WholeFile:
    """A file, with the numbers of one of its columns and how they are written there.

    ``frame`` holds all columns of a binary file; text stays in the source.
    """

    source: Source
    kind: Kind
    values: pl.Series
    notes: list[str]
    first_line: int | None
    decimal_comma: bool = False
    frame: pl.DataFrame | None = None

    def check_name(self, path: Path) -> None:
        """Refuse an output whose name promises another kind of file."""
        named = SUFFIXES.get(path.suffix.lower())
        binary = self.frame is not None
        if path.suffix.lower() == ".gz" or (named or self.kind) != self.kind.removesuffix(" stream"):
            form = self.kind.capitalize() if binary else {"delimited": "CSV"}.get(self.kind, self.kind)
            raise SourceError(f"{path}: the output is {form} as the input is; name it accordingly.")

    def with_column(self, name: str, values: pl.Series) -> bytes:
        """Return the file with a column of numbers at the end; a missing one stays empty."""
        if self.kind == "delimited":
            return b"".join(_delimited(self, name, values))
        if self.kind == "json lines":
            return b"".join(_json_lines(self, name, values))
        return _binary(self, name, values)


def read_whole(path: str, column: str) -> WholeFile:
    """Read a file and the numbers of one column, as `read_file` does."""
    source = open_source(path)
    kind = kind_of_file(source)
    notes: list[str] = []
    first_line = frame = None
    if kind in ("delimited", "json lines"):
        source, notes = as_utf8(source)
        if not source.head.strip():
            raise SourceError(f"{source.name}: the file is empty.")
        reader = read_delimited if kind == "delimited" else read_json_lines
        named, more, first_line = reader(source, [column])
        notes += more
        cells = named[column]
    else:
        frame = _read_binary(source, kind)
        positions(source.name, frame.columns, [column])
        cells = frame[column]
    if not len(cells):
        raise CurvewiseError(f"{source.name}: there are columns and no row in them.")
    cells = without_missing(cells) if cells.dtype in TEXT else cells
    comma = has_decimal_comma([cells])
    if comma:
        notes.append("decimal comma detected")
    values = numbers(cells, first_line, decimal_comma=comma).cast(pl.Float64).fill_nan(None)
    return WholeFile(source, kind, values, notes, first_line, comma, frame)


def _delimited(file: WholeFile, name: str, values: pl.Series) -> Iterator[bytes]:
    delimiter, header, _ = sniff(file.source, [file.values.name])
    _refuse_present(file, name, header)
    cells = _written(values, "")
    if file.decimal_comma:
        cells = cells.str.replace(".", ",", literal=True)
    added = pl.concat([pl.Series([name]), cells])
    plain = ~added.str.contains_any(['"', "\r", "\n", delimiter])
    quoted = '"' + added.str.replace_all('"', '""', literal=True) + '"'
    added = delimiter + added.zip_with(plain, quoted)
    at = 0
    for block, ends, _ in line_blocks(file.source, ord(delimiter)):
        starts = np.append(0, ends[:-1] + 1)
        returned = (ends > starts) & (block[ends - 1] == RETURN)
        places = ends - returned
        places = places[places > starts]  # a blank line is no row
        here = added[at : at + len(places)]
        at += len(places)
        into = np.repeat(places, here.str.len_bytes().to_numpy())
        text = np.frombuffer("".join(here.to_list()).encode(), np.uint8)
        yield np.insert(block, into, text).tobytes()


def _json_lines(file: WholeFile, name: str, values: pl.Series) -> Iterator[bytes]:
    cells = iter(_written(values, "null"))
    key = json.dumps(name)
    with file.source.open() as stream:
        for line in stream:
            body = line.rstrip()
            if not body:
                yield line
                continue
            row = json.loads(body)
            _refuse_present(file, name, row)
            comma = ", " if row else ""
            yield body[:-1].rstrip() + f"{comma}{key}: {next(cells)}}}\n".encode()


def _binary(file: WholeFile, name: str, values: pl.Series) -> bytes:
    assert file.frame is not None  # noqa: S101 - read_whole keeps the frame of a binary file
    _refuse_present(file, name, file.frame.columns)
    frame, out = file.frame.with_columns(values.alias(name)), io.BytesIO()
    if file.kind == "parquet":
        frame.write_parquet(out)
    elif file.kind == "arrow":
        frame.write_ipc(out)
    else:
        frame.write_ipc_stream(out)
    return out.getvalue()


def _read_binary(source: Source, kind: Kind) -> pl.DataFrame:
    try:
        with source.open() as stream:
            if kind == "parquet":
                return pl.read_parquet(stream)
            return pl.read_ipc(stream) if kind == "arrow" else pl.read_ipc_stream(stream)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        why = str(error).split("\n", 1)[0]
        raise SourceError(
            f"{source.name}: cannot be read as {kind.capitalize()} ({why}); the file may be corrupt."
        ) from None


def _written(values: pl.Series, missing: str) -> pl.Series:
    """Write numbers in the fewest digits that give them back."""
    return values.cast(pl.Float64).cast(pl.String).fill_null(missing)


def _refuse_present(file: WholeFile, name: str, names: object) -> None:
    if name in names:  # type: ignore[operator]
        raise CurvewiseError(f"{file.source.name}: there is a column {name!r} already; give another name.")

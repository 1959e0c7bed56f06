"""A file with one more column: every other byte or value stays what it was."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.errors import CurvewiseError, Note, SourceError
from curvewise.sources._polars import pl
from curvewise.sources.files import number_cells, read_cells
from curvewise.sources.formats.cells import numbers, quoted_name
from curvewise.sources.formats.csv_rows import RETURN, line_blocks
from curvewise.sources.formats.header import sniff
from curvewise.sources.formats.json_rows import SURROGATE, array_records, json_text_of
from curvewise.sources.formats.kinds import ENDINGS, SUFFIXES, TEXT_KINDS, Kind, kind_name

if TYPE_CHECKING:
    from pathlib import Path

    from curvewise.sources.byte_source import ByteSource


@dataclass(frozen=True)
class WholeFile:
    """A file, with the numbers of one of its columns and how they are written there.

    ``frame`` holds all columns of a binary file; text stays in the source.
    """

    source: ByteSource
    kind: Kind
    column: str
    values: pl.Series
    notes: list[Note]
    first_line: int | None
    decimal_comma: bool = False
    frame: pl.DataFrame | None = None

    def check_name(self, path: Path) -> None:
        """Refuse an output whose name promises another kind of file."""
        suffix = path.suffix.lower()
        own = self.source.suffix if SUFFIXES.get(self.source.suffix, self.kind) in (self.kind, "json array") else ""
        if suffix not in ("", own, *ENDINGS[self.kind]):
            raise SourceError(
                f"{path}: the output is {kind_name(self.kind)} as the input is; name it accordingly "
                f"({', '.join(ENDINGS[self.kind])})."
            )

    def with_column(self, name: str, values: pl.Series) -> bytes:
        """Return the file, in its own encoding, with a column of numbers at the end; a missing one stays empty."""
        if self.frame is not None:
            return _binary(self, self.frame, name, values)
        writers = {"delimited": _delimited, "json lines": _json_lines, "json array": _json_array}
        return self.source.as_found(b"".join(writers[self.kind](self, name, values)))


def read_whole(path: str, column: str) -> WholeFile:
    """Read a file and the numbers of one column, as `read_file` does."""
    found, source, kind = read_cells(path, [column], all_columns=True)
    if kind == "excel":
        raise SourceError(f"{source.name}: no column can be added to an Excel workbook; save it as CSV first.")
    (cells,), comma, notes = number_cells([quoted_name(found.frame[column])])
    values = numbers(cells, found.first_line, decimal_comma=comma).cast(pl.Float64).fill_nan(None)
    frame = None if kind in TEXT_KINDS else found.frame
    return WholeFile(source, kind, column, values, [*found.notes, *notes], found.first_line, comma, frame)


def _delimited(file: WholeFile, name: str, values: pl.Series) -> Iterator[bytes]:
    delimiter, header, _ = sniff(file.source, [file.column])
    _refuse_present(file, name, header)
    cells = _written(values, "")
    if file.decimal_comma:
        cells = cells.str.replace(".", ",", literal=True)
    added = pl.concat([pl.Series([name]), cells])
    plain = ~added.str.contains_any(['"', "\r", "\n", delimiter])
    quoted = '"' + added.str.replace_all('"', '""', literal=True) + '"'
    added = delimiter + added.zip_with(plain, quoted)
    at = 0
    if file.source.delimiter is not None:
        yield f"sep={delimiter}".encode()  # its line is blank in the source
    for part in line_blocks(file.source, delimiter):
        block, ends = part.data, part.ends
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
    with file.source.open() as stream:
        for line in stream:
            body = line.rstrip()
            if not body:
                yield line
                continue
            row = json.loads(body)
            _refuse_present(file, name, row)
            added = f"{', ' if row else ''}{json.dumps(name)}: {next(cells)}}}\n"
            yield body[:-1].rstrip() + added.encode()


def _json_array(file: WholeFile, name: str, values: pl.Series) -> Iterator[bytes]:
    text, at = json_text_of(file.source), 0
    cells = iter(_written(values, "null"))
    for record, end in array_records(file.source, text):
        _refuse_present(file, name, record)
        body = text[at : end - 1].rstrip()
        yield f"{body}{', ' if record else ''}{json.dumps(name)}: {next(cells)}}}".encode()
        at = end
    yield text[at:].encode()


def _binary(file: WholeFile, frame: pl.DataFrame, name: str, values: pl.Series) -> bytes:
    _refuse_present(file, name, frame.columns)
    frame, out = frame.with_columns(values.alias(name)), io.BytesIO()
    writers = {"parquet": frame.write_parquet, "arrow": frame.write_ipc}
    write: Any = writers.get(file.kind, frame.write_ipc_stream)
    write(out)
    return out.getvalue()


def _written(values: pl.Series, missing: str) -> pl.Series:
    """Write numbers in the fewest digits that give them back."""
    return values.cast(pl.Float64).cast(pl.String).fill_null(missing)


def _refuse_present(file: WholeFile, name: str, names: object) -> None:
    if SURROGATE.search(name):  # of bytes that were typed and are no text
        raise CurvewiseError(f"{name!r} is no name for a column: it is not text.")
    if name in names:  # type: ignore[operator]
        raise CurvewiseError(f"{file.source.name}: there is a column {name!r} already; give another name.")

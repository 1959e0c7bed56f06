"""CSV and its like: find the delimiter, check that every row is whole, read columns as text."""

from __future__ import annotations

import csv
import io
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from curvewise.errors import CurvewiseError, Note, SourceError, note
from curvewise.rows.columns import count
from curvewise.sources._polars import pl

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from curvewise.sources.byte_source import ByteSource

NAMES = {",": "','", ";": "';'", "\t": "tab", "|": "'|'"}
MOST_LISTED = 12
CHUNK = 1 << 22
LONGEST_RECORD = 1 << 26
QUOTE, NEWLINE, RETURN = b'"\n\r'


def read_delimited(source: ByteSource, wanted: Sequence[str]) -> tuple[pl.DataFrame, list[Note], int | None]:
    """Return the wanted columns as text, notes, and the line of the first row where rows are lines."""
    delimiter, header, notes = sniff(source, wanted)
    columns = positions(source.name, header, wanted)
    rows, blank, first_line = _check_rows(source, delimiter, len(header))
    if rows == len(blank):
        raise CurvewiseError(f"{source.name}: there is a header and no row below it.")
    try:
        lazy = pl.scan_csv(
            source.for_polars(),
            separator=delimiter,
            infer_schema=False,
            encoding="utf8-lossy",  # accents of an old encoding in other columns do not matter
            with_column_names=lambda names: [str(i) for i in range(len(names))],
            glob=False,
        )
        frame = lazy.select(pl.col(str(columns[name])).alias(name) for name in wanted).collect()
    except pl.exceptions.PolarsError as error:
        raise _malformed(source, str(error).split("\n", 1)[0]) from None
    if frame.height != rows:
        raise _malformed(source, f"{rows} rows by their quotes, {frame.height} otherwise")
    for name in wanted:
        if frame[name].str.contains("\ufffd", literal=True).any():
            raise SourceError(f"{source.name}: column {name!r} is not UTF-8 text; save it as UTF-8.")
    if blank:
        frame = frame.with_row_index("").filter(~pl.col("").is_in(blank)).drop("")
    return frame, notes, first_line


def sniff(source: ByteSource, wanted: Sequence[str]) -> tuple[str, list[str], list[Note]]:
    """Return the delimiter, the header and notes; the delimiter is the one that finds the columns."""
    usual = "\t" if source.suffix in (".tsv", ".tab") else ","
    candidates = [usual, *(d for d in NAMES if d != usual)]
    headers = {d: _header(source, d) for d in candidates}
    best = max(candidates, key=lambda d: (len(set(wanted) & set(headers[d])), len(headers[d])))
    notes = [] if best == usual else [note("delimiter_detected", delimiter=NAMES[best])]
    return best, headers[best], notes


def _header(source: ByteSource, delimiter: str) -> list[str]:
    with io.TextIOWrapper(source.open(), "utf-8", "surrogateescape", newline="") as text:
        try:
            return next((row for row in csv.reader(text, delimiter=delimiter) if row), [])
        except csv.Error as error:
            raise SourceError(f"{source.name}: the header cannot be read as text ({error}).") from None


def _check_rows(source: ByteSource, delimiter: str, width: int) -> tuple[int, list[int], int | None]:
    """Return how many rows, which of them are blank, and the first row's line where rows are lines.

    Polars fills a short row with nulls without a word, so every row's fields are counted here.
    """
    records = lines = lead = ragged = 0
    blank: list[int] = []
    first = ""
    for block, ends, fields in line_blocks(source, ord(delimiter)):
        starts = np.append(0, ends[:-1] + 1)
        length = ends - starts
        empty = (length == 0) | ((length == 1) & (block[starts] == RETURN))
        if records == lead:  # still above the header; Polars, too, skips blank lines there
            lead += len(empty) if empty.all() else int(np.argmin(empty))
        wrong = np.flatnonzero((fields != width) & ~empty)
        if len(wrong) and not ragged:
            line = lines + 1 + int(np.count_nonzero(block[: starts[wrong[0]]] == NEWLINE))
            first = f"line {line} has {fields[wrong[0]]}"
        ragged += len(wrong)
        blank += (np.flatnonzero(empty) + records).tolist()
        records += len(ends)
        lines += int(np.count_nonzero(block == NEWLINE))
    if ragged:
        raise CurvewiseError(
            f"{source.name}: {count(ragged, 'row')} {'does' if ragged == 1 else 'do'} not have the "
            f"{count(width, 'field')} of the header (delimiter {NAMES[delimiter]}), {first}; "
            "correct the file, or quote the cells that hold the delimiter."
        )
    rows = records - lead - 1
    below = [b - lead - 1 for b in blank if b > lead]
    only_trailing = not below or below[0] == rows - len(below)
    return rows, below, lead + 2 if lines == records and only_trailing else None


def line_blocks(
    source: ByteSource, delimiter: int
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.intp], NDArray[np.intp]]]:
    """Yield blocks of whole records: their bytes, where each ends, how many fields each has."""
    rest, more, lines = b"", True, 0
    with source.open() as stream:
        while more:
            chunk = stream.read(CHUNK)
            more = bool(chunk)
            block = rest + (chunk if more or not rest else b"\n")
            data = np.frombuffer(block, np.uint8)
            newline, between, quote = data == NEWLINE, data == delimiter, data == QUOTE
            if quote.any():  # a doubled quote turns twice, so parity alone tells in from out
                outside = np.cumsum(quote, dtype=np.uint8) % 2 == 0
                newline &= outside
                between &= outside
            ends = np.flatnonzero(newline)
            cut = int(ends[-1]) + 1 if len(ends) else 0
            lines += block.count(b"\n", 0, cut)
            rest = block[cut:]
            if len(rest) > LONGEST_RECORD or (rest and not more):
                raise _malformed(source, f"a quote opened on line {lines + 1} or below is not closed")
            if cut:
                seen = np.searchsorted(np.flatnonzero(between), ends)
                yield data[:cut], ends, np.diff(seen, prepend=0) + 1


def _malformed(source: ByteSource, why: str) -> CurvewiseError:
    return CurvewiseError(f"{source.name}: cannot be read as CSV ({why}); correct the quotes in the file.")


def positions(source: str, header: Sequence[str], wanted: Sequence[str]) -> dict[str, int]:
    """Return where each wanted column is; refuse a name that is absent or stands there twice."""
    for name in wanted:
        times = header.count(name)
        if times == 0:
            folded = {h.strip().casefold(): h for h in header}
            close = get_close_matches(name.strip().casefold(), list(folded), n=1)
            hint = f" (did you mean {folded[close[0]]!r}?)" if close else ""
            listed = ", ".join(map(repr, header[:MOST_LISTED]))
            more = f", … {len(header)} in all" if len(header) > MOST_LISTED else ""
            raise CurvewiseError(f"{source}: there is no column {name!r}{hint}; the columns are {listed}{more}.")
        if times > 1:
            raise CurvewiseError(f"{source}: {times} columns are called {name!r}; rename them, so that one is meant.")
    return {name: header.index(name) for name in wanted}

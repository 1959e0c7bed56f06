"""CSV and its like: check that every row is whole, read columns as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import CurvewiseError, Note, SourceError
from curvewise.rows.columns import count
from curvewise.sources._polars import pl
from curvewise.sources.byte_source import ByteSource, decode_old
from curvewise.sources.formats.csv_cells import cell_pattern, quote_whole_cells
from curvewise.sources.formats.header import DELIMITERS, positions, sniff, too_long

CHUNK = 1 << 22
LONGEST_RECORD = 1 << 26
QUOTE, NEWLINE, RETURN = b'"\n\r'


@dataclass(frozen=True)
class LineBlock:
    """Whole records: their bytes, where each ends, how many fields each has, and if only whole cells are quoted."""

    data: NDArray[np.uint8]
    ends: NDArray[np.intp]
    fields: NDArray[np.intp]
    plain: bool


def read_delimited(
    source: ByteSource, wanted: Sequence[str], *, may_be_empty: bool = False
) -> tuple[pl.DataFrame, list[Note], int | None]:
    """Return the wanted columns as text, notes, and the line of the first row where rows are lines."""
    delimiter, header, notes = sniff(source, wanted)
    columns = positions(source.name, header, wanted)
    rows, blank, first_line, plain = _check_rows(source, delimiter, len(header))
    if rows == len(blank) and not may_be_empty:
        raise CurvewiseError(f"{source.name}: there is a header and no row below it.")
    try:
        lazy = pl.scan_csv(
            source.for_polars() if plain else with_plain_quotes(source, delimiter),
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
        if frame[name].alias("cells").str.contains("\ufffd", literal=True).any():
            decoded = decode_old(source)
            if decoded is None:
                raise SourceError(f"{source.name}: column {name!r} is not UTF-8 text; save it as UTF-8.")
            found, more, line = read_delimited(decoded[0], wanted, may_be_empty=may_be_empty)
            return found, [*decoded[1], *more], line
    if blank:
        frame = frame.filter(~np.isin(np.arange(rows), blank))
    return frame, notes, first_line


def _check_rows(source: ByteSource, delimiter: str, width: int) -> tuple[int, list[int], int | None, bool]:
    """Return how many rows, which are blank, the first row's line where rows are lines, and if quotes are plain.

    Polars fills a short row with nulls without a word, so every row's fields are counted here.
    """
    records = lines = lead = ragged = 0
    blank: list[int] = []
    first, plain = "", True
    for part in line_blocks(source, delimiter):
        block, ends, fields = part.data, part.ends, part.fields
        plain &= part.plain
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
            f"{count(width, 'field')} of the header (delimiter {DELIMITERS[delimiter]}), {first}; "
            "correct the file, or quote the cells that hold the delimiter."
        )
    rows = records - lead - 1
    below = [b - lead - 1 for b in blank if b > lead]
    only_trailing = not below or below[0] == rows - len(below)
    return rows, below, lead + 2 if lines == records and only_trailing else None, plain


def line_blocks(source: ByteSource, delimiter: str) -> Iterator[LineBlock]:
    """Yield blocks of whole records."""
    rest, more, lines = b"", True, 0
    with source.open() as stream:
        while more:
            chunk = stream.read(CHUNK)
            more = bool(chunk)
            block = rest + (chunk if more or not rest else b"\n")
            data = np.frombuffer(block, np.uint8)
            newline, between = data == NEWLINE, data == ord(delimiter)
            outside, plain = _outside_quotes(source, block, data, delimiter, lines)
            if outside is not None:
                newline &= outside
                between &= outside
            ends = np.flatnonzero(newline)
            cut = int(ends[-1]) + 1 if len(ends) else 0
            lines += block.count(b"\n", 0, cut)
            rest = block[cut:]
            if len(rest) > LONGEST_RECORD or (rest and not more):
                if outside is None or outside[-1]:
                    raise too_long(source.name, lines + 1, LONGEST_RECORD)
                raise _malformed(source, f"a quote opened on line {lines + 1} or below is not closed")
            if cut:
                seen = np.searchsorted(np.flatnonzero(between), ends)
                yield LineBlock(data[:cut], ends, np.diff(seen, prepend=0) + 1, plain)


def _outside_quotes(
    source: ByteSource, block: bytes, data: NDArray[np.uint8], delimiter: str, lines: int
) -> tuple[NDArray[np.bool_] | None, bool]:
    """Return which bytes are outside quotes, None for all, and whether quotes enclose whole cells only."""
    quote = data == QUOTE
    at = np.flatnonzero(quote)
    if not len(at):
        return None, True
    separators = (ord(delimiter), NEWLINE)
    before, after = data[at[::2] - 1], data[np.minimum(at[1::2] + 1, len(data) - 1)]
    opens = np.isin(before, (*separators, QUOTE))
    opens[0] |= at[0] == 0
    if opens.all() and np.isin(after, (*separators, QUOTE, RETURN)).all():
        # a doubled quote turns twice, so parity alone tells in from out
        return np.cumsum(quote, dtype=np.uint8) % 2 == 0, True
    outside = np.ones(len(data), bool)
    for cell in cell_pattern(delimiter.encode()).finditer(block):
        if cell["inside"] is not None:
            outside[cell.start() : cell.end("inside") + 1] = False
            if cell["behind"].strip(b"\r") and b"\n" in cell["inside"]:
                line = lines + 1 + block.count(b"\n", 0, cell.start())
                raise _malformed(source, f"a quote opened on line {line} is closed on another, in the middle of a cell")
        elif cell["stray"] is cell["plain"] is None:
            outside[cell.start() :] = False  # not whole: more is to be read
    return outside, False


def with_plain_quotes(source: ByteSource, delimiter: str, *, records: int | None = None) -> bytes:
    """Return the same cells, or those of at least the first records, quoted as Polars wants them.

    Polars takes every quote for one that opens or closes a cell.
    """
    parts, found = list[bytes](), 0
    for block in line_blocks(source, delimiter):
        text = block.data.tobytes()
        parts.append(text if block.plain else quote_whole_cells(text, delimiter.encode()))
        found += len(block.ends)
        if records is not None and found >= records:
            break
    return b"".join(parts)


def _malformed(source: ByteSource, why: str) -> CurvewiseError:
    return CurvewiseError(f"{source.name}: cannot be read as CSV ({why}); correct the quotes in the file.")

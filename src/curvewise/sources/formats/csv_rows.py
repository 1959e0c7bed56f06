"""Rows of CSV: blocks of whole records, each with as many fields as the header."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import CurvewiseError
from curvewise.rows.columns import count
from curvewise.sources.formats.csv_cells import DELIMITERS, cell_pattern, quote_whole_cells, too_long

if TYPE_CHECKING:
    from curvewise.sources.byte_source import ByteSource

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


def check_rows(source: ByteSource, delimiter: str, width: int) -> tuple[int, list[int], int | None, bool]:
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
                raise malformed(source, f"a quote opened on line {lines + 1} or below is not closed")
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
                raise malformed(source, f"a quote opened on line {line} is closed on another, in the middle of a cell")
        elif cell["stray"] is cell["plain"] is None:
            outside[cell.start() :] = False  # not whole: more is to be read
    return outside, False


def with_plain_quotes(source: ByteSource, delimiter: str, *, records: int | None = None) -> bytes:
    """Return the same cells, or those of at least the first records, quoted as Polars wants them.

    Polars takes every quote for one that opens or closes a cell.
    """
    parts, held = list[bytes](), 0
    for block in line_blocks(source, delimiter):
        text = block.data.tobytes()
        parts.append(text if block.plain else quote_whole_cells(text, delimiter.encode()))
        held += len(block.ends)
        if records is not None and held >= records:
            break
    return b"".join(parts)


def malformed(source: ByteSource, why: str) -> CurvewiseError:
    """Return the error of a file whose quotes do not fit."""
    return CurvewiseError(f"{source.name}: cannot be read as CSV ({why}); correct the quotes in the file.")

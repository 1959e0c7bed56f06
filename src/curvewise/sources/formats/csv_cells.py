"""Where cells of CSV end: a quote opens a cell only at its beginning, anywhere else it is a character."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from curvewise.errors import CurvewiseError

DELIMITERS = {",": "','", ";": "';'", "\t": "tab", "|": "'|'"}


@cache
def cell_pattern(delimiter: bytes) -> re.Pattern[bytes]:
    """Return the pattern of what follows the beginning of a cell, with what ends it; matches lie end to end.

    A quoted cell has groups: what its quotes enclose (``inside``) and what stands behind them (``behind``). A cell
    with a quote that does not open it is ``stray``. Cells without quotes are matched many at a time (``plain``). A
    last cell that is not whole has no group.
    """
    ends = b"[" + re.escape(delimiter) + b"\n]"
    other = ends.replace(b"[", b"[^", 1) + b"*+"
    return re.compile(
        b'"(?P<inside>[^"]*+(?:""[^"]*+)*+)"(?P<behind>' + other + b")" + ends
        # greedy: as many cells without a quote as there are
        + b'|(?P<plain>[^"]*' + ends + b")"
        # not one such cell: a quote stands in the middle
        + b'|(?P<stray>[^"]' + other + b")" + ends
        + b"|.+",
        re.DOTALL,
    )  # fmt: skip


def quote_whole_cells(block: bytes, delimiter: bytes) -> bytes:
    """Return whole records with every cell that holds a quote enclosed in quotes, as strict readers want it."""

    def quoted(cell: re.Match[bytes]) -> bytes:
        if cell["stray"] is None and not cell["behind"]:
            return cell[0]
        text = cell["inside"].replace(b'""', b'"') + cell["behind"] if cell["stray"] is None else cell["stray"]
        end = cell[0][-1:]
        if end == b"\n" and text.endswith(b"\r"):
            text, end = text[:-1], b"\r\n"
        return b'"' + text.replace(b'"', b'""') + b'"' + end

    return cell_pattern(delimiter).sub(quoted, block)


def first_record(block: bytes, delimiter: bytes) -> list[bytes] | None:
    """Return the cells of the first record that is not a blank line; None where none is whole."""
    record = list[bytes]()
    for text, ends_record in _cells(block, delimiter):
        record.append(text)
        if ends_record:
            record[-1] = text.removesuffix(b"\r")
            if record != [b""]:
                return record
            record = []
    return None


def _cells(block: bytes, delimiter: bytes) -> Iterator[tuple[bytes, bool]]:
    """Yield the text of each whole cell, and whether its record ends there."""
    for cell in cell_pattern(delimiter).finditer(block):
        ends_record = cell[0].endswith(b"\n")
        if cell["inside"] is not None:
            yield cell["inside"].replace(b'""', b'"') + cell["behind"], ends_record
        elif cell["stray"] is not None:
            yield cell["stray"], ends_record
        elif cell["plain"] is not None:
            *lines, rest = cell["plain"].split(b"\n")
            for line in lines:
                *before, last = line.split(delimiter)
                yield from ((text, False) for text in before)
                yield last, True
            yield from ((text, False) for text in rest.split(delimiter)[:-1])


def too_long(name: str, line: int, most: int) -> CurvewiseError:
    """Return the error of a line that goes on and on."""
    return CurvewiseError(
        f"{name}: line {line} is longer than {most >> 20} MB, as no row of a table is; check that the file is text and "
        "has line ends."
    )

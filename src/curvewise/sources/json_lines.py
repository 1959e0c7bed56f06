"""JSON lines: one object per line, each value kept as the text it was written in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from curvewise.errors import CurvewiseError, RowNumbers
from curvewise.sources._polars import pl
from curvewise.sources.csv_rows import positions
from curvewise.sources.wording import file_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from curvewise.errors import Note
    from curvewise.sources.byte_source import ByteSource

LOOK_AHEAD = 1000
# Python's own reader: it is strict, tells the line, and hands over the digits as they stand. It
# also takes the NaN and Infinity that Python itself writes.
DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)


def read_json_lines(source: ByteSource, wanted: Sequence[str]) -> tuple[pl.DataFrame, list[Note], int | None]:
    """Return the wanted values as text, no notes, and 1 where rows are lines; a key left out is null."""
    columns: dict[str, list[str | None]] = {name: [] for name in wanted}
    last = 0
    for number, row in _objects(source):
        for name, cells in columns.items():
            cells.append(_text(row.get(name), number, name, source))
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


def _text(value: object, line: int, name: str, source: ByteSource) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    raise CurvewiseError(
        f"{source.name}: column {name!r} holds a list or an object on line {line}, where one value is "
        "expected; flatten it first."
    )

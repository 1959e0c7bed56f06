"""JSON as rows: one object per line, or one array of objects; values are handed over as the text they are."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from curvewise.errors import CurvewiseError, Note, RowNumbers
from curvewise.sources.formats.format import SURROGATE, Format, positions, refuse_present
from curvewise.sources.wording import file_lines

if TYPE_CHECKING:
    from curvewise.sources._polars import pl
    from curvewise.sources.byte_source import ByteSource

LOOK_AHEAD = 1000  # objects whose keys are collected


class RepeatedKeys(dict[str, Any]):
    """An object in which a key stands twice: which value is meant, it does not say."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        times = Counter(key for key, _ in pairs)
        self.repeated = {key for key, number in times.items() if number > 1}


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    return plain if len(plain) == len(pairs) else RepeatedKeys(pairs)


# Python's own reader: it is strict, tells the line, and hands over the digits unchanged. It
# also takes the Infinity that Python itself writes, and its NaN, which is no value.
CONSTANTS = {sign: sign for sign in ("Infinity", "-Infinity")}
DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=str, parse_int=str, parse_constant=CONSTANTS.get)
SPACE = " \t\r\n"
ARRAY = "an array of JSON records ([{…}, {…}])"


def columns(source: ByteSource, form: Format) -> list[str]:
    """Return the keys of the first objects, each once."""
    return list(dict.fromkeys(key for _, row in islice(_objects(source, form), LOOK_AHEAD) for key in row))


def head(source: ByteSource, form: Format, rows: int) -> pl.DataFrame:
    """Return the first rows as text."""
    from curvewise.sources._polars import pl  # noqa: PLC0415 - the columns are listed without it

    objects = [row for _, row in islice(_objects(source, form), rows)]
    texts = [{k: v if v is None or isinstance(v, str) else str(v) for k, v in row.items()} for row in objects]
    return pl.DataFrame(texts, infer_schema_length=None)


def read(source: ByteSource, form: Format, wanted: Sequence[str]) -> tuple[pl.DataFrame, list[Note], int | None]:
    """Return the wanted values as text, no notes, and 1 where rows are lines; a key left out is null."""
    from curvewise.sources._polars import pl  # noqa: PLC0415 - the columns are listed without it

    cells: dict[str, list[str | None]] = {name: [] for name in wanted}
    last = 0
    for number, row in _objects(source, form):
        for name, column in cells.items():
            column.append(_cell(row, name, number, source, form))
        last = number
    frame = pl.DataFrame(cells, schema=dict.fromkeys(wanted, pl.String))
    if any(frame[name].null_count() == frame.height for name in wanted):
        positions(source.name, columns(source, form), wanted)
    return frame, [], 1 if form.kind == "json lines" and last == frame.height else None


def append(source: ByteSource, form: Format, added: pl.Series, _: str, *, decimal_comma: bool) -> bytes:  # noqa: ARG001
    """Return the file with one more key in each object."""
    from curvewise.sources.formats.cells import written  # noqa: PLC0415 - the columns are listed without Polars

    cells = iter(written(added, "null"))
    return b"".join((_with_key_per_line if form.kind == "json lines" else _with_key)(source, added.name, cells))


def _objects(source: ByteSource, form: Format) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each object with its number: the line of JSON lines, the record of an array, counted from 1."""
    if form.kind == "json lines":
        yield from _of_lines(source)
        return
    for number, (record, _) in enumerate(_array_records(source, source.text()), 1):
        yield number, record


def _array_records(source: ByteSource, text: str) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield each record of an array, and where it ends; anything but records is refused."""
    at = _skip(text, 0)
    if text[at : at + 1] != "[":
        raise CurvewiseError(f"{source.name}: expected {ARRAY}, or one JSON object per line; correct the file.")
    number, at = 0, _skip(text, at + 1)
    first = at
    while text[at : at + 1] != "]" or at != first:
        number += 1
        try:
            record, end = DECODER.raw_decode(text, at)
        except ValueError as error:
            raise _broken(source, text, error) from None
        except RecursionError:
            raise _too_deep(source, f"record {number}") from None
        if not isinstance(record, dict):
            raise CurvewiseError(f"{source.name}: expected {ARRAY}, record {number} is none; correct the file.")
        yield record, end
        at = _skip(text, end)
        sign = text[at : at + 1]
        if sign == "]":
            break
        if sign != ",":
            raise _broken(source, text, json.JSONDecodeError("Expecting ',' delimiter", text, at))
        at = _skip(text, at + 1)
    if (rest := _skip(text, at + 1)) < len(text):
        raise _broken(source, text, json.JSONDecodeError("Extra data", text, rest))
    if not number:
        raise CurvewiseError(f"{source.name}: the array has no record in it.")


def _cell(row: dict[str, Any], name: str, number: int, source: ByteSource, form: Format) -> str | None:
    """Return the text of a value, None for null; refuse what is no single value, or no text."""
    value = row.get(name)
    where = f"on line {number}" if form.kind == "json lines" else f"in record {number}"
    if isinstance(row, RepeatedKeys) and name in row.repeated:
        raise CurvewiseError(f"{source.name}: the key {name!r} stands more than once {where}; leave one.")
    if isinstance(value, str) and not value.isascii() and SURROGATE.search(value):
        raise CurvewiseError(
            f"{source.name}: column {name!r} holds half a character (a lone surrogate) {where}; write the text anew."
        )
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    raise CurvewiseError(
        f"{source.name}: column {name!r} holds a list or an object {where}, where one value is "
        "expected; flatten it first."
    )


def _with_key_per_line(source: ByteSource, name: str, cells: Iterator[str]) -> Iterator[bytes]:
    with source.open() as stream:
        for line in stream:
            body = line.rstrip()
            if not body:
                yield line
                continue
            row = json.loads(body)
            refuse_present(source, name, row)
            added = f"{', ' if row else ''}{json.dumps(name)}: {next(cells)}}}\n"
            yield body[:-1].rstrip() + added.encode()


def _with_key(source: ByteSource, name: str, cells: Iterator[str]) -> Iterator[bytes]:
    text, at = source.text(), 0
    for record, end in _array_records(source, text):
        refuse_present(source, name, record)
        body = text[at : end - 1].rstrip()
        yield f"{body}{', ' if record else ''}{json.dumps(name)}: {next(cells)}}}".encode()
        at = end
    yield text[at:].encode()


def _of_lines(source: ByteSource) -> Iterator[tuple[int, dict[str, Any]]]:
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
            except RecursionError:
                raise _too_deep(source, f"line {number}") from None
            if not isinstance(row, dict):
                bad.append(number)
            elif not bad:
                yield number, row
    if bad:
        raise CurvewiseError(
            f"{source.name}: expected one JSON object per line ({{…}}) or one array of them, found something else on "
            f"{file_lines(RowNumbers(tuple(bad[:5]), len(bad) > 5), 0)}; correct the file."
        )


def _too_deep(source: ByteSource, where: str) -> CurvewiseError:
    return CurvewiseError(f"{source.name}: the JSON of {where} is nested too deeply; flatten it first.")


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in SPACE:
        at += 1
    return at


def _broken(source: ByteSource, text: str, error: ValueError) -> CurvewiseError:
    where = f"line {text.count(chr(10), 0, error.pos) + 1}" if isinstance(error, json.JSONDecodeError) else "its text"
    why = getattr(error, "msg", str(error))
    return CurvewiseError(f"{source.name}: this is not whole JSON ({why}, {where}); correct the file.")

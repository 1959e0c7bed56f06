"""The columns of a file by name: read from its beginning, without the packages that reading rows needs."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from itertools import islice

from curvewise.errors import CurvewiseError, Note, note
from curvewise.results.text import shortened
from curvewise.sources.byte_source import HEAD, ByteSource, as_utf8, open_source
from curvewise.sources.file_names import files_of
from curvewise.sources.formats.csv_cells import first_record
from curvewise.sources.formats.json_rows import json_objects
from curvewise.sources.formats.kinds import TEXT_KINDS, Kind, kind_of_file

DELIMITERS = {",": "','", ";": "';'", "\t": "tab", "|": "'|'"}
MOST_LISTED, LONGEST = 12, 60
LONGEST_HEADER = 1 << 22  # bytes
LOOK_AHEAD = 1000  # objects of JSON whose keys are collected


def column_names(path: str) -> list[str]:
    """Return the columns of a file, the first one of a folder or a glob; of JSON those of its first objects."""
    source = open_source(path if path == "-" else files_of(path)[0])
    kind = kind_of_file(source)
    if kind not in TEXT_KINDS:
        from curvewise.sources.files import binary_columns  # noqa: PLC0415 - needs Polars

        return binary_columns(source, kind)
    source, _ = as_utf8(source)
    return sniff(source, [])[1] if kind == "delimited" else json_keys(source, kind)


def json_keys(source: ByteSource, kind: Kind) -> list[str]:
    """Return the keys of the first objects, each once."""
    return list(dict.fromkeys(k for _, row in islice(json_objects(source, kind), LOOK_AHEAD) for k in row))


def sniff(source: ByteSource, wanted: Sequence[str]) -> tuple[str, list[str], list[Note]]:
    """Return the delimiter, the header and notes; the delimiter is the one that finds the columns."""
    if source.delimiter is not None:
        return source.delimiter, _header(source, source.delimiter), []
    usual = "\t" if source.suffix in (".tsv", ".tab") else ","
    candidates = [usual, *(d for d in DELIMITERS if d != usual)]
    headers = {d: _header(source, d) for d in candidates}
    best = max(candidates, key=lambda d: (len(set(wanted) & set(headers[d])), len(headers[d])))
    notes = [] if best == usual else [note("delimiter_detected", delimiter=DELIMITERS[best])]
    return best, headers[best], notes


def _header(source: ByteSource, delimiter: str) -> list[str]:
    data, more = b"", True
    with source.open() as stream:
        while more:
            piece = stream.read(max(HEAD, len(data)))
            more = bool(piece)
            data += piece if more else b"\n"
            if len(data) > LONGEST_HEADER and b"\n" not in data[:LONGEST_HEADER]:
                raise too_long(source.name, 1, LONGEST_HEADER)
            if (b"\n" in piece or not more) and (record := first_record(data, delimiter.encode())):
                return [cell.decode(errors="surrogateescape") for cell in record]
    return []


def too_long(name: str, line: int, most: int) -> CurvewiseError:
    """Return the error of a line that goes on and on."""
    return CurvewiseError(
        f"{name}: line {line} is longer than {most >> 20} MB, as no row of a table is; check that the file is text and "
        "has line ends."
    )


def positions(source: str, header: Sequence[str], wanted: Sequence[str]) -> dict[str, int]:
    """Return where each wanted column is; refuse a name that is absent or stands there twice.

    The error of an absent one has it in the field ``name``, and the nearest column, or None, in ``near``.
    """
    for name in wanted:
        times = header.count(name)
        if times == 0:
            folded = {h.strip().casefold(): h for h in header}
            close = get_close_matches(name.strip().casefold(), list(folded), n=1)
            near = folded[close[0]] if close else None
            raise CurvewiseError(
                "{source}: there is no column {absent}{hint}; the columns are {listed}.",
                source=source,
                absent=repr(name),
                name=name,
                near=near,
                hint=f" (did you mean {near!r}?)" if close else "",
                listed=listed(header),
            )
        if times > 1:
            raise CurvewiseError(f"{source}: {times} columns are called {name!r}; rename them, so that one is meant.")
    return {name: header.index(name) for name in wanted}


def listed(header: Sequence[str]) -> str:
    """Write the names of columns one after the other, many in part."""
    more = f", … {len(header)} in all" if len(header) > MOST_LISTED else ""
    return ", ".join(repr(shortened(name, LONGEST)) for name in header[:MOST_LISTED]) + more

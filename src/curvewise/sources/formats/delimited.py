"""CSV and its like: columns as text, from rows that were all found to be whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from curvewise.errors import Note, SourceError, note
from curvewise.sources.byte_source import HEAD, ByteSource, decode_old
from curvewise.sources.formats.csv_cells import DELIMITERS, first_record, too_long
from curvewise.sources.formats.format import Format, positions, refuse_present

if TYPE_CHECKING:
    from curvewise.sources._polars import pl

LONGEST_HEADER = 1 << 22  # bytes


def columns(source: ByteSource, _: Format) -> list[str]:
    """Return the names in the header."""
    return sniff(source, [])[1]


def head(source: ByteSource, _: Format, rows: int) -> pl.DataFrame:
    """Return the first rows as text."""
    from curvewise.sources._polars import pl  # noqa: PLC0415 - the columns are listed without it
    from curvewise.sources.formats.csv_rows import with_plain_quotes  # noqa: PLC0415

    delimiter = sniff(source, [])[0]
    how = {"infer_schema": False, "encoding": "utf8-lossy", "truncate_ragged_lines": True}
    data = with_plain_quotes(source, delimiter, records=rows + 1)
    return pl.read_csv(data, separator=delimiter, n_rows=rows, **how)  # type: ignore[arg-type]


def read(source: ByteSource, form: Format, wanted: Sequence[str]) -> tuple[pl.DataFrame, list[Note], int | None]:
    """Return the wanted columns as text, notes, and the line of the first row where rows are lines."""
    from curvewise.sources._polars import pl  # noqa: PLC0415 - the columns are listed without it
    from curvewise.sources.formats import csv_rows  # noqa: PLC0415

    delimiter, header, notes = sniff(source, wanted)
    places = positions(source.name, header, wanted)
    rows, blank, first_line, plain = csv_rows.check_rows(source, delimiter, len(header))
    try:
        lazy = pl.scan_csv(
            source.for_polars() if plain else csv_rows.with_plain_quotes(source, delimiter),
            separator=delimiter,
            infer_schema=False,
            encoding="utf8-lossy",  # accents of an old encoding in other columns do not matter
            with_column_names=lambda names: [str(i) for i in range(len(names))],
            glob=False,
        )
        frame = lazy.select(pl.col(str(places[name])).alias(name) for name in wanted).collect()
    except pl.exceptions.PolarsError as error:
        raise csv_rows.malformed(source, str(error).split("\n", 1)[0]) from None
    if frame.height != rows:
        raise csv_rows.malformed(source, f"{rows} rows by their quotes, {frame.height} otherwise")
    for name in wanted:
        if frame[name].alias("cells").str.contains("\ufffd", literal=True).any():
            decoded = decode_old(source)
            if decoded is None:
                raise SourceError(f"{source.name}: column {name!r} is not UTF-8 text; save it as UTF-8.")
            frame, more, line = read(decoded[0], form, wanted)
            return frame, [*decoded[1], *more], line
    if blank:
        frame = frame.filter(~pl.int_range(rows, eager=True).is_in(blank))
    return frame, notes, first_line


def append(source: ByteSource, _: Format, added: pl.Series, beside: str, *, decimal_comma: bool) -> bytes:
    """Return the file with a column of numbers at the end, written as those of the column beside it."""
    import numpy as np  # noqa: PLC0415 - the columns are listed without it

    from curvewise.sources._polars import pl  # noqa: PLC0415
    from curvewise.sources.formats import csv_rows  # noqa: PLC0415
    from curvewise.sources.formats.cells import written  # noqa: PLC0415

    delimiter, header, *_notes = sniff(source, [beside])
    refuse_present(source, added.name, header)
    cells = written(added)
    if decimal_comma:
        cells = cells.str.replace(".", ",", literal=True)
    cells = pl.concat([pl.Series([added.name]), cells])
    plain = ~cells.str.contains_any(['"', "\r", "\n", delimiter])
    quoted = '"' + cells.str.replace_all('"', '""', literal=True) + '"'
    cells = delimiter + cells.zip_with(plain, quoted)
    at = 0
    # the line that names the delimiter is blank in the source
    blocks = [] if source.delimiter is None else [f"sep={delimiter}".encode()]
    for part in csv_rows.line_blocks(source, delimiter):
        block, ends = part.data, part.ends
        starts = np.append(0, ends[:-1] + 1)
        returned = (ends > starts) & (block[ends - 1] == csv_rows.RETURN)
        places = ends - returned
        places = places[places > starts]  # a blank line is no row
        here = cells[at : at + len(places)]
        at += len(places)
        into = np.repeat(places, here.str.len_bytes().to_numpy())
        text = np.frombuffer("".join(here.to_list()).encode(), np.uint8)
        blocks.append(np.insert(block, into, text).tobytes())
    return b"".join(blocks)


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

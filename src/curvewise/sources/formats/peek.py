"""The first rows of a file, for a guess at which column is what."""

from __future__ import annotations

from itertools import islice

from curvewise.sources._polars import pl
from curvewise.sources.byte_source import ByteSource, as_utf8, open_source
from curvewise.sources.file_names import files_of
from curvewise.sources.files import unbroken
from curvewise.sources.formats.cells import labels, quoted_name
from curvewise.sources.formats.csv_rows import with_plain_quotes
from curvewise.sources.formats.header import sniff
from curvewise.sources.formats.json_rows import json_objects
from curvewise.sources.formats.kinds import TEXT_KINDS, Kind, kind_of_file
from curvewise.sources.formats.workbooks import read_workbook

ROWS = 2000


def first_rows(path: str) -> pl.DataFrame:
    """Return the first rows of a file, the first one of a folder or a glob, with all columns.

    Columns are numbers and booleans where all cells are that, else text.
    """
    source = open_source(path if path == "-" else files_of(path)[0])
    kind = kind_of_file(source)
    frame = _text_rows(as_utf8(source)[0], kind) if kind in TEXT_KINDS else _binary_rows(source, kind)
    plain = [c for c in frame if c.dtype.is_numeric() or c.dtype in (pl.Boolean, pl.String, pl.Categorical)]
    quoted = {c.name: quoted_name(c) for c in plain}
    return pl.DataFrame({name: labels(c, decimal_comma=_has_comma(c)) for name, c in quoted.items()})


def _text_rows(source: ByteSource, kind: Kind) -> pl.DataFrame:
    if kind == "delimited":
        delimiter, _, _ = sniff(source, [])
        how = {"infer_schema": False, "encoding": "utf8-lossy", "truncate_ragged_lines": True}
        data = with_plain_quotes(source, delimiter, records=ROWS + 1)
        return pl.read_csv(data, separator=delimiter, n_rows=ROWS, **how)  # type: ignore[arg-type]
    rows = [row for _, row in islice(json_objects(source, kind), ROWS)]
    texts = [{k: v if v is None or isinstance(v, str) else str(v) for k, v in row.items()} for row in rows]
    return pl.DataFrame(texts, infer_schema_length=None)


def _binary_rows(source: ByteSource, kind: Kind) -> pl.DataFrame:
    if kind == "excel":
        header, frame, _ = read_workbook(source, rows=ROWS)
        return frame.select(pl.col(str(at)).alias(name) for name, at in {n: i for i, n in enumerate(header)}.items())
    with unbroken(source, kind), source.open() as stream:
        if kind == "parquet":
            return pl.scan_parquet(source.for_polars(), glob=False).head(ROWS).collect()
        read = pl.read_ipc if kind == "arrow" else pl.read_ipc_stream
        return read(stream, n_rows=ROWS)


def _has_comma(column: pl.Series) -> bool:
    return column.dtype == pl.String and not column.str.contains(".", literal=True).any()

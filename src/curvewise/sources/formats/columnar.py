"""Parquet and Arrow, read by Polars: only the columns that are asked for are decoded."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from curvewise.errors import Note, SourceError
from curvewise.sources._polars import FAILURES, by_name, pl
from curvewise.sources.formats.format import Format, positions, refuse_present

if TYPE_CHECKING:
    from pathlib import Path

    from curvewise.sources.byte_source import ByteSource


def scanned(kind: str, sources: Sequence[Path | bytes], **how: Any) -> pl.LazyFrame:
    """Return the rows of files that have the same columns; ``how`` says what the names of folders mean."""
    if kind == "arrow stream":
        return pl.concat([pl.read_ipc_stream(source) for source in sources]).lazy()
    scan: Any = pl.scan_parquet if kind == "parquet" else pl.scan_ipc
    return scan(sources, glob=False, **how)  # type: ignore[no-any-return]


@contextmanager
def _opened(source: ByteSource, form: Format) -> Iterator[pl.LazyFrame]:
    """Lend the rows; say in one sentence that a file cannot be read."""
    try:
        yield scanned(form.kind, [source.for_polars()])
    except FAILURES as error:
        why = "Polars broke off" if isinstance(error, pl.exceptions.PanicException) else str(error).split("\n", 1)[0]
        raise SourceError(f"{source.name}: cannot be read as {form.title} ({why}); the file may be corrupt.") from None


def columns(source: ByteSource, form: Format) -> list[str]:
    """Return the names of the columns."""
    with _opened(source, form) as frame:
        return frame.collect_schema().names()


def head(source: ByteSource, form: Format, rows: int) -> pl.DataFrame:
    """Return the first rows."""
    with _opened(source, form) as frame:
        return frame.head(rows).collect()


def read(source: ByteSource, form: Format, wanted: Sequence[str]) -> tuple[pl.DataFrame, list[Note], int | None]:
    """Return the wanted columns with the types that they have; there are no notes and no lines."""
    with _opened(source, form) as frame:
        positions(source.name, frame.collect_schema().names(), wanted)
        return frame.select(by_name(*wanted)).collect(), [], None


def append(source: ByteSource, form: Format, added: pl.Series, _: str, *, decimal_comma: bool) -> bytes:  # noqa: ARG001
    """Return the file with one more column at the end."""
    with _opened(source, form) as lazy:
        frame, out = lazy.collect(), io.BytesIO()
    refuse_present(source, added.name, frame.columns)
    frame = frame.with_columns(added)
    writers = {"parquet": frame.write_parquet, "arrow": frame.write_ipc, "arrow stream": frame.write_ipc_stream}
    write: Any = writers[form.kind]
    write(out)
    return out.getvalue()

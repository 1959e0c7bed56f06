"""Ibis: tables of any database that it knows, counted there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from curvewise.sources.engines.lazy_frame import LazyFrameEngine, is_nan_by_value

if TYPE_CHECKING:
    import narwhals as nw

ROWS = 1 << 20  # per batch


class IbisEngine(LazyFrameEngine):
    """A table of Ibis; the database may be far away, so rows are counted by score there.

    What goes wrong there is an error of the database's own driver, whichever it is: any is told in one sentence.
    """

    name: ClassVar[str] = "Ibis"
    counts_where_rows_lie: ClassVar[bool] = True

    def iterate(self, native: Any) -> Iterator[Any]:
        """Stream rows in batches, or all at once where the database, in this version of Ibis, has no batches."""
        yield from native.to_pyarrow_batches(chunk_size=ROWS) if _has_batches(native) else [native.to_pyarrow()]

    def is_nan(self, column: nw.Expr) -> nw.Expr:
        """Say where a column is NaN."""
        return is_nan_by_value(column)


def _has_batches(native: Any) -> bool:
    """Say whether a table comes in batches: Ibis asks DuckDB for them by a name that newer versions lack."""
    backend = native.get_backend()
    return backend.name != "duckdb" or hasattr(backend.con, "fetch_record_batch")

"""DuckDB: relations and files, streamed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from curvewise.errors import MissingExtraError
from curvewise.sources.engines.lazy_frame import LazyFrameEngine, is_nan_by_value

try:
    import duckdb
    import pyarrow as pa
except ImportError:
    raise MissingExtraError(
        "Reading with DuckDB needs DuckDB and PyArrow, which are not both installed; install them with: "
        "pip install 'curvewise[duckdb]'"
    ) from None

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import narwhals as nw

ROWS = 1 << 20  # per batch


class DuckDBEngine(LazyFrameEngine):
    """A DuckDB relation; it runs in this process, so rows are handed out, not counted there."""

    name: ClassVar[str] = "DuckDB"
    failures: ClassVar[tuple[type[Exception], ...]] = (duckdb.Error, pa.ArrowException, OSError)

    def iterate(self, native: duckdb.DuckDBPyRelation) -> Iterator[dict[str, Any]]:
        """Stream rows in batches."""
        for batch in native.fetch_record_batch(ROWS):
            yield dict(zip(batch.schema.names, batch.columns, strict=True))

    def is_nan(self, column: nw.Expr) -> nw.Expr:
        """Say where a column is NaN."""
        return is_nan_by_value(column)


def duckdb_files(paths: Sequence[str]) -> duckdb.DuckDBPyRelation:
    """Return Parquet files as one relation, of a connection of its own."""
    return duckdb.connect().read_parquet(list(paths), union_by_name=True)

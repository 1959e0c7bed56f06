"""DuckDB: relations and files, streamed."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import narwhals as nw

from curvewise.errors import MissingExtraError
from curvewise.sources.engines.lazy_frame import LazyFrameEngine, failed, is_nan_by_value
from curvewise.sources.engines.sql_text import quoted

try:
    import duckdb
    import pyarrow as pa
except ImportError:
    raise MissingExtraError(
        "Reading with DuckDB needs DuckDB and PyArrow, which are not both installed; install them with: "
        "pip install 'curvewise[duckdb]'"
    ) from None


ROWS = 1 << 20  # per batch


class DuckDBEngine(LazyFrameEngine):
    """A DuckDB relation; it runs in this process, so rows are handed out, not counted there."""

    name: ClassVar[str] = "DuckDB"
    failures: ClassVar[tuple[type[Exception], ...]] = (duckdb.Error, pa.ArrowException, OSError)

    def iterate(self, native: duckdb.DuckDBPyRelation) -> Iterator[pa.RecordBatch]:
        """Stream rows in batches."""
        read = getattr(native, "to_arrow_reader", None) or native.fetch_record_batch  # its name in older versions
        with read(ROWS) as batches:  # one that is left open would block the user's connection
            yield from batches

    def named(self, columns: Mapping[str, str]) -> nw.LazyFrame[Any]:
        """Return columns under other names, quoted: DuckDB's expressions take * for all columns."""
        native = self.frame.to_native()
        selected = ", ".join(f"{quoted(name)} as {alias}" for alias, name in columns.items())
        return self.computed(lambda: nw.from_native(native.project(selected)))  # type: ignore[no-any-return]

    def is_nan(self, column: nw.Expr) -> nw.Expr:
        """Say where a column is NaN."""
        return is_nan_by_value(column)


def duckdb_files(paths: Sequence[str], types: Mapping[str, Any] | None = None, *, folders: bool = False) -> Any:
    """Return Parquet files as one relation, of a connection of its own.

    With ``folders``, names of folders are columns (``day=2024-01-31``). ``types`` are those that columns get, as
    Polars calls them, where the files do not say.
    """
    exact = [glob.escape(os.path.abspath(path)) for path in paths]  # noqa: PTH100 - no sign in a name is a pattern
    listed = ", ".join("'" + path.replace("'", "''") + "'" for path in exact)
    how = f"hive_partitioning = {folders}, hive_types_autocast = false"
    try:
        relation = duckdb.connect().sql(f"from read_parquet([{listed}], {how})")
    except duckdb.Error as error:
        raise failed(paths[0], error) from None
    if not types:
        return relation
    aliases = {f"c{k}": name for k, name in enumerate(relation.columns)}
    typed = [nw.col(k).cast(getattr(nw, str(types[name]), nw.String)) for k, name in aliases.items() if name in types]
    cast = DuckDBEngine(relation).named(aliases).with_columns(*typed).to_native()
    return cast.project(", ".join(f"{k} as {quoted(name)}" for k, name in aliases.items()))

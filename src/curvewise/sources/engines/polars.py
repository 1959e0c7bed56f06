"""Polars: frames in memory, lazy frames and Parquet files, streamed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from curvewise.sources._polars import FAILURES, pl
from curvewise.sources.engines.lazy_frame import LazyFrameEngine

if TYPE_CHECKING:
    import narwhals as nw

ROWS = 1 << 20  # per batch


class PolarsEngine(LazyFrameEngine):
    """A Polars frame or lazy frame; it runs in this process, so rows are handed out, not counted there."""

    name: ClassVar[str] = "Polars"
    failures: ClassVar[tuple[type[Exception], ...]] = FAILURES

    def iterate(self, native: pl.LazyFrame) -> Iterator[pl.DataFrame]:
        """Stream rows in batches."""
        yield from native.collect_batches(chunk_size=ROWS, maintain_order=False, engine="streaming")

    def table(self, frame: nw.LazyFrame[Any]) -> pl.DataFrame:
        """Compute a small frame."""
        native: pl.LazyFrame = frame.to_native()
        return self.computed(lambda: native.collect(engine="streaming"))  # type: ignore[no-any-return]

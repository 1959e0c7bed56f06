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

    def iterate(self, native: pl.LazyFrame) -> Iterator[dict[str, Any]]:
        """Stream rows in batches."""
        for batch in native.collect_batches(chunk_size=ROWS, maintain_order=False, engine="streaming"):
            yield {name: batch[name] if name.startswith("cw_by") else batch[name].to_numpy() for name in batch.columns}

    def table(self, frame: nw.LazyFrame[Any]) -> dict[str, Any]:
        """Compute a small frame."""
        native: pl.LazyFrame = frame.to_native()
        found = self.said(lambda: native.collect(engine="streaming"))
        return {name: found[name] for name in found.columns}

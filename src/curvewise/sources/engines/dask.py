"""Dask: data frames in partitions, computed one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from curvewise.sources.engines.lazy_frame import LazyFrameEngine


class DaskEngine(LazyFrameEngine):
    """A Dask data frame: facts are counted in its workers, rows are handed out partition by partition."""

    name: ClassVar[str] = "Dask"

    def iterate(self, native: Any) -> Iterator[Any]:
        """Compute rows partition by partition."""
        for k in range(native.npartitions):
            yield native.partitions[k].compute()

"""Files by path, folder or glob, as one table."""

from __future__ import annotations

import os
from typing import Any

from curvewise.sources._polars import pl
from curvewise.sources.engines.polars import PolarsEngine


def open_files(source: Any, engine: str) -> Any:
    """Return the engine that reads files."""
    return PolarsEngine(pl.scan_parquet(os.fspath(source) if not isinstance(source, list) else source), str(source))

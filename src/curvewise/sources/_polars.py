"""Polars, or one sentence on how to get it."""

from __future__ import annotations

from curvewise.errors import MissingExtraError

try:
    import polars as pl
    from polars.selectors import by_name  # where Polars would take ^a.*$ or * for a pattern
except ImportError:
    raise MissingExtraError(
        "Reading files needs Polars, which is not installed; install it with: pip install 'curvewise[cli]'"
    ) from None

# a panic of Polars is no Exception to Python
FAILURES = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)

__all__ = ["FAILURES", "by_name", "pl"]

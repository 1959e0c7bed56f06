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

__all__ = ["by_name", "pl"]

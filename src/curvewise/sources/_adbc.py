"""ADBC and PyArrow, or one sentence on how to get them."""

from __future__ import annotations

from curvewise.errors import MissingExtraError

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    from adbc_driver_manager import Error, dbapi
except ImportError:
    raise MissingExtraError(
        "Reading a database needs ADBC and PyArrow, which are not both installed; install them with: "
        "pip install 'curvewise[sql]'"
    ) from None

__all__ = ["Error", "dbapi", "pa", "pc"]

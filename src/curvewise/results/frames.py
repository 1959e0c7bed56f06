"""Columns as a frame of the library that the user already works with."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from curvewise.errors import CurvewiseError, MissingExtraError

LIBRARIES = ("polars", "pandas", "pyarrow")


def to_frame(columns: dict[str, Any], backend: str | None) -> Any:
    """Return a frame of ``backend``, or of the first library that is loaded, else installed."""
    import narwhals as nw  # noqa: PLC0415 - only who wants a frame pays for it

    if backend is None:
        loaded = (name for name in LIBRARIES if name in sys.modules)
        installed = (name for name in LIBRARIES if find_spec(name))
        backend = next(loaded, None) or next(installed, None)
    elif not isinstance(backend, str) or backend not in LIBRARIES:
        got = f"{backend!r:.40}" if isinstance(backend, str) else f"a {type(backend).__name__}"
        raise CurvewiseError(f"backend: expected one of {', '.join(map(repr, LIBRARIES))}, got {got}.")
    if backend is None or not find_spec(backend):
        raise MissingExtraError(
            f"A frame needs {backend or 'Polars, pandas or PyArrow'}, which is not installed; "
            f"install it with: pip install {backend or 'polars'}"
        )
    return nw.from_dict(
        {name: _alike(values) for name, values in columns.items()}, backend=import_module(backend)
    ).to_native()


def _alike(values: Any) -> Any:
    """Return values of one type, as a column of a frame has: numbers as floats, anything else mixed as text."""
    kinds = {type(v) for v in values if v is not None} if isinstance(values, list) else set()
    if len(kinds) < 2:
        return values
    one: Any = float if kinds <= {int, float, bool} else str
    return [None if v is None else one(v) for v in values]

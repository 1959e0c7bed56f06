"""Any column a user may hold (list, array, Series, masked, nullable) as one NumPy array and a mask.

Nothing is judged here: what a column must contain is the door's business (`_validate`).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise._errors import CurvewiseError

EXACT_FLOAT = 2**53  # every integer up to here is a float64


@dataclass(frozen=True)
class Column:
    """Values by row; ``missing`` marks rows without one (their value is then meaningless)."""

    name: str
    values: NDArray[Any]
    missing: NDArray[np.bool_] | None = None
    index: Any = None
    backend: str | None = None

    def __len__(self) -> int:
        return len(self.values)

    def keep(self, rows: NDArray[Any]) -> Column:
        """Return the column restricted to a mask or to positions of rows."""
        missing = None if self.missing is None else self.missing[rows]
        return replace(self, values=self.values[rows], missing=missing)


def as_column(data: object, name: str) -> Column:
    """Turn any one-dimensional column-like object into a `Column`."""
    if isinstance(data, np.ma.MaskedArray):
        column = _from_array(np.asarray(data.data), name)
        hidden = np.ma.getmaskarray(data).reshape(-1)
        missing = hidden if column.missing is None else hidden | column.missing
        return replace(column, missing=missing if missing.any() else None)
    if isinstance(data, np.ndarray):
        return _from_array(data, name)
    if isinstance(data, (list, tuple, range)):
        return _from_array(_from_sequence(data, name), name)
    if data is None or isinstance(data, (str, bytes, int, float, complex, dict, set, frozenset)):
        raise CurvewiseError(
            f"{name}: expected one value a row (a list, an array or a column of a frame), "
            f"got {'nothing (None)' if data is None else f'a {type(data).__name__}'}."
        )
    return _from_library(data, name)


def missing_in(values: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Mark NaN, None, NaT and pandas' NA; None when every row has a value."""
    if values.size == 0:
        return None
    if values.dtype.kind == "f":
        # min() carries NaN through, and needs no temporary array
        return np.isnan(values) if np.isnan(values.min()) else None
    if values.dtype.kind == "O":
        mask = np.fromiter((_is_missing(v) for v in values), dtype=bool, count=len(values))
        return mask if mask.any() else None
    return None


def _is_missing(value: object) -> bool:
    if value is None or type(value).__name__ == "NAType":
        return True
    try:
        return bool(value != value)  # noqa: PLR0124 - only NaN and NaT differ from themselves
    except (TypeError, ValueError):
        return False


def _from_array(values: NDArray[Any], name: str) -> Column:
    if values.ndim == 2 and values.shape[1] == 1:
        values = values.reshape(-1)
    if values.ndim != 1:
        if values.ndim == 2 and values.shape[1] == 2:
            hint = f"which column? Pass {name}[:, 1] if the second one is the positive class's"
        else:
            hint = "pass one dimension, one value a row"
        what = "a single value" if values.ndim == 0 else f"an array of shape {values.shape}"
        raise CurvewiseError(f"{name}: expected one column, got {what}; {hint}.")
    return Column(name, values, missing_in(values))


def _from_sequence(data: list[Any] | tuple[Any, ...] | range, name: str) -> NDArray[Any]:
    """Convert a Python sequence without NumPy's silent promotions (int to float, number to text)."""
    try:
        values = np.asarray(data)
    except (ValueError, TypeError, OverflowError) as error:
        raise CurvewiseError(
            f"{name}: expected one value a row, got rows of different lengths or kinds ({error})."
        ) from None
    if values.ndim != 1:
        return values
    kind = values.dtype.kind
    promoted = (
        kind == "f"
        and values.size > 0
        and bool(np.nanmax(np.abs(values), initial=0) >= EXACT_FLOAT)
        and any(isinstance(v, int) for v in data)
    ) or (kind in "US" and not all(isinstance(v, (str, bytes)) for v in data))
    return np.array(data, dtype=object) if promoted else values


def _from_library(data: object, name: str) -> Column:
    """Read a column of pandas, Polars, PyArrow or another library through narwhals."""
    import narwhals as nw  # noqa: PLC0415 - quick, but not needed by lists and arrays

    pyarrow = sys.modules.get("pyarrow")  # narwhals reads its chunked arrays, not its plain ones
    if pyarrow is not None and isinstance(data, pyarrow.Array):
        data = pyarrow.chunked_array([data])
    native = nw.from_native(data, allow_series=True, eager_only=True, pass_through=True)
    if isinstance(native, nw.DataFrame):
        if native.shape[1] != 1:
            raise CurvewiseError(
                f"{name}: expected one column, got a frame with {native.shape[1]} "
                f"({', '.join(map(repr, native.columns[:5]))}); which column?"
            )
        native = native[native.columns[0]]
    if isinstance(native, nw.Series):
        return _from_series(native, name)
    try:
        values = np.asarray(data)
    except (ValueError, TypeError, RuntimeError) as error:
        raise CurvewiseError(
            f"{name}: a {type(data).__name__} cannot be read as a column of numbers ({error})."
        ) from None
    if values.ndim == 0 and values.dtype.kind == "O":
        raise CurvewiseError(
            f"{name}: expected one value a row (a list, an array or a column of a frame), "
            f"got a {type(data).__name__}."
        )
    return _from_array(values, name)


def _from_series(series: Any, name: str) -> Column:
    backend = series.implementation.value
    is_pandas = series.implementation.is_pandas_like()
    index = series.to_native().index if is_pandas else None
    nulls = series.is_null().to_numpy()
    if nulls.any():
        # a null turns integers into floats in some libraries: convert without the nulls, then spread
        present = np.asarray(series.drop_nulls().to_numpy())
        values = np.zeros(len(nulls), dtype=present.dtype)
        values[~nulls] = present
        missing = nulls
    else:
        values, missing = np.asarray(series.to_numpy()), None
    column = _from_array(values, name)
    if column.missing is not None:
        missing = column.missing if missing is None else missing | column.missing
    return replace(column, missing=missing, index=index, backend=backend)

"""Any column a user may hold (list, array, Series, masked, nullable) as one NumPy array and a mask.

Nothing is judged here: what a column must contain is the business of `reading` and `labels`. How columns and
values are named in messages is here too, so that there is one wording.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import ColumnName, CurvewiseError, RowNumbers

EXACT_FLOAT = 2**53  # every integer up to here is a float64
KINDS: dict[str, Any] = {
    "text": str,
    "bytes": bytes,
    "a date or time": (date, time, np.datetime64),
    "a duration": (timedelta, np.timedelta64),
    "a complex number": (complex, np.complexfloating),
    "a record": np.void,
}


@dataclass(frozen=True)
class Column:
    """Values by row; ``missing`` marks rows without one (their value is then meaningless).

    ``rows`` are the numbers that the rows had when they came, once some have been left out.
    """

    name: str
    values: NDArray[Any]
    missing: NDArray[np.bool_] | None = None
    index: Any = None
    backend: str | None = None
    rows: NDArray[np.intp] | None = None

    def __len__(self) -> int:
        return len(self.values)

    def keep(self, mask: NDArray[np.bool_]) -> Column:
        """Return the column restricted to the rows that a mask marks."""
        return replace(
            self,
            values=self.values[mask],
            missing=None if self.missing is None else self.missing[mask],
            rows=np.flatnonzero(mask) if self.rows is None else self.rows[mask],
        )

    def error(self, message: str, **fields: object) -> CurvewiseError:
        """Return an error about this column; ``message`` follows its name."""
        return CurvewiseError("{column}: " + message, column=ColumnName(self.name), **fields)

    def wrong(self, mask: NDArray[np.bool_], expected: str, advice: str = "") -> CurvewiseError:
        """Return an error that says how many values a mask marks, in which rows, and what the first one is."""
        first = self.values[mask][0]
        return self.error(
            "expected {expected}, got {found} ({rows}), the first {first}{advice}.",
            expected=expected,
            found=count(int(mask.sum()), "other value"),
            rows=row_numbers(mask, self.rows),
            first=f"{'' if is_number(first) else f'{kind_of(first)}, '}{shown(first)}",
            advice=f"; {advice}" if advice else "",
        )


def as_column(data: object, name: str) -> Column:
    """Turn any one-dimensional column-like object into a `Column`."""
    try:
        return _read(data, name)
    except CurvewiseError:
        raise
    except Exception as error:  # noqa: BLE001 - of any library, or of a value that cannot be looked at
        raise CurvewiseError(
            f"{name}: a {type(data).__name__} cannot be read as a column ({shown(error, 200)})."
        ) from None


def _read(data: object, name: str) -> Column:
    if isinstance(data, np.ma.MaskedArray):
        column = _from_array(np.asarray(data.data), name)
        hidden = np.ma.getmaskarray(data).reshape(-1)
        return replace(column, missing=_either(column.missing, hidden))
    if isinstance(data, np.ndarray):
        return _from_array(np.asarray(data), name)  # a np.matrix would never be one column
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return _from_array(_from_sequence(data, name), name)
    return _from_library(data, name)


def frame_columns(data: object, name: str) -> dict[Any, Any] | None:
    """Return the columns of a frame by name, of whatever kind the names are; None where it is no frame."""
    if data is None or isinstance(data, (np.ndarray, Sequence, Mapping)):
        return None
    import narwhals as nw  # noqa: PLC0415 - quick, but not needed by lists and arrays

    try:
        frame = nw.from_native(data, eager_only=True, pass_through=True)
    except nw.exceptions.DuplicateError:
        raise CurvewiseError(f"{name}: expected columns of different names, got several of one name.") from None
    if not isinstance(frame, nw.DataFrame):
        return None
    # by place: a whole number as a name would be taken for a row
    return {label: column.to_native() for label, column in zip(frame.columns, frame.iter_columns(), strict=True)}


def by_text(columns: Mapping[Any, Any], name: str) -> dict[str, Any]:
    """Return columns by their names as text; refuse names that differ only in what they are, as 1 and "1" do."""
    names = [as_text(label, name) for label in columns]
    found = dict(zip(names, columns.values(), strict=True))
    if len(found) < len(columns):
        often = Counter(names)
        twice = next(label for label in often if often[label] > 1)
        raise CurvewiseError(f"{name}: two names are {twice!r} as text; rename one of them.")
    return found


def as_text(label: object, name: str) -> str:
    """Write a name as text; refuse one that cannot be, such as a whole number of thousands of digits."""
    try:
        return str(label)
    except Exception:  # noqa: BLE001 - of any object
        kind = kind_of(label)
        raise CurvewiseError(f"{name}: expected names that can be written as text, got {kind} that cannot.") from None


def missing_in(values: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Mark NaN, None, NaT and pandas' NA; None when every row has a value."""
    if values.dtype.kind == "f" and values.size:
        # min() carries NaN through, and needs no temporary array
        return np.isnan(values) if np.isnan(values.min()) else None
    if values.dtype.kind != "O":
        return None
    try:
        if not any(map(is_missing, set(values))):  # labels are many, classes few
            return None
    except Exception:  # noqa: BLE001, S110 - something that cannot be looked up
        pass
    mask = np.fromiter((is_missing(v) for v in values), dtype=bool, count=len(values))
    return mask if mask.any() else None


def is_missing(value: object) -> bool:
    """Say whether a value stands for none: None, pandas' NA, NaN of any kind, NaT."""
    if value is None or type(value).__name__ == "NAType":
        return True
    try:
        return bool(value != value)  # noqa: PLR0124 - only NaN and NaT differ from themselves
    except ArithmeticError:  # a signalling NaN of Decimal
        return True
    except Exception:  # noqa: BLE001 - of any object
        return False


def is_number(value: object) -> bool:
    """Say whether a value is one real number; NumPy counts its durations as integers."""
    return isinstance(value, (Real, Decimal, np.bool_)) and not isinstance(value, np.timedelta64)


def is_hashable(value: object) -> bool:
    """Say whether a value can be looked up; what cannot says so in its own way, as a view of memory does."""
    try:
        hash(value)
    except Exception:  # noqa: BLE001 - of any object
        return False
    return True


def count(number: int, noun: str) -> str:
    """Write a number with its noun: ``1 row``, ``12 rows``, ``3 classes``."""
    plural = "" if number == 1 else "es" if noun.endswith("s") else "s"
    return f"{number:,} {noun}{plural}".replace(",", " ")


def row_numbers(mask: NDArray[np.bool_], rows: NDArray[np.intp] | None = None) -> RowNumbers:
    """Return the first rows that a mask marks, by the numbers in ``rows`` if there are any."""
    marked = np.flatnonzero(mask) if rows is None else rows[mask]
    return RowNumbers(tuple(marked[:5].tolist()), more=len(marked) > 5)


def shown(value: object, most: int = 40) -> str:
    """Write a value as in Python, on one line and not too long."""
    if isinstance(value, Enum):
        text = f"{type(value).__name__}.{value.name}"
    elif isinstance(value, (np.datetime64, np.timedelta64)):
        text = str(value)
    else:
        text = _written(value.item() if isinstance(value, np.generic) else value)
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def _written(value: object) -> str:
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 - a message must not fail with what it is about
        return f"<{type(value).__name__}>"


def kind_of(value: object) -> str:
    """Say what a value is, where it is no number: text, a date or time."""
    found = (kind for kind, types in KINDS.items() if isinstance(value, types))
    return next(found, f"a {type(value).__name__}")


def _either(a: NDArray[np.bool_] | None, b: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    both = [mask for mask in (a, b) if mask is not None and mask.any()]
    return np.logical_or.reduce(both) if both else None


def _no_column(name: str, data: object) -> CurvewiseError:
    got = "None" if data is None else f"a value of type {type(data).__name__}"
    return CurvewiseError(
        "{column}: expected one value per row (a list, an array or a column of a frame), got {got}.",
        column=ColumnName(name),
        got=got,
    )


def _from_array(values: NDArray[Any], name: str) -> Column:
    if values.ndim == 0:
        raise _no_column(name, values[()])
    if values.ndim == 2 and values.shape[1] == 1:
        values = values.reshape(-1)
    if values.ndim != 1:
        hint = "pass one dimension, one value per row"
        if values.ndim == 2 and values.shape[1] == 2:
            hint = f"which column? Pass {name}[:, 1] if the second one is the positive class's"
        raise CurvewiseError(
            "{column}: expected one column, got an array of shape {shape}; {hint}.",
            column=ColumnName(name),
            shape=values.shape,
            hint=hint,
        )
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    if hasattr(values.dtype, "na_object"):  # NumPy's own text, where it may be missing
        values = values.astype(object)
    return Column(name, values, missing_in(values))


def _from_sequence(data: Sequence[Any], name: str) -> NDArray[Any]:
    """Convert a Python sequence without NumPy's silent promotions, which merge what differs.

    Bytes become text, text loses its last NULs, numbers beside text become text, and whole
    numbers beside others become float64.
    """
    try:
        values = np.asarray(data)
    except (ValueError, TypeError, OverflowError):
        raise CurvewiseError(f"{name}: expected one value per row, got rows of different lengths or kinds.") from None
    if values.ndim != 1:
        return values
    promoted = values.dtype.kind in "US" or (
        values.dtype.kind == "f"
        and bool((np.abs(values) >= np.float64(EXACT_FLOAT)).any())
        and any(isinstance(v, (int, np.integer)) for v in data)
    )
    return np.array(data, dtype=object) if promoted else values


def _from_library(data: object, name: str) -> Column:
    """Read a column of pandas, Polars, PyArrow or another library through narwhals."""
    import narwhals as nw  # noqa: PLC0415 - quick, but not needed by lists and arrays

    held = _held_by_series(data)
    try:
        native = nw.from_native(held, allow_series=True, eager_only=True, pass_through=True)
    except nw.exceptions.DuplicateError:
        raise CurvewiseError(
            f"{name}: expected one column, got a frame with several of one name; pass one column."
        ) from None
    if isinstance(native, nw.DataFrame):
        if native.shape[1] != 1:
            names = ", ".join(shown(c, 20) for c in native.columns[:5])
            more = ", …" if native.shape[1] > 5 else ""
            raise CurvewiseError(
                f"{name}: expected one column, got a frame with {native.shape[1]} [{names}{more}]; pass one column."
            )
        (native,) = native.iter_columns()  # by place: its name may be no text
    if isinstance(native, nw.Series):
        column = _from_series(native, name)
        return column if held is data else replace(column, index=None)
    values = np.asarray(data)
    if values.ndim == 0:
        raise _no_column(name, data)
    return _from_array(values, name)


def _held_by_series(data: object) -> object:
    """Wrap the bare arrays of PyArrow and pandas, which narwhals does not read."""
    pyarrow, pandas = sys.modules.get("pyarrow"), sys.modules.get("pandas")
    if pyarrow is not None and isinstance(data, pyarrow.Array):
        return pyarrow.chunked_array([data])
    if pandas is not None and isinstance(data, (pandas.Index, pandas.api.extensions.ExtensionArray)):
        return pandas.Series(data)
    return data


def _from_series(series: Any, name: str) -> Column:
    import narwhals as nw  # noqa: PLC0415 - loaded by the caller

    series = series.alias("column")  # Polars' own methods look it up by a name, which may look like a pattern
    nulls = series.is_null().to_numpy()
    # a null turns integers into floats in some libraries: convert without the nulls, then spread
    full = series.drop_nulls() if nulls.any() else series
    if full.dtype in (nw.Int128, nw.UInt128):  # NumPy has no such dtype
        present = np.array(full.to_list(), dtype=object)
    else:
        present = np.asarray(full.to_numpy())
    values = present
    if nulls.any():
        values = np.zeros((len(nulls), *present.shape[1:]), dtype=present.dtype)
        values[~nulls] = present
    column = _from_array(values, name)
    return replace(
        column,
        missing=_either(column.missing, nulls),
        index=series.to_native().index if series.implementation.is_pandas_like() else None,
        backend=series.implementation.value,
    )

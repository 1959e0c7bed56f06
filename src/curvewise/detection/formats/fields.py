"""The numbers of a side, whatever holds them: boxes, scores, areas, flags."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Bools, Floats
from curvewise.detection.formats.wording import wrong, wrong_rows
from curvewise.rows.columns import Column, as_column, is_missing, is_number, kind_of, shown
from curvewise.rows.reading import real_numbers


def read_boxes(data: Any, where: str) -> Floats:
    """Return four numbers per row, NaN where a box or a number of it is missing, in an array of its own.

    ``data`` has a box per row (a list of lists, an array of four columns, a column of lists), or is a tuple of four
    columns.
    """
    if isinstance(data, tuple) and data and isinstance(data[0], Column):
        return _from_columns(data)
    if isinstance(data, np.ndarray) and data.dtype.kind in "iufb":
        return _from_array(data, where)
    rows = as_list(data, "box", where)
    try:
        # array takes numbers alone; NumPy would read text, and None as NaN
        numbers = np.frombuffer(array("d", chain.from_iterable(rows)), np.float64)
        of_four = set(map(len, rows)) <= {4}
    except (TypeError, ValueError, OverflowError):
        return _one_by_one(rows, where)
    return numbers.reshape(-1, 4) if of_four else _one_by_one(rows, where)


def read_scores(data: Any, where: str) -> tuple[NDArray[Any], Bools | None]:
    """Return scores in the dtype given, and which are missing."""
    column = _column(data, f"{where}: score")
    scores = real_numbers(column)
    return scores if isinstance(data, list) else scores.copy(), column.missing  # no array of the user's is kept


def read_areas(data: Any, where: str) -> Floats | None:
    """Return areas in float64, NaN where none is stated; None where none is stated at all."""
    column = _column(data, f"{where}: area")
    if column.missing is not None and column.missing.all():
        return None
    area: Floats = real_numbers(column).astype(np.float64)
    if column.missing is not None:
        area[column.missing] = np.nan
    bad = (area < 0) | np.isinf(area)
    if bad.any():
        raise wrong_rows(where, "area is negative or infinite", bad, "correct such rows")
    return area


def read_flags(data: Any, what: str, where: str) -> Bools | None:
    """Return flags (0 and 1, or booleans); a missing one is not set. None where all are missing."""
    column = _column(data, f"{where}: {what}")
    if column.missing is not None and column.missing.all():
        return None
    values = real_numbers(column)
    bad = (values != 0) & (values != 1)
    if column.missing is not None:
        bad &= ~column.missing
    if bad.any():
        raise column.wrong(bad, "0 or 1")
    flags: Bools = values == 1
    return flags if column.missing is None else flags & ~column.missing


def as_list(data: Any, what: str, where: str) -> list[Any]:
    """Return a column as a list of Python values."""
    values = data
    for method in ("to_list", "tolist", "to_pylist"):
        if not isinstance(values, list) and hasattr(values, method):
            values = getattr(values, method)()
    if isinstance(values, list | tuple):
        return values if isinstance(values, list) else list(values)
    raise wrong(where, "{what}: expected one value per row, got {kind}.", what=what, kind=kind_of(data))


def _column(data: Any, name: str) -> Column:
    return data if isinstance(data, Column) else as_column(data, name)


def _from_array(data: NDArray[Any], where: str) -> Floats:
    if data.size == 0:
        return np.empty((0, 4))
    if data.ndim != 2 or data.shape[1] != 4:
        raise wrong(where, "box: expected 4 numbers per row, got an array of shape {shape}.", shape=data.shape)
    return np.array(data, dtype=np.float64, order="C")


def _from_columns(columns: tuple[Column, ...]) -> Floats:
    """Stack the four columns of a frame."""
    box = np.empty((len(columns[0]), 4))
    for k, column in enumerate(columns):
        box[:, k] = real_numbers(column)
        if column.missing is not None:
            box[column.missing, k] = np.nan
    return box


def _one_by_one(rows: Sequence[Any], where: str) -> Floats:
    """Read boxes some of which are odd: say which are no boxes, and leave those that are missing as NaN."""
    box = np.full((len(rows), 4), np.nan)
    bad = np.zeros(len(rows), dtype=bool)
    for k, row in enumerate(rows):
        four = _four(row)
        bad[k] = four is None
        if four is not None:
            box[k] = four
    if bad.any():
        first = rows[int(np.argmax(bad))]
        problem = f"box is not 4 numbers (the first {_told(first)})"
        raise wrong_rows(where, problem, bad, "give each as four numbers, as in [x, y, width, height]")
    return box


def _four(row: Any) -> list[float] | None:
    """Return the numbers of a box, NaN where missing; None for what is no box."""
    if is_missing(row):
        return [np.nan] * 4
    values = row.tolist() if hasattr(row, "tolist") else row
    if not isinstance(values, list | tuple) or len(values) != 4:
        return None
    four = [np.nan if is_missing(v) else v for v in values]
    try:
        return [float(v) for v in four] if all(map(is_number, four)) else None
    except OverflowError:
        return None


def _told(row: Any) -> str:
    values = row.tolist() if hasattr(row, "tolist") else row
    if isinstance(values, list | tuple):
        return f"has {len(values)}: {shown(list(values))}" if len(values) != 4 else f"is {shown(list(values))}"
    return f"is {kind_of(values)}, {shown(values)}"

"""The door: every check of a user's data and options, once, in one wording.

A message says what was expected, what came, where (first rows, counted from 0), how many, what to do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict

import numpy as np

from curvewise._columns import (
    EXACT_FLOAT,
    Column,
    as_column,
    count,
    is_missing,
    is_number,
    shown,
    where,
)
from curvewise._errors import CurvewiseError
from curvewise._labels import binary_labels

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

HigherIs = Literal["positive", "negative"]
Missing = Literal["raise", "drop"]
OPTIONAL = ("weight", "cluster")  # columns that need not be given
MOST_WEIGHT = 2**62  # whole weights are summed in int64


class RowOptions(TypedDict):
    """The options that say how rows are read; `curvewise.sweep` describes each."""

    weight: NotRequired[object]
    positive: NotRequired[object]
    higher_is: NotRequired[HigherIs]
    missing: NotRequired[Missing]
    round_to: NotRequired[int | None]


@dataclass(frozen=True)
class Rows:
    """Rows that passed the door, with the choices made on the way."""

    score: NDArray[Any]
    positive: NDArray[np.bool_]
    weight: NDArray[np.int64] | NDArray[np.float64] | None
    dropped: int
    round_to: int | None
    higher_is: HigherIs
    backend: str | None
    cluster: NDArray[np.intp] | None = None


def read_rows(
    y: object,
    score: object,
    *,
    weight: object = None,
    positive: object = None,
    higher_is: HigherIs = "positive",
    missing: Missing = "raise",
    round_to: int | None = None,
    cluster: object = None,
) -> Rows:
    """Check labels, scores, weights and clusters; return plain arrays."""
    one_of("higher_is", higher_is, ("positive", "negative"))
    decimals = None if round_to is None else whole("round_to", round_to, 0)
    given = {"y": y, "score": score, "weight": weight, "cluster": cluster}
    columns, dropped = read_columns(given, missing)
    is_positive = binary_labels(columns["y"], positive, other=columns["score"])
    values = real_numbers(columns["score"])
    if decimals is not None:
        values = _rounded(values, decimals)
    weights = whole_or_float(columns["weight"]) if "weight" in columns else None
    backend = next((c.backend for c in columns.values() if c.backend), None)
    groups = cluster_codes(columns["cluster"]) if "cluster" in columns else None
    return Rows(values, is_positive, weights, dropped, decimals, higher_is, backend, groups)


def read_labels(
    y: object,
    predicted: object,
    *,
    weight: object = None,
    positive: object = None,
    missing: Missing = "raise",
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[Any] | None, int]:
    """Check true and predicted labels, which must share one coding; also say how many rows were dropped."""
    columns, dropped = read_columns({"y": y, "predicted": predicted, "weight": weight}, missing)
    truth, guess = columns["y"].values, columns["predicted"].values
    if positive is None and guess.dtype.kind == "f":
        _refuse_fractions(columns["predicted"])
    kinds = {truth.dtype.kind, guess.dtype.kind}
    exact = kinds <= set("biu") and np.result_type(truth, guess).kind != "f"
    if len(kinds) > 1 and not exact:  # NumPy would merge labels that differ
        truth, guess = truth.astype(object), guess.astype(object)
    rows = columns["y"].rows
    both = Column(
        "y and predicted",
        np.concatenate([truth, guess]),
        rows=np.tile(np.arange(len(truth)) if rows is None else rows, 2),
    )
    mask = binary_labels(both, positive)
    weights = whole_or_float(columns["weight"]) if "weight" in columns else None
    return mask[: len(truth)], mask[len(truth) :], weights, dropped


def refuse_unknown(rows: Mapping[str, object]) -> None:
    """Refuse an option that no verb has, by the name of those that there are."""
    unknown = [name for name in rows if name not in RowOptions.__annotations__]
    if unknown:
        raise TypeError(
            f"unexpected keyword argument {unknown[0]!r}; rows are read with "
            f"{', '.join(RowOptions.__annotations__)}"
        )


def read_columns(data: dict[str, object], missing: Missing) -> tuple[dict[str, Column], int]:
    """Align columns; drop rows of weight zero, then rows with a missing value if asked to."""
    one_of("missing", missing, ("raise", "drop"))
    columns = {k: as_column(v, k) for k, v in data.items() if k not in OPTIONAL or v is not None}
    check_aligned(list(columns.values()))
    if "weight" in columns:
        columns = _without_zero_weight(columns)
    masks = [c.missing for c in columns.values() if c.missing is not None and c.missing.any()]
    if not masks:
        return columns, 0
    if missing == "raise":
        advice = "fill the gaps, or pass missing='drop' to leave such rows out"
        raise _has_missing(columns.values(), advice)
    gone = np.logical_or.reduce(masks)
    if gone.all():
        raise CurvewiseError(
            f"No row is left: a value is missing in {len(gone)} of {count(len(gone), 'row')}."
        )
    return {k: c.keep(~gone) for k, c in columns.items()}, int(gone.sum())


def real_numbers(column: Column) -> NDArray[Any]:
    """Return scores or weights as a numeric array, exact in the dtype given."""
    values = column.values
    if values.dtype.kind == "b":
        return values.view(np.uint8)
    if values.dtype.kind in "iuf":
        return values
    there = np.ones(len(values), dtype=bool) if column.missing is None else ~column.missing
    bad = np.fromiter((not is_number(v) for v in values), dtype=bool, count=len(values)) & there
    if bad.any():
        raise CurvewiseError(
            f"{column.name}: expected real numbers, got {column.others(bad)}; convert first."
        )
    present = _exact_numbers(values[there].tolist(), column.name)
    numbers = np.zeros(len(values), dtype=present.dtype)
    numbers[there] = present
    return numbers


def whole_or_float(column: Column) -> NDArray[np.int64] | NDArray[np.float64]:
    """Return weights or counts as int64 when all are whole (repetition, exact), else as float64."""
    if column.missing is not None and column.missing.any():
        raise _has_missing([column], "fill the gaps, or leave such rows out")
    values = real_numbers(column)
    with np.errstate(over="ignore"):
        if values.dtype.kind == "f":
            values = values.astype(np.float64, copy=False)
        total = values.sum(dtype=np.float64)
    bad = (values < 0) | ~np.isfinite(values)
    if bad.any():
        noun = "weights" if column.name == "weight" else "counts"
        raise CurvewiseError(
            f"{column.name}: expected {noun} of 0 or more, all finite, got {column.others(bad)}."
        )
    fractional = values.dtype.kind == "f" and bool((values != np.floor(values)).any())
    if fractional or (values.dtype.kind == "f" and total >= EXACT_FLOAT):
        if not np.isfinite(total):
            raise CurvewiseError(
                f"{column.name}: the sum is more than float64 can hold; scale the values down."
            )
        return values
    if total >= MOST_WEIGHT:
        raise CurvewiseError(
            f"{column.name}: the sum is more than 2^62, beyond exact counts; scale the values down."
        )
    return values.astype(np.int64)


def cluster_codes(column: Column) -> NDArray[np.intp]:
    """Return a number for each row's cluster: equal labels have equal numbers."""
    if column.values.dtype.kind == "O":
        numbers = {label: k for k, label in enumerate(dict.fromkeys(column.values))}
        return np.array([numbers[label] for label in column.values], dtype=np.intp)
    codes: NDArray[np.intp] = np.unique(column.values, return_inverse=True)[1]
    return codes


def one_of(name: str, value: object, allowed: Sequence[object]) -> None:
    """Refuse an option whose value is not one of those allowed."""
    if not any(isinstance(value, type(a)) and value == a for a in allowed):
        choices = ", ".join(map(repr, allowed))
        raise CurvewiseError(f"{name}: expected one of {choices}, got {shown(value)}.")


def unit_range(name: str, value: object) -> tuple[float, float]:
    """Check a range (low, high) with 0 <= low < high <= 1."""
    parts = value.tolist() if isinstance(value, np.ndarray) else value
    pair = [_as_float(v) for v in parts] if isinstance(parts, Sequence) else []
    if len(pair) != 2 or not 0 <= pair[0] < pair[1] <= 1:
        raise CurvewiseError(
            f"{name}: expected a pair (low, high) with 0 <= low < high <= 1, got {shown(value)}."
        )
    return pair[0], pair[1]


def real(name: str, value: object, low: float, high: float, *, closed: bool = True) -> float:
    """Check one finite number between two bounds, the bounds themselves allowed when ``closed``."""
    number = _as_float(value)
    inside = low <= number <= high if closed else low < number < high
    if inside and math.isfinite(number):
        return number
    if math.isinf(high):
        bounds = "" if math.isinf(low) else f" of at least {low:g}"
        expected = f"a finite number{bounds}"
    elif closed:
        expected = f"a number from {low:g} to {high:g}"
    else:
        expected = f"a number strictly between {low:g} and {high:g}"
    raise CurvewiseError(f"{name}: expected {expected}, got {shown(value)}.")


def whole(name: str, value: object, low: int) -> int:
    """Check one whole number of at least ``low``."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < low:
        raise CurvewiseError(f"{name}: expected a whole number of at least {low}, got {shown(value)}.")
    return int(value)


def threshold_for(dtype: np.dtype[Any], threshold: object, *, falling: bool) -> Any:
    """Return the threshold in the scores' dtype; for whole scores, the next whole number inward."""
    exact = _scalar(threshold)
    number = _as_float(exact)
    if math.isnan(number):
        raise CurvewiseError(f"threshold: expected a number, got {shown(threshold)}.")
    if dtype.kind in "iu":
        if math.isinf(number):
            return np.iinfo(dtype).max + 1 if number > 0 else np.iinfo(dtype).min - 1
        return math.ceil(exact) if falling else math.floor(exact)
    with np.errstate(over="ignore"):
        cut = dtype.type(exact if isinstance(exact, np.floating) else number)
    if np.isinf(cut) and math.isfinite(number) and (number < 0) == falling:
        return np.nextafter(cut, dtype.type(0))  # a finite threshold does not reach infinite scores
    return cut


def _scalar(value: Any) -> Any:
    """Take the value out of an array without dimensions, of NumPy or of another library."""
    lone = getattr(value, "ndim", None) == 0 and not isinstance(value, np.generic)
    return value.item() if lone else value


def _as_float(value: object) -> float:
    """Return a number as a float, infinite if it is too large; NaN for what is no number."""
    number = _scalar(value)
    if not is_number(number) or is_missing(number):
        return math.nan
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def check_aligned(columns: list[Column]) -> None:
    first = columns[0]
    for column in columns[1:]:
        if len(column) != len(first):
            raise CurvewiseError(
                f"{first.name} and {column.name} must be equally long: {first.name} has "
                f"{count(len(first), 'row')}, {column.name} has {count(len(column), 'row')}."
            )
    if not len(first):
        raise CurvewiseError("Expected at least one row, got none.")
    indexed = [c for c in columns if c.index is not None]
    for column in indexed[1:]:
        if not indexed[0].index.equals(column.index):
            raise CurvewiseError(
                f"{indexed[0].name} and {column.name} are pandas objects with different indexes; "
                "align them first, or pass .to_numpy() of each if rows correspond by position."
            )


def _without_zero_weight(columns: dict[str, Column]) -> dict[str, Column]:
    weight = columns["weight"]
    zero = real_numbers(weight) == 0
    if weight.missing is not None:
        zero &= ~weight.missing
    if not zero.any():
        return columns
    if zero.all():
        raise CurvewiseError(f"weight: all {count(len(zero), 'weight')} are 0, so no row is left.")
    return {k: c.keep(~zero) for k, c in columns.items()}


def _has_missing(columns: Iterable[Column], advice: str) -> CurvewiseError:
    found = [
        f"{c.name} has {count(int(c.missing.sum()), 'missing value')} ({where(c.missing, c.rows)})"
        for c in columns
        if c.missing is not None and c.missing.any()
    ]
    return CurvewiseError(f"{' and '.join(found)}; {advice}.")


def _refuse_fractions(predicted: Column) -> None:
    """Refuse scores in the place of predicted labels."""
    bad = predicted.values != np.floor(predicted.values)
    if bad.any():
        raise CurvewiseError(
            f"predicted: expected labels, got {predicted.others(bad)}; "
            "for scores use confusion(y, score, threshold=...)."
        )


def _rounded(values: NDArray[Any], decimals: int) -> NDArray[Any]:
    """Round without overflow: a score too large to be scaled has no such decimals."""
    if values.dtype.kind != "f":
        return values
    wide = values.astype(np.result_type(values.dtype, np.float64), copy=False)
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = np.round(wide, decimals)
    return np.where(np.isfinite(rounded), rounded, wide).astype(values.dtype)


def _exact_numbers(numbers: list[Any], name: str) -> NDArray[Any]:
    """Hold Python numbers in a NumPy dtype that keeps apart whatever differs, or refuse."""
    if not all(isinstance(v, Integral) for v in numbers):
        floats = [_as_float(v) for v in numbers]
        merged = _first_merged(floats, numbers)
        if merged is None:
            return np.array(floats, dtype=np.float64)
        if not all(map(math.isfinite, floats)) or any(v != int(v) for v in numbers):
            raise CurvewiseError(
                f"{name}: float64 cannot tell {shown(merged[0])} from {shown(merged[1])}; "
                "rank or round them first."
            )
    low, high = min(numbers, default=0), max(numbers, default=0)
    for dtype in (np.int64, np.uint64):
        if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
            return np.array([int(v) for v in numbers], dtype=dtype)
    raise CurvewiseError(
        f"{name}: whole numbers from {shown(low)} to {shown(high)} do not fit in 64 bits; rank them first."
    )


def _first_merged(floats: list[float], numbers: list[Any]) -> tuple[Any, Any] | None:
    """Return the first two different numbers that are one float; too large ones are infinite."""
    seen: dict[float, Any] = {math.inf: math.inf, -math.inf: -math.inf}
    for value, number in zip(floats, numbers, strict=True):
        if seen.setdefault(value, number) != number:
            return number, seen[value]
    return None


__all__ = [
    "EXACT_FLOAT",
    "Column",
    "HigherIs",
    "Missing",
    "RowOptions",
    "Rows",
    "binary_labels",
    "cluster_codes",
    "count",
    "one_of",
    "read_columns",
    "read_labels",
    "read_rows",
    "real",
    "real_numbers",
    "refuse_unknown",
    "threshold_for",
    "unit_range",
    "where",
    "whole",
    "whole_or_float",
]

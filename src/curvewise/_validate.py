"""The door: every check of a user's data, once, in one wording.

A message says what was expected, what came, where (first rows, counted from 0), how many, what to do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict

import numpy as np

from curvewise._columns import EXACT_FLOAT, Column, as_column
from curvewise._errors import CurvewiseError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

HigherIs = Literal["positive", "negative"]
Missing = Literal["raise", "drop"]
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


def read_rows(
    y: object,
    score: object,
    *,
    weight: object = None,
    positive: object = None,
    higher_is: HigherIs = "positive",
    missing: Missing = "raise",
    round_to: int | None = None,
) -> Rows:
    """Check labels, scores and weights; return plain arrays."""
    one_of("higher_is", higher_is, ("positive", "negative"))
    columns, dropped = read_columns({"y": y, "score": score, "weight": weight}, missing)
    is_positive = binary_labels(columns["y"], positive, other=columns["score"])
    values = real_numbers(columns["score"])
    if round_to is not None:
        values = _rounded(values, round_to)
    weights = whole_or_float(columns["weight"]) if "weight" in columns else None
    backend = next((c.backend for c in columns.values() if c.backend), None)
    return Rows(values, is_positive, weights, dropped, round_to, higher_is, backend)


def read_labels(
    y: object,
    predicted: object,
    *,
    weight: object = None,
    positive: object = None,
    missing: Missing = "raise",
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[Any] | None]:
    """Check true and predicted labels, which must share one coding."""
    columns, _ = read_columns({"y": y, "predicted": predicted, "weight": weight}, missing)
    truth, guess = columns["y"].values, columns["predicted"].values
    kinds = {"n" if v.dtype.kind in "biuf" else v.dtype.kind for v in (truth, guess)}
    both = [truth, guess] if len(kinds) == 1 else [truth.astype(object), guess.astype(object)]
    mask = binary_labels(Column("y and predicted", np.concatenate(both)), positive)
    weights = whole_or_float(columns["weight"]) if "weight" in columns else None
    return mask[: len(truth)], mask[len(truth) :], weights


def read_columns(data: dict[str, object], missing: Missing) -> tuple[dict[str, Column], int]:
    """Align columns; drop rows of weight zero, then rows with a missing value if asked to."""
    one_of("missing", missing, ("raise", "drop"))
    columns = {k: as_column(v, k) for k, v in data.items() if k != "weight" or v is not None}
    _check_aligned(list(columns.values()))
    if "weight" in columns:
        columns = _without_zero_weight(columns)
    bad = [c for c in columns.values() if c.missing is not None and c.missing.any()]
    if not bad:
        return columns, 0
    if missing == "raise":
        parts = [f"{c.name} has {count(int(c.missing.sum()), 'missing value')} ({where(c.missing)})"
                 for c in bad if c.missing is not None]
        raise CurvewiseError(
            f"{' and '.join(parts)}; mend them, or pass missing='drop' to leave such rows out."
        )
    gone = np.logical_or.reduce([c.missing for c in bad])
    if gone.all():
        raise CurvewiseError("No rows are left: every row has a missing value.")
    return {k: c.keep(~gone) for k, c in columns.items()}, int(gone.sum())


def binary_labels(
    column: Column, positive: object = None, other: Column | None = None
) -> NDArray[np.bool_]:
    """Return the mask of positive rows, guessing nothing beyond {0,1}, {False,True}, {-1,1}."""
    values, name = column.values, column.name
    if values.dtype.kind not in "biufOUST":
        raise CurvewiseError(f"{name}: expected labels of two classes, got {_kind(values)}.")
    if positive is not None:
        return _labels_against(column, positive)
    if values.dtype.kind == "b":
        return values
    if values.dtype.kind in "iuf":
        is_one: NDArray[np.bool_] = values == 1
        ones = int(np.count_nonzero(is_one))
        if np.count_nonzero(values) == ones:
            return is_one
        if values.dtype.kind != "u" and ones + int(np.count_nonzero(values == -1)) == len(values):
            return is_one
    classes = _classes(values)
    if values.dtype.kind == "O" and all(isinstance(c, (Real, np.bool_)) for c in classes):
        if set(classes) <= {0, 1} or set(classes) <= {-1, 1}:
            return np.fromiter((v == 1 for v in values), dtype=bool, count=len(values))
    if len(classes) > 2:
        raise _too_many(column, classes, other)
    raise CurvewiseError(
        f"{name}: the classes are {_listed(classes)}; say which one is positive, "
        f"for example positive={_shown(classes[-1])} ({{0, 1}}, {{False, True}} and {{-1, 1}} need no word)."
    )


def real_numbers(column: Column) -> NDArray[Any]:
    """Return scores or weights as a numeric array, exact in the dtype given."""
    values = column.values
    kind = values.dtype.kind
    if kind == "b":
        return values.view(np.uint8)
    if kind in "iuf":
        return values
    if kind == "O":
        return _numbers_from_objects(column)
    shown = f", first {_shown(values[0])}" if kind in "US" and len(values) else ""
    raise CurvewiseError(f"{column.name}: expected real numbers, got {_kind(values)}{shown}; convert first.")


def whole_or_float(column: Column) -> NDArray[np.int64] | NDArray[np.float64]:
    """Return weights as int64 when every one is whole (repetition, exact), else as float64."""
    values = real_numbers(column)
    if values.dtype.kind in "iu":
        total = values.sum(dtype=np.float64)
    else:
        values = values.astype(np.float64, copy=False)
        bad = ~np.isfinite(values)
        if bad.any():
            raise CurvewiseError(
                f"{column.name}: expected finite weights, got {count(int(bad.sum()), 'infinite one')} "
                f"({where(bad)})."
            )
        total = values.sum()
    if values.min() < 0:
        bad = values < 0
        raise CurvewiseError(
            f"{column.name}: expected weights of 0 or more, got {count(int(bad.sum()), 'negative one')} "
            f"({where(bad)})."
        )
    if values.dtype.kind == "f" and (total >= EXACT_FLOAT or not (values == np.floor(values)).all()):
        if not np.isfinite(total):
            raise CurvewiseError(f"{column.name}: the weights add up to infinity; scale them down.")
        return values
    if total >= MOST_WEIGHT:
        raise CurvewiseError(f"{column.name}: the whole weights add up to more than 2^62; scale them down.")
    return values.astype(np.int64)


def one_of(name: str, value: object, allowed: Sequence[object]) -> None:
    """Refuse an option whose value is not one of those allowed."""
    if value not in allowed:
        choices = ", ".join(map(repr, allowed))
        raise CurvewiseError(f"{name}: expected one of {choices}, got {value!r}.")


def unit_range(name: str, value: object) -> tuple[float, float]:
    """Check a range (low, high) with 0 <= low < high <= 1."""
    try:
        low, high = (float(v) for v in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise CurvewiseError(f"{name}: expected a pair (low, high), got {value!r}.") from None
    if not 0 <= low < high <= 1:
        raise CurvewiseError(f"{name}: expected 0 <= low < high <= 1, got ({low:g}, {high:g}).")
    return low, high


def real(name: str, value: object, low: float, high: float, *, closed: bool = True) -> float:
    """Check one real number between two bounds, the bounds themselves allowed when ``closed``."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise CurvewiseError(f"{name}: expected a number, got {value!r}.") from None
    inside = low <= number <= high if closed else low < number < high
    if not inside:
        edges = f"{low:g} to {high:g}" if closed else f"strictly between {low:g} and {high:g}"
        raise CurvewiseError(f"{name}: expected a number {edges}, got {value!r}.")
    return number


def whole(name: str, value: object, low: int) -> int:
    """Check one whole number of at least ``low``."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < low:
        raise CurvewiseError(f"{name}: expected a whole number of at least {low}, got {value!r}.")
    return int(value)


def threshold_for(dtype: np.dtype[Any], threshold: object, *, falling: bool) -> Any:
    """Return the threshold in the scores' own dtype; for whole scores, the next whole number inward."""
    if isinstance(threshold, (str, bytes)):
        raise CurvewiseError(f"threshold: expected a number, got {threshold!r}.")
    if dtype.kind in "iu" and isinstance(threshold, (int, np.integer)):
        return int(threshold)
    number = real("threshold", threshold, -math.inf, math.inf)
    if dtype.kind in "iu":
        if math.isinf(number):
            return np.iinfo(dtype).max + 1 if number > 0 else np.iinfo(dtype).min - 1
        return math.ceil(number) if falling else math.floor(number)
    with np.errstate(over="ignore"):
        return dtype.type(threshold)


def count(number: int, noun: str) -> str:
    """Write a number with its noun: ``1 row``, ``12 rows``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}".replace(",", " ")


def where(mask: NDArray[np.bool_]) -> str:
    """Name the first rows that a mask marks."""
    rows = np.flatnonzero(mask)
    names = ", ".join(map(str, rows[:5])) + (", …" if len(rows) > 5 else "")
    return f"row {names}" if len(rows) == 1 else f"rows {names}"


def _check_aligned(columns: list[Column]) -> None:
    first = columns[0]
    for column in columns[1:]:
        if len(column) != len(first):
            raise CurvewiseError(
                f"{first.name} and {column.name} must be equally long: "
                f"{first.name} has {count(len(first), 'row')}, {column.name} has {count(len(column), 'row')}."
            )
    if not len(first):
        raise CurvewiseError("Expected at least one row, got none.")
    indexed = [c for c in columns if c.index is not None]
    for column in indexed[1:]:
        if not indexed[0].index.equals(column.index):
            raise CurvewiseError(
                f"{indexed[0].name} and {column.name} are pandas objects with different indexes; align "
                "them first, or pass .to_numpy() of each if their rows correspond by position."
            )


def _without_zero_weight(columns: dict[str, Column]) -> dict[str, Column]:
    weight = columns["weight"]
    values = real_numbers(weight)
    zero = values == 0
    if weight.missing is not None:
        zero &= ~weight.missing
    if not zero.any():
        return columns
    if zero.all():
        raise CurvewiseError("weight: every weight is zero, so no row is left.")
    return {k: c.keep(~zero) for k, c in columns.items()}


def _labels_against(column: Column, positive: object) -> NDArray[np.bool_]:
    values, name = column.values, column.name
    numeric, number = values.dtype.kind in "biuf", isinstance(positive, (Real, np.bool_))
    if numeric != number and values.dtype.kind != "O":
        kind = "numbers" if numeric else "text"
        raise CurvewiseError(
            f"{name}: no label equals positive={_shown(positive)}: the labels are {kind}, "
            f"the classes {_listed(_classes(values))}."
        )
    if values.dtype.kind == "O":
        mask = np.fromiter((bool(v == positive) for v in values), dtype=bool, count=len(values))
    else:
        mask = np.asarray(values == positive, dtype=bool)
    rest = values[~mask]
    if len(rest) and not all(rest == rest[0] if rest.dtype.kind == "O" else [(rest == rest[0]).all()]):
        classes = _classes(values)
        if len(classes) > 2:
            raise _too_many(column, classes, None)
        raise CurvewiseError(
            f"{name}: no label equals positive={_shown(positive)}; the classes are {_listed(classes)}."
        )
    return mask


def _too_many(column: Column, classes: list[Any], other: Column | None) -> CurvewiseError:
    found = f"{column.name}: expected two classes, found {count(len(classes), 'class').replace('classs', 'classes')} ({_listed(classes)})"
    if other is not None and column.values.dtype.kind == "f" and len(_classes(other.values)) <= 2:
        return CurvewiseError(f"{found}; labels and scores look swapped: the order is (y, score).")
    return CurvewiseError(
        f"{found}; for many classes use multiclass, for one class against the rest compare first, "
        f"as in y == {_shown(classes[-1])}."
    )


def _classes(values: NDArray[Any]) -> list[Any]:
    if values.dtype.kind == "O":
        found: Iterable[Any] = dict.fromkeys(v if getattr(v, "__hash__", None) else repr(v) for v in values)
        try:
            return sorted(found)
        except TypeError:
            return list(found)
    listed: list[Any] = np.unique(values).tolist()
    return listed


def _listed(classes: list[Any]) -> str:
    more = f", … {len(classes)} in all" if len(classes) > 6 else ""
    return ", ".join(_shown(c) for c in classes[:6]) + more


def _shown(value: object) -> str:
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= 40 else text[:37] + "…'"


def _kind(values: NDArray[Any]) -> str:
    names = {"c": "complex numbers", "M": "dates or times", "m": "durations", "V": "records",
             "U": "text", "T": "text", "S": "bytes", "O": "objects"}
    return names.get(values.dtype.kind, str(values.dtype))


def _rounded(values: NDArray[Any], round_to: object) -> NDArray[Any]:
    if isinstance(round_to, bool) or not isinstance(round_to, (int, np.integer)):
        raise CurvewiseError(f"round_to: expected a whole number of decimals (as in round), got {round_to!r}.")
    rounded: NDArray[Any] = np.round(values, int(round_to))
    return rounded


def _numbers_from_objects(column: Column) -> NDArray[Any]:
    """Read Python numbers; refuse what is no number, and what no NumPy dtype holds exactly."""
    values = column.values
    missing = np.zeros(len(values), bool) if column.missing is None else column.missing
    bad = np.fromiter((not isinstance(v, Real) and not _is_decimal(v) for v in values), bool, len(values))
    bad &= ~missing
    if bad.any():
        first = values[int(np.argmax(bad))]
        raise CurvewiseError(
            f"{column.name}: expected real numbers, got {count(int(bad.sum()), 'other value')} "
            f"({where(bad)}), first {_shown(first)}."
        )
    present = values[~missing].tolist()
    if all(isinstance(v, (int, np.integer)) for v in present):
        low, high = min(present, default=0), max(present, default=0)
        dtype = np.int64 if -(2**63) <= low and high < 2**63 else np.uint64
        if dtype is np.uint64 and (low < 0 or high >= 2**64):
            raise CurvewiseError(f"{column.name}: whole numbers beyond 64 bits cannot be held exactly; rank them first.")
        numbers = np.zeros(len(values), dtype=dtype)
    else:
        numbers = np.zeros(len(values), dtype=np.float64)
        if any(float(v) != v for v in present if not isinstance(v, float)) and len(
            {float(v) for v in present}
        ) != len(set(present)):
            raise CurvewiseError(
                f"{column.name}: mixes numbers that float64 cannot tell apart; rank them or round them first."
            )
    numbers[~missing] = present
    return numbers


def _is_decimal(value: object) -> bool:
    return type(value).__name__ == "Decimal" and not math.isnan(float(value))  # type: ignore[arg-type]


__all__ = ["RowOptions", "Rows", "read_labels", "read_rows"]

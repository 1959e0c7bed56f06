"""Checks of options: what was expected, what came, in one wording."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any, TypeGuard

import numpy as np

from curvewise.errors import OptionError, nearest
from curvewise.rows.columns import as_column, is_missing, is_number, shown

SMALL = 1e-150
FLOATS = 2**1023  # whole numbers below are floats, if not exactly
MOST_COST = 1e150  # costs are multiplied by numbers of rows
MOST = {"replicates": 10_000_000, "bins": 1_000_000, "points": 10_000_000, "groups": 1_000_000}


def one_of(name: str, value: object, allowed: Sequence[object]) -> None:
    """Refuse an option whose value is not one of those allowed."""
    if not any(isinstance(value, type(a)) and value == a for a in allowed):
        choices = ", ".join(map(repr, allowed))
        close = nearest(value, [a for a in allowed if isinstance(a, str)], 1) if isinstance(value, str) else []
        hint = f"; did you mean {close[0]!r}?" if close else "."
        raise OptionError.of(name, f"expected one of {choices}, got {shown(value)}{hint}")


def unit_range(name: str, value: object) -> tuple[float, float]:
    """Check a range (low, high) with 0 <= low < high <= 1."""
    parts: Any = value.tolist() if isinstance(value, np.ndarray) else value
    several = isinstance(parts, Sequence) and not isinstance(parts, memoryview)  # whose lines cannot be had
    pair = [as_float(v) for v in parts] if several and len(parts) == 2 else []
    if not pair or not 0 <= pair[0] < pair[1] <= 1:
        raise OptionError.of(name, f"expected a pair (low, high) with 0 <= low < high <= 1, got {shown(value)}.")
    return pair[0], pair[1]


def real(name: str, value: object, low: float, high: float, *, closed: bool = True) -> float:
    """Check one finite number between two bounds, the bounds themselves allowed when ``closed``.

    Where they are not, half the way to the upper one must be below it as well, since a level is halved into tails;
    and a number above 0 must be one whose square and inverse float64 holds.
    """
    number = as_float(value)
    inside = low <= number <= high if closed else low < number < high
    near = _too_near(number, low, high) if inside and not closed else None
    if inside and near is None and math.isfinite(number):
        return number
    if math.isinf(high):
        bounds = "" if math.isinf(low) else f" of at least {low:g}"
        expected = f"a finite number{bounds}"
    elif closed:
        expected = f"a number from {low:g} to {high:g}"
    else:
        expected = f"a number strictly between {low:g} and {high:g}"
    expected += "" if near is None else f", not so near to {near:g}"
    raise OptionError.of(name, f"expected {expected}, got {shown(value)}.")


def _too_near(number: float, low: float, high: float) -> float | None:
    """Return the bound that a number between both is too near to, if it is."""
    if (number + high) / 2 == high < math.inf:
        return high
    if low == 0 and not SMALL <= number <= 1 / SMALL:
        return low if number < 1 else math.inf
    return None


def cost_number(name: str, value: object) -> float:
    """Check a cost: a finite number, and no larger than its product with a number of rows allows."""
    number = real(name, value, -math.inf, math.inf)
    return number if abs(number) <= MOST_COST else real(name, value, -MOST_COST, MOST_COST)


def flag(name: str, value: object) -> bool:
    """Check an option that is on or off."""
    if not isinstance(value, (bool, np.bool_)):
        raise OptionError.of(name, f"expected True or False, got {shown(value)}.")
    return bool(value)


def values_of(name: str, given: object) -> list[Any]:
    """Return one value, or the values of a list or of any column, in a list; a missing one is None."""
    if isinstance(given, (str, bytes)) or callable(given) or is_number(_scalar(given)):
        return [given]
    column = as_column(given, name)
    found: list[Any] = column.values.tolist()
    return (
        found
        if column.missing is None
        else [None if gone else v for v, gone in zip(found, column.missing, strict=True)]
    )


def is_whole(value: object) -> TypeGuard[int]:
    """Say whether a value is a whole number; NumPy counts its durations as integers."""
    return isinstance(value, (int, np.integer)) and is_number(value)


def whole(name: str, value: object, low: int) -> int:
    """Check one whole number of at least ``low``, and of no more than memory and time allow."""
    if isinstance(value, bool) or not is_whole(value) or value < low:
        raise OptionError.of(name, f"expected a whole number of at least {low}, got {shown(value)}.")
    if value > MOST.get(name, math.inf):
        raise OptionError.of(name, f"expected a whole number of at most {MOST[name]}, got {shown(value)}.")
    return int(value)


def threshold_for(dtype: np.dtype[Any], threshold: object, *, falling: bool) -> Any:
    """Return the threshold in the scores' dtype; for whole scores, the next whole number inward."""
    exact = _scalar(threshold)
    number = as_float(exact)
    if math.isnan(number):
        raise OptionError.of("threshold", f"expected a number, got {shown(threshold)}.")
    if dtype.kind in "iu":
        if math.isinf(number):
            return np.iinfo(dtype).max + 1 if number > 0 else np.iinfo(dtype).min - 1
        return math.ceil(exact) if falling else math.floor(exact)
    with np.errstate(over="ignore"):
        cut = dtype.type(exact if isinstance(exact, np.floating) else number)
    if isinstance(exact, (Rational, Decimal)) and np.isfinite(cut) and abs(exact) > 2 ** np.finfo(dtype).nmant:
        # where the dtype has whole numbers alone a threshold means itself, not the nearest score
        nearest_score = Fraction(*cut.as_integer_ratio())
        beyond = Fraction(exact) > nearest_score if falling else Fraction(exact) < nearest_score
        return np.nextafter(cut, dtype.type(math.inf if falling else -math.inf)) if beyond else cut
    if np.isinf(cut) and math.isfinite(number) and (number < 0) == falling:
        return np.nextafter(cut, dtype.type(0))  # a finite threshold does not reach infinite scores
    return cut


def as_float(value: object) -> float:
    """Return a number as a float, infinite if it is too large; NaN for what is no number."""
    number = _scalar(value)
    if not is_number(number) or is_missing(number):
        return math.nan
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _scalar(value: Any) -> Any:
    """Take the value out of an array without dimensions, of NumPy or of another library."""
    try:
        lone = not isinstance(value, np.generic) and type(dimensions := getattr(value, "ndim", None)) is int
        return value if not lone or dimensions else value.item()
    except Exception:  # noqa: BLE001 - of any library, such as one whose array holds no data
        return None

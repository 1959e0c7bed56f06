"""Checks of options: what was expected, what came, in one wording."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from curvewise.errors import OptionError, nearest
from curvewise.rows.columns import is_missing, is_number, shown

MOST = {"replicates": 10_000_000, "bins": 1_000_000}


def one_of(name: str, value: object, allowed: Sequence[object]) -> None:
    """Refuse an option whose value is not one of those allowed."""
    if not any(isinstance(value, type(a)) and value == a for a in allowed):
        choices = ", ".join(map(repr, allowed))
        close = nearest(value, [a for a in allowed if isinstance(a, str)], 1) if isinstance(value, str) else []
        hint = f"; did you mean {close[0]!r}?" if close else "."
        raise OptionError.of(name, f"expected one of {choices}, got {shown(value)}{hint}")


def unit_range(name: str, value: object) -> tuple[float, float]:
    """Check a range (low, high) with 0 <= low < high <= 1."""
    parts = value.tolist() if isinstance(value, np.ndarray) else value
    pair = [as_float(v) for v in parts] if isinstance(parts, Sequence) else []
    if len(pair) != 2 or not 0 <= pair[0] < pair[1] <= 1:
        raise OptionError.of(name, f"expected a pair (low, high) with 0 <= low < high <= 1, got {shown(value)}.")
    return pair[0], pair[1]


def real(name: str, value: object, low: float, high: float, *, closed: bool = True) -> float:
    """Check one finite number between two bounds, the bounds themselves allowed when ``closed``.

    Where they are not, half the way to the upper one must be below it as well: a level is halved into tails.
    """
    number = as_float(value)
    inside = low <= number <= high if closed else low < number < high and not (number + high) / 2 == high < math.inf
    if inside and math.isfinite(number):
        return number
    if math.isinf(high):
        bounds = "" if math.isinf(low) else f" of at least {low:g}"
        expected = f"a finite number{bounds}"
    elif closed:
        expected = f"a number from {low:g} to {high:g}"
    else:
        near = f", not so near to {high:g}" if low < number < high else ""
        expected = f"a number strictly between {low:g} and {high:g}{near}"
    raise OptionError.of(name, f"expected {expected}, got {shown(value)}.")


def whole(name: str, value: object, low: int) -> int:
    """Check one whole number of at least ``low``, and of no more than memory and time allow."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < low:
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
    lone = getattr(value, "ndim", None) == 0 and not isinstance(value, np.generic)
    return value.item() if lone else value

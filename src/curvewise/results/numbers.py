"""Numbers for people and for JSON."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any


def digits_between(low: float, high: float) -> int:
    """Return how many decimals show the ends of an interval apart: four, or more where it is narrow."""
    width = high - low
    return max(4, min(12, -math.floor(math.log10(width / 2)))) if 0 < width < math.inf else 4


def show(value: object, digits: int = 4) -> str:
    """Write one value for a reader: four significant digits after the leading zeros, or so many, no noise."""
    if value is None:
        return ""
    if not isinstance(value, float):
        return str(value)
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == round(value) and abs(value) < 1e15:
        return f"{value:.0f}"
    text = f"{value:.{digits}f}" if 1e-3 <= abs(value) < 1e4 else f"{value:.{digits}g}"
    return text.replace("-", "−", 1) if text.startswith("-") else text


def exactly(value: float) -> str:
    """Write a number that somebody gave, such as a horizon, with all its digits and no more."""
    return f"{value:.0f}" if value == round(value) and abs(value) < 1e15 else repr(float(value))


def json_safe(value: Any) -> Any:
    """Return what JSON can hold: NaN as null, infinities as text, arrays as lists, results as dicts."""
    if isinstance(value, (str, bool, int)) or value is None:
        return value
    if not isinstance(value, type):
        content, to_dict = getattr(value, "content", None), getattr(value, "to_dict", None)
        if content is not None:
            return content()
        if to_dict is not None:  # a note, whose values are any
            return json_safe(to_dict())
    to_list = getattr(value, "tolist", None)  # arrays and NumPy's scalars
    if to_list is not None:
        listed = to_list()
        # NumPy has no Python number for a long double, and returns it as it is
        return json_safe(float(value) if type(listed) is type(value) else listed)
    if isinstance(value, float):
        return value if math.isfinite(value) else None if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, Mapping):
        return {str(k): json_safe(v) for k, v in value.items()}
    if isinstance(value, (tuple, list, set, frozenset)):
        return [json_safe(v) for v in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: json_safe(getattr(value, f.name)) for f in dataclasses.fields(value) if f.repr}
    return str(value)


def percent(share: float) -> str:
    """Write a confidence level or a prevalence: ``95%``.

    >>> percent(0.95), percent(0.9975)
    ('95%', '99.75%')
    """
    return f"{100 * share:.4g}%"

"""Read saved results back by the types of their fields; what is missing or of another type is one clear sentence."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import UnionType
from typing import Any, get_args, get_origin

from curvewise.core.confusion import Confusion
from curvewise.errors import CurvewiseError, Note, note
from curvewise.probabilities.calibration import Calibration
from curvewise.results.estimate import Estimate
from curvewise.rows.columns import shown
from curvewise.words import LANGS

INFINITE = {"inf": math.inf, "-inf": -math.inf}  # what JSON has no number for
PLAIN = {str: "a text", bool: "true or false"}
NOTE = {"code", "values", "text"}
NAMES = {k.__name__: k for k in (Note, Estimate, Confusion, Calibration)}  # imported elsewhere for type checking alone


def plain_json(data: object, what: str) -> Any:
    """Return a copy of data that JSON can hold; refuse any other."""
    try:
        return json.loads(json.dumps(data, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise CurvewiseError(f"{what}: expected what to_dict() returns, which JSON can hold ({error}).") from None


def wrong(where: str, expected: str, value: object) -> CurvewiseError:
    """Return the error of a field that is not as curvewise writes it."""
    return CurvewiseError(
        f"{where}: expected {expected}, got {shown(value)}; curvewise writes no such evaluation, so the file was "
        "changed or damaged: make it again."
    )


def field(kind: Any, saved: Any, where: str, name: str) -> Any:
    """Return a field of a saved object, read back as a type."""
    if not isinstance(saved, dict):
        raise wrong(where, "an object", saved)
    if name not in saved:
        raise CurvewiseError(
            f"{where}: the field {name!r} is missing; curvewise writes it always, so the file was changed or "
            "damaged: make it again."
        )
    return decoded(kind, saved[name], f"{where}.{name}")


def optional(kind: Any, saved: Mapping[str, Any], where: str, name: str) -> Any:
    """Return a field of a saved object, read back as a type; None where there is none."""
    return None if saved.get(name) is None else field(kind, saved, where, name)


def decoded(kind: Any, value: Any, where: str) -> Any:
    """Return a saved value read back as a type: a result, a note, a list, a dict by name, a number, a text."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:  # of something and None
        return None if value is None else decoded(inner[0], value, where)
    if kind is Note:
        return _note(value, where)
    if is_dataclass(kind):
        return result(kind, value, where)
    if origin in (list, tuple):
        if not isinstance(value, list):
            raise wrong(where, "a list", value)
        return origin(decoded(inner[0], v, f"{where}[{k}]") for k, v in enumerate(value))
    if origin is dict or kind is dict:
        if not isinstance(value, dict):
            raise wrong(where, "an object", value)
        return {name: decoded(inner[1], v, f"{where}.{name}") for name, v in value.items()} if inner else value
    if kind is float:
        return _number(value, where)
    if kind is int and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise wrong(where, "a whole number of at least 0", value)
    if kind in PLAIN and not isinstance(value, kind):
        raise wrong(where, PLAIN[kind], value)
    return value


def result(kind: Any, saved: Any, where: str, **known: Any) -> Any:
    """Return a result of a saved object by the types of its fields, but for those that are ``known``."""
    space = {**NAMES, **vars(sys.modules[kind.__module__])}
    values = dict(known)
    for each in fields(kind):
        has_default = each.default is not MISSING or each.default_factory is not MISSING
        if each.name not in known and not (has_default and isinstance(saved, dict) and each.name not in saved):
            values[each.name] = field(eval(str(each.type), space), saved, where, each.name)  # noqa: S307 - our source
    try:
        found = kind(**values)
    except CurvewiseError as error:
        raise CurvewiseError(f"{where}.{error}") from None
    return _interval(found, where) if kind is Estimate else found


def _interval(estimate: Estimate, where: str) -> Estimate:
    """Return an estimate whose level and ends may be so."""
    if not 0 < estimate.level < 1:
        raise wrong(f"{where}.level", "a number between 0 and 1", estimate.level)
    if estimate.low > estimate.high:
        raise wrong(f"{where}.low", "at most the upper end of the interval", estimate.low)
    return estimate


def _number(value: Any, where: str) -> Any:
    """Return a number as it stands, whole or not; null is NaN."""
    if value is None:
        return math.nan
    if isinstance(value, str) and value in INFINITE:
        return INFINITE[value]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise wrong(where, "a number", value)
    try:
        float(value)
    except OverflowError:
        raise wrong(where, "a number that fits", value) from None
    return value


def _note(saved: Any, where: str) -> Note:
    """Return a saved note; where this version would say something else, the sentence that was saved."""
    code, text = (field(str, saved, where, name) for name in ("code", "text"))
    values = {
        name: _note(value, f"{where}.values") if isinstance(value, dict) and set(value) == NOTE else value
        for name, value in field(dict, saved, where, "values").items()
    }
    said = Note(code, values)
    return said if _says(said, text) else note("undefined", why=text)


def _says(said: Note, text: str) -> bool:
    """Try it: the code may be unknown here, or a value of a type that the sentence has no place for."""
    try:
        return str(said) == text and all(said.text(lang) for lang in LANGS)
    except (AttributeError, KeyError, TypeError, ValueError, ArithmeticError):
        return False

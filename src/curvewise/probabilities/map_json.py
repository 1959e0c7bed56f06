"""A recalibration map as versioned JSON, and back, checked: a map may come from anywhere."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any, NoReturn

from curvewise.errors import CurvewiseError
from curvewise.probabilities.maps import STEPS
from curvewise.rows.checks import one_of, real
from curvewise.rows.columns import shown

SCHEMA = "curvewise.recalibration"
VERSION = 1
METHODS = ("isotonic", "platt", "beta", "temperature", "prior")
# of each parameter, whether it may be negative or zero, and below what it must stay
REAL, NOT_NEGATIVE, POSITIVE, SHARE = range(4)
NUMBERS = {
    "platt": {"slope": NOT_NEGATIVE, "intercept": REAL},
    "beta": {"a": NOT_NEGATIVE, "b": NOT_NEGATIVE, "c": REAL},
    "temperature": {"temperature": POSITIVE},
    "prior": {"from": SHARE, "to": SHARE},
}
SCORES = ("brier", "log_loss")
LONGEST = 200  # characters of a note or a name


def written(fields: dict[str, Any]) -> str:
    """Write the fields of a map; Python's floats come back as they were."""
    return json.dumps({"schema": SCHEMA, "version": VERSION, **fields}, indent=1, allow_nan=False) + "\n"


def read(text: object) -> dict[str, Any]:
    """Read the fields of a map; refuse what no map could have written."""
    if not isinstance(text, (str, bytes)):
        raise CurvewiseError(f"Expected the text of a map as to_json writes it, got {shown(text)}.")
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise CurvewiseError(f"The map is not JSON ({why}); save it with to_json.") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise CurvewiseError(f"Expected JSON with schema {SCHEMA!r}, as to_json writes it.")
    version = data.get("version")
    if isinstance(version, bool) or version != VERSION:
        raise CurvewiseError(
            f"Expected version {VERSION} of {SCHEMA}, got {shown(version)}; "
            "a newer curvewise may have written it."
        )
    try:
        return _checked(data)
    except CurvewiseError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise CurvewiseError(f"The map is not whole ({type(error).__name__}: {error}).") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _checked(data: dict[str, Any]) -> dict[str, Any]:
    method = data["method"]
    one_of("method", method, METHODS)
    given = data["parameters"]
    names = set(STEPS) if method == "isotonic" else set(NUMBERS[method])
    if not isinstance(given, dict) or set(given) != names:
        raise CurvewiseError(f"parameters: expected {', '.join(sorted(names))} for a {method} map.")
    return {
        "method": method,
        "parameters": _steps(given) if method == "isotonic" else _numbers(method, given),
        "n": real("n", data["n"], 0, math.inf),
        "positives": real("positives", data["positives"], 0, real("n", data["n"], 0, math.inf)),
        "folds": None if data["folds"] is None else int(real("folds", data["folds"], 2, 1e6)),
        **{k: _scores(k, data[k]) for k in ("before", "after", "apparent")},
        "notes": tuple(_text("notes", note) for note in data["notes"]),
        "score": None if data["score"] is None else _text("score", data["score"]),
    }


def _numbers(method: str, given: dict[str, Any]) -> dict[str, float]:
    found = {name: real(name, given[name], -math.inf, math.inf) for name in NUMBERS[method]}
    for name, kind in NUMBERS[method].items():
        if kind == SHARE:
            real(name, given[name], 0, 1, closed=False)
        elif kind in (NOT_NEGATIVE, POSITIVE):
            real(name, given[name], 0, math.inf)
            if kind == POSITIVE and not found[name]:
                raise CurvewiseError(f"{name}: expected a number above 0, got 0.")
    return found


def _steps(given: dict[str, Any]) -> dict[str, list[float]]:
    """Check the steps of an isotonic map: in order, rising, within [0, 1]."""
    columns = {}
    for name in STEPS:
        if not isinstance(given[name], list) or not given[name]:
            raise CurvewiseError(f"{name}: expected a list of numbers, got {shown(given[name])}.")
        most = math.inf if name in ("n", "positives") else 1
        columns[name] = [real(name, v, 0, most) for v in given[name]]
    if len({len(c) for c in columns.values()}) > 1:
        raise CurvewiseError(f"{', '.join(STEPS)}: expected lists of one length.")
    low, high, value = (columns[k] for k in ("low", "high", "value"))
    between = all(a < b for a, b in zip(high[:-1], low[1:], strict=True))
    rising = all(a <= b for a, b in pairwise(value))
    if not (between and rising and all(a <= b for a, b in zip(low, high, strict=True))):
        raise CurvewiseError("The steps of the map do not rise: this is no isotonic map.")
    return columns


def _scores(name: str, given: object) -> dict[str, float] | None:
    if given is None:
        return None
    if not isinstance(given, dict) or set(given) != set(SCORES):
        raise CurvewiseError(f"{name}: expected {' and '.join(SCORES)}, got {shown(given)}.")
    return {k: math.inf if given[k] == "inf" else real(k, given[k], 0, math.inf) for k in SCORES}


def _text(name: str, given: object) -> str:
    if not isinstance(given, str) or len(given) > LONGEST:
        raise CurvewiseError(f"{name}: expected text of at most {LONGEST} characters, got {shown(given)}.")
    return given

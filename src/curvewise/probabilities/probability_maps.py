"""Maps from a probability to a better one: how each is fitted, applied, written and read back.

A map is a method and its parameters, plain numbers that JSON holds exactly. A file may come from anywhere, so
everything in it is checked.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from curvewise.arrays import Floats
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, note
from curvewise.metric.blocks import Blocks, blocks_of
from curvewise.metric.log_odds import log_odds
from curvewise.metric.logistic import Fit, between_0_and_1, fit_logistic, need_overlap
from curvewise.probabilities.isotonic import Isotonic, fitted
from curvewise.results.numbers import show
from curvewise.rows.checks import one_of, real
from curvewise.rows.columns import shown
from curvewise.words import words

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

    Fitted = tuple[dict[str, Any], tuple[Note, ...]]  # parameters, and what should be known of them

METHODS = ("isotonic", "platt", "beta", "temperature", "prior")
STEPS = ("low", "high", "n", "positives", "value")  # of an isotonic map
# of each parameter, whether it may be negative or zero, and below what it must stay
REAL, NOT_NEGATIVE, POSITIVE, SHARE = range(4)
NUMBERS = {
    "platt": {"slope": NOT_NEGATIVE, "intercept": REAL},
    "beta": {"a": NOT_NEGATIVE, "b": NOT_NEGATIVE, "c": REAL},
    "temperature": {"temperature": POSITIVE},
    "prior": {"from": SHARE, "to": SHARE},
}
SCORES = ("brier_loss", "log_loss")
LONGEST = 200  # characters of a note or a name
CLOSE = 1e-12  # of an estimated prevalence
MOST_HALVINGS = 200


def apply_map(method: str, parameters: dict[str, Any], p: Floats) -> Floats:
    """Return the mapped probabilities: rising with p, and within [0, 1]."""
    if method == "isotonic":
        steps: Any = {name: np.asarray(parameters[name], dtype=np.float64) for name in STEPS}
        return Isotonic(**steps).apply(p)
    with np.errstate(divide="ignore"):
        up, down = np.log(p), -np.log1p(-p)
    if method == "beta":
        odds = parameters["c"] + _times(parameters["a"], up) + _times(parameters["b"], down)
    elif method == "platt":
        odds = parameters["intercept"] + _times(parameters["slope"], up + down)
    elif method == "temperature":
        odds = (up + down) / parameters["temperature"]
    else:
        before, after = log_odds(np.array([parameters["from"], parameters["to"]])).tolist()
        odds = up + down + (after - before)
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-odds)))


def fit_map(method: str, sweep: Sweep) -> Fitted:
    """Fit a map to a sweep of probabilities; return its parameters and notes."""
    if method == "isotonic":
        fit = fitted(sweep)
        return {name: getattr(fit, name).tolist() for name in STEPS}, ()
    what = {"platt": "A Platt map", "beta": "A beta map", "temperature": "A temperature"}[method]
    blocks, left_out = between_0_and_1(blocks_of(sweep), what)
    notes = (note("certain_rows_stay", rows=left_out),) if left_out else ()
    if method == "temperature":
        return {"temperature": _temperature(blocks, what)}, notes
    need_overlap(blocks, what)
    if method == "beta":
        parameters = dict(zip("abc", _beta(blocks), strict=True))
    else:
        intercept, slope = _rising(blocks, lambda b: b.odds).coefficients.tolist()
        parameters = {"slope": slope, "intercept": intercept}
    slopes = [v for name, v in parameters.items() if NUMBERS[method][name] == NOT_NEGATIVE]
    return parameters, notes if any(slopes) else (*notes, note("constant_map"))


def _times(factor: float, logs: Floats) -> Floats:
    """Multiply; nothing times an infinite logarithm is nothing."""
    return factor * logs if factor else np.zeros(len(logs))


def _beta(blocks: Blocks) -> tuple[float, float, float]:
    """Fit a·ln p - b·ln(1 - p) + c with a and b of 0 or more."""

    def up(some: Blocks) -> Floats:
        return -np.logaddexp(0, -some.odds)

    def down(some: Blocks) -> Floats:
        return np.logaddexp(0, some.odds)

    try:
        c, a, b = fit_logistic(lambda some: [up(some), down(some)], blocks).coefficients.tolist()
    except UndefinedMetricError:  # no finite maximum: then none inside the bounds either
        a = b = -1.0
    if a >= 0 and b >= 0:  # mutants: same fit
        return a, b, c
    # the likelihood is concave, so its best point within bounds lies on one of them
    with_a, with_b = _rising(blocks, up), _rising(blocks, down)
    use_a = with_a.log_likelihood >= with_b.log_likelihood
    c, slope = (with_a if use_a else with_b).coefficients.tolist()
    return (slope, 0.0, c) if use_a else (0.0, slope, c)


def _rising(blocks: Blocks, feature: Callable[[Blocks], Floats]) -> Fit:
    """Fit an intercept, and one coefficient of 0 or more."""
    fit = fit_logistic(lambda some: [feature(some)], blocks)
    if fit.coefficients[1] > 0:
        return fit
    flat = fit_logistic(lambda _: [], blocks)
    return type(fit)(np.append(flat.coefficients, 0.0), fit.covariance, flat.log_likelihood)


def _temperature(blocks: Blocks, what: str) -> float:
    x = blocks.odds
    if np.sum((blocks.positives - blocks.negatives) * x) <= 0:
        raise UndefinedMetricError(
            f"{what} is undefined: high probabilities go with negatives and low ones with positives, and no "
            "temperature turns them round; another method may help."
        )
    if not (blocks.positives[x < 0].any() or blocks.negatives[x > 0].any()):
        raise UndefinedMetricError(
            f"{what} has no finite answer: 0.5 separates the classes perfectly, so the colder, the better."
        )
    return float(1 / fit_logistic(lambda some: [some.odds], blocks, intercept=False).coefficients[0])


def estimated_prevalence(new: Floats, known: float) -> tuple[float, int]:
    """Return the most likely share of positives where the probabilities are ``new``, and the steps taken.

    They were right at prevalence ``known``. If only the share changed, a row is r = p/π and s = (1-p)/(1-π)
    times as likely among positives and negatives, and the likeliest share solves Σ (r - s)/(share·r +
    (1 - share)·s) = 0, where EM (Saerens et al.) ends; the sum falls with the share, so halving gets there.
    """
    p, rows = np.unique(new, return_counts=True)
    r, s = p / known, (1 - p) / (1 - known)
    away = rows * (r - s)

    def slope(share: float) -> float:
        with np.errstate(divide="ignore"):
            return float(np.sum(away / (share * r + (1 - share) * s)))

    if slope(0.0) <= 0 or slope(1.0) >= 0:
        end = 0 if slope(0.0) <= 0 else 1
        raise UndefinedMetricError(
            f"The estimated prevalence is {end}: the new probabilities (mean {show(float(new.mean()))}) look "
            f"like a population of one class; check that they are calibrated at prevalence {show(known)}."
        )
    low, high, steps = 0.0, 1.0, 0
    while high - low > CLOSE * high and steps < MOST_HALVINGS:
        middle, steps = (low + high) / 2, steps + 1
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return (low + high) / 2, steps


def read_map(text: object, schema: str, version: int) -> dict[str, Any]:
    """Read the fields of a map; refuse what no map could have written."""
    if not isinstance(text, (str, bytes)):
        raise CurvewiseError(f"Expected the text of a map as to_json writes it, got {shown(text)}.")
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise CurvewiseError(f"The map is not JSON ({why}); save it with to_json.") from None
    if not isinstance(data, dict) or data.get("schema") != schema:
        raise CurvewiseError(f"Expected JSON with schema {schema!r}, as to_json writes it.")
    written = data.get("version")
    if isinstance(written, bool) or written != version:
        raise CurvewiseError(
            f"Expected version {version} of {schema}, got {shown(written)}; a newer curvewise may have written it."
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
    method, given = data["method"], data["parameters"]
    one_of("method", method, METHODS)
    names = set(STEPS) if method == "isotonic" else set(NUMBERS[method])
    if not isinstance(given, dict) or set(given) != names:
        raise CurvewiseError(f"parameters: expected {', '.join(sorted(names))} for a {method} map.")
    return {
        "method": method,
        "parameters": _steps(given) if method == "isotonic" else _numbers(method, given),
        "n": real("n", data["n"], 0, math.inf),
        "positives": real("positives", data["positives"], 0, data["n"]),
        "folds": None if data["folds"] is None else int(real("folds", data["folds"], 2, 1e6)),
        **{k: _scores(k, data[k]) for k in ("before", "after", "apparent")},
        "notes": tuple(_note(given) for given in data["notes"]),
        "score": None if data["score"] is None else _text("score", data["score"]),
    }


def _numbers(method: str, given: dict[str, Any]) -> dict[str, float]:
    found = {name: real(name, given[name], -math.inf, math.inf) for name in NUMBERS[method]}
    for name, kind in NUMBERS[method].items():
        if kind != REAL:
            real(name, given[name], 0, 1 if kind == SHARE else math.inf, closed=kind != SHARE)
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
    apart = all(a < b for a, b in zip(high[:-1], low[1:], strict=True))
    if not (apart and all(a <= b for a, b in [*pairwise(value), *zip(low, high, strict=True)])):
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


def _note(given: object) -> Note:
    """Read a note: a known code, and numbers or short texts as its values."""
    if not isinstance(given, dict) or not isinstance(given.get("values"), dict):
        raise CurvewiseError(f"notes: expected notes with code and values, got {shown(given)}.")
    code = _text("notes", given["code"])
    if f"note.{code}" not in words():
        raise CurvewiseError(f"notes: there is no note {shown(code)}; a newer curvewise may have written it.")
    values = {
        _text("notes", k): v if type(v) in (int, float) else _text("notes", v) for k, v in given["values"].items()
    }
    return Note(code, values)

"""What models predict over time, checked once: risk scores, probabilities by horizon, predicted survival curves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.censored.outcomes import Outcomes, outcomes_of_columns, risk_columns
from curvewise.core.probability import SLIP, outside_error
from curvewise.core.row_order import turned
from curvewise.errors import CurvewiseError, Note, OptionError, note
from curvewise.results.numbers import exactly, show
from curvewise.rows.checks import as_float, values_of
from curvewise.rows.columns import Column, count, shown
from curvewise.rows.reading import ONE


@dataclass(frozen=True, eq=False)
class Predictions:
    """What each model predicts.

    Attributes
    ----------
    outcomes
        With one score per row and model, which concordance ranks by.
    by_time
        By model and time: the predicted probability of the event by that time.
    stand_ins
        By model without a risk score: the time whose predicted probability ranks in its place.
    grid
        The times of predicted survival curves; empty without these.
    """

    outcomes: Outcomes
    by_time: dict[str, dict[float, Floats]]
    stand_ins: dict[str, float]
    grid: tuple[float, ...] = ()

    @property
    def models(self) -> list[str]:
        """The names of the models."""
        return self.outcomes.models

    def has_probability(self, model: str, at: float) -> bool:
        """Whether a model predicts a probability by a time."""
        return at in self.by_time.get(model, {})

    def at(self, time: float, *, ranks: bool = False) -> Outcomes:
        """Return the outcomes with what each model predicts for a time: its probability, else its risk score.

        With ``ranks`` the risk score of every model that has one.
        """
        chosen = {
            name: self.by_time[name][time]
            for name in self.models
            if self.has_probability(name, time) and not (ranks and name not in self.stand_ins)
        }
        outcomes = self.outcomes
        if not chosen:
            return outcomes
        rest = outcomes.scores
        if outcomes.higher_is == "negative":  # probabilities are of the event
            rest = {name: turned(score) for name, score in rest.items()}
        scores = {name: chosen.get(name, rest[name]) for name in self.models}
        return replace(outcomes, scores=scores, higher_is="positive")

    @property
    def notes(self) -> tuple[Note, ...]:
        """Say what ranks where a model has no risk score."""
        return tuple(note("survival_ranked_by", model=name, at=exactly(t)) for name, t in self.stand_ins.items())


def read_predictions(
    time: object,
    event: object,
    risk: object,
    horizons: tuple[float, ...],
    probability: object,
    survival: object,
    times: object,
    options: Mapping[str, Any],
) -> Predictions:
    """Read outcomes with all that models predict, so that a row with a missing value is left out of everything."""
    if probability is not None and survival is not None:
        raise OptionError.of("probability", "survival= already gives the probabilities; pass one of the two.")
    if times is not None and survival is None:
        raise OptionError.of("times", "they are those of the columns of survival=, which is missing.")
    named = risk_columns(risk)
    grid: tuple[float, ...] = ()
    if survival is not None:
        grid = read_times(times)
        _need_grid(horizons, grid)
        given = _survival_columns(survival, grid, list(named))
    else:
        given = {} if probability is None else _probability_columns(probability, horizons, list(named))
    if not named and not given:
        raise OptionError.of(
            "risk", "expected risk scores, one per row, got None; or pass probability= or survival= with times=."
        )
    unknown = [name for name in given if named and name not in named]
    if unknown:
        option = "probability" if survival is None else "survival"
        raise OptionError.of(option, f"there is no risk of {unknown[0]!r}; the models are {', '.join(named)}.")
    columns = dict(named)
    places: dict[tuple[str, float], str] = {}
    for name, own in given.items():
        for t, (role, data) in own.items():
            places[name, t] = f"{name}\0{t!r}"
            columns[places[name, t]] = (role, data)
    read = outcomes_of_columns(time, event, columns, **options)
    by_time: dict[str, dict[float, Floats]] = {}
    for (name, t), place in places.items():
        by_time.setdefault(name, {})[t] = _probabilities(given[name][t][0], read.scores[place], read.kept)
    stand_ins = {} if named else {name: max(t for t in given[name] if t <= horizons[-1]) for name in given}
    risks = {name: read.scores[name] for name in named} or {n: by_time[n][t] for n, t in stand_ins.items()}
    if stand_ins and read.higher_is == "negative":
        raise OptionError.of("higher_is", "predicted probabilities are of the event, so higher means an earlier one.")
    return Predictions(replace(read, scores=risks), by_time, stand_ins, grid)


def read_horizons(horizons: object) -> tuple[float, ...]:
    """Return positive horizons in rising order, none of them twice."""
    given = list(horizons) if isinstance(horizons, (Set, Iterator)) else values_of("horizons", horizons)
    if not given:
        raise OptionError.of("horizons", "expected positive numbers, as in [365, 1095], got none.")
    found = []
    for value in given:
        number = math.nan if isinstance(value, (bool, np.bool_)) else as_float(value)
        if not (number > 0 and math.isfinite(number)):
            raise OptionError.of("horizons", f"expected positive numbers, got {shown(value)}.")
        found.append(number)
    repeated = next((v for v in found if found.count(v) > 1), None)
    if repeated is not None:
        raise OptionError.of("horizons", f"{exactly(repeated)} is given {found.count(repeated)} times.")
    return tuple(sorted(found))


def read_times(times: object) -> tuple[float, ...]:
    """Return the rising times of predicted survival curves."""
    if times is None or isinstance(times, (str, bytes)):
        raise OptionError.of("times", f"expected the rising times of the columns of survival=, got {shown(times)}.")
    found: list[float] = []
    for value in values_of("times", times):
        number = as_float(value)
        if not (number >= 0 and math.isfinite(number)):
            raise OptionError.of("times", f"expected rising times of 0 or more, got {shown(value)}.")
        if found and number <= found[-1]:
            raise OptionError.of("times", f"expected rising times, got {exactly(number)} after {exactly(found[-1])}.")
        found.append(number)
    return tuple(found)


def _need_grid(horizons: tuple[float, ...], grid: tuple[float, ...]) -> None:
    """Refuse a horizon at which no curve was predicted: nothing is interpolated unasked."""
    for at in horizons:
        if at not in grid:
            near = [t for t in grid if t < at][-1:] + [t for t in grid if t > at][:1]
            are = f"the nearest are {' and '.join(map(exactly, near))}" if len(near) > 1 else ""
            are = are or (f"the nearest is {exactly(near[0])}" if near else "there are none")
            raise OptionError.of("horizons", f"{exactly(at)} is not one of times; {are}.")


def _probability_columns(
    probability: object, horizons: tuple[float, ...], models: list[str]
) -> dict[str, dict[float, tuple[str, Any]]]:
    """Return the columns of probabilities by model and horizon, each with what messages call it."""
    shape = "a dict of probabilities by horizon, as in {365: p}, or of such dicts by model"
    if not isinstance(probability, Mapping) or not probability:
        raise OptionError.of("probability", f"expected {shape}, got {shown(probability)}.")
    nested = [isinstance(v, Mapping) for v in probability.values()]
    if any(nested) and not all(nested):
        raise OptionError.of("probability", f"expected {shape}, got some of both.")
    if not all(nested):
        if len(models) > 1:
            raise OptionError.of(
                "probability",
                f"there are {len(models)} models; pass a dict of such dicts by name ({', '.join(models)}).",
            )
        probability = {models[0] if models else ONE: probability}
    found: dict[str, dict[float, tuple[str, Any]]] = {}
    for name, by_time in probability.items():
        own = found.setdefault(str(name), {})
        of = f" of {name!r}" if len(probability) > 1 or str(name) != ONE else ""
        for at, data in by_time.items():
            number = as_float(at)
            if number not in horizons:
                known = ", ".join(map(exactly, horizons))
                raise OptionError.of("probability", f"{shown(at)} is not one of horizons; they are {known}.")
            own[number] = (f"probability at {exactly(number)}{of}", data)
        if not own:
            raise OptionError.of("probability", f"expected {shape}, got an empty dict{of}.")
    return found


def _survival_columns(
    survival: object, grid: tuple[float, ...], models: list[str]
) -> dict[str, dict[float, tuple[str, Any]]]:
    """Return the columns of predicted risk, 1 - S, by model and time."""
    if not isinstance(survival, Mapping):
        if len(models) > 1:
            raise OptionError.of(
                "survival", f"there are {len(models)} models; pass a dict of matrices by name ({', '.join(models)})."
            )
        survival = {models[0] if models else ONE: survival}
    if not survival:
        raise OptionError.of("survival", "expected a matrix, or a dict of matrices by model, got an empty dict.")
    found = {}
    for name, data in survival.items():
        of = f" of {name!r}" if len(survival) > 1 or str(name) != ONE else ""
        matrix = _matrix(f"survival{of}", data, grid)
        found[str(name)] = {t: (f"survival at {exactly(t)}{of}", 1 - matrix[:, k]) for k, t in enumerate(grid)}
    return found


def _matrix(role: str, data: Any, grid: tuple[float, ...]) -> Floats:
    """Check predicted survival curves: one row per row, one column per time, in [0, 1], falling."""
    try:
        matrix = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError):
        raise CurvewiseError(f"{role}: expected a matrix of numbers, one row per row, one column per time.") from None
    if matrix.ndim != 2:
        got = f"{count(len(matrix), 'number')}" if matrix.ndim == 1 else f"{matrix.ndim} dimensions"
        raise CurvewiseError(f"{role}: expected a matrix, one row per row and one column per time, got {got}.")
    if matrix.shape[1] != len(grid):
        m = matrix.shape[1]
        raise OptionError.of("times", f"expected {count(m, 'rising time')} for {count(m, 'column')}, got {len(grid)}.")
    wrong = (matrix < -SLIP) | (matrix > 1 + SLIP)
    if wrong.any():
        row, place = np.argwhere(wrong)[0].tolist()
        others = int(wrong.any(axis=1).sum()) - 1
        more = f" and {count(others, 'other row')}" if others else ""
        raise CurvewiseError(
            f"{role}: expected probabilities from 0 to 1 that fall with time, got {show(float(matrix[row, place]))} at "
            f"{exactly(grid[place])} (row {row}{more})."
        )
    rises = np.diff(matrix, axis=1) > SLIP
    if rises.any():
        row, place = np.argwhere(rises)[0].tolist()
        first, second = (show(float(v)) for v in matrix[row, place : place + 2])
        raise CurvewiseError(
            f"{role}: expected probabilities that fall with time, row {row} rises from {first} to {second} at "
            f"{exactly(grid[place + 1])}; did you pass the risk 1 - S?"
        )
    return np.clip(matrix, 0, 1)


def _probabilities(role: str, values: NDArray[Any], kept: NDArray[np.intp] | None) -> Floats:
    """Check probabilities of the event; what is hardly outside [0, 1] is clipped."""
    if len(values) and (values.max() > 1 + SLIP or values.min() < -SLIP):
        raise outside_error(Column(role, values, rows=kept), np.unique(values)[::-1])
    return np.asarray(np.clip(values.astype(np.float64), 0, 1))

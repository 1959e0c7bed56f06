"""Censored outcomes in the place of labels, as `curvewise.evaluate` reads them: by a time, or over all horizons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.censored.over_time import survival
from curvewise.censored.predictions import read_horizons
from curvewise.core.probability import SLIP
from curvewise.errors import CurvewiseError, OptionError
from curvewise.evaluation.options import EvaluationOptions, OutcomeOptions
from curvewise.results.numbers import exactly
from curvewise.rows.checks import as_float, one_of
from curvewise.rows.columns import as_column, shown
from curvewise.rows.reading import real_numbers
from curvewise.rows.rows import Rows

if TYPE_CHECKING:
    from curvewise.censored.survival_result import Survival
    from curvewise.sources.table import Source

NAMED = 'as in evaluate(data, time="days", event="dead", horizons=[365], scores=["a"])'
WITHOUT = {  # options of rows that have no meaning for censored outcomes, and why
    "positive": "cause= names the code of the event",
    "weight_kind": "rows are weighed by censoring, too",
    "round_to": "round the scores first",
}


def refuse_outcome(data: object, more: tuple[object, ...], given: Mapping[str, Any], rows: Mapping[str, Any]) -> None:
    """Refuse what does not go with censored outcomes, and a part of what describes them."""
    if given["time"] is None:
        unused = {k: v is None or (k == "controls" and v == "all") for k, v in given.items()}
        name = next(k for k in given if k not in ("label", "baseline") and not unused[k])
        raise OptionError.of(name, f"needs time=, the column of times, {NAMED}.")
    if given["label"] is not None:
        raise OptionError.of("label", "has no meaning with time=, where event= and horizons= say who is positive.")
    if isinstance(data, Rows):
        raise OptionError.of("time", "names a column, but finished rows were given; leave it out.")
    if more:
        raise OptionError.of("time", f"names a column of a frame, a dict or a file, {NAMED}; got columns themselves.")
    for name in ("event", "horizons"):
        if given[name] is None:
            raise OptionError.of(name, f"is needed with time=, {NAMED}.")
    for name in ("time", "event"):
        if not isinstance(given[name], str):
            raise OptionError.of(name, f"expected the name of a column, {NAMED}, got {shown(given[name])}.")
    if given["baseline"] is not None:
        raise OptionError.of("baseline", "censored outcomes cannot be compared with an earlier evaluation yet.")
    for name, why in WITHOUT.items():
        if rows.get(name) is not None:
            raise OptionError.of(name, f"has no meaning with time=: {why}.")


def outcome_options(given: Mapping[str, Any], scores: list[str]) -> OutcomeOptions:
    """Check the horizons, the columns of probabilities, and how censoring is estimated."""
    horizons = read_horizons(given["horizons"])
    several = given["horizons"] if isinstance(given["horizons"], Iterable) else [given["horizons"]]
    asked = given["main_horizon"]
    main = as_float(next(iter(several)) if asked is None else asked)
    if main not in horizons:
        known = ", ".join(map(exactly, horizons))
        raise OptionError.of("main_horizon", f"expected one of the horizons, {known}, got {shown(asked)}.")
    one_of("controls", given["controls"], ("all", "event-free"))
    if given["censoring"] is not None:
        one_of("censoring", given["censoring"], ("by-score",))
        if len(scores) > 1:
            raise OptionError.of("censoring", f"'by-score' takes the tenths of one score, got {len(scores)}.")
    return OutcomeOptions(
        time=given["time"],
        event=given["event"],
        horizons=horizons,
        main_horizon=main,
        probability=_probability(given["probability"], scores),
        cause=given["cause"],
        controls=given["controls"],
        censoring=given["censoring"],
    )


def _probability(given: Any, scores: list[str]) -> dict[str, dict[float, str]]:
    """Return the columns of probabilities by score and horizon; of one score, ``{365: "p365"}`` will do."""
    if given is None:
        return {}
    shape = 'expected columns by horizon, as in {365: "p365"}, or a dict of such dicts by score'
    if not isinstance(given, Mapping) or not given:
        raise OptionError.of("probability", f"{shape}, got {shown(given)}.")
    if not all(isinstance(own, Mapping) for own in given.values()):
        if len(scores) != 1:
            raise OptionError.of("probability", f"{shape}: there are {len(scores)} scores ({', '.join(scores)}).")
        given = {scores[0]: given}
    found: dict[str, dict[float, str]] = {}
    for name, own in given.items():
        if name not in scores:
            raise OptionError.of("probability", f"there is no score {shown(name)}; there are {', '.join(scores)}.")
        for at, column in own.items():
            if not isinstance(column, str):
                raise OptionError.of("probability", f"{shape}, got {shown(column)}.")
            found.setdefault(name, {})[as_float(at)] = column
    return found


def outcome_columns(options: OutcomeOptions | None) -> list[str]:
    """Return the columns of numbers that censored outcomes need besides scores."""
    if options is None:
        return []
    return list(dict.fromkeys([options.time, *(c for own in options.probability.values() for c in own.values())]))


def read_over_time(source: Source, options: EvaluationOptions, reading: Mapping[str, Any]) -> Survival:
    """Judge the scores at all horizons; a row that lacks a value is out of everything."""
    asked = options.outcome
    assert asked is not None  # noqa: S101 - read for censored outcomes alone
    given: dict[str, dict[float, Any]] = {
        name: {at: source[column] for at, column in own.items()} for name, own in asked.probability.items()
    }
    if reading.get("higher_is", "positive") == "positive":
        for name in options.scores:
            if asked.main_horizon not in given.get(name, {}) and _look_like_probabilities(source[name]):
                given.setdefault(name, {})[asked.main_horizon] = source[name]
    return survival(
        source[asked.time],
        source[asked.event],
        {name: source[name] for name in options.scores},
        horizons=asked.horizons,
        probability=given or None,
        cause=asked.cause,
        controls=asked.controls,
        censoring=asked.censoring,
        level=options.level,
        replicates=options.replicates,
        rng=options.seed,
        **reading,
    )


def _look_like_probabilities(data: object) -> bool:
    """Whether scores lie in [0, 1] and are not mere decisions, as an evaluation takes them for probabilities."""
    column = as_column(data, "scores")
    try:
        values = real_numbers(column)
    except CurvewiseError:  # refused, in better words, when outcomes are read
        return False
    there = values if column.missing is None else values[~column.missing]
    inside = len(there) > 0 and there.min() >= -SLIP and there.max() <= 1 + SLIP
    return bool(inside and not np.isin(there, (0, 1)).all())

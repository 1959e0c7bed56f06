"""The door for censored outcomes: time, event and risk scores of each row, checked once, in one wording."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Bools, Floats
from curvewise.censored.event_codes import CENSORED, EVENT, event_codes, is_binary
from curvewise.core.strata import Strata, strata_of_columns
from curvewise.errors import ColumnName, CurvewiseError, Note, note
from curvewise.rows.category import codes_of
from curvewise.rows.checks import one_of, whole
from curvewise.rows.columns import EXACT_FLOAT, Column, by_text, count, is_number, row_numbers, shown
from curvewise.rows.reading import ONE, read_columns, read_weight, real_numbers, rounded
from curvewise.rows.rows import HigherIs, Missing, OfModels, WeightKind
from curvewise.rows.strata import read_strata
from curvewise.rows.weight_scale import near_one


@dataclass(frozen=True, eq=False, repr=False)
class Outcomes(OfModels):
    """Times, events and risk scores that passed every check, with all that belongs to them.

    Made by `read_outcomes`; the constructor itself trusts its arguments.

    Attributes
    ----------
    time
        When each row had its event or was last seen, 0 or more.
    code
        0 censored, 1 the event of interest, 2 a competing event.
    scores
        Risk scores by the name of the model; one without a name is called "score". They are as they came:
        ``higher_is`` says which end means an early event.
    entry
        From when on each row was under observation; None: from 0.
    weight, weight_kind, cluster, stratum, sampled, dropped, round_to, higher_is, kept
        As in `curvewise.rows.rows.Rows`: weights are int64 where all are whole, else float64.
    cause
        The code of the event of interest, where the user named it.
    """

    time: Floats
    code: NDArray[np.int8]
    scores: dict[str, NDArray[Any]]
    entry: Floats | None = None
    weight: NDArray[np.int64] | NDArray[np.float64] | None = None
    weight_kind: WeightKind = "sampling"
    cluster: NDArray[np.intp] | None = None
    stratum: NDArray[np.intp] | None = None
    sampled: NDArray[np.intp] | None = None
    cause: object = None
    dropped: int = 0
    round_to: int | None = None
    higher_is: HigherIs = "positive"
    backend: str | None = None
    kept: NDArray[np.intp] | None = None
    notes: tuple[Note, ...] = ()

    def __len__(self) -> int:
        return len(self.time)

    @property
    def event(self) -> Bools:
        """Which rows had the event of interest."""
        return np.asarray(self.code == EVENT)

    @property
    def censored(self) -> Bools:
        """Which rows were censored: no event of any kind was seen."""
        return np.asarray(self.code == CENSORED)

    @property
    def has_competing(self) -> bool:
        """Whether some rows had another event."""
        return bool((self.code > EVENT).any())

    @cached_property
    def weights(self) -> NDArray[np.int64] | NDArray[np.float64]:
        """The weight of each row: 1 where there are none."""
        return np.ones(len(self), dtype=np.int64) if self.weight is None else self.weight

    @cached_property
    def key(self) -> NDArray[np.uint64]:
        """The one tie rule as a number: rises with time, and at one time events come before censorings.

        The bits of a float of 0 or more rise with it, so the key holds all of the time, and one bit more.
        """
        return (self.time.view(np.uint64) << np.uint64(1)) | self.censored

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """The rows by rising `key`."""
        return np.argsort(self.key)

    @property
    def strata(self) -> Strata | None:
        """The strata that rows, or clusters, were sampled within; None where there are none."""
        if self.stratum is None:
            return None
        counted = None if self.weight_kind != "count" or self.cluster is not None else self.weight
        return strata_of_columns(self.stratum, self.cluster, self.sampled, counted)

    def of(self, model: str) -> Outcomes:
        """Return the outcomes with the scores of one model."""
        if model not in self.scores:
            raise CurvewiseError(f"There is no model {shown(model)}; the models are {', '.join(self.scores)}.")
        return replace(self, scores={model: self.scores[model]})

    def take(self, which: NDArray[Any]) -> Outcomes:
        """Return some of the rows: a mask, or their places in any order, perhaps repeated."""

        def some(values: Any) -> Any:
            return None if values is None else values[which]

        return replace(
            self,
            time=self.time[which],
            code=self.code[which],
            scores={name: score[which] for name, score in self.scores.items()},
            entry=some(self.entry),
            weight=some(self.weight),
            cluster=some(self.cluster),
            stratum=some(self.stratum),
            kept=np.arange(len(self))[which] if self.kept is None else self.kept[which],
        )

    def __str__(self) -> str:
        events, censored = int(np.count_nonzero(self.event)), int(np.count_nonzero(self.censored))
        competing = len(self) - events - censored
        facts = [
            f"{count(len(self), 'row')}: {count(events, 'event')}, {censored} censored",
            f"{competing} competing" if competing else "",
            f"{count(len(self.scores), 'model')} ({', '.join(self.scores)})" if self.scores else "",
            f"weighted ({self.weight_kind})" if self.weight is not None else "",
            "" if self.cluster is None else count(int(self.cluster.max()) + 1, "cluster"),
            "" if self.stratum is None else f"{int(self.stratum.max()) + 1} strata",
            "delayed entry" if self.entry is not None else "",
            f"{self.dropped} dropped" if self.dropped else "",
        ]
        return f"Outcomes({'; '.join(filter(None, facts))})"

    __repr__ = __str__


class ReadingOptions(TypedDict, total=False):
    """The options that say how outcomes are read; `read_outcomes` describes each."""

    cause: object
    entry: object
    weight: object
    weight_kind: WeightKind
    cluster: object
    stratum: object
    higher_is: HigherIs
    missing: Missing
    round_to: int | None


def read_outcomes(time: object, event: object, risk: object = None, **options: Unpack[ReadingOptions]) -> Outcomes:
    """Read times, events, risk scores and all that belongs to them once, for any number of verbs.

    Parameters
    ----------
    time
        When each row had its event or was last seen, in one unit, from when the prediction was made: finite, 0
        or more. Times are compared exactly.
    event
        1 or True for an event, 0 or False for a row that was censored; or any codes, with ``cause``.
    risk
        Risk scores of one model, or a dict of scores by the name of the model; None where none are needed.
    cause
        The code of the event of interest. 0 is censored; other codes are competing events. Where there are two codes
        and none is 0, the other one is censored.
    entry
        From when on each row was under observation (delayed entry), less than its time.
    weight, weight_kind, cluster, stratum, missing
        As in `curvewise.sweep`.
    higher_is
        ``"positive"``: a higher score means an earlier event; ``"negative"``: a later one.
    round_to
        Decimals to which scores (not times) are rounded.

    Examples
    --------
    >>> from curvewise.censored.outcomes import read_outcomes
    >>> read_outcomes([5, 3, 9, 9], [1, 0, 1, 0], {"a": [3, 1, 2, 1], "b": [1, 2, 3, 4]})
    Outcomes(4 rows: 2 events, 2 censored; 2 models (a, b))
    """
    return outcomes_of_columns(time, event, risk_columns(risk), **options)


def outcomes_of_columns(
    time: object,
    event: object,
    models: Mapping[str, tuple[str, object]],
    *,
    cause: object = None,
    entry: object = None,
    weight: object = None,
    weight_kind: WeightKind = "sampling",
    cluster: object = None,
    stratum: object = None,
    higher_is: HigherIs = "positive",
    missing: Missing = "raise",
    round_to: int | None = None,
) -> Outcomes:
    """Read outcomes with any columns of numbers per row, each with the name that messages call it by."""
    one_of("higher_is", higher_is, ("positive", "negative"))
    one_of("weight_kind", weight_kind, ("sampling", "count"))
    decimals = None if round_to is None else whole("round_to", round_to, 0)
    optional = {"entry": entry, "weight": weight, "cluster": cluster, "stratum": stratum}
    given = {"time": time, "event": event, **dict(models.values())}
    given |= {k: v for k, v in optional.items() if v is not None}
    columns, _, dropped = read_columns(given, missing)
    times = _times(columns["time"], "time runs from when the prediction was made")
    code, notes = event_codes(columns["event"], cause, times)
    if is_binary(times):
        notes += (note("survival_time_is_binary"),)
    values = {name: real_numbers(columns[role]).copy() for name, (role, _) in models.items()}  # results own them
    if decimals is not None:
        values = {name: rounded(v, decimals) for name, v in values.items()}
    weights = read_weight(columns, weight_kind)
    weights = None if weights is None else near_one(weights).copy()
    clusters = codes_of(columns["cluster"], "a label for each row (text, a number)") if "cluster" in columns else None
    return Outcomes(
        times,
        code,
        values,
        _entries(columns["entry"], times) if "entry" in columns else None,
        weights,
        weight_kind,
        clusters,
        **read_strata(columns, clusters, weights if weight_kind == "count" else None),
        cause=cause,
        dropped=dropped,
        round_to=decimals,
        higher_is=higher_is,
        backend=next((c.backend for c in columns.values() if c.backend), None),
        kept=columns["time"].rows,
        notes=notes,
    )


def risk_columns(risk: object) -> dict[str, tuple[str, object]]:
    """Return the column name and the scores of each model."""
    if risk is None:
        return {}
    if not isinstance(risk, Mapping):
        _refuse_matrix("risk", risk)
        return {ONE: ("risk", risk)}
    if not risk:
        raise CurvewiseError('risk: expected a dict of models, as in {"a": risk_a, "b": risk_b}, got an empty one.')
    by_text(risk, "risk")  # refuses two models of one name
    named = {str(name): (f"risk {name!r}", data) for name, data in risk.items()}
    for role, data in named.values():
        _refuse_matrix(role, data)
    return named


def _refuse_matrix(role: str, data: object) -> None:
    """Refuse several numbers per row, such as predicted survival curves."""
    shape = getattr(data, "shape", None)
    if shape is None and isinstance(data, Sequence) and len(data) and isinstance(data[0], (Sequence, np.ndarray)):
        shape = (len(data), len(data[0])) if not isinstance(data[0], (str, bytes)) else None
    if isinstance(shape, tuple) and len(shape) == 2 and shape[1] != 1:
        raise CurvewiseError(
            "{column}: expected one number per row, got {rows} × {columns}; for predicted survival curves pass "
            "survival=matrix, times=grid.",
            column=ColumnName(role),
            rows=shape[0],
            columns=shape[1],
        )


def _times(column: Column, why: str) -> Floats:
    """Return times as float64: finite, in one unit, 0 or more, none of them merged."""
    values = column.values
    if values.dtype.kind not in "biuf":
        bad = np.fromiter((not is_number(v) for v in values), dtype=bool, count=len(values))
        if bad.any():
            raise _no_times(column, bad)
    numbers = real_numbers(column)
    found = numbers.astype(np.float64)
    bad = ~np.isfinite(found)
    if bad.any():
        raise _no_times(column, bad)
    bad = found < 0
    if bad.any():
        others = int(bad.sum()) - 1
        raise column.error(
            "expected 0 or more, got {first} ({rows}{others}); {why}.",
            first=shown(numbers[bad][0].item()),
            rows=row_numbers(np.arange(len(found)) == int(np.argmax(bad)), column.rows),
            others=f" and {count(others, 'other')}" if others else "",
            why=why,
        )
    merged = found > EXACT_FLOAT if numbers.dtype.kind in "iu" else found != numbers
    if merged.any():
        raise column.wrong(merged, "numbers that float64 can tell apart", "use a coarser unit, or round them")
    return found + 0.0  # -0.0 is 0.0


def _no_times(column: Column, bad: Bools) -> CurvewiseError:
    return column.wrong(bad, "finite numbers in one unit", "convert first (durations: .dt.days)")


def _entries(column: Column, time: Floats) -> Floats:
    """Return times of entry, each before the row's own time."""
    entry = _times(column, "entry is on the scale of time")
    late = entry >= time
    if late.any():
        first = int(np.argmax(late))
        raise column.error(
            "expected less than the row's time, got {found} ({rows}), the first {first} with time {time}; leave out "
            "rows that were never under observation.",
            found=count(int(late.sum()), "other value"),
            rows=row_numbers(late, column.rows),
            first=shown(entry[first].item()),
            time=shown(time[first].item()),
        )
    return entry

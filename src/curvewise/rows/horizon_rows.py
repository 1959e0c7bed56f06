"""Rows at a horizon: whose outcome by then is known, and what these rows owe to those whose outcome is not.

Censoring makes the known rows stand for the unknown ones, by weights that are estimated from all rows. What lies
below the package of censored outcomes learns here all that it needs: how weights follow from rows drawn again, and
how each row moves them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats, Places
from curvewise.errors import Note, UndefinedMetricError, note
from curvewise.results.numbers import exactly

if TYPE_CHECKING:
    from curvewise.rows.rows import Rows

    Mask = NDArray[np.bool_]

CASE, CONTROL, UNKNOWN, LEFT_OUT = 1, 0, -1, -2


class Observed(NamedTuple):
    """The share that had the event by the horizon; limits are NaN where nothing is known of them."""

    value: float
    error: float
    low: float
    high: float


class Weighing(Protocol):
    """How weights follow from all rows, the unknown ones too."""

    def weights(self, own: Floats) -> Floats:
        """Return the weight of every row, 0 of an unknown one, if rows count as ``own`` says.

        Raises `UndefinedMetricError` where such rows leave nobody to stand for those whose outcome is unknown.
        """
        ...

    def through(self, each: Floats) -> Floats:
        """Return by row the derivative, by the row's own weight, of Σ each·log(weight) through censoring alone."""
        ...

    def observed(self, on: Mask, level: float) -> Observed:
        """Return the share of some rows that had the event, by Kaplan–Meier or Aalen–Johansen in these rows."""
        ...


@dataclass(frozen=True)
class AtHorizon:
    """What a sweep at a horizon still knows of its rows.

    Attributes
    ----------
    at
        The horizon.
    cases, controls, unknown
        How many rows had the event by then, did not, or were censored before.
    first_event, last_control
        The time of the first event; the last time until which a row is known to be without it.
    mean_score
        The mean score over all rows, the unknown ones too; None where the sweep has forgotten them.
    is_known
        Whether nobody was censored before, so that the weights of the rows are their own.
    """

    at: float
    cases: int
    controls: int
    unknown: int
    first_event: float | None
    last_control: float
    mean_score: float | None
    is_known: bool = False

    def absent(self, what: str, which: str) -> UndefinedMetricError:
        """Return the error of a number that needs rows with the event (``"positive"``), or without it."""
        rows, why = self.cases + self.controls + self.unknown, f"no_{which}_rows"
        if which == "negative":
            text = "{what} at {at} needs rows without the event: the last is known to be without it until {last}."
        elif self.first_event is None:
            text = "{what} at {at} needs rows with the event: 0 of {rows} rows had one."
        else:
            text = "{what} at {at} needs rows with the event: the first is at {first}."
        return UndefinedMetricError(
            text,
            what=what,
            at=exactly(self.at),
            rows=rows,
            first=None if self.first_event is None else exactly(self.first_event),
            last=exactly(self.last_control),
            why=note(why, rows=rows),
        )

    @property
    def text(self) -> str:
        """The rows behind the numbers, in a few words."""
        return f"at {exactly(self.at)}: {self.cases} had the event, {self.controls} did not, {self.unknown} unknown"

    @property
    def counts(self) -> Note:
        """The rows behind the numbers."""
        at, code = exactly(self.at), "at_horizon_known" if self.is_known else "at_horizon"
        return note(code, at=at, cases=self.cases, controls=self.controls, unknown=self.unknown)


@dataclass(frozen=True, eq=False)
class HorizonRows:
    """Where the rows of a horizon stand among all outcomes.

    Attributes
    ----------
    at
        The horizon.
    everyone
        All outcomes as rows, positive those that had the event by then, with their own weights.
    label
        Of each of them: 1 a case, 0 a control, -1 unknown, -2 left out.
    place
        Which of them each row is.
    weighing
        How weights follow from all of them.
    part
        Which of all outcomes these rows stand for, where they are some of them (a group); None: all.
    first_event, last_control
        As in `AtHorizon`.
    """

    at: float
    everyone: Rows
    label: NDArray[np.int8]
    place: Places
    weighing: Weighing
    first_event: float | None
    last_control: float
    part: Mask | None = None
    is_known: bool = False  # nobody was censored before the horizon, so rows weigh what they weighed

    @cached_property
    def own(self) -> Floats:
        """The weight of every outcome before censoring: 1 where there are none."""
        weight = self.everyone.weight
        return np.ones(len(self.everyone)) if weight is None else weight.astype(np.float64)

    def through(self, each: Floats) -> Floats:
        """Return what every outcome adds through the weights of censoring, times its own weight."""
        return self.own * self.weighing.through(each)

    def influence(self, each: Floats) -> Floats:
        """Return what every outcome adds to a number, given what the rows add by their weights (one line per number).

        The direct term, and the term through the estimate of censoring.
        """
        found = np.zeros((*each.shape[:-1], len(self.label)))
        found[..., self.place] = each
        lines = np.atleast_2d(found)
        moved = np.stack([line + self.through(line) for line in lines])
        return moved if each.ndim > 1 else moved[0]

    def take(self, which: NDArray[Any]) -> HorizonRows:
        """Return the places of some of the rows."""
        return replace(self, place=self.place[which])

    def within(self, part: Mask) -> HorizonRows:
        """Say which of all outcomes the rows stand for."""
        return replace(self, part=part if self.part is None else part & self.part)

    @property
    def standing_for(self) -> Mask:
        """Which outcomes the rows stand for; those left out are none of them."""
        kept: Mask = self.label != LEFT_OUT
        return kept if self.part is None else kept & self.part

    def facts(self, rows: Rows) -> AtHorizon:
        """Return what the sweep of some rows, here of one model, should know."""
        cases, on = int(np.count_nonzero(rows.positive)), self.standing_for
        unknown = int(np.count_nonzero(self.label[on] == UNKNOWN))
        ends = (self.first_event, self.last_control)
        return AtHorizon(self.at, cases, len(rows) - cases, unknown, *ends, self._mean_score(rows), self.is_known)

    def _mean_score(self, rows: Rows) -> float | None:
        """Return the mean over all outcomes that the rows stand for; None where some were left out."""
        if (self.label == LEFT_OUT).any():
            return None
        on = self.standing_for
        weight = self.own[on]
        with np.errstate(invalid="ignore", over="ignore"):  # infinite scores are ranks and have no mean
            return float(weight @ self.everyone.scores[rows.models[0]][on].astype(np.float64)) / float(weight.sum())

    def of_mean_score(self, rows: Rows) -> Floats:
        """Return what every outcome adds to the mean score."""
        score, on = self.everyone.scores[rows.models[0]].astype(np.float64), self.standing_for
        weight = np.where(on, self.own, 0.0)
        return np.asarray(weight * (score - float(weight @ score) / weight.sum()) / weight.sum())

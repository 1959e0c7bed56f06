"""How a rule chooses: candidate thresholds with their counts, a number to make large, perhaps a limit."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.core.confusion import Confusion
from curvewise.decisions.guarantee import certified, why_none
from curvewise.decisions.row_costs import CostColumn
from curvewise.errors import UndefinedMetricError
from curvewise.metric.registry import Metric, every, find
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.decisions.row_costs import CostsOfRows

    Counts = NDArray[Any]

EXACT = 2**62  # products of counts up to here are compared as int64  # mutants: int64 holds it
SWAPPED = {"tp": "fn", "fn": "tp", "fp": "tn", "tn": "fp"}  # what another threshold turns a cell into
TOLERANCE = 1e-12  # what differs by less than this share of its scale is equal  # mutants: rounding


@dataclass(frozen=True, eq=False)
class Candidates:
    """Counts at each threshold; place 0 flags no row, place k every row down to the k-th threshold."""

    tp: Counts
    fp: Counts
    positives: float
    negatives: Any  # int or float; None where they were not counted
    prevalence: float | None = None
    threshold: NDArray[Any] | None = None
    saved: NDArray[np.float64] | None = None  # in each class, by flagging down to each place; of costs by row
    unflagged: NDArray[np.float64] | None = None  # what each class costs where no row is flagged

    @classmethod
    def of(cls, sweep: Sweep, prevalence: float | None, costs: CostsOfRows | None = None) -> Candidates:
        """Read the thresholds of a sweep, and what rows cost there."""
        tp, fp = (np.concatenate([np.zeros(1, dtype=c.dtype), c]) for c in (sweep.tp, sweep.fp))
        money = () if costs is None else costs.cumulated()
        return cls(tp, fp, sweep.positives, sweep.negatives, prevalence, sweep.threshold, *money)

    @property
    def cost(self) -> NDArray[np.float64]:
        """The mean cost per row at each place, of costs by row."""
        assert self.saved is not None and self.unflagged is not None  # noqa: S101, PT018 - asked for with costs alone
        up, down = self.scale
        each = self.unflagged[:, None] - self.saved
        return np.asarray((up * each[0] + down * each[1]) / self.n)

    @property
    def n(self) -> float:
        """All rows."""
        total: float = self.positives + self.negatives
        return total

    @property
    def scale(self) -> tuple[float, float]:
        """What one positive and one negative row count for at the stated prevalence."""
        return _scale(self.prevalence, self.positives, self.negatives)

    @property
    def alarms(self) -> Counts:
        """Rows flagged, in numbers of the stated prevalence."""
        up, down = self.scale
        return up * self.tp + down * self.fp

    def linear(self, gain: float, loss: float) -> Counts:
        """Return gain·TP − loss·FP: exact for whole numbers, as long as int64 holds them."""
        whole = self.tp.dtype.kind == "i" and isinstance(gain, int) and isinstance(loss, int)  # mutants: same product
        # mutants: int64 holds it
        if whole and abs(gain) * int(self.positives) + abs(loss) * int(self.negatives) < EXACT:
            return gain * self.tp - loss * self.fp
        return float(gain) * self.tp - float(loss) * self.fp

    def at(self, place: int) -> Confusion:
        """Return the confusion table at one place, at the stated prevalence."""
        return confusion_of(*self.counts(place), prevalence=self.prevalence)

    def counts(self, place: int) -> tuple[float, float, float, Any]:
        """Return TP, FP, P and N (None where it is unknown) at one place."""
        return self.tp[place].item(), self.fp[place].item(), self.positives, self.negatives


def _scale(prevalence: float | None, positives: float, negatives: Any) -> tuple[float, float]:
    if prevalence is None:
        return 1, 1
    n = positives + negatives
    return prevalence * n / positives, (1 - prevalence) * n / negatives


def confusion_of(
    tp: float, fp: float, positives: float, negatives: Any, *, prevalence: float | None = None
) -> Confusion:
    """Return the table of these counts, the classes reweighted where a prevalence is stated."""
    missed = max(positives - tp, 0)
    if negatives is None:
        return Confusion(tp=tp, fp=fp, fn=missed, tn=None)
    passed = max(negatives - fp, 0)
    up, down = _scale(prevalence if positives and negatives else None, positives, negatives)
    return Confusion(tp=tp * up, fp=fp * down, fn=missed * up, tn=passed * down)


@dataclass(frozen=True)
class Measure:
    """What a rule is judged by: a function of a `Confusion`, and the range that it cannot leave."""

    function: Callable[[Confusion], float]
    low: float = -math.inf
    high: float = math.inf

    def __call__(self, confusion: Confusion) -> float:
        """Return the measure of a confusion table."""
        return float(self.function(confusion))


def metric_measure(name: str) -> Measure:
    """Return a registered metric at a threshold as a measure."""
    found = find(name)
    return Measure(lambda c: float(getattr(c, found.name)), found.low, found.high)


def rate_metrics() -> list[Metric]:
    """Return all rates of the confusion table that a threshold moves."""
    rates = [(m, m.rate[0]) for m in every() if m.family == "threshold" and m.rate is not None]
    return [m for m, part in rates if {SWAPPED[cell] for cell in part} != {*part}]


@dataclass(frozen=True)
class Limit:
    """A share, ``part`` of ``whole``, that must not go beyond a bound.

    Compared as counts with a tolerance: 9 of 10 reach a recall of 0.9, whatever floats make of 0.9 · 10.
    """

    words: str  # what is asked for, in the message
    part: Callable[[Candidates], NDArray[Any]]
    whole: Callable[[Candidates], Any]
    bound: float
    at_most: bool = False
    metric: str = ""  # the rate that is limited

    def holds(self, candidates: Candidates) -> NDArray[np.bool_]:
        """Say which candidates keep within the limit."""
        part, whole = self.part(candidates), self.whole(candidates)
        below, above = (self.bound * (1 + slack) * whole for slack in (TOLERANCE, -TOLERANCE))
        return np.asarray(part <= below if self.at_most else part >= above)

    def nearest(self, candidates: Candidates, among: NDArray[np.bool_]) -> str:
        """Say what comes nearest, and where."""
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.where(among, self.part(candidates) / self.whole(candidates), np.nan)
        place = int(np.nanargmin(share) if self.at_most else np.nanargmax(share))
        where = "" if candidates.threshold is None else f", at the score {candidates.threshold[place - 1]}"
        return f"the nearest that can be reached is {show(float(share[place]))}{where}"


@dataclass(frozen=True, repr=False)
class Rule(Result, schema="rule"):
    """A way to choose a threshold, made by the functions of `curvewise.rules`.

    ``prevalence`` is the share of positives the choice is made for; None is that of the rows.
    """

    name: str
    options: dict[str, Any]
    prevalence: float | None
    key: Callable[[Candidates], NDArray[Any]] = field(compare=False)  # larger is better, NaN is out
    measures: Mapping[str, Measure] = field(compare=False)  # what it is judged by, the goal first
    limits: tuple[Limit, ...] = field(default=(), compare=False)
    confidence: float | None = None  # with which the limits hold on new rows; None: they hold on these
    worth: tuple[Any, ...] = field(default=(), compare=False)  # of each limit, independent rows per row counted
    may_flag_none: bool = False  # whether flagging no row may be the answer
    quick: bool = True  # all candidates are judged at once, not each by a call of a function
    needs_negatives: bool = True  # whether their number must be known, which it is not in detection

    @property
    def by_row(self) -> bool:
        """Whether costs differ from row to row, or each row is decided by its own expected cost."""
        return self.decides_rows or any(isinstance(v, CostColumn) for v in self.options.values())

    @property
    def decides_rows(self) -> bool:
        """Whether each row is decided by its own expected cost."""
        return self.options.get("decide_by") == "expected_cost"

    def _given(self) -> dict[str, Any]:
        """Return the options that were stated; a function by its name."""
        given = self.options | ({} if self.prevalence is None else {"prevalence": self.prevalence})
        named = {k: v.name if isinstance(v, CostColumn) else v for k, v in given.items()}
        return {k: v if isinstance(v, str) else getattr(v, "__name__", v) for k, v in named.items()}

    @property
    def table(self) -> Table:
        """The options, one row each."""
        given = self._given()
        return Table(self.name, {"option": list(given), "value": list(given.values())})

    def content(self) -> dict[str, Any]:
        """Return name, options and prevalence, JSON-safe."""
        options = {k: v for k, v in self._given().items() if k != "prevalence"}
        return {"name": self.name, "options": json_safe(options), "prevalence": self.prevalence}

    def __str__(self) -> str:
        told = (f"{k}={v if callable(self.options.get(k)) else repr(v)}" for k, v in self._given().items())
        return f"{self.name}({', '.join(told)})"

    def best(self, candidates: Candidates) -> NDArray[np.intp]:
        """Return the places of all that are equally best, the highest threshold first, or refuse."""
        open_to = np.asarray((candidates.tp + candidates.fp > 0) | self.may_flag_none)
        if self.limits:
            open_to = open_to & self._within(candidates, open_to)
        key = self.key(candidates)
        if key.dtype.kind == "f":
            open_to = open_to & ~np.isnan(key)
        if not open_to.any():
            raise UndefinedMetricError(f"{self!r} has no value at any threshold of these rows.")
        inside = key[open_to]
        best, slack = inside.max(), 0
        if key.dtype.kind == "f" and math.isfinite(best):
            slack = TOLERANCE * np.abs(inside[np.isfinite(inside)]).max()
        return np.flatnonzero(open_to & (key >= best - slack))

    def _within(self, candidates: Candidates, open_to: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Say which candidates keep all limits, on these rows or with the confidence stated, or refuse."""
        if self.confidence is not None:
            kept = certified(self.limits, candidates, self.confidence, self.worth)
            if not kept.any():
                why = why_none(self.limits, candidates, self.confidence, self.worth)
                raise UndefinedMetricError("{rule}: {why}.", rule=repr(self), why=why)
            return kept
        kept = np.asarray(np.logical_and.reduce([limit.holds(candidates) for limit in self.limits]))
        if not (open_to & kept).any():
            words = " and ".join(limit.words for limit in self.limits)
            near = f"; {self.limits[0].nearest(candidates, open_to)}" if len(self.limits) == 1 else ""
            raise UndefinedMetricError(f"{self!r}: no observed score has {words}{near}.")
        return kept

    @property
    def goal(self) -> str:
        """What is made as good as can be."""
        return next(iter(self.measures))

    def at_prevalence(self, prevalence: float | None) -> Rule:
        """Return the rule with these options for another prevalence."""
        return _made_again(self.name, self.options, prevalence)

    def at_confidence(self, confidence: float) -> Rule:
        """Return the rule with the same limits and another confidence."""
        return _made_again(self.name, {**self.options, "confidence": confidence}, self.prevalence)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what it was made from: the functions within it have no name to be found by."""
        return _made_again, (self.name, self.options, self.prevalence)


def _made_again(name: str, options: dict[str, Any], prevalence: float | None) -> Rule:
    """Return the rule of `curvewise.rules` with this name and these options."""
    makers = import_module("curvewise.decisions.rules")  # by name: it imports this module
    named = {k: v for k, v in options.items() if k != "rules"}
    rule: Rule = getattr(makers, name)(*options.get("rules", ()), **named, prevalence=prevalence)
    return rule

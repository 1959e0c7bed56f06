"""Which thresholds keep a limit on new rows, with a stated confidence.

At one threshold a limit is a statement about a share: at most so many of the negatives are flagged, at most so many
of the alarms are false. The p-value of "it is broken" is the chance P(Bin(n, limit) ≤ errors), exact for independent
rows. False positive rate, share flagged and recall rise as the threshold falls, so that trying every threshold needs
no correction: the lowest threshold with p ≤ 1 - confidence is the order statistic of the umbrella rule. Precision
may rise and fall. There the thresholds are tested in turn, from the highest one down, until one fails: each is tried
only if all before it have passed, so that the first one that breaks the limit passes with a chance of 1 - confidence
at most, and nothing else need be counted. The first to be tried is the one from which on ``START`` false alarms would
be allowed: the number of alarms says where that is, the labels do not. From the lowest threshold up there would be
nothing to find, because precision there is the prevalence.

Limits that become harder to keep as the threshold falls are tested together, by the largest of their p-values. A
recall becomes harder to keep as the threshold rises: beside others it has half of 1 - confidence, and they the other.

References
----------
Tong, Feng & Li (2018) Science Advances 4:eaao1659 (umbrella rule). Angelopoulos et al. (2025) Ann. Appl. Statist.
19:1641-1662 (Learn then Test). Korn & Graubard (1998) Survey Methodology 24:193-201 (effective number of rows).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.rate import units_and_weights
from curvewise.errors import Note, OptionError, note
from curvewise.inference.planning.power import fewest
from curvewise.results.numbers import percent
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.decisions.choice import Candidates, Limit, Rule
    from curvewise.rows.rows import Rows

    Mask = NDArray[np.bool_]

START = 2  # false alarms that the first threshold tried for precision would be allowed; chosen by simulation
UPWARD = "recall"  # the rate whose limit becomes harder to keep as the threshold rises
BLOCK = 1024  # places that are tested at a time, at first  # mutants: work
OF_WHAT = {"fpr": "negatives", "specificity": "negatives", "recall": "positives", "precision": "alarms"}


@dataclass(frozen=True, repr=False)
class Guarantee(Result, schema="guarantee"):
    """A limit that a threshold keeps on new rows of the same population, as `OperatingPoint.guarantee` has it.

    Attributes
    ----------
    metric, limit, confidence
        The rate, its limit, and the confidence with which it holds; of several limits, that of all together.
    kind
        ``"exact"``, or ``"approximate"`` where rows are clustered or weighted, or scored by models of several folds.
    here, bound
        The rate on these rows, and the one-sided bound on its true value that these rows support: the tightest limit
        that would have been kept with the same confidence.
    also
        The other limits, where there are several.
    """

    metric: str
    limit: float
    confidence: float
    kind: str
    here: float
    bound: float
    also: tuple[Guarantee, ...] = ()

    @property
    def table(self) -> Table:
        """One row per limit."""
        names = ("metric", "limit", "here", "bound", "kind")
        each = (self, *self.also)
        title = f"Guaranteed on new rows with {percent(self.confidence)} confidence"
        return Table(title, {name: [getattr(one, name) for one in each] for name in names})

    def statement(self, threshold: object, higher_is: str) -> Note:
        """Say what is guaranteed at a threshold."""
        where = note("from_on" if higher_is == "positive" else "up_to", threshold=threshold)
        limits = tuple(
            note(f"guaranteed_{one.metric}", limit=one.limit, here=one.here, where=where) for one in (self, *self.also)
        )
        return note("guarantee", confidence=self.confidence, limits=limits)


def certified(limits: Sequence[Limit], candidates: Candidates, confidence: float, worth: Sequence[Any] = ()) -> Mask:
    """Say at which candidates all limits hold on new rows, with a confidence for all of them together."""
    worth = worth or (1,) * len(limits)
    risk, kept, places = _risk(limits, confidence), np.ones(len(candidates.tp), dtype=bool), len(candidates.tp)
    for upward in (False, True):
        one_way = [(one, w) for one, w in zip(limits, worth, strict=True) if (one.metric == UPWARD) is upward]
        tests = [_Test(*_errors(one, candidates, w), risk) for one, w in one_way]
        starts = [test.first() for test, (one, _) in zip(tests, one_way, strict=True) if one.metric == "precision"]

        def passes(here: slice, tests: list[_Test] = tests) -> Mask:
            return np.asarray(np.logical_and.reduce([test.passes(here) for test in tests]))

        if tests:
            kept &= in_turn(passes, max(starts), places) if starts else passes(slice(None))
    return kept & (candidates.tp + candidates.fp > 0)


@dataclass(frozen=True)
class _Test:
    """The binomial test of one limit at every place: errors, trials, the share of errors allowed, the p-value."""

    errors: NDArray[Any]
    trials: NDArray[Any]
    share: float
    risk: float

    @cached_property
    def most(self) -> int | None:
        """How many errors are allowed where there are equally many trials everywhere; -1 for none."""
        rows = self.trials[0].item()
        if self.trials.strides != (0,):
            return None
        low, high = -1, math.floor(rows)
        while high - low > 1:
            middle = (low + high) // 2
            enough = float(binomial_tail(middle, rows, self.share)) <= self.risk
            low, high = (middle, high) if enough else (low, middle)
        return low

    def passes(self, here: slice) -> Mask:
        """Return at which places the p-value is small enough."""
        if self.most is not None:
            return np.asarray(self.errors[here] <= self.most)
        return np.asarray(binomial_tail(self.errors[here], self.trials[here], self.share) <= self.risk)

    def first(self) -> int:
        """Return the first place where `START` errors would be allowed, or fewer where they nowhere are."""
        for errors in range(START, -1, -1):
            enough = self.trials >= needed_rows(self.share, self.risk, errors)
            if enough.any():
                return int(np.argmax(enough))
        return len(self.trials)


def binomial_tail(errors: Any, trials: Any, share: float) -> Floats:
    """Return P(Bin(trials, share) ≤ errors), continued between whole numbers; 1 where nothing was tried."""
    from scipy.special import betainc  # noqa: PLC0415 - slow to load, needed for guarantees alone

    left = np.asarray(trials - errors, dtype=np.float64)
    some = left > 0
    return np.where(some, betainc(np.where(some, left, 1.0), np.asarray(errors) + 1.0, 1 - share), 1.0)


def in_turn(passes: Callable[[slice], Mask], start: int, places: int) -> Mask:
    """Return which places pass if each is tried only once all before it, from ``start`` on, have passed."""
    kept, size = np.zeros(places, dtype=bool), BLOCK
    while start < places:
        here = slice(start, start + size)
        kept[here] = np.logical_and.accumulate(passes(here))
        if not kept[here].all():
            break
        start, size = start + size, 2 * size
    return kept


def needed_rows(share: float, risk: float, errors: int = 0) -> int:
    """Return how many rows with so few errors show that errors are no more than a share.

    >>> needed_rows(0.05, 0.05), needed_rows(0.05, 0.05, 1)
    (59, 93)
    """
    return fewest(lambda rows: float(binomial_tail(errors, rows, share)) <= risk, errors + 1)


def why_none(limits: Sequence[Limit], candidates: Candidates, confidence: float, worth: Sequence[Any] = ()) -> Note:
    """Say why no candidate keeps the limits, and how many rows would do."""
    risk = _risk(limits, confidence)
    for limit, each in zip(limits, worth or (1,) * len(limits), strict=True):
        _, trials, share = _errors(limit, candidates, each)
        most, needed = float(np.max(trials)), needed_rows(share, risk)
        if most < needed:
            what = OF_WHAT.get(limit.metric, "rows")
            return note(f"guarantee_needs_{what}", number=round(most), needed=needed, confidence=confidence)
    return note("guarantee_not_shown", confidence=confidence)


def guarantee_at(rule: Rule, candidates: Candidates, place: int, *, exact: bool) -> Guarantee:
    """Return what a rule guarantees at a place."""
    from scipy.special import betaincinv  # noqa: PLC0415 - slow to load

    risk, kind, found = _risk(rule.limits, float(rule.confidence or 0)), "exact" if exact else "approximate", []
    for limit, worth in zip(rule.limits, rule.worth or (1,) * len(rule.limits), strict=True):
        errors, trials = (float(v[place]) for v in _errors(limit, candidates, worth)[:2])
        bound = float(betaincinv(errors + 1, trials - errors, 1 - risk)) if errors < trials else 1.0
        ends = (errors / trials, bound)
        here, bound = ends if limit.at_most else (1 - end for end in ends)
        found.append(Guarantee(limit.metric, limit.bound, float(rule.confidence or 0), kind, here, bound))
    first, *others = found
    return Guarantee(**{**first.__dict__, "also": tuple(others)})


def independent_rows(rule: Rule, rows: Rows | None, sweep: Sweep) -> tuple[tuple[Any, ...], list[Note]]:
    """Return how many independent rows each row counted is worth, of each limit, and notes where that is estimated.

    Refuse rows for which this is not known.
    """
    if sweep.negatives is None or (rows is None and not sweep.is_whole):
        what = "weighted counts" if sweep.negatives is not None else "detections, whose negatives are unknown,"
        raise OptionError.of("confidence", f"{what} do not say how many independent rows there are; leave it out.")
    if rows is None:
        return (1,) * len(rule.limits), []
    for name, what in (("horizon", "outcomes at a horizon"), ("stratum", "rows sampled within strata")):
        if getattr(rows, name) is not None:
            raise OptionError.of("confidence", f"there is no guarantee for {what}; leave it out.")
    notes = []
    if rows.fold is not None and len(np.unique(rows.fold.code)) > 1:
        notes.append(note("guarantee_of_folds"))
    if rows.is_plain:
        return (1,) * len(rule.limits), notes
    worth = tuple(_worth(limit.metric, rows, sweep, float(rule.confidence or 0)) for limit in rule.limits)
    return worth, [*notes, note("guarantee_of_dependent_rows")]


def _worth(metric: str, rows: Rows, sweep: Sweep, confidence: float) -> Floats:
    """Return for each threshold how many independent rows have the variance of a rate, per weight counted.

    The variance is that of a ratio of sums over units, sum of (hits - rate · each)² over the square of the sum of
    ``each``; the three sums of products follow from one row to the next. Where no row is in the part, or all are,
    rows of a cluster count as one. Fewer units know their variance less well: normal over t quantile, squared.
    """
    from scipy.special import ndtri, stdtrit  # noqa: PLC0415 - slow to load, needed for such rows alone

    unit, weight = units_and_weights(rows)
    of_class = {"negatives": ~rows.positive, "positives": rows.positive}.get(OF_WHAT.get(metric, ""))
    hit = weight * (~rows.positive if metric == "precision" else True if of_class is None else of_class)
    rising = np.argsort(rows.score, kind="stable")
    order = rising[::-1] if rows.higher_is == "positive" else rising
    if rows.higher_is == "positive":
        ends = len(rows) - np.searchsorted(rows.score[rising], sweep.threshold, side="left")
    else:
        ends = np.searchsorted(rows.score[rising], sweep.threshold, side="right")
    of_unit, hit, each = unit[order], hit[order], weight[order]
    by_unit = np.argsort(of_unit, kind="stable")
    first = np.r_[True, np.diff(of_unit[by_unit]) != 0]

    def before(steps: Floats) -> Floats:
        """Sum what the unit of each row had before it."""
        summed = np.cumsum(steps[by_unit]) - steps[by_unit]
        start = np.maximum.accumulate(np.where(first, np.arange(len(steps)), 0))
        had = np.empty(len(steps))
        had[by_unit] = summed - summed[start]
        return had

    had = before(hit)
    both = np.cumsum(hit * (2 * had + hit))[ends - 1]
    hits = np.cumsum(hit)[ends - 1]
    if metric == "precision":
        held = before(each)
        mixed = np.cumsum(had * each + held * hit + hit * each)[ends - 1]
        squares = np.cumsum(each * (2 * held + each))[ends - 1]
        total, most = np.cumsum(each)[ends - 1], ends.astype(np.float64)
    else:
        inside = each if of_class is None else each * of_class[order]
        of_units = np.bincount(of_unit, inside)
        mixed = np.cumsum(hit * of_units[of_unit])[ends - 1]
        squares, total = np.full(len(ends), of_units @ of_units), np.full(len(ends), inside.sum())
        most = np.full(len(ends), float(np.count_nonzero(inside)))
    rate = hits / total
    spread = (both - 2 * rate * mixed + rate**2 * squares) / total**2
    degrees = np.maximum(total**2 / squares - 1, 1.0)
    tail = max(confidence, 0.75)
    sure = degrees / (degrees + 1) * (ndtri(tail) / stdtrit(degrees, tail)) ** 2
    varies = (hits > 0) & (hits < total) & (spread > 0)
    trials = np.where(varies, sure * rate * (1 - rate) / np.where(varies, spread, 1.0), total**2 / squares)
    worth: Floats = np.r_[1.0, np.minimum(trials, most) / total]
    return worth


def _risk(limits: Sequence[Limit], confidence: float) -> float:
    """Return what may be spent on limits that are tested from one end."""
    return (1 - confidence) / len({limit.metric == UPWARD for limit in limits})


def _errors(limit: Limit, candidates: Candidates, worth: Any) -> tuple[Any, Any, float]:
    """Return errors and trials at each candidate, as of independent rows, and the share of errors allowed."""
    part, share = limit.part(candidates), limit.bound if limit.at_most else 1 - limit.bound
    whole = np.broadcast_to(np.multiply(limit.whole(candidates), worth), part.shape)
    return part * worth if limit.at_most else whole - part * worth, whole, share

"""Concordance: how often, of two rows, the one with the higher risk has its event first."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from curvewise.arrays import Bools, Floats
from curvewise.censored.censoring import censoring_of
from curvewise.censored.outcomes import Outcomes, ReadingOptions, read_outcomes
from curvewise.censored.pair_share import PairShare, pair_share
from curvewise.censored.spread import covariance_of_influences, notes_on_units, number_of_clusters, spread_of_influence
from curvewise.errors import CurvewiseError, Note, OptionError, UndefinedMetricError, note, unknown_option
from curvewise.inference.by_influence import pair_of_pivot
from curvewise.inference.comparison import Comparison, ModelTest, holm, pair_of_models, with_simultaneous
from curvewise.inference.interval import FEW
from curvewise.inference.pivots import WaldPivot
from curvewise.results.estimate import Estimate
from curvewise.results.numbers import exactly, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, real
from curvewise.rows.columns import count

if TYPE_CHECKING:
    from curvewise.inference.comparison import Pair, Parts

Method = Literal["harrell", "uno"]
METHODS: tuple[Method, ...] = ("harrell", "uno")
OPTIONS = ("method", "until", "censoring")
ROW_OPTIONS = tuple(ReadingOptions.__annotations__)
LOW = 0.1  # G below which a few rows have large weights
ROUNDING = 1e-14  # of a time, below which the gap to the next one is an error of rounding


@dataclass(frozen=True, eq=False, repr=False)
class Concordance(Result, schema="concordance"):
    """How often, of two comparable rows, the one with the higher risk has its event first.

    ``float`` of it is the value. Made by `curvewise.concordance`.

    Attributes
    ----------
    value
        (concordant + ½ tied) / comparable.
    concordant, discordant, tied, comparable
        Pairs: whole numbers without weights, else sums of products of weights; with Uno's method each has the weight
        1/G(T-)² of its earlier row. ``tied`` are comparable pairs with equal risks.
    rows, events
        How many rows, and how many of them had the event.
    method
        ``"harrell"`` or ``"uno"``.
    until
        The last time at which the earlier row of a pair may have its event; None for any.
    """

    value: float
    concordant: int | float
    discordant: int | float
    tied: int | float
    comparable: int | float
    rows: int
    events: int
    source: PairShare = field(repr=False)
    method: Method = "harrell"
    until: float | None = None
    notes: tuple[Note, ...] = ()

    def __float__(self) -> float:
        return self.value

    @property
    def somers_d(self) -> float:
        """Somers' d, 2C - 1: concordant less discordant pairs, of all comparable ones."""
        return 2 * self.value - 1

    @property
    def influence(self) -> Floats:
        """What each row adds: its weight times the derivative of the value by it; the sum over rows is 0.

        Uno's weights are estimated, and the derivative goes through them as well.
        """
        return self.source.influence

    @property
    def standard_error(self) -> float:
        """The standard error √Σu² of the influences, summed within clusters first (infinitesimal jackknife)."""
        return self.source.spread.error

    def interval(self, level: float = 0.95) -> Estimate:
        """Return the value with its interval on the logit scale; few clusters or strata have t quantiles.

        Examples
        --------
        >>> import curvewise as cw
        >>> cw.concordance([2, 3, 5, 6, 8, 9], [1, 1, 0, 1, 0, 1], [9, 4, 7, 6, 1, 2]).interval()
        concordance 0.8182, 95% interval 0.3540 to 0.9737 (influence)
          note: only 4 events: no interval is reliable
        """
        found = self.source.estimate(self.name, real("level", level, 0, 1, closed=False))
        events = int(np.count_nonzero(self.source.happened))
        few = (note("survival_few_events", events=events),) if events < FEW else ()
        return replace(found, notes=(*found.notes, *few))

    @property
    def name(self) -> str:
        """What was estimated, with its method and its range of times."""
        name = "concordance" if self.method == "harrell" else "Uno's concordance"
        return name if self.until is None else f"{name} until {exactly(self.until)}"

    @property
    def table(self) -> Table:
        """One row: the value and the pairs that it was made of."""
        names = ("value", "concordant", "discordant", "tied", "comparable", "rows", "events", "method", "until")
        columns = {k: [getattr(self, k)] for k in names if getattr(self, k) is not None}
        return Table("Concordance", columns, self.source.outcomes.backend)

    def __str__(self) -> str:
        outcomes = self.source.outcomes
        counted = self.method == "harrell" and (outcomes.weight is None or outcomes.weight_kind == "count")
        pairs = [self.comparable, self.concordant, self.discordant, self.tied]
        shown = [f"{p:,.{0 if isinstance(p, int) else 1}f}".replace(",", " ") for p in pairs]
        text = f"{self.name[0].upper()}{self.name[1:]} {show(self.value)}: of {shown[0]} "
        text += f"{'' if counted else 'weighted '}comparable pairs {shown[1]} concordant, {shown[2]} discordant, "
        return "\n".join([f"{text}{shown[3]} tied", *(f"  note: {said}" for said in self.notes)])


def concordance(
    time: object,
    event: object = None,
    risk: object = None,
    *,
    method: Method = "harrell",
    until: float | None = None,
    censoring: object = None,
    **options: Any,
) -> Concordance:
    """Return how often, of two comparable rows, the one with the higher risk has its event first.

    Two rows are comparable if one had its event, and the other was still under observation: its time is later, or the
    same and it was censored then. Two events at one time are not comparable. C = (concordant + ½ equal risks) /
    comparable, each pair with the product of its rows' weights.

    Parameters
    ----------
    time, event, risk
        When each row had its event or was last seen, 0 or more; 1 (True) for an event and 0 (False) for a censored
        row, or codes with ``cause=``; and the risk score of one model, higher for an earlier event.
    method
        ``"harrell"`` counts comparable pairs alike, so the value depends on how rows were censored. ``"uno"`` weighs
        each by 1/G(T-)², where T is the time of the event and G the Kaplan–Meier estimate of not being censored:
        it estimates the same number whatever the censoring, if that depends neither on the event nor on the score.
    until
        Only events up to this time are the earlier one of a pair. By default any, which Uno's method notes.
    censoring
        How Uno's method estimates G: None, ``"by-score"`` (within tenths of the score), or ``(time, event)`` of
        another sample.
    **options
        ``cause=`` (the code of the event), ``entry=`` (delayed entry: the later row of a pair must have entered before
        the event; not with Uno's method), and as in `curvewise.sweep` ``weight=``, ``weight_kind=``, ``cluster=``,
        ``stratum=``, ``missing=``, ``round_to=``; ``higher_is="negative"`` where a higher score means a later event.

    Returns
    -------
    Concordance
        ``value``, the pairs, ``interval()``, ``influence``.

    Notes
    -----
    Whole pairs are counted exactly, in O(n log n). Times and scores are compared exactly; R's survival treats times
    within about 1.5e-8 of each other as equal, and scikit-survival risks: round them first where that is meant.
    The standard error is that of the infinitesimal jackknife, as in R's ``survival::concordance``; for Uno's method it
    includes that G is estimated, which R's does not.

    References
    ----------
    Harrell, Califf, Pryor, Lee & Rosati (1982) JAMA 247:2543-2546. Uno, Cai, Pencina, D'Agostino & Wei (2011)
    Statistics in Medicine 30:1105-1117. Therneau & Watson (2017) The concordance statistic and the Cox model, Mayo
    Clinic technical report 85.

    Examples
    --------
    >>> import curvewise as cw
    >>> time, event, risk = [2, 3, 5, 6, 8, 9], [1, 1, 0, 1, 0, 1], [9, 4, 7, 6, 1, 2]
    >>> cw.concordance(time, event, risk)
    Concordance 0.8182: of 11 comparable pairs 9 concordant, 2 discordant, 0 tied
    >>> round(cw.concordance(time, event, risk, method="uno", until=6).value, 4)
    0.8407
    """
    outcomes = given_outcomes(time, event, risk, options, OPTIONS)
    return concordance_of(outcomes, method=method, until=until, censoring=censoring)


def given_outcomes(
    time: object, event: object, risk: object, options: dict[str, Any], verb: tuple[str, ...]
) -> Outcomes:
    """Take outcomes as they are, or read them; ``verb`` are the names of the verb's own options."""
    for name in options:
        if name not in ROW_OPTIONS:
            raise unknown_option(name, [*verb, *ROW_OPTIONS])
    if isinstance(time, Outcomes):
        if event is not None or risk is not None or options:
            raise CurvewiseError("Outcomes were given, so the rows are already read: no column or option can apply.")
        return time
    if risk is None:
        raise CurvewiseError("risk: expected one number per row, got None; the order is (time, event, risk).")
    return read_outcomes(time, event, risk, **options)


def concordance_of(
    outcomes: Outcomes, *, method: Method = "harrell", until: float | None = None, censoring: object = None
) -> Concordance:
    """Return the concordance of outcomes with the scores of the only model."""
    one_of("method", method, METHODS)
    limit = None if until is None else real("until", until, 0, math.inf)
    _refuse(outcomes, method, censoring)
    happened = _happened(outcomes, limit)
    if method == "harrell":
        return _result(pair_share(outcomes, happened), method, limit, ())
    last = float(outcomes.time[happened].max())
    estimate = censoring_of(outcomes, censoring)
    if estimate.kind == "sample" and last > estimate.last:
        raise UndefinedMetricError(
            f"Uno's concordance needs censoring times up to {exactly(last)}: the censoring sample ends at "
            f"{exactly(estimate.last)}.",
            why=note("survival_sample_ends", until=last, end=estimate.last),
        )
    notes: tuple[Note, ...] = () if limit is not None else (note("survival_until", until=last),)
    lowest = float(estimate.own_left(outcomes.time)[happened].min())
    notes += (note("survival_low_g", g=lowest, until=last),) if lowest < LOW else ()
    return _result(pair_share(outcomes, happened, estimate), method, last if limit is None else limit, notes)


def _refuse(outcomes: Outcomes, method: Method, censoring: object) -> None:
    """Refuse what concordance does not support."""
    if len(outcomes.scores) != 1:
        names = f" ({', '.join(outcomes.scores)})" if outcomes.scores else ""
        raise CurvewiseError(
            f"risk: expected the scores of one model, got {len(outcomes.scores)}{names}; for several use survival."
        )
    if method == "harrell" and censoring is not None:
        raise OptionError.of("censoring", "method='harrell' does not weigh by censoring; leave it out, or use 'uno'.")
    if method == "uno" and outcomes.entry is not None:
        raise OptionError.of(
            "entry", "delayed entry is supported for method='harrell' only; 'uno' needs rows observed from the start."
        )
    if outcomes.has_competing:
        rows = count(int(np.count_nonzero(outcomes.code > 1)), "row")
        raise CurvewiseError(
            f"event: {rows} had a competing event, and concordance does not support competing risks; judge the risk by "
            "a time instead, as in horizon(time, event, risk, at=..., cause=...)."
        )


def _happened(outcomes: Outcomes, until: float | None) -> Bools:
    """Mark the rows whose event may be the earlier one of a pair."""
    event = outcomes.event
    if not event.any():
        raise UndefinedMetricError(
            f"Concordance needs an event: 0 of {count(len(event), 'row')} had one.",
            why=note("survival_no_event", rows=len(event)),
        )
    if until is None:
        return event
    found = event & (outcomes.time <= until)
    if not found.any():
        first = float(outcomes.time[event].min())
        raise UndefinedMetricError(
            f"Concordance until {exactly(until)} needs an event by then: the first is at {exactly(first)}.",
            why=note("survival_no_event_by", until=until, first=first),
        )
    return found


def _result(share: PairShare, method: Method, until: float | None, notes: tuple[Note, ...]) -> Concordance:
    """Return the result, with what a careful reader should know of it."""
    totals, outcomes, score = share.totals, share.outcomes, share.outcomes.score
    notes = (*outcomes.notes, *notes, *_close_times(outcomes))
    if bool((score == score[0]).all()):
        notes += (note("survival_equal_scores"),)
    elif share.value < 0.5:
        ends = share.estimate("", 0.95)
        notes += (note("survival_wrong_way", high=ends.high),) if ends.has_interval and ends.high < 0.5 else ()
    return Concordance(
        value=share.value,
        concordant=totals.concordant,
        discordant=max(totals.comparable - totals.concordant - totals.tied, 0),
        tied=totals.tied,
        comparable=totals.comparable,
        rows=len(outcomes),
        events=int(np.count_nonzero(outcomes.event)),
        source=share,
        method=method,
        until=until,
        notes=notes,
    )


def _close_times(outcomes: Outcomes) -> tuple[Note, ...]:
    """Say that times differ by errors of rounding only."""
    times = outcomes.time[outcomes.order]
    gap = np.diff(times)
    close = np.flatnonzero((gap > 0) & (gap <= ROUNDING * times[1:]))
    return (note("survival_close_times", gaps=len(close), first=float(times[close[0]])),) if len(close) else ()


# ---- Whether one risk score ranks better than another on the same rows ----

VERB = (*OPTIONS, "level", "margin", "against")
CHANCE = 0.5


def compare_concordance(
    time: object,
    event: object = None,
    risk: object = None,
    *,
    method: Method = "harrell",
    until: float | None = None,
    censoring: object = None,
    level: float = 0.95,
    margin: float | None = None,
    against: float | None = None,
    **options: Any,
) -> Comparison:
    """Compare the concordance of models that scored the same rows.

    z = (C_a - C_b) / √Σ(u_a - u_b)², where u are the influences of the rows, summed within clusters first.

    Parameters
    ----------
    time, event, risk
        As in `curvewise.concordance`, with a dict of risk scores by model; or `Outcomes` alone.
    method, until, censoring, **options
        As in `curvewise.concordance`.
    level, margin, against
        As in `curvewise.compare`; one model is compared with 0.5 by default.

    Returns
    -------
    Comparison
        With a test that all are equal where there are three models or more.

    Examples
    --------
    >>> time, event = [2, 3, 5, 6, 8, 9], [1, 1, 0, 1, 0, 1]
    >>> found = compare_concordance(time, event, {"a": [9, 4, 7, 6, 1, 2], "b": [5, 6, 1, 4, 3, 2]})
    >>> round(found.difference.value, 4), round(found.p_value, 4)
    (-0.0909, 0.6)
    """
    level = real("level", level, 0, 1, closed=False)
    margin = None if margin is None else real("margin", margin, 0, math.inf)
    outcomes = given_outcomes(time, event, risk, options, VERB)
    each = [
        concordance_of(outcomes.of(name), method=method, until=until, censoring=censoring) for name in outcomes.models
    ]
    if not each:
        raise OptionError.of("risk", 'expected a dict of models, as in {"a": risk_a, "b": risk_b}.')
    names = outcomes.models
    null = CHANCE if against is None and len(names) == 1 else against
    found = _ByInfluence(outcomes, each, level, None if null is None else real("against", null, 0, 1))
    if null is not None:
        names = [*names, "value"]
    which = list(combinations(range(len(names)), 2))
    pairs = holm(with_simultaneous(found, [found.pair(i, j, names, margin) for i, j in which], which, names))
    values = dict(zip(names, found.values, strict=True))
    told = {said.text(): said for c in each for said in c.notes}
    omnibus = found.omnibus()
    notes = (*told.values(), *notes_on_units(outcomes), *found.notes)
    return Comparison(found.name, found.method, values, pairs, omnibus, notes)


class _ByInfluence(ModelTest):
    """Concordances compared by the variance of what rows, or whole clusters, add to the difference."""

    method = "influence"

    def __init__(self, outcomes: Outcomes, each: list[Concordance], level: float, against: float | None) -> None:
        self.outcomes, self.each, self.level, self.against = outcomes, each, level, against
        self.name = each[0].name
        self.values = [c.value for c in each] + ([] if against is None else [against])

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference."""
        first, two = self.each[i], (names[i], names[j])
        if j < len(self.each):
            spread = spread_of_influence(self.outcomes, first.influence - self.each[j].influence)
            pivot = WaldPivot(first.value - self.each[j].value, spread)
            return pair_of_pivot(pivot, spread, two, self.name, self.method, self.level, margin, (0, 1))
        source, spread, null = first.source.pivot, first.source.spread, self.values[j]
        low, high = (max(-1.0, min(1.0, end - null)) for end in source.ends(self.level))
        value = source.value - null
        gap = Estimate(f"difference of {self.name}", value, low, high, self.level, self.method, spread.error)
        margins = None if margin is None else (source.p_above(null - margin), source.p_below(null + margin))
        degrees = None if math.isinf(spread.degrees) else spread.degrees
        statistic = value / spread.error if spread.error else source.deviate(null)
        return pair_of_models(two, gap, statistic, source.p_value(null), margins, degrees_of_freedom=degrees)

    def covariances(self) -> Parts:
        """Return the covariance of all concordances; of many outcomes it is taken as known, of clusters it is not."""
        lines = np.stack([c.influence for c in self.each])
        units = number_of_clusters(self.outcomes) or math.inf
        return [(covariance_of_influences(self.outcomes, lines), units)]

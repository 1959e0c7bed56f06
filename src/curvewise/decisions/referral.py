"""Three answers: flag, pass, or refer to a person; the two thresholds between them, and what they save."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.rate import flagged_rows, rate_interval, units_and_weights
from curvewise.core.resampling import REPLICATES
from curvewise.core.sweep import Sweep, as_source, counted_rows, sweep_of
from curvewise.curves.histogram import ScoreHistogram, score_histogram
from curvewise.decisions.choice import TOLERANCE, Candidates, Rule
from curvewise.decisions.guarantee import Guarantee, certified, guarantee_at, independent_rows
from curvewise.decisions.optimism import AT_LIMIT, BEST
from curvewise.decisions.repeated_choice import Choices, repeat_places
from curvewise.decisions.rules import min_precision
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, note
from curvewise.inference.influence import influences_of
from curvewise.inference.pivots import WaldPivot
from curvewise.results.estimate import Estimate, undefined
from curvewise.results.numbers import percent
from curvewise.results.result import Result, Table
from curvewise.rows.checks import MOST_COST, real, whole
from curvewise.rows.reading import rows_within

if TYPE_CHECKING:
    from curvewise.rows.rows import HigherIs, RowOptions, Rows

    Counts = NDArray[Any]
    Weights = tuple[float, ...]

METHOD = "optimism-corrected"


@dataclass(frozen=True, repr=False)
class Referral(Result, schema="referral"):
    """Two thresholds with a zone between them whose rows a person decides, made by `curvewise.referral`.

    Attributes
    ----------
    high, low
        Scores of ``high`` or more are flagged, scores below ``low`` passed, those between them referred; where higher
        scores are negative, the other way round. Equal where no row is referred; infinite where none is flagged, or
        all are passed.
    counts
        How many positives and negatives of these rows are flagged, referred and passed.
    estimates
        What to expect on new rows, corrected for the choice (without replicates: what these rows show): the shares
        ``referred``, ``flagged`` and ``passed``, the share of wrong answers among those given (``error``),
        ``precision`` above and ``npv`` below; with costs ``cost`` per row, and ``saving`` against the best single
        threshold.
    apparent
        The same numbers on these rows.
    single
        The best single threshold, where costs were stated.
    guarantee
        What holds on new rows, where targets were stated with a ``confidence``.
    """

    high: float
    low: float
    counts: Table
    estimates: dict[str, Estimate]
    apparent: dict[str, float]
    single: float | None
    guarantee: Guarantee | None
    statement: Note
    level: float
    replicates: int
    histogram: ScoreHistogram = field(repr=False)
    notes: tuple[Note, ...] = ()

    @property
    def table(self) -> Table:
        """One row per number: as expected on new rows, with its interval, and on these rows."""
        each = self.estimates.values()
        columns: dict[str, list[Any]] = {"metric": list(self.estimates)}
        columns |= {k: [getattr(e, k) for e in each] for k in ("value", "low", "high")}
        columns["apparent"] = [self.apparent[name] for name in self.estimates]
        where = "Expected on new rows" if self.replicates else "On these rows"
        return Table(f"{where} ({percent(self.level)} intervals)", columns)

    @property
    def sentence(self) -> str:
        """What is flagged, passed and referred, and what that costs, in one English text."""
        return str(self.statement)

    def __str__(self) -> str:
        notes = "\n".join(f"Note: {n}." for n in self.notes)
        return "\n\n".join(filter(None, (self.sentence, str(self.table), str(self.counts), notes)))

    def parts(self) -> list[Table | Note]:
        """Return the sentence, the numbers, the counts and the notes."""
        return [self.statement, self.table, self.counts, *self.notes]


def referral(
    y: object,
    score: object = None,
    *,
    fp: float | None = None,
    fn: float | None = None,
    refer: float | None = None,
    precision: float | None = None,
    npv: float | None = None,
    confidence: float | None = None,
    prevalence: float | None = None,
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    **rows: Unpack[RowOptions],
) -> Referral:
    """Choose two thresholds, and refer the rows between them to a person.

    Parameters
    ----------
    y, score
        A `Sweep` or `Rows` alone, or labels and scores with the options of `curvewise.sweep`.
    fp, fn, refer
        What a false alarm, a miss and a referral cost. The two thresholds cost least together; a person is taken to be
        right, so add to ``refer`` what a person's mistakes cost.
    precision, npv
        In place of costs: the smallest zone with at least this precision above it and this negative predictive value
        below it.
    confidence
        With ``precision`` and ``npv``: they hold on new rows with this confidence for both together; None: on these.
    prevalence
        The share of positives where the thresholds will be used; None takes that of the rows.
    level, rng, replicates
        As in `curvewise.operating_point`; 0 replicates leave out the correction for the choice.

    Notes
    -----
    The cost c_FP·FP(high) + c_FN·FN(low) + c_refer·referred falls apart into one part for each threshold, so that the
    best pair is found exactly in one pass. Of equally good pairs the one with the fewest referrals is taken.

    Recall and FPR at each threshold are corrected as those of `curvewise.operating_point`; everything else is read from
    them. The variance is that of what each row adds, clusters counted whole. Shares have Wilson's interval of as many
    independent rows as have this variance; ``cost`` and ``saving`` have the interval of t. The size of the correction
    is added on the side of the apparent value.

    References
    ----------
    Chow (1970) IEEE Trans. Inf. Theory 16:41-46 (the cost of a reject option).

    Examples
    --------
    >>> import curvewise as cw
    >>> s = cw.Sweep.from_counts([5, 4, 3, 2, 1], [33, 11, 2, 2, 3], [2, 11, 6, 6, 33])
    >>> found = cw.referral(s, fp=4, fn=5, refer=1)
    >>> found.high, found.low
    (5, 2)
    """
    level, replicates = real("level", level, 0, 1, closed=False), whole("replicates", replicates, 0)
    costs, targets = {"fp": fp, "fn": fn, "refer": refer}, {"precision": precision, "npv": npv}
    by_cost = any(v is not None for v in costs.values())
    stated = costs if by_cost else targets
    if None in stated.values() or (by_cost and any(v is not None for v in (*targets.values(), confidence))):
        raise CurvewiseError("fp, fn, refer: state all three costs, or precision and npv (with or without confidence).")
    numbers = {k: real(k, v, 0, MOST_COST if by_cost else 1) for k, v in stated.items()}
    if by_cost and not numbers["fp"] + numbers["fn"]:
        raise CurvewiseError("fp, fn: expected one cost above 0; without any, no threshold is better than another.")
    source = as_source(rows_within(y), score, rows)
    table = counted_rows(source) if isinstance(source, Sweep) else source
    if table.horizon is not None:
        raise CurvewiseError("y: referral takes outcomes that are known, not outcomes at a horizon.")
    sweep = sweep_of(table)
    sweep.need_both_classes("A referral")
    chooser = _ByCost(numbers, prevalence) if by_cost else _ByTargets(numbers, confidence, prevalence, table)
    candidates = Candidates.of(sweep, chooser.prevalence)
    places, notes, choices = chooser.places(candidates), [*chooser.notes], list[Choices]()
    if replicates:
        try:
            choices = repeat_places(table, sweep, chooser.prevalence, chooser.again(places), places, replicates, rng)
        except UndefinedMetricError:
            notes.append(note("no_resample_answers", replicates=replicates))
    cuts = [_cut(sweep, k) for k in places]
    judge = _Judge(table, candidates, places, cuts, level)
    judge.correct(choices, BEST if by_cost else AT_LIMIT)
    wanted = {**SHARES, **(_costs(**numbers) if by_cost else {})}
    estimates = {name: judge.estimate(name, *weights) for name, weights in wanted.items()}
    apparent = {name: judge.number(*weights, judge.here) for name, weights in wanted.items()}
    if places[0] == places[1]:
        dear = by_cost and numbers["refer"] >= max(numbers["fp"], numbers["fn"])
        notes.append(note("referral_too_dear" if dear else "referral_of_none"))
    statement = _statement(sweep, cuts, estimates, "saves" if choices else "saves_here")
    guarantee = chooser.guarantee(candidates, places)
    if guarantee is not None:
        statement = note("referral_guaranteed", referral=statement, confidence=guarantee.confidence, **numbers)
    return Referral(
        cuts[0], cuts[1], _counts(candidates, places), estimates, apparent,
        cuts[2] if by_cost else None, guarantee, statement, level, judge.replicates,
        score_histogram(sweep), tuple(notes),
    )  # fmt: skip


class _ByCost:
    """The pair of places that costs least, and the best single place."""

    notes: tuple[Note, ...] = ()

    def __init__(self, costs: dict[str, float], prevalence: float | None) -> None:
        self.costs = costs
        self.prevalence = None if prevalence is None else real("prevalence", prevalence, 0, 1, closed=False)

    def places(self, c: Candidates) -> list[int]:
        fp, fn, refer = self.costs.values()
        up, down = c.scale
        missed, passed = up * (c.positives - c.tp), up * (c.positives - c.tp) + down * (c.negatives - c.fp)
        pair = cheapest_pair(fp * down * c.fp - refer * c.alarms, fn * missed - refer * passed, c.alarms)
        single = fp * down * c.fp + fn * missed
        return [*pair, int(np.argmax(single <= single.min() + TOLERANCE * single.max()))]

    def again(self, _: list[int]) -> Callable[[Candidates], list[int]]:
        return self.places

    def guarantee(self, *_: object) -> None:
        return None


class _ByTargets:
    """The pair of places with the fewest rows between them that keeps both targets."""

    def __init__(
        self, targets: dict[str, float], confidence: float | None, prevalence: float | None, rows: Rows
    ) -> None:
        self.confidence, self.prevalence, self.rules = confidence, prevalence, list[Rule]()
        self.notes: tuple[Note, ...] = ()
        each = None if confidence is None else (1 + real("confidence", confidence, 0, 1, closed=False)) / 2
        other: HigherIs = "negative" if rows.higher_is == "positive" else "positive"
        turned = replace(rows, positive=~rows.positive, higher_is=other)
        for target, side, share in zip(targets.values(), (rows, turned), (prevalence, None), strict=True):
            rule = min_precision(target, confidence=each, prevalence=share)
            if each is not None:
                worth, notes = independent_rows(rule, side, sweep_of(side))
                rule, self.notes = replace(rule, worth=worth), tuple(notes)
            self.rules.append(rule)

    def places(self, c: Candidates) -> list[int]:
        return self._places(c, self.rules)

    def _places(self, c: Candidates, rules: list[Rule]) -> list[int]:
        kept = []
        for rule, each in zip(rules, (c, _turned(c)), strict=True):
            if rule.confidence is None:
                keeps = rule.limits[0].holds(each)
            else:
                keeps = certified(rule.limits, each, rule.confidence, rule.worth)
            kept.append(keeps | (each.tp + each.fp == 0))
        up, down = c.scale
        passed = up * (c.positives - c.tp) + down * (c.negatives - c.fp)
        above, below = np.where(kept[0], -c.alarms, np.inf), np.where(kept[1][::-1], -passed, np.inf)
        return cheapest_pair(above, below, c.alarms)

    def again(self, places: list[int]) -> Callable[[Candidates], list[int]]:
        rules = []
        for rule, k in zip(self.rules, (places[0], -1 - places[1]), strict=True):
            rules.append(replace(rule, worth=tuple(w[k] if np.ndim(w) else w for w in rule.worth)))
        return lambda c: self._places(c, rules)

    def guarantee(self, c: Candidates, places: list[int]) -> Guarantee | None:
        """Return what holds on new rows; a target below which no row lies holds for nothing."""
        held = []
        sides = zip(self.rules, ("precision", "npv"), (c, _turned(c)), (places[0], -1 - places[1]), strict=True)
        for rule, name, each, k in sides if self.confidence is not None else ():
            if each.tp[k] + each.fp[k]:
                one = guarantee_at(rule, each, k, exact=not self.notes)
                held.append(replace(one, metric=name, confidence=float(self.confidence or 0)))
        return replace(held[0], also=tuple(held[1:])) if held else None


def cheapest_pair(above: Floats, below: Floats, alarms: Counts) -> list[int]:
    """Return places (high, low), high not below low, with the least sum of what each costs, and the fewest between.

    >>> cheapest_pair(np.array([0.0, -2, -1]), np.array([0.0, -1, -3]), np.array([0, 2, 3]))
    [1, 2]
    """
    finite = np.abs(np.concatenate([above, below]))
    slack = TOLERANCE * float(finite[np.isfinite(finite)].max(initial=0.0))
    least = np.minimum.accumulate(above)
    best = np.maximum.accumulate(np.where(above <= least + slack, np.arange(len(above)), 0))  # the last that is as good
    total = above[best] + below
    between = np.where(total <= total.min() + slack, alarms - alarms[best], np.inf)
    low = int(np.argmin(between))
    return [int(best[low]), low]


def _turned(c: Candidates) -> Candidates:
    """Return the candidates from the other end, where negatives are what is looked for."""
    share = None if c.prevalence is None else 1 - c.prevalence
    return Candidates((c.negatives - c.fp)[::-1], (c.positives - c.tp)[::-1], c.negatives, c.positives, share)


def _statement(sweep: Sweep, cuts: list[float], estimates: dict[str, Estimate], saves: str) -> Note:
    """Say what is flagged, passed and referred, and what that costs."""
    side, values = "high" if sweep.higher_is == "positive" else "low", {k: e.value for k, e in estimates.items()}
    there = {k: estimates[name].is_defined for k, name in (("flag", "precision"), ("pass", "npv"))}
    flag = note(
        f"referral_flag_{side}" if there["flag"] else "referral_flag_none", cut=str(cuts[0]), right=values["precision"]
    )
    passed = note(
        f"referral_pass_{side}" if there["pass"] else "referral_pass_none", cut=str(cuts[1]), right=values["npv"]
    )
    refer = note("referral_refer" if cuts[0] != cuts[1] else "referral_refer_none", share=values["referred"])
    statement = note("referral", flag=flag, passed=passed, refer=refer)
    if (saving := estimates.get("saving")) is None:
        return statement
    ends = {"saving": saving.value, "low": saving.low, "high": saving.high}
    return note(f"referral_{saves}", referral=statement, cost=values["cost"], **ends)


def _cut(sweep: Sweep, place: int) -> Any:
    if place:
        return sweep.threshold[place - 1].item()
    return math.inf if sweep.higher_is == "positive" else -math.inf


def _counts(c: Candidates, places: list[int]) -> Table:
    high, low = places[:2]
    ends = {"flagged": (0, high), "referred": (high, low), "passed": (low, len(c.tp) - 1)}
    each = {
        k: [counts[b].item() - counts[a].item() for a, b in ends.values()]
        for k, counts in (("positives", c.tp), ("negatives", c.fp))
    }
    return Table("On these rows", {"decision": list(ends), **each})


# of all rows: positives flagged, referred, passed; negatives likewise; positives and negatives that the single
# threshold flags. Each number is a ratio of two sums of these shares, by its weights above and below
EVERY = (1, 1, 1, 1, 1, 1, 0, 0)
SHARES: dict[str, tuple[Weights, Weights]] = {
    "referred": ((0, 1, 0, 0, 1, 0, 0, 0), EVERY),
    "flagged": ((1, 0, 0, 1, 0, 0, 0, 0), EVERY),
    "passed": ((0, 0, 1, 0, 0, 1, 0, 0), EVERY),
    "error": ((0, 0, 1, 1, 0, 0, 0, 0), (1, 0, 1, 1, 0, 1, 0, 0)),
    "precision": ((1, 0, 0, 0, 0, 0, 0, 0), (1, 0, 0, 1, 0, 0, 0, 0)),
    "npv": ((0, 0, 0, 0, 0, 1, 0, 0), (0, 0, 1, 0, 0, 1, 0, 0)),
}


def _costs(fp: float, fn: float, refer: float) -> dict[str, tuple[Weights, Weights]]:
    cost, saving = (0, refer, fn, fp, refer, 0, 0, 0), (fn, fn - refer, 0, -fp, -refer, 0, -fn, fp)
    return {"cost": (cost, EVERY), "saving": (saving, EVERY)}


class _Judge:
    """Numbers at places, corrected for their choice, with intervals from what each row adds to them."""

    def __init__(self, rows: Rows, c: Candidates, places: list[int], cuts: list[float], level: float) -> None:
        self.rows, self.places, self.level, self.replicates = rows, places, level, 0
        self.stated = c.prevalence is not None
        self.prevalence = float(c.positives / c.n) if c.prevalence is None else c.prevalence
        self.here = np.array([[c.tp[k] / c.positives, c.fp[k] / c.negatives] for k in places]).T
        self.corrected, on = self.here.copy(), rows.positive
        up, down = c.scale
        unit, weight = units_and_weights(rows)
        self.weight = weight * np.where(on, up, down)
        held = np.bincount(unit, self.weight)
        self.units = float(held.sum() ** 2 / (held @ held)) if rows.weight_kind == "sampling" else float(held.sum())
        flags = np.array([flagged_rows(rows, cut) for cut in cuts])
        three = np.array([flags[0], ~flags[0] & flags[1], ~flags[1]])
        self.member = np.concatenate([three & on, three & ~on, [flags[-1] & on, flags[-1] & ~on]])

    def correct(self, choices: list[Choices], share: float) -> None:
        """Correct recall and FPR at each place by a share of what choices on resamples promised too much."""
        for k, one in enumerate(choices):
            drawn, left_out = (counts.sum(axis=0) for counts in (one.drawn, one.not_drawn))
            self.replicates = len(one.place)
            if (
                left_out[2:].all() and self.here[:, k].any() and not (self.here[:, k] == 1).all()
            ):  # no row, or every one
                apart = drawn[:2] / drawn[2:] - left_out[:2] / left_out[2:]
                self.corrected[:, k] = np.clip(self.here[:, k] - share * apart, 0, 1)
        self.corrected[:, 1] = np.maximum(self.corrected[:, 1], self.corrected[:, 0])  # no zone is smaller than none

    def number(self, above: Weights, below: Weights, rates: Floats) -> float:
        """Return a number from recall and FPR at the places; NaN where no row has the answer."""
        each = [
            share * np.array([at[0], at[1] - at[0], 1 - at[1], at[-1]])
            for share, at in zip((self.prevalence, 1 - self.prevalence), rates, strict=True)
        ]
        shares = np.array([*each[0][:3], *each[1][:3], each[0][3], each[1][3]])
        whole = float(shares @ below)
        return float(shares @ above) / whole if whole > 0 else math.nan

    def estimate(self, name: str, above: Weights, below: Weights) -> Estimate:
        """Return a number as expected on new rows, with its interval."""
        value, apparent = (self.number(above, below, rates) for rates in (self.corrected, self.here))
        if math.isnan(value):
            return undefined(name, self.level, note("referral_no_row"))
        if len({"referred": {*self.places[:2]}, "saving": {*self.places}}.get(name, (0, 1))) == 1:  # none is referred
            return Estimate(name, 0.0, 0.0, 0.0, self.level, METHOD, 0.0, self.replicates)
        whole = float(self.weight @ (below @ self.member))
        each = self.weight * ((np.array(above) - value * np.array(below)) @ self.member) / whole
        for on in (self.rows.positive, ~self.rows.positive) if self.stated else (slice(None),):
            each[on] -= self.weight[on] * each[on].sum() / self.weight[on].sum()
        spread = influences_of(each, self.rows).spread()
        if name in SHARES:
            most = self.units * whole / float(self.weight.sum())
            trials = min(value * (1 - value) / spread.variance, most) if spread.variance > 0 else most
            low, high = rate_interval(min(value, 1.0) * trials, trials, level=self.level)
        else:
            low, high = WaldPivot(value, spread).ends(self.level)
        moves = []  # corrections are estimates too
        for k in np.ndindex(*self.here.shape):
            moved = self.corrected.copy()
            moved[k] = self.here[k]
            moves.append(self.number(above, below, moved) - value)
        unsure = math.hypot(*np.nan_to_num(moves))
        low = value - math.hypot(value - low, max(value - apparent, unsure))
        high = value + math.hypot(high - value, max(apparent - value, unsure))
        ends = (max(low, 0.0), min(high, 1.0)) if name in SHARES else (low, high)
        return Estimate(name, value, *ends, self.level, METHOD, spread.error, self.replicates)

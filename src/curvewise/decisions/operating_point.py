"""Choose a threshold by a rule, and say what it will do."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.core.resampling import REPLICATES
from curvewise.core.sweep import Sweep, as_source, sweep_of
from curvewise.decisions import rules
from curvewise.decisions.choice import Candidates, Rule, confusion_of
from curvewise.decisions.expected_cost import BestFor, best_for, implied_cost_ratio
from curvewise.decisions.guarantee import Guarantee, guarantee_at, independent_rows
from curvewise.decisions.optimism import Optimism, optimism
from curvewise.decisions.predictive_values import rates_at
from curvewise.decisions.repeated_choice import Choices, repeat_choice
from curvewise.decisions.row_costs import costs_by_row
from curvewise.decisions.trivial import DecisionCost, decision_cost, trivial_notes
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, note
from curvewise.inference.interval import FEW
from curvewise.metric.registry import find
from curvewise.results.numbers import json_safe, percent, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real, whole
from curvewise.rows.columns import shown
from curvewise.rows.reading import rows_within
from curvewise.rows.rows import RowOptions, Rows
from curvewise.rows.seeds import random_stream

if TYPE_CHECKING:
    from curvewise.core.confusion import Confusion
    from curvewise.results.estimate import Estimate

TIES_SHOWN = 5
CELLS = ("tp", "fp", "fn", "tn")
NUMBERS = ("metric", "value", "low", "high")


@dataclass(frozen=True, repr=False)
class OperatingPoint(Result, schema="operating_point"):
    """A threshold chosen by a rule, made by `curvewise.operating_point`.

    Attributes
    ----------
    threshold, flags_nothing
        The observed score to cut at; infinite where no row is flagged, which ``flags_nothing`` says.
    midpoint
        Halfway to the next score, which is not flagged: the same rows here, and safer where a score changes
        in its last digits. Infinite where every row is flagged.
    tied
        All thresholds that are equally good, the chosen one first.
    value
        What the rule made as good as it could, on these rows (``confusion`` counts them) and at its
        ``prevalence``, which the rates and the sentence refer to too.
    estimates
        Every rate that a threshold moves by its name, as on these rows, at that prevalence. Its interval is that
        of a threshold that was fixed beforehand; of a chosen one, see ``expected``.
    threshold_interval
        Where the threshold would lie on other samples of this size, by bootstrap; None without resamples.
    optimism
        What the rule gave here (``apparent``) against what this threshold is expected to give on new rows
        (``corrected``); None without resamples.
    best_for
        The costs for which this is the cheapest point of all.
    guarantee
        The limit that holds on new rows, where the rule was given a ``confidence``.
    statement
        The choice in plain words: what is flagged, and what is expected of it on new rows; without resamples,
        what it gave on these.
    cost
        What a row costs by these decisions, where the rule states costs, beside flagging no row and every row.
    """

    rule: Rule
    threshold: float
    flags_nothing: bool
    midpoint: float
    tied: tuple[float, ...]
    confusion: Confusion
    value: float
    prevalence: float
    estimates: dict[str, Estimate]
    threshold_interval: tuple[float, float] | None
    optimism: Optimism | None
    best_for: BestFor
    statement: Note
    level: float
    replicates: int
    higher_is: str
    guarantee: Guarantee | None = None
    notes: tuple[Note, ...] = ()
    cost: DecisionCost | None = None

    @property
    def sentence(self) -> str:
        """The choice in one English sentence."""
        return self.sentence_in("en")

    def sentence_in(self, lang: str) -> str:
        """Return the choice in one sentence of a language, ``"en"`` or ``"zh"``."""
        return self.statement.text(lang).replace("\u00a0", " ")  # plain text, to be copied and compared

    @property
    def cost_ratio(self) -> float:
        """How many false alarms one miss equals, by what the rule chose.

        Of `rules.min_cost` and `rules.max_net_benefit` it is what was stated, of `rules.youden` (1−π)/π, which
        weighs both rates alike. Any other rule states none: then it is one for which this point is the cheapest
        (the geometric middle of ``best_for.cost_ratio``; twice or half of its end where it has only one), or,
        below the ROC hull, the one for which it loses least, but no less than makes its alarms worth their cost.
        """
        if self.cost is not None:
            return self.cost.ratio
        return implied_cost_ratio(self.rule, self.best_for, self.confusion)

    @property
    def is_corrected(self) -> bool:
        """Whether it is known what to expect on new rows: whether there were resamples that say it."""
        return self.optimism is not None and self.optimism["recall"].corrected.is_defined

    @property
    def expected(self) -> dict[str, Estimate]:
        """Every rate as expected on new rows, corrected for the choice; without resamples those of these rows."""
        if self.optimism is None or not self.is_corrected:
            return self.estimates
        return {name: self.optimism[name].corrected for name in self.estimates}

    @property
    def rates(self) -> Table:
        """Every rate as expected on new rows, with its interval, the uncorrected one, and what it says."""
        stated = self.rule.prevalence is not None
        where = "to expect on new rows" if self.is_corrected else "on these rows"
        where += f", at a prevalence of {percent(self.prevalence)}" if stated else ""
        rows = []
        for name, e in self.expected.items():
            ends = (e.low, e.high) if e.has_interval else (None, None)
            here = (self.estimates[name].value,) if self.is_corrected else ()
            says = find(name).meaning(value=e.value) if e.is_defined else str(e.reason)
            rows.append((name, e.value, *ends, *here, says))
        names = (*NUMBERS, *(("apparent",) if self.is_corrected else ()), "meaning")
        return _table(f"Rates {where} ({percent(self.level)} intervals)", names, rows)

    @property
    def table(self) -> Table:
        """The rates."""
        return self.rates

    def headline(self) -> str:
        """Return rule, threshold and value in one line."""
        deploy = f" (to deploy: {self.midpoint:.10g})" if self.midpoint != self.threshold else ""
        sure = f", {self._interval()}" if self.threshold_interval else ""
        goal = ", ".join(f"{self.rule.goal} {value} {where}" for where, value in self._goal())
        return f"{self.rule!r}: threshold {self.threshold!r}{deploy}{sure}; {goal}"

    def _goal(self) -> list[tuple[str, str]]:
        """Return what the rule made best, where and how much, the corrected value first."""
        new = self.optimism.goal.corrected if self.optimism else None
        later = [("on new rows", new.brief())] if new is not None and new.is_defined else []
        return [*later, ("uncorrected" if later else "on these rows", show(self.value))]

    def _interval(self) -> str:
        low, high = self.threshold_interval or (math.nan, math.nan)
        return f"{percent(self.level)} interval {show(low)} to {show(high)}"

    def remarks(self) -> list[Note]:
        """Return what else is to be said: for which costs it is best, ties, notes."""
        others = [repr(t) for t in self.tied[1:]]
        shown, more = ", ".join(others[:TIES_SHOWN]), len(others) - TIES_SHOWN
        ties = note("tied_and_more", scores=shown, more=more) if more > 0 else note("tied", scores=shown)
        return [*self.on_costs, *([ties] if others else []), *self.notes]

    @property
    def on_costs(self) -> list[Note]:
        """What the decisions cost in the user's unit, or by row; and for which costs of all rows they are best."""
        money = [self.cost.statement] if self.cost is not None and (self.rule.by_row or self.cost.unit) else []
        return money if self.rule.by_row else [*money, self.best_for.statement]

    @property
    def choice(self) -> Table:
        """The threshold with its interval, what to deploy, the counts, and what the rule made best."""
        sure = f" ({self._interval()})" if self.threshold_interval else ""
        counts = "weighted counts" if isinstance(self.confusion.tp, float) else "counts"
        facts = [
            ("threshold", f"{self.threshold}{sure}"),
            ("to deploy (halfway to the next score)", f"{self.midpoint:.10g}"),
            (f"{counts} on these rows", ", ".join(f"{k.upper()} {_cell(self.confusion, k)}" for k in CELLS)),
            *((f"{self.rule.goal} {where}", value) for where, value in self._goal()),
        ]
        return _table(f"Choice by {self.rule!r}", ("what", "value"), facts)

    def tables(self) -> list[Table]:
        """Return every number: of the choice, the rates of these rows, and (``corrected_``) of new ones."""
        alone = {"midpoint": self.midpoint, **{k: getattr(self.confusion, k) for k in CELLS}}
        if self.rule.goal not in self.estimates:
            alone[self.rule.goal] = self.value
        rows: list[tuple[Any, ...]] = [("threshold", self.threshold, *(self.threshold_interval or (None, None)))]
        rows += [(name, value, None, None) for name, value in alone.items()]
        rows += [(name, *_numbers(e)) for name, e in self.estimates.items()]
        later = self.optimism.expectations if self.optimism else ()
        rows += [(f"corrected_{e.metric}", *_numbers(e.corrected)) for e in later]
        found = [_table("", NUMBERS, rows)]
        return [Table(t.title, {"threshold": [self.threshold] * len(t), **t.columns}) for t in found]

    def parts(self) -> list[Table | Note]:
        """Return the choice, the statement, the rates and the remarks."""
        return [self.choice, self.statement, self.rates, *self.remarks()]

    def __str__(self) -> str:
        first, *rest = self.remarks()
        remarks = [f"{first}.", *(f"Note: {remark}." for remark in rest)]
        said = [f"{self.headline()}\n{self.sentence}", str(self.rates), "\n".join(remarks)]
        return "\n\n".join(said)

    def content(self) -> dict[str, Any]:
        """Return all fields, JSON-safe; the rule by its name and options, the sentence in English."""
        return {
            **super().content(),
            "goal": self.rule.goal,
            "sentence": self.sentence,
            "cost_ratio": json_safe(self.cost_ratio),
        }


def _cell(c: Confusion, name: str) -> str:
    return show(getattr(c, name)) or "unknown"


def _numbers(e: Estimate) -> tuple[float | None, ...]:
    return (e.value, e.low, e.high) if e.has_interval else (e.value, None, None)


def _table(title: str, names: tuple[str, ...], rows: Sequence[tuple[Any, ...]]) -> Table:
    return Table(title, dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def operating_point(
    y: object,
    score: object = None,
    rule: Rule | Callable[[Confusion], float] | None = None,
    *,
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    **rows: Unpack[RowOptions],
) -> OperatingPoint:
    """Choose a threshold by a rule, and say what it does here and will do on new rows.

    Parameters
    ----------
    y, score
        A `Sweep` or `Rows` alone, or labels and scores with the options of `curvewise.sweep`.
    rule
        One of `curvewise.rules`, as in ``rules.min_cost(fp=1, fn=10, prevalence=0.02)``, or any function of
        a `Confusion`, which is made as large as can be. After a sweep or rows it may stand in the place of
        the scores: ``operating_point(sweep, rule)``.
    level, rng, replicates
        As in `curvewise.interval`; 0 replicates leave out the interval of the threshold and the optimism.

    Raises
    ------
    UndefinedMetricError
        If no observed score keeps within the limit of the rule; the message says what comes nearest.

    Notes
    -----
    A threshold chosen on the rows that it is judged on looks better than it is. To see by how much, the rule
    is applied again to bootstrap resamples; what it gives there, less what the same thresholds give on the
    rows not drawn (out of bag), is the optimism of choices as unstable as those on half as many rows. Recall
    and FPR less 0.63 of that (2^(-2/3), the law of the best point of a step curve; 1/2 for a rule with a
    limit) are ``corrected``: what this threshold is expected to give on new rows. All other metrics are
    read from the table with those two rates, and so agree with them and with each other. In simulations
    of 60 to 1 000 rows (at least 10 of each class, AUC 0.75 to 0.97) the apparent recall was too high by up to
    0.12 on average, the corrected one off by at most 0.02.

    The interval of a corrected rate is Wilson's at that rate, of as many independent rows as the rate is known by.
    Towards the apparent value the size of the correction is added to it (as a root of a sum of squares), because
    the correction is an estimate too. What is no rate, such as a cost or Youden's J, moves as far as recall, FPR
    and prevalence move it, added in the same way. In those simulations, with the rules `youden`, `min_cost`,
    `max_fpr` and `min_recall`, intervals of 95% held what the chosen threshold does in the population in 93 to 99
    of 100 samples, 95.5 on average.

    The interval of the threshold is the range of thresholds chosen on resamples. It is often wide, and
    rough: the best point of a step curve converges slowly (with the cube root of the number of rows), and its
    value matters more than its place.

    With clusters, whole clusters are resampled; with sampling weights, rows, whatever their weight; with strata,
    either within strata. Their intervals are of as many independent rows as clustered or weighted rows are worth.

    Resamples choose among at most 8 192 thresholds, densest near the chosen one; with more than 50 000 rows,
    among 2 048, and each row is drawn a Poisson(1) number of times; for a function, among 256.

    References
    ----------
    Efron & Tibshirani (1997) J. Am. Stat. Assoc. 92:548-560 (out of bag). Zou & Donner (2008) Stat. Med.
    27:1693-1702 (adding up what parts may be off). Kim & Pollard (1990) Ann.
    Statist. 18:191-219 (cube roots). Metz (1978) Semin. Nucl. Med. 8:283-298 (costs and slopes).

    Examples
    --------
    >>> import curvewise as cw
    >>> s = cw.Sweep.from_counts([5, 4, 3, 2, 1], [33, 11, 2, 2, 3], [2, 11, 6, 6, 33])
    >>> point = cw.operating_point(s, cw.rules.min_recall(0.9))
    >>> point.threshold, point.midpoint, round(point.value, 4)
    (3, 2.5, 0.3276)
    >>> print(point.sentence.split(",")[0])
    Flag scores of 3 or more. On new data
    >>> point.optimism["recall"].corrected.brief(), round(point.estimates["recall"].value, 4)
    ('0.8865 (0.7713 to 0.9496)', 0.902)
    """
    level = real("level", level, 0, 1, closed=False)
    replicates = whole("replicates", replicates, 0)
    random_stream(rng)  # refuses what is no seed
    asked: object = rule
    y = rows_within(y)
    if isinstance(y, (Sweep, Rows)) and rule is None and (isinstance(score, Rule) or callable(score)):
        asked, score = score, None
    return point_of(as_source(y, score, rows), _rule(asked), rng=rng, level=level, replicates=replicates)


def point_of(
    source: Sweep | Rows,
    rule: Rule,
    *,
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
) -> OperatingPoint:
    """Choose on a sweep, or on rows, which are needed where they are clustered or weighted."""
    costs = costs_by_row(source, rule)
    source = source if costs is None else costs.rows
    rows, sweep = (None, source) if isinstance(source, Sweep) else (source, sweep_of(source))
    _need_scores(sweep, rule)
    candidates, dependent, guarantee = Candidates.of(sweep, rule.prevalence, costs), list[Note](), None
    if rule.confidence is not None:
        worth, dependent = independent_rows(rule, rows, sweep)
        rule = replace(rule, worth=worth)
    tied = np.array([np.count_nonzero(sweep.threshold >= 0)]) if rule.decides_rows else rule.best(candidates)
    place = int(tied[0])
    if rule.confidence is not None:
        guarantee = guarantee_at(rule, candidates, place, exact=not dependent)
        rule = replace(rule, worth=tuple(np.take(each, place) if np.ndim(each) else each for each in rule.worth))
    prevalence = _prevalence(sweep) if rule.prevalence is None else rule.prevalence
    counts, cut = candidates.counts(place), 0.0 if rule.decides_rows else _threshold(sweep, place)
    replicates = 0 if rule.decides_rows else replicates  # nothing is chosen on these rows
    confusion = replace(confusion_of(*counts), threshold=cut, dropped=sweep.dropped)
    there = confusion_of(*counts, prevalence=rule.prevalence)
    notes = [note("infinite_scores")] if place == 0 and math.isinf(sweep.threshold[0]) else []
    notes += [*dependent, *_few(rows, sweep)]
    found, blocks = None, len(sweep.threshold)
    if replicates and sweep.negatives is None:
        notes.append(note("unknown_negatives_no_interval"))
    elif replicates and rows is None and not sweep.is_whole:
        notes.append(note("weighted_sweep_not_resampled"))
    elif replicates:
        try:
            found = repeat_choice(rows, sweep, rule, place, replicates, rng, costs)
        except UndefinedMetricError:
            notes.append(note("no_resample_answers", replicates=replicates))
    if found and found.failed:
        notes.append(note("resamples_without_answer", failed=found.failed, replicates=replicates))
    if found and found.candidates < blocks:
        notes.append(note("candidates", among=found.candidates, thresholds=blocks))
    later = None if found is None else optimism(rule, source, cut, counts, found, level, costs)
    statement = _statement(sweep, place, there, later, prevalence, rule)
    value = rule.measures[rule.goal](there) if costs is None else float(candidates.cost[place])
    point = OperatingPoint(
        rule=rule,
        threshold=cut,
        flags_nothing=place == 0,
        midpoint=0.0 if rule.decides_rows else _midpoint(sweep, place),
        tied=(cut, *sweep.threshold[tied[1:] - 1].tolist()),
        confusion=confusion,
        value=value,
        prevalence=prevalence,
        estimates=rates_at(source, sweep, confusion, rule.prevalence, level),
        threshold_interval=None if found is None else _ends(sweep, found, level),
        optimism=later,
        best_for=best_for(sweep, place, prevalence),
        statement=_with_limit(rule, statement, guarantee, cut, sweep),
        level=level,
        replicates=0 if found is None else len(found.place),
        higher_is=sweep.higher_is,
        guarantee=guarantee,
        notes=tuple(notes),
    )
    point = replace(point, cost=decision_cost(point, sweep, costs))
    return replace(point, notes=(*trivial_notes(point), *point.notes))


def _need_scores(sweep: Sweep, rule: Rule) -> None:
    """Refuse where a class that the rule needs is absent or unknown, or nothing has a score."""
    if sweep.negatives is not None or rule.needs_negatives or rule.prevalence is not None:
        sweep.need_both_classes("An operating point" if sweep.negatives is not None else f"The rule {rule!r}")
    sweep.need_positives("An operating point")
    if not len(sweep.threshold):
        raise UndefinedMetricError("An operating point needs scores: no positive has one.")


def _prevalence(sweep: Sweep) -> float:
    """Return the share of positives; NaN where negatives are unknown."""
    return math.nan if sweep.negatives is None else sweep.prevalence


def _rule(rule: object) -> Rule:
    if isinstance(rule, Rule):
        return rule
    name = getattr(rule, "__name__", "")
    if getattr(rules, name, None) is rule and name in rules.__all__:
        raise CurvewiseError(f"rule: expected a rule, got the function that makes it; call it: rules.{name}(…).")
    if callable(rule) and not isinstance(rule, type):
        return rules.max_of(rule)
    raise CurvewiseError(
        "rule: expected one of curvewise.rules, as in rule=rules.max_fpr(0.05), or a function of a "
        f"Confusion, got {shown(rule)}."
    )


def _statement(sweep: Sweep, place: int, c: Confusion, later: Optimism | None, prevalence: float, rule: Rule) -> Note:
    """Say what is flagged, and what follows for 100 positives, 100 negatives and 100 alarms, and on which rows."""
    side = "high" if sweep.higher_is == "positive" else "low"
    code = f"point_flags_all_{side}" if place == len(sweep.threshold) else f"point_flags_{side}"
    code = "point_flags_gain" if rule.decides_rows else code
    cut = note(code, threshold=str(sweep.threshold[place - 1])) if place else None
    if sweep.negatives is None:
        if cut is None:
            return note("point_flags_no_row")
        return note("point_without_negatives", cut=cut, recall=c.recall, precision=c.precision)
    whose = "stated" if rule.prevalence is not None or sweep.sample_prevalence is not None else "sample"
    where = note(f"prevalence_{whose}", prevalence=prevalence)
    if cut is None:
        return note("point_flags_none", where=where)
    here = {"recall": c.recall, "fpr": c.fpr, "precision": c.precision}
    if later is None or not later["recall"].corrected.is_defined:
        return note("point_on_these_rows", cut=cut, where=where, **here)
    new = {name: later[name].corrected.value for name in here}
    return note("point_on_new_rows", cut=cut, where=where, **new, **{f"{k}_here": v for k, v in here.items()})


def _with_limit(rule: Rule, statement: Note, guarantee: Guarantee | None, threshold: float, sweep: Sweep) -> Note:
    """Add on which rows the limits of a rule hold."""
    if not rule.limits:
        return statement
    limit = note("limit_here") if guarantee is None else guarantee.statement(str(threshold), sweep.higher_is)
    return note("point_with_limit", point=statement, limit=limit)


def _threshold(sweep: Sweep, place: int) -> Any:
    """Return the score of a candidate; infinite where no row is flagged."""
    return sweep.threshold[place - 1].item() if place else _none(sweep)


def _none(sweep: Sweep) -> float:
    return math.inf if sweep.higher_is == "positive" else -math.inf


def _midpoint(sweep: Sweep, place: int) -> Any:
    """Return a threshold halfway to the next score, or the score itself where no number lies between."""
    here = _threshold(sweep, place)
    if place == len(sweep.threshold):
        return -_none(sweep)
    middle = here / 2 + sweep.threshold[place].item() / 2
    if place == 0 or math.isnan(middle):  # between the two infinities
        return here
    ours, theirs = sweep.at(here), sweep.at(middle)
    return middle if (ours.tp, ours.fp) == (theirs.tp, theirs.fp) else here


def _few(rows: Rows | None, sweep: Sweep) -> list[Note]:
    """Warn of a class of few rows, where rows can be counted."""
    if rows is not None and not rows.is_whole:
        p, n = int(np.count_nonzero(rows.positive)), int(np.count_nonzero(~rows.positive))
    elif sweep.is_whole:
        p = int(sweep.positives)
        n = p if sweep.negatives is None else int(sweep.negatives)
    else:
        return []
    code, few = ("few_positives_chosen", p) if p <= n else ("few_negatives_chosen", n)
    return [note(code, count=few)] if few < FEW else []


def _ends(sweep: Sweep, found: Choices, level: float) -> tuple[float, float]:
    """Return the ends of the thresholds chosen on resamples, each an observed score."""
    places, last = np.sort(found.place), len(found.place) - 1
    ends = math.floor((1 - level) / 2 * last), math.ceil((1 + level) / 2 * last)
    low, high = sorted(_threshold(sweep, int(places[k])) for k in ends)
    return low, high

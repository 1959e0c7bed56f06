"""What a rule gave on the rows it was chosen on, against what its choice is expected to give on new ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.core.rate import RateOfRows, flagged_rows, rate_interval, rate_of_cells
from curvewise.decisions.choice import Measure, Rule, confusion_of, metric_measure, rate_metrics
from curvewise.decisions.predictive_values import RatePair
from curvewise.errors import Note, note
from curvewise.metric.registry import Metric, find
from curvewise.results.estimate import Estimate, undefined
from curvewise.results.numbers import percent
from curvewise.results.result import Result, Table
from curvewise.rows.rows import Rows

if TYPE_CHECKING:
    from curvewise.core.confusion import Confusion
    from curvewise.core.sweep import Sweep
    from curvewise.decisions.repeated_choice import Choices
    from curvewise.decisions.row_costs import CostsOfRows

METHOD = "optimism-corrected"

# A threshold chosen on a resample is as unstable as one chosen on half as many rows, so it looks better than
# it is by more than the one chosen on all of them: by 2^(2/3) for the best point of a step curve, whose
# optimism falls with the number of rows to that power; by 2 for one at a limit, a quantile, whose optimism
# falls as 1/n.
BEST, AT_LIMIT = 2 ** (-2 / 3), 1 / 2

PARTS = ("recall", "fpr", "prevalence")  # of which every metric of a confusion table is made


@dataclass(frozen=True, repr=False)
class Expectation(Result, schema="expectation"):
    """One metric on the rows of the choice (``apparent``) and as expected on new rows (``corrected``)."""

    metric: str
    apparent: float
    corrected: Estimate

    @property
    def difference(self) -> float:
        """Apparent minus corrected: how much better it looks than it is (for a cost, below 0)."""
        return self.apparent - self.corrected.value

    @property
    def table(self) -> Table:
        """One row."""
        return _table("", [self])

    def content(self) -> dict[str, Any]:
        """Return the row of the table, JSON-safe."""
        return dict(self.table.content()["rows"][0])


@dataclass(frozen=True, repr=False)
class Optimism(Result, schema="optimism"):
    """The metrics of a rule: its goal first, then its limit and every rate that a threshold moves."""

    expectations: tuple[Expectation, ...]
    level: float
    replicates: int

    def __getitem__(self, metric: str) -> Expectation:
        return {e.metric: e for e in self.expectations}[metric]

    @property
    def goal(self) -> Expectation:
        """What the rule made as good as it could."""
        return self.expectations[0]

    @property
    def table(self) -> Table:
        """One row per metric."""
        how = f"{self.replicates} resamples, {percent(self.level)} intervals"
        return _table(f"On these rows (apparent), and as expected on new ones (corrected; {how})", self.expectations)


def _table(title: str, rows: Sequence[Expectation]) -> Table:
    columns: dict[str, list[Any]] = {name: [getattr(e, name) for e in rows] for name in ("metric", "apparent")}
    columns |= {"corrected": [e.corrected.value for e in rows]}
    columns |= {name: [getattr(e.corrected, name) for e in rows] for name in ("low", "high")}
    return Table(title, columns | {"difference": [e.difference for e in rows]})


def optimism(
    rule: Rule,
    source: Sweep | Rows,
    threshold: float,
    counts: tuple[float, ...],
    found: Choices,
    level: float,
    costs: CostsOfRows | None = None,
) -> Optimism:
    """Judge every metric at the chosen threshold, whose counts are given, here and as expected on new rows.

    The optimism of the choices on resamples is what they gave on the rows drawn less what they gave on the
    rows not drawn, both as summed counts: a ratio of a handful of rows is biased. Recall and FPR are corrected
    by a share of it; every other metric is read from the table with the corrected rates, so that all of them
    agree with each other. A threshold that flags no row does so on new rows too: nothing is corrected.
    """
    here, moved = confusion_of(*counts), confusion_of(*counts, prevalence=rule.prevalence)
    there = _corrected(here, found, AT_LIMIT if rule.limits else BEST)
    rates = {m.name: m for m in rate_metrics()}
    measures = {**rule.measures} | {k: metric_measure(k) for k in rates if k not in rule.measures}
    expectations, replicates = [], len(found.place)
    for name, measure in measures.items():
        if costs is not None and name == rule.goal:
            flags = (
                np.zeros(len(costs.rows), dtype=bool) if not sum(counts[:2]) else flagged_rows(costs.rows, threshold)
            )
            expectations.append(_cost(name, costs, flags, found, level))
            continue
        if there is None:
            number = undefined(name, level, note("no_row_left_out"))
        else:
            judge = _Judge(source, threshold, here, there, rule.prevalence, level)
            value, low, high = judge.rate(rates[name]) if name in rates else judge.measure(measure)
            how, why = (METHOD, None) if not math.isnan(low) else (None, judge.reason(value))
            number = Estimate(name, value, low, high, level, how, replicates=replicates, reason=why)
        expectations.append(Expectation(name, measure(moved), number))
    return Optimism(tuple(expectations), level, replicates)


def _cost(name: str, costs: CostsOfRows, flagged: NDArray[np.bool_], found: Choices, level: float) -> Expectation:
    """Return the mean cost of rows that differ in what they cost, here and as expected on new rows."""
    each = costs.of_rows(flagged)
    apparent = costs.mean(each)
    drawn, left_out = found.costs or (math.nan, math.nan)
    if math.isnan(left_out):
        return Expectation(name, apparent, undefined(name, level, note("no_row_left_out")))
    value = apparent - BEST * (drawn - left_out) if flagged.any() else apparent
    ends = costs.interval(value, each, level, apparent)
    return Expectation(name, apparent, Estimate(name, value, *ends, level, METHOD, replicates=len(found.place)))


def _corrected(here: Confusion, found: Choices, share: float) -> Confusion | None:
    """Return the table with corrected recall and FPR; None where no row was ever left to judge by."""
    if not here.tp + here.fp:
        return here
    drawn, left_out = (confusion_of(*c.sum(axis=0).tolist()) for c in (found.drawn, found.not_drawn))
    if not (left_out.positives and left_out.negatives):
        return None
    names, (p, n) = ("recall", "fpr"), (here.positives, here.negatives)
    off = (getattr(here, k) - share * (getattr(drawn, k) - getattr(left_out, k)) for k in names)
    recall, fpr = (min(max(v, 0.0), 1.0) for v in off)
    return confusion_of(recall * p, fpr * n, p, n)


def _length(moves: NDArray[np.float64], together: NDArray[np.float64]) -> float:
    """Return the root of the sum of squares of moves that are correlated."""
    if not np.isfinite(moves).all():
        return math.nan if np.isnan(moves).any() else math.inf
    return math.sqrt(max(float(moves @ together @ moves), 0.0))


@dataclass(frozen=True)
class _Judge:
    """The intervals of what is read from the table with corrected rates (``there``).

    A rate has Wilson's interval at its corrected value, of as many independent rows as it is known by here.
    Towards the apparent value (``here``) it reaches further, for the correction is an estimate too: its size is
    added to the distance, as the root of the sum of squares. What is no rate moves as recall, FPR and prevalence
    move to their ends, and the moves are added in the same way (Zou and Donner's MOVER).
    """

    source: Sweep | Rows
    threshold: float
    here: Confusion
    there: Confusion
    prevalence: float | None
    level: float

    def rate(self, metric: Metric) -> tuple[float, float, float]:
        """Return a rate with the ends of its interval."""
        if self.prevalence is not None and metric.prevalence:
            tpr, fpr = (self._share(name) for name in PARTS[:2])
            pair = RatePair(tpr[1:], fpr[1:], self._known("recall").correlation(self._known("fpr")))
            found = pair.at(metric, self.there, self.prevalence, self.level)
            return found.value, found.low, found.high
        return self._share(metric.name)

    def measure(self, measure: Measure) -> tuple[float, float, float]:
        """Return any measure of a confusion table with the ends of its interval."""
        names = PARTS if self.prevalence is None else PARTS[:2]
        shares = [self._share(name) for name in names]
        centre = [value for value, _, _ in shares]

        def at(values: Sequence[float]) -> float:
            recall, fpr, *prevalence = values
            p, n = self.there.positives, self.there.negatives
            share = prevalence[0] if prevalence else self.prevalence
            return measure(confusion_of(recall * p, fpr * n, p, n, prevalence=share))

        value = at(centre)
        if not math.isfinite(value) or np.isnan(shares).any():
            return value, math.nan, math.nan
        moves = []
        for k, (_, low, high) in enumerate(shares):
            ends = [[*centre[:k], end, *centre[k + 1 :]] for end in (low, high)]
            moves.append([(at(end) - value, side) for end, side in zip(ends, (-1, 1), strict=True)])
        known = [self._known(name) for name in names]
        together = np.array([[one.correlation(other) if one is not other else 1.0 for other in known] for one in known])
        down, up = (np.array([side * abs(change) for change, side in map(pick, moves)]) for pick in (min, max))
        low, high = (_length(d, together) for d in (down, up))
        return value, max(value - low, measure.low), min(value + high, measure.high)

    def reason(self, value: float) -> Note:
        """Say why there is no interval."""
        if math.isinf(value):
            return note("infinite_value")
        if not math.isnan(value):
            return note("one_cluster")
        empty = self.there.reason("")
        return empty if empty.values["empty"] else note("function_nan")

    def _share(self, name: str) -> tuple[float, float, float]:
        """Return a rate at its corrected value, with the ends of its interval."""
        value, apparent, trials = getattr(self.there, name), getattr(self.here, name), self._known(name).trials
        if not self.here.tp + self.here.fp and name in PARTS[:2]:
            return 0.0, 0.0, 0.0  # no row is flagged, here or anywhere
        if math.isnan(value) or math.isnan(trials):
            return value, math.nan, math.nan
        low, high = rate_interval(min(value * trials, trials), trials, level=self.level)
        high = value + math.hypot(high - value, max(apparent - value, 0.0))
        low = value - math.hypot(value - low, max(value - apparent, 0.0))
        return value, max(low, 0.0), min(high, 1.0)

    def _known(self, name: str) -> RateOfRows:
        """Return how well a rate is known here: by how many independent rows, and what each adds."""
        part, whole = find(name).rate or ((), ())
        if isinstance(self.source, Rows) and not self.source.is_plain:
            return rate_of_cells(self.source, self.threshold, part, whole, level=self.level)
        trials = sum(getattr(self.here, cell) for cell in whole)
        return RateOfRows(getattr(self.here, name), trials or math.nan, np.array([]))

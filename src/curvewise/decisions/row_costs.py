"""Costs that differ from row to row: the amount of a loan, of a fraud, of a treatment."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.confusion import checked_costs
from curvewise.core.probability import probabilities
from curvewise.core.ranking import rank
from curvewise.core.rate import units_and_weights
from curvewise.core.sweep import Sweep
from curvewise.errors import CurvewiseError, OptionError
from curvewise.inference.influence import Influences, independent_sizes, influences_of
from curvewise.inference.limits import critical_value
from curvewise.rows.checks import cost_number
from curvewise.rows.columns import as_column, count, is_number, shown
from curvewise.rows.reading import real_numbers

if TYPE_CHECKING:
    from curvewise.decisions.choice import Rule
    from curvewise.rows.rows import Rows

COSTS = ("fp", "fn", "tp", "tn")  # the order of the columns of `Rows.costs`


@dataclass(frozen=True, eq=False)
class CostColumn:
    """What one outcome costs, one value per row, and what the column is called."""

    values: Floats
    name: str = "one per row"

    @classmethod
    def read(cls, option: str, data: object, name: str = "one per row") -> CostColumn:
        """Read a column; refuse what is missing or infinite, and a mistake that gains."""
        column = as_column(data, option)
        if column.missing is not None:
            raise column.wrong(column.missing, "a cost for every row")
        values = real_numbers(column).astype(np.float64)
        if (wrong := ~np.isfinite(values)).any():
            raise column.wrong(wrong, "finite costs")
        if option in ("fp", "fn") and (wrong := values < 0).any():
            raise column.wrong(wrong, "costs of 0 or more for a mistake", "a gain is a negative cost of tp or tn")
        return cls(values, name)

    def __str__(self) -> str:
        return self.name

    def of_rows(self, option: str, rows: Rows) -> Floats:
        """Return the costs of rows, some of which may have been left out when they were read."""
        given, here = len(self.values), len(rows)
        if given == here:
            return self.values
        if rows.kept is not None and given > rows.kept.max():
            return self.values[rows.kept]
        raise OptionError.of(option, f"expected one cost per row, {here}, got {count(given, 'value')}.")


def read_costs(**costs: object) -> dict[str, Any]:
    """Read four costs, each a number or one value per row, and check that an alarm is worth something."""
    read: dict[str, Any] = {}
    for name, cost in costs.items():
        if isinstance(cost, str):
            why = "evaluate and the command line find columns by name; pass the column itself."
            raise OptionError.of(name, f"expected a number or one value per row, got the name {shown(cost)}: {why}")
        alone = isinstance(cost, CostColumn) or is_number(cost) or cost is None or np.ndim(cost) == 0  # type: ignore[arg-type]
        read[name] = cost if alone else CostColumn.read(name, cost)
    if not any(isinstance(cost, CostColumn) for cost in read.values()):
        return dict(checked_costs(**read))
    read = {k: v if isinstance(v, CostColumn) else cost_number(k, v) for k, v in read.items()}
    sizes = {len(v.values) for v in read.values() if isinstance(v, CostColumn)}
    if len(sizes) > 1:
        raise CurvewiseError(f"costs: expected columns of one length, got {' and '.join(map(str, sorted(sizes)))}.")
    fp, fn, tp, tn = (getattr(read[k], "values", read[k]) for k in COSTS)
    if np.all(fp <= tn) and np.all(fn <= tp):
        raise CurvewiseError(
            "These costs make every mistake the better answer: expected fp above tn or fn above tp in some rows."
        )
    return read


def with_costs(rows: Rows, costs: Mapping[str, Any]) -> Rows:
    """Return the rows with what each costs by its outcome; numbers are those of every row."""
    if rows.costs is not None:
        return rows
    if rows.horizon is not None and any(isinstance(cost, CostColumn) for cost in costs.values()):
        raise CurvewiseError("costs: one value per row needs outcomes that are all known; at a horizon, state numbers.")
    each = {"tp": 0.0, "tn": 0.0, **costs}
    found = [c.of_rows(k, rows) if isinstance(c := each[k], CostColumn) else np.full(len(rows), c) for k in COSTS]
    return replace(rows, costs=np.column_stack(found))


def by_expected_cost(rows: Rows) -> Rows:
    """Return rows whose score is what an alarm is expected to save, so that the threshold is 0.

    p·(c_FN − c_TP) − (1 − p)·(c_FP − c_TN), where p is the probability that the row is positive (Elkan 2001).
    """
    if rows.higher_is == "negative":
        raise OptionError.of("decide_by", "'expected_cost' takes probabilities; leave out higher_is='negative'.")
    fp, fn, tp, tn = _columns(rows)
    gains = {name: (p := probabilities(score)) * (fn - tp) - (1 - p) * (fp - tn) for name, score in rows.scores.items()}
    return replace(rows, scores=gains)


def _columns(rows: Rows) -> NDArray[np.float64]:
    assert rows.costs is not None  # noqa: S101 - whoever calls has seen to it
    return rows.costs.T


@dataclass(frozen=True, eq=False)
class CostsOfRows:
    """What decisions about rows cost, on average per row, at the prevalence of the rows or at another."""

    rows: Rows
    prevalence: float | None = None

    @cached_property
    def saves(self) -> Floats:
        """What flagging each row saves; below 0 where it costs."""
        fp, fn, tp, tn = _columns(self.rows)
        return np.asarray(np.where(self.rows.positive, fn - tp, tn - fp))

    @cached_property
    def passed(self) -> Floats:
        """What each row costs where it is not flagged."""
        _, fn, _, tn = _columns(self.rows)
        return np.asarray(np.where(self.rows.positive, fn, tn))

    @cached_property
    def weight(self) -> Floats:
        """The weight of each row."""
        return units_and_weights(self.rows)[1]

    @property
    def classes(self) -> tuple[tuple[NDArray[np.bool_], float], ...]:
        """Each class with its share of the rows, or that of the prevalence stated."""
        positive = self.rows.positive
        share = float(self.weight[positive].sum() / self.weight.sum()) if self.prevalence is None else self.prevalence
        return (positive, share), (~positive, 1 - share)

    def of_rows(self, flagged: NDArray[np.bool_]) -> Floats:
        """Return what each row costs."""
        return self.passed - np.where(flagged, self.saves, 0.0)

    def mean(self, each: Floats) -> float:
        """Return the mean of a value per row."""
        return sum(share * float(np.average(each[on], weights=self.weight[on])) for on, share in self.classes if share)

    def trivial(self) -> tuple[float, float, float]:
        """Return what a row costs if none is flagged, if every one is, and if every decision is the cheapest one."""
        none, every = self.passed, self.passed - self.saves
        return self.mean(none), self.mean(every), self.mean(np.minimum(none, every))

    def typical(self) -> dict[str, float]:
        """Return what each outcome costs on average over the rows of its class."""
        (positive, _), (negative, _) = self.classes
        on = {"fp": negative, "fn": positive, "tp": positive, "tn": negative}
        means = {
            k: float(np.average(c[on[k]], weights=self.weight[on[k]]))
            for k, c in zip(COSTS, _columns(self.rows), strict=True)
        }
        return {k: v for k, v in means.items() if k in ("fp", "fn") or v}

    def influences(self, each: Floats) -> Influences:
        """Return what each row adds to the mean of a value per row."""
        if self.prevalence is None:
            added = self.weight * (each - np.average(each, weights=self.weight)) / self.weight.sum()
            return influences_of(np.asarray(added), self.rows)
        added = np.zeros(len(each))
        for on, share in self.classes:
            mean = np.average(each[on], weights=self.weight[on])
            added[on] = share * self.weight[on] * (each[on] - mean) / self.weight[on].sum()
        return influences_of(added, self.rows)

    def by_class(self, each: Floats) -> Floats:
        """Return a value per row times its weight, of positives and of negatives, 0 for the other class."""
        value = each * self.weight
        return np.stack([np.where(on, value, 0.0) for on, _ in self.classes])

    def cumulated(self) -> tuple[Floats, Floats]:
        """Return what flagging saves down to each threshold, in each class, and what each class costs unflagged."""
        ranking = rank(self.rows.score, falling=self.rows.higher_is == "positive")
        saved = [np.append(0.0, ranking.cumulated(one)) for one in self.by_class(self.saves)]
        return np.stack(saved), self.by_class(self.passed).sum(axis=1)

    def one_more(self, power: int) -> float:
        """Return what one row of each class on the wrong side adds to the sum of a power of what rows add."""
        sizes = independent_sizes(self.rows, None)
        each = np.abs(self.saves) ** power
        return sum(
            (share / size) ** power * float(np.average(each[on], weights=self.weight[on]))
            for (on, share), size in zip(self.classes, sizes, strict=True)
            if share
        )

    def interval(self, value: float, each: Floats, level: float, apparent: float) -> tuple[float, float]:
        """Return the interval of a mean cost, from what each row adds and how skewed that is.

        One row of each class on the wrong side is added to the variance and to the skewness, since the most expensive
        ones may not have been drawn. The t statistic is transformed so that its skewness is 0 (Hall 1992). Towards the
        apparent value the interval reaches further by the size of the correction, which is an estimate too.
        """
        found = self.influences(each)
        spread = found.spread()
        units = found.each if self.rows.cluster is None else np.bincount(self.rows.cluster, found.each)
        skew = (float(np.sum(units**3)) + self.one_more(3)) / (float(units @ units) + self.one_more(2)) ** 1.5
        error, reach = math.sqrt(spread.variance + self.one_more(2)), critical_value(level, spread.degrees)
        low, high = (value - error * _unskewed(t, skew) for t in (reach, -reach))
        high = value + math.hypot(high - value, max(apparent - value, 0.0))
        low = value - math.hypot(value - low, max(value - apparent, 0.0))
        fp, fn, tp, tn = _columns(self.rows)
        return max(low, float(np.min([fp, fn, tp, tn]))), min(high, float(np.max([fp, fn, tp, tn])))


def _unskewed(quantile: float, skew: float) -> float:
    """Return the t statistic whose transform g(t) = t + at² + a²t³/3 + a/2, a = skew/3, is a quantile.

    References
    ----------
    Hall (1992) J. R. Stat. Soc. B 54:221-228.
    """
    a = skew / 3
    if abs(a) < 1e-9:  # mutants: rounding
        return quantile
    return (math.cbrt(1 + 3 * a * (quantile - a / 2)) - 1) / a


def costs_by_row(source: Sweep | Rows, rule: Rule) -> CostsOfRows | None:
    """Return the costs of rows where a rule states some by row, with scores that are expected savings if it asks so."""
    if not rule.by_row:
        return None
    if isinstance(source, Sweep):
        raise CurvewiseError("costs: one value per row needs rows, not a sweep; pass labels and scores.")
    rows = with_costs(source, rule.options)
    return CostsOfRows(by_expected_cost(rows) if rule.decides_rows else rows, rule.prevalence)

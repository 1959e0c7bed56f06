"""Models compared by what their decisions cost, each at its own cheapest threshold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, Unpack, get_args

import numpy as np

from curvewise.core.rate import flagged_rows
from curvewise.core.resampling import REPLICATES
from curvewise.decisions import rules
from curvewise.decisions.operating_point import OperatingPoint, point_of
from curvewise.decisions.row_costs import CostsOfRows, costs_by_row, with_costs
from curvewise.decisions.rules import DecideBy
from curvewise.decisions.trivial import CHOICE, TRIVIAL, costs_of, stated_costs
from curvewise.errors import OptionError, note
from curvewise.inference.by_influence import pair_of_pivot
from curvewise.inference.by_permutation import only_paired
from curvewise.inference.comparison import Comparison, ModelTest, Pair, holm, with_simultaneous
from curvewise.inference.pivots import Spread, WaldPivot
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.reading import read_models

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions, Rows

NAME, METHOD, BOTH = "expected_cost", "paired-costs", "both"


def compare_costs(
    y: object,
    scores: Mapping[str, object] | None = None,
    *,
    fp: object,
    fn: object,
    tp: object = 0,
    tn: object = 0,
    prevalence: float | None = None,
    decide_by: DecideBy | Literal["both"] = "score",
    margin: float | None = None,
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    **rows: Unpack[RowOptions],
) -> Comparison:
    """Compare models by expected cost per row, each cut at its own cheapest threshold.

    Parameters
    ----------
    y, scores
        Labels of rows that all models scored, and scores by the name of the model; or `Rows` of several
        models alone.
    fp, fn, tp, tn, prevalence
        As in `curvewise.expected_cost`: each cost a number or one value per row.
    decide_by
        As in `curvewise.rules.min_cost`; ``"both"`` judges every model by both ways.
    margin, level, rng, replicates
        As in `curvewise.compare`; lower cost is better. Resamples say how much cheaper the chosen thresholds look
        on these rows than they will be on new ones.
    **rows
        Of `curvewise.sweep`: ``weight=``, ``cluster=``, ``stratum=``, ``positive=`` …

    Returns
    -------
    Comparison
        ``values`` are costs as expected on new rows; ``difference`` is that of the first less that of the second.

    Notes
    -----
    The costs are those of `curvewise.operating_point` with `curvewise.rules.min_cost`, corrected for the choice of the
    threshold. The variance of a difference is that of the cost of each row by the first model less that by the
    second, over independent rows or whole clusters. Two rows of each class on which the models differ are added to
    it, one for each model (as in Bonett & Price's interval of paired proportions), and so is the square of the
    difference of both corrections. An interval excludes 0 exactly when p < 1 - level. In simulations of 200 to 4 000
    rows (20 to 90 positives, three families of scores, 40 clusters; ``simulations/compare_costs.py``) intervals of 95%
    held the true difference at the chosen thresholds in 93 to 99 of 100 samples.

    References
    ----------
    Bonett & Price (2012) J. Educ. Behav. Stat. 37:479-488.

    Examples
    --------
    >>> import curvewise as cw
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> y = np.arange(2000) < 100
    >>> a, b = (y * shift + rng.normal(0, 1, 2000) for shift in (2.5, 1.0))
    >>> found = cw.compare_costs(y, {"a": a, "b": b}, fp=1, fn=10, replicates=200)
    >>> found.difference.value < 0, found.p_value < 0.001
    (True, True)
    """
    level, replicates = real("level", level, 0, 1, closed=False), whole("replicates", replicates, 2)
    margin = None if margin is None else real("margin", margin, 0, math.inf)
    one_of("decide_by", decide_by, (*get_args(DecideBy), BOTH))
    ways: list[Any] = list(get_args(DecideBy)) if decide_by == BOTH else [decide_by]
    costs: dict[str, Any] = {"fp": fp, "fn": fn, "tp": tp, "tn": tn, "prevalence": prevalence}
    made = {way: rules.min_cost(**costs, decide_by=way) for way in ways}
    table = only_paired(read_models(y, scores, rows), METHOD)
    if len(table.models) * len(made) < 2:
        raise OptionError.of("scores", "expected two models or more.")
    points, several = {}, []
    for name in table.models:
        for way, rule in made.items():
            here = costs_by_row(table.of(name), rule)
            model = table.of(name) if here is None else here.rows
            called = name if len(made) == 1 else f"{name} by {way.replace('_', ' ')}"
            points[called] = point_of(table.of(name), rule, level=level, rng=rng, replicates=replicates)
            several.append(replace(model, scores={called: model.score}))
    together = replace(several[0], scores={k: v for model in several for k, v in model.scores.items()})
    return costs_compared(together, points, level, margin)


def costs_compared(
    rows: Rows, points: Mapping[str, OperatingPoint], level: float, margin: float | None = None
) -> Comparison:
    """Compare models by cost, given the cheapest threshold of each."""
    found, names = ByCost(rows, points, level), list(points)
    which = list(combinations(range(len(names)), 2))
    tested = [found.pair(i, j, names, margin) for i, j in which]
    pairs = holm(with_simultaneous(found, tested, which, names))
    corrected = all(p.is_corrected or p.rule.decides_rows for p in points.values())
    notes = (note("costs_corrected" if corrected else "costs_uncorrected"),)
    return Comparison(NAME, METHOD, dict(zip(names, found.values, strict=True)), pairs, None, notes)


def beside_trivial(rows: Rows, point: OperatingPoint, level: float) -> Comparison:
    """Compare the cost of one model's chosen threshold with those of flagging no row, and every row."""
    found, names = ByCost(rows, {rows.models[0]: point}, level), [CHOICE, *TRIVIAL]
    found.add_trivial(point)
    which = [(0, 1), (0, 2)]
    pairs = holm(with_simultaneous(found, [found.pair(i, j, names, None) for i, j in which], which, names))
    return Comparison(NAME, METHOD, dict(zip(names, found.values, strict=True)), pairs)


class ByCost(ModelTest):
    """Costs compared by what each row costs with one model and with the other."""

    method, name = METHOD, NAME

    def __init__(self, rows: Rows, points: Mapping[str, OperatingPoint], level: float) -> None:
        self.level, self.rows = level, rows
        first = next(iter(points.values()))
        # what an alarm changes: it saves a miss, or is a false alarm
        self.of_rows = CostsOfRows(with_costs(rows, stated_costs(first.rule) or {}), first.rule.prevalence)
        self.flagged = [
            np.zeros(len(rows), dtype=bool) if p.flags_nothing else flagged_rows(rows.of(name), p.threshold)
            for name, p in points.items()
        ]
        found = [costs_of(p)[CHOICE] if p.rule.by_row else _expected(p) for p in points.values()]
        self.values = found
        self.corrections = [p.value - v for p, v in zip(points.values(), found, strict=True)]
        self.floor = 2 * self.of_rows.one_more(2)

    def add_trivial(self, point: OperatingPoint) -> None:
        """Add the decisions to flag no row and every row to that of one threshold."""
        costs, here = costs_of(point), costs_of(point, point.estimates)
        self.values = list(costs.values())
        self.corrections = [here[name] - cost for name, cost in costs.items()]
        self.flagged += [np.full(len(self.rows), every) for every in (False, True)]

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference; lower is better, so inferior means higher by the margin or more."""
        extra = self.flagged[i].astype(np.int64) - self.flagged[j]
        known = self.of_rows.influences(-self.of_rows.saves * extra).spread()
        away = self.values[i] - self.values[j]
        variance = known.variance + self.floor + (self.corrections[i] - self.corrections[j]) ** 2
        plain = self.rows.cluster is None and self.rows.stratum is None
        pivot = WaldPivot(away, Spread(variance, math.inf if plain else known.degrees))
        found = pair_of_pivot(pivot, pivot.spread, (names[i], names[j]), NAME, METHOD, self.level, margin)
        return found if found.p_margins is None else replace(found, p_non_inferior=found.p_margins[1])


def _expected(point: OperatingPoint) -> float:
    """Return the cost as expected on new rows, where resamples say it."""
    return point.optimism.goal.corrected.value if point.optimism and point.is_corrected else point.value

"""Two classifiers at thresholds, judged by the rows on which only one of them is right (McNemar)."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, cast

import numpy as np

from curvewise.core.confusion import ALL
from curvewise.errors import OptionError, UndefinedMetricError, note
from curvewise.inference.by_permutation import comparable, only_paired
from curvewise.inference.comparison import ModelTest, pair_of_models
from curvewise.inference.limits import critical_value, crossing
from curvewise.results.estimate import Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core.registry import Bound, Metric
    from curvewise.inference.comparison import Pair
    from curvewise.rows.reading import Rows

FEW = 25  # discordant rows below which the exact p-value is told as well


def share_of_right(metric: Metric) -> tuple[bool | None, bool] | None:
    """Say of which rows a rate counts right or wrong decisions; None if it is no such rate.

    The rows are the positives (True), the negatives (False) or all (None); the second says whether the rate
    counts what is right.
    """
    if metric.rate is None:
        return None
    part, whole = (set(cells) for cells in metric.rate)
    rows = {frozenset({"tp", "fn"}): True, frozenset({"fp", "tn"}): False, frozenset(ALL): None}
    decided = part <= {"tp", "tn"} or part <= {"fp", "fn"}
    return (rows[frozenset(whole)], part <= {"tp", "tn"}) if decided and frozenset(whole) in rows else None


class Mcnemar(ModelTest):
    """Shares of right decisions compared on the same rows.

    With b rows on which only the first is right and c on which only the second is, z = (b-c)/√(b+c). The
    interval of the difference is Tango's, which inverts the same test: it excludes 0 exactly when p < α.
    """

    method = "mcnemar"

    def __init__(self, tables: list[Rows], targets: list[Bound], level: float) -> None:
        table = only_paired(tables, self.method)
        if not table.is_plain:
            raise OptionError.of(
                "method", "'mcnemar' takes rows that are independent and count alike; use 'bootstrap'."
            )
        self.level, self.name = level, targets[0].name
        which, self.good = cast("tuple[bool | None, bool]", share_of_right(targets[0].metric))
        rows = np.full(len(table.positive), True) if which is None else table.positive == which
        if not rows.any():
            raise UndefinedMetricError(f"{self.name} needs {'positives' if which else 'negatives'}.")
        self.right: list[NDArray[np.bool_]] = [
            (comparable(table.of(model), k) == table.positive)[rows]
            for model, k in zip(table.scores, targets, strict=True)
        ]
        self.weight = np.ones(rows.sum(), np.int64) if table.weight is None else table.weight[rows]
        share = [float(np.average(right, weights=self.weight)) for right in self.right]
        self.values = share if self.good else [1 - s for s in share]

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference."""
        one, two = (self.right[k] if self.good else ~self.right[k] for k in (i, j))
        first, second = int(self.weight[one & ~two].sum()), int(self.weight[two & ~one].sum())
        n, normal = int(self.weight.sum()), NormalDist()

        def z(away: float) -> float:
            return _score(first, second, n, away)

        reach = critical_value(self.level)
        value, at_zero = (first - second) / n, z(0)
        low = crossing(lambda d: z(d) - reach, -1, value)
        high = crossing(lambda d: z(d) + reach, value, 1)
        if first + second < FEW:
            told = {"first": names[i], "second": names[j], "rows": first + second}
            self.notes += (note("mcnemar_exact", **told, p=_exact(first, second)),)
        margins = None if margin is None else (normal.cdf(-z(-margin)), normal.cdf(z(margin)))
        gap = Estimate(f"difference of {self.name}", value, low, high, self.level, self.method)
        p_value = 2 * normal.cdf(-abs(at_zero))
        return pair_of_models((names[i], names[j]), gap, at_zero, p_value, margins)


def _score(first: int, second: int, n: int, away: float) -> float:
    """Return Tango's score statistic of a difference (Tango 1998, eq. 3); McNemar's z where it is 0."""
    b = -first - second + (2 * n - first + second) * away
    c = -second * away * (1 - away)
    share = (math.sqrt(max(b * b - 8 * n * c, 0.0)) - b) / (4 * n)
    variance = n * (2 * share + away * (1 - away))
    gap = first - second - n * away
    if variance <= 0:
        return math.copysign(math.inf, gap) if gap else 0.0
    return gap / math.sqrt(variance)


def _exact(first: int, second: int) -> float:
    """Return the two-sided binomial p-value of a fair coin, twice the smaller tail."""
    total, least = first + second, min(first, second)
    tail = sum(math.comb(total, k) for k in range(least + 1))
    return min(1.0, tail / 2 ** (total - 1)) if total else 1.0

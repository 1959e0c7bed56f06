"""What the rule gave on the rows it was chosen on, against what it will give on new ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.decisions.cuts import confusion_of
from curvewise.results.result import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from curvewise.core.confusion import Confusion
    from curvewise.decisions.resampled import Resampled
    from curvewise.decisions.rule import Measure, Rule

# A cut chosen on a resample is as unsteady as one chosen on half as many rows, so it flatters more than the
# cut chosen on all of them: by 2^(2/3) for the best point of a step curve, whose optimism falls with the
# number of rows to that power; by 2 for a cut at a limit, a quantile, whose optimism falls as 1/n.
BEST, AT_LIMIT = 2 ** (-2 / 3), 1 / 2

ALSO = ("recall", "fpr", "precision")  # what a reader asks next, whatever the rule
BOUNDS = {
    **dict.fromkeys(
        ("recall", "fpr", "fnr", "specificity", "precision", "predicted_rate", "f_beta", "mean_error"), (0, 1)
    ),
    **dict.fromkeys(("youden", "mcc", "kappa"), (-1, 1)),
    "distance": (0, math.sqrt(2)),
}


@dataclass(frozen=True)
class Judged:
    """One measure on the rows of the choice (``apparent``) and as expected on new ones (``out_of_bag``)."""

    measure: str
    apparent: float
    out_of_bag: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        """Apparent minus out-of-bag: how much the rows of the choice flatter (for a cost, below 0)."""
        return self.apparent - self.out_of_bag


@dataclass(frozen=True)
class Optimism:
    """The measures of a rule: its goal first, then its limit and the common rates."""

    judged: tuple[Judged, ...]
    level: float
    replicates: int

    def __getitem__(self, measure: str) -> Judged:
        return {j.measure: j for j in self.judged}[measure]

    @property
    def goal(self) -> Judged:
        """What the rule made as good as it could."""
        return self.judged[0]

    @property
    def table(self) -> Table:
        """One row a measure."""
        names = ("measure", "apparent", "out_of_bag", "difference", "low", "high")
        columns: dict[str, list[Any]] = {k: [getattr(j, k) for j in self.judged] for k in names}
        how = f"{self.replicates} resamples, {100 * self.level:.4g} % intervals"
        return Table(f"On these rows, and out of bag as on new ones ({how})", columns)

    def to_dict(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""
        rows = self.table.to_dict()["rows"]
        return {"level": self.level, "replicates": self.replicates, "measures": rows}

    def __str__(self) -> str:
        return str(self.table)

    __repr__ = __str__


def optimism(rule: Rule, counts: tuple[float, ...], found: Resampled, level: float) -> Optimism:
    """Judge every measure at the chosen cut, whose counts are given, and out of bag.

    The optimism of the choices on resamples is what they gave on the rows drawn less what they gave on the
    rows not drawn, both as summed counts: a ratio of a handful of rows is biased. The interval is pivotal:
    as a cut in its resample differs from the same cut on all rows, so may these rows from all there are.
    """
    measures: dict[str, Measure] = dict(rule.measures)
    for name in ALSO:
        measures.setdefault(name, attrgetter(name))

    def table(row: Sequence[float]) -> Confusion:
        return confusion_of(*row, prevalence=rule.prevalence)

    here = table(counts)
    drawn, left_out = (table(c.sum(axis=0).tolist()) for c in (found.drawn, found.not_drawn))
    pairs = [(table(a), table(b)) for a, b in zip(found.drawn.tolist(), found.all_rows.tolist(), strict=True)]
    share = BEST if rule.limit is None else AT_LIMIT
    judged = []
    for name, measure in measures.items():
        away = np.array([float(measure(a)) - float(measure(b)) for a, b in pairs])
        apparent = float(measure(here))
        value = apparent - share * (float(measure(drawn)) - float(measure(left_out)))
        least, most = BOUNDS.get(name, (-math.inf, math.inf))
        value = min(max(value, least), most)
        low, high = _ends(value, away, level)
        judged.append(Judged(name, apparent, value, max(low, least), min(high, most)))
    return Optimism(tuple(judged), level, len(found.place))


def _ends(value: float, away: NDArray[np.float64], level: float) -> tuple[float, float]:
    away = away[np.isfinite(away)]
    if not len(away) or not math.isfinite(value):
        return math.nan, math.nan
    above, below = (np.quantile(away, [(1 + level) / 2, (1 - level) / 2]) - away.mean()).tolist()
    return value - above, value - below

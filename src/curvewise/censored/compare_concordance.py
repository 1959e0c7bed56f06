"""Whether one risk score ranks better than another on the same rows."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.censored.concordance import OPTIONS, Concordance, Method, concordance_of, given_outcomes
from curvewise.censored.spread import (
    covariance_of_influences,
    notes_on_units,
    number_of_clusters,
    spread_of_influence,
)
from curvewise.errors import OptionError
from curvewise.inference.comparison import (
    Comparison,
    ModelTest,
    holm,
    pair_of_models,
    with_simultaneous,
)
from curvewise.inference.pivots import Pivot, WaldPivot
from curvewise.results.estimate import Estimate
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.censored.outcomes import Outcomes
    from curvewise.inference.comparison import Pair, Parts
    from curvewise.inference.pivots import Pivot

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
        first, null = self.each[i], 0.0
        pivot: Pivot
        if j == len(self.each):
            pivot, spread, null = first.source.pivot, first.source.spread, self.values[j]
        else:
            spread = spread_of_influence(self.outcomes, first.influence - self.each[j].influence)
            pivot = WaldPivot(first.value - self.each[j].value, spread)
        low, high = (max(-1.0, min(1.0, end - null)) for end in pivot.ends(self.level))
        value = pivot.value - null
        gap = Estimate(f"difference of {self.name}", value, low, high, self.level, self.method, spread.error)
        margins = None if margin is None else (pivot.p_above(null - margin), pivot.p_below(null + margin))
        degrees = None if math.isinf(spread.degrees) else spread.degrees
        statistic = value / spread.error if spread.error else 0.0 if value == 0 else math.copysign(math.inf, value)
        two = names[i], names[j]
        return pair_of_models(two, gap, statistic, pivot.p_value(null), margins, degrees_of_freedom=degrees)

    def covariances(self) -> Parts:
        """Return the covariance of all concordances; of many outcomes it is taken as known, of clusters it is not."""
        lines = np.stack([c.influence for c in self.each])
        units = number_of_clusters(self.outcomes) or math.inf
        return [(covariance_of_influences(self.outcomes, lines), units)]

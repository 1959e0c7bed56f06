"""The variance of a number of censored outcomes, from what each row adds to it (infinitesimal jackknife)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import Note, UndefinedMetricError, note
from curvewise.inference.influence import degrees_of_freedom, lonely_notes, spread_within
from curvewise.inference.interval import FEW_CLUSTERS
from curvewise.inference.pivots import Spread

if TYPE_CHECKING:
    from curvewise.censored.outcomes import Outcomes


def spread_of_influence(outcomes: Outcomes, each: NDArray[np.float64]) -> Spread:
    """Return the variance of a number, given the influence of each row: its weight times the derivative by it.

    Σu² over rows; over clusters, of their sums. A weight that counts rows is so many rows with one share each. Of
    independent rows the normal quantile holds; few clusters or strata have their degrees of freedom.
    """
    clusters = number_of_clusters(outcomes)
    if clusters == 1:
        raise UndefinedMetricError("A variance between clusters needs two of them.", why=note("one_cluster"))
    if (strata := outcomes.strata) is not None:
        return spread_within(strata, strata.sums(each))
    if outcomes.cluster is not None:
        squares = np.bincount(outcomes.cluster, each) ** 2  # a number that no row has adds nothing
        variance = float(np.sum(squares))
        return Spread(variance, degrees_of_freedom(variance, [(squares, None, float(clusters))]))
    if outcomes.weight is not None and outcomes.weight_kind == "count":
        return Spread(float(np.sum(each**2 / outcomes.weight)), math.inf)
    return Spread(float(each @ each), math.inf)


def covariance_of_influences(outcomes: Outcomes, lines: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the covariance matrix of numbers, given the influence of each row on each, one line per number."""
    if (strata := outcomes.strata) is not None:
        return strata.apart(strata.sums(lines)).products
    if outcomes.cluster is not None:
        lines = np.stack([np.bincount(outcomes.cluster, line) for line in lines])
    elif outcomes.weight is not None and outcomes.weight_kind == "count":
        lines = lines / np.sqrt(outcomes.weight)
    return np.asarray(lines @ lines.T)


def number_of_clusters(outcomes: Outcomes) -> int:
    """Return how many clusters the rows belong to, 0 where there are none."""
    return 0 if outcomes.cluster is None else int(np.count_nonzero(np.bincount(outcomes.cluster)))


def notes_on_units(outcomes: Outcomes) -> tuple[Note, ...]:
    """Say that there are few clusters, or strata with one unit only."""
    clusters = number_of_clusters(outcomes)
    found = (note("few_clusters", clusters=clusters),) if 0 < clusters < FEW_CLUSTERS else ()
    return found if (strata := outcomes.strata) is None else found + lonely_notes(strata)

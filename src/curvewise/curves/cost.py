"""The cost curve: the least cost that thresholds of a model reach, for every prevalence and cost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise.core.sweep import as_sweep
from curvewise.curves.base import Curve, Floats, Scores, origin, thresholds_from_nothing
from curvewise.curves.hull import hull_counts
from curvewise.errors import CurvewiseError
from curvewise.rows.checks import real
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CostCurve(Curve, schema="cost_curve"):
    """The lower envelope over PC(+), rising from 0 to 1; between two points it is straight.

    From each point to the next, ``threshold`` is the cheapest; its line runs from (0, ``fpr``) to
    (1, ``fnr``). ``area`` is the mean cost if every PC(+) is as likely as any other.
    """

    points = ("probability_cost", "cost", "threshold")
    counts = ("fpr", "fnr")
    probability_cost: Floats
    cost: Floats
    threshold: Scores
    fpr: Floats
    fnr: Floats
    area: float
    useful: tuple[float, float]

    @property
    def trivial(self) -> Floats:
        """The cost of the better of two trivial rules: never positive (PC) and always positive (1 - PC)."""
        return np.minimum(self.probability_cost, 1 - self.probability_cost)

    def at(self, probability_cost: float) -> float:
        """Return the least cost at one PC(+)."""
        x = real("probability_cost", probability_cost, 0, 1)
        return float(np.interp(x, self.probability_cost, self.cost))


def cost_curve(y: object, score: object = None, **rows: Unpack[RowOptions]) -> CostCurve:
    """Return the cost curve of a sweep, or of labels and scores.

    Takes a `Sweep` or `Rows` alone, or labels and scores with the options of `curvewise.sweep`.
    Unpacks as ``probability_cost, cost, threshold``. ``fpr`` and ``fnr`` give the ends of each
    threshold's line, ``trivial`` the cost without a model, ``useful`` the range of PC(+) in which
    the model is cheaper than that, ``area`` the mean cost.

    Notes
    -----
    With prevalence π, PC(+) = π·c_FN / (π·c_FN + (1-π)·c_FP), and the expected cost divided by the
    largest possible is FNR·PC + FPR·(1 - PC). A threshold, a point in ROC space, is a line here; the
    hull's vertices make the lower envelope, and the vertex changes where PC = 1/(1 + slope) of the segment
    between two. Each point supposes that the best threshold for it is known: on these rows it is.

    References
    ----------
    Drummond & Holte (2006) Machine Learning 65:95-130.

    Examples
    --------
    >>> import curvewise as cw
    >>> curve = cw.cost_curve([1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5])
    >>> curve.probability_cost, curve.cost
    (array([0. , 0.4, 1. ]), array([0. , 0.2, 0. ]))
    >>> curve.threshold, curve.useful
    (array([0.9, 0.7, 0.7]), (0.0, 1.0))
    """
    sweep = as_sweep(y, score, rows)
    tp, fp, places = hull_counts(sweep, "A cost curve")
    fpr, fnr = fp / sweep.negatives, (sweep.positives - tp) / sweep.positives
    # from one vertex to the next, more false positives against fewer misses
    more, fewer = np.diff(fp) / sweep.negatives, np.diff(tp) / sweep.positives
    edges = np.concatenate([[0.0], more / (more + fewer), [1.0]])
    wide = np.flatnonzero(edges[1:] > edges[:-1])  # a vertical or flat end is best at one PC alone
    best = np.append(wide, wide[-1])
    x = np.append(edges[wide], 1.0)
    cost = fnr[best] * x + fpr[best] * (1 - x)
    threshold = thresholds_from_nothing(sweep.threshold[places[1:] - 1], sweep.higher_is)[best]
    lines = {"threshold": threshold, "fpr": fpr[best], "fnr": fnr[best]}
    area, useful = float(np.trapezoid(cost, x)), (float(edges[1]), float(edges[-2]))
    return CostCurve(probability_cost=x, cost=cost, **lines, area=area, useful=useful, **origin(sweep))


def cost_slope(fp: float, fn: float, prevalence: float) -> float:
    """Return (c_FP/c_FN)·(1 - π)/π: the TPR that must be gained for each unit of FPR."""
    for name, value in (("fp", fp), ("fn", fn)):
        if real(name, value, 0, math.inf) == 0:
            raise CurvewiseError(f"{name}: expected a cost above 0, got {shown(value)}.")
    share = real("prevalence", prevalence, 0, 1, closed=False)
    return float(fp) / float(fn) * ((1 - share) / share)

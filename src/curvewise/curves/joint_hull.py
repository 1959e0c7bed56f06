"""The hull of several models: which one to use for which costs, and which never."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Unpack

import numpy as np

from curvewise.arrays import Floats
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.curves.cost import cost_slope
from curvewise.curves.hull import hull_counts, walk
from curvewise.errors import CurvewiseError, Note, note
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real
from curvewise.rows.columns import by_text
from curvewise.rows.reading import read_models, refuse_beside, refuse_unknown, rows_within
from curvewise.rows.rows import RowOptions, Rows

Range = tuple[float, float]


@dataclass(frozen=True, repr=False)
class HullPoint(Result, schema="hull_point"):
    """A vertex of the joint hull.

    ``thresholds`` has the threshold of each model that reaches it: of more than one where they meet, and
    of none at the ends, where nothing or everything is flagged. It is best where the slope of equal cost
    lies within ``slopes``, (low, high).
    """

    fpr: float
    tpr: float
    thresholds: dict[str, float]
    slopes: tuple[float, float]
    rule: str

    @property
    def table(self) -> Table:
        """One row: rule, rates, and the slopes for which it is best."""
        return _table("", [self])

    def content(self) -> dict[str, Any]:
        """Return the row of the table and the thresholds by model, JSON-safe."""
        return {**self.table.content()["rows"][0], "thresholds": json_safe(self.thresholds)}


@dataclass(frozen=True, repr=False)
class Mixture(Result, schema="mixture"):
    """Two rules, and how often to follow the second at random, to reach a point between them."""

    first: HullPoint
    second: HullPoint
    share: float
    fpr: float
    tpr: float

    def __str__(self) -> str:
        return (
            f"FPR {show(self.fpr)}, TPR {show(self.tpr)}: {self.first.rule} with probability "
            f"{show(1 - self.share)}, {self.second.rule} with probability {show(self.share)}"
        )

    @property
    def table(self) -> Table:
        """The two rules with their probabilities."""
        found = _table(f"FPR {show(self.fpr)}, TPR {show(self.tpr)}", [self.first, self.second])
        return Table(found.title, {"probability": [1 - self.share, self.share], **found.columns})


@dataclass(frozen=True, eq=False, repr=False)
class JointHull(Result, schema="joint_hull"):
    """The vertices from (0, 0) to (1, 1), the models they belong to, and the area below the hull.

    ``hull_auc`` has the area below each model's own hull; ``prevalence`` is that of the rows, None where
    models were scored on rows with different shares.
    """

    vertices: tuple[HullPoint, ...]
    models: tuple[str, ...]
    auc: float
    hull_auc: dict[str, float]
    prevalence: float | None
    backend: str | None = field(default=None, repr=False)

    @property
    def fpr(self) -> Floats:
        """The FPR of each vertex."""
        return np.array([v.fpr for v in self.vertices])

    @property
    def tpr(self) -> Floats:
        """The TPR of each vertex."""
        return np.array([v.tpr for v in self.vertices])

    @property
    def best_for(self) -> dict[str, tuple[Range, ...]]:
        """For each model, the ranges of slope (low, high) in which one of its thresholds is best."""
        found: dict[str, list[Range]] = {name: [] for name in self.models}
        for vertex in self.vertices:
            for name in vertex.thresholds:
                low, high = vertex.slopes
                if found[name] and found[name][-1][0] == high:  # goes on where the last one ends
                    high = found[name].pop()[1]
                found[name].append((low, high))
        return {name: tuple(ranges) for name, ranges in found.items()}

    @property
    def dominated(self) -> tuple[str, ...]:
        """Models that own no vertex: whatever the costs, another model or a trivial rule does as well."""
        return tuple(name for name, ranges in self.best_for.items() if not ranges)

    def best(self, *, fp: float, fn: float, prevalence: float | None = None) -> HullPoint:
        """Return the cheapest vertex for these costs; of two that are equal, that with fewer flagged."""
        share = self.prevalence if prevalence is None else prevalence
        if share is None:
            raise CurvewiseError("prevalence: the models' rows have different shares of positives; pass one.")
        return next(v for v in self.vertices if v.slopes[0] <= cost_slope(fp, fn, share))

    def mixture(self, fpr: float) -> Mixture:
        """Return the two neighbouring vertices, mixed at random, that reach the hull at this FPR."""
        x = real("fpr", fpr, 0, 1)
        k = min(int(np.searchsorted(self.fpr, x, side="right")), len(self.vertices) - 1)
        first, second = self.vertices[k - 1], self.vertices[k]
        share = (x - first.fpr) / (second.fpr - first.fpr)
        return Mixture(first, second, share, x, first.tpr + share * (second.tpr - first.tpr))

    @property
    def table(self) -> Table:
        """The vertices, one row each: rule, rates, and the slopes for which it is best."""
        title = f"Joint ROC hull of {', '.join(self.models)}: area {show(self.auc)}"
        return _table(title, self.vertices, self.backend)

    def parts(self) -> list[Table | Note]:
        """Return the vertices, and the models that own none."""
        never = [note("never_best", models=", ".join(self.dominated))] if self.dominated else []
        return [self.table, *never]

    def content(self) -> dict[str, Any]:
        """Return all fields, JSON-safe, and the models that own no vertex."""
        return {**super().content(), "dominated": list(self.dominated)}


def _table(title: str, points: Sequence[HullPoint], backend: str | None = None) -> Table:
    columns: dict[str, list[Any]] = {k: [getattr(v, k) for v in points] for k in ("rule", "fpr", "tpr")}
    ends = {f"slope_{end}": [v.slopes[k] for v in points] for k, end in enumerate(("from", "to"))}
    return Table(title, columns | ends, backend)


def joint_hull(y: object, scores: Mapping[str, object] | None = None, **rows: Unpack[RowOptions]) -> JointHull:
    """Return the convex hull of the ROC curves of several models together.

    Parameters
    ----------
    y, scores
        Labels of rows that all models scored, and scores by the name of the model. Or a dict of labels
        by model, for models that scored different rows. Or `Rows` of several models, or a dict of `Sweep` by
        model, alone.
    **rows
        The options of `curvewise.sweep`.

    Notes
    -----
    The best choice for costs and prevalence is the vertex at which a line of slope
    (c_FP/c_FN)·(1-π)/π touches the hull. A model with the largest AUC may own no vertex where it matters,
    one with a smaller AUC may. A point between two vertices is reached by following one rule or the other
    at random. With whole counts the hull is exact, also of rows that differ. The hull is read from these
    rows: with few of them it looks better than new rows will show, the more so the more models join.

    References
    ----------
    Provost & Fawcett (2001) Machine Learning 42:203-231.

    Examples
    --------
    >>> import curvewise as cw
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> early, late = [9, 8, 3, 2, 7, 6, 5, 1], [9, 6, 5, 4, 8, 7, 2, 1]
    >>> hull = cw.joint_hull(y, {"early": early, "late": late, "coin": [1] * 8})
    >>> hull
    Joint ROC hull of early, late, coin: area 0.8750
    <BLANKLINE>
    rule          fpr     tpr  slope_from  slope_to
    ─────────  ──────  ──────  ──────────  ────────
    flag none       0       0           ∞         ∞
    early ≥ 8       0  0.5000           1         ∞
    late ≥ 4   0.5000       1           0         1
    flag all        1       1           0         0
    note: Never best: coin
    >>> hull.mixture(0.25)
    FPR 0.2500, TPR 0.7500: early ≥ 8 with probability 0.5000, late ≥ 4 with probability 0.5000
    """
    sweeps = _sweeps(y, scores, rows)
    whole = all(s.tp.dtype.kind == "i" for s in sweeps.values())
    totals = zip(*((s.positives, s.negatives) for s in sweeps.values()), strict=True)
    top, right = (math.lcm(*map(int, each)) if whole else 1.0 for each in totals)
    owners: dict[tuple[float, float], dict[str, float]] = {(0, 0): {}, (right, top): {}}
    hull_auc = {}
    for name, s in sweeps.items():
        tp, fp, places = hull_counts(s, f"The joint hull (model {name!r})")
        hull_auc[name] = float(np.trapezoid(tp / s.positives, fp / s.negatives))
        up, across = (top // s.positives, right // s.negatives) if whole else (1, 1)
        t, f = (tp, fp) if whole else (tp / s.positives, fp / s.negatives)
        cuts = s.threshold[places[1:-1] - 1].tolist()
        for x, height, cut in zip(f.tolist()[1:-1], t.tolist()[1:-1], cuts, strict=True):
            owners.setdefault((x * across, height * up), {})[name] = cut
    places_xy = sorted(owners)
    kept = [places_xy[k] for k in walk([p[1] for p in places_xy], [p[0] for p in places_xy])]
    rises = [((b[1] - a[1]) * right, (b[0] - a[0]) * top) for a, b in pairwise(kept)]
    slopes = [math.inf, *(rise / run if run else math.inf for rise, run in rises), 0.0]
    signs = {name: "≥" if s.higher_is == "positive" else "≤" for name, s in sweeps.items()}
    vertices = tuple(
        HullPoint(x / right, y / top, owners[x, y], (flat, steep), _rule(owners[x, y], signs, x))
        for (x, y), (steep, flat) in zip(kept, pairwise(slopes), strict=True)
    )
    doubled = sum((b[0] - a[0]) * (b[1] + a[1]) for a, b in pairwise(kept))
    first, *others = (s.prevalence for s in sweeps.values())
    # the sums of fractional weights may differ in the last digit
    share = first if all(math.isclose(other, first, rel_tol=1e-12) for other in others) else None
    backend = next((s.backend for s in sweeps.values() if s.backend), None)
    return JointHull(vertices, tuple(sweeps), doubled / (2 * top * right), hull_auc, share, backend)


def _sweeps(y: object, scores: Mapping[str, object] | None, options: RowOptions) -> dict[str, Sweep]:
    """Read models on the same rows, on rows of their own, or as finished sweeps."""
    refuse_unknown(options)
    y = rows_within(y)
    if scores is None and not isinstance(y, Rows):
        if not isinstance(y, Mapping) or not y or not all(isinstance(s, Sweep) for s in y.values()):
            raise CurvewiseError('Expected labels and {"a": scores_a, "b": scores_b}, or a dict of sweeps.')
        refuse_beside("Sweeps were", None, options)
        return {name: s.near_one for name, s in by_text(y, "y").items()}
    return {m: sweep_of(rows.of(m)) for rows in read_models(y, scores, options) for m in rows.models}


def _rule(thresholds: dict[str, float], signs: dict[str, str], x: float) -> str:
    """Say in words what a vertex does."""
    if not thresholds:
        return "flag all" if x else "flag none"
    return " or ".join(f"{name} {signs[name]} {cut:.6g}" for name, cut in thresholds.items())

"""Models compared where it matters: on the false positive rates that costs and prevalence make relevant."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.core.resampling import REPLICATES, draw_models, replicate_draws
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.curves.cost import cost_slope
from curvewise.curves.hull import hull_counts
from curvewise.curves.joint_hull import joint_hull
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, note
from curvewise.inference.by_bootstrap import METHOD, pair_of_draws
from curvewise.inference.comparison import Comparison, ModelTest, Pair, holm, with_simultaneous
from curvewise.metric.partial import partial_roc_auc
from curvewise.results.numbers import show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import as_float, real, values_of, whole
from curvewise.rows.columns import is_number, shown
from curvewise.rows.reading import read_models, refuse_unknown
from curvewise.rows.seeds import random_stream

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions, Rows

Range = tuple[float, float]
NAME = "partial_roc_auc"
VERB = ("fp", "fn", "prevalence", "margin", "level", "rng", "replicates")


@dataclass(frozen=True, repr=False)
class PartialView(Result, schema="partial_view"):
    """Models on the range of FPR where their cheapest points lie.

    ``slope`` has the slopes (low, high) of equal cost that the costs and prevalences allow, ``fpr`` the range
    that holds the cheapest points of all models for them, ``own_fpr`` that of each model, ``mean_tpr`` each
    model's mean sensitivity over ``fpr``. ``comparison`` is of those means, with intervals; None for a single
    model, or where the range is one point.
    """

    slope: Range
    fpr: Range
    own_fpr: dict[str, Range]
    mean_tpr: dict[str, float]
    comparison: Comparison | None
    notes: tuple[Note, ...] = ()

    @property
    def better(self) -> str | None:
        """The model that is better than every other, Holm's p-values below 1 - level; None if no one is."""
        if self.comparison is None:
            return None
        winners = [winner for winner, _ in self.comparison.clearly_better()]
        return next((name for name in self.own_fpr if winners.count(name) == len(self.own_fpr) - 1), None)

    @property
    def table(self) -> Table:
        """The models, one row each."""
        slopes, range_ = (f"{show(low)} to {show(high)}" for low, high in (self.slope, self.fpr))
        low, high = zip(*self.own_fpr.values(), strict=True)
        columns = {"model": list(self.own_fpr), "fpr_from": list(low), "fpr_to": list(high)}
        return Table(f"Slopes {slopes}: FPR {range_}", {**columns, "mean_tpr": list(self.mean_tpr.values())})

    def parts(self) -> list[Table | Note]:
        """Return the models, their comparison, which is better, and the notes."""
        if self.comparison is None:
            return [self.table, *self.notes]
        name = self.better
        decided = note("better", model=name) if name else note("better_undecided")
        return [self.table, self.comparison.table, decided, *self.notes]

    def content(self) -> dict[str, Any]:
        """Return all fields, JSON-safe, and which model is better."""
        return {**super().content(), "models": self.table.content()["rows"], "better": self.better}


def partial_view(
    y: object,
    scores: Mapping[str, object] | None = None,
    *,
    fp: float | Range,
    fn: float | Range,
    prevalence: float | Range,
    margin: float | None = None,
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    **rows: Unpack[RowOptions],
) -> PartialView:
    """Compare models on the range of FPR that costs and prevalence make relevant.

    Parameters
    ----------
    y, scores
        Labels of rows that all models scored, and scores by the name of the model; or `Rows` of several
        models alone.
    fp, fn, prevalence
        The cost of a false positive, that of a false negative, and the share of positives where the
        models will be used: a number each, or a pair (low, high) of what they might be.
    margin, level, rng, replicates
        As in `curvewise.compare`.
    **rows
        Of `curvewise.sweep`: ``weight=``, ``cluster=``, ``positive=`` …

    Notes
    -----
    Costs and prevalence fix the slope (c_FP/c_FN)·(1-π)/π of lines of equal cost; ranges of them give
    slopes from low to high. The vertices of each model's hull that are best for a slope in between span
    its range, and the smallest range that holds those of all models is compared: the area there divided
    by the width, the mean sensitivity, by bootstrap. Two models with equal AUC may differ here.

    The range is read from the same rows, so every resample chooses its range again, and intervals and p-values
    have the uncertainty of the choice in them. If the range is known beforehand, say so, which is more powerful:
    ``cw.compare(y, scores, metric="partial_roc_auc", fpr=(0, 0.1))``. Of several models, one is better if Holm's
    p-values say so.

    References
    ----------
    McClish (1989) Medical Decision Making 9:190-195. Provost & Fawcett (2001) Machine Learning 42:203-231.

    Examples
    --------
    >>> import curvewise as cw
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> y = np.arange(2000) < 400
    >>> steep = np.where(y, rng.normal(1.8, 2.0, 2000), rng.normal(0, 1, 2000))
    >>> even = np.where(y, rng.normal(1.1, 1.0, 2000), rng.normal(0, 1, 2000))
    >>> view = cw.partial_view(
    ...     y, {"steep": steep, "even": even}, fp=1, fn=(2, 5), prevalence=0.05, replicates=200
    ... )
    >>> [round(m, 6) for m in view.slope], view.better
    ([3.8, 9.5], 'steep')
    """
    refuse_unknown(rows, VERB)
    random_stream(rng)  # refuses what is no seed
    fps, fns, shares = _pair("fp", fp), _pair("fn", fn), _pair("prevalence", prevalence)
    slope = cost_slope(fps[0], fns[1], shares[1]), cost_slope(fps[1], fns[0], shares[0])
    level, replicates = real("level", level, 0, 1, closed=False), whole("replicates", replicates, 2)
    margin = None if margin is None else real("margin", margin, 0, math.inf)
    tables = read_models(y, scores, rows)
    sweeps = {m: sweep_of(table.of(m)) for table in tables for m in table.models}
    own = {name: _optimal_range(name, s, slope) for name, s in sweeps.items()}
    fpr = min(a for a, _ in own.values()), max(b for _, b in own.values())
    if fpr[0] == fpr[1]:
        heights = {name: joint_hull({name: s}).mixture(fpr[0]).tpr for name, s in sweeps.items()}
        return PartialView(slope, fpr, own, heights, None, (note("one_fpr"),))
    means = {name: partial_roc_auc(s, fpr=fpr, scale="mean") for name, s in sweeps.items()}
    if len(sweeps) == 1:
        return PartialView(slope, fpr, own, means, None, (note("range_from_rows"),))
    drawn, failed = replicate_draws(_means_drawn(tables, slope), replicates, rng, sum(map(len, tables)))
    found = _compared(means, drawn, level, margin)
    notes: tuple[Note, ...] = (note("range_from_rows"),)
    if failed:
        notes += (note("resamples_undefined", failed=failed, replicates=replicates),)
    return PartialView(slope, fpr, own, means, found, notes)


class _ByRange(ModelTest):
    """Mean sensitivities compared by resamples that each chose their range."""

    method, name = METHOD, NAME

    def __init__(self, values: list[float], drawn: NDArray[np.float64], level: float) -> None:
        self.values, self.drawn, self.level = values, drawn, level

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference."""
        away, drawn = self.values[i] - self.values[j], self.drawn[:, i] - self.drawn[:, j]
        return pair_of_draws((names[i], names[j]), self.name, away, drawn, self.level, margin)


def _compared(means: dict[str, float], drawn: NDArray[np.float64], level: float, margin: float | None) -> Comparison:
    found, names = _ByRange(list(means.values()), drawn, level), list(means)
    which = list(combinations(range(len(names)), 2))
    tested = [found.pair(i, j, names, margin) for i, j in which]
    return Comparison(NAME, METHOD, means, holm(with_simultaneous(found, tested, which, names)))


def _means_drawn(tables: list[Rows], slope: Range) -> Any:
    """Return what resamples the rows of all models, chooses the range again, and reads the mean of each there."""
    parts = [draw_models(table, [None] * len(table.models), stratified=True) for table in tables]

    def one(stream: np.random.Generator) -> list[float]:
        sweeps = []
        for draw, models in parts:
            sweeps += [like.with_counts(*counts) for (like, _), counts in zip(models, draw(stream), strict=True)]
        for sweep in sweeps:
            sweep.need_both_classes("A range of FPR")
        own = [_optimal_range("", sweep, slope) for sweep in sweeps]
        low, high = min(a for a, _ in own), max(b for _, b in own)
        if low == high:
            raise UndefinedMetricError("A resample has one best FPR and no range.")
        return [partial_roc_auc(sweep, fpr=(low, high), scale="mean") for sweep in sweeps]

    return one


def _pair(name: str, value: object) -> Range:
    """Take a number as a range of one, or check a pair; the numbers are checked as costs are."""
    if is_number(value):
        return value, value  # type: ignore[return-value]
    ends = values_of(name, value)
    if len(ends) != 2 or not as_float(ends[0]) <= as_float(ends[1]):
        raise CurvewiseError(f"{name}: expected a number or a pair (low, high), got {shown(value)}.")
    return ends[0], ends[1]


def _optimal_range(name: str, sweep: Sweep, slope: Range) -> Range:
    """Return the least and the largest FPR that is best for some slope in the range."""
    near = sweep.near_one
    tp, fp, _ = hull_counts(near, f"The hull (model {name!r})")
    up, across = np.diff(tp / near.positives), np.diff(fp / near.negatives)
    slopes = np.divide(up, across, out=np.full(len(up), math.inf), where=across > 0)
    steep, flat = np.append(math.inf, slopes), np.append(slopes, 0.0)  # before and after each vertex
    best = fp[(flat <= slope[1]) & (steep >= slope[0])] / near.negatives
    return float(best[0]), float(best[-1])

"""Models compared where it matters: on the false positive rates that costs and prevalence make relevant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curvewise.core.sweep import sweep_of
from curvewise.curves.cost import cost_slope
from curvewise.curves.joint_hull import joint_hull
from curvewise.errors import CurvewiseError, note
from curvewise.inference.compare import compare
from curvewise.inference.interval import split_options
from curvewise.metric.partial import partial_roc_auc
from curvewise.results.numbers import show
from curvewise.results.result import Result, Table
from curvewise.rows.reading import read_models, refuse_unknown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from curvewise.core.sweep import Sweep
    from curvewise.errors import Note
    from curvewise.inference.comparison import Comparison

Range = tuple[float, float]
VERB = ("level", "method", "margin", "rng", "replicates")  # options that go to `compare`


@dataclass(frozen=True, repr=False)
class PartialView(Result):
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
        """The model that is better than every other, its intervals clear of 0; None if no one is."""
        if self.comparison is None:
            return None
        wins = dict.fromkeys(self.own_fpr, 0)
        for pair in self.comparison.pairs:
            if pair.difference.low > 0:
                wins[pair.first] += 1
            elif pair.difference.high < 0:
                wins[pair.second] += 1
        return next((name for name, won in wins.items() if won == len(wins) - 1), None)

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
    **options: Any,
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
    **options
        Of `curvewise.compare` (``level=``, ``rng=``, ``replicates=``) and of `curvewise.sweep` (``weight=``,
        ``cluster=``, ``positive=`` …).

    Notes
    -----
    Costs and prevalence fix the slope (c_FP/c_FN)·(1-π)/π of lines of equal cost; ranges of them give
    slopes from low to high. The vertices of each model's hull that are best for a slope in between span
    its range, and the smallest range that holds those of all models is compared: the area there divided
    by the width, the mean sensitivity, by bootstrap. Two models with equal AUC may differ here.

    The range is read from the same rows, and the interval does not know that. If the range is known
    beforehand, say so: ``cw.compare(y, scores, metric="partial_roc_auc", fpr=(0, 0.1))``.

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
    fps, fns, shares = _pair("fp", fp), _pair("fn", fn), _pair("prevalence", prevalence)
    slope = cost_slope(fps[0], fns[1], shares[1]), cost_slope(fps[1], fns[0], shares[0])
    reading, verb = split_options(options)
    refuse_unknown({k: v for k, v in verb.items() if k not in VERB}, VERB)
    sweeps = {m: sweep_of(rows.of(m)) for rows in read_models(y, scores, reading) for m in rows.models}
    own = {name: _optimal_range(name, s, slope) for name, s in sweeps.items()}
    fpr = min(a for a, _ in own.values()), max(b for _, b in own.values())
    if fpr[0] == fpr[1]:
        heights = {name: joint_hull({name: s}).mixture(fpr[0]).tpr for name, s in sweeps.items()}
        return PartialView(slope, fpr, own, heights, None, (note("one_fpr"),))
    area: dict[str, Any] = {"fpr": fpr, "scale": "mean"}
    means = {name: partial_roc_auc(s, **area) for name, s in sweeps.items()}
    found = compare(y, scores, metric="partial_roc_auc", **area, **options) if len(sweeps) > 1 else None
    notes = (note("range_from_rows"), *(found.notes if found else ()))
    return PartialView(slope, fpr, own, means, found, notes)


def _pair(name: str, value: object) -> Range:
    """Take a number as a range of one, or check a pair; the numbers are checked as costs are."""
    if not isinstance(value, Sequence):
        return value, value  # type: ignore[return-value]
    if len(value) != 2 or not value[0] <= value[1]:
        raise CurvewiseError(f"{name}: expected a number or a pair (low, high), got {value!r}.")
    return value[0], value[1]


def _optimal_range(name: str, sweep: Sweep, slope: Range) -> Range:
    """Return the least and the largest FPR that is best for some slope in the range."""
    vertices = joint_hull({name: sweep}).vertices
    best = [v.fpr for v in vertices if v.slopes[0] <= slope[1] and v.slopes[1] >= slope[0]]
    return best[0], best[-1]

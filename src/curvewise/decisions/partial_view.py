"""Models compared where it matters: on the false positive rates that costs and prevalence make relevant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from curvewise.core.paired import paired
from curvewise.curves.joint_hull import READING, joint_hull
from curvewise.curves.slope import cost_slope
from curvewise.errors import CurvewiseError
from curvewise.inference.compare import compare
from curvewise.metric.partial import partial_roc_auc
from curvewise.results.numbers import show
from curvewise.results.result import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from curvewise.core.sweep import Sweep
    from curvewise.inference.comparison import Comparison

Range = tuple[float, float]
FROM_THE_ROWS = (
    "the range of FPR was read from these rows and the interval takes it as given; with few rows, fix it "
    "beforehand and use compare(metric='partial_roc_auc', fpr=...)"
)
ONE_POINT = "one FPR is best for all these costs, so there is no area to compare: see expected_cost"


@dataclass(frozen=True)
class PartialView:
    """Models on the range of FPR where their cheapest points lie.

    Attributes
    ----------
    slope
        Slopes (low, high) of equal cost that the costs and prevalences allow.
    fpr
        The range of FPR that holds the cheapest points of all models for those slopes.
    own_fpr
        The same for each model.
    mean_tpr
        Each model's mean sensitivity over ``fpr``.
    comparison
        Of those means, with intervals; None for a single model, or where the range is one point.
    notes
        What a careful reader should know.
    """

    slope: Range
    fpr: Range
    own_fpr: dict[str, Range]
    mean_tpr: dict[str, float]
    comparison: Comparison | None
    notes: tuple[str, ...]

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
        """The models, a row each."""
        low, high = self.slope
        return Table(
            f"Slopes {show(low)} to {show(high)}: FPR {show(self.fpr[0])} to {show(self.fpr[1])}",
            {
                "model": list(self.own_fpr),
                "fpr_from": [ends[0] for ends in self.own_fpr.values()],
                "fpr_to": [ends[1] for ends in self.own_fpr.values()],
                "mean_tpr": list(self.mean_tpr.values()),
            },
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all results, JSON-safe."""
        return {
            "slope": list(self.slope),
            "fpr": list(self.fpr),
            "models": self.table.to_dict()["rows"],
            "better": self.better,
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        parts = [str(self.table)]
        if self.comparison is not None:
            parts += ["", str(self.comparison.table), f"Better: {self.better or 'not decided'}"]
        return "\n".join([*parts, *(f"note: {note}" for note in self.notes)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def partial_view(
    y: object,
    scores: Mapping[str, object],
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
        Labels of rows that all models scored, and scores by the name of the model.
    fp, fn, prevalence
        The cost of a false positive, that of a false negative, and the share of positives where the
        models will be used: a number each, or a pair (low, high) of what they might be.
    **options
        Of `curvewise.compare`: ``level=``, ``rng=``, ``replicates=``, ``cluster=``, ``weight=``,
        ``positive=``, ``higher_is=``, ``missing=``.

    Returns
    -------
    PartialView
        ``fpr``, the relevant range; ``comparison`` of the mean sensitivities over it; ``better``.

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
    ...     y, {"steep": steep, "even": even}, fp=1, fn=(2, 5), prevalence=0.05, replicates=200, rng=0
    ... )
    >>> [round(m, 6) for m in view.slope], view.better
    ([3.8, 9.5], 'steep')
    """
    ends = {name: _pair(name, v) for name, v in (("fp", fp), ("fn", fn), ("prevalence", prevalence))}
    slope = (
        cost_slope(ends["fp"][0], ends["fn"][1], ends["prevalence"][1]),
        cost_slope(ends["fp"][1], ends["fn"][0], ends["prevalence"][0]),
    )
    reading = {k: options[k] for k in READING if k in options}
    table = paired(y, scores, **reading)
    sweeps = {name: table.sweep(name) for name in table.scores}
    own = {name: _optimal_range(name, s, slope) for name, s in sweeps.items()}
    fpr = min(a for a, _ in own.values()), max(b for _, b in own.values())
    if fpr[0] == fpr[1]:
        heights = {name: joint_hull({name: s}).mixture(fpr[0]).tpr for name, s in sweeps.items()}
        return PartialView(slope, fpr, own, heights, None, (ONE_POINT,))
    means = {name: partial_roc_auc(s, fpr=fpr, scale="mean") for name, s in sweeps.items()}
    found = None
    if len(sweeps) > 1:
        found = compare(y, scores, metric="partial_roc_auc", fpr=fpr, scale="mean", **options)
    return PartialView(slope, fpr, own, means, found, (FROM_THE_ROWS, *(found.notes if found else ())))


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

"""The binormal curve fitted by maximum likelihood, to ratings or to continuous scores."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.resampling import units
from curvewise.core.strata import strata_of
from curvewise.core.sweep import Sweep, as_source, sweep_of
from curvewise.curves.hull import need_every_score
from curvewise.errors import Note, UndefinedMetricError, note
from curvewise.inference.limits import critical_value
from curvewise.results.estimate import Estimate
from curvewise.results.numbers import json_safe, percent
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, real
from curvewise.rows.rows import RowOptions, Rows
from curvewise.signal_detection.likelihood import Categories, Maximum, categories, maximum, row_scores
from curvewise.signal_detection.smooth_roc import BinormalRoc

Parameter = Literal["a", "b", "az", "d_a"]
PARAMETERS: tuple[Parameter, ...] = ("a", "b", "az", "d_a")
FEW = 10


@dataclass(frozen=True, eq=False, repr=False)
class BinormalFit(Result, schema="binormal_fit"):
    """A fitted binormal curve.

    TPR = Φ(a + b·Φ⁻¹(FPR)); its area is ``az``, Φ(a/√(1+b²)), and ``d_a``, √2·a/√(1+b²), is the d′ of equal
    variances with this area. ``standard_error`` has that of each of the four by name, ``covariance`` is that
    of (a, b), with ``degrees`` of freedom: clusters (or weighted rows) less one, infinite for rows that are
    independent and count alike; NaN where ``reason`` says why. ``threshold`` is the lowest score of each
    category but the last, ``cut`` where it lies on the scale of the negatives, in standard deviations above
    their mean; ``runs`` is how many ``categories`` there were before neighbours were put together.
    """

    a: float
    b: float
    az: float
    d_a: float
    standard_error: dict[str, float]
    covariance: Floats
    log_likelihood: float
    categories: int
    runs: int
    threshold: NDArray[Any] = field(repr=False)
    cut: Floats = field(repr=False)
    level: float = 0.95
    degrees: float = math.inf
    reason: Note | None = None
    notes: tuple[Note, ...] = ()

    @property
    def curve(self) -> BinormalRoc:
        """The curve itself: ``tpr``, ``slope``, ``partial_auc``, ``cost_optimum``, ``hook``."""
        return BinormalRoc(self.a, self.b)

    @property
    def estimates(self) -> dict[str, Estimate]:
        """The four numbers with their intervals, by name."""
        return {name: self.interval(name) for name in PARAMETERS}

    def interval(self, name: Parameter, level: float | None = None) -> Estimate:
        """Return a number with its interval, on a scale that keeps it in range: log b, Az through d_a."""
        one_of("name", name, PARAMETERS)
        level = real("level", self.level if level is None else level, 0, 1, closed=False)
        value, error = float(getattr(self, name)), self.standard_error[name]
        low, high = self._ends(name, level)
        method = None if self.reason else "information" if math.isinf(self.degrees) else "sandwich"
        return Estimate(name, value, low, high, level, method, error, reason=self.reason)

    def _ends(self, name: Parameter, level: float) -> tuple[float, float]:
        if name == "az":
            low, high = self._ends("d_a", level)
            return NormalDist().cdf(low / math.sqrt(2)), NormalDist().cdf(high / math.sqrt(2))
        value = getattr(self, name)
        away = critical_value(level, self.degrees) * self.standard_error[name]
        if name == "b":
            return value * math.exp(-away / value), value * math.exp(away / value)
        return value - away, value + away

    def partial_auc(self, fpr: tuple[float, float]) -> float:
        """Return the area under the fitted curve over a range of FPR."""
        return self.curve.partial_auc(fpr)

    def partial_auc_error(self, fpr: tuple[float, float]) -> float:
        """Return the standard error of `partial_auc`, by the delta method."""
        step = 1e-4
        ends = [
            [BinormalRoc(self.a + s * da, self.b * math.exp(s * db)).partial_auc(fpr) for s in (step, -step)]
            for da, db in ((1, 0), (0, 1))
        ]
        slope = np.array([(high - low) / (2 * step) for high, low in ends]) / [1, self.b]
        return math.sqrt(float(slope @ self.covariance @ slope))

    @property
    def table(self) -> Table:
        """The four numbers with standard errors and intervals."""
        columns: dict[str, list[Any]] = {"name": list(PARAMETERS)}
        for name in ("value", "standard_error", "low", "high"):
            columns[name] = [getattr(e, name) for e in self.estimates.values()]
        title = f"Binormal fit, {self.categories} categories, {percent(self.level)} intervals"
        return Table(title, columns)

    def parts(self) -> list[Table | Note]:
        """Return the table, why it has no intervals, and the notes."""
        return [self.table, *([self.reason] if self.reason else []), *self.notes]

    def content(self) -> dict[str, Any]:
        """Return all fields, JSON-safe, with the intervals, the hook and the cuts."""
        safe = {name: json_safe(getattr(self, name)) for name in ("estimates", "threshold", "cut")}
        return {**super().content(), **safe, "hook": self.curve.hook, "hook_visible": self.curve.hook_visible}


def binormal(y: object, score: object = None, *, level: float = 0.95, **rows: Unpack[RowOptions]) -> BinormalFit:
    """Fit a binormal ROC curve to ratings or scores by maximum likelihood.

    Parameters
    ----------
    y, score
        A `Sweep` or `Rows` alone, or labels and scores with the options of `curvewise.sweep`. Only the order
        of the scores matters.
    level
        The confidence level of the intervals.

    Raises
    ------
    UndefinedMetricError
        If the rows do not determine a curve: perfect separation, a single threshold, a fit that runs
        away or does not converge.

    Notes
    -----
    The model says that some rising transform makes the scores of both classes normal. Each block of tied
    scores is a category (Dorfman & Alf); blocks of one class alone that are neighbours are one
    category, which changes no estimate (LABROC4). Beyond 400 categories neighbours are put together
    (LABROC5). Unless b = 1 the curve is a little improper: ``curve.hook`` says where it crosses the
    chance line, and a note says so if that can be seen. Standard errors come from the observed information;
    with clusters or sampling weights they are multiplied by how much more the sums of the rows' scores over
    clusters vary than those of as many independent rows (a sandwich), and intervals use t with the clusters'
    degrees of freedom. pROC's ``smooth`` fits a line by least squares instead and gives other numbers.

    References
    ----------
    Dorfman & Alf (1969) J. Math. Psychol. 6:487-496. Metz, Herman & Shen (1998) Statistics in Medicine
    17:1033-1053.

    Examples
    --------
    >>> import curvewise as cw
    >>> s = cw.Sweep.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
    >>> fit = cw.binormal(s)
    >>> round(fit.a, 4), round(fit.b, 4), round(fit.az, 4), round(fit.d_a, 4)
    (1.6568, 0.713, 0.9113, 1.9078)
    """
    level = real("level", level, 0, 1, closed=False)
    source = as_source(y, score, rows)
    sweep = source if isinstance(source, Sweep) else sweep_of(source)
    need_every_score(sweep, "A binormal fit")
    found = categories(sweep)
    _refuse_edges(found)
    # whatever their scale, sampling weights say as much as there are rows
    scale = 1.0 if isinstance(source, Sweep) or source.is_whole else len(source) / sweep.n
    best = maximum(scale * found.pos, scale * found.neg)
    covariance, degrees, reason = _covariance(source, found, best, scale)
    a, b = best.a, best.b
    covariance = covariance * np.outer([1.0, b], [1.0, b])
    curve = BinormalRoc(a, b)
    numbers = a, b, curve.auc, math.sqrt(2) * a / math.hypot(1, b), _errors(a, b, covariance), covariance
    fitted = best.log_likelihood / scale, len(found.pos), found.runs, found.threshold, -best.cuts
    return BinormalFit(*numbers, *fitted, level, degrees, reason, _notes(source, found, curve))


def _covariance(
    source: Sweep | Rows, found: Categories, best: Maximum, scale: float
) -> tuple[Floats, float, Note | None]:
    """Return the covariance of (a, log b), its degrees of freedom, and why there is none."""
    if source.is_whole if isinstance(source, Sweep) else source.is_plain:
        return best.covariance, math.inf, None
    unknown = np.full((2, 2), np.nan)
    if isinstance(source, Sweep):
        return unknown, math.inf, note("weighted_sweep_no_interval")
    unit = units(source)
    clusters = int(unit.max()) + 1
    if clusters < 2:
        return unknown, math.inf, note("one_cluster")
    if source.higher_is == "positive":
        category = len(found.threshold) - np.searchsorted(found.threshold[::-1], source.score, side="right")
    else:
        category = np.searchsorted(found.threshold, source.score, side="left")
    of_positive, of_negative = row_scores(best)
    score = np.where(source.positive, of_positive[:, category], of_negative[:, category])
    weight = np.ones(len(source)) if source.weight is None else scale * source.weight
    summed = np.stack([np.bincount(unit, weight * one, clusters) for one in score])
    together, degrees = summed @ summed.T * (clusters / (clusters - 1)), clusters - 1.0
    if (strata := strata_of(source)) is not None:
        together, degrees = strata.apart(summed.astype(np.float64)).products, strata.degrees
    apart = (weight * score) @ score.T  # if every row were so many independent ones as its weight says
    root, own = np.linalg.cholesky(apart), np.linalg.cholesky(best.information)
    more = np.linalg.solve(root, np.linalg.solve(root, together).T)
    spread = np.linalg.solve(own.T, np.linalg.solve(own.T, more).T)
    return spread, degrees, None


def _refuse_edges(found: Categories) -> None:
    """Refuse rows whose operating points cannot hold a curve with two parameters."""
    tp, fp = np.cumsum(found.pos)[:-1], np.cumsum(found.neg)[:-1]
    inside = (tp > 0) & (tp < found.pos.sum()) & (fp > 0) & (fp < found.neg.sum())
    if not inside.any():
        why = "every threshold has an FPR or TPR of exactly 0 or 1" if len(tp) else "all scores are equal"
        raise UndefinedMetricError(f"A binormal fit has no finite answer: {why}.")
    if len(tp) == 1:
        single = "a single operating point tells d′ (see d_prime), not both a and b"
        raise UndefinedMetricError(f"A binormal fit needs more than one threshold: {single}.")


def _errors(a: float, b: float, covariance: Floats) -> dict[str, float]:
    """Return standard errors by the delta method."""
    root = 1 + b * b
    of_d = math.sqrt(2) * np.array([1 / math.sqrt(root), -a * b / root**1.5])
    error_d = math.sqrt(float(of_d @ covariance @ of_d))
    density = math.exp(-(a * a) / root / 2) / math.sqrt(2 * math.pi)
    error_a, error_b = np.sqrt(np.diag(covariance)).tolist()
    return {"a": error_a, "b": error_b, "az": density * error_d / math.sqrt(2), "d_a": error_d}


def _notes(source: Sweep | Rows, found: Categories, curve: BinormalRoc) -> tuple[Note, ...]:
    notes = []
    if found.runs > len(found.pos):
        notes.append(note("categories_merged", runs=found.runs, categories=len(found.pos)))
    if curve.hook_visible and curve.hook is not None:
        notes.append(note("improper_curve", fpr=curve.hook, b=curve.b))
    fewest = min(found.pos.sum(), found.neg.sum())
    if isinstance(source, Rows) and not source.is_whole:
        fewest = min(np.count_nonzero(source.positive), np.count_nonzero(~source.positive))
    if fewest < FEW:
        notes.append(note("few_rows_of_class", rows=float(fewest)))
    return tuple(notes)

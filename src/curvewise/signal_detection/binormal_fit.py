"""The binormal curve fitted by maximum likelihood, to ratings or to continuous scores."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from html import escape
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from curvewise.core.sweep import as_sweep
from curvewise.curves.hull import need_every_score
from curvewise.errors import UndefinedMetricError
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Table
from curvewise.rows.checks import one_of, real
from curvewise.signal_detection.analytic import BinormalRoc
from curvewise.signal_detection.categories import Categories, categories
from curvewise.signal_detection.likelihood import maximum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.rows.reading import RowOptions

    Floats = NDArray[np.float64]

PARAMETERS = ("a", "b", "az", "d_a")
FEW = 10


@dataclass(frozen=True, eq=False)
class BinormalFit:
    """A fitted binormal curve.

    Attributes
    ----------
    a, b
        The curve TPR = Φ(a + b·Φ⁻¹(FPR)): intercept and slope on normal deviates.
    az, d_a
        Its area Φ(a/√(1+b²)), and d_a = √2·a/√(1+b²), the d′ of equal variances with this area.
    standard_error
        Of each of the four, by name, from the observed information (NaN where weights are fractional).
    covariance
        That of (a, b).
    curve
        The curve itself, a `BinormalRoc`: ``tpr``, ``slope``, ``partial_auc``, ``cost_optimum``, ``hook``.
    threshold, cut
        The lowest score of each category but the last, and where it lies on the scale of the negatives,
        in standard deviations above their mean.
    categories, runs
        How many categories were fitted, and how many there were before neighbours were put together.
    notes
        What a careful reader should know.
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
    notes: tuple[str, ...] = ()

    @property
    def curve(self) -> BinormalRoc:
        """The smooth curve."""
        return BinormalRoc(self.a, self.b)

    def interval(self, name: Literal["a", "b", "az", "d_a"], level: float = 0.95) -> tuple[float, float]:
        """Return an interval: b on the logarithmic scale, Az through d_a, so that both stay in range."""
        one_of("name", name, PARAMETERS)
        z = NormalDist().inv_cdf((1 + real("level", level, 0, 1, closed=False)) / 2)
        if name == "az":
            low, high = self.interval("d_a", level)
            return _area(low), _area(high)
        value, away = getattr(self, name), z * self.standard_error[name]
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

    def table(self, level: float = 0.95) -> Table:
        """Return the four numbers with standard errors and intervals."""
        ends = [self.interval(name, level) for name in PARAMETERS]  # type: ignore[arg-type]
        return Table(
            f"Binormal fit, {self.categories} categories, {100 * level:.4g} % intervals",
            {
                "name": list(PARAMETERS),
                "value": [getattr(self, name) for name in PARAMETERS],
                "standard_error": [self.standard_error[name] for name in PARAMETERS],
                "low": [low for low, _ in ends],
                "high": [high for _, high in ends],
            },
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all results, JSON-safe."""
        plain = {
            k: json_safe(getattr(self, k)) for k in (*PARAMETERS, "log_likelihood", "categories", "runs")
        }
        return {
            **plain,
            "standard_error": {k: json_safe(v) for k, v in self.standard_error.items()},
            "hook": self.curve.hook,
            "hook_visible": self.curve.hook_visible,
            "threshold": [json_safe(t) for t in self.threshold],
            "cut": self.cut.tolist(),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return "\n".join([str(self.table()), *(f"note: {note}" for note in self.notes)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def binormal(y: object, score: object = None, **rows: Unpack[RowOptions]) -> BinormalFit:
    """Fit a binormal ROC curve to ratings or scores by maximum likelihood.

    Parameters
    ----------
    y, score
        A `Sweep` alone, or labels and scores with the options of `curvewise.sweep`. Only the order of
        the scores matters.

    Returns
    -------
    BinormalFit
        ``a``, ``b``, ``az``, ``d_a`` with standard errors and intervals, and the smooth ``curve``.

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
    chance line, and a note says so if that can be seen. pROC's ``smooth`` fits a line by least squares
    instead and gives other numbers.

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
    sweep = as_sweep(y, score, rows)
    what = "A binormal fit"
    sweep.need_both_classes(what)
    need_every_score(sweep, what)
    found = categories(sweep)
    _refuse_edges(found)
    best = maximum(found.pos, found.neg)
    fractional = sweep.tp.dtype.kind == "f"
    by_b = np.array([1.0, best.b])
    covariance = best.covariance * np.outer(by_b, by_b)
    if fractional:
        covariance = np.full((2, 2), np.nan)
    curve = BinormalRoc(best.a, best.b)
    return BinormalFit(
        best.a,
        best.b,
        curve.auc,
        math.sqrt(2) * best.a / math.hypot(1, best.b),
        _errors(best.a, best.b, covariance),
        covariance,
        best.log_likelihood,
        len(found.pos),
        found.runs,
        found.threshold,
        -best.cuts,
        _notes(found, curve, fractional=fractional),
    )


def _refuse_edges(found: Categories) -> None:
    """Refuse rows whose operating points cannot hold a curve with two parameters."""
    tp, fp = np.cumsum(found.pos)[:-1], np.cumsum(found.neg)[:-1]
    inside = (tp > 0) & (tp < found.pos.sum()) & (fp > 0) & (fp < found.neg.sum())
    if not inside.any():
        why = "every threshold has an FPR or TPR of exactly 0 or 1" if len(tp) else "all scores are equal"
        raise UndefinedMetricError(f"A binormal fit has no finite answer: {why}.")
    if len(tp) == 1:
        raise UndefinedMetricError(
            "A binormal fit needs more than one threshold: a single operating point tells d′ (see d_prime), "
            "not both a and b."
        )


def _errors(a: float, b: float, covariance: Floats) -> dict[str, float]:
    """Return standard errors by the delta method."""
    root = 1 + b * b
    of_d = math.sqrt(2) * np.array([1 / math.sqrt(root), -a * b / root**1.5])
    error_d = math.sqrt(float(of_d @ covariance @ of_d))
    density = math.exp(-(a * a) / root / 2) / math.sqrt(2 * math.pi)
    return {
        "a": math.sqrt(covariance[0, 0]),
        "b": math.sqrt(covariance[1, 1]),
        "az": density * error_d / math.sqrt(2),
        "d_a": error_d,
    }


def _area(d_a: float) -> float:
    return NormalDist().cdf(d_a / math.sqrt(2))


def _notes(found: Categories, curve: BinormalRoc, *, fractional: bool) -> tuple[str, ...]:
    notes = []
    if found.runs > len(found.pos):
        notes.append(f"{found.runs} categories were put together into {len(found.pos)}")
    if curve.hook_visible and curve.hook is not None:
        notes.append(
            f"improper: the curve crosses the chance line at FPR {show(curve.hook)} (b = {show(curve.b)}); "
            "do not read it there"
        )
    fewest = min(found.pos.sum(), found.neg.sum())
    if fewest < FEW:
        notes.append(f"only {fewest:g} rows of a class: standard errors are shaky")
    if fractional:
        notes.append("fractional weights: no standard errors")
    return tuple(notes)

"""One model judged in full; each part is computed when it is first asked for."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.probability import of_probabilities
from curvewise.curves.cost import cost_curve
from curvewise.curves.decision import decision_curve
from curvewise.curves.det import det_curve
from curvewise.curves.hull import roc_hull
from curvewise.curves.lift import lift_curve
from curvewise.curves.pr import pr_curve
from curvewise.curves.pr_gain import pr_gain_curve
from curvewise.curves.roc import roc_curve
from curvewise.curves.thinning import kept_points
from curvewise.decisions.operating_point import point_of
from curvewise.errors import CurvewiseError, CurvewiseWarning, UndefinedMetricError
from curvewise.inference.bands import roc_band
from curvewise.inference.interval import intervals_of
from curvewise.probabilities.calibration import calibration
from curvewise.probabilities.decomposition import decompose
from curvewise.probabilities.reliability import reliability

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.curves.cost import CostCurve
    from curvewise.curves.decision import DecisionCurve
    from curvewise.curves.det import DetCurve
    from curvewise.curves.hull import RocHull
    from curvewise.curves.lift import LiftCurve
    from curvewise.curves.pr import PrCurve
    from curvewise.curves.pr_gain import PrGainCurve
    from curvewise.curves.roc import RocCurve
    from curvewise.decisions.point import OperatingPoint
    from curvewise.decisions.rule import Rule
    from curvewise.inference.bands import Band
    from curvewise.probabilities.calibration import Calibration
    from curvewise.probabilities.decomposition import Decomposition
    from curvewise.probabilities.reliability import Reliability
    from curvewise.results.estimate import Estimate
    from curvewise.rows.reading import Rows

RANKING: dict[str, dict[str, Any]] = {
    "roc_auc": {},
    "average_precision": {},
    "partial_roc_auc": {"fpr": (0, 0.1), "scale": "mean"},
    "pr_auc": {},
    "equal_error_rate": {},
    "h_measure": {},
}
LOSSES = ("brier_loss", "log_loss")
POINTS = 1000  # of a curve or sweep that is drawn
BARS = 40


@dataclass(frozen=True, eq=False)
class Judged:
    """A model's scores on these rows, and all that follows from them."""

    name: str
    rows: Rows
    sweep: Sweep
    rule: Rule
    level: float
    seed: int
    replicates: int

    @cached_property
    def why_not_probability(self) -> str | None:
        """Why the scores are not taken for probabilities; None if they are."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CurvewiseWarning)
            try:
                found = of_probabilities(self.sweep)
            except CurvewiseError:
                return "outside"
        return "decisions" if np.isin(found.threshold, (0, 1)).all() else None

    @property
    def is_probability(self) -> bool:
        """Whether the scores lie in [0, 1] and are not mere decisions."""
        return self.why_not_probability is None

    @property
    def estimates(self) -> dict[str, Estimate]:
        """The numbers of the ranking that these rows define, with intervals."""
        return {name: e for name, e in self._estimates.items() if name not in LOSSES}

    @property
    def losses(self) -> dict[str, Estimate]:
        """The proper losses, with intervals; nothing where scores are no probabilities."""
        return {name: e for name, e in self._estimates.items() if name in LOSSES}

    @cached_property
    def _estimates(self) -> dict[str, Estimate]:
        metrics = {**RANKING, **({name: {} for name in LOSSES} if self.is_probability else {})}
        source = self.sweep if self._plain else self.rows
        return intervals_of(metrics, source, level=self.level, rng=self.seed, replicates=self.replicates)

    @property
    def _plain(self) -> bool:
        """Whether rows count alike and are independent, so that the sweep says it all."""
        return self.rows.cluster is None and self.sweep.tp.dtype.kind == "i"

    @cached_property
    def roc(self) -> RocCurve:
        """The ROC curve."""
        return roc_curve(self.sweep).thin(POINTS)

    @cached_property
    def band(self) -> Band | None:
        """Pointwise intervals of TPR; None where rows would have to be resampled one by one."""
        if not self._plain:
            return None
        return roc_band(self.sweep, level=self.level, rng=self.seed, replicates=self.replicates)

    @cached_property
    def pr(self) -> PrCurve:
        """The PR curve."""
        return pr_curve(self.sweep).thin(POINTS)

    @cached_property
    def pr_gain(self) -> PrGainCurve:
        """The PR-gain curve."""
        return pr_gain_curve(self.sweep).thin(POINTS)

    @cached_property
    def det(self) -> DetCurve:
        """The DET curve."""
        return det_curve(self.sweep).thin(POINTS)

    @cached_property
    def lift(self) -> LiftCurve:
        """The gain and lift curve."""
        return lift_curve(self.sweep).thin(POINTS)

    @cached_property
    def hull(self) -> RocHull:
        """The hull of the ROC curve."""
        return roc_hull(self.sweep)

    @cached_property
    def cost(self) -> CostCurve:
        """The cost curve."""
        return cost_curve(self.sweep).thin(POINTS)

    @cached_property
    def point(self) -> OperatingPoint | None:
        """The threshold that the rule chooses, and what it does; None where no score meets the rule."""
        rows = None if self.sweep.tp.dtype.kind == "i" else self.rows
        try:
            return point_of(
                rows,
                self.sweep,
                self.rule,
                rng=self.seed,
                level=self.level,
                replicates=min(self.replicates, 500),
            )
        except UndefinedMetricError:
            return None

    @cached_property
    def decision(self) -> DecisionCurve | None:
        """The decision curve of probabilities."""
        if not self.is_probability:
            return None
        return decision_curve(self.sweep, level=self.level, prevalence=self.rule.prevalence)

    @cached_property
    def parts(self) -> Decomposition | None:
        """The Brier loss in its parts."""
        return decompose(self.sweep) if self.is_probability else None

    @cached_property
    def reliability(self) -> Reliability | None:
        """The reliability curve with its consistency band."""
        if not self.is_probability:
            return None
        y, p, weight = self._probabilities
        return reliability(y, p, level=self.level, rng=self.seed, replicates=self.replicates, **weight)

    @cached_property
    def calibration(self) -> Calibration | None:
        """The measures of calibration."""
        if not self.is_probability:
            return None
        y, p, weight = self._probabilities
        return calibration(y, p, level=self.level, **weight)

    @property
    def _probabilities(self) -> tuple[Any, Any, Any]:
        """The sweep, or the rows where fractional weights have to be squared."""
        if self.sweep.tp.dtype.kind == "i":
            return self.sweep, None, {}
        return self.rows.positive, self.rows.score, {"weight": self.rows.weight}

    def histogram(self) -> dict[str, list[float]]:
        """Return how the scores of each class are spread, in bars of equal width."""
        threshold = np.asarray(self.sweep.threshold, dtype=np.float64)
        finite = np.isfinite(threshold)
        here = threshold[finite]
        low, high = (0.0, 1.0) if self.is_probability else (float(here.min()), float(here.max()))
        edges = np.linspace(low, high if high > low else low + 1, BARS + 1)
        inside = np.clip(here, edges[0], edges[-1])
        counts = {
            name: np.histogram(inside, edges, weights=np.diff(c, prepend=0)[finite])[0].tolist()
            for name, c in (("positives", self.sweep.tp), ("negatives", self.sweep.fp))
        }
        return {"edges": edges.tolist(), **counts}

    @cached_property
    def thinned(self) -> Sweep:
        """The sweep with at most `POINTS` thresholds, keeping what shows of the ROC curve."""
        s = self.sweep
        # one place less: the curve starts where nothing is flagged, the sweep at its first block
        keep = kept_points(*roc_curve(s).axes(), POINTS + 1)[1:] - 1
        return replace(s, threshold=s.threshold[keep], tp=s.tp[keep], fp=s.fp[keep])

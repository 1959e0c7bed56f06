"""One model evaluated in full; each part is computed when it is first asked for."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.probability import of_probabilities
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.curves.base import kept_points
from curvewise.curves.cost import CostCurve, cost_curve
from curvewise.curves.decision import DecisionCurve, decision_curve, shown_thresholds
from curvewise.curves.det import DetCurve, det_curve
from curvewise.curves.histogram import ScoreHistogram, score_histogram
from curvewise.curves.hull import RocHull, roc_hull
from curvewise.curves.lift import LiftCurve, lift_curve
from curvewise.curves.pr import PrCurve, pr_curve
from curvewise.curves.pr_gain import PrGainCurve, pr_gain_curve
from curvewise.curves.roc import RocCurve, roc_curve
from curvewise.decisions.compare_costs import beside_trivial
from curvewise.decisions.operating_point import OperatingPoint, operating_point
from curvewise.decisions.trivial import TRIVIAL, stated_costs
from curvewise.errors import CurvewiseError, CurvewiseWarning, Note, UndefinedMetricError, note
from curvewise.inference.bands import Band, roc_band
from curvewise.inference.interval import intervals_of
from curvewise.metric.registry import every, find
from curvewise.probabilities.calibration import MEASURES, Calibration, calibration
from curvewise.probabilities.decomposition import Decomposition, decompose
from curvewise.probabilities.reliability import Reliability, reliability
from curvewise.results.estimate import Estimate
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.decisions.choice import Rule
    from curvewise.inference.comparison import Comparison
    from curvewise.rows.rows import Rows

POINTS = 1000  # of a curve or sweep that is drawn
RARE = 0.05  # a prevalence below which figures look at low rates and low probabilities
DRAWN = 400  # places of a reliability curve in a dict
QUANTILES = 100  # parts of each class between which the spread of scores is kept
BANDS = 500  # resamples of a band: it is drawn, and no reader sees the third digit of its width


@dataclass(frozen=True, eq=False, repr=False)
class ModelEvaluation(Result, schema="model_evaluation"):
    """A model's scores on these rows, and all that follows from them: a part of an `Evaluation`.

    ``estimates`` has every metric with its interval, ``point`` the chosen threshold. ``roc``, ``pr``,
    ``pr_gain``, ``det``, ``lift``, ``cost`` and ``decision`` are curves, ``band`` has the intervals of the
    ROC curve; ``calibration``, ``reliability`` and ``parts_of_loss`` are there for probabilities alone.
    """

    name: str
    rows: Rows
    rule: Rule
    level: float
    seed: int
    replicates: int

    @cached_property
    def sweep(self) -> Sweep:
        """The counts at every threshold."""
        return sweep_of(self.rows)

    @property
    def source(self) -> Sweep | Rows:
        """What verbs are given: the sweep where it says it all, else the rows with clusters and weights."""
        return self.sweep if self.rows.is_plain else self.rows

    @cached_property
    def why_not_probability(self) -> str | None:
        """Why scores are not taken for probabilities, ``"outside"`` or ``"decisions"``; None if they are."""
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

    @cached_property
    def estimates(self) -> dict[str, Estimate]:
        """Every metric that tables show, with its interval; what these rows do not define has a reason.

        Those of probabilities are left out where scores are none. What `calibration` has is taken from there.
        """
        families = ("ranking", "probability") if self.is_probability else ("ranking",)
        shown = [m for m in every() if m.in_tables and m.family in families]
        wanted = [m.bind(m.shown) for m in shown if m.name not in self._calibrated]
        found = intervals_of(wanted, self.source, level=self.level, rng=self.seed, replicates=self.replicates)
        return {m.name: {**found, **self._calibrated}[m.name] for m in shown}

    @cached_property
    def _calibrated(self) -> dict[str, Estimate]:
        """What the result of `calibration` measures, by name; what is biased there has no interval."""
        found = {}
        for field, name in MEASURES.items() if self.calibration is not None else ():
            measured = getattr(self.calibration, field)
            if isinstance(measured, float):
                why = self.calibration.reasons.get(name) or note("no_interval_biased")  # type: ignore[union-attr]
                measured = Estimate(name, measured, math.nan, math.nan, self.level, None, reason=why)
            if isinstance(measured, Estimate):
                found[name] = measured
        return found

    def of_family(self, family: str) -> dict[str, Estimate]:
        """Return the estimates of one family of metrics, without those that `calibration` shows."""
        return {
            name: e
            for name, e in self.estimates.items()
            if find(name).family == family and name not in self._calibrated
        }

    @cached_property
    def roc(self) -> RocCurve:
        """The ROC curve."""
        return roc_curve(self.sweep).thin(POINTS)

    @cached_property
    def band(self) -> Band:
        """Pointwise intervals of TPR."""
        return roc_band(self.source, level=self.level, rng=self.seed, replicates=min(self.replicates, BANDS))

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
        return self._choice if isinstance(self._choice, OperatingPoint) else None

    @property
    def unmet(self) -> Note | None:
        """Why no score meets the rule, where none does."""
        return self._choice if isinstance(self._choice, Note) else None

    @cached_property
    def _choice(self) -> OperatingPoint | Note:
        try:
            return operating_point(
                # a guarantee asks for folds, costs by row for rows
                self.rows if self.rule.confidence is not None or self.rule.by_row else self.source,
                rule=self.rule,
                rng=self.seed,
                level=self.level,
                replicates=self.replicates,
            )
        except UndefinedMetricError as error:
            return error.reason

    @cached_property
    def beside_trivial(self) -> Comparison | None:
        """The chosen threshold against flagging no row, and every row; None where no costs were stated."""
        if self.point is None or self.point.flags_nothing or stated_costs(self.rule) is None:
            return None
        return beside_trivial(self.rows, self.point, self.level)

    @property
    def trivial(self) -> str | None:
        """Which trivial decision is expected to cost no more than the threshold, ``"none"`` or ``"every"``."""
        costs = {} if self.beside_trivial is None else self.beside_trivial.values
        return next((k for k in TRIVIAL if costs and costs[k] == min(costs.values())), None)

    @cached_property
    def decision(self) -> DecisionCurve | None:
        """The decision curve of probabilities."""
        if not self.is_probability:
            return None
        stated = self.rule.prevalence
        prevalence = self.sweep.prevalence if stated is None else stated
        # where positives are rare, few of the whole percents lie where anything is worth doing
        places = shown_thresholds(prevalence) if prevalence < RARE else None
        return decision_curve(self.source, thresholds=places, level=self.level, prevalence=stated)

    @cached_property
    def parts_of_loss(self) -> Decomposition | None:
        """The Brier loss in its parts."""
        return decompose(self.sweep) if self.is_probability else None

    @cached_property
    def reliability(self) -> Reliability | None:
        """The reliability curve with its consistency band."""
        if not self.is_probability:
            return None
        return reliability(self.source, level=self.level, rng=self.seed, replicates=min(self.replicates, BANDS))

    @cached_property
    def calibration(self) -> Calibration | None:
        """The measures of calibration."""
        if not self.is_probability:
            return None
        return calibration(self.source, level=self.level, rng=self.seed, replicates=self.replicates)

    @cached_property
    def histogram(self) -> ScoreHistogram:
        """How the scores of each class are spread."""
        return score_histogram(self.sweep, limits=(0.0, 1.0) if self.is_probability else None)

    @cached_property
    def thinned(self) -> Sweep:
        """The sweep with at most `POINTS` thresholds, keeping what shows of the ROC curve and the choice."""
        s = self.sweep
        # one place less: the curve starts where nothing is flagged, the sweep at its first block
        keep = kept_points(*roc_curve(s).axes(), POINTS + 1)[1:] - 1
        if self.point is not None:
            chosen = np.flatnonzero(s.threshold == self.point.threshold)
            keep = np.union1d(keep, chosen)
        return replace(s, threshold=s.threshold[keep], tp=s.tp[keep], fp=s.fp[keep])

    @cached_property
    def quantiles(self) -> Sweep:
        """The sweep with a threshold at every per cent of each class: how the scores are spread."""
        s = self.sweep
        places = [np.array([0, len(s.threshold) - 1])]
        for counts, total in ((s.tp, s.positives), (s.fp, s.known_negatives("A quantile"))):
            places.append(np.searchsorted(counts, np.arange(1, QUANTILES) * (total / QUANTILES)))
        # the sum of fractional weights may end below their total
        keep = np.unique(np.minimum(np.concatenate(places), len(s.threshold) - 1))
        return s.with_cumulated(s.threshold[keep], s.tp[keep], s.fp[keep])

    @property
    def notes(self) -> tuple[Note, ...]:  # type: ignore[override]
        """What a careful reader should know of the numbers, each note once."""
        found: list[Note] = []
        for estimate in self.estimates.values():
            found += [n for n in estimate.notes if n not in found]
        return tuple(found)

    @property
    def table(self) -> Table:
        """One row per metric."""
        return estimates_table({self.name: self})

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draw the ROC curve with its band."""
        return self.roc.plot(ax, band=self.band, **style)

    def content(self) -> dict[str, Any]:
        """Return all parts, JSON-safe; curves have at most 1 000 points."""
        ends = sorted(t.item() for t in (self.sweep.threshold[0], self.sweep.threshold[-1]))
        counts = {k: getattr(self.thinned, k) for k in ("threshold", "tp", "fp")}
        curve = self.reliability
        step = 1 if curve is None else max(len(curve) // DRAWN, 1)
        found: dict[str, Any] = json_safe(
            {
                "name": self.name,
                "probability": self.is_probability,
                "why_not_probability": self.why_not_probability,
                "distinct": len(self.sweep.threshold),
                "lowest": ends[0],
                "highest": ends[1],
                "estimates": self.estimates,
                "sweep": {
                    **counts,
                    "positives": self.sweep.positives,
                    "negatives": self.sweep.negatives,
                    "higher_is": self.sweep.higher_is,
                },
                "quantiles": {k: getattr(self.quantiles, k) for k in ("threshold", "tp", "fp")},
                "band": self.band.table.columns,
                "histogram": self.histogram.table.columns,
                "point": self.point,
                "parts_of_loss": self.parts_of_loss,
                "calibration": self.calibration,
                "reliability": None if curve is None else {k: v[::step] for k, v in curve.table.columns.items()},
                "decision": None if self.decision is None else self.decision.table.columns,
            }
        )
        return found


def estimates_table(models: Mapping[str, Any], title: str = "") -> Table:
    """Return every number of every model, one row per metric of a model."""
    rows = [(name, e) for name, m in models.items() for e in m.estimates.values()]
    columns: dict[str, list[Any]] = {"model": [name for name, _ in rows]}
    for key in ("metric", "value", "low", "high", "method"):
        columns[key] = [getattr(e, key) for _, e in rows]
    return Table(title, columns)

"""What has changed since a baseline: every number then and now, differences with intervals, drift."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from curvewise.errors import CurvewiseError, Note
from curvewise.evaluation.answers.baseline import verdicts_of
from curvewise.evaluation.answers.caveats import of_model
from curvewise.many_classes.class_metrics import metrics_of_all
from curvewise.many_classes.multiclass import Multiclass
from curvewise.metric.registry import Better, known
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.curves.histogram import ScoreHistogram
    from curvewise.evaluation.options import Origin
    from curvewise.inference.score_drift import ScoreDrift
    from curvewise.results.estimate import Estimate

CHANGE = ("then", "now", "difference", "low", "high", "p")


@dataclass(frozen=True, repr=False)
class MetricChange(Result, schema="metric_change"):
    """A number then and now, and the difference, now minus then, with its interval.

    ``p_value`` is that of a comparison of the same rows, or of two windows; None where none was made.
    """

    metric: str
    then: Estimate
    now: Estimate
    difference: Estimate
    p_value: float | None = None

    @property
    def better(self) -> Better:
        """Which way is better: ``"higher"``, ``"lower"``, near a ``"target"``, or ``"neither"``."""
        metric = known(self.metric) or metrics_of_all(Multiclass).get(self.metric)
        return "neither" if metric is None else metric.better

    @property
    def is_clear(self) -> bool:
        """Whether the interval of the difference excludes 0."""
        return self.difference.low > 0 or self.difference.high < 0

    @property
    def worse_by(self) -> float:
        """How much worse the number is now: below 0 where it is better; NaN where that is not defined."""
        gap = self.now.value - self.then.value
        match self.better:
            case "higher":
                return -gap
            case "lower":
                return gap
            case "target":
                return abs(self.now.value - self.target) - abs(self.then.value - self.target)
            case _:
                return math.nan

    @property
    def target(self) -> float:
        """What the number should be near; NaN where there is no such value."""
        found = known(self.metric)
        return math.nan if found is None or found.target is None else found.target

    @property
    def table(self) -> Table:
        """One row."""
        gap = self.difference
        values = (self.then.value, self.now.value, gap.value, gap.low, gap.high, self.p_value)
        row = {"metric": self.metric, **dict(zip(CHANGE, values, strict=True))}
        return Table("", {name: [value] for name, value in row.items() if value is not None})

    def content(self) -> dict[str, Any]:
        """Return both numbers and the difference, JSON-safe, and whether it is clear."""
        return {**super().content(), "clear": self.is_clear, "worse_by": json_safe(self.worse_by)}


@dataclass(frozen=True, repr=False)
class ModelThenAndNow(Result, schema="model_then_and_now"):
    """One model then and now.

    Attributes
    ----------
    name, then_name
        What it is called now, and what it was called in the baseline.
    metrics
        By name, every metric that both evaluations show.
    calibration
        Observed over expected, and the calibration slope, of probabilities.
    at_threshold, threshold
        The rates at the threshold that the baseline chose: then as was expected on new rows, now as counted on these
        rows; empty where there is none, or where both are the same rows.
    scores
        How far the scores have shifted: of ``"all"`` rows, of ``"positives"``, of ``"negatives"``.
    histograms
        The scores then and now, counted in the bins of the baseline; None where they cannot be compared.
    """

    name: str
    then_name: str
    metrics: dict[str, MetricChange]
    calibration: dict[str, MetricChange]
    at_threshold: dict[str, MetricChange]
    threshold: float | None
    scores: dict[str, ScoreDrift]
    histograms: tuple[ScoreHistogram, ScoreHistogram] | None = field(default=None, repr=False, compare=False)

    @property
    def changes(self) -> list[MetricChange]:
        """All numbers, those at the threshold last."""
        return [*self.metrics.values(), *self.calibration.values(), *self.at_threshold.values()]

    @property
    def table(self) -> Table:
        """One row per number."""
        return _table("", [{"model": self.name, **row} for row in self.rows()])

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draw how the scores of each class were spread and are."""
        if self.histograms is None:
            raise CurvewiseError(f"There is no figure of {self.name}: its scores then and now cannot be compared.")
        from curvewise.figures.drift import draw_drift  # noqa: PLC0415 - needs matplotlib

        return draw_drift(*self.histograms, ax=ax, **style)

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of the table."""
        found = [change.table.rows()[0] for change in (*self.metrics.values(), *self.calibration.values())]
        for change in self.at_threshold.values():
            row = change.table.rows()[0]
            found.append({**row, "metric": f"{change.metric} at {self.threshold:.6g}"})
        return found


@dataclass(frozen=True, eq=False, repr=False)
class ThenAndNow(Result, schema="then_and_now"):
    """An evaluation beside an earlier one, made by `Evaluation.compare`.

    Attributes
    ----------
    models
        One `ModelThenAndNow` per model that both have, by its name now.
    prevalence
        The share of positives then and now; None for many classes, and for the same rows.
    origin, rows_then, rows_now
        Where the baseline's rows came from, and how many rows there were and are.
    is_paired
        Whether both are the same rows, compared row by row.
    verdicts
        What has clearly changed and what has not, a sentence each.
    """

    models: dict[str, ModelThenAndNow]
    prevalence: MetricChange | None
    origin: Origin
    rows_then: float
    rows_now: float
    level: float
    is_paired: bool
    notes: tuple[Note, ...] = ()

    @cached_property
    def verdicts(self) -> tuple[Note, ...]:
        """What has changed, as notes whose values name the ``model`` and a ``severity``, ``"warn"`` or ``"note"``."""
        return verdicts_of(self)

    @property
    def table(self) -> Table:
        """Every number then and now, one row per metric of a model."""
        rows = [{"model": "", **self.prevalence.table.rows()[0]}] if self.prevalence is not None else []
        rows += [row for model in self.models.values() for row in model.table.rows()]
        return _table(f"Then and now ({100 * self.level:.4g}% intervals of the differences)", rows)

    @property
    def drift(self) -> Table:
        """How far the scores have shifted, one row per part of the rows of a model."""
        found = [(name, drift) for name, m in self.models.items() for drift in m.scores.values()]
        rows = [{"model": name, **drift.table.rows()[0]} for name, drift in found]
        return _table("Drift of the scores (psi_limit: what chance alone rarely exceeds)", rows)

    def tables(self) -> list[Table]:
        """Return the numbers and the drift of scores."""
        return [self.table, *([self.drift] if len(self.drift) else [])]

    def parts(self) -> list[Table | Note]:
        """Return the verdicts, the numbers, the drift of scores, and the notes."""
        return [*map(of_model, self.verdicts), *self.tables(), *self.notes]

    def content(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""
        found = super().content()
        return {**found, "models": list(found["models"].values()), "verdicts": json_safe(self.verdicts)}


def _table(title: str, rows: list[dict[str, Any]]) -> Table:
    names = dict.fromkeys(name for row in rows for name in row)
    return Table(title, {name: [row.get(name) for row in rows] for name in names})

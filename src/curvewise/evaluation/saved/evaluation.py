"""An evaluation read back from its dict: every number with its interval, but not the rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from curvewise.curves.roc import roc_curve
from curvewise.errors import Note, note
from curvewise.evaluation.facts import flat_metrics, statement_of
from curvewise.evaluation.saved.decode import plain_json
from curvewise.evaluation.two_classes import estimates_table
from curvewise.results.numbers import percent
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.core.confusion import Confusion
    from curvewise.core.sweep import Sweep
    from curvewise.curves.histogram import ScoreHistogram
    from curvewise.evaluation.options import Origin
    from curvewise.probabilities.calibration import Calibration
    from curvewise.results.estimate import Estimate


@dataclass(frozen=True, repr=False)
class SavedPoint(Result, schema="saved_point"):
    """A chosen threshold as it was saved.

    ``estimates`` are its rates on the rows of the choice, ``expected`` those expected on new rows; both at
    ``prevalence``, which is ``stated_prevalence`` where one was stated.
    """

    rule: str
    threshold: float
    midpoint: float
    flags_nothing: bool
    confusion: Confusion
    prevalence: float
    stated_prevalence: float | None
    estimates: dict[str, Estimate]
    expected: dict[str, Estimate]
    sentence: str
    level: float
    higher_is: str

    @property
    def table(self) -> Table:
        """Every rate as expected on new rows."""
        names = ("metric", "value", "low", "high")
        columns = {name: [getattr(e, name) for e in self.expected.values()] for name in names}
        return Table(f"Rates at {self.threshold:.10g} ({percent(self.level)} intervals)", columns)


@dataclass(frozen=True, eq=False, repr=False)
class SavedModel(Result, schema="saved_model"):
    """A model of a saved evaluation.

    Attributes
    ----------
    estimates
        Every metric with its interval, as `Estimate`.
    sweep
        The counts at up to 1 000 thresholds: enough to draw curves and to cut anywhere, too few for exact areas.
    quantiles
        The counts at every per cent of each class: how the scores are spread.
    distinct
        How many thresholds there were.
    histogram, point, calibration
        As in `ModelEvaluation`; None where there was none.
    why_not_probability
        Why scores were not taken for probabilities; None if they were.
    """

    name: str
    why_not_probability: str | None
    distinct: int
    estimates: dict[str, Estimate]
    sweep: Sweep
    quantiles: Sweep
    histogram: ScoreHistogram
    point: SavedPoint | None
    calibration: Calibration | None

    @property
    def is_probability(self) -> bool:
        """Whether the scores were taken for probabilities."""
        return self.why_not_probability is None

    @property
    def table(self) -> Table:
        """One row per metric."""
        return estimates_table({self.name: self})

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draw the ROC curve."""
        return _draw_roc({self.name: self}, ax, style)


@dataclass(frozen=True, eq=False, repr=False)
class SavedEvaluation(Result, schema="evaluation"):
    """What `Evaluation.from_dict` returns: everything that was saved, as objects. Rows are not saved.

    Attributes
    ----------
    models
        One `SavedModel` per score, by name: ``estimates``, ``sweep``, ``histogram``, ``point``, ``calibration``.
    options
        What was asked for, flat, as in the dict.
    data
        How many rows there were of each kind.
    prevalence
        The share of positives with its interval; None for many classes.
    multiclass_estimates
        The numbers of a model of many classes; empty for two classes.
    origin, command, seed, written_by
        Where the rows came from, how it was made, and by which version of curvewise.
    """

    models: dict[str, SavedModel]
    options: dict[str, Any]
    data: dict[str, Any]
    prevalence: Estimate | None
    multiclass_estimates: dict[str, Estimate]
    origin: Origin
    command: str | None
    seed: int | None
    written_by: str
    level: float
    left_out: tuple[Note, ...]
    notes: tuple[Note, ...] = ()
    saved: dict[str, Any] = field(default_factory=dict, repr=False)

    def content(self) -> dict[str, Any]:
        """Return the dict that it was read from."""
        found: dict[str, Any] = plain_json(self.saved, "saved")
        return found

    @property
    def title(self) -> str:
        """What was evaluated, in a few words."""
        return f"Saved evaluation of {self.origin.name or 'predictions'}"

    @property
    def statement(self) -> Note:
        """How many rows of which kind there were, in a sentence."""
        return statement_of(self.data, self.options.get("label"), len(self.options["scores"]))

    def metrics(self) -> dict[str, float]:
        """Return plain numbers by flat names, as `Evaluation.metrics` does."""
        return flat_metrics(self.models, self.multiclass_estimates)

    @property
    def table(self) -> Table:
        """Every number with its interval, one row per metric of a model."""
        title = f"{self.title} ({percent(self.level)} intervals)"
        if self.multiclass_estimates:
            found = self.multiclass_estimates.values()
            return Table(title, {k: [getattr(e, k) for e in found] for k in ("metric", "value", "low", "high")})
        return estimates_table(self.models, title)

    def parts(self) -> list[Table | Note]:
        """Return the rows, the numbers, and what is not there."""
        return [self.statement, self.table, note("rows_not_saved")]

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draw the ROC curves of all models."""
        return _draw_roc(self.models, ax, style)


def _draw_roc(models: dict[str, SavedModel], ax: Any, style: dict[str, Any]) -> Any:
    from curvewise.figures.roc import draw_roc  # noqa: PLC0415 - needs matplotlib

    # areas are those that were saved: the thinned sweep has others
    known = {name: m.estimates["roc_auc"] for name, m in models.items() if "roc_auc" in m.estimates}
    curves = {name: roc_curve(m.sweep) for name, m in models.items()}
    return draw_roc(curves, ax=ax, **{"estimate": known, **style})

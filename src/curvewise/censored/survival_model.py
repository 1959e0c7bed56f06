"""What one model achieves over time on censored outcomes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.censored.concordance import Concordance
    from curvewise.errors import Note
    from curvewise.results.estimate import Estimate

BY_PROBABILITY = ("brier_skill", "brier_loss", "observed_expected")
SHOWN = {"roc_auc": "AUC", "brier_skill": "IPA", "brier_loss": "Brier", "observed_expected": "O/E"}


@dataclass(frozen=True, eq=False, repr=False)
class SurvivalModel(Result, schema="survival_model"):
    """What one model achieves over time.

    Attributes
    ----------
    name
        The model.
    concordance
        Harrell's C with its interval.
    censoring_check
        The concordance of its score with the times of censoring: near ½ if censoring does not depend on the score.
    at
        By horizon and name of metric: an `Estimate`. ``"roc_auc"``, and of probabilities ``"brier_skill"`` (IPA),
        ``"brier_loss"`` and ``"observed_expected"``.
    pairs
        The `Concordance` itself; None where it is undefined.
    """

    name: str
    concordance: Estimate
    censoring_check: Estimate
    at: dict[float, dict[str, Estimate]]
    pairs: Concordance | None = field(default=None, repr=False)
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    @property
    def table(self) -> Table:
        """One row per horizon, each number with its interval; concordance in the first."""
        return Table(f"Survival: {self.name}", wide([self]), self.backend)

    def content(self) -> dict[str, Any]:
        """Return concordance, the check of censoring, and the metrics of each horizon."""
        plain = {k: json_safe(getattr(self, k)) for k in ("name", "concordance", "censoring_check")}
        at = [{"horizon": t, "metrics": json_safe(list(found.values()))} for t, found in self.at.items()]
        return {**plain, "horizons": at}


def wide(models: list[SurvivalModel]) -> dict[str, list[Any]]:
    """Return the columns of a table of models and horizons, numbers with full precision."""
    lines: list[dict[str, Any]] = []
    names = [k for k in SHOWN if any(k in found for m in models for found in m.at.values())]
    for model in models:
        for place, (at, found) in enumerate(model.at.items()):
            line: dict[str, Any] = {"model": model.name, "horizon": at}
            cells = {k: found.get(k) for k in names} | {"concordance": model.concordance if not place else None}
            for name, e in cells.items():
                line[name] = None if e is None else e.value
                line |= {f"{name}_{end}": None if e is None else getattr(e, end) for end in ("low", "high")}
            lines.append(line)
    return {name: [line[name] for line in lines] for name in lines[0]}

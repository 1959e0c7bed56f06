"""What an evaluation was asked for, and where its rows came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from inspect import signature
from typing import TYPE_CHECKING, Any

from curvewise.results.numbers import exactly, json_safe
from curvewise.results.result import Result, Table
from curvewise.rows.reading import read_rows
from curvewise.rows.rows import RowOptions

if TYPE_CHECKING:
    from curvewise.censored.horizon import Controls
    from curvewise.decisions.choice import Rule
    from curvewise.errors import Note

# of the options of rows that were not given
DEFAULTS = {k: p.default for k, p in signature(read_rows).parameters.items() if k in RowOptions.__annotations__}


@dataclass(frozen=True, repr=False)
class Origin(Result, schema="origin"):
    """Where rows came from: name, path and SHA-256 of a file, and what was noticed on reading it."""

    name: str | None = None
    path: str | None = None
    sha256: str | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, repr=False)
class OutcomeOptions(Result, schema="outcome_options"):
    """Where censored outcomes stand, and at which horizons they are judged; columns by name.

    The report is written for ``main_horizon``; ``probability`` has the columns of probabilities by model and horizon.
    """

    time: str
    event: str
    horizons: tuple[float, ...]
    main_horizon: float
    probability: dict[str, dict[float, str]] = field(default_factory=dict)
    cause: object = None
    controls: Controls = "all"
    censoring: str | None = None

    def content(self) -> dict[str, Any]:
        """Return all of them, JSON-safe; horizons of probabilities as text."""
        named = {name: {exactly(t): c for t, c in own.items()} for name, own in self.probability.items()}
        found: dict[str, Any] = json_safe({**vars(self), "horizons": list(self.horizons), "probability": named})
        return found


@dataclass(frozen=True, repr=False)
class EvaluationOptions(Result, schema="evaluation_options"):
    """What an evaluation was asked for; ``reading`` are the options of rows, columns by name."""

    label: str | None
    scores: list[str]
    group: list[str]
    site: str | None
    fold: str | None
    id: str | None
    costs: dict[str, float] | None
    prevalence: float | None
    level: float
    rule: Rule
    replicates: int
    seed: int
    reading: dict[str, Any] = field(default_factory=dict)
    outcome: OutcomeOptions | None = None

    @property
    def drawing(self) -> dict[str, Any]:
        """How rows are drawn for intervals."""
        return {"level": self.level, "rng": self.seed, "replicates": self.replicates}

    @property
    def table(self) -> Table:
        """One row per option that says something."""
        given = {k: v for k, v in self.content().items() if v not in (None, [])}
        return Table("", {"option": list(given), "value": [str(v) for v in given.values()]})

    def content(self) -> dict[str, Any]:
        """Return all of them, flat and JSON-safe; the rule by name."""
        found = {k: getattr(self, k) for k in vars(self) if k not in ("reading", "rule", "seed", "outcome")}
        flat: dict[str, Any] = json_safe({**found, "rule": self.rule.name, **DEFAULTS, **self.reading})
        return flat if self.outcome is None else {**flat, **self.outcome.content()}

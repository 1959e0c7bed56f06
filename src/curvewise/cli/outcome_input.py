"""From a file of censored outcomes to the rows of a horizon, which every command takes as it takes labels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.input import FileInput, label_from_text
from curvewise.cli.scan_input import ScanInput, take_scan
from curvewise.results.numbers import exactly

if TYPE_CHECKING:
    from curvewise.censored.horizon import Horizon
    from curvewise.errors import Note
    from curvewise.rows.rows import Rows

OWN = ("time", "event", "horizon", "cause", "censoring", "controls")
UNASKED: dict[str, Any] = {"controls": "all", "horizons": (), "probability": ()}
TYPED = {"horizons": "horizon"}  # options that are called otherwise than what they are put into
COUNTS = ("cases", "controls", "unknown", "competing")
OF_WEIGHTS = ("censoring_left", "largest_weight", "effective_rows")


@dataclass
class OutcomeInput(FileInput):
    """A file of times and events in the place of labels; ``label`` is the column of events."""

    time: str = ""
    cause: str | None = None

    def __post_init__(self) -> None:
        if self.time in (self.label, *self.scores, self.weight):
            raise click.UsageError(f"--time: the column {self.time!r} has another use already.")
        if self.label in (*self.scores, self.weight):
            raise click.UsageError(f"--event: the column {self.label!r} has another use already.")
        if self.positive is not None:
            raise click.UsageError("--positive: has no meaning with --time; --cause names the code of the event.")
        if self.weight_kind != "sampling":
            raise click.UsageError("--weight-kind: has no meaning with --time, which weighs rows by censoring, too.")
        super().__post_init__()

    @property
    def numeric(self) -> list[str]:
        """The columns of numbers."""
        return list(dict.fromkeys([*super().numeric, self.time]))

    @property
    def cause_code(self) -> object:
        """The code of the event of interest in the type of its column; None where none is named."""
        return None if self.cause is None else label_from_text(self.data.frame[self.label], self.cause)

    def outcome_options(self) -> dict[str, Any]:
        """Return the options with which any verb of censored outcomes reads these rows."""
        cause = {} if self.cause is None else {"cause": self.cause_code}
        return {**self.row_options(), **cause}

    def reading(self) -> dict[str, Any]:
        """Return how the rows were read, for whoever repeats it."""
        asked = super().reading()
        for name in ("label", "positive"):
            asked.pop(name, None)
        return {**asked, "event": self.label, "cause": self.cause_code}

    @property
    def outcome(self) -> str:
        """What the scores are held against, in a few words."""
        cause = "" if self.cause is None else f" with code {self.cause_code}"
        lower = ", a low score means an early event" if self.higher_is == "negative" else ""
        return f"time {self.time}, event {self.label}{cause}{lower}"

    def _roles(self) -> dict[str, str | None]:
        """Return which column the library means by each of its names."""
        own = {"time": self.time, "event": self.label, **{f"risk {name!r}": name for name in self.scores}}
        return {**super()._roles(), **own}


@dataclass
class HorizonInput(OutcomeInput):
    """A file of censored outcomes, read as who had the event by a time."""

    horizon: float = 0.0
    censoring: str | None = None
    controls: str = "all"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.censoring is not None and len(self.scores) > 1:
            raise click.UsageError(f"--censoring {self.censoring}: takes one --score, whose tenths it is.")
        if self.controls != "all" and self.cause is None:
            raise click.UsageError("--controls: is about competing events; name the one of interest with --cause.")

    @cached_property
    def at(self) -> Horizon:
        """The horizon with all scores; a row that lacks a value is out for all."""
        from curvewise.censored.horizon import horizon  # noqa: PLC0415 - --help needs no NumPy

        frame, options = self.data.frame, self.outcome_options()
        options.pop("weight_kind", None)
        scores = {name: frame[name] for name in self.scores}
        asked = {"at": self.horizon, "controls": self.controls, "censoring": self.censoring}
        return horizon(frame[self.time], frame[self.label], scores, **asked, **options)  # type: ignore[arg-type]

    @cached_property
    def rows(self) -> Rows:
        """The rows whose outcome by the horizon is known, with their weights, groups and site."""
        from curvewise.censored.horizon_names import with_names  # noqa: PLC0415 - --help needs no NumPy

        frame = self.data.frame
        groups = {name: frame[name] for name in self.groups}
        beside = {name: frame[c] for name in ("site", "fold") if (c := getattr(self, name)) is not None}
        return with_names(self.at, groups, **beside)

    @property
    def remarks(self) -> tuple[Note, ...]:
        """What a careful reader should know of the weights and the counts."""
        return self.at.notes

    @property
    def outcome(self) -> str:
        """What the scores are held against, in a few words."""
        return f"{super().outcome}, by {exactly(self.horizon)}"

    def facts(self) -> dict[str, Any]:
        """Return how many rows had the event by the horizon, did not, or are unknown, and what the weights are like."""
        found, rows = self.at, self.at.rows
        counts = {name: getattr(found, name) for name in COUNTS if name != "competing" or found.competing}
        facts = {"rows": self.data.frame.height, "dropped": found.dropped, **counts, "prevalence": found.observed.value}
        facts |= {name: getattr(found, name) for name in OF_WEIGHTS}
        everyone = rows.horizon.everyone if rows.horizon is not None else rows
        numbers = {"clusters": everyone.cluster, "strata": everyone.stratum}
        return facts | {name: int(v.max()) + 1 for name, v in numbers.items() if v is not None}


def file_in(given: dict[str, Any], kind: type[OutcomeInput] = HorizonInput, names: tuple[str, ...] = OWN) -> FileInput:
    """Take the file and its columns out of the options given: labels, or with ``--time`` outcomes of some ``kind``."""
    scanned = take_scan(given)
    own = {name: given.pop(name) for name in names}
    label = given["label"]
    if scanned is not None:
        if own["time"] is not None:
            raise click.UsageError("--time: censored outcomes need rows in memory; leave out what asks for a scan.")
        given |= scanned
        return ScanInput.named_in(given)
    if own["time"] is None:
        for name, value in own.items():
            if value != UNASKED.get(name):
                raise click.UsageError(f"--{TYPED.get(name, name)}: needs --time.")
        return FileInput.named_in(given)
    if label is not None:
        raise click.UsageError("--label: has no meaning with --time, where --event and --horizon say who is positive.")
    absent = [f"--{TYPED.get(name, name)}" for name in names if name.startswith(("event", "horizon")) and not own[name]]
    if absent:
        raise click.UsageError(f"--time: give {' and '.join(absent)}, too.")
    given["label"] = own.pop("event")
    given |= own
    return kind.named_in(given)

"""Read a file, measure the calibration of its probabilities, and lay the answer out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from curvewise.cli.layout import Grid
from curvewise.cli.output import heading
from curvewise.cli.words import positive_label, words_of_the_file
from curvewise.probabilities.calibration import calibration
from curvewise.probabilities.recalibrate import recalibrate
from curvewise.sources._polars import pl
from curvewise.sources.files import read_file

if TYPE_CHECKING:
    from curvewise.probabilities.calibration import Calibration
    from curvewise.probabilities.recalibrate import Recalibration
    from curvewise.results.result import Table

SCHEMA = "curvewise.calibrate"
VERSION = 1


@dataclass(frozen=True)
class Measured:
    """The calibration of one score, and the map that mends it, if one was asked for."""

    name: str
    calibration: Calibration
    recalibration: Recalibration | None

    def map_json(self) -> str:
        """Return the map as a file holds it."""
        assert self.recalibration is not None  # noqa: S101 - the command asks only with --method
        return self.recalibration.to_json()

    def parts(self) -> list[Grid | str]:
        """Return tables and sentences in reading order."""
        parts: list[Grid | str] = [_grid(self.name, self.calibration.table, range(1, 5))]
        notes = list(self.calibration.notes)
        if self.recalibration is not None:
            parts.append(_grid(self.name, self.recalibration.table, range(1, 3)))
            notes += self.recalibration.notes
        return parts + [f"Note on {self.name}: {note}." for note in notes]

    def to_dict(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""
        made = None if self.recalibration is None else self.recalibration.to_dict()
        return {"name": self.name, "calibration": self.calibration.to_dict(), "recalibration": made}

    def long(self) -> list[list[Any]]:
        """Return one row a number."""
        measures = ("measure", "value", "low", "high", "p_value")
        rows = [[self.name, *(row[k] for k in measures)] for row in self.calibration.table.rows()]
        fit = self.recalibration
        if fit is not None:
            judged = {"before": fit.before, "after": fit.after, "apparent": fit.apparent}
            rows += [
                [self.name, f"{loss} {when}", value, None, None, None]
                for when, found in judged.items()
                for loss, value in (found or {}).items()
            ]
        return rows


@dataclass(frozen=True)
class Calibrated:
    """The calibration of every score of a file, with where it came from."""

    source: str
    options: dict[str, Any]
    scores: list[Measured]
    notes: list[str]

    def parts(self) -> list[Grid | str]:
        """Return tables and sentences in reading order."""
        parts: list[Grid | str] = [f"Data: {self.source}, label {self.options['label']}."]
        for score in self.scores:
            parts += score.parts()
        return parts

    def to_dict(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""
        return {
            **heading(self, SCHEMA, VERSION),
            "scores": [score.to_dict() for score in self.scores],
        }

    def long(self) -> list[list[Any]]:
        """Return a header and one row a number."""
        rows: list[list[Any]] = [["score", "measure", "value", "low", "high", "p_value"]]
        for score in self.scores:
            rows += score.long()
        return rows


def calibrated(
    file: str,
    label: str,
    scores: tuple[str, ...],
    *,
    weight: str | None,
    positive: str | None,
    higher_is: Any,
    missing: Any,
    method: Any,
    prevalence: float | None,
    seed: int,
    **options: Any,
) -> Calibrated:
    """Do the whole job."""
    data = read_file(file, label=label, numeric=[*scores, *([weight] if weight else [])])
    frame = data.frame.with_columns(pl.selectors.float().fill_nan(None))
    if missing == "drop":
        # all scores must speak of the same rows: one without a value takes the row along
        whole = pl.all_horizontal(pl.col(scores).is_not_null())
        frame = frame.with_columns(pl.when(whole).then(pl.col(scores)))
    rows = {
        "weight": frame[weight] if weight else None,
        "positive": None if positive is None else positive_label(frame[label], positive),
        "missing": missing,
        # said only if it is not so already: the door explains why it cannot be
        **({"higher_is": higher_is} if higher_is == "negative" else {}),
    }
    found = []
    for name in scores:
        roles = {"y": label, "score": name, "p": name, "weight": weight}
        with words_of_the_file(roles, data.first_line):
            measured = calibration(frame[label], frame[name], **options, **rows)
            fit = None
            if method is not None:
                fit = recalibrate(
                    frame[label], frame[name], method=method, prevalence=prevalence, rng=seed, **rows
                )
                fit = replace(fit, score=name)
        found.append(Measured(name, measured, fit))
    asked = {"label": label, "weight": weight, "method": method, "prevalence": prevalence, "seed": seed}
    source = "standard input" if file == "-" else file
    return Calibrated(source, {**asked, **options, "missing": missing}, found, data.notes)


def _grid(name: str, table: Table, right: range) -> Grid:
    return Grid(f"{name}. {table.title}", list(table.columns), table.cells(), right)

"""Rows that a command need not hold in memory: counted by score where they lie, and read as counts."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curvewise import errors
from curvewise.cli.file_rows import ScoreFile, label_from_text

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.rows.rows import Rows
    from curvewise.sources.engines.sweep_groups import SweepGroups
    from curvewise.sources.files import FileData
    from curvewise.sources.scan import Reading

OWN = ("engine", "resolution", "sql", "query", "by")
UNASKED: dict[str, Any] = {"engine": "auto", "by": ()}
NEEDS_ROWS = (
    *(f"{cost}_column" for cost in ("fp", "fn", "tp", "tn")),
    "cluster",
    "stratum",
    "groups",
    "site",
    "fold",
    "id",
)
COUNTS = "rows"  # the column of how many rows there were
AREAS = ("roc_auc", "average_precision")


@dataclass
class ScanFile(ScoreFile):
    """Files, or the rows of a database, that are scanned; one score, and what a sweep can say of it."""

    engine: Any = "auto"
    resolution: float | None = None
    sql: str | None = None
    query: str | None = None
    by: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in NEEDS_ROWS:
            if getattr(self, name):
                typed = name.rstrip("s") if name == "groups" else name.replace("_", "-")
                raise click.UsageError(
                    f"--{typed}: needs rows in memory, and a scan only counts them{_instead(typed)}."
                )
        if len(self.scores) > 1:
            raise click.UsageError("--score: a scan counts rows by one score; run the command once per score.")
        if self.weight is not None and self.weight_kind != "count":
            raise click.UsageError("--weight: a scan counts rows, so weights must be counts: --weight-kind count.")
        if (self.sql is None) != (self.query is None):
            absent = "--query" if self.query is None else "--sql"
            raise click.UsageError(f"{absent}: --sql names a database and --query the rows in it; give both.")
        super().__post_init__()

    @property
    def source(self) -> str:
        """What is scanned, as it is named in answers: never the address of a database, which may hold a password."""
        return "the database" if self.sql is not None else super().source

    @cached_property
    def opened(self) -> Reading:
        """The rows, found and checked."""
        from curvewise.sources.engines.engine import Asked  # noqa: PLC0415 - --help needs no NumPy
        from curvewise.sources.engines.find import find_engine  # noqa: PLC0415 - --help needs no NumPy
        from curvewise.sources.scan import open_scan  # noqa: PLC0415
        from curvewise.sources.streams.stream import HowRead  # noqa: PLC0415

        held = find_engine(self.file if self.sql is None else self.sql, self.engine, self.query)
        if context := click.get_current_context(silent=True):
            context.with_resource(held.snapshot())
        positive = None if self.positive is None else _label(held.kinds().get(self.label), self.positive)
        how = HowRead(positive, self.higher_is, self.missing, self.round_to, "count")
        return open_scan(held, Asked(self.label, self.scores[0], self.weight, tuple(self.by)), how)

    @cached_property
    def sweep(self) -> Sweep:
        """All rows: by score while there are few different ones, else in bins."""
        from curvewise.sources.streams.stream import DISTINCT  # noqa: PLC0415 - --help needs no NumPy

        return self.opened.in_bins(DISTINCT) if self.resolution is None else self.opened.sweep(self.resolution)

    @cached_property
    def sweeps(self) -> SweepGroups:
        """One sweep per group."""
        return self.opened.groups(self.resolution)

    @cached_property
    def rows(self) -> Rows:
        """One row per class and score, weighted by how many there were."""
        from curvewise.core.sweep import counted_rows  # noqa: PLC0415 - --help needs no NumPy

        return counted_rows(self.sweep, self.scores[0])

    @cached_property
    def data(self) -> FileData:
        """The same as a frame, as the file would have been read."""
        from curvewise.sources._polars import pl  # noqa: PLC0415 - --help needs no Polars
        from curvewise.sources.files import FileData  # noqa: PLC0415

        if self.by:
            return FileData(pl.DataFrame(), [])
        rows, checked = self.rows, self.opened.checked
        labels = pl.Series([checked.negative, checked.positive], strict=False)
        label = labels.gather(rows.positive.astype("int64"))
        columns = {self.label: label, self.scores[0]: rows.score, COUNTS: rows.weight}
        return FileData(pl.DataFrame(columns), [])

    def row_options(self) -> dict[str, Any]:
        """Return the options with which any verb reads these counts."""
        given = {"weight": self.data.frame[COUNTS], "weight_kind": "count", "positive": self.positive_label}
        given["higher_is"] = self.higher_is
        return {name: value for name, value in given.items() if value is not None}

    def row_columns(self) -> dict[str, str]:
        """Return the columns of these counts that say how rows belong together."""
        return {"weight": COUNTS}

    @property
    def positive_label(self) -> object:
        """The label of positive rows."""
        return self.opened.checked.positive

    def facts(self) -> dict[str, Any]:
        """Return how many rows there are, and of which kind."""
        checked = self.opened.checked
        facts: dict[str, Any] = {"rows": checked.left + checked.dropped, "dropped": checked.dropped}
        if self.by:
            return facts | {"groups": len(self.sweeps)}
        found = self.sweep
        facts |= {"positives": found.positives, "negatives": found.negatives, "prevalence": found.prevalence}
        return facts | {"bins" if found.is_binned else "distinct_scores": len(found.threshold)}

    @property
    def remarks(self) -> tuple[errors.Note, ...]:
        """Within which limits the areas of all scores lie, where scores were counted in bins."""
        if self.by or not self.sweep.is_binned:
            return ()
        from curvewise.metric.bounds import bounds_of  # noqa: PLC0415 - --help needs no NumPy
        from curvewise.metric.registry import find  # noqa: PLC0415

        auc, ap = (bounds_of(find(name).bind(), self.sweep).width for name in AREAS)
        return (errors.note("scan_in_bins", bins=len(self.sweep.threshold), auc=auc, ap=ap),)

    def hints(self, level: float) -> list[errors.Note]:
        """Return whether scores rank the wrong way round."""
        return [] if self.by else super().hints(level)

    @property
    def _first_line(self) -> int | None:
        return None

    def reading(self) -> dict[str, Any]:
        """Return how the rows were read, for whoever repeats it."""
        return {name: value for name, value in super().reading().items() if name != "sql"}


def take_scan(given: dict[str, Any]) -> dict[str, Any] | None:
    """Take the options of a scan out of those given; None where rows are to be read into memory."""
    own = {name: given.pop(name) for name in OWN if name in given}
    asked = any(value != UNASKED.get(name) for name, value in own.items())
    return own if own and (asked or _is_many_parquet(given.get("file"))) else None


def _is_many_parquet(file: str | None) -> bool:
    """Whether a folder or a glob holds Parquet files, which are then scanned."""
    if file is None or file == "-" or Path(file).is_file():
        return False
    from curvewise.sources.file_names import files_of  # noqa: PLC0415 - --help needs no more

    with suppress(errors.CurvewiseError):  # whoever reads them says what is wrong
        found = files_of(file)
        return found != [file] and all(path.endswith((".parquet", ".pq")) for path in found)
    return False


def _label(kind: str | None, text: str) -> object:
    """Return the label that the user's text names, in the type of its column."""
    from curvewise.sources._polars import pl  # noqa: PLC0415 - --help needs no Polars

    kinds: dict[str | None, Any] = {"text": pl.String, "boolean": pl.Boolean}
    return label_from_text(pl.Series([], dtype=kinds.get(kind, pl.Float64)), text)


def _instead(typed: str) -> str:
    return "; --by makes a table per group" if typed in ("group", "site") else ""

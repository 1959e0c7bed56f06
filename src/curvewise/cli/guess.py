"""Which columns of a file may be meant: for a sentence that says what to type, and for the Tab key."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curvewise.results.text import visible

if TYPE_CHECKING:
    import click
    import polars as pl
    from click.shell_completion import CompletionItem

LABELS = re.compile(
    r"(^|_)(y|labels?|targets?|outcomes?|class|truth|gold|event|response|status|disease|ill|diagnosis|malignant|"
    r"positive|case|died|death|dead|relapse|churn(ed)?|fraud|spam|defaults?)(_true)?$",
    re.IGNORECASE,
)
SCORES = re.compile(r"scor|prob|pred|model|risk|logit|confiden|rating|^p$|^p[_\d]|_p$|hat$", re.IGNORECASE)
# what is a number and no score
OTHERS = re.compile(
    r"(^|_)(id|ids|index|idx|row|rows|nr|no|number|key|uuid|code|weights?|w|age|year|month|day|date|time|fold|"
    r"site|group|cluster|stratum|strata|patient|subject|sex|zip)(_|$)|id$",
    re.IGNORECASE,
)
TIMES = re.compile(
    r"(^|_)(times?|days?|weeks?|months?|years?|duration|follow_?up|futime|survtime|tte|os|pfs|dfs)(_|$)", re.IGNORECASE
)
MOST_SCORES = 3


@dataclass(frozen=True)
class Guess:
    """The columns of a file, and which of them look like the label and like scores."""

    columns: tuple[str, ...]
    label: str | None = None
    scores: tuple[str, ...] = ()

    def options(self, named: Mapping[str, Any]) -> list[str]:
        """Return the options that name what is not named yet, with a word to replace where there is no guess.

        ``named`` has what is asked for (label, time, event, scores), and the columns that were given.
        """
        time = named.get("time") or (self.time if "time" in named else None)
        guessed = {"label": self.label, "time": time, "event": self.label}
        absent = [name for name in guessed if name in named and not named[name]]
        found = [word for name in absent for word in (f"--{name}", guessed[name] or "COLUMN")]
        taken = (*named.values(), time)
        free = [s for s in self.scores if s not in taken] or ["COLUMN"]
        return found if named["scores"] else [*found, *(word for s in free for word in ("--score", s))]

    @property
    def time(self) -> str | None:
        """The column that looks like the time of an event."""
        return next((name for name in self.columns if TIMES.search(name)), None)


def guess_columns(path: str, label: str | None = None) -> Guess | None:
    """Look at the first rows of a file; None where they cannot be read, or not twice."""
    if path == "-":
        return None
    with suppress(Exception):  # a guess must never be in the way of the sentence that it is a part of
        from curvewise.sources.files import first_rows  # noqa: PLC0415 - needs Polars

        frame = first_rows(path)
        values = {c.name: c.drop_nulls() for c in frame}
        found = label or _label(values)
        return Guess(tuple(frame.columns), found, tuple(_scores(values, found)))
    return None


def _label(values: dict[str, pl.Series]) -> str | None:
    """Return the column of two values that is most like a label: by its name, then by values 0 and 1."""
    two = [name for name, c in values.items() if c.n_unique() == 2]
    # rows may be sorted by label, so that the first ones are all of one class
    named = [name for name, c in values.items() if c.n_unique() <= 2 and LABELS.search(name)]
    plain = [name for name in two if values[name].dtype.is_numeric() or str(values[name].dtype) == "Boolean"]
    return next(iter([*named, *plain, *two]), None)


def _scores(values: dict[str, pl.Series], label: str | None) -> list[str]:
    """Return columns of numbers that look like scores: probabilities first, never what counts rows."""
    numbers = [name for name, c in values.items() if c.dtype.is_numeric() and c.n_unique() > 2 and name != label]
    free = [n for n in numbers if not OTHERS.search(n) and (SCORES.search(n) or not _counts(values[n]))]
    named = [name for name in free if SCORES.search(name)]
    inside = [name for name in free if values[name].min() >= 0 and values[name].max() <= 1]  # type: ignore[operator]
    found = [name for name in inside if name in named] or inside or named or free[:1]
    return found[:MOST_SCORES]


def _counts(column: pl.Series) -> bool:
    """Whether a column numbers the rows: whole, all different, in order."""
    return column.dtype.is_integer() and column.n_unique() == len(column) and column.is_sorted()


def said_columns(path: str, guess: Guess) -> str:
    """Name the columns of a file."""
    from curvewise.sources.formats.format import listed  # noqa: PLC0415 - only in errors

    return visible(f"the columns of {path} are {listed(guess.columns)}")


def command_line(words: Iterable[str]) -> str:
    """Return a command as it is typed."""
    return visible("curvewise " + shlex.join(words))


def complete_column(context: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the columns of the file named on the line that begin as what is typed; none on any trouble."""
    from click.shell_completion import CompletionItem  # noqa: PLC0415 - for shells alone

    with suppress(Exception):
        file = context.params.get("file")
        if file and file != "-":
            from curvewise.sources.formats.format import column_names  # noqa: PLC0415

            names = dict.fromkeys(column_names(file))
            return [CompletionItem(n) for n in names if n.startswith(begun) and n.isprintable()]
    return []

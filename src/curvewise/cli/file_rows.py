"""From a file to `Rows`, and back from the library's words to columns, lines and options of the user."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Self

import click

from curvewise import errors
from curvewise.cli.guess import Guess, command_line, guess_columns

if TYPE_CHECKING:
    import polars as pl

    from curvewise.rows.rows import Rows
    from curvewise.sources.files import FileData

# what some of the library's options are called here
OPTIONS = {"rng": "seed", "metrics": "metric", "scores": "score", "threshold_probability": "at"}
OPTIONS |= {"classes": "class", "horizons": "horizon"}
BESIDE = ("site", "fold", "repeat", "cluster", "stratum", "id")  # columns of names, one each


@dataclass
class ScoreFile:
    """A file of labels and scores, with the roles of its columns; read when it is asked for rows."""

    file: str
    label: str
    scores: tuple[str, ...]
    weight: str | None = None
    weight_kind: Any = "sampling"
    cluster: str | None = None
    stratum: str | None = None
    positive: str | None = None
    higher_is: Any = "positive"
    missing: Any = "raise"
    round_to: int | None = None
    groups: tuple[str, ...] = ()
    site: str | None = None
    fold: str | None = None
    repeat: str | None = None
    id: str | None = None
    fp_column: str | None = None
    fn_column: str | None = None
    tp_column: str | None = None
    tn_column: str | None = None
    shown_as: str | None = None
    classes: dict[str, str] = field(default_factory=dict)  # the column of each class, where there are many
    dropped: int = field(default=0, init=False)  # rows left out, where there are many classes
    about: str | None = field(default=None, init=False)  # the score that is being worked on

    def __post_init__(self) -> None:
        numeric = (self.label, *self.numeric)
        if len(set(self.scores)) < len(self.scores):
            raise click.UsageError("--score: a column is named twice.")
        if self.label in (*self.scores, self.weight):
            raise click.UsageError(f"--label: the column {self.label!r} cannot be its own score or weight.")
        if len(set(self.groups)) < len(self.groups):
            raise click.UsageError("--group: a column is named twice.")
        named = [("group", g) for g in self.groups]
        named += [(role, c) for role in BESIDE if (c := getattr(self, role)) is not None]
        for option, column in named:
            if column in numeric:
                raise click.UsageError(f"--{option}: the column {column!r} has another use already.")
        if self.weight_kind != "sampling" and self.weight is None:
            raise click.UsageError("--weight-kind: needs --weight.")
        if self.repeat is not None and self.fold is None:
            raise click.UsageError("--repeat: needs --fold.")

    @classmethod
    def named_in(cls, given: dict[str, Any]) -> Self:
        """Take the file and its columns out of the options given."""
        return cls(**{f.name: given.pop(f.name) for f in fields(cls) if f.name in given})

    @property
    def source(self) -> str:
        """The file as it is named in answers."""
        return self.shown_as or ("standard input" if self.file == "-" else self.file)

    @cached_property
    def data(self) -> FileData:
        """The columns that were named, and how they were read."""
        from curvewise.sources.files import read_file  # noqa: PLC0415 - --help needs no Polars

        if hasattr(signal, "siginterrupt"):  # not on Windows
            # Polars, once imported, makes a wait for input start over after Ctrl-C: let it end again
            signal.siginterrupt(signal.SIGINT, True)
        beside = (self.site, self.fold, self.repeat, self.cluster, self.stratum)
        names = [*self.groups, *(c for c in beside if c is not None)]
        as_is = [] if self.id is None else [self.id]
        return read_file(
            self.file, label=self.label, numeric=self.numeric, names=list(dict.fromkeys(names)), as_is=as_is
        )

    @property
    def numeric(self) -> list[str]:
        """The columns of numbers."""
        return list(dict.fromkeys([*self.scores, *([self.weight] if self.weight else []), *self.cost_columns.values()]))

    @property
    def cost_columns(self) -> dict[str, str]:
        """The columns of what an outcome costs in each row, by the outcome."""
        named = {name: getattr(self, f"{name}_column") for name in ("fp", "fn", "tp", "tn")}
        return {name: column for name, column in named.items() if column is not None}

    @property
    def outcome(self) -> str:
        """What the scores are held against, in a few words."""
        lower = ", a low score means positive" if self.higher_is == "negative" else ""
        of_two = f"positive class {self.positive_label}{lower}"
        return f"label {self.label}, {f'{len(self.classes)} classes' if self.classes else of_two}"

    @property
    def remarks(self) -> tuple[errors.Note, ...]:
        """What a careful reader should know of the rows, whatever is asked of them."""
        return ()

    def reading(self) -> dict[str, Any]:
        """Return how the rows were read, for whoever repeats it."""
        last = ("file", "scores", "positive", "shown_as", "classes", "dropped", "about")  # that are not what was typed
        asked = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in last}
        asked = {k: v for k, v in asked.items() if not (k.endswith("_column") and v is None)}
        positive = {} if self.classes else {"positive": self.positive_label}
        return {**asked, "scores": list(self.scores), **positive}

    @property
    def positive_label(self) -> object:
        """The positive label in the type of its column; what is understood unasked is 1 or true."""
        return label_from_text(self.data.frame[self.label], self.positive)

    def row_options(self) -> dict[str, Any]:
        """Return the options with which any verb reads these rows."""
        frame = self.data.frame
        given: dict[str, Any] = {"missing": self.missing, "round_to": self.round_to}
        given |= {name: frame[c] for name in ("weight", "cluster", "stratum") if (c := getattr(self, name)) is not None}
        if self.weight is not None:
            given["weight_kind"] = self.weight_kind
        if self.positive is not None:
            given["positive"] = self.positive_label
        if self.higher_is != "positive":
            given["higher_is"] = self.higher_is
        return {name: value for name, value in given.items() if value is not None}

    def row_columns(self) -> dict[str, str]:
        """Return the columns that say how rows count, and belong together."""
        named = {name: getattr(self, name) for name in ("weight", "cluster", "stratum")}
        return {name: column for name, column in named.items() if column is not None}

    @cached_property
    def rows(self) -> Rows:
        """All rows with all scores; a row that lacks one is out for all."""
        from curvewise.rows.reading import read_rows  # noqa: PLC0415 - --help needs no NumPy

        frame = self.data.frame
        return read_rows(
            frame[self.label],
            {name: frame[name] for name in self.scores},
            group={name: frame[name] for name in self.groups} or None,
            site=None if self.site is None else frame[self.site],
            fold=None if self.fold is None else frame[self.fold],
            **self.row_options(),
        )

    @property
    def repeats(self) -> object:
        """The repeat of each row that was read; None where no column says it."""
        if self.repeat is None:
            return None
        column, kept = self.data.frame[self.repeat], self.rows.kept
        return column if kept is None else column[kept]

    def class_names(self) -> tuple[list[str], list[errors.Note]]:
        """Take the names of score columns for classes, or what is left of them after a common beginning.

        ``p_cat``, ``p_dog`` belong to the labels ``cat``, ``dog``: as much of the common beginning is left
        out as makes most labels a column, and no more.
        """
        values = self.data.frame[self.label].drop_nulls().unique().to_list()
        labels = {str(int(v) if isinstance(v, float) and v.is_integer() else v) for v in values}
        letters = zip(*self.scores, strict=False)
        common = sum(1 for _ in takewhile(lambda same: len(set(same)) == 1, letters))
        found = [len(labels & {name[end:] for name in self.scores}) for end in range(common + 1)]
        end = found.index(max(found))
        notes = [errors.note("common_beginning", text=self.scores[0][:end])] if end else []
        return [name[end:] for name in self.scores], notes

    def each(self, verb: Callable[[Rows], Any]) -> dict[str, Any]:
        """Return what a verb finds in the rows of each score; what is undefined names its column."""
        found, rows = {}, self.rows
        for name in self.scores:
            self.about = name
            try:
                found[name] = verb(rows.of(name))
            except errors.UndefinedMetricError as error:
                raise errors.UndefinedMetricError(f"column {name!r}: {error}") from None
        self.about = None
        return found

    def facts(self) -> dict[str, Any]:
        """Return how many rows there are, and of which kind."""
        if self.classes:
            return {"rows": self.data.frame.height, "dropped": self.dropped}
        rows = self.rows
        on, weight = rows.positive, rows.weight
        positives, negatives = ((m if weight is None else weight[m]).sum().item() for m in (on, ~on))
        share = positives / (positives + negatives)
        facts = {"rows": self.data.frame.height, "dropped": rows.dropped}
        facts |= {"positives": positives, "negatives": negatives, "prevalence": share}
        numbers = {"clusters": rows.cluster, "strata": rows.stratum}
        return facts | {name: int(v.max()) + 1 for name, v in numbers.items() if v is not None}

    def hints(self, level: float) -> list[errors.Note]:
        """Return which scores rank the wrong way round."""
        if self.classes:
            return []
        from curvewise.inference.interval import reversed_rows  # noqa: PLC0415 - --help needs no NumPy

        found = self.each(lambda rows: reversed_rows(rows, level, severity="warn", model=rows.models[0]))
        said = [hint for hint in found.values() if hint is not None]
        return [errors.note("of_model", **{**hint.values, "said": hint}) for hint in said]

    def translated(self, error: errors.CurvewiseError) -> Exception:
        """Return the error in the words of the user: columns, lines, and options of the command line."""
        if isinstance(error, (errors.SourceError, errors.MissingExtraError)):
            return error
        text = error.in_words(self.in_words) + self._with_columns(error)
        return click.UsageError(text) if isinstance(error, errors.OptionError) else type(error)(text)

    def _with_columns(self, error: errors.CurvewiseError) -> str:
        """Return the command with a column of the file in the place of one that is not there."""
        context = click.get_current_context(silent=True)
        wrong = str(error.fields.get("name"))
        if "near" not in error.fields or context is None or wrong not in context.obj["args"]:
            return ""
        near = error.fields["near"]
        if near is None:
            found = guess_columns(self.file) or Guess(())
            near = found.label if wrong == self.label else next(iter(found.scores), None)
            if near is None or near in (self.label, *self.scores) or wrong not in (self.label, *self.scores):
                return ""
        return f" For example: {command_line(str(near) if word == wrong else word for word in context.obj['args'])}"

    def in_words(self, value: object) -> str:
        """Write one field of an error as the user would."""
        if isinstance(value, (errors.ColumnName, errors.RowNumbers)):
            from curvewise.sources.wording import FileWords  # noqa: PLC0415 - --help needs no more

            return FileWords(self._roles(), self._first_line)(value)
        return option_text(value)

    @property
    def _first_line(self) -> int | None:
        """The line of the first row, where rows are lines."""
        return self.data.first_line

    def _roles(self) -> dict[str, str | None]:
        """Return which column the library means by each of its names."""
        one = self.about or (self.scores[0] if len(self.scores) == 1 else None)
        return {
            "y": self.label,
            "score": one,
            "p": one,
            **{name: getattr(self, name) for name in ("weight", "cluster", "stratum", "site", "fold", "repeat")},
            **self.cost_columns,
            "group": self.groups[0] if len(self.groups) == 1 else None,
            **{f"group {name!r}": name for name in self.groups},
            **{f"score {name!r}": name for name in self.scores},
            **{f"proba {name!r}": column for name, column in self.classes.items()},
        }


def label_from_text(labels: pl.Series, text: str | None) -> object:
    """Return the label that the user's text names, in the type of the column."""
    kind = str(labels.dtype)
    if text is None:
        return kind == "Boolean" or 1
    if kind == "String":
        return text
    if kind == "Boolean":
        return {"true": True, "1": True, "false": False, "0": False}.get(text.strip().lower(), text)
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text  # the door says that no label equals it, and lists the labels
    return int(number) if number.is_integer() else number


def option_text(value: object) -> str:
    """Write one field of an error that is about options."""
    match value:
        case errors.OptionName():
            option = option_name(value.name)
            gap = "=" if " " in option else " "
            return f"{option}{gap}{'' if value.value is None else value.value}"
        case errors.ArgumentName():
            return option_name(value.name)
        case errors.Advice():
            return value.command
        case _:
            return str(value)


def option_name(name: str) -> str:
    """Return an option of the library as it is typed here: its own, or one of a metric."""
    typed = f"--{OPTIONS.get(name, name).replace('_', '-')}"
    context = click.get_current_context(silent=True)
    known = [o for p in context.command.params for o in p.opts] if context else [typed]
    return typed if typed in known or "--option" not in known else f"--option {name}"

"""Read a file with one score a class, judge all classes, and lay the answer out."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from curvewise._version import __version__
from curvewise.cli.job import REPLICATES, SEED
from curvewise.cli.layout import Grid, with_ends
from curvewise.cli.measured import Value
from curvewise.cli.words import words_of_the_file
from curvewise.errors import CurvewiseError, UndefinedMetricError
from curvewise.many_classes.multiclass import Multiclass, multiclass
from curvewise.many_classes.resampling import ends_of_rows
from curvewise.many_classes.summary import meanings, read
from curvewise.results.numbers import json_safe, show
from curvewise.sources.files import read_file

if TYPE_CHECKING:
    from curvewise.cli.bars import Found
    from curvewise.rows.reading import Missing
    from curvewise.sources.files import FileData

SCHEMA = "curvewise.multiclass"
VERSION = 1
MOST = 200_000  # scores up to which resampling takes seconds
WITH_ENDS = ("precision", "recall", "roc_auc")


@dataclass(frozen=True)
class Many:
    """All classes of a file with where they came from; ``metrics`` are macro means."""

    source: str
    options: dict[str, Any]
    judged: Multiclass
    metrics: list[Value]
    notes: list[str]
    remarks: list[str]

    def parts(self) -> list[Grid | str]:
        """Return tables and sentences in reading order."""
        m = self.judged
        title = f"Data: {self.source}, label {self.options['label']}, {len(m.classes)} classes"
        facts = [["rows", show(m.n)], ["rows dropped (a value is missing)", show(m.dropped)]]
        ends = any(v.low is not None for v in self.metrics)
        level = f"{100 * self.options['level']:.4g} % intervals"
        rows = [[v.metric, with_ends(v), v.meaning] for v in self.metrics]
        table = m.matrix.table
        return [
            Grid(title, ["fact", "value"], facts, range(1, 2)),
            Grid(
                f"All classes, macro means{f' ({level})' if ends else ''}",
                ["metric", "value", "meaning"],
                rows,
                range(1, 2),
            ),
            self._each(level),
            Grid(table.title, list(table.columns), table.cells(), range(1, len(table.columns))),
            *self.remarks,
        ]

    def _each(self, level: str) -> Grid:
        head = ["class", "rows", "predicted", "precision", "recall", "f1", "roc_auc", "average_precision"]
        rows = []
        for row in self.judged.per_class(self.options["level"]).rows():
            cells = {k: show(row[k]) for k in head}
            for k in WITH_ENDS:
                cells[k] = with_ends(Value(k, row[k], "", row[f"{k}_low"], row[f"{k}_high"]))
            rows.append(list(cells.values()))
        return Grid(f"Each class against the rest ({level})", head, rows, range(1, len(head)))

    def to_dict(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""
        m = self.judged
        metrics = [
            {k: json_safe(getattr(v, k)) for k in ("metric", "value", "low", "high", "meaning", "reason")}
            for v in self.metrics
        ]
        return {
            "schema": SCHEMA,
            "version": VERSION,
            "curvewise": __version__,
            "source": self.source,
            "options": self.options,
            "classes": [str(c) for c in m.classes],
            "data": {"rows": m.n, "dropped": m.dropped},
            "average": "macro",
            "metrics": metrics,
            "per_class": m.per_class(self.options["level"]).to_dict()["rows"],
            "matrix": m.matrix.counts.tolist(),
            "notes": [*self.notes, *m.notes],
        }

    def numbers(self) -> Found:
        """Return the macro means, for ``--fail-under``."""
        return {"all classes": [(v.metric, "", v.value) for v in self.metrics]}

    def long(self) -> list[list[Any]]:
        """Return a header and one row a number; numbers of all classes have no class."""
        rows: list[list[Any]] = [["class", "metric", "value", "low", "high"]]
        rows += [["", v.metric, v.value, v.low, v.high] for v in self.metrics]
        for row in self.judged.per_class(self.options["level"]).rows():
            for metric in ("rows", "prevalence", "predicted", *WITH_ENDS, "f1", "average_precision"):
                ends = [row.get(f"{metric}_{end}") for end in ("low", "high")]
                rows.append([row["class"], metric, row[metric], *ends])
        return rows


def many(
    file: str,
    label: str,
    scores: tuple[str, ...],
    *,
    weight: str | None,
    missing: Missing,
    level: float,
    intervals: bool,
) -> Many:
    """Do the whole job."""
    data = read_file(file, label=label, numeric=[*scores, *([weight] if weight else [])])
    names, note = class_names(data, label, scores)
    m = _judged(data, label, dict(zip(names, scores, strict=True)), weight, missing)
    values = [_value(m, metric, words.format("macro")) for metric, words in meanings(m).items()]
    if all(math.isnan(v.value) for v in values):
        raise UndefinedMetricError(values[0].reason)
    remarks = [f"Note: {text}." for text in m.notes]
    remarks += [f"{v.metric} is undefined: {v.reason}" for v in values if v.reason]
    if intervals and len(scores) * len(m.truth) > MOST:
        remarks.append("Intervals of means over classes are left out: so many rows take long to resample.")
    elif intervals:
        values = _with_intervals(m, values, level)
    options = {"label": label, "scores": list(scores), "weight": weight, "missing": missing, "level": level}
    source = "standard input" if file == "-" else file
    return Many(source, options, m, values, [*data.notes, *note], remarks)


def class_names(data: FileData, label: str, scores: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Take the columns' names for the classes, or what is left of them after a common beginning.

    ``p_cat``, ``p_dog`` belong to the labels ``cat``, ``dog``: as much of the common beginning is left out as
    makes most labels a column, and no more.
    """
    labels = {_text(v) for v in data.frame[label].drop_nulls().unique().to_list()}
    common = sum(1 for _ in takewhile(lambda letters: len(set(letters)) == 1, zip(*scores, strict=False)))
    found = [len(labels & {name[end:] for name in scores}) for end in range(common + 1)]
    end = found.index(max(found))
    note = f"{scores[0][:end]!r} at the beginning of the columns is no part of the classes"
    return [name[end:] for name in scores], [note] if end else []


def _text(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _judged(
    data: FileData, label: str, columns: dict[str, str], weight: str | None, missing: Missing
) -> Multiclass:
    frame = data.frame
    roles = {"y": label, "weight": weight}
    roles |= {f"proba {name!r}": column for name, column in columns.items()}
    with words_of_the_file(roles, data.first_line):
        return multiclass(
            frame[label],
            {name: frame[column] for name, column in columns.items()},
            weight=frame[weight] if weight else None,
            missing=missing,
        )


def _value(m: Multiclass, metric: str, meaning: str) -> Value:
    try:
        return Value(metric, read(m, metric, "macro"), meaning)
    except CurvewiseError as error:
        return Value(metric, math.nan, meaning, reason=str(error))


def _with_intervals(m: Multiclass, values: list[Value], level: float) -> list[Value]:
    reads = {v.metric: partial(read, metric=v.metric, average="macro") for v in values}
    ends = ends_of_rows(m, reads, level=level, rng=SEED, replicates=REPLICATES)
    nothing = (None, None)
    found = [(v, *ends.get(v.metric, nothing)) for v in values]
    return [replace(v, low=low, high=high) for v, low, high in found]

"""Many classes: one column of scores per class, and the classes that the columns are named after."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

import click

from curvewise.cli.fail_under import hold_to
from curvewise.errors import CurvewiseError, Note, note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curvewise.cli.file_rows import ScoreFile
    from curvewise.cli.options import Answer
    from curvewise.sources.files import FileData

# what only two classes have, and how it looks unasked
OF_TWO: dict[str, Any] = {"threshold": (), "metric": (), "option": (), "positive": None, "prevalence": None}
OF_TWO["higher-is"] = "positive"


def many_classes(data: ScoreFile, fail_under: dict[str, float] | None, **rest: Any) -> Answer:
    """Return the metrics of a model of many classes, for ``curvewise metrics --multiclass``."""
    if len(data.scores) < 2:
        raise click.UsageError("--multiclass: give one --score per class, at least two.")
    given = {**rest, "positive": data.positive, "higher-is": data.higher_is}
    given |= {"threshold": given.pop("thresholds"), "metric": given.pop("metrics")}
    for name, unset in OF_TWO.items():
        if given[name] != unset:
            raise click.UsageError(f"--{name}: has no meaning with --multiclass.")
    from curvewise.many_classes.multiclass import multiclass  # noqa: PLC0415 - --help needs no NumPy

    names, notes = class_names(data.data, data.label, data.scores)
    data.classes = dict(zip(names, data.scores, strict=True))
    data.data.notes.extend(notes)
    frame = data.data.frame
    scores = {name: frame[column] for name, column in data.classes.items()}
    model = multiclass(frame[data.label], scores, **data.row_options())
    found = model.summary(**{k: rest[k] for k in ("rng", "level", "intervals", "replicates")})
    try:
        bars = {found.full_name(name): bar for name, bar in (fail_under or {}).items()}
    except CurvewiseError as error:
        raise click.UsageError(f"--fail-under: {error}") from None
    hold_to(bars, (("all classes", "", name, e.value) for name, e in found.estimates.items()))
    return {None: {"": found}}


def class_names(data: FileData, label: str, scores: Sequence[str]) -> tuple[list[str], list[Note]]:
    """Take the columns' names for the classes, or what is left of them after a common beginning.

    ``p_cat``, ``p_dog`` belong to the labels ``cat``, ``dog``: as much of the common beginning is left out as
    makes most labels a column, and no more.
    """
    labels = {_text(v) for v in data.frame[label].drop_nulls().unique().to_list()}
    common = sum(1 for _ in takewhile(lambda letters: len(set(letters)) == 1, zip(*scores, strict=False)))
    found = [len(labels & {name[end:] for name in scores}) for end in range(common + 1)]
    end = found.index(max(found))
    return [name[end:] for name in scores], [note("common_beginning", text=scores[0][:end])] if end else []


def _text(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)

"""The door for several labels per row: a table of truth beside a table of scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.errors import CurvewiseError, Note, note
from curvewise.many_classes.label_flags import LabelScores
from curvewise.many_classes.reading_classes import (
    column_keys,
    given_classes,
    listed,
    one_dtype,
    read_beside,
    refuse_options,
    split_columns,
)
from curvewise.rows.columns import count, shown
from curvewise.rows.labels import binary_labels, classes_in
from curvewise.rows.reading import real_numbers, rounded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.rows.columns import Column
    from curvewise.rows.reading import RowOptions


def read_label_columns(truth: object, scores: object, labels: object, rows: RowOptions) -> dict[str, Any]:
    """Check a column of truth and a column of scores for each label; return the fields of `Multilabel`."""
    refuse_options(rows, ("labels",))
    truth_names, truth_columns = split_columns(truth, "Y")
    score_names, score_columns = split_columns(scores, "S")
    if len(truth_columns) != len(score_columns):
        raise CurvewiseError(
            f"Y and S must have the same labels: Y has {count(len(truth_columns), 'column')}, S has "
            f"{count(len(score_columns), 'column')}."
        )
    if not truth_columns:
        raise CurvewiseError("Y: expected one column per label, got none.")
    names, score_columns = _matched(truth_names, score_names, score_columns, labels, len(truth_columns))
    said = None if truth_names is None and score_names is None and labels is None else names
    truth_keys, score_keys = (column_keys(name, said, len(names)) for name in ("Y", "S"))
    data = dict(zip([*truth_keys, *score_keys], [*truth_columns, *score_columns], strict=True))
    read, shared = read_beside(data, rows)
    marks = np.stack([_marks(read[key]) for key in truth_keys])
    values = one_dtype([real_numbers(read[key]) for key in score_keys], "S")
    if shared["round_to"] is not None:
        values = rounded(values, shared["round_to"])
    return {
        "labels": tuple(names),
        "truth": marks,
        "notes": _notes(names, marks, shared["dropped"]),
        "ready": LabelScores(values, marks),
        **shared,
    }


def _marks(column: Column) -> NDArray[np.bool_]:
    try:
        return binary_labels(column)
    except CurvewiseError:
        found = ", ".join(shown(c, 24) for c in classes_in(column.values)[:6])
        raise column.error(
            "expected 1 where a row has the label and 0 where it has not, got {found}.", found=found
        ) from None


def _matched(
    first: list[Any] | None, second: list[Any] | None, columns: list[Any], labels: object, number: int
) -> tuple[list[Any], list[Any]]:
    """Return the names of the labels, and the scores in the order of the truth."""
    if labels is not None:
        given = given_classes(labels, "labels", least=1)
        if len(given) != number:
            raise CurvewiseError(f"labels: expected a name for each of {number} columns, got {len(given)}.")
        if (first or second) and set(given) != set(first or second or []):
            raise CurvewiseError("labels: the columns have other names already; leave it out.")
        first = first or given
    if first is None or second is None:
        return first or second or list(range(number)), columns
    if set(first) != set(second):
        odd = sorted(map(shown, set(first) ^ set(second)))
        raise CurvewiseError(
            f"Y and S must have the same labels; {', '.join(odd[:6])} is in only one of both."
        )
    return first, [columns[second.index(name)] for name in first]


def _notes(names: list[Any], truth: NDArray[np.bool_], dropped: int) -> tuple[Note, ...]:
    notes = []
    for absent, code in (
        (~truth.any(axis=1), "label_no_positives"),
        (truth.all(axis=1), "label_no_negatives"),
    ):
        found = [name for name, mark in zip(names, np.asarray(absent), strict=True) if mark]
        if found:
            notes.append(note(code, labels=listed(found)))
    bare, full = int((~truth.any(axis=0)).sum()), int(truth.all(axis=0).sum())
    if bare:
        notes.append(note("rows_without_label", rows=bare))
    if full:
        notes.append(note("rows_with_every_label", rows=full))
    if dropped:
        notes.append(note("class_rows_dropped", rows=dropped))
    return tuple(notes)

"""The door for many classes: labels, one column of scores per class, or labels that were predicted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.core.probability import SLIP
from curvewise.errors import CurvewiseError, Note, OptionError, note
from curvewise.many_classes.class_scores import ClassScores
from curvewise.many_classes.label_flags import LabelScores
from curvewise.rows.category import codes_of
from curvewise.rows.checks import one_of, whole
from curvewise.rows.columns import EXACT_FLOAT, Column, as_column, count, frame_columns, row_numbers, shown
from curvewise.rows.labels import binary_labels, check_labels, classes_in
from curvewise.rows.reading import read_columns, read_weight, real_numbers, refuse_unknown, rounded
from curvewise.rows.strata import read_strata
from curvewise.rows.weight_scale import near_one

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions

SUM = 1e-3  # rows of probabilities may miss 1 by this much: they are often written with few decimals


def read_scores(y: object, proba: object, classes: object, rows: RowOptions) -> dict[str, Any]:
    """Check labels and one column of scores per class; return the fields of `Multiclass`."""
    refuse_options(rows, ("predicted", "classes"))
    named, columns = split_columns(proba, "proba")
    if len(columns) < 2:
        raise CurvewiseError(
            "proba: expected one column per class, at least two, got one column; "
            "for two classes and one score use roc_auc and its like."
        )
    keys = column_keys("proba", named, len(columns))
    read, shared = read_beside({"y": y, **dict(zip(keys, columns, strict=True))}, rows)
    scores = one_dtype([real_numbers(read[key]) for key in keys], "proba")
    order = None if classes is None else given_classes(classes)
    names, ordered, notes = _classes_of_columns(read["y"], named, order, len(columns))
    truth, as_text = class_codes(read["y"], names, texts=named is not None)
    if named is not None and names != named:
        scores = scores[[named.index(c) for c in names]]
    if as_text:
        notes.append(note("class_labels_as_text"))
    trouble = _no_probabilities(scores, names, read["y"].rows)  # of the scores as they came
    if shared["round_to"] is not None:
        scores = rounded(scores, shared["round_to"])
    predicted, tied = _highest(scores)
    if tied:
        notes.append(note("class_scores_tied", rows=tied, n=len(truth)))
    if trouble is not None:
        notes += [trouble, note("class_scores_only_rank")]
    fields = _fields(shared, notes, classes=names, truth=truth, predicted=predicted, ordered=ordered)
    return {**fields, "trouble": trouble, "ready": ClassScores(scores, truth)}


def read_predicted(y: object, predicted: object, classes: object, rows: RowOptions) -> dict[str, Any]:
    """Check true labels and predicted ones; return the fields of `Multiclass`."""
    refuse_options(rows, ("proba", "classes"))
    if rows.get("round_to") is not None:
        raise CurvewiseError("round_to: predicted labels are not scores; leave it out.")
    read, shared = read_beside({"y": y, "predicted": predicted}, rows)
    if classes is not None:
        names, ordered = given_classes(classes), True
    else:
        check_labels(read["y"])
        check_labels(read["predicted"])
        both = np.concatenate([c.values.astype(object) for c in (read["y"], read["predicted"])])
        names = classes_in(both)
        ordered = _are_numbers(names)
    if len(names) < 2:
        raise CurvewiseError(f"y and predicted: expected two classes or more, found only {shown(names[0])}.")
    truth, guessed = (class_codes(read[key], names, texts=False)[0] for key in ("y", "predicted"))
    return _fields(shared, [], classes=names, truth=truth, predicted=guessed, ordered=ordered)


def read_labels(truth: object, scores: object, labels: object, rows: RowOptions) -> dict[str, Any]:
    """Check a column of truth and a column of scores for each label; return the fields of `Multilabel`."""
    refuse_options(rows, ("labels",))
    truth_names, truth_columns = split_columns(truth, "Y")
    score_names, score_columns = split_columns(scores, "S")
    if len(truth_columns) != len(score_columns):
        in_truth, in_scores = (count(len(columns), "column") for columns in (truth_columns, score_columns))
        raise CurvewiseError(f"Y and S must have the same labels: Y has {in_truth}, S has {in_scores}.")
    if not truth_columns:
        raise CurvewiseError("Y: expected one column per label, got none.")
    names, score_columns = _matched(truth_names, score_names, score_columns, labels, len(truth_columns))
    shown_names = None if truth_names is None and score_names is None and labels is None else names
    truth_keys, score_keys = (column_keys(name, shown_names, len(names)) for name in ("Y", "S"))
    data = dict(zip([*truth_keys, *score_keys], [*truth_columns, *score_columns], strict=True))
    read, shared = read_beside(data, rows)
    marks = np.stack([_marks(read[key]) for key in truth_keys])
    values = one_dtype([real_numbers(read[key]) for key in score_keys], "S")
    if shared["round_to"] is not None:
        values = rounded(values, shared["round_to"])
    notes, ready = _notes(names, marks, shared["dropped"]), LabelScores(values, marks)
    return {"labels": tuple(names), "truth": marks, "notes": notes, "ready": ready, **shared}


def _marks(column: Column) -> NDArray[np.bool_]:
    try:
        return binary_labels(column)
    except CurvewiseError:
        values = ", ".join(shown(c, 24) for c in classes_in(column.values)[:6])
        raise column.error(
            "expected 1 where a row has the label and 0 where it has not, got {found}.", found=values
        ) from None


def _matched(
    first: list[Any] | None, second: list[Any] | None, columns: list[Any], labels: object, number: int
) -> tuple[list[Any], list[Any]]:
    """Return the names of the labels, and the scores in the order of the truth."""
    if labels is not None:
        names = given_classes(labels, "labels", least=1)
        if len(names) != number:
            raise CurvewiseError(f"labels: expected a name for each of {number} columns, got {len(names)}.")
        if (first or second) and set(names) != set(first or second or []):
            raise CurvewiseError("labels: the columns have other names already; leave it out.")
        first = first or names
    if first is None or second is None:
        return first or second or list(range(number)), columns
    if set(first) != set(second):
        odd = sorted(map(shown, set(first) ^ set(second)))
        raise CurvewiseError(f"Y and S must have the same labels; {', '.join(odd[:6])} is in only one of both.")
    return first, [columns[second.index(name)] for name in first]


def _notes(names: list[Any], truth: NDArray[np.bool_], dropped: int) -> tuple[Note, ...]:
    has, every = (np.asarray(read(axis=1)) for read in (truth.any, truth.all))
    labels_by_code = {
        "label_no_positives": [name for name, mark in zip(names, has, strict=True) if not mark],
        "label_no_negatives": [name for name, mark in zip(names, every, strict=True) if mark],
    }
    notes = [note(code, labels=listed(some)) for code, some in labels_by_code.items() if some]
    numbers = {
        "rows_without_label": int((~truth.any(axis=0)).sum()),
        "rows_with_every_label": int(truth.all(axis=0).sum()),
        "class_rows_dropped": dropped,
    }
    return (*notes, *(note(code, rows=rows) for code, rows in numbers.items() if rows))


def refuse_options(rows: RowOptions, more: Sequence[str]) -> None:
    """Refuse options that do not exist, and those that speak of one positive class."""
    refuse_unknown(rows, more)
    if rows.get("positive") is not None:
        raise OptionError.of("positive", "every class is the positive one in turn; leave it out.")
    one_of("higher_is", rows.get("higher_is", "positive"), ("positive", "negative"))
    if rows.get("higher_is") == "negative":
        message = "a higher score must mean more of its class; pass the scores with the other sign."
        raise OptionError.of("higher_is", message)


def read_beside(columns: dict[str, object], rows: RowOptions) -> tuple[dict[str, Column], dict[str, Any]]:
    """Read columns with the weights, clusters and strata that go with them; return these as fields of a result."""
    kind = rows.get("weight_kind", "sampling")
    one_of("weight_kind", kind, ("sampling", "count"))
    decimals = rows.get("round_to")
    optional = {k: v for k in ("weight", "cluster", "stratum") if (v := rows.get(k)) is not None}
    read, _, dropped = read_columns({**columns, **optional}, rows.get("missing", "raise"))
    weight = read_weight(read, kind)
    weight = None if weight is None else near_one(weight).copy()  # results own their data
    cluster = codes_of(read["cluster"], "a label for each row (text, a number)") if "cluster" in read else None
    return read, {
        "weight": weight,
        "weight_kind": kind,
        "cluster": cluster,
        **read_strata(read, cluster, weight if kind == "count" else None),
        "dropped": dropped,
        "round_to": None if decimals is None else whole("round_to", decimals, 0),
        "backend": next((c.backend for c in read.values() if c.backend), None),
        "kept": next(iter(read.values())).rows,
    }


def split_columns(data: object, name: str) -> tuple[list[Any] | None, list[Any]]:
    """Return the names of the columns of a dict, a frame or an array (None: it has none), and the columns."""
    if isinstance(data, Mapping):
        return list(data), list(data.values())
    if (columns := frame_columns(data, name)) is not None:
        return list(columns), list(columns.values())
    try:
        table = data if isinstance(data, np.ma.MaskedArray) else np.asarray(data)
    except Exception:  # noqa: BLE001 - of any library
        table = np.zeros(0)
    if table.ndim != 2:
        got = f"an array of shape {table.shape}" if isinstance(data, np.ndarray) else type(data).__name__
        raise CurvewiseError(
            f"{name}: expected one row per label of y and one column per class (an array, a frame, or a "
            f"dict of columns), got {got}."
        )
    if not isinstance(table, np.ma.MaskedArray):
        table = np.array(table.T, order="C").T  # our own copy, every column contiguous: each is read often
    return None, [table[:, k] for k in range(table.shape[1])]


def one_dtype(columns: list[NDArray[Any]], name: str) -> NDArray[Any]:
    """Put columns under each other in one dtype; refuse where that would merge different scores."""
    first = columns[0].base
    if isinstance(first, np.ndarray) and first.shape == (len(columns), len(columns[0])):
        whole = first.flags.c_contiguous
        if whole and all(c.base is first and c.dtype == first.dtype for c in columns):
            return first  # the columns of one array, already so
    common = np.result_type(*columns)
    for column in columns:
        promoted = common.kind == "f" and column.dtype.kind in "iu"
        if promoted and max(abs(int(column.min())), abs(int(column.max()))) > EXACT_FLOAT:
            raise CurvewiseError(f"{name}: whole numbers beyond 2^53 beside fractions; rank them first.")
    return np.stack([c.astype(common, copy=False) for c in columns])


def column_keys(name: str, named: list[Any] | None, columns: int) -> list[str]:
    """Name each column in messages."""
    if named is None:
        return [f"{name}[:, {k}]" for k in range(columns)]
    keys = [f"{name} {shown(c)}" for c in named]
    return keys if len(set(keys)) == columns else [f"{name} column {k}" for k in range(columns)]


def given_classes(classes: object, name: str = "classes", least: int = 2) -> list[Any]:
    """Check the names of classes or labels: all different."""
    column = as_column(classes, name)
    check_labels(column)
    names: list[Any] = column.values.tolist()
    twice = [c for k, c in enumerate(names) if c in names[:k]]
    if column.missing is not None or twice or len(names) < least:
        got = f"{shown(twice[0])} twice" if twice else f"{count(len(names), 'name')}, or a missing one"
        raise CurvewiseError(f"{name}: expected {least} different names or more, got {got}.")
    return names


def _classes_of_columns(
    y: Column, named: list[Any] | None, order: list[Any] | None, columns: int
) -> tuple[list[Any], bool, list[Note]]:
    """Return the classes in order, whether the order means something, and notes."""
    if named is not None and order is not None and set(order) != set(named):
        odd = sorted(map(shown, set(order) ^ set(named)))
        raise CurvewiseError(
            f"classes: expected the names of the columns in the order of the classes; {', '.join(odd)} "
            "is in only one of both."
        )
    if named is None and order is not None and len(order) != columns:
        raise CurvewiseError(f"classes: expected a name for each of {columns} columns of proba, got {len(order)}.")
    names = order or named
    if names is not None:
        return names, True, []
    check_labels(y)
    labels = classes_in(y.values)
    if y.values.dtype.kind in "iu" and labels[0] >= 0 and labels[-1] < columns:
        return list(range(columns)), True, []
    if len(labels) != columns:
        some = listed(labels, 6, 24)
        raise CurvewiseError(
            f"proba: which column is which class? It has {count(columns, 'column')}, y has "
            f"{count(len(labels), 'class')} ({some}); pass classes=, the names of the columns in order."
        )
    sorted_labels = note("class_columns_sorted", classes=", ".join(map(str, labels)))
    return labels, _are_numbers(labels), [sorted_labels]


def _are_numbers(classes: list[Any]) -> bool:
    return not any(isinstance(c, (str, bytes)) for c in classes)


def class_codes(column: Column, classes: list[Any], *, texts: bool) -> tuple[NDArray[np.intp], bool]:
    """Return the place of each label among the classes, and whether they had to be compared as text."""
    check_labels(column)
    if column.values.dtype.kind == "O":
        labels = list(dict.fromkeys(column.values))
        places = {label: k for k, label in enumerate(labels)}
        inverse = np.fromiter((places[v] for v in column.values), dtype=np.intp, count=len(column))
    else:
        unique, inverse = np.unique(column.values, return_inverse=True)
        labels = unique.tolist()
    where_is = {c: k for k, c in enumerate(classes)}
    as_text = texts and not any(label in where_is for label in labels)
    if as_text:
        where_is, labels = {str(c): k for c, k in where_is.items()}, [_text(v) for v in labels]
    unknown = [k for k, label in enumerate(labels) if label not in where_is]
    if unknown:
        rows = np.bincount(inverse, minlength=len(labels))
        some = ", ".join(f"{shown(labels[k])} in {count(int(rows[k]), 'row')}" for k in unknown[:6])
        some, number = some + (", …" if len(unknown) > 6 else ""), count(len(unknown), "label")
        message = "{number} of no known class ({some}); the classes are {names}."
        raise column.error(message, number=number, some=some, names=listed(classes, 8, 24))
    return np.array([where_is[label] for label in labels], dtype=np.intp)[inverse], as_text


def _text(label: object) -> str:
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


def _highest(scores: NDArray[Any]) -> tuple[NDArray[np.intp], int]:
    """Return the first class with the highest score in each row, and how many rows have several."""
    best = scores[0].copy()
    place, tied = np.zeros(len(best), dtype=np.intp), np.zeros(len(best), dtype=bool)
    for k, score in enumerate(scores[1:], start=1):
        higher = score > best
        tied &= ~higher
        tied |= score == best
        place[higher] = k
        np.maximum(best, score, out=best)
    return place, int(np.count_nonzero(tied))


def _no_probabilities(scores: NDArray[Any], classes: list[Any], rows: NDArray[np.intp] | None) -> Note | None:
    """Say why scores are no probabilities, if so."""
    for name, score in zip(classes, scores, strict=True):
        if not (score.min() >= -SLIP and score.max() <= 1 + SLIP):
            bad = (score < -SLIP) | (score > 1 + SLIP)
            number, worst = int(bad.sum()), shown(score[bad][0])
            where = row_numbers(bad, rows)
            return note("class_scores_outside", label=shown(name), scores=number, first=worst, row=where)
    total = scores.sum(axis=0, dtype=np.float64)
    off = np.abs(total - 1) > SUM
    if not off.any():
        return None
    first, where = float(total[off][0]), row_numbers(off, rows)
    return note("class_sums_off", rows=int(off.sum()), n=len(off), row=where, first=first)


def _fields(shared: dict[str, Any], notes: list[Note], **known: Any) -> dict[str, Any]:
    """Return the fields of `Multiclass`, with notes on what does not occur and on what was left out."""
    names = known["classes"]
    occurs = np.bincount(known["truth"], minlength=len(names)) > 0
    never = [c for c, there in zip(names, occurs, strict=True) if not there]
    if never:
        notes.append(note("class_never_occurs", classes=listed(never)))
    if shared["dropped"]:
        notes.append(note("class_rows_dropped", rows=shared["dropped"]))
    return {**known, **shared, "classes": tuple(names), "occurs": occurs, "notes": tuple(notes)}


def listed(names: Sequence[Any], most: int = 6, width: int = 40) -> str:
    """Write the first names."""
    return ", ".join(shown(c, width) for c in names[:most]) + (", …" if len(names) > most else "")

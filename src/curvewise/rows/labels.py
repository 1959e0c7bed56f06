"""Labels of two classes as a mask of positives: what is understood unasked, what must be said."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import Advice, CurvewiseError, OptionName
from curvewise.rows.columns import Column, count, is_hashable, is_number, kind_of, shown

RECOGNISED = "{0, 1}, {False, True} and {-1, 1} are recognised"
NO_LABELS = ("a date or time", "a duration", "a complex number", "a record")


def binary_labels(column: Column, positive: object = None, other: Column | None = None) -> NDArray[np.bool_]:
    """Return the mask of positive rows, guessing nothing beyond {0,1}, {False,True}, {-1,1}.

    ``other`` are the scores, by which swapped arguments are told.
    """
    values = column.values
    if values.dtype.kind not in "biuf":
        check_labels(column)
    if positive is None:
        mask = ones(values)
        if mask is None:
            raise _unclear(column, other)
        return mask
    if not is_label(positive):
        raise CurvewiseError(f"positive: expected one label, got {shown(positive)}.")
    mask = _equal(values, positive)
    if mask.any() and _is_one_class(values[~mask]):
        return mask
    classes = classes_in(values)
    if len(classes) > 2:
        raise _too_many(column, classes, positive)
    if len(classes) == 1 and _alike(classes[0], positive):
        return mask  # the other class alone: no row is positive
    raise column.error(
        "no label equals {option}{positive}; {listed}.",
        option=OptionName("positive"),
        positive=shown(positive),
        listed=_listed(classes),
    )


def check_labels(column: Column) -> None:
    """Refuse what no label can be: dates, complex numbers, containers."""
    values = column.values
    try:
        fine = all(map(is_label, set(values) if values.dtype.kind == "O" else values[:1]))
    except Exception:  # noqa: BLE001 - what cannot be looked up says so in its own way
        fine = False
    if not fine:
        bad = np.fromiter((not is_label(v) for v in values), dtype=bool, count=len(values))
        raise column.wrong(bad, "labels (numbers or text)")


def is_label(value: object) -> bool:
    """Say whether a value can be a label: one that can be told from others, and no date, complex number or record."""
    try:
        bool(value == value)  # noqa: PLR0124 - an array says no, and what has no equals
    except Exception:  # noqa: BLE001 - of any library
        return False
    # bytes that are seen through a view can be hashed, and are as many values as they are bytes
    return is_hashable(value) and kind_of(value) not in NO_LABELS and not isinstance(value, memoryview)


def ones(values: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Return which labels are 1 where the coding is understood unasked, else None."""
    if values.dtype.kind == "b":
        return values
    if values.dtype.kind == "O":
        classes = set(values)
        return _equal(values, 1) if classes <= {0, 1} or classes <= {-1, 1} else None
    if values.dtype.kind not in "iuf":
        return None
    is_one = _equal(values, 1)
    number = np.count_nonzero(is_one)
    if np.count_nonzero(values) == number:
        return is_one
    return is_one if number + np.count_nonzero(_equal(values, -1)) == len(values) else None


def _equal(values: NDArray[Any], label: object) -> NDArray[np.bool_]:
    if values.dtype.kind == "O":
        boxed = np.empty((), dtype=object)  # else NumPy would compare a tuple element by element
        boxed[()] = label
        return np.asarray(values == boxed, dtype=bool)
    if not np.isscalar(label):
        return np.zeros(len(values), dtype=bool)
    try:
        with np.errstate(over="ignore"):
            return np.asarray(values == label, dtype=bool)
    except OverflowError:
        return np.zeros(len(values), dtype=bool)


def _is_one_class(values: NDArray[Any]) -> bool:
    if values.dtype.kind == "O":
        return len(set(values)) <= 1
    return bool((values == values[:1]).all())


def _alike(a: object, b: object) -> bool:
    """Say whether two labels could be of one coding."""
    if is_number(a) or is_number(b):
        return is_number(a) and is_number(b)
    return isinstance(a, type(b)) or isinstance(b, type(a))


def classes_in(values: NDArray[Any]) -> list[Any]:
    """Return the distinct labels, sorted where they can be."""
    if values.dtype.kind != "O":
        unique: list[Any] = np.unique(values).tolist()
        return unique
    found = dict.fromkeys(values)
    try:
        return sorted(found)
    except Exception:  # noqa: BLE001 - labels of several types have no order, nor a float beside a huge whole number
        return list(found)


def _unclear(column: Column, other: Column | None) -> CurvewiseError:
    classes = classes_in(column.values)
    if len(classes) <= 2:
        return column.error(
            "{listed}; say which one is positive, for example {option}{example} ({recognised}).",
            listed=_listed(classes),
            option=OptionName("positive"),
            example=shown(classes[-1]),
            recognised=RECOGNISED,
        )
    if other is not None and column.values.dtype.kind == "f" and _is_few(other.values):
        return column.error(
            "expected two classes, found {found}; labels and scores look swapped: {advice}.",
            found=_found(classes),
            advice=Advice("the order is (y, score)", "check --label and --score"),
        )
    return _too_many(column, classes, classes[-1])


def _is_few(values: NDArray[Any]) -> bool:
    try:
        return len(classes_in(values)) <= 2
    except TypeError:  # unhashable
        return False


def _too_many(column: Column, classes: list[Any], one: object) -> CurvewiseError:
    return column.error(
        "expected two classes, found {found}; for many classes {advice}.",
        found=_found(classes),
        advice=Advice(
            f"use multiclass, for one against the rest pass y == {shown(one, 24)}",
            "give one --score per class to curvewise report or curvewise metrics --multiclass",
        ),
    )


def _found(classes: list[Any]) -> str:
    some = ", ".join(shown(c, 24) for c in classes[:6]) + (", …" if len(classes) > 6 else "")
    return f"{count(len(classes), 'class')} ({some})"


def _listed(classes: list[Any]) -> str:
    if len(classes) == 1:
        return f"the only class is {shown(classes[0])}"
    return f"the classes are {' and '.join(map(shown, classes))}"

"""Precision, recall, F and Jaccard of classes, labels or rows, and their averages."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, Concatenate, Literal, NamedTuple, ParamSpec, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from curvewise.sklearn.counting import Cells, Table, marks_of_both, table_of_labels
from curvewise.sklearn.hand_over import Warned, in_place_of_theirs, require
from curvewise.sklearn.reading import array, place_of

Average = Literal["micro", "macro", "samples", "weighted", "binary"] | None
Label = float | bool | str | None
ZeroDivision = Literal["warn"] | float
Rate = Callable[[Cells], tuple[NDArray[Any], NDArray[Any]]]
P = ParamSpec("P")

AVERAGES = ("micro", "macro", "samples", "weighted", "binary", None)


def precision(cells: Cells) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return what was predicted correctly, and what was predicted."""
    return cells.tp, cells.predicted


def recall(cells: Cells) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return what was predicted correctly, and what is true."""
    return cells.tp, cells.true


def jaccard(cells: Cells) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return what was predicted correctly, and what is true or was predicted."""
    return cells.tp, cells.true + cells.predicted - cells.tp


def f_beta(beta: float) -> Rate:
    """Return (1 + β²) TP over β² of what is true and what was predicted."""
    if beta == 0:
        return precision
    if math.isinf(beta):
        return recall
    square = float(beta) ** 2
    return lambda cells: ((1 + square) * cells.tp, square * cells.true + cells.predicted)


def check_zero(value: object) -> None:
    """Hand over a value of 0/0 that scikit-learn would not take, whether it is needed or not."""
    number = isinstance(value, int | float) and (value in (0, 1) or math.isnan(value))
    require(number or (isinstance(value, str) and value == "warn"))


class Rated(NamedTuple):
    """The cells that a rate is read from, and how it is averaged over them."""

    cells: Cells
    average: Average
    weight: NDArray[Any] | None
    table: Table | None = None

    def rate(self, rate: Rate, zero_division: ZeroDivision) -> Any:
        """Return the average of a rate, or one value per class; 0/0 is 0 where scikit-learn is to warn of it."""
        part, whole = rate(self.cells)
        empty = whole == 0
        instead = 0 if zero_division == "warn" else zero_division
        require(not (empty.any() and math.isnan(instead)))
        values = np.where(empty, float(instead), part / np.where(empty, 1, whole))
        return values if self.average is None else float(np.average(values, weights=self.weight))

    def answer(self, value: Any, zero_division: ZeroDivision, rates: Sequence[Rate]) -> Any:
        """Return a value, and the rows to warn of where a rate is 0/0."""
        if zero_division != "warn" or all(rate(self.cells)[1].all() for rate in rates):
            return value
        require(self.table is not None)
        return Warned(value, cast("Table", self.table).few())


def rated(
    y_true: object, y_pred: object, labels: object, pos_label: Label, average: Average, sample_weight: object
) -> Rated:
    """Count, and say how to average."""
    require(average in AVERAGES)
    require(average == "binary" or pos_label is None or (not isinstance(pos_label, str) and pos_label == 1))
    truth = array(y_true)
    if truth.ndim == 1:
        require(average != "samples")
        table = table_of_labels(truth, y_pred, sample_weight)
        if average == "binary":
            require(len(table.classes) <= 2)
            place_of(pos_label, table.classes)
            labels = [pos_label]
        return averaged(table.cells(labels), average)._replace(table=table)
    require(average != "binary")
    marks = marks_of_both(truth, y_pred, sample_weight).of(labels)
    return averaged(marks.cells(by_row=average == "samples"), average, marks.weight)


def averaged(cells: Cells, average: Average, row_weight: NDArray[Any] | None = None) -> Rated:
    """Return cells with the weights of their average."""
    if average == "micro":
        return Rated(cells.summed(), average, None)
    if average == "weighted":
        require(cells.true.any())
        return Rated(cells, average, cells.true)
    return Rated(cells, average, row_weight if average == "samples" else None)


@in_place_of_theirs
def precision_recall_fscore_support(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float = 1.0,
    labels: ArrayLike | None = None,
    pos_label: Label = 1,
    average: Average = None,
    warn_for: Collection[str] = ("precision", "recall", "f-score"),
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> tuple[Any, Any, Any, Any]:
    """Return precision, recall, F and the number of true rows: of each class, or averaged."""
    require(isinstance(beta, int | float) and beta >= 0 and isinstance(warn_for, list | tuple | set))
    check_zero(zero_division)
    counted = rated(y_true, y_pred, labels, pos_label, average, sample_weight)
    rates = precision, recall, f_beta(beta)
    values = *(counted.rate(rate, zero_division) for rate in rates), counted.cells.true if average is None else None
    return cast("tuple[Any, Any, Any, Any]", counted.answer(values, zero_division, rates))


def _rate(
    rate: Rate,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Label = 1,
    average: Average = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> Any:
    """Return one rate."""
    check_zero(zero_division)
    counted = rated(y_true, y_pred, labels, pos_label, average, sample_weight)
    return counted.answer(counted.rate(rate, zero_division), zero_division, [rate])


def _score(name: str, rate: Rate, meaning: str, function: Callable[Concatenate[Rate, P], Any]) -> Callable[P, Any]:
    """Return the function that scikit-learn calls by this name, for one rate."""
    score = partial(function, rate)
    score.__name__, score.__doc__ = name, f"Return {meaning}."  # type: ignore[attr-defined]
    return in_place_of_theirs(score)


precision_score = _score("precision_score", precision, "how much of what was predicted is true", _rate)
recall_score = _score("recall_score", recall, "how much of what is true was predicted", _rate)
f1_score = _score("f1_score", f_beta(1), "the harmonic mean of precision and recall", _rate)
jaccard_score = _score(
    "jaccard_score", jaccard, "what was predicted correctly as a share of what is true or was predicted", _rate
)


@in_place_of_theirs
def fbeta_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float,
    labels: ArrayLike | None = None,
    pos_label: Label = 1,
    average: Average = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> Any:
    """Return the harmonic mean of precision and recall, of which recall counts β times as much."""
    require(isinstance(beta, int | float) and beta >= 0)
    options = {"labels": labels, "pos_label": pos_label, "average": average, "sample_weight": sample_weight}
    return _rate(f_beta(beta), y_true, y_pred, zero_division=zero_division, **options)  # type: ignore[arg-type]

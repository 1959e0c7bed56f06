"""True and predicted labels counted once: a table of classes, or the cells of each label."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.core.keys import slices
from curvewise.core.threads import in_threads
from curvewise.many_classes.confusion_matrix import ConfusionMatrix
from curvewise.rows.columns import EXACT_FLOAT
from curvewise.sklearn.hand_over import require
from curvewise.sklearn.reading import Labels, array, labels_of, marks_of, same_kind, weight_of

MOST_CLASSES = 2048  # a table of so many squared is still small


@dataclass(frozen=True)
class Cells:
    """True positives, predicted and true rows, and all rows, one number per class or label, or per row."""

    tp: NDArray[Any]
    predicted: NDArray[Any]
    true: NDArray[Any]
    total: Any

    def summed(self) -> Cells:
        """Return the cells of all classes together."""
        tp, predicted, true = (np.array([values.sum()]) for values in (self.tp, self.predicted, self.true))
        return Cells(tp, predicted, true, self.total)

    @cached_property
    def matrices(self) -> NDArray[Any]:
        """A 2 × 2 table per class: true negatives and false positives, false negatives and true positives."""
        fp, fn = self.predicted - self.tp, self.true - self.tp
        tn = self.total - self.tp - fp - fn
        return np.stack([tn, fp, fn, self.tp], axis=-1).reshape(-1, 2, 2)


@dataclass(frozen=True)
class Table:
    """How many rows, or how much weight, each true class (lines) has of each predicted class (columns)."""

    classes: NDArray[Any]
    counts: NDArray[Any]
    weighted: bool

    def of(self, labels: object) -> Table:
        """Return the table of some classes in the order given; one that does not occur has zeros."""
        if labels is None:
            return self
        wanted = array(labels)
        places, there = self._places(wanted)
        counts = np.where(np.outer(there, there), self.counts[np.ix_(places, places)], 0)
        return Table(wanted, counts, self.weighted)

    def few(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return a few rows that have every pair of a true and a predicted class that occurs, and no other."""
        require((self.counts.any(axis=0) | self.counts.any(axis=1)).all())  # no class of weight 0
        true, predicted = (self.classes[np.repeat(places, 3)] for places in np.nonzero(self.counts))
        return true, predicted

    def cells(self, labels: object) -> Cells:
        """Return the cells of each class against all others, or of some classes in the order given."""
        sums = [np.diagonal(self.counts), self.counts.sum(axis=0), self.counts.sum(axis=1)]
        if labels is not None:
            places, there = self._places(array(labels))
            sums = [np.where(there, values[places], 0) for values in sums]
        if self.weighted or not np.trace(self.counts):  # scikit-learn's counts are floats where no row is right
            sums = [values.astype(np.float64) for values in sums]
        tp, predicted, true = sums
        return Cells(tp, predicted, true, self.counts.sum())

    def _places(self, wanted: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Return the places of some classes, and which of them occur."""
        require(wanted.ndim == 1 and len(wanted) and wanted.dtype.kind in "biufUO" and same_kind(wanted, self.classes))
        require(len(set(wanted.tolist())) == len(wanted))
        places = np.minimum(np.searchsorted(self.classes, wanted), len(self.classes) - 1)
        return places, self.classes[places] == wanted

    @property
    def true_classes(self) -> NDArray[Any]:
        """The classes that occur as true ones."""
        return np.asarray(self.classes[self.counts.any(axis=1)])

    @property
    def matrix(self) -> ConfusionMatrix:
        """The table as a result of curvewise."""
        return ConfusionMatrix(tuple(self.classes.tolist()), self.counts, np.any(self.counts, axis=1))


def table_of_labels(y_true: object, y_pred: object, sample_weight: object = None) -> Table:
    """Count pairs of a true and a predicted class."""
    truth = labels_of(y_true)
    guess = labels_of(y_pred, len(truth))
    weight = weight_of(sample_weight, len(truth))
    classes, codes = _common(truth, guess)
    size = len(classes)
    require(size <= MOST_CLASSES)
    if weight is None:
        counts = _pairs(*codes, size)
    else:
        counts = np.bincount(codes[0].astype(np.intp) * size + codes[1], weight, size * size)
        if weight.dtype.kind in "iu":
            require(counts.sum() < EXACT_FLOAT)
            counts = counts.astype(np.int64)
    return Table(classes, counts.reshape(size, size), weight is not None)


def _common(truth: Labels, guess: Labels) -> tuple[NDArray[Any], tuple[NDArray[Any], NDArray[Any]]]:
    """Return the classes of both, and the places of rows among them."""
    require(same_kind(truth.classes, guess.classes))
    if np.array_equal(truth.classes, guess.classes):
        return truth.classes, (truth.places, guess.places)
    kinds = truth.classes.dtype.kind + guess.classes.dtype.kind
    require("b" not in kinds or kinds == "bb")
    classes = np.union1d(truth.classes, guess.classes)
    return classes, (truth.among(classes), guess.among(classes))


def _pairs(truth: NDArray[Any], guess: NDArray[Any], size: int) -> NDArray[np.int64]:
    """Count pairs of places, chunk by chunk."""
    if size == 2:
        both, true, guessed = (int(np.count_nonzero(mask)) for mask in (truth & guess, truth, guess))
        return np.array([len(truth) - true - guessed + both, guessed - both, true - both, both], dtype=np.int64)

    def count(here: slice) -> NDArray[np.int64]:
        return np.bincount(truth[here].astype(np.intp) * size + guess[here], minlength=size * size)

    counts: NDArray[np.int64] = sum(in_threads(count, list(slices(len(truth))), len(truth)))  # type: ignore[assignment]
    return counts


@dataclass(frozen=True)
class Marks:
    """True and predicted marks of several labels: one line per row."""

    truth: NDArray[np.bool_]
    guess: NDArray[np.bool_]
    weight: NDArray[Any] | None

    def of(self, labels: object) -> Marks:
        """Return the columns of some labels, by their places."""
        if labels is None:
            return self
        places = array(labels)
        require(places.ndim == 1 and len(places) and places.dtype.kind in "iu")
        require(places.min() >= 0 and places.max() < self.truth.shape[1])
        return Marks(self.truth[:, places], self.guess[:, places], self.weight)

    def cells(self, *, by_row: bool) -> Cells:
        """Return the cells of each label, or of each row."""
        rows, labels = self.truth.shape
        weight: Any = 1 if self.weight is None else self.weight
        if by_row:
            tp, predicted, true = (marks.sum(axis=1) * weight for marks in self._marks)
            return Cells(tp, predicted, true, weight * labels)
        if self.weight is None:
            tp, predicted, true = (marks.sum(axis=0) for marks in self._marks)
            return Cells(tp, predicted, true, rows)
        tp, predicted, true = (weight.astype(np.float64) @ marks for marks in self._marks)
        return Cells(tp, predicted, true, weight.sum(dtype=np.float64))

    @property
    def _marks(self) -> tuple[NDArray[np.bool_], ...]:
        return self.truth & self.guess, self.guess, self.truth


def marks_of_both(y_true: object, y_pred: object, sample_weight: object = None) -> Marks:
    """Read the marks of several labels."""
    truth, guess = marks_of(y_true), marks_of(y_pred)
    require(truth.shape == guess.shape)
    return Marks(truth, guess, weight_of(sample_weight, len(truth)))


def cells_of(
    y_true: object, y_pred: object, labels: object = None, sample_weight: object = None, *, by_row: bool = False
) -> Cells:
    """Return the cells of each class or label, or of each row of several labels."""
    truth = array(y_true)
    if truth.ndim == 2:
        return marks_of_both(truth, y_pred, sample_weight).of(labels).cells(by_row=by_row)
    require(not by_row)
    return table_of_labels(truth, y_pred, sample_weight).cells(labels)

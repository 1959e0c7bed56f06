"""Scores that are read from the counts of true and predicted labels as they are."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from curvewise.core.confusion import Confusion
from curvewise.sklearn.counting import cells_of, marks_of_both, table_of_labels
from curvewise.sklearn.hand_over import in_place_of_theirs, require
from curvewise.sklearn.reading import array

Weights = ArrayLike | None


@in_place_of_theirs
def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: Weights = None,
    normalize: Literal["true", "pred", "all"] | None = None,
) -> NDArray[Any]:
    """Return how many rows of each true class were predicted as each class."""
    require(normalize in ("true", "pred", "all", None))
    whole = table_of_labels(y_true, y_pred, sample_weight)
    counts = whole.of(labels).counts
    require(len(counts) > 1 and (labels is None or np.isin(array(labels), whole.true_classes).any()))
    if normalize is None:
        return counts
    axis = {"true": 1, "pred": 0, "all": None}[normalize]
    sums = counts.sum(axis=axis, keepdims=axis is not None)
    return np.asarray(np.divide(counts, sums, out=np.zeros(counts.shape), where=sums > 0))


@in_place_of_theirs
def multilabel_confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: Weights = None,
    labels: ArrayLike | None = None,
    samplewise: bool = False,
) -> NDArray[Any]:
    """Return a 2 × 2 table per class or label, or per row of several labels."""
    require(isinstance(samplewise, bool))
    return cells_of(y_true, y_pred, labels, sample_weight, by_row=samplewise).matrices


@in_place_of_theirs
def accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, normalize: bool = True, sample_weight: Weights = None
) -> float:
    """Return the share of rows predicted correctly: of several labels, all of them."""
    require(isinstance(normalize, bool))
    right, rows = _right(y_true, y_pred, sample_weight)
    return float(right / rows if normalize else right)


@in_place_of_theirs
def zero_one_loss(
    y_true: ArrayLike, y_pred: ArrayLike, *, normalize: bool = True, sample_weight: Weights = None
) -> float:
    """Return the share of rows predicted wrongly."""
    require(isinstance(normalize, bool))
    right, rows = _right(y_true, y_pred, sample_weight)
    return float(1 - right / rows if normalize else rows - right)


@in_place_of_theirs
def hamming_loss(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: Weights = None) -> float:
    """Return the share of rows, or of pairs of a row and a label, predicted wrongly."""
    truth = array(y_true)
    if truth.ndim == 1:
        right, rows = _right(truth, y_pred, sample_weight)
        return float((rows - right) / rows)
    marks = marks_of_both(truth, y_pred, sample_weight)
    return float(np.average((marks.truth != marks.guess).mean(axis=1), weights=marks.weight))


def _right(y_true: object, y_pred: object, sample_weight: object) -> tuple[float, float]:
    """Return how many rows are predicted correctly, and all rows."""
    truth = array(y_true)
    if truth.ndim == 1:
        counts = table_of_labels(truth, y_pred, sample_weight).counts
        return np.trace(counts).item(), counts.sum().item()
    marks = marks_of_both(truth, y_pred, sample_weight)
    right = (marks.truth == marks.guess).all(axis=1)
    if marks.weight is None:
        return int(np.count_nonzero(right)), len(right)
    return (right @ marks.weight).item(), marks.weight.sum().item()


@in_place_of_theirs
def balanced_accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: Weights = None, adjusted: bool = False
) -> float:
    """Return the mean recall over classes, with ``adjusted`` 0 at chance."""
    require(isinstance(adjusted, bool))
    matrix = table_of_labels(y_true, y_pred, sample_weight).matrix
    require(matrix.occurs.all() and len(matrix.classes) > 1)
    recall, chance = matrix.balanced_accuracy, 1 / len(matrix.classes)
    return (recall - chance) / (1 - chance) if adjusted else recall


@in_place_of_theirs
def cohen_kappa_score(
    y1: ArrayLike,
    y2: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    weights: Literal["linear", "quadratic"] | None = None,
    sample_weight: Weights = None,
) -> float:
    """Return how much two raters agree beyond chance."""
    table = table_of_labels(y1, y2, sample_weight).of(labels)
    require(len(table.classes) > 1 and table.counts.any())
    return float(table.matrix.kappa(weights))


@in_place_of_theirs
def matthews_corrcoef(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: Weights = None) -> float:
    """Return the correlation of truth and prediction, of any number of classes."""
    return table_of_labels(y_true, y_pred, sample_weight).matrix.mcc


@in_place_of_theirs
def class_likelihood_ratios(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: ArrayLike | None = None, sample_weight: Weights = None
) -> tuple[float, float]:
    """Return sensitivity / (1 - specificity) and (1 - sensitivity) / specificity."""
    whole = table_of_labels(y_true, y_pred, sample_weight)
    require(len(whole.classes) == 2)
    tn, fp, fn, tp = whole.of(labels).counts.reshape(-1).tolist()
    require(fp and tn and tp + fn)
    confusion = Confusion(tp=tp, fp=fp, fn=fn, tn=tn)
    return confusion.lr_positive, confusion.lr_negative

"""Areas under the ROC and the precision-recall curve, of two classes and averaged over classes, labels and rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from curvewise.many_classes.class_scores import ClassScores
from curvewise.metric.average_precision import average_precision
from curvewise.metric.partial import partial_roc_auc
from curvewise.metric.roc_auc import roc_auc
from curvewise.sklearn.hand_over import in_place_of_theirs, require
from curvewise.sklearn.label_ranking import mean_over_rows, ranked_rows
from curvewise.sklearn.reading import Labels, array, labels_of, marks_of, scores_of, table_of, weight_of

Average = Literal["micro", "macro", "samples", "weighted"] | None
Area = Callable[..., float]

AVERAGES = ("micro", "macro", "samples", "weighted", None)


@in_place_of_theirs
def roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Average = "macro",
    sample_weight: ArrayLike | None = None,
    max_fpr: float | None = None,
    multi_class: Literal["raise", "ovr", "ovo"] = "raise",
    labels: ArrayLike | None = None,
) -> float | NDArray[np.float64]:
    """Return the area under the ROC curve, an exact count of pairs: `curvewise.roc_auc`.

    With ``max_fpr`` it is `curvewise.partial_roc_auc` on McClish's scale.
    """
    require(average in AVERAGES and multi_class in ("raise", "ovr", "ovo"))
    require(max_fpr is None or (isinstance(max_fpr, int | float) and 0 < max_fpr <= 1))
    y, scores = array(y_true), array(y_score)

    def area(positive: NDArray[np.bool_], score: NDArray[Any], weight: object = None) -> float:
        if max_fpr is None or max_fpr == 1:
            return roc_auc(positive, score, weight=weight)
        return partial_roc_auc(positive, score, weight=weight, fpr=(0, max_fpr), scale="mcclish")

    if y.ndim == 2:
        marks = marks_of(y)
        if average == "samples":
            require(max_fpr is None or max_fpr == 1)
            return mean_over_rows(ranked_rows(marks, scores).area, sample_weight)
        return _averaged(area, marks, table_of(scores, len(marks)), average, sample_weight)
    truth = labels_of(y)
    if scores.ndim == 1:
        require(len(truth.classes) == 2 and labels is None)
        return area(truth.mask(1), scores_of(scores, len(truth)), weight_of(sample_weight, len(truth)))
    require(max_fpr is None or max_fpr == 1)
    return _of_classes(truth, table_of(scores, len(truth)), average, sample_weight, multi_class, labels)


def _of_classes(
    truth: Labels,
    scores: NDArray[Any],
    average: Average,
    sample_weight: object,
    multi_class: str,
    labels: object,
) -> float | NDArray[np.float64]:
    """Average over classes against the rest, or over pairs of classes."""
    classes, codes = truth.given(labels)
    require(len(classes) == scores.shape[1] > 2 and np.allclose(1, scores.sum(axis=1)))
    if multi_class == "ovr":
        require(average != "samples")
        marks = codes[:, None] == np.arange(len(classes))
        return _averaged(roc_auc, marks, scores, average, sample_weight)
    require(multi_class == "ovo" and average in ("macro", "weighted") and sample_weight is None)
    support = np.bincount(codes, minlength=len(classes)).astype(np.float64)
    pairs = ClassScores(np.ascontiguousarray(scores.T), codes.astype(np.intp, copy=False))
    return np.float64(pairs.one_against_one(support, support > 0, None, str(average)))  # as scikit-learn has it


@in_place_of_theirs
def average_precision_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Average = "macro",
    pos_label: float | bool | str = 1,
    sample_weight: ArrayLike | None = None,
) -> float | NDArray[np.float64]:
    """Return the average precision, tied scores in one block: `curvewise.average_precision`."""
    require(average in AVERAGES)
    y, scores = array(y_true), array(y_score)
    if y.ndim == 2:
        marks = marks_of(y)
    else:
        truth = labels_of(y)
        if len(truth.classes) <= 2:
            score, weight = scores_of(scores, len(truth)), weight_of(sample_weight, len(truth))
            return average_precision(truth.positive(pos_label), score, weight=weight)
        marks = truth.codes[:, None] == np.arange(len(truth.classes))
    require(not isinstance(pos_label, str) and pos_label == 1)
    if average == "samples":
        return mean_over_rows(ranked_rows(marks, scores).precision, sample_weight)
    return _averaged(average_precision, marks, table_of(scores, len(marks)), average, sample_weight)


def _averaged(
    area: Area, marks: NDArray[np.bool_], scores: NDArray[Any], average: Average, sample_weight: object
) -> float | NDArray[np.float64]:
    """Average the areas of columns, or read one from all pairs of a row and a column."""
    require(marks.shape == scores.shape)
    weight = weight_of(sample_weight, len(marks))
    if average == "micro":
        repeated = None if weight is None else np.repeat(weight, marks.shape[1])
        return area(marks.reshape(-1), scores.reshape(-1), weight=repeated)
    columns = zip(marks.T, scores.T, strict=True)
    areas = np.array([area(mark.copy(), score.copy(), weight=weight) for mark, score in columns])
    if average is None:
        return areas
    support = (marks.sum(axis=0) if weight is None else weight @ marks) if average == "weighted" else None
    return float(np.average(areas, weights=support))

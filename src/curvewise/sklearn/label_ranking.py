"""How each row ranks its own labels, and whether the true class is among the best."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from curvewise.core.keys import slices
from curvewise.core.threads import in_threads
from curvewise.many_classes.label_flags import LabelScores, RowRanking
from curvewise.sklearn.hand_over import in_place_of_theirs, require
from curvewise.sklearn.reading import labels_of, marks_of, scores_of, table_of, weight_of


def ranked_rows(y_true: object, y_score: object) -> RowRanking:
    """Return what each row's own ranking of its labels is worth."""
    marks = marks_of(y_true)
    scores = table_of(y_score, len(marks))
    require(marks.shape == scores.shape)
    return LabelScores(np.ascontiguousarray(scores.T), np.ascontiguousarray(marks.T)).row_ranking


def mean_over_rows(values: NDArray[Any], sample_weight: object) -> float:
    """Return the mean over rows, each of which must define a value."""
    require(not np.isnan(values).any())
    return float(np.average(values, weights=weight_of(sample_weight, len(values))))


@in_place_of_theirs
def label_ranking_average_precision_score(
    y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Return the mean average precision of rows; 1 for a row without a true or without a false label."""
    return mean_over_rows(np.nan_to_num(ranked_rows(y_true, y_score).precision, nan=1.0), sample_weight)


@in_place_of_theirs
def label_ranking_loss(y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Return the mean share of misordered labels of rows; 0 for a row without a true or without a false label."""
    return mean_over_rows(np.nan_to_num(ranked_rows(y_true, y_score).misordered, nan=0.0), sample_weight)


@in_place_of_theirs
def coverage_error(y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Return how many labels must be taken, on average over rows, to have all true ones."""
    return mean_over_rows(ranked_rows(y_true, y_score).depth, sample_weight)


@in_place_of_theirs
def top_k_accuracy_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: int = 2,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    """Return how often the true class is among the ``k`` of the highest score; of equal ones the last column first."""
    require(isinstance(k, int) and isinstance(normalize, bool) and k >= 1)
    truth = labels_of(y_true)
    classes, codes = truth.given(labels)
    require(k < len(classes))
    if len(classes) == 2:
        score = scores_of(y_score, len(truth))
        hits = (score > (0.5 if score.min() >= 0 and score.max() <= 1 else 0)) == codes
    else:
        scores = table_of(y_score, len(truth))
        require(scores.shape[1] == len(classes))
        here = list(slices(len(codes)))
        hits = np.concatenate(in_threads(lambda some: _places(scores[some], codes[some]) < k, here, len(codes)))
    if normalize:
        return mean_over_rows(hits, sample_weight)
    weight = weight_of(sample_weight, len(truth))
    return float(hits.sum() if weight is None else hits @ weight)


def _places(scores: NDArray[Any], codes: NDArray[Any]) -> NDArray[np.intp]:
    """Return how many classes stand before the true one."""
    of_truth = scores[np.arange(len(codes)), codes]
    before = np.zeros(len(of_truth), dtype=np.intp)
    for place, score in enumerate(scores.T):
        before += (score > of_truth) | ((score == of_truth) & (place > codes))
    return before

"""Curves over all thresholds, each read from one sweep, and the calibration curve in bins."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from curvewise.arrays import Floats
from curvewise.core.keys import slices
from curvewise.core.sweep import Sweep, sweep
from curvewise.core.threads import in_threads
from curvewise.sklearn.hand_over import RELEASE, in_place_of_theirs, require
from curvewise.sklearn.reading import column, labels_of, probabilities, scores_of, weight_of

Label = float | bool | str | None
FEW = 32  # bins up to which comparing with every edge is quicker than searching


def _swept(y_true: object, y_score: object, pos_label: object, sample_weight: object) -> Sweep:
    """Return the sweep of one class against the rest; more than two classes need the positive one's name."""
    labels = labels_of(y_true)
    require(len(labels.classes) <= 2 or pos_label is not None)
    scores, weight = scores_of(y_score, len(labels)), weight_of(sample_weight, len(labels))
    return sweep(labels.positive(pos_label), scores, weight=weight)


def _with_first(first: float, values: NDArray[Any]) -> Floats:
    """Return a value and then all others."""
    led = np.empty(len(values) + 1)
    led[0], led[1:] = first, values
    return led


def _turned(values: NDArray[Any]) -> NDArray[Any]:
    """Return values from the last to the first."""
    return values[::-1].copy()


def _kept(inside: NDArray[np.bool_], *values: NDArray[Any]) -> list[NDArray[Any]]:
    """Return values at the points to keep: the first, those marked between the ends, the last."""
    places = np.concatenate([[0], np.flatnonzero(inside) + 1, [len(inside) + 1]])
    return [value[places] for value in values]


def _changes(counts: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark the points between the ends where a count differs from the one before or behind."""
    changed = counts[1:] != counts[:-1]
    return np.asarray(changed[1:] | changed[:-1])


def _bends(counts: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark the points between the ends before and behind which a count does not rise alike."""
    steps = np.diff(counts)
    return np.asarray(steps[1:] != steps[:-1])


@in_place_of_theirs
def roc_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Label = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = True,
) -> tuple[Floats, Floats, Floats]:
    """Return false and true positive rates and thresholds, from one sort."""
    require(isinstance(drop_intermediate, bool))
    swept = _swept(y_true, y_score, pos_label, sample_weight)
    require(swept.positives and swept.negatives)
    tp, fp, threshold = swept.tp, swept.fp, swept.threshold
    if drop_intermediate and len(threshold) > 2:
        tp, fp, threshold = _kept(_bends(tp) | _bends(fp), tp, fp, threshold)
    fpr, tpr = _with_first(0, fp), _with_first(0, tp)
    fpr /= fpr[-1]
    tpr /= tpr[-1]
    return fpr, tpr, _with_first(np.inf, threshold)


@in_place_of_theirs
def precision_recall_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Label = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = False,
) -> tuple[Floats, Floats, NDArray[Any]]:
    """Return precision, recall and rising thresholds, from one sort."""
    require(isinstance(drop_intermediate, bool))
    swept = _swept(y_true, y_score, pos_label, sample_weight)
    require(swept.positives)
    tp, fp, threshold = swept.tp, swept.fp, swept.threshold
    if drop_intermediate and len(threshold) > 2:
        tp, fp, threshold = _kept(_changes(tp), tp, fp, threshold)
    precision, recall = np.empty(len(tp) + 1), np.empty(len(tp) + 1)
    np.divide(tp[::-1], (tp + fp)[::-1], out=precision[:-1])
    np.divide(tp[::-1], tp[-1], out=recall[:-1])
    precision[-1], recall[-1] = 1, 0
    return precision, recall, _turned(threshold)


@in_place_of_theirs
def det_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    pos_label: Label = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = False,
) -> tuple[Floats, Floats, Floats]:
    """Return false positive and false negative rates and rising thresholds, from one sort."""
    require(isinstance(drop_intermediate, bool))
    swept = _swept(y_true, y_score, pos_label, sample_weight)
    require(swept.positives and swept.negatives)
    tp, fp, threshold = swept.tp, swept.fp, swept.threshold
    if RELEASE >= (1, 7):  # before, there was no point that flags nothing
        tp, fp, threshold = _with_first(0, tp), _with_first(0, fp), _with_first(np.inf, threshold)
    if drop_intermediate and len(fp) > 2:
        tp, fp, threshold = _kept(_changes(tp), tp, fp, threshold)
    # from the last threshold without a further false positive to the first with every true one
    shown = slice(int(np.searchsorted(fp, fp[0], side="right")) - 1, int(np.searchsorted(tp, tp[-1])) + 1)
    fpr, fnr = fp[shown][::-1] / fp[-1], (tp[-1] - tp[shown][::-1]) / tp[-1]
    return fpr, fnr, _turned(threshold[shown])


@in_place_of_theirs
def confusion_matrix_at_thresholds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Label = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[Floats, Floats, Floats, Floats, NDArray[Any]]:
    """Return true negatives, false positives, false negatives, true positives and thresholds, from one sort."""
    swept = _swept(y_true, y_score, pos_label, sample_weight)
    tp, fp = swept.tp.astype(np.float64), swept.fp.astype(np.float64)
    return fp[-1] - fp, fp, tp[-1] - tp, tp, swept.threshold.copy()


@in_place_of_theirs
def auc(x: ArrayLike, y: ArrayLike) -> float:
    """Return the area under straight lines between points, whose x must not turn back."""
    across, up = column(x), column(y)
    require(len(across) == len(up) > 1 and across.dtype.kind in "iuf" and up.dtype.kind in "iuf")
    widths = np.diff(across.astype(np.float64, copy=False))
    falls = bool(widths[np.argmax(widths != 0)] < 0)
    require((widths <= 0).all() if falls else (widths >= 0).all())
    area = float(np.dot(widths, up[1:])) / 2 + float(np.dot(widths, up[:-1])) / 2
    return -area if falls else area


@in_place_of_theirs
def calibration_curve(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    pos_label: Label = None,
    n_bins: int = 5,
    strategy: Literal["uniform", "quantile"] = "uniform",
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the share of positives and the mean probability of each bin that has rows."""
    require(isinstance(n_bins, int) and n_bins >= 1 and strategy in ("uniform", "quantile"))
    labels = labels_of(y_true)
    require(len(labels.classes) <= 2)
    positive, p = labels.positive(pos_label), probabilities(column(y_prob, len(labels)))
    edges = np.linspace(0, 1, n_bins + 1)
    if strategy == "quantile":
        edges = np.percentile(p, edges * 100)

    def counted(here: slice) -> NDArray[np.float64]:
        place = _places(p[here], edges[1:-1])
        sums = np.bincount(place, p[here], n_bins)
        place[positive[here]] += n_bins
        return np.concatenate([np.bincount(place, minlength=2 * n_bins), sums])

    parts = in_threads(counted, list(slices(len(p))), len(p))
    negatives, true, sums = np.sum(parts, axis=0).reshape(3, n_bins)
    rows = negatives + true
    used = rows > 0
    return true[used] / rows[used], sums[used] / rows[used]


def _places(p: NDArray[Any], edges: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return how many edges lie below each probability."""
    if len(edges) >= FEW:
        return np.searchsorted(edges, p)
    below = np.zeros(len(p), dtype=np.uint8)
    for edge in edges:
        below += p > edge
    return below.astype(np.intp)

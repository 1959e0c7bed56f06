"""What probabilities cost, computed row by row: no loss needs a sort."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from curvewise.arrays import Floats
from curvewise.core.keys import slices
from curvewise.core.threads import in_threads
from curvewise.metric.losses import LOSSES
from curvewise.sklearn.hand_over import RELEASE, in_place_of_theirs, require
from curvewise.sklearn.label_ranking import mean_over_rows
from curvewise.sklearn.reading import array, column, finite, labels_of, probabilities, scores_of, weight_of

Label = float | bool | str | None
Weights = NDArray[Any] | None


class Predicted(NamedTuple):
    """Probabilities of rows: of the class at place 1 alone, or one column per class; the place of each row's class."""

    p: NDArray[Any]
    codes: NDArray[Any]
    weight: Weights
    classes: int

    def of_truth(self, here: slice) -> Floats:
        """Return the probability that the true class was given, for some rows."""
        p, codes = self.p[here], self.codes[here]
        of_truth = np.where(codes == 1, p, 1 - p) if p.ndim == 1 else p[np.arange(len(p)), codes]
        return of_truth.astype(np.float64, copy=False)

    def squares(self, here: slice) -> Floats:
        """Return the sum over classes of squared distances from what happened, for some rows."""
        if self.p.ndim == 1:
            lost = self.p[here].astype(np.float64, copy=False) - self.codes[here]
            return np.asarray(2 * lost * lost)
        p = self.p[here].astype(np.float64, copy=False)
        return np.asarray(np.einsum("ij,ij->i", p, p) + (1 - 2 * self.of_truth(here)))

    def total(self, lost: Callable[[slice], Floats], added: Callable[[Floats], float] | None = None) -> float:
        """Sum what rows lose, chunk by chunk; ``added`` sums it in a quicker way where every row counts once."""

        def part(here: slice) -> float:
            each = lost(here)
            if self.weight is not None:
                return float(each @ self.weight[here])
            return float(each.sum()) if added is None else added(each)

        rows = len(self.codes)
        return math.fsum(in_threads(part, list(slices(rows)), rows))

    def log_loss(self) -> float:
        """Sum -log of the probability of the true class, kept from 0 and 1 by the least step of the dtype."""
        eps = float(np.finfo(self.p.dtype).eps)

        def kept(here: slice) -> Floats:
            return np.clip(self.of_truth(here), eps, 1 - eps)

        if self.weight is None:
            return self.total(kept, LOSSES["log"].added)
        return self.total(lambda here: LOSSES["log"].of(kept(here)))

    @property
    def rows(self) -> float:
        """All rows, or all weight."""
        return len(self.codes) if self.weight is None else float(self.weight.sum(dtype=np.float64))

    def shares(self) -> Floats:
        """Return the share of each class, two of which must occur."""
        counts = np.bincount(self.codes, self.weight, self.classes)
        require(np.count_nonzero(counts) > 1)
        return np.asarray(counts / counts.sum())


def _of_classes(y_true: object, y_proba: object, sample_weight: object, labels: object) -> Predicted:
    """Read the probabilities of classes in their order: one column for two of them, or one per class."""
    truth = labels_of(y_true)
    classes, codes = truth.given(labels)
    p = array(y_proba)
    p = probabilities(p[:, 0] if p.ndim == 2 and p.shape[1] == 1 else p)
    require(len(p) == len(truth) and len(classes) == (2 if p.ndim == 1 else p.shape[1]) > 1)
    if p.ndim == 2:  # scikit-learn warns of rows that do not sum to one
        require(np.abs(p @ np.ones(len(classes), dtype=p.dtype) - 1).max() <= math.sqrt(np.finfo(p.dtype).eps))
    return Predicted(p, codes, weight_of(sample_weight, len(truth)), len(classes))


def _of_positive(y_true: object, y_proba: object, sample_weight: object, pos_label: object) -> Predicted:
    """Read the probabilities of the positive class of two."""
    truth = labels_of(y_true)
    require(len(truth.classes) <= 2)
    p = probabilities(column(y_proba, len(truth)))
    return Predicted(p, truth.positive(pos_label).view(np.uint8), weight_of(sample_weight, len(truth)), 2)


@in_place_of_theirs
def log_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    """Return the mean of -log of the probability that the true class was given."""
    require(isinstance(normalize, bool))
    predicted = _of_classes(y_true, y_proba, sample_weight, labels)
    return predicted.log_loss() / (predicted.rows if normalize else 1)


@in_place_of_theirs
def brier_score_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: Label = None,
    labels: ArrayLike | None = None,
    scale_by_half: bool | Literal["auto"] = "auto",
) -> float:
    """Return the mean squared distance of probabilities from what happened, summed over classes and perhaps halved."""
    require(scale_by_half == "auto" or isinstance(scale_by_half, bool))
    predicted = _squared(y_true, y_proba, sample_weight, pos_label, labels)
    halved = predicted.classes < 3 if scale_by_half == "auto" else scale_by_half
    return predicted.total(predicted.squares) / predicted.rows / (2 if halved else 1)


def _squared(y_true: object, y_proba: object, sample_weight: object, pos_label: object, labels: object) -> Predicted:
    """Read probabilities for a Brier loss: of the positive class, or of all classes."""
    p = array(y_proba)
    if p.ndim == 1:
        require(labels is None)
        return _of_positive(y_true, p, sample_weight, pos_label)
    require(RELEASE >= (1, 7) and pos_label is None and p.shape[1] > 1)
    return _of_classes(y_true, p, sample_weight, labels)


@in_place_of_theirs
def d2_log_loss_score(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    """Return the share of the log loss of constant class shares that the probabilities save."""
    predicted = _of_classes(y_true, y_proba, sample_weight, labels)
    shares = predicted.shares()
    require(shares.all() or RELEASE >= (1, 7))  # before, a class without rows was refused
    shares = shares[shares > 0]
    return 1 - predicted.log_loss() / predicted.rows / float(shares @ LOSSES["log"].of(shares))


@in_place_of_theirs
def d2_brier_score(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: Label = None,
    labels: ArrayLike | None = None,
) -> float:
    """Return the share of the Brier loss of constant class shares that the probabilities save."""
    predicted = _squared(y_true, y_proba, sample_weight, pos_label, labels)
    shares = predicted.shares()
    return 1 - predicted.total(predicted.squares) / predicted.rows / (1 - float(shares @ shares))


@in_place_of_theirs
def hinge_loss(
    y_true: ArrayLike,
    pred_decision: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the mean of what decisions on two classes lack to a margin of 1."""
    truth = labels_of(y_true)
    require(len(truth.classes) == 2 and labels is None)
    decision = finite(scores_of(pred_decision, len(truth)))
    lacks = np.maximum(1 - np.where(truth.mask(1), decision, -decision), 0)
    return mean_over_rows(lacks, sample_weight)

"""What is asked of each package, on which rows, and how their answers are compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import sklearn.metrics as skm

import curvewise as cw

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

MAX_FPR = 0.1


@dataclass(frozen=True)
class Data:
    """The rows every candidate is given, each in the form it likes best."""

    y: NDArray[np.int64]
    score: NDArray[Any]
    weight: NDArray[np.float64]
    tensors: tuple[Any, ...] = ()  # scores and labels for torch, none where it is left out


@dataclass(frozen=True)
class Task:
    """One question, how each package is asked it, and how a peer's answer reads in our form."""

    curvewise: Callable[[Data], Any]
    sklearn: Callable[[Data], Any]
    torch: Callable[[Any, Data], Any] | None  # first the module of torchmetrics
    weighted: bool = False
    in_our_form: Callable[[Any], Any] = field(default=lambda answer: answer)


def _upside_down(answer: Any) -> Any:
    """Turn a PR curve that rises in threshold and ends in an added point (0, 1) into ours."""
    precision, recall, threshold = (np.asarray(part) for part in answer)
    return precision[-2::-1], recall[-2::-1], threshold[::-1]


TASKS = {
    "AUC": Task(
        curvewise=lambda d: cw.roc_auc(d.y, d.score),
        sklearn=lambda d: skm.roc_auc_score(d.y, d.score),
        torch=lambda tm, d: tm.binary_auroc(*d.tensors, thresholds=None),
    ),
    "ROC curve": Task(
        curvewise=lambda d: cw.roc_curve(d.y, d.score),
        # all points, as curvewise returns them; the default leaves out those on straight lines
        sklearn=lambda d: skm.roc_curve(d.y, d.score, drop_intermediate=False),
        torch=lambda tm, d: tm.binary_roc(*d.tensors, thresholds=None),
    ),
    "PR curve": Task(
        curvewise=lambda d: cw.pr_curve(d.y, d.score),
        sklearn=lambda d: skm.precision_recall_curve(d.y, d.score),
        torch=lambda tm, d: tm.binary_precision_recall_curve(*d.tensors, thresholds=None),
        in_our_form=_upside_down,
    ),
    "average precision": Task(
        curvewise=lambda d: cw.average_precision(d.y, d.score),
        sklearn=lambda d: skm.average_precision_score(d.y, d.score),
        torch=lambda tm, d: tm.binary_average_precision(*d.tensors, thresholds=None),
    ),
    "weighted AUC": Task(
        curvewise=lambda d: cw.roc_auc(d.y, d.score, weight=d.weight),
        sklearn=lambda d: skm.roc_auc_score(d.y, d.score, sample_weight=d.weight),
        torch=None,  # torchmetrics takes no weights
        weighted=True,
    ),
    "partial AUC, FPR 0 to 0.1": Task(
        # scikit-learn and torchmetrics know only McClish's scale
        curvewise=lambda d: cw.partial_roc_auc(d.y, d.score, fpr=(0, MAX_FPR), scale="mcclish"),
        sklearn=lambda d: skm.roc_auc_score(d.y, d.score, max_fpr=MAX_FPR),
        torch=lambda tm, d: tm.binary_auroc(*d.tensors, max_fpr=MAX_FPR, thresholds=None),
    ),
}


def make_data(rows: int, dtype: str, prevalence: float, scores: str, *, torch: bool) -> Data:
    """Draw normal scores, positives shifted by 1.5 (AUC about 0.86); a sigmoid makes them probabilities."""
    rng = np.random.default_rng(rows)
    y = np.zeros(rows, dtype=np.int64)
    y[: round(rows * prevalence)] = 1
    rng.shuffle(y)
    score = rng.standard_normal(rows) + 1.5 * y
    if scores == "probabilities":
        score = 1 / (1 + np.exp(-score))
    score = score.astype(dtype)
    tensors: tuple[Any, ...] = ()
    if torch:
        from torch import from_numpy

        tensors = from_numpy(score), from_numpy(y)
    return Data(y, score, rng.uniform(0.5, 1.5, rows), tensors)


def difference(ours: Any, theirs: Any, fields: int = 3) -> float:
    """Return the largest difference between two answers; infinite if their shapes differ."""
    if isinstance(ours, float):
        return abs(ours - float(theirs))
    worst = 0.0
    for mine, other in zip(list(ours)[:fields], [np.asarray(part) for part in theirs], strict=False):
        if mine.shape != other.shape:
            return float("inf")
        # equal infinities differ by nan; the one at the head of a ROC curve's thresholds is no number
        unequal = mine != other
        worst = max(worst, float(np.abs(mine[unequal] - other[unequal]).max(initial=0)))
    return worst

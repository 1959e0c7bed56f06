"""Partial AUC as the objective of gradient boosting: XGBoost and LightGBM take the same callable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from curvewise.arrays import Floats
from curvewise.objectives.region import Region, Share
from curvewise.objectives.surrogate import partial_auc

STEEPEST = 0.25  # the slope of the sigmoid at 0
LEAST = 1e-16  # a row of weight 0 has a hessian of 0, which XGBoost and LightGBM refuse


@dataclass(frozen=True)
class BoostingObjective:
    """Objective for XGBoost and LightGBM, in their own and in scikit-learn's interface.

    Parameters
    ----------
    fpr, tpr
        The part of the ROC curve that matters, as in `curvewise.objectives.partial_auc`.
    temperature
        The τ of `curvewise.objectives.partial_auc`, in units of the scores: boosting starts from equal scores, which
        have no spread.

    Notes
    -----
    The loss is (1 − V)·W/2, where W is the sum of weights, so that gradients are of the size of those of log loss with
    balanced classes. The hessian of a row with weight w in a class of weight W_c is W/2 · w/W_c / (4τ), a constant,
    because the second derivative itself is negative for many rows. Predictions are scores, not probabilities, and 0
    means nothing: choose a threshold (`curvewise.operating_point`).

    In our simulations trees trained so were worse than trees trained by log loss (docs/learn/training.md): compare.

    Examples
    --------
    >>> import numpy as np
    >>> import curvewise as cw
    >>> pull = cw.objectives.BoostingObjective(fpr=0.5)
    >>> gradient, hessian = pull(np.array([0, 0, 1, 1]), np.array([0.1, 0.4, 0.35, 0.8]))
    >>> (gradient.round(3) + 0.0).tolist(), hessian.tolist()
    ([0.0, 0.248, -0.125, -0.123], [0.125, 0.125, 0.125, 0.125])

    ``xgboost.XGBClassifier(objective=pull)``, ``xgboost.train({}, data, obj=pull)``,
    ``lightgbm.LGBMClassifier(objective=pull)`` and ``lightgbm.train({"objective": pull}, data)`` take it.
    """

    fpr: Share = 0.05
    tpr: Share | None = None
    temperature: float = 2.0

    def __post_init__(self) -> None:
        Region.read(self.fpr, self.tpr, self.temperature)

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> tuple[Floats, Floats]:
        """Return gradient and hessian of the loss: of labels and scores, or of scores and a data set with labels."""
        if hasattr(y_pred, "get_label"):  # the libraries' own interface
            y_true, y_pred, sample_weight = y_pred.get_label(), y_true, y_pred.get_weight()
        positive, score = np.asarray(y_true) > 0, np.asarray(y_pred, dtype=np.float64)
        weighted = sample_weight is not None and len(sample_weight) > 0
        weight = np.asarray(sample_weight, dtype=np.float64) if weighted else np.ones(len(score))
        options: dict[str, Any] = {"fpr": self.fpr, "tpr": self.tpr, "temperature": self.temperature, "spread": 1.0}
        _, gradient = partial_auc(positive, score, weight=weight, **options)
        total = weight.sum()
        of_class = np.where(positive, weight[positive].sum(), weight[~positive].sum())
        hessian = total / 2 * weight / of_class * STEEPEST / self.temperature
        return -total / 2 * gradient, np.maximum(hessian, LEAST)

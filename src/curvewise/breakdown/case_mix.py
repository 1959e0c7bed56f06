"""How well a model can separate these rows at best, if its probabilities are right: what case mix alone allows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from curvewise.core.probability import of_probabilities

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep


def expected_auc(sweep: Sweep) -> float:
    """Return the AUC to expect if each row is positive with its probability; NaN if all are 0, or all are 1.

    Σᵢⱼ pᵢ(1 - pⱼ)[pᵢ > pⱼ] / Σᵢⱼ pᵢ(1 - pⱼ), ties half: the model-based concordance. It depends on how far the
    probabilities of the rows differ, not on their labels. An AUC that falls from site to site together with it
    may do so for the case mix; one that lies clearly below it points to a model that is less valid there.

    References
    ----------
    Vergouwe, Moons & Steyerberg (2010) Am. J. Epidemiol. 172:971-980. van Klaveren et al. (2016) Statist. Med.
    35:4136-4152.

    Examples
    --------
    >>> import curvewise as cw
    >>> round(expected_auc(cw.sweep([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9])), 3), expected_auc(cw.sweep([0, 1], [0.3, 0.3]))
    (0.825, 0.5)
    """
    read = of_probabilities(sweep)
    p = read.threshold
    rows = np.diff(read.tp + read.fp, prepend=0)
    positives, negatives = rows * p, rows * (1 - p)
    pairs = float(positives.sum()) * float(negatives.sum())
    if not pairs:
        return math.nan
    below = negatives.sum() - np.cumsum(negatives) + negatives / 2
    return float(positives @ below) / pairs

"""The Kolmogorov-Smirnov statistic and the Gini coefficient: two names of credit scoring for a ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from curvewise.core.registry import metric
from curvewise.metric.roc_auc import roc_auc

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep


@metric(
    aliases=("kolmogorov_smirnov", "ks_statistic"),
    unit="area",
    low=0.0,
    high=1.0,
    chance=0.0,
    perfect=1.0,
    prevalence=False,
    shown=None,
    reference="Thomas, Edelman & Crook (2002) Credit Scoring and Its Applications, ch. 7",
)
def ks(sweep: Sweep) -> float:
    """Return the largest distance of TPR above FPR over all thresholds: the best Youden's J.

    It is read where the curve is at its best on these rows, so it is biased upward, more with few rows.
    """
    sweep.need_both_classes("The Kolmogorov-Smirnov statistic")
    away = sweep.tp / sweep.positives - sweep.fp / sweep.known_negatives("KS")
    return max(float(np.max(away)), 0.0)


@metric(
    aliases=("gini_coefficient", "somers_d"),
    unit="area",
    low=-1.0,
    high=1.0,
    chance=0.0,
    perfect=1.0,
    prevalence=False,
    shown=None,
    reference="Somers (1962) Am. Sociol. Rev. 27:799-811",
)
def gini(sweep: Sweep) -> float:
    """Return 2·AUC - 1: pairs in order less pairs out of order, over all pairs of both classes."""
    return 2 * roc_auc(sweep) - 1

"""Single numbers of a ranking: KS, Gini, equal error rate, area of PR gain, the top of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.kernel import first_reach
from curvewise.curves.det import det_curve
from curvewise.curves.pr_gain import pr_gain_curve
from curvewise.metric import SHARE
from curvewise.metric.registry import metric
from curvewise.metric.roc_auc import auc_of
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

FROM_0: dict[str, Any] = {"unit": "area", "high": 1.0, "chance": 0.0, "perfect": 1.0, "shown": None}
FROM_0["monotone"] = True
ERROR_RATE = {**SHARE, "better": "lower", "chance": 0.5, "perfect": 0.0, "prevalence": False}
ERROR_RATE["monotone"] = True
PAIRS = {"interval": "delong", "trials": "pairs"}
TOP = {**SHARE, "needs": ("positives",), "interval": "score", "smooth": False, "trials": "positives", "monotone": True}
TOP |= {"reference": "Manning, Raghavan & Schütze (2008) Introduction to Information Retrieval, ch. 8"}
THOMAS = "Thomas, Edelman & Crook (2002) Credit Scoring and Its Applications, ch. 7"
SOMERS = "Somers (1962) Am. Sociol. Rev. 27:799-811"
MARTIN = "Martin et al. (1997) Eurospeech 4:1895-1898"
BRUEMMER = "Brümmer & de Villiers (2013) arXiv:1304.2865"  # the rate on the hull
FLACH = "Flach & Kull (2015) NeurIPS 28:838-846"


@metric(
    aliases=("kolmogorov_smirnov", "ks_statistic"),
    **FROM_0,
    interval="none",
    low=0.0,
    prevalence=False,
    reference=THOMAS,
    formula="max(TP_k/P - FP_k/N), at least 0",
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
    **FROM_0,
    low=-1.0,
    prevalence=False,
    **PAIRS,
    reference=SOMERS,
    formula="2·AUC - 1",
)
def gini(sweep: Sweep) -> float:
    """Return 2·AUC - 1: pairs in order less pairs out of order, over all pairs of both classes."""
    return 2 * auc_of(sweep) - 1


def _trials(positives: float, negatives: float) -> float:
    """Return how many rows a rate of both classes at once is worth."""
    return 1.6 * min(positives, negatives)


@metric(
    aliases=("eer",),
    **ERROR_RATE,
    interval="score",
    trials=_trials,
    place=4,
    reference=f"{MARTIN}; {BRUEMMER}",
    formula="FPR where FPR = 1 - TPR, on the convex hull of the ROC curve",
)
def equal_error_rate(sweep: Sweep) -> float:
    """Return the rate at which FPR equals FNR, on the hull of the ROC curve."""
    return det_curve(sweep).eer


@metric(
    aliases=("auprg",),
    **FROM_0,
    interval="none",
    reference=FLACH,
    formula="∫ g(precision) dg(recall) from g(recall) = 0 on, g(x) = (x - π)/((1 - π)·x)",
)
def pr_gain_area(sweep: Sweep) -> float:
    """Return the area under the precision-recall-gain curve, where chance is 0 at any prevalence.

    Prevalence still moves the area of a curve above chance: compare two only at the same prevalence.
    """
    return pr_gain_curve(sweep).area


def _at_the_top(positives: float, negatives: float, *, at_fraction: float) -> float:
    """Return how many rows are at the top."""
    return max(at_fraction * (positives + negatives), 1.0)


@metric(
    aliases=("precision_at_fraction", "precision_at_top"),
    **{**TOP, "trials": _at_the_top},
    chance="prevalence",
    formula="(positives among the first f·n rows)/(f·n), f = at_fraction",
)
def top_precision(sweep: Sweep, *, at_fraction: float) -> float:
    """Return the share of positives among the fraction of rows with the highest scores.

    Of rows that tie at the edge, as many positives count as in the mean over random orders.
    """
    return _found(sweep, at_fraction) / (at_fraction * sweep.n)


def _found_at_the_top(positives: float, negatives: float, *, at_fraction: float) -> float:  # noqa: ARG001
    """Return how many positives the share found is worth: twice theirs, since the rows at the top are given."""
    return 2 * positives


@metric(
    aliases=("recall_at_fraction", "recall_at_top", "capture_rate"),
    **{**TOP, "trials": _found_at_the_top},
    formula="(positives among the first f·n rows)/P, f = at_fraction",
)
def top_recall(sweep: Sweep, *, at_fraction: float) -> float:
    """Return the share of all positives that are in the fraction of rows with the highest scores.

    Of rows that tie at the edge, as many positives count as in the mean over random orders.
    """
    return _found(sweep, at_fraction) / sweep.positives


def _found(sweep: Sweep, fraction: float) -> float:
    """Return how many positives are in the top, with those that tie at its edge in proportion."""
    sweep.need_positives("The top of the list")
    share = real("at_fraction", fraction, 0, 1)
    return first_reach(sweep.tp + sweep.fp, sweep.tp, share * sweep.n) if share else 0.0

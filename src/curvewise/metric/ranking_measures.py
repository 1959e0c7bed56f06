"""Single numbers of a ranking: KS, Gini, equal error rate, area of PR gain, the top of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.kernel import first_reach, precision_sum
from curvewise.curves.det import det_curve
from curvewise.curves.pr_gain import pr_gain_curve
from curvewise.errors import OptionError, UndefinedMetricError
from curvewise.metric import SHARE
from curvewise.metric.registry import metric
from curvewise.metric.roc_auc import auc_of
from curvewise.rows.checks import real, whole

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

FROM_0: dict[str, Any] = {"unit": "area", "high": 1.0, "chance": 0.0, "perfect": 1.0, "shown": None}
FROM_0["monotone"] = True
ERROR_RATE = {**SHARE, "better": "lower", "chance": 0.5, "perfect": 0.0, "prevalence": False}
ERROR_RATE["monotone"] = True
PAIRS = {"interval": "delong", "trials": "pairs"}
TOP = {**SHARE, "needs": ("positives",), "interval": "score", "smooth": False, "trials": "positives", "monotone": True}
TOP["instead"] = {"at_fraction": "k"}
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


def _at_the_top(positives: float, negatives: float, *, at_fraction: float | None = None, k: int | None = None) -> float:
    """Return how many rows are at the top."""
    return float(k) if at_fraction is None and k else max((at_fraction or 0) * (positives + negatives), 1.0)


@metric(
    aliases=("precision_at_fraction", "precision_at_top", "precision_at_k"),
    **{**TOP, "trials": _at_the_top},
    chance="prevalence",
    formula="(positives among the first k rows)/k, k = at_fraction·n",
)
def top_precision(sweep: Sweep, *, at_fraction: float | None = None, k: int | None = None) -> float:
    """Return the share of positives among the rows with the highest scores: a fraction of them, or k rows.

    Of rows that tie at the edge, as many positives count as in the mean over random orders.
    """
    rows = _rows_at_the_top(sweep, at_fraction, k)
    return _found(sweep, rows) / rows


def _found_at_the_top(
    positives: float,
    negatives: float,  # noqa: ARG001
    *,
    at_fraction: float | None = None,  # noqa: ARG001
    k: int | None = None,  # noqa: ARG001
) -> float:
    """Return how many positives the share found is worth: twice theirs, since the rows at the top are given."""
    return 2 * positives


@metric(
    aliases=("recall_at_fraction", "recall_at_top", "recall_at_k", "capture_rate"),
    **{**TOP, "trials": _found_at_the_top},
    formula="(positives among the first k rows)/P, k = at_fraction·n",
)
def top_recall(sweep: Sweep, *, at_fraction: float | None = None, k: int | None = None) -> float:
    """Return the share of all positives that are among the rows with the highest scores: a fraction of them, or k rows.

    Of rows that tie at the edge, as many positives count as in the mean over random orders.
    """
    return _found(sweep, _rows_at_the_top(sweep, at_fraction, k)) / sweep.positives


@metric(
    aliases=("average_precision_at_k", "ap_at_k", "map_cut"),
    **{**TOP, "monotone": False},
    formula="Σ (p_k/P)·TP_k/(TP_k + FP_k) over the first k rows, k = at_fraction·n",
)
def top_average_precision(sweep: Sweep, *, at_fraction: float | None = None, k: int | None = None) -> float:
    """Return the average precision of the rows with the highest scores; positives below them add nothing.

    It is a share of all positives (trec_eval's ``map_cut``), so fewer rows than positives cannot reach 1. Rows that
    tie at the edge count in proportion.
    """
    rows = _rows_at_the_top(sweep, at_fraction, k)
    inside = int(np.searchsorted(sweep.tp + sweep.fp, rows, side="left")) + 1  # the last block is cut
    tp, fp = sweep.tp[:inside].astype(np.float64), sweep.fp[:inside].astype(np.float64)
    tp[-1] = _found(sweep, rows)
    fp[-1] = rows - tp[-1]
    return precision_sum(tp, fp) / sweep.positives


def _rows_at_the_top(sweep: Sweep, at_fraction: float | None, k: int | None) -> float:
    """Return how many rows are at the top, given as a fraction or as a number."""
    sweep.need_positives("The top of the list")
    if (at_fraction is None) == (k is None):
        raise OptionError.of("at_fraction", "expected either a fraction of the rows or k=, a number of rows.")
    if at_fraction is not None:
        share = real("at_fraction", at_fraction, 0, 1)
        return (share or real("at_fraction", share, 0, 1, closed=False)) * float(sweep.n)
    number = whole("k", k, 1)
    if not sweep.is_whole:
        raise OptionError.of("k", "these counts are sums of weights, not rows; pass at_fraction=.")
    if number > sweep.n:
        raise UndefinedMetricError(f"The first {number} rows: there are {sweep.n}.")
    return float(number)


def _found(sweep: Sweep, rows: float) -> float:
    """Return how many positives are in the top, with those that tie at its edge in proportion."""
    return first_reach(sweep.tp + sweep.fp, sweep.tp, rows)

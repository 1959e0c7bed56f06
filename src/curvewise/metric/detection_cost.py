"""Costs as speaker verification and forensic science write them, of scores that are log likelihood ratios."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.arrays import Floats
from curvewise.curves.hull import hull_counts
from curvewise.errors import CurvewiseError, OptionError, UndefinedMetricError, note
from curvewise.metric.registry import metric
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.core.confusion import Confusion
    from curvewise.core.sweep import Sweep

COST: dict[str, Any] = {"better": "lower", "low": 0.0, "prevalence": False, "shown": None}
BRUEMMER = "Brümmer & du Preez (2006) Comput. Speech Lang. 20:230-275"
NIST = "NIST (2008) Speaker Recognition Evaluation plan"


def _need_rising(sweep: Sweep) -> None:
    """Refuse scores whose lower end means positive, which log likelihood ratios are not."""
    if sweep.higher_is == "negative":
        raise CurvewiseError("A log likelihood ratio is higher for a positive; leave out higher_is='negative'.")


def _bits(sweep: Sweep) -> tuple[Floats, Floats]:
    """Return what a positive, and what a negative, of each score costs in bits; none of the class costs nothing."""
    _need_rising(sweep)
    llr, nats = sweep.threshold.astype(np.float64), math.log(2)
    here = sweep.block_positives > 0, sweep.block_negatives > 0
    pos, neg = (np.where(on, np.logaddexp(0, s) / nats, 0.0) for on, s in zip(here, (-llr, llr), strict=True))
    return pos, neg


def _influence_of_cllr(sweep: Sweep) -> tuple[Floats, Floats]:
    """Return what one more positive, or negative, of each score adds."""
    found = []
    for bits, counts in zip(_bits(sweep), (sweep.block_positives, sweep.block_negatives), strict=True):
        if math.isinf(bits.max()):
            raise UndefinedMetricError("The variance of an infinite Cllr is undefined.", why=note("infinite_value"))
        found.append((bits - np.average(bits, weights=counts)) / (2 * counts.sum()))
    return found[0], found[1]


@metric(
    family="likelihood",
    aliases=("log_likelihood_ratio_cost",),
    **COST,
    monotone=True,
    interval="log",
    influence=_influence_of_cllr,
    reference=BRUEMMER,
    formula="½·(Σ p_k·log₂(1 + e^-s_k)/P + Σ n_k·log₂(1 + e^s_k)/N), s_k the score",
)
def cllr(sweep: Sweep) -> float:
    """Return the mean cost of log likelihood ratios in bits, both classes alike: 0 is perfect, 1 says nothing."""
    sweep.need_both_classes("Cllr")
    pos, neg = _bits(sweep)
    of_positives = float(pos @ sweep.block_positives) / sweep.positives
    return (of_positives + float(neg @ sweep.block_negatives) / sweep.known_negatives("Cllr")) / 2


@metric(
    aliases=("cllr_min",),
    **COST,
    high=1.0,
    chance=1.0,
    perfect=0.0,
    monotone=True,
    interval="none",
    reference=BRUEMMER,
    formula="Cllr after isotonic calibration: s_k = ln((p_k/P)/(n_k/N)) on each segment k of the ROC hull",
)
def min_cllr(sweep: Sweep) -> float:
    """Return what Cllr would be after isotonic calibration on the same rows: the part that no calibration removes.

    It is biased downward, more with few rows; Cllr less its minimum is the loss by calibration.
    """
    tp, fp, _ = hull_counts(sweep, "The minimum of Cllr")
    p, n = np.diff(tp) / sweep.positives, np.diff(fp) / sweep.known_negatives("The minimum of Cllr")
    with np.errstate(divide="ignore", invalid="ignore"):
        lost = [float(np.sum(np.where(a > 0, a * np.log2((p + n) / a), 0.0))) for a in (p, n)]
    return sum(lost) / 2


def _weights(prior: float, fp: float, fn: float) -> tuple[float, float]:
    """Return what a rate of false alarms, and one of misses, costs, over the cost of the better trivial decision."""
    share = real("prior", prior, 0, 1, closed=False)
    alarm, miss = real("fp", fp, 0, math.inf) * (1 - share), real("fn", fn, 0, math.inf) * share
    if not (alarm and miss):
        raise OptionError.of("fp", "expected costs above 0 for both mistakes, fp= and fn=.")
    least = min(alarm, miss)
    return alarm / least, miss / least


@metric(
    aliases=("mindcf", "min_detection_cost"),
    **COST,
    high=1.0,
    chance=1.0,
    perfect=0.0,
    monotone=True,
    interval="none",
    reference=NIST,
    formula="min over thresholds of (fn·prior·FNR + fp·(1 - prior)·FPR)/min(fn·prior, fp·(1 - prior))",
)
def min_dcf(sweep: Sweep, *, prior: float, fp: float = 1, fn: float = 1) -> float:
    """Return the detection cost at the best threshold of these rows, over that of the better trivial decision.

    The threshold is chosen on the same rows, so it is biased downward, more with few of them.
    """
    alarm, miss = _weights(prior, fp, fn)
    tp, false_alarms, _ = hull_counts(sweep, "A detection cost")
    fpr, fnr = false_alarms / sweep.known_negatives("A detection cost"), 1 - tp / sweep.positives
    return max(float(np.min(alarm * fpr + miss * fnr)), 0.0)


def _bayes_threshold(*, prior: float, fp: float = 1, fn: float = 1) -> float:
    """Return the log likelihood ratio from which an alarm is expected to cost less than a miss."""
    alarm, miss = _weights(prior, fp, fn)
    return math.log(alarm / miss)


def _most(*, prior: float, fp: float = 1, fn: float = 1) -> tuple[float, float]:
    """Return the range of the cost: 0, and that of every decision wrong."""
    return 0.0, sum(_weights(prior, fp, fn))


def _of_counts(counts: Confusion, *, prior: float, fp: float = 1, fn: float = 1) -> Any:
    """Return the cost that four counts at the threshold give."""
    alarm, miss = _weights(prior, fp, fn)
    return alarm * counts.fpr + miss * counts.fnr


@metric(
    family="likelihood",
    aliases=("actdcf", "actual_detection_cost"),
    **COST,
    counted=_of_counts,
    cut=_bayes_threshold,
    interval="jeffreys",
    bounds=_most,
    reference=NIST,
    formula="(fn·prior·FNR + fp·(1 - prior)·FPR)/min(fn·prior, fp·(1 - prior)) at ln(fp·(1 - prior)/(fn·prior))",
)
def act_dcf(sweep: Sweep, *, prior: float, fp: float = 1, fn: float = 1) -> float:
    """Return the detection cost at the threshold ln(fp·(1 - prior)/(fn·prior)), over that of the trivial decision."""
    _need_rising(sweep)
    sweep.need_both_classes("A detection cost")
    costs = {"prior": prior, "fp": fp, "fn": fn}
    return float(_of_counts(sweep.at(_bayes_threshold(**costs)), **costs))

"""Numbers at a threshold that weigh its four counts as the user states: F_β, net benefit, expected cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.core.confusion import checked_costs
from curvewise.core.probability import of_probabilities
from curvewise.metric import AREA
from curvewise.metric.at_threshold import at_threshold
from curvewise.metric.registry import metric
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.core.confusion import Confusion
    from curvewise.core.sweep import Sweep

RIJSBERGEN = "van Rijsbergen (1979) Information Retrieval, ch. 7"
F_BETA: dict[str, Any] = {**AREA, "needs": (), "shown": None, "reference": RIJSBERGEN}
VICKERS = "Vickers & Elkin (2006) Med. Decis. Making 26:565-574"
METZ = "Metz (1978) Semin. Nucl. Med. 8:283-298"


def f_beta(counts: Confusion, *, threshold: float, beta: float) -> Any:  # noqa: ARG001 - the counts were taken at it
    """(1+β²)TP / ((1+β²)TP + β²FN + FP): recall counts β times as much as precision."""
    return counts.f_beta(beta)


def f2(counts: Confusion, *, threshold: float) -> Any:  # noqa: ARG001
    """5TP / (5TP + 4FN + FP): recall counts twice as much as precision."""
    return counts.f_beta(2)


def f_half(counts: Confusion, *, threshold: float) -> Any:  # noqa: ARG001
    """1.25TP / (1.25TP + 0.25FN + FP): precision counts twice as much as recall."""
    return counts.f_beta(0.5)


at_threshold("f_beta", "(1 + β²)·TP/((1 + β²)·TP + β²·FN + FP)", f_beta, **F_BETA, aliases=("fbeta", "f_beta_score"))
at_threshold("f2", "5·TP/(5·TP + 4·FN + FP)", f2, **F_BETA, aliases=("f2_score",))
at_threshold("f0.5", "1.25·TP/(1.25·TP + 0.25·FN + FP)", f_half, **F_BETA, aliases=("f05", "f_half"))


def _benefit(counts: Confusion, *, threshold: float) -> Any:
    """Return the net benefit that four counts give."""
    return counts.net_benefit(threshold)


def _range_of_benefit(*, threshold: float) -> tuple[float, float]:
    """Return what flagging all rows is worth where none is positive, and where all are."""
    return -threshold / (1 - threshold), 1.0


def _cut(*, threshold: float) -> float:
    """Return the threshold probability, at which rows are flagged."""
    p = real("threshold", threshold, 0, 1)
    return p if p < 1 else real("threshold", threshold, 0, 1, closed=False)


@metric(
    family="probability",
    counted=_benefit,
    cut=_cut,
    interval="jeffreys",
    high=1.0,
    needs=(),
    bounds=_range_of_benefit,
    shown=None,
    reference=VICKERS,
    formula="TP/n - FP/n·threshold/(1 - threshold)",
)
def net_benefit(sweep: Sweep, *, threshold: float) -> float:
    """Return true positives per row less false ones at the odds of the threshold, at which rows are flagged."""
    return of_probabilities(sweep).at(_cut(threshold=threshold)).net_benefit(threshold)


def expected_cost(
    counts: Confusion,
    *,
    threshold: float,  # noqa: ARG001
    fp: float,
    fn: float,
    tp: float = 0,
    tn: float = 0,
) -> Any:
    """(c_FP·FP + c_FN·FN + c_TP·TP + c_TN·TN) / n: the mean cost per row."""
    return counts.expected_cost(**checked_costs(fp=fp, fn=fn, tp=tp, tn=tn))


def _range_of_costs(*, threshold: float, fp: float, fn: float, tp: float = 0, tn: float = 0) -> tuple[float, float]:  # noqa: ARG001
    """Return the least and the greatest cost of a row."""
    costs = checked_costs(fp=fp, fn=fn, tp=tp, tn=tn).values()
    return float(min(costs)), float(max(costs))


at_threshold(
    "expected_cost",
    "(fp·FP + fn·FN + tp·TP + tn·TN)/n",
    expected_cost,
    unit="number",
    better="lower",
    perfect=None,
    needs=(),
    bounds=_range_of_costs,
    shown=None,
    reference=METZ,
)

"""What a threshold costs, and the slope of equal costs in the ROC plot."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Unpack

from curvewise.core.sweep import as_sweep
from curvewise.curves.cost import cost_slope
from curvewise.errors import CurvewiseError
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.rows.reading import RowOptions


def expected_cost(
    y: object,
    score: object = None,
    threshold: float | None = None,
    *,
    fp: float,
    fn: float,
    tp: float = 0,
    tn: float = 0,
    prevalence: float | None = None,
    **rows: Unpack[RowOptions],
) -> float:
    """Return the mean cost per row where scores are cut at a threshold.

    Parameters
    ----------
    y, score
        A `Sweep` or `Rows` alone (then name ``threshold=``), or labels and scores with the options of
        `curvewise.sweep`.
    threshold
        Positive means score ≥ threshold. An infinite one flags no row.
    fp, fn, tp, tn
        What a false positive, a false negative, a true positive and a true negative cost; a gain is a
        negative cost.
    prevalence
        The share of positives where the threshold is used; None takes that of the rows.

    Notes
    -----
    c_FP·(1−π)·FPR + c_FN·π·(1−TPR) + c_TP·π·TPR + c_TN·(1−π)·(1−FPR).

    Examples
    --------
    >>> import curvewise as cw
    >>> y, score = [1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5]
    >>> cw.expected_cost(y, score, 0.7, fp=1, fn=10)
    0.2
    >>> round(cw.expected_cost(y, score, 0.7, fp=1, fn=10, prevalence=0.01), 4)
    0.33
    """
    if threshold is None:
        raise CurvewiseError("threshold: say where the scores are cut.")
    sweep = as_sweep(y, score, rows)
    if prevalence is not None:
        sweep = sweep.at_prevalence(prevalence)
    return sweep.at(threshold).expected_cost(fp=fp, fn=fn, tp=tp, tn=tn)


def iso_cost_slope(*, fp: float, fn: float, prevalence: float, tp: float = 0, tn: float = 0) -> float:
    """Return the slope of the lines of equal cost in the ROC plot; costs as in `curvewise.expected_cost`.

    Notes
    -----
    (c_FP − c_TN)/(c_FN − c_TP) · (1−π)/π. The best point is where a line of this slope touches the ROC curve
    from above: steep slopes (rare positives, expensive false alarms) lie at the lower left, few alarms; flat
    ones at the upper right.

    References
    ----------
    Metz (1978) Semin. Nucl. Med. 8:283-298. Provost & Fawcett (2001) Machine Learning 42:203-231.

    Examples
    --------
    >>> import curvewise as cw
    >>> round(cw.iso_cost_slope(fp=5_000, fn=50_000, prevalence=0.01), 6)
    9.9
    """
    costs = checked_costs(fp=fp, fn=fn, tp=tp, tn=tn)
    gain, loss = costs["fn"] - costs["tp"], costs["fp"] - costs["tn"]
    if gain < 0 or loss < 0:
        when = "always" if loss < 0 else "never"
        raise CurvewiseError(
            f"These costs leave nothing to weigh: an alarm is {when} the cheaper answer, "
            "so there is no slope."
        )
    if gain == 0 or loss == 0:
        real("prevalence", prevalence, 0, 1, closed=False)
        return math.inf if gain == 0 else 0.0
    return cost_slope(loss, gain, prevalence)


def checked_costs(**costs: float) -> dict[str, float]:
    """Check four costs, and that an alarm is worth something; whole ones stay whole."""
    read = {name: real(name, value, -math.inf, math.inf) for name, value in costs.items()}
    if read["fp"] <= read["tn"] and read["fn"] <= read["tp"]:
        got = ", ".join(f"{k}={v:g}" for k, v in read.items())
        raise CurvewiseError(
            "These costs make every mistake the better answer: expected fp above tn or fn above tp, "
            f"got {got}."
        )
    return {k: int(v) if v.is_integer() else v for k, v in read.items()}

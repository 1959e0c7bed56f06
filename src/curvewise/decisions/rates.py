"""The rates a threshold is chosen for, with intervals, at the prevalence it is chosen for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from curvewise.decisions.cuts import confusion_of
from curvewise.decisions.prevalence import predictive
from curvewise.report.behind import RATES
from curvewise.results.result import Table

if TYPE_CHECKING:
    from curvewise.core.confusion import Confusion

SHOWN = ("recall", "specificity", "fpr", "precision", "npv", "predicted_rate")
WITHIN_A_CLASS = ("recall", "specificity", "fpr")  # the same at any prevalence, as are their intervals


def rates_table(c: Confusion, prevalence: float | None, level: float, *, counted: bool) -> Table:
    """Lay out the rates of a table; at a stated prevalence what alarms are worth follows it.

    ``counted`` says that the rows count alike: sums of fractional weights may be whole by chance.
    """
    found = {row["metric"]: row for row in c.table(level).rows()}
    if prevalence is not None:
        found |= _moved(c, prevalence, level, found)
    rows = [found[name] for name in SHOWN]
    columns: dict[str, list[Any]] = {k: [row[k] for row in rows] for k in rows[0]}
    if not counted:
        columns |= dict.fromkeys(("low", "high"), [None] * len(rows))
    how = f"{100 * level:.4g} % intervals" if counted else "fractional weights: no intervals"
    where = "in these rows" if prevalence is None else f"at a prevalence of {100 * prevalence:.4g} %"
    return Table(f"Rates {where} ({how})", columns)


def _moved(
    c: Confusion, prevalence: float, level: float, found: dict[str, dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    there = confusion_of(c.tp, c.fp, c.positives, c.negatives, prevalence=prevalence)
    values = predictive(c, prevalence, level)
    ends = {"precision": values.ppv_ends, "npv": values.npv_ends, "predicted_rate": (None, None)}
    words = {name: text for name, _, _, text in RATES}
    moved = {}
    for name, (low, high) in ends.items():
        value = getattr(there, name)
        meaning = found[name]["meaning"] if math.isnan(value) else words[name].format(f"{100 * value:.4g}")
        moved[name] = {"metric": name, "value": value, "low": low, "high": high, "meaning": meaning}
    return moved

"""Whether a score ranks the wrong way round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.errors import Note, UndefinedMetricError, note
from curvewise.inference.interval import interval
from curvewise.metric.roc_auc import roc_auc

if TYPE_CHECKING:
    from curvewise.results.estimate import Estimate
    from curvewise.rows.rows import Rows

CHANCE = 0.5


def reversed_note(auc: Estimate, higher_is: str = "positive", **values: Any) -> Note | None:
    """Return what to say where the whole interval of an AUC lies below that of chance; else None."""
    if not auc.high < CHANCE:
        return None
    return note("reversed" if higher_is == "positive" else "reversed_again", auc=auc.value, **values)


def reversed_rows(rows: Rows, level: float = 0.95, **values: Any) -> Note | None:
    """Return the same of the rows of one model; an interval is computed only where the AUC is below chance."""
    try:
        if roc_auc(rows) >= CHANCE:
            return None
        return reversed_note(interval("roc_auc", rows, level=level), rows.higher_is, **values)
    except UndefinedMetricError:
        return None

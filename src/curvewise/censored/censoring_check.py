"""Whether censoring depends on the score: the assumption behind every number that weighs by censoring."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from curvewise.censored.pair_share import pair_share
from curvewise.errors import UndefinedMetricError, note
from curvewise.inference.interval import FEW, value_alone
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.censored.outcomes import Outcomes
    from curvewise.results.estimate import Estimate

NAME = "concordance with censoring"


def censoring_check(outcomes: Outcomes, level: float = 0.95) -> Estimate:
    """Return the concordance of the score with the times of censoring: Harrell's, with roles exchanged.

    Censored rows have the event, and rows with an event of any kind are the censored ones. Near ½, censoring does not
    depend on the score, as one G for all rows assumes; where the interval excludes ½, a note says so. Without a
    censored row, or a comparable pair, the value is NaN and ``reason`` says why.

    Examples
    --------
    >>> from curvewise.censored.outcomes import read_outcomes
    >>> rows = read_outcomes([2, 3, 5, 6, 8, 9], [1, 0, 0, 1, 0, 1], [9, 4, 7, 6, 1, 2])
    >>> round(censoring_check(rows).value, 4)
    0.625
    """
    level = real("level", level, 0, 1, closed=False)
    exchanged = replace(outcomes, code=outcomes.censored.astype(np.int8), notes=())
    censored = int(np.count_nonzero(exchanged.code))
    if not censored:
        return value_alone(NAME, math.nan, level, note("survival_none_censored"))
    try:
        found = pair_share(exchanged, exchanged.event).estimate(NAME, level)
    except UndefinedMetricError as error:
        return value_alone(NAME, math.nan, level, error.reason)
    notes = found.notes
    notes += (note("survival_few_censored", censored=censored),) if censored < FEW else ()
    if found.has_interval and not found.low <= 0.5 <= found.high:
        notes += (note("survival_censoring_follows", value=found.value, ends=(found.low, found.high)),)
    return replace(found, notes=notes)

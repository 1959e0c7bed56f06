"""A sweep as rows again: one row per class and score, weighted by how many rows there were."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from curvewise.errors import CurvewiseError
from curvewise.rows.reading import ONE
from curvewise.rows.rows import Rows

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep


def counted_rows(sweep: Sweep, model: str = ONE) -> Rows:
    """Return rows that count as many as the sweep did; rows of one score and class were alike to it.

    Where the sweep has bins, a row stands at its bin's threshold.
    """
    if not sweep.is_whole or sweep.sample_prevalence is not None or sweep.negatives is None or not sweep.all_scored:
        raise CurvewiseError("A sweep of weights, or of unknown negatives, has forgotten its rows: read them anew.")
    if sweep.horizon is not None:
        raise CurvewiseError("A sweep at a horizon has forgotten its rows: give the horizon itself.")
    weight = np.concatenate([sweep.block_positives, sweep.block_negatives])
    positive = np.repeat([True, False], len(sweep.threshold))
    there = weight > 0
    return Rows(
        positive[there],
        {model: np.tile(sweep.threshold, 2)[there]},
        weight[there],
        "count",
        dropped=sweep.dropped,
        round_to=sweep.round_to,
        higher_is=sweep.higher_is,
        backend=sweep.backend,
    )

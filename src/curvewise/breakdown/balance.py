"""Calibration of a group by formula: observed over expected, and calibration in the large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.core.probability import of_probabilities
from curvewise.metric.blocks import blocks_of
from curvewise.metric.logistic import in_the_large_fit
from curvewise.probabilities.calibration import fit_estimate, ratio_estimate

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.results.estimate import Estimate
    from curvewise.rows.reading import Rows

OBSERVED_EXPECTED, IN_THE_LARGE = "observed_expected", "calibration_in_the_large"
BY_FORMULA = (OBSERVED_EXPECTED, IN_THE_LARGE)


def are_probabilities(rows: Rows) -> bool:
    """Say whether all scores lie in [0, 1], and more of one means positive."""
    return rows.higher_is == "positive" and bool(rows.score.min() >= 0 and rows.score.max() <= 1)


def by_formula(name: str, sweep: Sweep, level: float) -> Estimate:
    """Return what `curvewise.calibration` returns for whole counts, without the rest of its table."""
    read = of_probabilities(sweep)
    blocks = blocks_of(read)
    if name == OBSERVED_EXPECTED:
        return ratio_estimate(read, blocks, level)
    return fit_estimate(name, in_the_large_fit(blocks), 0, blocks, level)

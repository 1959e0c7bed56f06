"""Tests of the hypothesis that the probabilities are right: Spiegelhalter's, and Hosmer and Lemeshow's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from curvewise.errors import UndefinedMetricError, note
from curvewise.metric.blocks import in_bins
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.errors import Note
    from curvewise.metric.blocks import Blocks

CLUSTERS = 5  # per group: with fewer, the groups' covariance is known too badly


@dataclass(frozen=True, repr=False)
class GoodnessTest(Result):
    """A test statistic with its p-value, and degrees of freedom if any; NaN where ``reason`` says why."""

    test: str
    statistic: float
    p_value: float
    degrees: int | None = None
    reason: Note | None = None

    @property
    def table(self) -> Table:
        """One row."""
        return Table("", {k: [getattr(self, k)] for k in ("test", "statistic", "p_value", "degrees")})

    def parts(self) -> list[Table | Note]:
        """Return the row, and why it is undefined where it is."""
        return [self.table, *([] if self.reason is None else [self.reason])]


def spiegelhalter(blocks: Blocks) -> GoodnessTest:
    """Return z = Σ(y - p)(1 - 2p) / √Σ(1 - 2p)²p(1 - p), the Brier score's excess over what p predicts."""
    turn = 1 - 2 * blocks.p
    scale = blocks.variance(turn * np.sqrt(blocks.p * (1 - blocks.p)), "Spiegelhalter's z")
    if not scale:
        raise UndefinedMetricError(
            "Spiegelhalter's z needs a probability other than 0, 0.5 and 1: it looks at nothing there.",
            why=note("nothing_to_test"),
        )
    excess = float(np.sum((blocks.positives * (1 - blocks.p) - blocks.negatives * blocks.p) * turn))
    z = excess / math.sqrt(scale)
    return GoodnessTest("spiegelhalter", z, math.erfc(abs(z) / math.sqrt(2)))


def hosmer_lemeshow(sweep: Sweep, blocks: Blocks, groups: int) -> GoodnessTest:
    """Return Σ(O - E)² / (E(1 - E/n)) over groups of equal count, with as many degrees of freedom as groups.

    With clusters, (O - E)'V⁻¹(O - E): groups that share clusters vary together.
    """
    if not blocks.whole:
        raise UndefinedMetricError(
            "The Hosmer-Lemeshow test needs rows that count alike: these are weighted.",
            why=note("needs_equal_weights"),
        )
    found = in_bins(sweep, groups, "count")
    expected = found.n * found.mean
    away, variance = found.positives - expected, expected * (1 - found.mean)
    certain = (variance == 0) & (away == 0)  # probability 0 or 1, and rightly: no surprise is possible
    if certain.all():
        raise UndefinedMetricError(
            "The Hosmer-Lemeshow test needs a probability between 0 and 1.", why=note("probabilities_certain")
        )
    degrees, cells = int((~certain).sum()), found.clusters(blocks)
    if cells is None or not variance[~certain].all():
        with np.errstate(divide="ignore"):
            statistic = float(np.sum(away[~certain] ** 2 / variance[~certain]))
    else:
        if cells.number < CLUSTERS * degrees:
            raise UndefinedMetricError(
                f"The Hosmer-Lemeshow test needs {CLUSTERS} clusters per group: there are {cells.number} for "
                f"{degrees} groups.",
                why=note("few_clusters_per_group", clusters=cells.number, groups=degrees, least=CLUSTERS),
            )
        weight, group, cluster = cells.by_place(len(away))
        share = np.zeros((cells.number, len(away)))
        share[cluster, group] = weight * np.sqrt(variance / found.n)[group]
        together = cells.correlation * share.T @ share + (1 - cells.correlation) * np.diag(variance)
        used = np.ix_(~certain, ~certain)
        statistic = float(away[~certain] @ np.linalg.solve(together[used], away[~certain]))
    from scipy.special import chdtrc  # noqa: PLC0415 - slow to load

    return GoodnessTest("hosmer_lemeshow", statistic, float(chdtrc(degrees, statistic)), degrees)

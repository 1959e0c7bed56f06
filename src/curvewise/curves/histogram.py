"""How the scores of each class are spread: rows counted in bins of equal width."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise.core.sweep import as_sweep
from curvewise.errors import CurvewiseError
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real, whole

if TYPE_CHECKING:
    from curvewise.curves.base import Floats
    from curvewise.rows.rows import RowOptions

BINS = 40


@dataclass(frozen=True, eq=False, repr=False)
class ScoreHistogram(Result):
    """How many rows (or how much weight) of each class each bin of scores holds.

    ``edges`` are the ends of the bins, one more than there are bins; the last bin holds its upper end.
    ``total_positives`` and ``total_negatives`` count all rows, also infinite scores, which are in no bin.
    """

    edges: Floats
    positives: Floats
    negatives: Floats
    total_positives: float
    total_negatives: float
    backend: str | None = None

    @property
    def rows(self) -> Floats:
        """How many rows each bin holds."""
        return np.asarray(self.positives + self.negatives)

    @property
    def table(self) -> Table:
        """One row per bin."""
        columns = {"from": self.edges[:-1], "to": self.edges[1:]}
        columns |= {"positives": self.positives, "negatives": self.negatives}
        return Table("Scores by class", {k: v.tolist() for k, v in columns.items()}, self.backend)


def score_histogram(
    y: object,
    score: object = None,
    *,
    bins: int = BINS,
    limits: tuple[float, float] | None = None,
    **rows: Unpack[RowOptions],
) -> ScoreHistogram:
    """Count the rows of each class in bins of equal width.

    Parameters
    ----------
    y, score
        A `Sweep` or `Rows` alone, or labels and scores with the options of `curvewise.sweep`.
    bins
        How many bins.
    limits
        The lower end of the first bin and the upper end of the last, by default the lowest and the highest
        finite score; (0, 1) suits probabilities. Scores beyond them are counted in the outer bins.

    Examples
    --------
    >>> import curvewise as cw
    >>> found = cw.score_histogram([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bins=2, limits=(0, 1))
    >>> found.positives, found.negatives
    (array([1., 1.]), array([2., 0.]))
    """
    sweep = as_sweep(y, score, rows)
    bins = whole("bins", bins, 1)
    threshold = np.asarray(sweep.threshold, dtype=np.float64)
    finite = np.isfinite(threshold)
    here = threshold[finite]
    if limits is not None:
        low, high = (real("limits", end, -np.inf, np.inf, closed=False) for end in limits)
        if low >= high:
            raise CurvewiseError(f"limits: expected a lower and a higher number, got {limits!r}.")
    else:
        low, high = (float(here.min()), float(here.max())) if len(here) else (0.0, 1.0)
    edges = np.linspace(low, high, bins + 1)
    if not np.all(np.diff(edges) > 0):  # scores too close together for so many bins
        edges = np.linspace(low, low + max(1.0, abs(low) * 1e-12 * bins), bins + 1)
    inside = np.clip(here, edges[0], edges[-1])
    positives, negatives = (
        np.histogram(inside, edges, weights=counts[finite].astype(np.float64))[0]
        for counts in (sweep.block_positives, sweep.block_negatives)
    )
    reached = sweep.fp[-1].item() if len(sweep.fp) else 0
    total = reached if sweep.negatives is None else sweep.negatives
    return ScoreHistogram(edges, positives, negatives, sweep.positives, total, sweep.backend)

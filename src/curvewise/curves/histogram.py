"""How the scores of each class are spread: rows counted in bins of equal width, as scores or as log odds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Unpack

import numpy as np

from curvewise.arrays import Floats
from curvewise.core.sweep import Sweep, as_sweep
from curvewise.errors import CurvewiseError
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, real, values_of, whole
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.curves.threshold_rates import ThresholdRates
    from curvewise.rows.horizon_rows import AtHorizon
    from curvewise.rows.rows import RowOptions

BINS = 40
LEAST = 1e-6  # a probability nearer to 0 or 1 counts as this far away on the scale of log odds


@dataclass(frozen=True, eq=False, repr=False)
class ScoreHistogram(Result, schema="score_histogram"):
    """How many rows (or how much weight) of each class each bin of scores holds.

    ``edges`` are the ends of the bins, one more than there are bins; the last bin holds its upper end.
    ``total_positives`` and ``total_negatives`` count all rows, also infinite scores, which are in no bin. By a
    ``horizon`` of censored outcomes all of these are sums of weights; the horizon knows the rows.
    """

    edges: Floats
    positives: Floats
    negatives: Floats
    total_positives: float
    total_negatives: float
    backend: str | None = None
    horizon: AtHorizon | None = field(default=None, repr=False)

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
    scale: Literal["linear", "logit"] = "linear",
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
    scale
        ``"linear"``, or ``"logit"`` for probabilities: bins of equal width in log odds, from the lowest score
        above 0 to the highest below 1 (at most from 0.000001 to 0.999999), which shows rare positives.

    Examples
    --------
    >>> import curvewise as cw
    >>> found = cw.score_histogram([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bins=2, limits=(0, 1))
    >>> found.positives, found.negatives
    (array([1., 1.]), array([2., 0.]))
    """
    sweep = as_sweep(y, score, rows)
    bins = whole("bins", bins, 1)
    with np.errstate(over="ignore"):  # of a long double beyond float64, as infinite as the others there
        threshold = np.asarray(sweep.threshold, dtype=np.float64)
    finite = np.isfinite(threshold)
    here = threshold[finite]
    one_of("scale", scale, ("linear", "logit"))
    ends = (-np.inf, np.inf)
    if scale == "logit":
        limits, ends = log_odds_limits(sweep) if limits is None else limits, (0.0, 1.0)
    if limits is not None:
        pair = [real("limits", end, *ends, closed=False) for end in values_of("limits", limits)]
        if len(pair) != 2 or pair[0] >= pair[1]:
            raise CurvewiseError(f"limits: expected a lower and a higher number, got {shown(limits)}.")
        low, high = pair
    else:
        low, high = (float(here.min()), float(here.max())) if len(here) else (0.0, 1.0)
    wide = not np.isfinite(high - low)  # the halves of such a range are numbers, the whole is not
    edges = 2 * np.linspace(low / 2, high / 2, bins + 1) if wide else np.linspace(low, high, bins + 1)
    if scale == "logit":
        first, last = (float(np.log(end / (1 - end))) for end in (low, high))
        edges = 1 / (1 + np.exp(-np.linspace(first, last, bins + 1)))
        edges[[0, -1]] = low, high  # exactly
    if not np.all(np.diff(edges) > 0):  # scores too close together for so many bins
        edges = np.linspace(low, low + max(1.0, abs(low) * 1e-12 * bins), bins + 1)
    inside = np.clip(here, edges[0], edges[-1])
    positives, negatives = (
        np.histogram(inside, edges, weights=counts[finite].astype(np.float64))[0]
        for counts in (sweep.block_positives, sweep.block_negatives)
    )
    reached = sweep.fp[-1].item() if len(sweep.fp) else 0
    total = reached if sweep.negatives is None else sweep.negatives
    return ScoreHistogram(edges, positives, negatives, sweep.positives, total, sweep.backend, sweep.horizon)


def log_odds_limits(sweep: Sweep | ThresholdRates) -> tuple[float, float]:
    """Return the lowest probability above 0 and the highest below 1, within what a scale of log odds shows."""
    found = np.asarray(sweep.threshold, dtype=np.float64)
    if outside := int(((found < 0) | (found > 1)).sum()):
        raise CurvewiseError(f"A scale of log odds is for probabilities; {outside} scores are below 0 or above 1.")
    inside = np.clip(found[(found > 0) & (found < 1)], LEAST, 1 - LEAST)
    low, high = (float(inside.min()), float(inside.max())) if len(inside) else (0.5, 0.5)
    if high - low < LEAST:  # one probability: some room around it
        low, high = max(low / 2, LEAST), min((1 + high) / 2, 1 - LEAST)
    return low, high


def suits_log_odds(sweep: Sweep) -> bool:
    """Say whether most probabilities lie below 0.1 or above 0.9, where a scale of log odds shows more."""
    outer = (sweep.threshold < 0.1) | (sweep.threshold > 0.9)
    rows = sweep.block_positives + sweep.block_negatives
    return bool(2 * rows[outer].sum() > rows.sum())

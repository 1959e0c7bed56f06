"""The calibration curve in bins of equal width or of equal numbers of rows."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from curvewise.core.keys import slices
from curvewise.core.threads import in_threads
from curvewise.sklearn.hand_over import in_place_of_theirs, require
from curvewise.sklearn.reading import column, labels_of, probabilities

FEW = 32  # bins up to which comparing with every edge is quicker than searching


@in_place_of_theirs
def calibration_curve(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    pos_label: float | bool | str | None = None,
    n_bins: int = 5,
    strategy: Literal["uniform", "quantile"] = "uniform",
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the share of positives and the mean probability of each bin that has rows."""
    require(isinstance(n_bins, int) and n_bins >= 1 and strategy in ("uniform", "quantile"))
    labels = labels_of(y_true)
    require(len(labels.classes) <= 2)
    positive, p = labels.positive(pos_label), probabilities(column(y_prob, len(labels)))
    edges = np.linspace(0, 1, n_bins + 1)
    if strategy == "quantile":
        edges = np.percentile(p, edges * 100)

    def counted(here: slice) -> NDArray[np.float64]:
        place = _places(p[here], edges[1:-1])
        sums = np.bincount(place, p[here], n_bins)
        place[positive[here]] += n_bins
        return np.concatenate([np.bincount(place, minlength=2 * n_bins), sums])

    parts = in_threads(counted, list(slices(len(p))), len(p))
    negatives, true, sums = np.sum(parts, axis=0).reshape(3, n_bins)
    rows = negatives + true
    used = rows > 0
    return true[used] / rows[used], sums[used] / rows[used]


def _places(p: NDArray[Any], edges: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return how many edges lie below each probability."""
    if len(edges) >= FEW:
        return np.searchsorted(edges, p)
    below = np.zeros(len(p), dtype=np.uint8)
    for edge in edges:
        below += p > edge
    return below.astype(np.intp)

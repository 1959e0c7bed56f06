"""The calibration curve in bins of equal width or of equal numbers of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from curvewise.core.keys import slices
from curvewise.core.threads import in_threads
from curvewise.sklearn.hand_over import in_place_of_theirs, require
from curvewise.sklearn.reading import labels_of, probabilities, scores_of

if TYPE_CHECKING:
    from typing import Literal

    from numpy.typing import ArrayLike, NDArray


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
    positive, p = labels.positive(pos_label), probabilities(scores_of(y_prob, len(labels)))
    edges = np.linspace(0, 1, n_bins + 1)
    if strategy == "quantile":
        edges = np.percentile(p, edges * 100)

    def counted(here: slice) -> NDArray[np.float64]:
        place = np.searchsorted(edges[1:-1], p[here])
        weights = (None, positive[here], p[here])
        return np.array([np.bincount(place, weight, n_bins) for weight in weights])

    rows, true, sums = np.sum(in_threads(counted, list(slices(len(p))), len(p)), axis=0)
    used = rows > 0
    return true[used] / rows[used], sums[used] / rows[used]

"""What does not change when rows are weighed otherwise: sorted columns, losses and ranks of each row."""

from __future__ import annotations

import warnings
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.sweep import Sweep, sweep_of
from curvewise.core.threads import in_threads
from curvewise.errors import CurvewiseWarning
from curvewise.many_classes.ranks import Ranks, ranks
from curvewise.rows.reading import Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class Prepared:
    """The scores of all classes (``scores``: one row a class) beside the true class of each row.

    Everything is made when it is first asked for and kept, so that a thousand resamples share it.
    """

    def __init__(self, scores: NDArray[Any], truth: NDArray[np.intp]) -> None:
        self.scores, self.truth = scores, truth

    @cached_property
    def columns(self) -> list[Ranks]:
        """The rows in the order of each class's score."""
        return in_threads(ranks, list(self.scores), len(self.truth))

    @cached_property
    def own(self) -> list[NDArray[np.bool_]]:
        """Which rows are of the class, in the order of its score."""
        return [(self.truth == k)[column.order] for k, column in enumerate(self.columns)]

    @cached_property
    def pairs(self) -> Ranks:
        """All pairs of a row and a class in the order of their scores."""
        return ranks(self.scores.reshape(-1))

    @cached_property
    def own_pairs(self) -> NDArray[np.bool_]:
        """Which pairs are of a row and its class, in the order of their scores."""
        return np.asarray(self._hits()[self.pairs.order])

    def _hits(self) -> NDArray[np.bool_]:
        return np.asarray(self.truth == np.arange(len(self.scores))[:, None]).reshape(-1)

    def pooled(self, weight: NDArray[Any] | None) -> Sweep:
        """Return the sweep of all pairs of a row and a class."""
        if weight is None:
            return sweep_of(Rows(self.scores.reshape(-1), self._hits(), None, 0, None, "positive", None))
        return self.pairs.sweep(self.own_pairs, np.tile(weight, len(self.scores)))

    def sweep(self, k: int, weight: NDArray[Any] | None, backend: str | None) -> Sweep:
        """Return the sweep of one class against the rest."""
        return self.columns[k].sweep(self.own[k], weight, backend)

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """How many classes stand before the true one; of equal scores the first column stands first."""
        own = self.scores[self.truth, np.arange(len(self.truth))]
        before = np.zeros(len(own), dtype=np.intp)
        for k, score in enumerate(self.scores):
            before += (score > own) | ((score == own) & (k < self.truth))
        return before

    @cached_property
    def probabilities(self) -> Floats:
        """The scores as probabilities: rounding beyond [0, 1] is cut off, with a warning."""
        p = self.scores.astype(np.float64, copy=False)
        beyond = int(np.count_nonzero((p < 0) | (p > 1))) if p.min() < 0 or p.max() > 1 else 0
        if not beyond:
            return p
        warnings.warn(
            f"proba: {beyond} probabilities lie outside [0, 1] by rounding; they are taken as 0 or 1.",
            CurvewiseWarning,
            stacklevel=5,
        )
        return np.clip(p, 0, 1)

    @cached_property
    def of_truth(self) -> Floats:
        """The probability that each row's true class was given."""
        return np.asarray(self.probabilities[self.truth, np.arange(len(self.truth))])

    @cached_property
    def squared_errors(self) -> Floats:
        """The Brier loss of each row: Σ (p - y)² over classes."""
        squares = np.zeros(len(self.truth))
        for p in self.probabilities:
            squares += p * p
        # Σ p² with p of the true class replaced by (p - 1)
        return np.asarray(squares + (1 - 2 * self.of_truth))

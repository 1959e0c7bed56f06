"""The scores of all classes: what does not change when rows are weighed otherwise is made once and kept."""

from __future__ import annotations

import warnings
from copy import copy
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.ranking import Ranking, rank
from curvewise.core.resampling import BINS, RowSums, bin_ends
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.core.threads import in_threads
from curvewise.errors import CurvewiseWarning, UndefinedMetricError
from curvewise.inference.influence import degrees_of_freedom
from curvewise.rows.reading import ONE
from curvewise.rows.rows import Rows, WeightKind

Weight = NDArray[Any] | None

LEAST = 1e-9  # probability whose logarithm counts


class ClassScores:
    """One row of ``scores`` per class, beside the truth.

    ``truth`` is the place of each row's class, or, where a row may have several labels, one row of marks per
    label. Everything is made when it is first asked for, so that a thousand resamples share it.
    """

    def __init__(self, scores: NDArray[Any], truth: NDArray[Any]) -> None:
        self.scores, self.truth = scores, truth
        self.is_binned, self._whole = False, self

    def in_bins(self) -> Self:
        """Return the same scores, of each class put together in bins of neighbours, as resamples of many rows are."""
        binned = copy(self)
        binned.is_binned, binned._whole = True, self
        binned.__dict__.pop("rankings", None)  # made again, in bins, if asked for
        return binned

    @cached_property
    def _bins(self) -> list[tuple[Ranking, RowSums]]:
        """The rows of each class in the order of their bins; sums over the positives, then the negatives, of each."""
        bins = []
        for k, ranking in enumerate(self._whole.rankings):
            positive = self.truth == k if self.truth.ndim == 1 else self.truth[k]
            ends = np.arange(len(ranking))
            if len(ranking) > BINS:
                ends = bin_ends(*ranking.cumulated_counts(positive, None), BINS)
            block = np.searchsorted(ends, ranking.block) + np.where(positive, 0, len(ends))
            bins.append((ranking.joined(ends), RowSums.of_blocks(block, 2 * len(ends))))
        return bins

    def binned_sweep(self, k: int, weight: NDArray[Any], kind: WeightKind, backend: str | None) -> Sweep:
        """Return the sweep of the bins of one class."""
        ranking, sums = self._bins[k]
        threshold, counts = ranking.threshold, sums(weight)
        pos, neg = counts[: len(threshold)], counts[len(threshold) :]
        return _weighted_sweep(threshold, np.cumsum(pos), np.cumsum(neg), kind, backend)

    @cached_property
    def rankings(self) -> list[Ranking]:
        """The rows in the order of each class's score."""
        if self.is_binned:
            return [ranking for ranking, _ in self._bins]
        return in_threads(rank, list(self.scores), self.scores.shape[1])

    @cached_property
    def all_pairs(self) -> Ranking:
        """All pairs of a row and a class in the order of their scores."""
        return rank(self.scores.reshape(-1))

    @cached_property
    def _hits(self) -> NDArray[np.bool_]:
        """Which pairs are of a row and a class that it has."""
        if self.truth.ndim == 2:
            return np.asarray(self.truth.reshape(-1))
        return np.asarray(self.truth == np.arange(len(self.scores))[:, None]).reshape(-1)

    def pooled(self, weight: Weight, kind: WeightKind) -> Sweep:
        """Return the sweep of all pairs of a row and a class."""
        if weight is None:
            return sweep_of(Rows(self._hits, {ONE: self.scores.reshape(-1)}))
        return sweep_ranked(self.all_pairs, self._hits, np.tile(weight, len(self.scores)), kind, None)

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """How many classes stand before the true one; of equal scores the first column stands first."""
        true_score = self.scores[self.truth, np.arange(len(self.truth))]
        before = np.zeros(len(true_score), dtype=np.intp)
        for k, score in enumerate(self.scores):
            before += (score > true_score) | ((score == true_score) & (k < self.truth))
        return before

    @cached_property
    def probabilities(self) -> Floats:
        """The scores as probabilities: rounding beyond [0, 1] is cut off, with a warning."""
        p = self.scores.astype(np.float64, copy=False)
        beyond = int(np.count_nonzero((p < 0) | (p > 1))) if p.min() < 0 or p.max() > 1 else 0
        if not beyond:
            return p
        message = f"proba: {beyond} probabilities lie outside [0, 1] by rounding; they are taken as 0 or 1."
        warnings.warn(message, CurvewiseWarning, stacklevel=5)
        return np.clip(p, 0, 1)

    @cached_property
    def of_truth(self) -> Floats:
        """The probability that each row's true class was given."""
        return np.asarray(self.probabilities[self.truth, np.arange(len(self.truth))])

    def log_loss_spread(self, weight: Weight) -> tuple[float, float]:
        """Return the variance of the log loss of a row if probabilities are right, and how well rows know it.

        Few rows may not have shown the large losses that the probabilities themselves expect; the degrees of freedom
        are Satterthwaite's, with the kurtosis of the losses that there are.
        """
        p = np.clip(self.probabilities, LEAST, 1)
        each, share = -np.log(p), np.full(p.shape[1], 1 / p.shape[1]) if weight is None else weight / weight.sum()
        mean = np.sum(p * each, axis=0)
        within = np.sum(p * each**2, axis=0) - mean**2
        lost = -np.log(np.clip(self.of_truth, LEAST, 1))
        squares = (share * (lost - share @ lost)) ** 2
        degrees = degrees_of_freedom(float(squares.sum()), [(squares, None, float(len(squares)))])
        return float(share @ (within + (mean - share @ mean) ** 2)), degrees

    @cached_property
    def squared_errors(self) -> Floats:
        """The Brier loss of each row: Σ (p - y)² over classes."""
        squares = np.zeros(len(self.truth))
        for p in self.probabilities:
            squares += p * p
        # Σ p² with p of the true class replaced by (p - 1)
        return np.asarray(squares + (1 - 2 * self.of_truth))

    def one_against_one(self, support: Floats, occurs: NDArray[np.bool_], weight: Weight, average: str) -> float:
        """Average the areas of pairs of classes: alike (macro), or by the rows of the pair (weighted).

        A[j, k] is how often a row of class j has a higher score of class j than a row of class k; the area of
        a pair is (A[j, k] + A[k, j]) / 2. Classes that do not occur, and the diagonal, are NaN.
        """
        members = np.flatnonzero(occurs)
        if (support[members] == 0).any():
            raise UndefinedMetricError("One against one is undefined: a class has no row here.")
        places, number, rankings = members.tolist(), len(support), self.rankings
        rows = len(self.truth)
        wins = in_threads(lambda k: rankings[k].doubled_wins(self.truth, k, number, weight), places, rows)
        areas = np.full((number, number), np.nan)
        for own_class, row in zip(places, wins, strict=True):
            areas[own_class, members] = row[members] / (2 * support[own_class] * support[members])
        j, k = np.triu_indices(number, 1)
        both = (areas[j, k] + areas[k, j]) / 2
        there = ~np.isnan(both)
        if not there.any():
            raise UndefinedMetricError("One against one is undefined: fewer than two classes occur in y.")
        weights = (support[j] + support[k])[there] if average == "weighted" else None
        return float(np.average(both[there], weights=weights))


def sweep_ranked(
    ranking: Ranking, positive: NDArray[np.bool_], weight: Weight, kind: WeightKind, backend: str | None
) -> Sweep:
    """Return the sweep of rows that are sorted already; blocks of weight 0 are left out."""
    threshold, (tp, fp) = ranking.threshold, ranking.cumulated_counts(positive, weight)
    if weight is not None:
        return _weighted_sweep(threshold, tp, fp, kind, backend)
    return Sweep(threshold, tp, fp, tp[-1].item(), fp[-1].item(), backend=backend)


def _weighted_sweep(
    threshold: NDArray[Any], tp: NDArray[Any], fp: NDArray[Any], kind: WeightKind, backend: str | None
) -> Sweep:
    total = tp + fp
    used = np.append(total[0] > 0, total[1:] > total[:-1])
    if not used.all():
        threshold, tp, fp = threshold[used], tp[used], fp[used]
    return Sweep(threshold, tp, fp, tp[-1].item(), fp[-1].item(), weight_kind=kind, backend=backend)

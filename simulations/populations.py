"""Populations to draw studies from, in which every metric has a known value.

A population is a family of scores with an AUC and a share of positives. As a sweep of a fine grid of scores, with
the mass of both classes at each, it gives the true value of any registered metric by the metric's own function.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from scipy import optimize, special, stats

import curvewise as cw
from curvewise.core.sweep import Sweep

GRID = 6000  # scores of the population
TAIL = 1e-7


@dataclass(frozen=True)
class Family:
    """Distributions of the scores of negatives and, once shifted, of positives."""

    negative: stats.rv_continuous
    positive: stats.rv_continuous
    ratings: int = 0  # so many categories, where scores are cut

    def cuts(self, shift: float) -> np.ndarray:
        return np.linspace(-1, shift + 1, self.ratings - 1)


FAMILIES = {
    "normal": Family(stats.norm(), stats.norm()),
    "wide positives": Family(stats.norm(), stats.norm(scale=1.8)),
    "narrow positives": Family(stats.norm(), stats.norm(scale=0.6)),
    "heavy tails": Family(stats.t(3), stats.t(3)),
    "skewed": Family(stats.gumbel_r(), stats.gumbel_r()),
    "ratings": Family(stats.norm(), stats.norm(), ratings=6),
}


@cache
def shift_of(family: str, auc: float) -> float:
    """Return how far positives are shifted for this AUC."""

    def away(shift: float) -> float:
        return cw.roc_auc(Population(family, auc, 0.5, shift).sweep) - auc

    return float(optimize.brentq(away, -1, 40, xtol=1e-6))


@dataclass(frozen=True)
class Population:
    """One family with an AUC and a prevalence; ``slope`` other than 1 makes its probabilities wrong."""

    family: str
    auc: float
    prevalence: float
    shift: float = math.nan
    slope: float = 1.0

    @property
    def _own(self) -> Family:
        return FAMILIES[self.family]

    @cached_property
    def away(self) -> float:
        return shift_of(self.family, self.auc) if math.isnan(self.shift) else self.shift

    def probability(self, score: np.ndarray) -> np.ndarray:
        """Return the probability of a positive at a score, right unless ``slope`` is not 1."""
        family = self._own
        if family.ratings:
            edges = np.concatenate([[-np.inf], family.cuts(self.away), [np.inf]])
            k = score.astype(int)
            pos = np.diff(family.positive.cdf(edges - self.away))[k]
            neg = np.diff(family.negative.cdf(edges))[k]
        else:
            pos, neg = family.positive.pdf(score - self.away), family.negative.pdf(score)
        right = np.log(self.prevalence * pos) - np.log((1 - self.prevalence) * neg)
        return special.expit(np.clip(self.slope * right, -30, 30))

    @cached_property
    def sweep(self) -> Sweep:
        """The population as a sweep of scores."""
        family = self._own
        if family.ratings:
            edges = np.concatenate([[-np.inf], family.cuts(self.away), [np.inf]])
            score = np.arange(family.ratings, dtype=float)
        else:
            ends = [d.ppf([TAIL, 1 - TAIL]) + s for d, s in ((family.negative, 0), (family.positive, self.away))]
            inner = np.concatenate(
                [
                    d.ppf(np.linspace(TAIL, 1 - TAIL, GRID // 2)) + s
                    for d, s in ((family.negative, 0), (family.positive, self.away))
                ]
            )
            edges = np.unique(np.concatenate([[-np.inf], np.ravel(ends), inner, [np.inf]]))
            score = np.concatenate([[edges[1] - 1], (edges[1:-2] + edges[2:-1]) / 2, [edges[-2] + 1]])
        pos, neg = np.diff(family.positive.cdf(edges - self.away)), np.diff(family.negative.cdf(edges))
        return _as_sweep(score, pos * self.prevalence, neg * (1 - self.prevalence))

    @cached_property
    def probabilities(self) -> Sweep:
        """The population as a sweep of probabilities."""
        s = self.sweep
        return _as_sweep(self.probability(s.threshold), s.block_positives, s.block_negatives)

    def draw(self, rng: np.random.Generator, y: np.ndarray, noise: np.ndarray | None = None) -> np.ndarray:
        """Return scores of rows with these labels; ``noise`` are normal deviates that rows may share."""
        family = self._own
        if noise is None:
            score = np.where(
                y,
                family.positive.rvs(size=len(y), random_state=rng) + self.away,
                family.negative.rvs(size=len(y), random_state=rng),
            )
        else:
            u = np.clip(special.ndtr(noise), 1e-12, 1 - 1e-12)
            score = np.where(y, family.positive.ppf(u) + self.away, family.negative.ppf(u))
        return np.searchsorted(family.cuts(self.away), score).astype(float) if family.ratings else score


def _as_sweep(score: np.ndarray, pos: np.ndarray, neg: np.ndarray) -> Sweep:
    """Put equal scores together, the highest first."""
    unique, place = np.unique(score, return_inverse=True)
    counts = [np.bincount(place, c, len(unique))[::-1] for c in (pos, neg)]
    keep = counts[0] + counts[1] > 0
    tp, fp = (np.cumsum(c[keep]) for c in counts)
    return Sweep(unique[::-1][keep], tp, fp, float(tp[-1]), float(fp[-1]))

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
class Mixture:
    """A share of the draws from a second distribution."""

    first: stats.rv_continuous
    second: stats.rv_continuous
    share: float

    def pdf(self, x: np.ndarray) -> np.ndarray:
        return (1 - self.share) * self.first.pdf(x) + self.share * self.second.pdf(x)

    def cdf(self, x: np.ndarray) -> np.ndarray:
        return (1 - self.share) * self.first.cdf(x) + self.share * self.second.cdf(x)

    def ppf(self, u: np.ndarray) -> np.ndarray:
        return np.interp(u, *self._grid)

    def rvs(self, size: int, random_state: np.random.Generator) -> np.ndarray:
        two = [d.rvs(size=size, random_state=random_state) for d in (self.first, self.second)]
        return np.where(random_state.random(size) < self.share, two[1], two[0])

    @cached_property
    def _grid(self) -> tuple[np.ndarray, np.ndarray]:
        ends = [d.ppf([TAIL / 10, 1 - TAIL / 10]) for d in (self.first, self.second)]
        x = np.linspace(np.min(ends), np.max(ends), 20 * GRID)
        return self.cdf(x), x


@dataclass(frozen=True)
class Family:
    """Distributions of the scores of negatives and, once shifted, of positives."""

    negative: stats.rv_continuous | Mixture
    positive: stats.rv_continuous | Mixture
    ratings: int = 0  # so many categories, where scores are cut,
    between: tuple[float, float] | None = None  # evenly from here to there; else from -1 to the shift and one more

    def cuts(self, shift: float) -> np.ndarray:
        return np.linspace(*(self.between or (-1, shift + 1)), self.ratings - 1)


FAMILIES = {
    "normal": Family(stats.norm(), stats.norm()),
    "wide positives": Family(stats.norm(), stats.norm(scale=1.8)),
    "narrow positives": Family(stats.norm(), stats.norm(scale=0.6)),
    "heavy tails": Family(stats.t(3), stats.t(3)),
    "skewed": Family(stats.gumbel_r(), stats.gumbel_r()),
    "ratings": Family(stats.norm(), stats.norm(), ratings=6),
    # on these no constant was chosen
    "gamma": Family(stats.gamma(2), stats.gamma(2)),
    "beta": Family(stats.beta(2, 3, scale=4), stats.beta(2, 3, scale=4)),
    "hidden subgroup": Family(stats.norm(), Mixture(stats.norm(), stats.norm(-2), 0.2)),
    "rounded log-normal": Family(stats.lognorm(0.8), stats.lognorm(0.8), ratings=30, between=(0.25, 14.25)),
    "skew-t": Family(stats.jf_skew_t(2, 5), stats.jf_skew_t(2, 5)),
    "5 ratings": Family(stats.norm(), stats.norm(), ratings=5),
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
        with np.errstate(divide="ignore", invalid="ignore"):
            right = np.log(self.prevalence * pos) - np.log((1 - self.prevalence) * neg)
        right = np.nan_to_num(right, nan=0.0, posinf=np.inf, neginf=-np.inf)  # where no score is
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

"""Count how often the interval of `compare_costs` holds the true difference of cost at the chosen thresholds.

``python simulations/compare_costs.py [studies]`` prints one line per setting (600 studies each: about ten minutes).
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

import curvewise as cw

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Setting:
    """Two models whose positives score higher by ``shifts``; errors of both go together by ``shared``."""

    rows: int
    share: float
    shifts: tuple[float, float]
    miss: float
    shared: float = 0.5
    prevalence: float | None = None
    family: str = "normal"
    clusters: int = 0

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, dict[str, np.ndarray], np.ndarray | None]:
        """Return labels, the scores of both models, and clusters."""
        y = rng.random(self.rows) < self.share
        noise = {"normal": rng.normal, "t": partial(rng.standard_t, 4), "exponential": rng.exponential}[self.family]
        own = noise(size=(self.rows, 2))
        if self.family == "normal":
            common = rng.normal(size=(self.rows, 1))
            own = math.sqrt(self.shared) * common + math.sqrt(1 - self.shared) * own
        cluster = None
        if self.clusters:
            cluster = np.arange(self.rows) % self.clusters
            own = own + 0.7 * rng.normal(size=(self.clusters, 2))[cluster]
        return y, {name: own[:, k] + self.shifts[k] * y for k, name in enumerate("ab")}, cluster

    def below(self) -> Callable[[float], float]:
        """Return the distribution function of the scores of negatives."""
        spread = math.sqrt(1.49) if self.clusters else 1.0
        return {
            "normal": lambda x: stats.norm.cdf(x / spread),
            "t": lambda x: stats.t.cdf(x, 4),
            "exponential": stats.expon.cdf,
        }[self.family]

    def holds(self, rng: np.random.Generator, seed: int) -> bool | None:
        """Say whether one study's interval holds the truth; None where a class is too small."""
        y, scores, cluster = self.draw(rng)
        if min(y.sum(), (~y).sum()) < 5:
            return None
        costs = {"fp": 1.0, "fn": self.miss, "prevalence": self.prevalence}
        gap = cw.compare_costs(y, scores, **costs, cluster=cluster, replicates=100, rng=seed).difference
        share, below, true = self.prevalence or self.share, self.below(), []
        for shift, score in zip(self.shifts, scores.values(), strict=True):
            cut = cw.operating_point(y, score, cw.rules.min_cost(**costs), replicates=0).threshold
            true.append((1 - share) * (1 - below(cut)) + self.miss * share * below(cut - shift))
        return bool(gap.low <= true[0] - true[1] <= gap.high)


SETTINGS = (
    Setting(500, 0.05, (1.5, 1.5), 10),
    Setting(500, 0.05, (2.5, 1.5), 20),
    Setting(2000, 0.02, (1.8, 1.8), 30, shared=0.7),
    Setting(2000, 0.02, (1.8, 1.2), 30, shared=0.7, prevalence=0.05),
    Setting(300, 0.3, (1.5, 1.0), 3, shared=0.3),
    Setting(4000, 0.005, (2.0, 2.0), 100),
    Setting(200, 0.1, (2.7, 2.7), 5, shared=0.8),
    Setting(600, 0.15, (1.4, 1.0), 6, family="t"),
    Setting(600, 0.15, (1.4, 1.0), 6, family="exponential"),
    Setting(600, 0.15, (1.4, 1.0), 6, shared=0.0, clusters=40),
)


def main() -> None:
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    for setting in SETTINGS:
        rng = np.random.default_rng(5)
        found = [held for seed in range(studies) if (held := setting.holds(rng, seed)) is not None]
        print(f"{np.mean(found):.3f} of {len(found)}  {setting}", flush=True)


if __name__ == "__main__":
    main()

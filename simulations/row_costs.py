"""How often the interval of a mean cost per row holds the truth, where every row has costs of its own.

The rows' amounts have heavy tails of several kinds; the threshold is chosen on the rows (``score``), or each row is
decided by its own expected cost. The truth is the cost of the same decisions in a large population.

    python simulations/row_costs.py --runs 300
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

import numpy as np

import curvewise as cw

POPULATION = 400_000
AMOUNTS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "log-normal, sd of logs 1": lambda rng, n: rng.lognormal(3, 1.0, n),
    "log-normal, sd of logs 1.4": lambda rng, n: rng.lognormal(3, 1.4, n),
    "gamma, shape 0.5": lambda rng, n: rng.gamma(0.5, 60, n),
    "Pareto, index 3": lambda rng, n: 20 * (1 + rng.pareto(3, n)),
    "uniform": lambda rng, n: rng.uniform(5, 60, n),
}
SCORES: dict[str, Callable[[np.random.Generator, np.ndarray], np.ndarray]] = {
    "normal": lambda rng, y: rng.normal(size=len(y)) + 1.6 * y,
    "exponential": lambda rng, y: rng.exponential(np.where(y, 4.0, 1.0)),
    "t, 3 degrees": lambda rng, y: rng.standard_t(3, len(y)) + 2.0 * y,
}
CELLS = [
    ("normal", "log-normal, sd of logs 1", 400, 0.2),
    ("normal", "log-normal, sd of logs 1.4", 3000, 0.03),
    ("exponential", "gamma, shape 0.5", 800, 0.1),
    ("t, 3 degrees", "Pareto, index 3", 1500, 0.05),
    ("normal", "uniform", 300, 0.3),
    ("t, 3 degrees", "log-normal, sd of logs 1", 2000, 0.02),
]


def draw(rng: np.random.Generator, score: str, amount: str, n: int, prevalence: float) -> tuple[np.ndarray, ...]:
    """Return labels, scores and amounts; positives have larger amounts."""
    y = rng.random(n) < prevalence
    return y, SCORES[score](rng, y), AMOUNTS[amount](rng, n) * np.where(y, 1.5, 1.0)


def run(score: str, amount: str, n: int, prevalence: float, runs: int, replicates: int) -> tuple[float, ...]:
    """Return the share of intervals that hold the truth, that are above it and below it, and the relative bias."""
    rng = np.random.default_rng([n, *score.encode(), *amount.encode()])
    y, s, a = draw(rng, score, amount, POPULATION, prevalence)
    order = np.argsort(-s, kind="stable")
    falling, fee = -s[order], 4.0
    # flagging costs a fee for a negative, and saves the amount for a positive
    costs = np.concatenate([[0.0], np.cumsum(np.where(y, -a, fee)[order])]) + np.sum(a[y])
    held = above = below = 0
    bias: list[float] = []
    while len(bias) < runs:
        y, s, a = draw(rng, score, amount, n, prevalence)
        if not 2 <= y.sum() <= n - 2:
            continue
        rule = cw.rules.min_cost(fp=np.full(n, fee), fn=a)
        point = cw.operating_point(y, s, rule, replicates=replicates, rng=int(rng.integers(2**31)))
        estimate = point.cost.estimate
        place = 0 if point.flags_nothing else int(np.searchsorted(falling, -point.threshold, side="right"))
        truth = costs[place] / POPULATION
        above += estimate.low > truth
        below += estimate.high < truth
        held += estimate.low <= truth <= estimate.high
        bias.append(estimate.value / truth - 1)
    return held / runs, above / runs, below / runs, float(np.mean(bias))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=300)
    options.add_argument("--replicates", type=int, default=100)
    asked = options.parse_args()
    for cell in CELLS:
        held, above, below, bias = run(*cell, asked.runs, asked.replicates)
        error = math.sqrt(held * (1 - held) / asked.runs)
        print(f"{held:.3f} ± {error:.3f}  above {above:.3f}  below {below:.3f}  bias {bias:+.3f}  {cell}", flush=True)


if __name__ == "__main__":
    main()

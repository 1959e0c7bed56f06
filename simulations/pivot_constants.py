"""What the constants of `curvewise.inference.pivots` do: how often intervals hold the truth with each of them changed.

`python simulations/pivot_constants.py` draws the same studies for every line it prints: six families of scores, 20 to
1,000 rows with 10 to 50 positives, AUC 0.75 to 0.97. It takes about a minute.
"""

from __future__ import annotations

import numpy as np
from coverage import FAMILIES, Study

import curvewise as cw
from curvewise.core import rate
from curvewise.inference import many_intervals, pivots
from curvewise.metric.registry import find

RUNS = 500
SIZES = ((20, 0.5), (50, 0.2), (100, 0.5), (200, 0.1), (1000, 0.02))
OF_AUC = {
    "PRIOR_DEGREES": (0.001, 2.0, 10.0, 20.0),
    "LEAST_KNOWN": (1.0, 10.0, 1e9),
    "KNOWN_BY_LOSS": (0.0, 10.0, 100.0),
    "PAIRS_AHEAD": (1.0, 1.3, 2.0, 2.5),
}
OF_SHARES = (1.0, 1.5, 2.0)


def main() -> None:
    cw.set_threads(1)
    studies = [Study(f, auc, n, share, fixed=True) for f in FAMILIES for n, share in SIZES for auc in (0.75, 0.9, 0.97)]
    drawn = [(study, many_intervals.ManySweeps(_drawn(study, k))) for k, study in enumerate(studies)]
    _count("roc_auc", drawn, {})
    for name, values in OF_AUC.items():
        for value in values:
            _count("roc_auc", drawn, {name: value})
    some = [(study, many_intervals.ManySweeps(many.sweeps[: RUNS // 2])) for study, many in drawn[1::3]]
    for value in (pivots.TRIALS_AHEAD, *OF_SHARES):
        _count("average_precision", some, {"TRIALS_AHEAD": value})


def _drawn(study: Study, seed: int) -> list[cw.Sweep]:
    rng = np.random.default_rng([20_261_119, seed])
    return [cw.sweep(*study.draw(rng)[:2]) for _ in range(RUNS)]


def _count(metric: str, drawn: list[tuple[Study, many_intervals.ManySweeps]], constants: dict[str, float]) -> None:
    """Print the lowest and the mean coverage, and how many studies lie outside 0.93 to 0.985."""
    homes = [(home, name) for home in (rate, pivots, many_intervals) for name in constants if hasattr(home, name)]
    before = [getattr(home, name) for home, name in homes]
    for home, name in homes:
        setattr(home, name, constants[name])
    held = []
    for study, many in drawn:
        target = find(metric).bind({})
        truth = target(study.population.sweep)
        low, high = _ends(metric, many)
        held.append(float(np.mean((low - 1e-12 <= truth) & (truth <= high + 1e-12))))
    for (home, name), value in zip(homes, before, strict=True):
        setattr(home, name, value)
    said = ", ".join(f"{name} {value:g}" for name, value in constants.items()) or "as they are"
    outside = f"{sum(h < 0.93 for h in held)} below 0.93, {sum(h > 0.985 for h in held)} above 0.985, of {len(held)}"
    print(f"{metric}, {said}: lowest {min(held):.3f}, mean {np.mean(held):.3f}; {outside}", flush=True)


def _ends(metric: str, many: many_intervals.ManySweeps) -> tuple[np.ndarray, np.ndarray]:
    target = find(metric).bind({})
    if metric == "roc_auc":
        return many.ends(target, 0.95)
    each = [cw.interval(metric, sweep) for sweep in many.sweeps]
    return np.array([e.low for e in each]), np.array([e.high for e in each])


if __name__ == "__main__":
    main()

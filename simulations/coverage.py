"""How often intervals hold the truth, and how often tests of equal models reject: counted by simulation.

`make coverage` runs every cell and writes `coverage.json`, which the tests read. Each cell has a seed of its
own, and the count of its first runs is kept apart, so that a test can repeat those exactly.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np

import curvewise as cw

RESULTS = Path(__file__).with_name("coverage.json")
FIRST = 40
LEVEL = 0.95


@dataclass(frozen=True)
class Cell:
    """One setting: ``one(rng)`` says of one simulated data set whether it is counted."""

    name: str
    one: Callable[[np.random.Generator], bool]
    runs: int
    counted: str  # "covered" or "rejected"


def apart(auc: float) -> float:
    """Return how far two normal classes of variance 1 lie apart for this AUC."""
    return math.sqrt(2) * NormalDist().inv_cdf(auc)


def normal_rows(rng, positives, negatives, shift):
    y = np.repeat([1, 0], [positives, negatives])
    return y, rng.normal(size=len(y)) + shift * y


def covers(estimate, truth):
    return estimate.low <= truth <= estimate.high


def auc_cell(n, ratio, auc, method="delong"):
    positives = n // (1 + ratio)

    def one(rng):
        y, score = normal_rows(rng, positives, n - positives, apart(auc))
        return covers(cw.interval("roc_auc", y, score, method=method), auc)

    return Cell(f"roc_auc {method}, n {n}, 1:{ratio}, AUC {auc}", one, 4000, "covered")


def ap_truth(prevalence, shift):
    """Return AP of the two normal populations: the mean precision over positives' scores."""
    x = np.linspace(-10, 10 + shift, 200_001)
    density = np.exp(-((x - shift) ** 2) / 2) / math.sqrt(2 * math.pi)
    above = 0.5 * np.vectorize(math.erfc)(x / math.sqrt(2))
    above_shifted = 0.5 * np.vectorize(math.erfc)((x - shift) / math.sqrt(2))
    hits = prevalence * above_shifted
    return float(np.sum(density * hits / (hits + (1 - prevalence) * above)) * (x[1] - x[0]))


def ap_cell(n, prevalence, shift):
    truth = ap_truth(prevalence, shift)

    def one(rng):
        y = np.zeros(1)
        while len(np.unique(y)) < 2:
            y = (rng.random(n) < prevalence).astype(int)
        score = rng.normal(size=n) + shift * y
        return covers(cw.interval("average_precision", y, score, replicates=400, rng=rng), truth)

    return Cell(f"average_precision, n {n}, prevalence {prevalence}, shift {shift}", one, 1000, "covered")


def partial_cell(positives, negatives, auc):
    shift, grid = apart(auc), np.linspace(0, 0.2, 20_001)[1:] - 5e-6
    normal = NormalDist()
    truth = float(np.mean([normal.cdf(shift + normal.inv_cdf(f)) for f in grid]) * 0.2)

    def one(rng):
        y, score = normal_rows(rng, positives, negatives, shift)
        found = cw.interval("partial_roc_auc", y, score, fpr=(0, 0.2), replicates=400, rng=rng)
        return covers(found, truth)

    name = f"partial_roc_auc 0 to 0.2, {positives}+{negatives}, AUC {auc}"
    return Cell(name, one, 1000, "covered")


def cluster_cell(patients, lesions, auc):
    """Lesions of one patient share half of their variance; the label belongs to the lesion."""

    def one(rng):
        patient = np.repeat(np.arange(patients), lesions)
        y = rng.random(len(patient)) < 0.4
        shared = rng.normal(size=patients)[patient]
        score = (shared + rng.normal(size=len(patient))) / math.sqrt(2) + apart(auc) * y
        return covers(cw.interval("roc_auc", y, score, cluster=patient), auc)

    return Cell(f"roc_auc by cluster, {patients} x {lesions}, AUC {auc}", one, 2000, "covered")


def band_cell(each, auc):
    grid = np.linspace(0.01, 0.99, 99)
    normal = NormalDist()
    truth = np.array([normal.cdf(apart(auc) + normal.inv_cdf(f)) for f in grid])

    def one(rng):
        y, score = normal_rows(rng, each, each, apart(auc))
        band = cw.roc_band(y, score, grid=grid, simultaneous=True)
        return bool(np.all((band.low <= truth) & (truth <= band.high)))

    return Cell(f"simultaneous ROC band, {each}+{each}, AUC {auc}", one, 1000, "covered")


def paired_cell(positives, negatives, auc, correlation):
    shift, own = apart(auc), math.sqrt(1 - correlation)

    def one(rng):
        y = np.repeat([1, 0], [positives, negatives])
        shared = math.sqrt(correlation) * rng.normal(size=len(y)) + shift * y
        a, b = (shared + own * rng.normal(size=len(y)) for _ in "ab")
        return cw.compare(y, {"a": a, "b": b}).p_value < 1 - LEVEL

    name = f"paired test, {positives}+{negatives}, AUC {auc}, correlation {correlation}"
    return Cell(name, one, 4000, "rejected")


def cells():
    return [
        *(auc_cell(n, r, a) for n in (20, 50, 200) for r in (1, 4) for a in (0.7, 0.9, 0.99)),
        *(auc_cell(n, r, 0.99, "delong-wald") for n in (20, 50, 200) for r in (1, 4)),
        *(ap_cell(*s) for s in ((100, 0.5, 1.5), (60, 0.3, 2.0), (200, 0.1, 1.5), (200, 0.2, 1.0), (500, 0.05, 2.0))),
        *(partial_cell(*s) for s in ((50, 50, 0.8), (40, 160, 0.9), (100, 100, 0.9))),
        *(cluster_cell(*s) for s in ((40, 3, 0.8), (100, 4, 0.9))),
        *(band_cell(*s) for s in ((30, 0.8), (100, 0.9))),
        *(
            paired_cell(p, n, a, c)
            for p, n in ((10, 10), (20, 20), (10, 40), (50, 50), (100, 100), (200, 200), (100, 400))
            for a in (0.7, 0.9)
            for c in (0.3, 0.8)
        ),
        *(paired_cell(p, p, 0.97, 0.5) for p in (20, 100)),
    ]


def count(which: int, runs: int | None = None) -> dict[str, object]:
    """Return how many of a cell's first runs, and of all, are counted."""
    cw.set_threads(1)
    cell = cells()[which]
    rng = np.random.default_rng([20_261_116, which])
    counted = [cell.one(rng) for _ in range(runs or cell.runs)]
    return {
        "cell": cell.name,
        "runs": len(counted),
        cell.counted: sum(counted),
        "first": sum(counted[:FIRST]),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, help="runs a cell, instead of its own number")
    options.add_argument("--only", default="", help="cells whose name has this in it")
    options.add_argument("--output", type=Path, default=RESULTS)
    asked = options.parse_args()
    chosen = [k for k, cell in enumerate(cells()) if asked.only in cell.name]
    found = []
    with ProcessPoolExecutor() as pool:
        for result in pool.map(count, chosen, [asked.runs] * len(chosen)):
            share = result.get("covered", result.get("rejected")) / result["runs"]
            print(f"{result['cell']:60} {share:.4f} of {result['runs']}", flush=True)
            found.append(result)
    if not asked.only and asked.runs is None:
        asked.output.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()

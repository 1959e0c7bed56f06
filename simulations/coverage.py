"""How often intervals hold the truth, and how often tests reject what is true: counted by simulation.

`make coverage` runs every cell and writes `coverage.json`; the tests read it, and `make docs` writes the page
`docs/reference/coverage.md` from it. Every metric of the registry is tried with its default interval in a
set of studies; areas, which everything else builds on, in many more. Each cell has a seed of its own, and the count
of its first runs is kept apart, so that a test can repeat those exactly.
"""

from __future__ import annotations

import argparse
import json
import math
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

import numpy as np
from coverage_domains import DOMAINS
from populations import Population

import curvewise as cw
from curvewise.errors import UndefinedMetricError
from curvewise.metric.registry import Metric, bound, every, find

RESULTS = Path(__file__).with_name("coverage.json")
FIRST = 20
LEVEL = 0.95
SAVED_EVERY = 30  # seconds
SEED = 20_261_117
OPTIONS = {
    "partial_roc_auc": {"fpr": (0, 0.1), "scale": "mean"},
    "recall_at_fpr": {"fpr": 0.1},
    "sensitivity_at_specificity": {"specificity": 0.8},
    "specificity_at_sensitivity": {"sensitivity": 0.8},
    "precision_at_recall": {"recall": 0.5},
    "recall_at_precision": {"precision": 0.5},
    "top_precision": {"at_fraction": 0.1},
    "top_recall": {"at_fraction": 0.2},
    "top_average_precision": {"at_fraction": 0.2},
    "f_beta": {"beta": 1.5},
    "net_benefit": {"threshold": 0.3},
    "expected_cost": {"fp": 1, "fn": 5},
    "act_dcf": {"prior": 0.3},
}


@dataclass(frozen=True)
class Study:
    """How rows are drawn: a population, their number, and whether positives are counted out or come by chance.

    With ``clusters``, rows of one share a part ``icc`` of the variance of their scores, and their labels come by
    chance; ``unequal`` ones differ in size, up to some tenfold, and in their share of positives (beta, variance a fifth
    of the largest). With ``weights``, rows are drawn with unequal chances that depend on the score, and weigh the
    inverse. ``slope`` is that of the log odds that the probabilities state: 1 where they are right.
    """

    family: str
    auc: float
    rows: int
    prevalence: float
    fixed: bool = False
    clusters: int = 0
    icc: float = 0.0
    weights: float = 1.0
    unequal: bool = False
    slope: float = 1.0

    @property
    def name(self) -> str:
        positives = f"{self.rows * self.prevalence:g} of {self.rows} positive"
        found = f"{self.family}, AUC {self.auc:g}, {positives}{'' if self.fixed else ' by chance'}"
        unequal = "unequal " if self.unequal else ""
        found += f", {self.clusters} {unequal}clusters (ICC {self.icc:g})" if self.clusters else ""
        found += f", log odds times {self.slope:g}" if self.slope != 1 else ""
        return found + (f", weights 1 to {self.weights:g}" if self.weights > 1 else "")

    @property
    def population(self) -> Population:
        return population(self.family, self.auc, self.prevalence, self.slope)

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
        """Return labels, scores and options of the rows of one study."""
        while True:
            n = self.rows if self.weights == 1 else 4 * self.rows
            y = rng.random(n) < self.prevalence
            if self.fixed:
                y = np.arange(n) < round(n * self.prevalence)
            more: dict[str, np.ndarray] = {}
            noise = None
            if self.clusters:
                cluster = np.arange(n) % self.clusters
                if self.unequal:
                    size = np.exp(0.7 * rng.normal(size=self.clusters))
                    cluster = np.append(cluster[: self.clusters], rng.choice(self.clusters, n, p=size / size.sum()))[:n]
                    y = rng.random(n) < rng.beta(4 * self.prevalence, 4 - 4 * self.prevalence, self.clusters)[cluster]
                shared = rng.normal(size=self.clusters)[cluster]
                noise = math.sqrt(self.icc) * shared + math.sqrt(1 - self.icc) * rng.normal(size=n)
                more["cluster"] = cluster
            score = self.population.draw(rng, y, noise)
            if self.weights > 1:  # high scores are drawn often and weigh little
                weight = np.where(score > np.median(score), 1.0, self.weights)
                keep = rng.permutation(np.flatnonzero(rng.random(n) < 1 / weight))[: self.rows]
                y, score, more = y[keep], score[keep], {"weight": weight[keep]}
            if 2 <= y.sum() <= len(y) - 2:
                return y, score, more


@cache
def population(family: str, auc: float, prevalence: float, slope: float) -> Population:
    return Population(family, auc, prevalence, slope=slope)


@dataclass(frozen=True)
class Cell:
    """One setting: ``one(rng)`` says of one simulated study whether it is counted; None if it refuses to answer."""

    subject: str  # a metric, or a test
    study: str
    one: Callable[[np.random.Generator], bool | None] = field(repr=False)
    runs: int
    counted: str = "covered"  # or "rejected"
    rare: float = math.inf  # rows of the rarer class, or clusters

    @property
    def name(self) -> str:
        return f"{self.subject}: {self.study}"


def bound_in(metric: Metric, study: Study) -> tuple[dict, float]:
    """Return the options of a metric in a study, and its true value there."""
    options = dict(OPTIONS.get(metric.name, {}))
    pop = study.population
    if metric.family == "threshold":
        options["threshold"] = threshold_of(study)
    whole = pop.probabilities if metric.family == "probability" else pop.sweep
    return options, float(bound(metric, options)(whole))


def threshold_of(study: Study) -> float:
    """Return the score that the highest tenth of negatives reach."""
    sweep = study.population.sweep
    return float(sweep.threshold[np.searchsorted(sweep.fp / sweep.negatives, 0.1)])


def interval_cell(name: str, study: Study, runs: int, **how: object) -> Cell:
    metric = find(name)

    def one(rng: np.random.Generator) -> bool | None:
        options, truth = facts(name, study)
        y, score, more = study.draw(rng)
        score = study.population.probability(score) if metric.family == "probability" else score
        try:
            found = cw.interval(name, y, score, rng=int(rng.integers(2**31)), **options, **how, **more)
        except cw.UndefinedMetricError:
            return None
        if not found.has_interval:
            return None
        slack = 1e-9 * max(abs(truth), 1.0)
        return bool(found.low - slack <= truth <= found.high + slack)

    rare = study.rows * min(study.prevalence, 1 - study.prevalence)
    rare = study.clusters * (0.5 if study.clusters < 15 else 1) if study.clusters else rare
    said = name + "".join(f", {k} {v}" for k, v in how.items())
    return Cell(said, study.name, one, runs, rare=rare)


@cache
def facts(name: str, study: Study) -> tuple[dict, float]:
    return bound_in(find(name), study)


def against_cell(study: Study, runs: int) -> Cell:
    """One AUC against its true value, which is to be rejected one time in twenty."""

    def one(rng: np.random.Generator) -> bool:
        y, score, more = study.draw(rng)
        return cw.compare(y, {"a": score}, against=study.auc, **more).p_value < 1 - LEVEL

    return Cell("roc_auc against a value", study.name, one, runs, "rejected", study.rows * study.prevalence)


def pair_cell(metric: str, study: Study, runs: int, correlation: float = 0.5, **how: object) -> Cell:
    """Two equally good models on the same rows."""

    def one(rng: np.random.Generator) -> bool | None:
        options, _ = ({}, 0) if metric == "roc_curve" else facts(metric, study)
        y, _, more = study.draw(rng)
        shared = math.sqrt(correlation) * rng.normal(size=len(y))
        two = [shared + math.sqrt(1 - correlation) * rng.normal(size=len(y)) for _ in "ab"]
        a, b = (study.population.draw(rng, y, noise) for noise in two)
        if metric != "roc_curve" and find(metric).family == "probability":
            a, b = (study.population.probability(s) for s in (a, b))
        seed = int(rng.integers(2**31))
        try:
            found = cw.compare(y, {"a": a, "b": b}, metric=metric, rng=seed, **options, **how, **more)
        except cw.UndefinedMetricError:
            return None
        return found.p_value < 1 - LEVEL

    said = f"{metric} of two models" + "".join(f", {k} {v}" for k, v in how.items())
    return Cell(said, study.name, one, runs, "rejected", study.rows * min(study.prevalence, 1 - study.prevalence))


def unpaired_cell(metric: str, study: Study, runs: int, **how: object) -> Cell:
    """Two equally good models on different rows."""

    def one(rng: np.random.Generator) -> bool:
        options = {} if metric == "roc_curve" else facts(metric, study)[0]
        (ya, a, _), (yb, b, _) = study.draw(rng), study.draw(rng)
        seed = int(rng.integers(2**31))
        found = cw.compare({"a": ya, "b": yb}, {"a": a, "b": b}, metric=metric, rng=seed, **options, **how)
        return found.p_value < 1 - LEVEL

    said = f"{metric} on different rows" + "".join(f", {k} {v}" for k, v in how.items())
    return Cell(said, study.name, one, runs, "rejected", study.rows * min(study.prevalence, 1 - study.prevalence))


def calibration_cell(test: str, study: Study, runs: int) -> Cell:
    """Right probabilities, tested."""

    def one(rng: np.random.Generator) -> bool | None:
        y, score, more = study.draw(rng)
        found = getattr(cw.calibration(y, study.population.probability(score), replicates=0, **more), test)
        return None if math.isnan(found.p_value) else found.p_value < 1 - LEVEL

    return Cell(f"calibration: {test}", study.name, one, runs, "rejected", study.rows * study.prevalence)


def domains() -> list[Cell]:
    """Return the cells of everything that is not a number of one sweep."""
    return [
        Cell(subject, study, partial(_holds, draw, truth), runs, rare=rare)
        for subject, study, draw, truth, rare, runs in DOMAINS
    ]


def _holds(
    draw: Callable[[np.random.Generator], cw.results.Estimate | None],
    truth: float,
    rng: np.random.Generator,
) -> bool | None:
    try:
        estimate = draw(rng)
    except UndefinedMetricError:  # a fold, say, without one of the classes
        return None
    if estimate is None or not estimate.has_interval:
        return None
    return bool(estimate.low - 1e-9 <= truth <= estimate.high + 1e-9)


def band_cell(study: Study, runs: int) -> Cell:
    """A band for the whole curve."""

    def one(rng: np.random.Generator) -> bool:
        grid = np.linspace(0.01, 0.99, 99)
        sweep = study.population.sweep
        truth = np.interp(grid, np.append(0, sweep.fp / sweep.negatives), np.append(0, sweep.tp / sweep.positives))
        y, score, _ = study.draw(rng)
        band = cw.roc_band(y, score, grid=grid, simultaneous=True)
        return bool(np.all((band.low <= truth + 1e-9) & (truth <= band.high + 1e-9)))

    return Cell("simultaneous ROC band", study.name, one, runs, rare=study.rows * study.prevalence)


# every metric is tried in these
EVERYWHERE = [
    Study("normal", 0.8, 40, 0.5),
    Study("normal", 0.97, 40, 0.5),
    Study("skewed", 0.95, 100, 0.5),
    Study("ratings", 0.85, 100, 0.3),
    Study("heavy tails", 0.8, 200, 0.1),
    Study("wide positives", 0.9, 500, 0.1),
    Study("narrow positives", 0.7, 400, 0.05),
    Study("normal", 0.9, 1000, 0.02),
    Study("normal", 0.85, 300, 0.3, weights=5),
    Study("normal", 0.85, 200, 0.4, clusters=20, icc=0.3),
    Study("normal", 0.8, 240, 0.3, clusters=40, icc=0.8),
]
FAMILIES = ("normal", "wide positives", "narrow positives", "heavy tails", "skewed", "ratings")
SIZES = (
    (20, 0.5),
    (40, 0.5),
    (100, 0.5),
    (400, 0.5),
    (50, 0.2),
    (200, 0.1),
    (510, 10 / 510),
    (1000, 0.02),
    (2000, 0.025),
)
AREAS = ("roc_auc", "average_precision")
FAR = [Study("normal", 0.9, 105, 5 / 105, fixed=True), Study("normal", 0.97, 505, 5 / 505, fixed=True)]
CLUSTERS = [
    Study("normal", auc, n * 8, 0.3, clusters=n, icc=icc)
    for n, icc in ((8, 0.5), (10, 0.2), (15, 0.2), (15, 0.8), (30, 0.5), (40, 0.0))
    for auc in (0.75, 0.92)
]
QUICK = ("wilson", "delong", "score", "log", "log-complement", "wald")


# every metric is tried in these, too: families that no constant was chosen on, few positives, unequal clusters
UNTUNED = [
    Study("gamma", 0.75, 60, 0.4),
    Study("beta", 0.9, 200, 0.1),
    Study("hidden subgroup", 0.85, 120, 0.3),
    Study("rounded log-normal", 0.8, 100, 0.3),
    Study("skew-t", 0.9, 150, 0.2),
    Study("5 ratings", 0.75, 80, 0.5),
    Study("normal", 0.85, 100, 0.05),
    Study("skew-t", 0.8, 200, 0.05),
    Study("gamma", 0.9, 400, 0.05),
    Study("normal", 0.8, 240, 0.3, clusters=20, icc=0.3, unequal=True),
]
# and every one of probabilities in these, which are wrong
WRONG = [
    Study(family, 0.85, n, share, slope=slope)
    for family, n, share in (("normal", 100, 0.3), ("gamma", 400, 0.05))
    for slope in (0.5, 2.0)
]


def runs_of(metric: Metric) -> int:
    """Return how many studies a metric is tried in: fewer where each takes long."""
    if metric.name == "roc_auc" or metric.rate is not None:
        return 600
    if not metric.smooth or (metric.influence is None and metric.interval == "score"):
        return 200
    return 300 if metric.interval in ("jeffreys", "beta") else 400


@cache
def cells() -> list[Cell]:
    with_interval = [m for m in every() if m.interval != "none"]
    found = [interval_cell(m.name, study, runs_of(m)) for m in with_interval for study in EVERYWHERE]
    found += [interval_cell(m.name, study, runs_of(m) // 3) for m in with_interval for study in UNTUNED]
    stated = [m for m in with_interval if m.family == "probability"]
    found += [interval_cell(m.name, study, runs_of(m) // 3) for m in stated for study in WRONG]
    found += domains()
    for name in AREAS:
        runs = 600 if name == "roc_auc" else 150
        grid = [
            Study(family, auc, n, share, fixed=name == "roc_auc")
            for family in FAMILIES
            for n, share in SIZES
            for auc in (0.6, 0.75, 0.9, 0.97)
        ]
        grid += [Study("normal", 0.99, n, share, fixed=True) for n, share in SIZES] if name == "roc_auc" else []
        found += [interval_cell(name, study, runs) for study in (*grid, *FAR, *CLUSTERS) if study not in EVERYWHERE]
    small = [
        Study("normal", a, n, s, fixed=True) for n, s in ((20, 0.5), (40, 0.5), (200, 0.1)) for a in (0.75, 0.9, 0.97)
    ]
    found += [against_cell(study, 600) for study in small]
    found += [interval_cell("roc_auc", Study("normal", 0.99, 20, 0.5, fixed=True), 600, method="delong-wald")]
    pairs = [Study("normal", 0.8, 40, 0.5), Study("normal", 0.8, 100, 0.5), Study("normal", 0.9, 200, 0.2)]
    pairs += [Study("normal", 0.75, 600, 0.05), Study("heavy tails", 0.85, 200, 0.3)]
    pairs += [Study("normal", 0.8, 200, 0.4, clusters=20, icc=0.5)]
    for name in (
        "roc_auc",
        "average_precision",
        "partial_roc_auc",
        "brier_loss",
        "log_loss",
        "f1",
        "mcc",
        "recall",
        "precision",
    ):
        found += [pair_cell(name, study, 400) for study in pairs]
    found += [pair_cell("roc_auc", pairs[k], 200, method="permutation", replicates=199) for k in (0, 2)]
    found += [pair_cell("roc_curve", pairs[k], 200, replicates=199) for k in (0, 2)]
    found += [unpaired_cell(name, pairs[k], 500) for name in ("roc_auc", "average_precision", "f1") for k in (1, 2)]
    found += [unpaired_cell("roc_curve", pairs[1], 200, replicates=199)]
    tests = [Study("normal", 0.8, 60, 0.4), Study("normal", 0.75, 500, 0.04), Study("normal", 0.85, 1000, 0.3)]
    found += [calibration_cell(t, study, 500) for t in ("joint", "spiegelhalter", "hosmer_lemeshow") for study in tests]
    found += [
        band_cell(Study("normal", a, n, s), 200) for n, s, a in ((60, 0.5, 0.8), (200, 0.3, 0.9), (520, 0.03, 0.85))
    ]
    return found


def count(which: int, runs: int | None = None) -> dict[str, object]:
    """Return how many of a cell's first runs, and of all, are counted."""
    cw.set_threads(1)
    warnings.simplefilter("ignore")
    cell = cells()[which]
    rng = np.random.default_rng([SEED, *cell.name.encode()])
    told = [cell.one(rng) for _ in range(runs or cell.runs)]
    counted = [t for t in told if t is not None]
    numbers = {"runs": len(counted), cell.counted: sum(counted), "refused": len(told) - len(counted)}
    rare = None if math.isinf(cell.rare) else round(cell.rare, 2)
    return {
        "subject": cell.subject,
        "study": cell.study,
        **numbers,
        "first": sum(filter(None, told[:FIRST])),
        "rare": rare,
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, help="runs per cell, instead of its own number")
    options.add_argument("--only", default="", help="cells whose name has this in it")
    options.add_argument("--missing", action="store_true", help="cells alone that were never counted")
    options.add_argument("--workers", type=int, help="processes; as many as processors by default")
    options.add_argument("--output", type=Path, default=RESULTS)
    asked = options.parse_args()
    known = {(row["subject"], row["study"]) for row in _counted(asked.output)} if asked.missing else set()
    every = [(k, cell) for k, cell in enumerate(cells()) if (cell.subject, cell.study) not in known]
    chosen = [k for k, cell in every if asked.only in cell.name]
    found, started, kept = [], time.time(), time.time()
    with ProcessPoolExecutor(asked.workers) as pool:
        for result in pool.map(count, chosen, [asked.runs] * len(chosen)):
            share = result.get("covered", result.get("rejected")) / max(result["runs"], 1)
            print(
                f"{time.time() - started:6.0f} s  {share:.4f} of {result['runs']:5}  "
                f"{result['subject']}: {result['study']}",
                flush=True,
            )
            found.append(result)
            if asked.runs is None and time.time() - kept > SAVED_EVERY:
                _keep(found, asked.output)
                kept = time.time()
    if asked.runs is None:
        _keep(found, asked.output)


def _counted(path: Path) -> list[dict[str, object]]:
    """Return the counts that are kept."""
    return json.loads(path.read_text("utf-8"))["cells"] if path.exists() else []


def _keep(found: list[dict[str, object]], path: Path) -> None:
    """Write the counts, beside those of cells that were not counted this time."""
    known = {(row["subject"], row["study"]): row for row in [*_counted(path), *found]}
    rows = [known[key] for cell in cells() if (key := (cell.subject, cell.study)) in known]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    text = f'{{"version": "{cw.__version__}", "seed": {SEED}, "cells": [\n{lines}\n]}}\n'
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

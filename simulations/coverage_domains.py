"""Studies of what is not a number of one sweep: classes, groups, sites, folds, outcomes over time, verification.

Each is a subject, a study, what draws one study and returns its estimate, the true value, the rows of the rarest kind
and how many studies are drawn. True values are those of very many rows, or known from how scores are drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import NormalDist

import numpy as np

import curvewise as cw
from curvewise.results.estimate import Estimate

MANY = 200_000
AUC = NormalDist().cdf(1.2 / 2**0.5)  # of normal scores 1.2 apart
Draw = Callable[[np.random.Generator], Estimate | None]


def classes(rows: int, slope: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return labels of three classes and probabilities, right where ``slope`` is 1."""
    y, x = rng.integers(0, 3, rows), rng.normal(size=(rows, 3))
    x[np.arange(rows), y] += 1.5
    p = np.exp(1.5 * slope * (x - x.max(axis=1, keepdims=True)))
    return y, p / p.sum(axis=1, keepdims=True)


def of_classes(name: str, rows: int, slope: float, rng: np.random.Generator) -> Estimate:
    return cw.multiclass(*classes(rows, slope, rng)).interval(name, replicates=200, rng=0)


def scores(rows: int, prevalence: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    y = rng.random(rows) < prevalence
    return y, rng.normal(size=rows) + 1.2 * y


def of_sites(rows: int, sites: int, rng: np.random.Generator) -> Estimate:
    y, score = scores(rows, 0.4, rng)
    pooled = cw.by_site(y, score, np.arange(rows) % sites).pooled
    return Estimate("roc_auc", pooled.value, pooled.low, pooled.high, 0.95, "pooled")


def of_folds(rows: int, rng: np.random.Generator) -> Estimate:
    y, score = scores(rows, 0.4, rng)
    return cw.by_fold(y, score, np.arange(rows) % 5).mean


def of_two_samples(rows: int, prevalence: float, rng: np.random.Generator) -> Estimate:
    (ya, a), (yb, b) = scores(rows, prevalence, rng), scores(rows, prevalence, rng)
    return cw.compare({"a": ya, "b": yb}, {"a": a, "b": b}).pairs[0].difference


def verified(name: str, rows: int, share: float, rng: np.random.Generator) -> Estimate | None:
    """All positive tests are verified, and a share of the negative ones."""
    y, score = scores(rows, 0.15, rng)
    seen = rng.random(rows) < np.where(score >= 1, 1.0, share)
    try:
        return cw.verification_corrected(np.where(seen, y, np.nan), score, 1.0).corrected[name]
    except cw.UndefinedMetricError:
        return None


def of_groups(rows: int, rng: np.random.Generator) -> Estimate:
    """Two groups, in one of which the model ranks worse."""
    y, group = rng.random(rows) < 0.3, np.arange(rows) % 2
    score = rng.normal(size=rows) + np.where(group, 1.8, 0.6) * y
    return cw.by_group(y, score, group, metrics=["roc_auc"]).gap("roc_auc")


def of_windows(rows: int, rng: np.random.Generator) -> Estimate:
    now, then = (cw.sweep(*scores(n, 0.15, rng)) for n in (rows, 5 * rows))
    return cw.compare_windows(now, then).metrics["roc_auc"].difference


def of_readers(readers: int, rng: np.random.Generator) -> Estimate:
    """Readers who score 80 cases in two equally good modalities; cases and readers have effects of their own."""
    y = np.arange(80) < 30
    case, reader = rng.normal(size=80), 0.2 * rng.normal(size=(2, readers, 1))
    score = (1.2 + reader) * y + 0.7 * case + 0.7 * rng.normal(size=(2, readers, 80))
    modality, who, row = (each.ravel() for each in np.indices(score.shape))
    study = cw.reader_study(y[row], score.ravel(), reader=who, modality=modality, case=row)
    return study.pairs[0].difference


def net_benefit(rows: int, slope: float, rng: np.random.Generator) -> Estimate:
    """Net benefit at a threshold of 0.3 of probabilities that are right where ``slope`` is 1."""
    curve = cw.decision_curve(*of_slope(rows, slope, rng), thresholds=[0.3])
    return Estimate("net_benefit", curve.net_benefit[0], curve.low[0], curve.high[0], 0.95, curve.method)


def of_slope(rows: int, slope: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    logit = rng.normal(-1.2, 1.3, size=rows)
    return rng.random(rows) < 1 / (1 + np.exp(-logit)), 1 / (1 + np.exp(-slope * logit))


def at_chosen_threshold(name: str, rows: int, rng: np.random.Generator) -> Estimate:
    """What is expected on new rows at a threshold chosen on these, less what it truly gives there."""
    y, score = scores(rows, 0.3, rng)
    point = cw.operating_point(y, score, cw.rules.max_fpr(0.1), replicates=200)
    true = 1 - NormalDist().cdf(point.threshold - (1.2 if name == "recall" else 0))
    found = point.expected[name]
    return Estimate(name, found.value - true, found.low - true, found.high - true, 0.95, found.method)


def outcomes(rows: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return exponential times and a risk on which their rate depends."""
    risk = rng.normal(size=rows)
    return rng.exponential(np.exp(-risk)) * 1.5, risk


def by_one(risk: np.ndarray) -> np.ndarray:
    """Return the probability of an event by time 1."""
    return 1 - np.exp(-np.exp(risk) / 1.5)


def at_horizon(name: str, rows: int, rng: np.random.Generator) -> Estimate:
    time, risk = outcomes(rows, rng)
    censored = rng.uniform(0.3, 3, rows)
    followed = cw.horizon(np.minimum(time, censored), time <= censored, by_one(risk), at=1.0)
    return cw.interval(name, followed)


def _truth_at_horizon(name: str) -> float:
    time, risk = outcomes(MANY, np.random.default_rng(0))
    return float({"roc_auc": cw.roc_auc, "brier_loss": cw.brier_loss}[name](time <= 1, by_one(risk)))


def _truth_of_net_benefit(slope: float) -> float:
    y, p = of_slope(10 * MANY, slope, np.random.default_rng(0))
    return float(np.mean(np.where(p >= 0.3, np.where(y, 1.0, -0.3 / 0.7), 0.0)))


def _truth_of_classes(name: str, slope: float) -> float:
    found = cw.multiclass(*classes(MANY, slope, np.random.default_rng(0)))
    return float(found.average("roc_auc") if name == "roc_auc" else getattr(found, name)())


def _domains() -> list[tuple[str, str, Draw, float, float, int]]:
    found: list[tuple[str, str, Draw, float, float, int]] = []
    for name, rows, slope in (
        *(("log_loss", 60, 1.0), ("log_loss", 60, 2.0), ("brier_loss", 60, 1.0)),
        *(("brier_loss", 150, 0.5), ("roc_auc", 60, 1.0)),
    ):
        study = f"three classes, {rows} rows, log odds times {slope:g}"
        draw = partial(of_classes, name, rows, slope)
        found.append((f"classes: {name}", study, draw, _truth_of_classes(name, slope), rows / 3, 200))
    for rows, sites in ((200, 5), (600, 12)):
        draw = partial(of_sites, rows, sites)
        found.append(("sites: roc_auc", f"{sites} alike, {rows} rows", draw, AUC, sites, 200))
    found += [
        ("folds: roc_auc", f"5, {rows} rows", partial(of_folds, rows), AUC, rows * 0.4, 200) for rows in (60, 200)
    ]
    for rows, share in ((60, 0.4), (200, 0.1)):
        study = f"{rows * share:g} of {rows} positive in each"
        draw = partial(of_two_samples, rows, share)
        found.append(("two samples: difference of roc_auc", study, draw, 0.0, rows * share, 300))
    missed, alarms = NormalDist().cdf(1 - 1.2), 1 - NormalDist().cdf(1)
    truths = {"sensitivity": 1 - missed, "specificity": 1 - alarms, "prevalence": 0.15}
    for name, truth in truths.items():
        for rows, share in ((300, 0.1), (800, 0.05)):
            study = f"{rows} rows, {share:.0%} of negative tests verified"
            draw = partial(verified, name, rows, share)
            found.append((f"verification: {name}", study, draw, truth, rows * 0.15 * missed, 200))
    gap = NormalDist().cdf(1.8 / 2**0.5) - NormalDist().cdf(0.6 / 2**0.5)
    for rows in (120, 400):
        study = f"{rows / 2:g} rows in each of two groups"
        found.append(("groups: gap of roc_auc", study, partial(of_groups, rows), gap, rows * 0.15, 300))
    for rows in (200, 600):
        study = f"{rows} rows now, {5 * rows} before"
        found.append(("windows: difference of roc_auc", study, partial(of_windows, rows), 0.0, rows * 0.15, 200))
    for readers in (3, 6):
        study = f"{readers} readers, 80 cases"
        found.append(("readers: difference of roc_auc", study, partial(of_readers, readers), 0.0, 30, 200))
    for rows, slope in ((100, 1.0), (300, 2.0)):
        study, draw = f"{rows} rows, log odds times {slope:g}", partial(net_benefit, rows, slope)
        found.append(("decision curve: net benefit", study, draw, _truth_of_net_benefit(slope), rows * 0.3, 300))
    for name in ("recall", "fpr"):
        for rows in (100, 400):
            study, draw = f"{rows} rows, a false positive rate of at most 0.1", partial(at_chosen_threshold, name, rows)
            found.append((f"chosen threshold: {name}", study, draw, 0.0, rows * 0.3, 200))
    for name in ("roc_auc", "brier_loss"):
        for rows in (80, 250):
            draw = partial(at_horizon, name, rows)
            study = f"{rows} rows, a quarter censored"
            found.append((f"horizon: {name}", study, draw, _truth_at_horizon(name), rows * 0.4, 200))
    return found


DOMAINS = _domains()

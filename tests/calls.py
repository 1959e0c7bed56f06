"""A working call of every public verb, small and quick: what conventions and attacks are tried on.

`VERBS` has every function of the package, of its rules, of detection and of objectives, with its arguments by name.
"""

from __future__ import annotations

import inspect
from operator import attrgetter
from typing import Any

import numpy as np
import polars as pl

import curvewise as cw
from curvewise.rows.rows import RowOptions

N = 40
RNG = np.random.default_rng(5)
Y = (np.arange(N) % 5 < 2).astype(int)
P = np.clip(np.round(1 / (1 + np.exp(-RNG.normal(1.2 * Y - 0.6))), 2), 0.02, 0.98)
Q = np.clip(np.round(1 / (1 + np.exp(-RNG.normal(0.7 * Y - 0.4))), 2), 0.02, 0.98)
W = RNG.integers(1, 4, N)
GROUP, FOLD, CLUSTER = np.arange(N) % 2, np.arange(N) % 4, np.arange(N) // 2
SITE = np.arange(N) // 10
CLASS = np.arange(N) % 3
THREE = RNG.dirichlet([1, 1, 1], N) * 0.5 + np.eye(3)[CLASS] * 0.5
LABELS = THREE > 0.3
TIME = np.round(1 + 9 * RNG.random(N), 2)
BOTH = {"a": P, "b": Q}
ROWS = {"y": Y, "score": P}
PROBABILITIES = {"y": Y, "p": P}
MODELS = {"y": Y, "scores": BOTH}
FEW = {"replicates": 9}
COSTS = {"fp": 1, "fn": 3}
AT = {"threshold": 0.5}
TRUTH = {
    "image": [1, 1, 2, 2, 3, 4],
    "class": list("abaaba"),
    "box": [[20 * k, 40, 9, 9] for k in range(6)],
}
FOUND = {**TRUTH, "score": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]}


def accuracy(table: cw.Confusion) -> float:
    """Return a measure of one's own."""
    return table.accuracy


VERBS: dict[str, dict[str, Any]] = {
    "auc_sample_size": {"auc": 0.8, "half_width": 0.05},
    "average_precision": ROWS,
    "binormal": {"y": Y, "score": np.digitize(P, [0.2, 0.4, 0.6, 0.8])},
    "brier_curve": PROBABILITIES,
    "brier_loss": PROBABILITIES,
    "brier_skill": PROBABILITIES,
    "by_column": {"y": Y, "X": np.stack([P, Q], axis=1), **FEW},
    "by_fold": {**ROWS, "fold": FOLD, **FEW},
    "by_group": {**ROWS, "group": GROUP, **AT, **FEW},
    "by_site": {**ROWS, "site": SITE, **AT, **FEW},
    "calibration": {**PROBABILITIES, **FEW},
    "calibration_belt": PROBABILITIES,
    "compare": {**MODELS, **FEW},
    "compare_costs": {**MODELS, **COSTS, **FEW},
    "compare_windows": {"now": cw.sweep(Y, P), "reference": cw.sweep(Y, Q)},
    "concordance": {"time": TIME, "event": Y, "risk": P},
    "confusion": {**ROWS, **AT},
    "confusion_from_labels": {"y": Y, "predicted": (P > 0.5).astype(int)},
    "cost_curve": ROWS,
    "d_calibration": {"time": TIME, "event": Y, "survival_at_own_time": P},
    "d_prime": ROWS,
    "decision_curve": PROBABILITIES,
    "decompose": PROBABILITIES,
    "det_curve": ROWS,
    "diagnostic_table": {**MODELS, **AT, **FEW},
    "evaluate": {"data": {"y": Y, "a": P, "g": GROUP}, "label": "y", "scores": ["a"], "group": "g", **FEW},
    "expected_cost": {**ROWS, **AT, **COSTS},
    "fairness": {**ROWS, "group": GROUP, **AT, **FEW},
    "get_threads": {},
    "guarantee_sample_size": {"rule": cw.rules.max_fpr(0.1, confidence=0.9), "auc": 0.8, "loss": 0.1},
    "h_measure": ROWS,
    "horizon": {"time": TIME, "event": Y, "risk": P, "at": 5.0},
    "interval": {"metric": "roc_auc", **ROWS},
    "iso_cost_slope": {**COSTS, "prevalence": 0.3},
    "isotonic": ROWS,
    "joint_hull": MODELS,
    "lift_curve": ROWS,
    "log_loss": PROBABILITIES,
    "log_skill": PROBABILITIES,
    "metric_table": {**ROWS, "thresholds": [0.5], **FEW},
    "metrics": {},
    "multiclass": {"y": CLASS, "proba": THREE},
    "multilabel": {"Y": LABELS, "S": THREE},
    "operating_point": {**ROWS, "rule": cw.rules.youden(), **FEW},
    "partial_roc_auc": {**ROWS, "fpr": (0, 0.3)},
    "partial_view": {**MODELS, **COSTS, "prevalence": (0.2, 0.4), **FEW},
    "pilot_power": {**MODELS, "cases": 50, "controls": 80},
    "pool_rates": {**ROWS, "site": SITE, **AT},
    "power": {"auc": 0.8, "other": 0.7, "cases": 50, "controls": 60, "correlation": 0.3},
    "ppv_npv": {**ROWS, **AT, "prevalence": [0.01, 0.1]},
    "pr_auc": ROWS,
    "pr_auc_levels": {"prevalence": 0.2},
    "pr_band": {**ROWS, **FEW},
    "pr_curve": ROWS,
    "pr_gain_curve": ROWS,
    "random_effects": {"values": [0.1, 0.2, 0.4], "errors": [0.1, 0.1, 0.2]},
    "rate_interval": {"successes": 8, "trials": 10},
    "rate_sample_size": {"rate": 0.8, "half_width": 0.05},
    "read_rows": {**ROWS, "weight": W, "cluster": CLUSTER, "group": GROUP, "site": SITE, "fold": FOLD, "id": P},
    "reader_study": {"y": Y, "score": {"a": {"1": P, "2": Q}, "b": {"1": Q, "2": P**2 + Q}}},
    "recalibrate": {**PROBABILITIES, "method": "platt"},
    "reclassification": {**MODELS, "thresholds": [0.3, 0.6]},
    "referral": {**ROWS, "fp": 1, "fn": 3, "refer": 0.2, "replicates": 20},
    "reliability": {**PROBABILITIES, **FEW},
    "risk_coverage": ROWS,
    "roc_auc": ROWS,
    "roc_band": {**ROWS, **FEW},
    "roc_curve": ROWS,
    "roc_hull": ROWS,
    "sample_size": {"auc": 0.8, "other": 0.7, "correlation": 0.3},
    "scan": {"source": pl.DataFrame({"y": Y, "p": P}), "label": "y", "score": "p"},
    "score": {"metric": "roc_auc", **ROWS},
    "score_histogram": ROWS,
    "scorer": {"metric": "roc_auc"},
    "set_threads": {"number": 1},
    "spherical_loss": PROBABILITIES,
    "spherical_skill": PROBABILITIES,
    "survival": {"time": TIME, "event": Y, "risk": BOTH, "horizons": [3.0, 6.0], **FEW},
    "sweep": ROWS,
    "threshold_band": ROWS,
    "threshold_rates": ROWS,
    "validation_sample_size": {"prevalence": 0.1, "auc": 0.8, "linear_predictor": (-3, 1)},
    "verification_corrected": {"y": np.where(np.arange(N) % 3 > 0, Y, np.nan), "score": P, **AT},
    "volume_under_surface": {"y": CLASS, "score": P},
    "rules.closest_topleft": {},
    "rules.equal_error": {},
    "rules.max_alarms": {"at": 10},
    "rules.max_f": {"beta": 2},
    "rules.max_fpr": {"at": 0.1},
    "rules.max_kappa": {},
    "rules.max_mcc": {},
    "rules.max_net_benefit": {"threshold_probability": 0.2},
    "rules.max_of": {"function": accuracy},
    "rules.min_cost": {**COSTS, "prevalence": 0.2},
    "rules.min_precision": {"at": 0.7},
    "rules.min_recall": {"at": 0.7},
    "rules.min_specificity": {"at": 0.7},
    "rules.youden": {},
    "detection.evaluate": {"truth": TRUTH, "found": {"one": FOUND}, **FEW},
    "detection.match": {"truth": TRUTH, "found": FOUND},
    "detection.mean_ap": {"truth": TRUTH, "found": FOUND},
    "objectives.auc": ROWS,
    "objectives.partial_auc": {**ROWS, "fpr": 0.3},
}


def functions(home: Any) -> dict[str, Any]:
    """Return the public functions of a package by name."""
    names = [n for n in getattr(home, "__all__", vars(home)) if not n.startswith("_")]
    found = {n: getattr(home, n) for n in names}
    return {n: f for n, f in found.items() if inspect.isfunction(f)}


def parameters(name: str) -> list[str]:
    """Return the arguments and options of a verb, with those of reading rows and of matching boxes."""
    found = inspect.signature(attrgetter(name)(cw)).parameters
    named = [k for k, p in found.items() if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    if any(p.kind is p.VAR_KEYWORD for p in found.values()) and name != "scorer":
        matching = inspect.signature(cw.detection.match).parameters
        named += matching if name.startswith("detection") else RowOptions.__annotations__
    return list(dict.fromkeys(named))

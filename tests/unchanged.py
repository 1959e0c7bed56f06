"""Numbers of every verb on kept data, so that none changes unnoticed; run this file to accept those of today.

What is right is decided by other tests: by published numbers, exact fractions, oracles. This one only asks that a
number which was accepted stays as it is. Where one is meant to change, write the file again, read its diff, one line
per number, and say so in CHANGELOG.md. Left out: texts, whole numbers (counts and options), thresholds, levels, and
the second place of a number within a case.
"""

import csv
import json
import math
from pathlib import Path

import numpy as np

import curvewise as cw
from curvewise.inference.score_drift import PARTS, score_drift
from curvewise.metric.registry import every

FOLDER = Path(__file__).parent / "reference"
KEPT = FOLDER / "unchanged.json"
FEW = 3  # longer lists are kept as two sums
LEFT_OUT = {"level", "threshold"}
DRAWN = {"rng": 1, "replicates": 25}


def columns(name):
    with (FOLDER / f"{name}.csv").open() as file:
        rows = list(csv.DictReader(file))
    return {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}


PAIRED = columns("paired150")
Y, A, B = PAIRED["y"] == 1, PAIRED["a"], PAIRED["b"]
P, Q = (1 / (1 + np.exp(1.2 - 0.9 * s)) for s in (A, B))
K = np.arange(len(Y))
GROUP, SITE, FOLD = K * 7 % 4, K * 11 % 6, K % 5
CLUSTER = K // 3
WEIGHT = 0.5 + K * 5 % 7 / 4
STRATUM = K * 3 % 4
KINDS = {
    "plain": {},
    "counts": {"weight": 1 + K % 3, "weight_kind": "count"},
    "weights": {"weight": WEIGHT},
    "clusters": {"cluster": CLUSTER},
    "weighted clusters": {"cluster": CLUSTER, "weight": WEIGHT},
    "strata": {"stratum": STRATUM},
    "clusters in strata": {"cluster": CLUSTER, "stratum": CLUSTER * 5 % 3, "weight": WEIGHT},
    "turned": {"higher_is": "negative"},
}
AT_FIXED = {
    "partial_roc_auc": {"fpr": (0, 0.3)},
    "recall_at_fpr": {"fpr": 0.2},
    "sensitivity_at_specificity": {"specificity": 0.8},
    "specificity_at_sensitivity": {"sensitivity": 0.8},
    "precision_at_recall": {"recall": 0.5},
    "recall_at_precision": {"precision": 0.5},
    "top_precision": {"at_fraction": 0.2},
    "top_recall": {"at_fraction": 0.2},
}
RULES = {
    "min_cost": cw.rules.min_cost(fp=1, fn=4, tp=-0.5, prevalence=0.2),
    "max_net_benefit": cw.rules.max_net_benefit(0.3),
    "youden": cw.rules.youden(),
    "closest_topleft": cw.rules.closest_topleft(),
    "equal_error": cw.rules.equal_error(),
    "max_f": cw.rules.max_f(2, prevalence=0.1),
    "max_mcc": cw.rules.max_mcc(),
    "max_kappa": cw.rules.max_kappa(),
    "max_fpr": cw.rules.max_fpr(0.1),
    "min_recall": cw.rules.min_recall(0.8),
    "min_precision": cw.rules.min_precision(0.7),
    "max_alarms": cw.rules.max_alarms(0.2),
}
METRICS = list(every())
RANGES = ((0, 1), (0.05, 0.55), (0.5, 1))
JOINED = ("continuous", "step", "trapezoid", "envelope", "11-point", "101-point")


def options_of(metric):
    return {**AT_FIXED.get(metric.name, {}), **({"threshold": 0.5} if metric.family == "threshold" else {})}


def estimates(kind, names):
    """Return the interval of each metric that needs no draws, else its value."""
    found = {}
    for m in names:
        need_draws = m.interval in {"percentile", "jeffreys"} or not m.smooth
        ask = cw.score if m.interval == "none" or need_draws else cw.interval
        try:
            found[m.name] = ask(m.name, Y, P if kind != "turned" else -P, **options_of(m), **KINDS[kind])
        except cw.CurvewiseError as error:
            found[m.name] = type(error).__name__
    return found


def cases():
    """Return what makes each result, by name."""
    found = {}
    for kind, rows in KINDS.items():
        turn = -1 if kind == "turned" else 1
        s, t = turn * A, turn * B
        found[f"metrics, {kind}"] = lambda kind=kind: estimates(kind, METRICS)
        for verb in ("roc_curve", "pr_curve", "det_curve", "lift_curve", "pr_gain_curve", "roc_hull", "cost_curve",
                     "threshold_rates", "isotonic", "score_histogram"):  # fmt: skip
            found[f"{verb}, {kind}"] = lambda verb=verb, s=s, rows=rows: getattr(cw, verb)(Y, s, **rows)
        found[f"compare, {kind}"] = lambda s=s, t=t, rows=rows: cw.compare(Y, {"a": s, "b": t}, margin=0.1, **rows)
        found[f"roc_band, {kind}"] = lambda s=s, rows=rows: cw.roc_band(Y, s, **rows)
        found[f"pr_band, {kind}"] = lambda s=s, rows=rows: cw.pr_band(Y, s, **rows)
        found[f"risk_coverage, {kind}"] = lambda s=s, rows=rows, c=turn * 1.0: cw.risk_coverage(
            Y, s, threshold=c, **rows
        )
        found[f"ppv_npv, {kind}"] = lambda s=s, rows=rows, c=turn * 1.0: cw.ppv_npv(
            Y, s, c, prevalence=[0.05, 0.4], **rows
        )
        found[f"by_group, {kind}"] = lambda s=s, rows=rows, c=turn * 1.0: groups(s, c, rows)
        for name, rule in RULES.items() if kind in {"plain", "clusters in strata", "turned"} else ():
            found[f"operating_point {name}, {kind}"] = lambda s=s, rule=rule, rows=rows: cw.operating_point(
                Y, s, rule, replicates=0, **rows
            )
        if kind != "turned":
            found.update(probability_cases(kind, rows))
    found.update(sites_and_folds())
    found.update(designs())
    found.update(drawn())
    return found


def groups(score, cut, rows):
    metrics = ["roc_auc", "recall", "fpr", "precision"]
    found = cw.by_group(Y, score, GROUP, threshold=cut, metrics=metrics, **DRAWN, **rows)
    gaps = [found.gap("roc_auc"), found.gap("recall", reference=1), found.gap("fpr", reference="rest")]
    return [found, *gaps, found.ratio("precision"), found.gaps()]


def probability_cases(kind, rows):
    two = {"p": P, "q": Q}
    found = {
        f"calibration, {kind}": lambda: cw.calibration(Y, P, replicates=0, **rows),
        f"decompose, {kind}": lambda: [cw.decompose(Y, P, loss=k, **rows) for k in ("brier", "log")],
        f"decision_curve, {kind}": lambda: cw.decision_curve(Y, P, **rows),
        f"decision_curve at a prevalence, {kind}": lambda: cw.decision_curve(Y, P, prevalence=0.1, **rows),
        f"brier_curve, {kind}": lambda: cw.brier_curve(Y, P, **rows),
        f"reliability, {kind}": lambda: [
            cw.reliability(Y, P, method=m, bands="confidence", **rows) for m in ("isotonic", "bins", "spline")
        ],
    }
    if "stratum" not in rows:
        found[f"reclassification, {kind}"] = lambda: cw.reclassification(Y, two, thresholds=[0.3, 0.6], **rows)
    if kind == "plain":
        found["calibration_belt"] = lambda: cw.calibration_belt(Y, P)
    if kind in {"plain", "weights", "clusters"}:
        for metric in ("brier_loss", "log_loss", "calibration_slope", "average_precision", "pr_auc"):
            found[f"compare {metric}, {kind}"] = lambda metric=metric: cw.compare(Y, two, metric=metric, **rows)
        for metric in ("accuracy", "recall", "f1"):
            found[f"compare {metric}, {kind}"] = lambda metric=metric: cw.compare(
                Y, two, metric=metric, threshold=0.5, **DRAWN, **rows
            )
        for method in ("isotonic", "platt", "beta", "temperature"):
            found[f"recalibrate {method}, {kind}"] = lambda method=method: cw.recalibrate(Y, P, method=method, **rows)
    return found


def sites_and_folds():
    sizes = 0.1 + K[:9] % 4 / 10
    return {
        "by_site": lambda: cw.by_site(Y, P, SITE, threshold=0.4, **DRAWN),
        "by_fold": lambda: [cw.by_fold(Y, P, FOLD), cw.by_fold(Y, P, FOLD).curve("pr")],
        "fairness": lambda: cw.fairness(Y, P, GROUP, threshold=0.4, **DRAWN),
        "fairness of clusters": lambda: cw.fairness(Y, P, GROUP, threshold=0.4, cluster=CLUSTER, **DRAWN),
        "pool_rates": lambda: [
            cw.pool_rates(Y, P, SITE, threshold=0.4),
            cw.pool_rates(Y, P, SITE, threshold=0.4).region("prediction"),
            cw.pool_rates(Y, P, SITE, threshold=0.4).curve(),
        ],
        "random_effects": lambda: [
            cw.random_effects(A[:9], sizes, method=m, interval=i, level=level)
            for m in ("reml", "paule-mandel")
            for i in ("q-profile", "hartung-knapp")
            for level in (0.5, 0.95)
        ],
        "joint_hull": lambda: cw.joint_hull(Y, {"a": A, "b": B}),
        "score_drift": lambda: [score_drift(cw.sweep(Y, A), cw.sweep(Y, B), part, level=0.95) for part in PARTS],
        "bands": lambda: [
            cw.roc_band(Y, A, at="tpr"),
            cw.roc_band(Y, A, simultaneous=True, method="dkw"),
            cw.threshold_band(Y, A, rate="precision"),
            cw.threshold_band(Y, A, rate="fpr", cluster=CLUSTER),
        ],
        "partial areas": lambda: [
            cw.partial_roc_auc(Y, A, fpr=x, tpr=y, scale=scale)
            for x, y in (((0, 0.3), (0, 1)), ((0.1, 0.6), (0.2, 0.9)))
            for scale in ("raw", "mean", "mcclish", "skill")
        ],
        "precision-recall areas": lambda: (
            [
                cw.pr_auc(Y, A.round(r), interpolation=how, recall=where, weight=weight)
                for r in (0, 2)
                for how in JOINED
                for where in RANGES
                for weight in (None, WEIGHT)
            ]
            + [
                cw.average_precision(Y, A.round(), ties=ties)
                for ties in ("block", "expected", "optimistic", "pessimistic")
            ]
        ),
        "intervals of the area": lambda: [
            cw.interval("roc_auc", Y, s, method=m, level=level)
            for s in (A, A.round(), Y + K % 2)
            for m in ("delong", "delong-wald", "hanley-mcneil")
            for level in (0.5, 0.99)
        ],
        "three models": lambda: [
            cw.compare(Y, {"a": A, "b": B, "c": A + B}, metric=m, **how)
            for m, how in (("roc_auc", {}), ("partial_roc_auc", {"fpr": (0, 0.4)}), ("recall", {"threshold": 1.0}))
        ],
        "unpaired": lambda: cw.compare({"a": Y[:90], "b": Y[60:]}, {"a": A[:90], "b": B[60:]}),
        "against a value": lambda: [
            cw.compare(Y, {"p": P}, metric=m, against=v) for m, v in (("roc_auc", 0.7), ("brier_loss", 0.2))
        ],
        "h_measure": lambda: [cw.h_measure(Y, A), cw.h_measure(Y, A, alpha=1.5, beta=3)],
    }


def designs():
    van_dyke = columns("vandyke114")
    truth = van_dyke["truth"]
    scores = {m: {str(r): van_dyke[f"{m}_{r}"] for r in range(1, 6)} for m in ("spin_echo", "cine")}
    verified = np.where(K % 3 == 0, np.nan, Y)
    return {
        "reader_study": lambda: [
            cw.reader_study(truth, scores, readers=r, cases=c)
            for r, c in (("random", "random"), ("fixed", "random"), ("random", "fixed"))
        ],
        "verification_corrected": lambda: cw.verification_corrected(verified, A, 1.0, missing="drop"),
        "power": lambda: [
            cw.power(0.8, cases=40, controls=60),
            cw.power(0.8, 0.7, cases=40, controls=60, correlation=0.4),
            cw.power(0.8, 0.7, cases=40, controls=60, score_correlation=0.5, level=0.9),
            cw.sample_size(0.8, ratio=2),
            cw.sample_size(0.85, 0.8, correlation=0.3, power=0.8),
            cw.auc_sample_size(0.8, half_width=0.05, ratio=3),
            cw.guarantee_sample_size(cw.rules.max_fpr(0.1, confidence=0.9), auc=0.8, loss=0.05),
            cw.rate_sample_size(0.9, half_width=0.03, level=0.9),
            cw.pilot_power(Y, {"a": A, "b": B}, cases=100, controls=200),
            cw.pr_auc_levels(0.2, recall=(0.1, 0.9)),
        ],
        "validation_sample_size": lambda: [
            cw.validation_sample_size(0.1, 0.8),
            cw.validation_sample_size(p=P, threshold=0.3),
        ],
        "rate_interval": lambda: [
            cw.rate_interval(k, 20, method=m) for m in ("wilson", "clopper-pearson") for k in (0, 3.5, 20)
        ],
    }


def drawn():
    """Return results of a few resamples: they change with how rows are drawn, which is no error by itself."""
    two = {"a": A, "b": B}
    found = {
        f"drawn operating_point {name}": lambda rule=rule: cw.operating_point(Y, A, rule, **DRAWN)
        for name, rule in RULES.items()
    }
    found["drawn guarantee"] = lambda: [
        cw.operating_point(Y, A, rule, **DRAWN, **rows).guarantee
        for rule in (
            cw.rules.max_fpr(0.1, confidence=0.9),
            cw.rules.min_precision(0.45, confidence=0.8),
            cw.rules.all_of(cw.rules.max_fpr(0.3), cw.rules.min_recall(0.3), confidence=0.9),
        )
        for rows in ({}, {"cluster": CLUSTER})
    ]
    found["drawn referral"] = lambda: [
        cw.referral(Y, A, **how, **DRAWN)
        for how in ({"fp": 1, "fn": 4, "refer": 0.3, "prevalence": 0.2}, {"precision": 0.7, "npv": 0.7})
    ]
    for method in ("bootstrap", "permutation"):
        found[f"drawn compare {method}"] = lambda method=method: cw.compare(Y, two, method=method, **DRAWN)
    found["drawn compare venkatraman"] = lambda: cw.compare(Y, two, metric="roc_curve", **DRAWN)
    for method in ("percentile", "basic", "bca"):
        found[f"drawn interval {method}"] = lambda method=method: cw.interval("pr_auc", Y, A, method=method, **DRAWN)
    found["drawn calibration"] = lambda: cw.calibration(Y, P, **DRAWN)
    found["drawn calibration of clusters"] = lambda: cw.calibration(Y, P, cluster=CLUSTER, **DRAWN)
    found["drawn reliability"] = lambda: cw.reliability(Y, P, bands="consistency", **DRAWN)
    found["drawn max-t band"] = lambda: cw.roc_band(Y, A, simultaneous=True, method="max-t", **DRAWN)
    found["drawn jeffreys"] = lambda: [
        cw.interval("f1", Y, A, threshold=1.0, **DRAWN, **rows) for rows in ({}, {"cluster": CLUSTER})
    ]
    found["drawn partial_view"] = lambda: cw.partial_view(Y, two, fp=1, fn=(2, 6), prevalence=(0.1, 0.3), **DRAWN)
    found["drawn compare_costs"] = lambda: cw.compare_costs(Y, two, fp=1, fn=4, **DRAWN)
    return found


def places(result, path=""):
    """Yield every number of a result with its place; of long lists two sums."""
    if hasattr(result, "to_dict"):
        result = result.to_dict()
    if isinstance(result, np.ndarray):
        result = result.tolist()
    if isinstance(result, dict):
        for key, part in result.items():
            if key not in LEFT_OUT:
                yield from places(part, f"{path}/{key}")
    elif isinstance(result, list | tuple) and len(result) > FEW and all(isinstance(v, dict) for v in result):
        yield from places({key: [row.get(key) for row in result] for key in result[0]}, path)  # rows as columns
    elif isinstance(result, list | tuple) and len(result) > FEW and all(_is_number(v) or v is None for v in result):
        there = {k: v for k, v in enumerate(result, 1) if v is not None and math.isfinite(v)}
        yield f"{path}/sum", math.fsum(there.values())
        yield f"{path}/moment", math.fsum(k * v for k, v in there.items()) / len(result)
    elif isinstance(result, list | tuple):
        for place, part in enumerate(result):
            yield from places(part, f"{path}/{place}")
    elif _is_number(result) and math.isfinite(result):
        yield path, result


def _is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


def numbers(places_of_result):
    """Return the numbers that are kept, each once, by place."""
    kept = {}
    for place, exact in places_of_result:
        number = float(f"{exact:.10g}")
        if abs(number - round(number)) > 1e-9:
            kept.setdefault(number, place)
    return {place: number for number, place in kept.items()}


def differences(kept, result):
    """Say which kept places are gone or hold another number, and which places hold one that is not kept."""

    def same(one, other):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)

    now = dict(places(result))
    for place, number in kept.items():
        if place not in now:
            yield f"{place}: gone, was {number}"
        elif not same(now[place], number):
            yield f"{place}: {now[place]:.10g}, was {number}"
    for place, number in numbers(now.items()).items():
        if place not in kept and not any(same(number, other) for other in kept.values()):
            yield f"{place}: new, {number}"


def write():
    now = {name: numbers(places(make())) for name, make in cases().items()}
    KEPT.write_text(json.dumps(now, indent=0, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    write()

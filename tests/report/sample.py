"""A realistic document of CONTRACT's shape from the shipped screening data, and hostile variants of it."""

from __future__ import annotations

import copy
import csv
import hashlib
import math
from functools import cache
from importlib.resources import files

import numpy as np

import curvewise as cw
from curvewise.curves.thinning import kept_points

LEVEL, SEED, MOST = 0.95, 0, 1000
COSTS = {"fp": 1.0, "fn": 10.0, "tp": 0.0, "tn": 0.0}
METRICS = {
    "roc_auc": {},
    "average_precision": {},
    "partial_roc_auc": {"fpr": (0, 0.1), "scale": "mean"},
    "pr_auc": {},
    "equal_error_rate": {},
    "h_measure": {},
}
HOSTILE = {
    "script": "</script><script>alert(1)</script>",
    "image": "<img src=x onerror=alert(1)>",
    "quotes": "\"'><svg/onload=alert(1)>",
    "bidi": "abc\u202egnp.exe\u202c",
    "control": "a\x1b[31m\x00\x07b\u2028c",
    "long": "very_long_" * 40,
    "formula": "=cmd|' /C calc'!A0",
    "braces": "{model} {0} {{7*7}} {% raw %}",
    "rtl": "\u05de\u05d5\u05d3\u05dc",
    "surrogate": "x\ud800y",
    "style": '" style="background:url(//x.test)"',
}


@cache
def rows():
    path = files("curvewise.data") / "screening.csv"
    text = path.read_bytes()
    found = list(csv.DictReader(text.decode().splitlines()))
    return found, hashlib.sha256(text).hexdigest()


def column(name, kind=str):
    return [kind(r[name]) for r in rows()[0]]


@cache
def _screening():
    y = np.array(column("disease", int))
    scores = {n: np.array(column(n, float)) for n in ("model_a", "model_b", "rating")}
    sweeps = {n: cw.sweep(y, s) for n, s in scores.items()}
    sex, site = column("sex"), column("site")
    return {
        "schema": "curvewise.evaluation",
        "version": 1,
        "curvewise": cw.__version__,
        "made": {
            "source": "screening.csv",
            "sha256": rows()[1],
            "command": "curvewise report screening.csv --label disease --score model_a",
            "seed": SEED,
        },
        "options": {
            "label": "disease",
            "scores": list(scores),
            "positive": None,
            "group": ["sex"],
            "site": "site",
            "cluster": None,
            "weight": None,
            "costs": COSTS,
            "prevalence": 0.02,
            "level": LEVEL,
            "rule": "min_cost",
        },
        "data": {
            "rows": len(y),
            "positives": int(y.sum()),
            "negatives": int((1 - y).sum()),
            "prevalence": float(y.mean()),
            "dropped": 0,
            "weighted": False,
            "clusters": None,
            "groups": {"sex": {k: sex.count(k) for k in sorted(set(sex))}},
            "sites": {k: site.count(k) for k in sorted(set(site))},
        },
        "models": [model(n, y, scores[n], sweeps[n]) for n in scores],
        "comparison": cw.compare(y, scores).to_dict(),
        "groups": [groups_of(n, y, scores[n], sex) for n in ("model_a", "model_b")],
        "sites": [sites_of(n, y, scores[n], site) for n in ("model_a", "model_b")],
        "multiclass": None,
        "caveats": [
            {
                "code": "small_group",
                "severity": "note",
                "model": None,
                "values": {"column": "site", "group": "coast", "rows": 124, "few": 3},
            },
            {"code": "threshold_on_same_rows", "severity": "note", "model": None, "values": {}},
            {
                "code": "miscalibrated",
                "severity": "warn",
                "model": "model_b",
                "values": {"ratio": 0.43, "slope": 0.55},
            },
            {
                "code": "many_ties",
                "severity": "warn",
                "model": "rating",
                "values": {"distinct": 5, "rows": 4060},
            },
            {
                "code": "prevalence_unlike",
                "severity": "note",
                "model": None,
                "values": {"sample": float(y.mean()), "stated": 0.02},
            },
        ],
        "left_out": [
            {"part": part, "model": "rating", "reason": "scores_not_probabilities", "values": {}}
            for part in ("probabilities", "decision")
        ],
    }


def screening():
    """Return the document; each caller gets its own."""
    return copy.deepcopy(_screening())


def model(name, y, score, sweep):
    is_probability = bool(score.min() >= 0 and score.max() <= 1)
    found = {
        "name": name,
        "probability": is_probability,
        "why_not_probability": None if is_probability else "outside",
        "distinct": len(sweep.threshold),
        "lowest": float(score.min()),
        "highest": float(score.max()),
        "estimates": {
            m: cw.interval(
                m, y, score, rng=SEED, **({} if m == "roc_auc" else {"replicates": 20}), **o
            ).to_dict()
            for m, o in METRICS.items()
        },
        "sweep": thinned(sweep),
        "histogram": histogram(y, score),
        "point": point(y, score),
        "probabilities": None,
        "decision": None,
    }
    if is_probability:
        found["probabilities"] = probabilities(y, score)
        curve = cw.decision_curve(y, score)
        names = ("threshold", "net_benefit", "low", "high", "treat_all")
        found["decision"] = {n: getattr(curve, n).tolist() for n in names}
    return found


def thinned(sweep):
    x, y = sweep.fp / max(sweep.negatives, 1), sweep.tp / max(sweep.positives, 1)
    kept = kept_points(np.r_[0.0, x], np.r_[0.0, y], MOST)
    kept = kept[kept > 0] - 1
    columns = {n: getattr(sweep, n)[kept].tolist() for n in ("threshold", "tp", "fp")}
    totals = {"positives": sweep.positives, "negatives": sweep.negatives, "higher_is": "positive"}
    return {**columns, **totals}


def histogram(y, score, bins=30):
    edges = np.linspace(score.min(), score.max(), bins + 1)
    counts = {
        k: np.histogram(score[y == v], edges)[0].tolist() for k, v in (("positives", 1), ("negatives", 0))
    }
    return {"edges": edges.tolist(), **counts}


def point(y, score):
    found = cw.operating_point(
        y, score, cw.rules.min_cost(fp=1, fn=10, prevalence=0.02), rng=SEED, replicates=20
    )
    finite = math.isfinite(found.threshold)
    goal = found.optimism.goal
    return {
        "threshold": float(found.threshold) if finite else None,
        "midpoint": float(found.midpoint) if finite else None,
        "rule": found.rule.name,
        "options": {"fp": 1, "fn": 10},
        "sentence": found.sentence,
        "value": float(found.value),
        "confusion": {k: getattr(found.confusion, k) for k in ("tp", "fp", "fn", "tn")},
        "rates": found.rates.to_dict(),
        "threshold_interval": [float(v) for v in found.threshold_interval],
        "optimism": {"apparent": goal.apparent, "expected": goal.out_of_bag, "quantity": goal.measure},
        "slopes": found.best_for.to_dict(),
    }


def probabilities(y, p):
    losses = {m: cw.interval(m, y, p, rng=SEED, replicates=20).to_dict() for m in ("brier_loss", "log_loss")}
    parts = cw.decompose(y, p).to_dict()
    curve = cw.reliability(y, p, how="mass")
    return {
        "losses": losses,
        "parts": {k: parts[k] for k in ("score", "miscalibration", "discrimination", "uncertainty")},
        "calibration": cw.calibration(y, p).table.to_dict(),
        "reliability": {
            "probability": curve.p.tolist(),
            "observed": curve.observed.tolist(),
            "low": None if curve.low is None else curve.low.tolist(),
            "high": None if curve.high is None else curve.high.tolist(),
        },
    }


def groups_of(name, y, score, group):
    threshold = point(y, score)["threshold"]
    found = cw.by_group(y, score, group, threshold=threshold)
    fair = cw.fairness(y, score, group, threshold=threshold)
    return {
        "model": name,
        "table": found.table.to_dict(),
        "gaps": found.gaps().to_dict(),
        "fairness": fair.table.to_dict(),
        "notes": list(fair.notes),
    }


def sites_of(name, y, score, site):
    found = cw.by_site(y, score, site)
    pooled = found.pooled
    return {
        "model": name,
        "forest": found.forest.to_dict(),
        "pooled": {k: getattr(pooled, k) for k in ("value", "low", "high")},
        "heterogeneity": {"tau2": pooled.tau2, "i2": pooled.i2, "q": pooled.q, "p": pooled.q_p_value},
        "prediction": [pooled.prediction_low, pooled.prediction_high],
        "notes": list(found.notes),
    }


def one_model():
    """Return a document with one model and little else."""
    document = screening()
    document["models"] = document["models"][:1]
    document |= {"comparison": None, "groups": None, "sites": None, "caveats": []}
    document["options"] |= {"costs": None, "prevalence": None, "scores": ["model_a"]}
    document["left_out"] = [
        {"part": "comparison", "model": None, "reason": "one_model", "values": {}},
        {"part": "groups", "model": None, "reason": "no_column", "values": {}},
    ]
    return document


def many_classes():
    """Return a document of a label with three classes and no binary model."""
    rng = np.random.default_rng(1)
    y, p = rng.integers(0, 3, 200), rng.dirichlet([1, 1, 1], 200)
    found = cw.multiclass(y, p, classes=[0, 1, 2])
    raw = found.to_dict()
    document = one_model()
    document["models"] = []
    document["data"] = {"rows": 200, "dropped": 0}
    names = [str(c) for c in raw["classes"]]
    document["multiclass"] = {
        "table": {"title": "", "rows": raw["per_class"]},
        "estimates": {r["metric"]: {"value": r["value"], "low": None, "high": None} for r in raw["metrics"]},
        "confusion": {
            "title": "",
            "rows": [
                {"class": n, **dict(zip(names, line, strict=True))}
                for n, line in zip(names, raw["matrix"], strict=True)
            ],
        },
        "notes": [],
    }
    return document


def one_class():
    """Return a document whose rows are all negative: nothing ranks."""
    document = one_model()
    only = document["models"][0]
    only["sweep"] |= {"positives": 0, "tp": [0] * len(only["sweep"]["tp"])}
    only["estimates"] = dict.fromkeys(METRICS)
    only |= {"point": None, "probabilities": None, "decision": None}
    document["data"] |= {"positives": 0, "prevalence": 0.0}
    return document


def hostile(text):
    """Return the document with a text in the place of every name that data can hold."""
    document = screening()
    names = {m["name"]: f"{text} {k}" for k, m in enumerate(document["models"])}
    renamed = _renamed(document, {**names, "female": f"{text} f", "north": f"{text} n", "sex": text})
    renamed["made"] |= {"source": text, "command": f"curvewise report {text}"}
    renamed["options"] |= {"label": text, "positive": text, "rule": text, "cluster": text}
    renamed["data"]["groups"] = {text: {f"{text} f": 3}}
    renamed["data"]["sites"] = {f"{text} n": 5}
    renamed["groups"][0]["notes"].append(text)
    renamed["caveats"].append({"code": text, "severity": "warn", "model": text, "values": {"a": text}})
    renamed["left_out"].append({"part": text, "model": text, "reason": text, "values": {}})
    return renamed


def _renamed(value, names):
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, dict):
        return {names.get(k, k): _renamed(v, names) for k, v in value.items()}
    if isinstance(value, list):
        return [_renamed(v, names) for v in value]
    return value

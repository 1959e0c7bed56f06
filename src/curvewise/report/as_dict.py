"""The parts of an evaluation as JSON-safe dicts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from curvewise.results.numbers import json_safe

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from curvewise.breakdown.breakdown import Groups
    from curvewise.breakdown.fairness import Fairness
    from curvewise.breakdown.sites import Sites
    from curvewise.core.sweep import Sweep
    from curvewise.decisions.point import OperatingPoint
    from curvewise.report.judged import Judged

DRAWN = 400  # places of a reliability curve


def model_part(model: Judged) -> dict[str, Any]:
    """Return one model."""
    threshold = model.sweep.threshold
    return {
        "name": model.name,
        "probability": model.is_probability,
        "why_not_probability": model.why_not_probability,
        "distinct": len(threshold),
        "lowest": json_safe(min(threshold[0].item(), threshold[-1].item())),
        "highest": json_safe(max(threshold[0].item(), threshold[-1].item())),
        "estimates": {name: e.to_dict() for name, e in model.estimates.items()},
        "sweep": sweep_part(model.thinned),
        "histogram": model.histogram(),
        "point": None if model.point is None else point_part(model.point),
        "probabilities": probability_part(model),
        "decision": decision_part(model),
    }


def sweep_part(sweep: Sweep) -> dict[str, Any]:
    """Return the thresholds and counts that a page needs to cut anywhere."""
    return {
        **{k: [json_safe(v) for v in getattr(sweep, k).tolist()] for k in ("threshold", "tp", "fp")},
        "positives": sweep.positives,
        "negatives": sweep.negatives,
        "higher_is": sweep.higher_is,
    }


def point_part(point: OperatingPoint) -> dict[str, Any]:
    """Return a chosen threshold; None for one that flags nobody, or everybody."""
    found = point.to_dict()
    goal = None if point.optimism is None else point.optimism.goal
    return {
        **{
            k: found[k]
            for k in ("sentence", "value", "goal", "prevalence", "threshold_interval", "tied", "notes")
        },
        "threshold": _finite(point.threshold),
        "midpoint": _finite(point.midpoint),
        "rule": point.rule.name,
        "options": found["rule"]["options"],
        "confusion": {k: getattr(point.confusion, k) for k in ("tp", "fp", "fn", "tn")},
        "rates": point.rates.to_dict(),
        "optimism": None
        if goal is None
        else {
            "quantity": goal.measure,
            "apparent": json_safe(goal.apparent),
            "expected": json_safe(goal.out_of_bag),
            "low": json_safe(goal.low),
            "high": json_safe(goal.high),
        },
        "slopes": found["best_for"],
    }


def probability_part(model: Judged) -> dict[str, Any] | None:
    """Return losses, parts, calibration and reliability of probabilities."""
    if model.parts is None or model.calibration is None or model.reliability is None:
        return None
    curve = model.reliability
    step = max(len(curve) // DRAWN, 1)
    low, high = (_plain(c, step) if c is not None else None for c in (curve.low, curve.high))
    return {
        "losses": {name: e.to_dict() for name, e in model.losses.items()},
        "parts": {
            k: json_safe(getattr(model.parts, k))
            for k in ("score", "miscalibration", "discrimination", "uncertainty")
        },
        "calibration": model.calibration.table.to_dict(),
        "notes": list(model.calibration.notes),
        "reliability": {
            "probability": _plain(curve.p, step),
            "observed": _plain(curve.observed, step),
            "low": low,
            "high": high,
        },
    }


def decision_part(model: Judged) -> dict[str, Any] | None:
    """Return the decision curve of probabilities."""
    if model.decision is None:
        return None
    names = ("threshold", "net_benefit", "low", "high", "treat_all")
    return {name: _plain(getattr(model.decision, name)) for name in names}


def group_part(name: str, groups: Groups, judged: Fairness | None) -> dict[str, Any]:
    """Return one model by group: numbers, gaps and criteria of fairness."""
    gaps = {column: groups.gaps(column=column).to_dict() for column in groups.breakdowns}
    first = next(iter(gaps.values()))
    rows = [{"column": column, **row} for column, table in gaps.items() for row in table["rows"]]
    return {
        "model": name,
        "table": groups.table.to_dict(),
        "gaps": {"title": first["title"], "rows": rows},
        "fairness": None if judged is None else judged.table.to_dict(),
        "notes": [] if judged is None else list(judged.notes),
    }


def site_part(name: str, sites: Sites) -> dict[str, Any]:
    """Return one model by site: forest, pooled mean and how far a new site may lie."""
    pooled = sites.pooled
    found: dict[str, Any] = {
        "model": name,
        "forest": sites.forest.to_dict(),
        "table": sites.table.to_dict(),
        "pooled": None,
        "heterogeneity": None,
        "prediction": None,
        "notes": list(sites.notes),
    }
    if pooled is not None:
        found["pooled"] = {
            k: json_safe(getattr(pooled, k)) for k in ("value", "low", "high", "level", "method")
        }
        found["heterogeneity"] = {
            "tau2": json_safe(pooled.tau2),
            "i2": json_safe(pooled.i2),
            "q": json_safe(pooled.q),
            "p": json_safe(pooled.q_p_value),
        }
        found["prediction"] = [json_safe(pooled.prediction_low), json_safe(pooled.prediction_high)]
    return found


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _plain(values: NDArray[np.float64], step: int = 1) -> list[Any]:
    return [json_safe(v) for v in values[::step].tolist()]

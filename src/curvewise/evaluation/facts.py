"""How many rows of which kind an evaluation has, and its numbers by flat names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.errors import Note, note
from curvewise.many_classes.class_groups import categories_of
from curvewise.many_classes.confusion_matrix import class_names
from curvewise.results.numbers import exactly
from curvewise.rows.category import Category, combined

if TYPE_CHECKING:
    from curvewise.censored.survival_model import SurvivalModel
    from curvewise.core.sweep import Sweep
    from curvewise.many_classes.multiclass import Multiclass
    from curvewise.results.estimate import Estimate
    from curvewise.rows.rows import Rows


def facts_of(rows: Rows, sweep: Sweep, prevalence: Estimate) -> dict[str, Any]:
    """Return how many rows there are of each class, group and site; by a horizon rows, not weights of censoring."""
    all_rows = rows if rows.horizon is None else rows.horizon.everyone
    counted = rows if rows.horizon is None else replace(all_rows, weight=None)
    columns = list(all_rows.groups.values())
    columns += [combined(columns)] if len(columns) > 1 else []
    sizes = {c.column: _sizes(counted, c) for c in columns}
    site = all_rows.site
    weight = None if all_rows.is_whole else all_rows.weight  # where weights count rows, rows are what they count
    return {
        "rows": sweep.n if all_rows.weight is not None and all_rows.is_whole else len(all_rows),
        **_classes(sweep),
        "prevalence": sweep.prevalence,
        "prevalence_low": prevalence.low,
        "prevalence_high": prevalence.high,
        "dropped": rows.dropped,
        "weighted": weight is not None,
        "weight": None if weight is None else sweep.n,
        "clusters": None if all_rows.cluster is None else int(all_rows.cluster.max()) + 1,
        "strata": None if all_rows.stratum is None else int(all_rows.stratum.max()) + 1,
        "groups": sizes or None,
        "sites": None if site is None else _sizes(counted, site),
    }


def _classes(sweep: Sweep) -> dict[str, Any]:
    """Return how many rows are positive and negative, and by a horizon how many are unknown."""
    if (at := sweep.horizon) is not None:
        return {"positives": at.cases, "negatives": at.controls, "unknown": at.unknown, "horizon": at.at}
    return {"positives": sweep.positives, "negatives": sweep.negatives}


def class_facts(m: Multiclass) -> dict[str, Any]:
    """Return how many rows there are of each class and group."""
    columns = categories_of(m, None) if m.groups else []
    return {
        "rows": len(m),
        "classes": dict(zip(class_names(m.classes), m.matrix.counts.sum(axis=1).tolist(), strict=True)),
        "dropped": m.dropped,
        "weighted": m.weight is not None,
        "weight": None if m.weight is None else m.n,
        "clusters": None if m.cluster is None else int(m.cluster.max()) + 1,
        "strata": None if m.stratum is None else int(m.stratum.max()) + 1,
        "groups": {c.column: _sizes(m, c) for c in columns} or None,
        "sites": None,
    }


def _sizes(rows: Rows | Multiclass, category: Category) -> dict[str, float]:
    """Return how many rows, or how much weight, each name has."""
    counts = np.bincount(category.code, rows.weight, len(category)).tolist()
    return dict(zip(category.names, counts, strict=True))


def statement_of(data: dict[str, Any], label: str | None, classes: int) -> Note:
    """Say how many rows of which kind there are."""
    if "positives" not in data:
        return note("evaluated_classes", rows=data.get("rows"), classes=classes)
    if "horizon" in data:
        known = {k: data[k] for k in ("rows", "positives", "negatives", "unknown", "prevalence")}
        return note("evaluated_horizon", at=exactly(data["horizon"]), **known)
    values = {k: data.get(k) for k in ("rows", "weight", "positives", "prevalence")}
    counted = note("evaluated_weighted" if data.get("weighted") else "evaluated", **values)
    return note("evaluated_label", counted=counted, label=label) if label else counted


def flat_metrics(models: Mapping[str, Any], of_classes: Mapping[str, Estimate]) -> dict[str, float]:
    """Return the defined numbers of models by flat names, ``"model_a.roc_auc"``, with their thresholds."""
    found = {f"multiclass.{k}": e.value for k, e in of_classes.items() if e.is_defined}
    for name, model in models.items():
        found |= {f"{name}.{metric}": e.value for metric, e in model.estimates.items() if e.is_defined}
        if model.point is not None:
            found[f"{name}.threshold"] = model.point.threshold
    return found


def flat_over_time(models: Mapping[str, SurvivalModel]) -> dict[str, float]:
    """Return the defined numbers of models over time by flat names: ``"a.concordance"``, ``"a.roc_auc@365"``."""
    found = {f"{name}.concordance": m.concordance.value for name, m in models.items() if m.concordance.is_defined}
    for name, model in models.items():
        for at, estimates in model.at.items():
            found |= {f"{name}.{k}@{exactly(at)}": e.value for k, e in estimates.items() if e.is_defined}
    return found

"""What a validation at several sites found: each site, the mean, and where a new site may lie."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from curvewise.breakdown.balance import BY_FORMULA
from curvewise.breakdown.breakdown import Group, written
from curvewise.breakdown.pooling import Method, Pooled, random_effects
from curvewise.curves.pr import PrCurve, pr_curve
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curvewise.results.estimate import Estimate


@dataclass(frozen=True)
class Site:
    """One site: its rows as a group, and what pooling takes from it.

    ``logit`` and ``error`` are the logit of the AUC and its standard error; ``left_out`` says why there
    are none.
    """

    group: Group
    logit: float
    error: float
    left_out: str
    average_precision: float
    average_precision_common: float
    precision_common: Estimate | None

    @property
    def name(self) -> str:
        """The site."""
        return self.group.name

    @property
    def auc(self) -> Estimate:
        """Its AUC, with DeLong's interval on the logit scale."""
        return self.group.estimates["roc_auc"]

    @property
    def others(self) -> dict[str, Estimate]:
        """Precision at its own and at the common prevalence, and calibration, as far as there are any."""
        found = dict(self.group.estimates)
        found.pop("roc_auc")
        if self.precision_common is not None:
            found["precision_common"] = self.precision_common
        return {k: found[k] for k in ("precision", "precision_common", *BY_FORMULA) if k in found}


@dataclass(frozen=True, eq=False, repr=False)
class Sites(Result):
    """A model's performance site by site, made by `curvewise.by_site`.

    Attributes
    ----------
    sites
        One `Site` each.
    pooled
        The random-effects summary, back on the scale of AUC, with confidence and prediction interval; None
        with fewer than two sites to pool. ``model`` is the same on the logit scale.
    common_prevalence
        Where precision is made comparable.
    notes
        Which sites are left out, and why.
    """

    sites: tuple[Site, ...]
    overall: Group
    model: Pooled | None
    common_prevalence: float | None
    level: float
    method: Method
    threshold: float | None = None
    dropped: int = 0
    notes: tuple[str, ...] = field(default=())

    @property
    def pooled(self) -> Pooled | None:
        """The mean AUC of sites with its intervals; τ² and the standard error stay on the logit scale."""
        return None if self.model is None else _as_auc(self.model)

    @property
    def table(self) -> Table:
        """A row for each site."""
        columns: dict[str, list[Any]] = {
            "site": [s.name for s in self.sites],
            "n": [s.group.sweep.n for s in self.sites],
            "positives": [s.group.sweep.positives for s in self.sites],
            "prevalence": [s.group.sweep.prevalence for s in self.sites],
            "roc_auc": [s.auc.value for s in self.sites],
            "low": [s.auc.low for s in self.sites],
            "high": [s.auc.high for s in self.sites],
            "average_precision": [s.average_precision for s in self.sites],
            "average_precision_common": [s.average_precision_common for s in self.sites],
        }
        for name in self.sites[0].others:
            columns[name] = [written(s.others[name]) for s in self.sites]
        columns["note"] = ["; ".join(filter(None, (s.left_out, s.group.note))) for s in self.sites]
        at = "" if self.common_prevalence is None else f", common prevalence {show(self.common_prevalence)}"
        return Table(f"AUC by site ({100 * self.level:.4g} % intervals{at})", columns)

    @property
    def forest(self) -> Table:
        """What a forest plot draws: every site with its weight, the mean, and the prediction interval."""
        weights = iter(() if self.model is None else self.model.weights)
        rows: list[list[Any]] = [
            [
                *(s.name, s.group.sweep.n, s.auc.value, s.auc.low, s.auc.high),
                None if s.left_out or self.model is None else next(weights),
            ]
            for s in self.sites
        ]
        pooled = self.pooled
        if pooled is not None:
            n = sum(s.group.sweep.n for s in self.sites if not s.left_out)
            rows.append(["(pooled)", n, pooled.value, pooled.low, pooled.high, 1.0])
            ahead = (pooled.prediction_low, pooled.prediction_high)
            rows.append(["(prediction)", None, pooled.value, *ahead, None])
        head = ["site", "n", "value", "low", "high", "weight"]
        title = f"Forest: AUC ({100 * self.level:.4g} % intervals)"
        return Table(title, dict(zip(head, map(list, zip(*rows, strict=True)), strict=True)))

    @cached_property
    def leave_one_out(self) -> Table:
        """The pooled AUC without each site: one that changes it much deserves a look."""
        kept = [s for s in self.sites if not s.left_out]
        head = ["without", "value", "low", "high", "prediction_low", "prediction_high", "tau2", "i2"]
        rows = []
        for site in kept if len(kept) > 2 else []:
            others = [s for s in kept if s is not site]
            p = _as_auc(pool_sites(others, self.level, self.method))
            rows.append(
                [site.name, p.value, p.low, p.high, p.prediction_low, p.prediction_high, p.tau2, p.i2]
            )
        columns = {k: [row[i] for row in rows] for i, k in enumerate(head)}
        return Table("Pooled AUC without each site", columns)

    def pr_curves(self, *, common: bool = False) -> dict[str, PrCurve]:
        """Return the PR curve of each site that has one, at its own prevalence or at the common one."""
        found = {}
        for s in self.sites:
            sweep = s.group.sweep
            if common and (self.common_prevalence is None or not (sweep.positives and sweep.negatives)):
                continue
            if sweep.positives:
                found[s.name] = pr_curve(
                    sweep.at_prevalence(self.common_prevalence)
                    if common and self.common_prevalence
                    else sweep
                )
        return found

    def to_frame(self, backend: str | None = None) -> Any:
        """Return ``table`` as a frame."""
        return self.table.to_frame(backend or self.overall.sweep.backend)

    def to_dict(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""
        return {
            "level": self.level,
            "threshold": None if self.threshold is None else json_safe(self.threshold),
            "common_prevalence": self.common_prevalence,
            "dropped": self.dropped,
            "sites": [
                {
                    "site": s.name,
                    "n": s.group.sweep.n,
                    "positives": s.group.sweep.positives,
                    "prevalence": s.group.sweep.prevalence,
                    "roc_auc": s.auc.to_dict(),
                    "left_out": s.left_out or None,
                    "average_precision": json_safe(s.average_precision),
                    "average_precision_common": json_safe(s.average_precision_common),
                    **{name: estimate.to_dict() for name, estimate in s.others.items()},
                }
                for s in self.sites
            ],
            "pooled": None if self.pooled is None else self.pooled.to_dict(),
            "logit_model": None if self.model is None else self.model.to_dict(),
            "forest": self.forest.to_dict()["rows"],
            "leave_one_out": self.leave_one_out.to_dict()["rows"],
            "notes": list(self.notes),
        }

    def words(self) -> list[str]:
        """Say what pooling found, a sentence each."""
        pooled = self.pooled
        if pooled is None:
            return [f"note: {n}" for n in self.notes]
        mean = (
            f"Pooled AUC {show(pooled.value)} ({show(pooled.low)} to {show(pooled.high)}); a new site: "
            f"{show(pooled.prediction_low)} to {show(pooled.prediction_high)}"
        )
        how = (
            f"{pooled.sites} sites, {pooled.method} on the logit scale, Hartung-Knapp: "
            f"tau² {show(pooled.tau2)}, I² {100 * pooled.i2:.1f} %, Q {show(pooled.q)}, "
            f"p {show(pooled.q_p_value)}"
        )
        return [mean, how, *(f"note: {n}" for n in (*self.notes, *pooled.notes))]

    def __str__(self) -> str:
        return "\n".join([str(self.table), "", *self.words()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.table._repr_html_() + "".join(f"<p>{escape(line)}</p>" for line in self.words())


def pool_sites(sites: Sequence[Site], level: float, method: Method) -> Pooled:
    """Pool the logits of sites that have one."""
    return random_effects([s.logit for s in sites], [s.error for s in sites], level=level, method=method)


def _as_auc(model: Pooled) -> Pooled:
    return replace(
        model,
        value=_expit(model.value),
        low=_expit(model.low),
        high=_expit(model.high),
        prediction_low=_expit(model.prediction_low),
        prediction_high=_expit(model.prediction_high),
        plain_low=_expit(model.plain_low),
        plain_high=_expit(model.plain_high),
    )


def _expit(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))

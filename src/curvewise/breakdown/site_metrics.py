"""What a validation at several sites found: each site, the mean, and where a new site may lie."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from curvewise.breakdown.group_metrics import CALIBRATION, Group, columns_of, remarks
from curvewise.breakdown.pooling import Method, Pooled, random_effects
from curvewise.curves.pr import PrCurve, pr_curve
from curvewise.errors import Note, note
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curvewise.results.estimate import Estimate


@dataclass(frozen=True, eq=False, repr=False)
class Site(Result):
    """One site: its rows as a group, and what pooling takes from it.

    ``logit`` and ``error`` are the logit of the AUC and its standard error; ``left_out`` says why there
    are none.
    """

    group: Group
    logit: float
    error: float
    left_out: Note | None
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
        return {k: found[k] for k in ("precision", "precision_common", *CALIBRATION) if k in found}

    def row(self) -> dict[str, Any]:
        """Return the cells of a table of sites."""
        sweep = self.group.sweep
        return {
            "site": self.name,
            "n": sweep.n,
            "positives": sweep.positives,
            "prevalence": sweep.prevalence,
            "roc_auc": self.auc.value,
            "low": self.auc.low,
            "high": self.auc.high,
            "average_precision": self.average_precision,
            "average_precision_common": self.average_precision_common,
            **{name: estimate.brief() for name, estimate in self.others.items()},
            "note": remarks(self.left_out, *self.group.notes),
        }

    @property
    def table(self) -> Table:
        """One row."""
        return Table("", {k: [v] for k, v in self.row().items()})

    def content(self) -> dict[str, Any]:
        """Return counts and metrics, JSON-safe."""
        return {
            "site": self.name,
            "n": self.group.sweep.n,
            "positives": self.group.sweep.positives,
            "prevalence": self.group.sweep.prevalence,
            "roc_auc": json_safe(self.auc),
            "left_out": json_safe(self.left_out),
            "average_precision": json_safe(self.average_precision),
            "average_precision_common": json_safe(self.average_precision_common),
            **json_safe(self.others),
        }


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
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    @property
    def pooled(self) -> Pooled | None:
        """The mean AUC of sites with its intervals; τ² and the standard error stay on the logit scale."""
        return None if self.model is None else self.model.moved(_expit)

    @property
    def table(self) -> Table:
        """One row per site."""
        rows = [s.row() for s in self.sites]
        at = "" if self.common_prevalence is None else f", common prevalence {show(self.common_prevalence)}"
        title = f"AUC by site ({100 * self.level:.4g} % intervals{at})"
        return Table(title, columns_of(list(rows[0]), [list(r.values()) for r in rows]), self.backend)

    @property
    def forest(self) -> Table:
        """What a forest plot shows: each site's AUC and weight, then the mean and the new site."""
        weights = iter(() if self.model is None else self.model.weights)
        rows: list[list[Any]] = [
            [
                *(s.name, s.group.sweep.n, s.auc.value, s.auc.low, s.auc.high),
                None if s.left_out is not None or self.model is None else next(weights),
            ]
            for s in self.sites
        ]
        pooled = self.pooled
        if pooled is not None:
            n = sum(s.group.sweep.n for s in self.sites if s.left_out is None)
            rows.append(["(pooled)", n, pooled.value, pooled.low, pooled.high, 1.0])
            ahead = (pooled.prediction_low, pooled.prediction_high)
            rows.append(["(prediction)", None, pooled.value, *ahead, None])
        head = ["site", "n", "value", "low", "high", "weight"]
        return Table(f"Forest: AUC ({100 * self.level:.4g} % intervals)", columns_of(head, rows))

    @cached_property
    def leave_one_out(self) -> Table:
        """The pooled AUC without each site: one that changes it much deserves a look."""
        kept = [s for s in self.sites if s.left_out is None]
        head = ["value", "low", "high", "prediction_low", "prediction_high", "tau2", "i2"]
        rows = []
        for site in kept if len(kept) > 2 else []:
            others = [s for s in kept if s is not site]
            pooled = pool_sites(others, self.level, self.method).moved(_expit)
            rows.append([site.name, *(getattr(pooled, k) for k in head)])
        return Table("Pooled AUC without each site", columns_of(["without", *head], rows))

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

    def parts(self) -> list[Table | Note]:
        """Return the sites, what pooling found, and the notes."""
        pooled = self.pooled
        if pooled is None:
            return [self.table, *self.notes]
        told = note(
            "pooled_auc",
            value=pooled.value,
            low=pooled.low,
            high=pooled.high,
            new_low=pooled.prediction_low,
            new_high=pooled.prediction_high,
        )
        return [self.table, told, pooled.how(), *self.notes, *pooled.notes]

    def content(self) -> dict[str, Any]:
        """Return sites, pooled mean, forest and what each site changes, JSON-safe."""
        return {
            "level": self.level,
            "threshold": None if self.threshold is None else json_safe(self.threshold),
            "common_prevalence": self.common_prevalence,
            "dropped": self.dropped,
            "sites": json_safe(self.sites),
            "pooled": json_safe(self.pooled),
            "logit_model": json_safe(self.model),
            "forest": self.forest.content()["rows"],
            "leave_one_out": self.leave_one_out.content()["rows"],
            "notes": json_safe(self.notes),
        }


def pool_sites(sites: Sequence[Site], level: float, method: Method) -> Pooled:
    """Pool the logits of sites that have one."""
    return random_effects([s.logit for s in sites], [s.error for s in sites], level=level, method=method)


def _expit(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))

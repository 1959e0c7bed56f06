"""The summary of sensitivity and specificity over sites: its point, its regions and its curve."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from curvewise.breakdown.group_metrics import columns_of
from curvewise.core.rate import rate_interval
from curvewise.errors import Note, note
from curvewise.inference.limits import critical_value
from curvewise.metric.log_odds import chance
from curvewise.results.numbers import json_safe, percent, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, whole

if TYPE_CHECKING:
    from curvewise.breakdown.bivariate import Bivariate
    from curvewise.breakdown.q_profile import Ends
    from curvewise.results.estimate import Estimate

RatesMethod = Literal["binomial", "normal"]
COUNTS = ("tp", "fp", "fn", "tn")
POINTS = 100
EDGE = 1e-15  # an end of an interval nearer to 0 or 1 is rounded to it, and has no logit
DOUBT = 10  # sites that no correlation at all would be worth


@dataclass(frozen=True, repr=False)
class SiteRates(Result, schema="site_rates"):
    """The counts of one site at the threshold."""

    name: str
    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def positives(self) -> int:
        """The positives of the site."""
        return self.tp + self.fn

    @property
    def negatives(self) -> int:
        """The negatives of the site."""
        return self.fp + self.tn

    def rates(self, level: float) -> list[float]:
        """Return sensitivity and specificity with Wilson's intervals, NaN where a class is absent."""
        found: list[float] = []
        for part, total in ((self.tp, self.positives), (self.tn, self.negatives)):
            found += [part / total, *rate_interval(part, total, level=level)] if total else [math.nan] * 3
        return found


@dataclass(frozen=True, eq=False, repr=False)
class PooledRates(Result, schema="pooled_rates"):
    """Sensitivity and specificity over sites, made by `curvewise.pool_rates`.

    ``sensitivity`` and ``specificity`` are the summary point with intervals; ``new_sensitivity`` and
    ``new_specificity`` the ends between which a new site's true rates may lie. ``model`` holds the means of
    the logits, their covariance between sites and that of the means; ``hsroc`` the parameters of Rutter and
    Gatsonis' summary curve. ``sites`` are the counts.
    """

    sensitivity: Estimate
    specificity: Estimate
    new_sensitivity: tuple[float, float]
    new_specificity: tuple[float, float]
    sites: tuple[SiteRates, ...]
    model: Bivariate
    level: float
    method: RatesMethod
    threshold: float | None = None
    dropped: int = 0
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    @property
    def between_sd(self) -> tuple[float, float]:
        """How far the true logits of sensitivity and specificity differ between sites, as standard deviations."""
        (a, _), (_, b) = self.model.between
        return math.sqrt(a), math.sqrt(b)

    @property
    def correlation(self) -> float:
        """How the logits of sensitivity and specificity go together over sites; negative where thresholds differ."""
        return _correlation(self.model.between)

    @property
    def hsroc(self) -> dict[str, float]:
        """Accuracy Λ, threshold Θ and shape β, and how accuracy and threshold vary (Harbord et al. 2007)."""
        (one, two), (sd_one, sd_two) = self.model.mean, self.between_sd
        if not (sd_one > 0 and sd_two > 0):
            return dict.fromkeys(
                ("accuracy", "threshold", "shape", "accuracy_variance", "threshold_variance"), math.nan
            )
        ratio, together = math.sqrt(sd_two / sd_one), self.model.between[0][1]
        return {
            "accuracy": ratio * one + two / ratio,
            "threshold": (ratio * one - two / ratio) / 2,
            "shape": 2 * math.log(ratio),
            "accuracy_variance": 2 * (sd_one * sd_two + together),
            "threshold_variance": (sd_one * sd_two - together) / 2,
        }

    @property
    def table(self) -> Table:
        """One row per rate: the summary, its interval, a new site's, and how far sites differ (logit scale)."""
        rows = [
            [e.metric, e.value, e.low, e.high, *new, sd]
            for e, new, sd in zip(
                (self.sensitivity, self.specificity),
                (self.new_sensitivity, self.new_specificity),
                self.between_sd,
                strict=True,
            )
        ]
        at = "" if self.threshold is None else f" at threshold {show(float(self.threshold))}"
        head = ["metric", "value", "low", "high", "prediction_low", "prediction_high", "between_sd"]
        title = f"Rates over {len(self.sites)} sites{at} ({percent(self.level)} intervals)"
        return Table(title, columns_of(head, rows), self.backend)

    @property
    def forest(self) -> Table:
        """What a forest plot shows: each site's counts and rates with Wilson's intervals."""
        rates = ("sensitivity", "specificity")
        head = ["site", *COUNTS, *(f"{rate}{end}" for rate in rates for end in ("", "_low", "_high"))]
        rows = [[s.name, *(getattr(s, k) for k in COUNTS), *s.rates(self.level)] for s in self.sites]
        return Table(f"Rates by site ({percent(self.level)} intervals)", columns_of(head, rows), self.backend)

    def region(self, kind: Literal["confidence", "prediction"] = "confidence", *, points: int = POINTS) -> Table:
        """Return the region of the summary point, or of a new site's true point, as a closed line in ROC space.

        An ellipse of the logits with the widths of the two intervals, times √χ²₂/z so that both rates lie in it
        at once. Its correlation is that of the model times k/(k + 10): the estimate from k sites is often ±1,
        and an ellipse that took it as known would be far too thin.
        """
        one_of("kind", kind, ("confidence", "prediction"))
        points = whole("points", points, 8)
        together = np.array(self.model.of_mean)
        ends: list[Ends] = [(e.low, e.high) for e in (self.sensitivity, self.specificity)]
        if kind == "prediction":
            together = together + np.array(self.model.between)
            ends = [self.new_sensitivity, self.new_specificity]
        reach = critical_value(self.level)
        wider = math.sqrt(-2 * math.log(1 - self.level)) / reach if reach else 0.0
        half = [wider * (_logit(high) - _logit(low)) / 2 for low, high in ends]
        centre = [(_logit(high) + _logit(low)) / 2 for low, high in ends]
        r = _correlation(together.tolist()) * len(self.sites) / (len(self.sites) + DOUBT)
        angle = np.linspace(0, 2 * math.pi, points + 1)
        one = centre[0] + half[0] * np.cos(angle)
        two = centre[1] + half[1] * (r * np.cos(angle) + math.sqrt(1 - r * r) * np.sin(angle))
        rates = {"fpr": (1 - chance(two)).tolist(), "tpr": chance(one).tolist()}
        return Table(f"{kind.capitalize()} region ({percent(self.level)})", rates, self.backend)

    def curve(self, *, points: int = POINTS) -> Table:
        """Return the summary ROC curve of Rutter and Gatsonis, over the false positive rates that sites have.

        logit(TPR) = Λe^(-β/2) + e^(-β)·logit(FPR). Where sites do not differ there is none: NaN.
        """
        points = whole("points", points, 2)
        seen = [(s.fp + 0.5) / (s.negatives + 1) for s in self.sites if s.negatives]
        fpr = np.linspace(min(seen), max(seen), points)
        model = self.hsroc
        logits = model["accuracy"] * math.exp(-model["shape"] / 2) + math.exp(-model["shape"]) * np.log(fpr / (1 - fpr))
        tpr = logits if math.isnan(model["shape"]) else chance(logits)
        rates = {"fpr": fpr.tolist(), "tpr": tpr.tolist()}
        return Table("Summary ROC curve", rates, self.backend)

    def tables(self) -> list[Table]:
        """Return the summary, then the sites."""
        return [self.table, self.forest]

    def parts(self) -> list[Table | Note]:
        """Return the summary, the sites, how they were pooled, and the notes."""
        sd = self.between_sd
        told = note("rates_how", method=self.method, sd_one=sd[0], sd_two=sd[1], correlation=self.correlation)
        return [self.table, self.forest, told, *self.notes]

    def content(self) -> dict[str, Any]:
        """Return the summary, the model, the sites, the regions and the curve, JSON-safe."""
        names = ["level", "method", "threshold", "dropped", "sensitivity", "specificity"]
        names += ["new_sensitivity", "new_specificity", "between_sd", "correlation", "hsroc"]
        model = {"mean": self.model.mean, "between": self.model.between, "of_mean": self.model.of_mean}
        return {
            **{name: json_safe(getattr(self, name)) for name in names},
            "logit_model": json_safe(model),
            "sites": self.forest.content()["rows"],
            "confidence_region": self.region().content()["rows"],
            "prediction_region": self.region("prediction").content()["rows"],
            "curve": self.curve().content()["rows"],
            "notes": json_safe(self.notes),
        }


def _correlation(covariance: Sequence[Sequence[float]]) -> float:
    (a, b), (_, c) = covariance
    return max(-1.0, min(b / math.sqrt(a * c), 1.0)) if a > 0 and c > 0 else 0.0


def _logit(rate: float) -> float:
    inside = min(max(rate, EDGE), 1 - EDGE)
    return math.log(inside / (1 - inside))

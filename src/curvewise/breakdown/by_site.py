"""Validation at several sites: AUC at each, pooled, and where a new site may lie."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.breakdown.by_group import RANKING, are_probabilities, beside_rows, break_down
from curvewise.breakdown.case_mix import expected_auc
from curvewise.breakdown.group_gaps import because, listed
from curvewise.breakdown.group_metrics import CALIBRATION, METRIC, Group, Groups, columns_of, remarks, stacked
from curvewise.breakdown.pair_ends import ends_of_two, ratio_ends
from curvewise.breakdown.pooling import INTERVALS, METHODS, IntervalKind, Method, Pooled, random_effects
from curvewise.core.resampling import REPLICATES
from curvewise.curves.pr import PrCurve, pr_curve
from curvewise.errors import CurvewiseError, Note, note
from curvewise.inference.interval import intervals_of
from curvewise.inference.limits import critical_value, expit, logit_wald
from curvewise.inference.methods import rate_of
from curvewise.metric.average_precision import average_precision
from curvewise.metric.registry import several
from curvewise.results.estimate import Estimate, undefined
from curvewise.results.numbers import json_safe, percent, show
from curvewise.results.result import Result, Table
from curvewise.rows.category import Category, named_columns
from curvewise.rows.checks import one_of, real
from curvewise.rows.columns import as_column
from curvewise.rows.reading import as_rows, read_rows, refuse_unknown, rows_within
from curvewise.rows.rows import RowOptions, Rows
from curvewise.rows.weight_scale import with_near_weights

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

MOST_LEFT_OUT = 200  # sites without each of which the others are pooled: time grows with the square of their number
BOUND = 0.95  # the level of the bound that stands for the error of a perfect site


@dataclass(frozen=True, eq=False, repr=False)
class Site(Result, schema="site"):
    """One site: its rows as a group, and what pooling takes from it.

    ``logit`` and ``error`` are the logit of the AUC and its standard error; ``left_out`` says why there
    are none. ``expected_auc`` is the AUC that the site's probabilities alone imply (its case mix), None where
    scores are none.
    """

    group: Group
    logit: float
    error: float
    left_out: Note | None
    average_precision: float
    average_precision_common: float
    precision_common: Estimate | None
    expected_auc: float | None = None

    @property
    def name(self) -> str:
        """The site."""
        return self.group.name

    @property
    def auc(self) -> Estimate:
        """Its AUC, with its interval."""
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
        auc = {"roc_auc": self.auc.value, "low": self.auc.low, "high": self.auc.high}
        others = {name: estimate.brief() for name, estimate in self.others.items()}
        told = remarks(self.left_out, *self.group.notes)
        return {"site": self.name, **self.group.sizes, **auc, **self.areas(), **others, "note": told}

    def areas(self) -> dict[str, float]:
        """Return average precision at its own and at the common prevalence, and the expected AUC if there is one."""
        names = ("average_precision", "average_precision_common", "expected_auc")
        return {k: v for k in names if (v := getattr(self, k)) is not None}

    @property
    def table(self) -> Table:
        """One row."""
        return Table("", stacked([self.row()]))

    def content(self) -> dict[str, Any]:
        """Return counts and metrics, JSON-safe."""
        found = {"roc_auc": self.auc, "left_out": self.left_out, **self.areas(), **self.others}
        return {"site": self.name, **self.group.sizes, **json_safe(found)}


@dataclass(frozen=True, eq=False, repr=False)
class Sites(Result, schema="sites"):
    """A model's performance site by site, made by `curvewise.by_site`.

    ``pooled`` is the random-effects summary, back on the scale of AUC, with confidence and prediction
    interval, None with fewer than two sites to pool; ``model`` the same on the logit scale.
    ``common_prevalence`` is where precision is made comparable; ``notes`` say which sites are left out.
    """

    sites: tuple[Site, ...]
    overall: Group
    model: Pooled | None
    common_prevalence: float | None
    level: float
    method: Method
    interval: IntervalKind
    threshold: float | None = None
    dropped: int = 0
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    @property
    def pooled(self) -> Pooled | None:
        """The mean AUC of sites with its intervals; τ² and the standard error stay on the logit scale."""
        return None if self.model is None else self.model.moved(expit)

    @property
    def table(self) -> Table:
        """One row per site."""
        at = "" if self.common_prevalence is None else f", common prevalence {show(self.common_prevalence)}"
        title = f"AUC by site ({percent(self.level)} intervals{at})"
        return Table(title, stacked([s.row() for s in self.sites]), self.backend)

    def tables(self) -> list[Table]:
        """Return every number: one row for each metric of each site, then the mean and the new site."""
        rows: list[list[Any]] = []
        for s in self.sites:
            shared = [s.name, *s.group.sizes.values()]
            for name, e in {"roc_auc": s.auc, **s.others}.items():
                ends = (e.low, e.high) if e.has_interval else (None, None)
                rows.append([*shared, name, e.value, *ends])
            rows += [[*shared, name, value, None, None] for name, value in s.areas().items()]
        sizes = self.overall.sizes
        rows += [[name, *(None for _ in sizes), "roc_auc", *ends] for name, *ends in self._pooled_rows()]
        return [Table(self.table.title, columns_of(["site", *sizes, *METRIC], rows), self.backend)]

    def _pooled_rows(self) -> list[tuple[str, float, float, float]]:
        """Return the mean with its interval, and with that of a new site, as far as there is one."""
        p = self.pooled
        if p is None:
            return []
        new = ("(prediction)", p.value, p.prediction_low, p.prediction_high)
        return [("(pooled)", p.value, p.low, p.high), new]

    @property
    def forest(self) -> Table:
        """What a forest plot shows: each site's AUC and weight, then the mean and the new site."""
        weights = iter(() if self.model is None else self.model.weights)
        rows: list[list[Any]] = [
            [
                s.name,
                s.group.sizes["n"],
                s.auc.value,
                s.auc.low,
                s.auc.high,
                None if s.left_out else next(weights, None),
            ]
            for s in self.sites
        ]
        n = sum(s.group.sizes["n"] for s in self.sites if s.left_out is None)
        sizes = ((n, 1.0), (None, None))  # of the mean, and of the new site
        rows += [
            [name, m, *ends, weight] for (name, *ends), (m, weight) in zip(self._pooled_rows(), sizes, strict=False)
        ]
        head = ["site", "n", "value", "low", "high", "weight"]
        return Table(f"Forest: AUC ({percent(self.level)} intervals)", columns_of(head, rows))

    @cached_property
    def leave_one_out(self) -> Table:
        """The pooled AUC without each site: one that changes it much deserves a look. Empty for more than 200 sites."""
        kept = [s for s in self.sites if s.left_out is None]
        head = ["value", "low", "high", "prediction_low", "prediction_high", "tau2", "i2"]
        rows = []
        for site in kept if 2 < len(kept) <= MOST_LEFT_OUT else []:
            others = [s for s in kept if s is not site]
            pooled = pool_sites(others, self.level, self.method, self.interval).moved(expit)
            rows.append([site.name, *(getattr(pooled, k) for k in head)])
        return Table("Pooled AUC without each site", columns_of(["without", *head], rows))

    def pr_curves(self, *, common: bool = False) -> dict[str, PrCurve]:
        """Return the PR curve of each site that has one, at its own prevalence or at the common one."""
        found, share = {}, self.common_prevalence
        for s in self.sites:
            sweep = s.group.sweep
            if common and (share is None or not (sweep.positives and sweep.negatives)):
                continue
            if sweep.positives:
                found[s.name] = pr_curve(sweep.at_prevalence(share) if common and share else sweep)
        return found

    def parts(self) -> list[Table | Note]:
        """Return the sites, what pooling found, and the notes."""
        pooled = self.pooled
        if pooled is None:
            return [self.table, *self.notes]
        ends = {"low": pooled.low, "high": pooled.high}
        ends |= {"new_low": pooled.prediction_low, "new_high": pooled.prediction_high}
        told = note("pooled_auc", value=pooled.value, **ends)
        return [self.table, told, pooled.how(), *self.notes, *pooled.notes]

    def content(self) -> dict[str, Any]:
        """Return sites, pooled mean, forest and what each site changes, JSON-safe."""
        names = ("level", "threshold", "common_prevalence", "dropped", "sites", "pooled")
        return {
            **{name: json_safe(getattr(self, name)) for name in names},
            "logit_model": json_safe(self.model),
            "forest": self.forest.content()["rows"],
            "leave_one_out": self.leave_one_out.content()["rows"],
            "notes": json_safe(self.notes),
        }


def by_site(
    y: object,
    score: object = None,
    site: object = None,
    *,
    threshold: float | None = None,
    common_prevalence: float | None = None,
    method: Method = "reml",
    interval: IntervalKind = "q-profile",
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    **rows: Unpack[RowOptions],
) -> Sites:
    """Measure a model at every site, pool the AUCs by random effects, and say what to expect at a new one.

    Parameters
    ----------
    y, score
        `Rows` alone, or labels and scores.
    site
        One name per row. Rows without one are listed, and not pooled. With `Rows`, None takes their site.
    threshold
        Where scores are cut; adds precision at each site.
    common_prevalence
        The share of positives at which precision, AP and PR curves of sites are comparable; by default
        that of all rows.
    method
        How the variance between sites is estimated: ``"reml"`` or ``"paule-mandel"``.
    interval
        ``"q-profile"`` or ``"hartung-knapp"``, as in `curvewise.random_effects`.
    level, rng, replicates
        As in `curvewise.interval`; rows are resampled where they have clusters or sampling weights.
    **rows
        Options of `curvewise.sweep` (``weight``, ``cluster``, ``positive`` …).

    Returns
    -------
    Sites
        ``table`` (with calibration where scores lie in [0, 1]), ``pooled``, ``forest``, ``leave_one_out``,
        ``pr_curves()``.

    Notes
    -----
    AUC does not depend on prevalence, but it does on case mix: where the rows of a site differ less in risk, the same
    model separates them less well. ``expected_auc``, of probabilities, says how well it can separate them if they are
    right (the model-based c statistic): where AUC follows it, case mix can explain that. Precision depends on
    prevalence too, and a site with fewer positives has less of it with the very same ranking: compare it at the common
    prevalence only.

    AUCs are pooled as logits, with standard errors SE/(A(1-A)) from DeLong's variance (see `curvewise.random_effects`),
    or from Obuchowski's with clusters. A site without a class, or with one row (or cluster) of it, is left out and
    named. A site with perfect separation has no logit: half a pair is taken to be lost, and the standard error is the
    one whose interval ends at the bound (α/2)^(1/min(P, N)), so that it weighs little. Pooling takes sites as
    independent; a note says so where a cluster has rows at several.

    The prediction interval, not the confidence interval, says what a new site may show.

    References
    ----------
    Debray et al. (2017) BMJ 356:i6460. Vergouwe, Moons & Steyerberg (2010) Am. J. Epidemiol. 172:971-980 (case
    mix). Snell, Ensor, Debray, Moons & Riley (2018) Stat. Methods
    Med. Res. 27:3505-3522 (logit scale).

    Examples
    --------
    >>> import numpy as np
    >>> import curvewise as cw
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(600) < 0.3
    >>> site = np.repeat(["a", "b", "c", "d", "e", "f"], 100)
    >>> found = cw.by_site(y, rng.normal(size=600) + 1.5 * y, site)
    >>> round(found.pooled.value, 3), round(found.pooled.i2, 3)
    (0.862, 0.0)
    """
    refuse_unknown(rows, ("site", "threshold", "common_prevalence", "method", "interval", "level", "rng", "replicates"))
    one_of("method", method, METHODS)
    one_of("interval", interval, INTERVALS)
    if common_prevalence is not None:
        common_prevalence = real("common_prevalence", common_prevalence, 0, 1, closed=False)
    read, where = read_sites(y, score, site, rows)
    metrics = [*RANKING, *([] if threshold is None else ["precision"])]
    metrics += CALIBRATION if are_probabilities(read) else []
    targets = several(metrics, {"threshold": threshold})
    found = break_down(read, [where], targets, level, threshold, rng, replicates)
    whole = found.overall.sweep
    if common_prevalence is None and whole.positives and whole.negatives:
        common_prevalence = whole.prevalence
    sites = tuple(_site(found, k, common_prevalence) for k in range(len(found.groups())))
    if are_probabilities(read):
        sites = tuple(replace(s, expected_auc=expected_auc(s.group.sweep)) for s in sites)
    kept = [s for s in sites if s.left_out is None]
    notes = [note("site_left_out", site=s.name, why=s.left_out) for s in sites if s.left_out is not None]
    perfect = [s.name for s in kept if s.auc.value in (0, 1)]
    if perfect:
        notes.append(note("perfect_sites", sites=listed(perfect)))
    if len(kept) < 2:
        notes.append(note("too_few_sites", sites=len(kept)))
    if len(kept) > MOST_LEFT_OUT:
        notes.append(note("too_many_to_leave_out", sites=len(kept), most=MOST_LEFT_OUT))
    if len(kept) > 1 and not found.partitions[where.column].is_nested:
        notes.append(note("clusters_span_sites"))
    model = pool_sites(kept, found.level, method, interval) if len(kept) > 1 else None
    asked = (common_prevalence, found.level, method, interval, threshold)
    return Sites(sites, found.overall, model, *asked, read.dropped, tuple(notes), read.backend)


def pool_sites(sites: Sequence[Site], level: float, method: Method, interval: IntervalKind) -> Pooled:
    """Pool the logits of sites that have one."""
    logits, errors = [s.logit for s in sites], [s.error for s in sites]
    return random_effects(logits, errors, level=level, method=method, interval=interval)


def read_sites(y: object, score: object, site: object, options: RowOptions) -> tuple[Rows, Category]:
    """Read rows and their sites."""
    y = rows_within(y)
    if isinstance(y, Rows) and y.horizon is not None and site is None:  # by_site(horizon, site)
        score, site = None, score
    if isinstance(y, Rows) and site is None:
        read = as_rows(y, score, options)
        if read.site is None:
            raise CurvewiseError("site: these rows hold no site; pass it here, or to read_rows.")
        return read, read.site
    columns = named_columns(site, "site")
    if len(columns) != 1:
        raise CurvewiseError(f"site: expected one column, got {len(columns)}; several are for by_group.")
    data = next(iter(columns.values()))
    if isinstance(y, Rows):
        read, found = beside_rows(as_rows(y, score, options), columns, "site")
        return read, found[0]
    if data is None:
        as_column(None, "site")  # refuses
    read = with_near_weights(read_rows(y, score, site=data, **options))
    assert read.site is not None  # noqa: S101 - it was given
    return read, read.site


def _site(found: Groups, which: int, common: float | None) -> Site:
    group = found.groups()[which]
    sweep, threshold = group.sweep, found.threshold
    both = bool(sweep.positives and sweep.negatives)
    moved = sweep.at_prevalence(common) if both and common is not None else None
    precision = None
    if threshold is not None and common is not None:
        part = next(iter(found.partitions.values()))
        rows = None if found.is_plain else part.rows_of(which)
        precision = precision_at(sweep, threshold, common, found.level, rows)
    own = average_precision(sweep) if sweep.positives else math.nan
    return Site(group, *_logit(group), own, math.nan if moved is None else average_precision(moved), precision)


def precision_at(sweep: Sweep, threshold: float, prevalence: float, level: float, rows: Rows | None = None) -> Estimate:
    """Return π·TPR / (π·TPR + (1-π)·FPR), which rises with LR+ = TPR/FPR, whose interval is MOVER-R's."""
    rates = several(("recall", "fpr"), {"threshold": threshold})
    recall, fpr = intervals_of(rates.values(), sweep if rows is None else rows, level=level).values()
    for rate in (recall, fpr):
        if rate.reason is not None:
            return undefined("precision", level, rate.reason)
    together = 0.0
    if rows is not None:  # a cluster with both classes moves both
        one, two = (rate_of(rate, rows, level) for rate in rates.values())
        together = one.correlation(two)
    if recall.value == 0 and fpr.value == 0:
        return undefined("precision", level, note("none_flagged"))
    low, high = ends_of_two(ratio_ends, recall, fpr, together)
    odds = prevalence / (1 - prevalence)

    def share(ratio: float) -> float:
        return 1.0 if math.isinf(ratio) else odds * ratio / (1 + odds * ratio)

    value = share(recall.value / fpr.value if fpr.value else math.inf)
    return Estimate("precision", value, share(low), share(high), level, "MOVER-R of LR+")


def _logit(group: Group) -> tuple[float, float, Note | None]:
    """Return the logit of a site's AUC and its standard error, or why there is none."""
    auc = group.estimates["roc_auc"]
    if group.label is None:
        return math.nan, math.nan, note("not_one_site")
    if not auc.has_interval or auc.standard_error is None:
        return math.nan, math.nan, because(auc.reason)
    a = auc.value
    if a in (0, 1):  # half a pair is lost, and the interval of the error ends at the bound
        logit = math.log((group.units[0] * group.units[1] + 0.5) / 0.5)
        low = logit_wald(1.0, 0.0, BOUND, min(group.units))[0]
        error = (logit - math.log(low / (1 - low))) / critical_value(BOUND)
        return (logit if a == 1 else -logit), error, None
    if auc.standard_error == 0:
        return math.nan, math.nan, note("auc_without_variance")
    return math.log(a / (1 - a)), auc.standard_error / (a * (1 - a)), None

"""Validation at several sites: AUC at each, pooled, and where a new site may lie."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Unpack

from curvewise.breakdown.balance import BY_FORMULA, are_probabilities
from curvewise.breakdown.breakdown import listed
from curvewise.breakdown.by_group import break_down
from curvewise.breakdown.measures import measures
from curvewise.breakdown.membership import read_grouped
from curvewise.breakdown.prevalence import precision_at
from curvewise.breakdown.sites import Site, Sites, pool_sites
from curvewise.errors import CurvewiseError
from curvewise.inference.limits import logit_wald
from curvewise.metric.average_precision import average_precision
from curvewise.rows.category import named_columns
from curvewise.rows.checks import one_of, real

if TYPE_CHECKING:
    import numpy as np

    from curvewise.breakdown.breakdown import Group
    from curvewise.breakdown.pooling import Method
    from curvewise.core.sweep import Sweep
    from curvewise.rows.reading import RowOptions

BOUND = 0.95  # the level of the bound that stands for the error of a perfect site


def by_site(
    y: object,
    score: object,
    site: object,
    *,
    threshold: float | None = None,
    common_prevalence: float | None = None,
    method: Method = "reml",
    level: float = 0.95,
    rng: np.random.Generator | int | None = None,
    replicates: int = 500,
    **rows: Unpack[RowOptions],
) -> Sites:
    """Judge a model at every site, pool the AUCs by random effects, and say what to expect at a new one.

    Parameters
    ----------
    y, score
        Labels and scores; the options of `curvewise.sweep` apply.
    site
        One name a row. Rows without one are listed, and not pooled.
    threshold
        Where scores are cut; adds precision at each site.
    common_prevalence
        The share of positives at which precision, AP and PR curves of sites are comparable; by default
        that of all rows.
    method
        How the variance between sites is estimated: ``"reml"`` or ``"paule-mandel"``.
    level
        The confidence level of all intervals.
    rng, replicates
        Seed and number of resamples, for rates with fractional weights.

    Returns
    -------
    Sites
        ``table`` (with calibration where scores lie in [0, 1]), ``pooled``, ``forest``, ``leave_one_out``,
        ``pr_curves()``.

    Notes
    -----
    AUC does not depend on prevalence and is compared as it is; precision does, and a site with fewer
    positives has less of it with the very same ranking: compare it at the common prevalence only. AUCs are
    pooled as logits, with standard errors SE/(A(1-A)) from DeLong's variance (see
    `curvewise.random_effects`). A site without a class, or with one row of it, is left out and named. A
    site with perfect separation has no logit: half a pair is taken to be lost, and the standard error is
    the one whose interval ends at the bound (α/2)^(1/min(P, N)), so that it weighs little.

    The prediction interval, not the confidence interval, says what a new site may show.

    References
    ----------
    Debray et al. (2017) BMJ 356:i6460. Snell, Ensor, Debray, Moons & Riley (2018) Stat. Methods
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
    level = real("level", level, 0, 1, closed=False)
    one_of("method", method, ("reml", "paule-mandel"))
    if common_prevalence is not None:
        common_prevalence = real("common_prevalence", common_prevalence, 0, 1, closed=False)
    columns = named_columns(site, "site")
    if len(columns) != 1:
        raise CurvewiseError(f"site: expected one column, got {len(columns)}; several are for by_group.")
    read, members = read_grouped(y, score, columns, rows, role="site")
    metrics = ["roc_auc", *([] if threshold is None else ["precision"])]
    metrics += BY_FORMULA if are_probabilities(read) else []
    found = break_down(read, members, measures(metrics, threshold), level, threshold, rng, replicates)
    whole = found.overall.sweep
    if common_prevalence is None and whole.positives and whole.negatives:
        common_prevalence = whole.prevalence
    sites = tuple(_site(g, threshold, common_prevalence, level) for g in found.groups())
    kept = [s for s in sites if not s.left_out]
    notes = [f"{s.name} is left out of pooling: {s.left_out}" for s in sites if s.left_out]
    perfect = [s.name for s in kept if s.auc.value in (0, 1)]
    if perfect:
        notes.append(
            f"perfect separation at {listed(perfect)}: pooled with half a pair lost and the standard error "
            "of the bound"
        )
    if len(kept) < 2:
        notes.append(f"pooling needs at least two sites, got {len(kept)}")
    model = pool_sites(kept, level, method) if len(kept) > 1 else None
    return Sites(
        sites, found.overall, model, common_prevalence, level, method, threshold, read.dropped, tuple(notes)
    )


def _site(group: Group, threshold: float | None, common: float | None, level: float) -> Site:
    sweep = group.sweep
    both = bool(sweep.positives and sweep.negatives)
    moved = sweep.at_prevalence(common) if both and common is not None else None
    return Site(
        group,
        *_logit(group),
        average_precision(sweep) if sweep.positives else math.nan,
        math.nan if moved is None else average_precision(moved),
        None if threshold is None or common is None else precision_at(sweep, threshold, common, level),
    )


def _logit(group: Group) -> tuple[float, float, str]:
    """Return the logit of a site's AUC and its standard error, or why there is none."""
    auc = group.estimates["roc_auc"]
    if group.label is None:
        return math.nan, math.nan, "rows without a site are not one site"
    if math.isnan(auc.low) or auc.standard_error is None:
        return math.nan, math.nan, "; ".join(auc.notes)
    a = auc.value
    if a in (0, 1):
        return *_perfect(group.sweep, a), ""
    if auc.standard_error == 0:
        return math.nan, math.nan, "the scores are constant within each class: the variance of its AUC is 0"
    return math.log(a / (1 - a)), auc.standard_error / (a * (1 - a)), ""


def _perfect(sweep: Sweep, auc: float) -> tuple[float, float]:
    """Return the logit with half a pair lost, and the error whose interval ends at the bound."""
    pairs = sweep.positives * sweep.negatives
    logit = math.log((pairs + 0.5) / 0.5)
    bound = logit_wald(1.0, 0.0, BOUND, min(sweep.positives, sweep.negatives))[0]
    error = (logit - math.log(bound / (1 - bound))) / NormalDist().inv_cdf((1 + BOUND) / 2)
    return (logit if auc == 1 else -logit), error

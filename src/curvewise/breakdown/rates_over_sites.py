"""Sensitivity and specificity at one threshold, pooled over sites both at once, and what to expect at a new site."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise.arrays import Floats
from curvewise.breakdown.bivariate import Bivariate, binomial_fit, normal_fit
from curvewise.breakdown.by_site import read_sites
from curvewise.breakdown.group_gaps import listed
from curvewise.breakdown.partition import partition, ranked
from curvewise.breakdown.pooled_rates import COUNTS, PooledRates, RatesMethod, SiteRates
from curvewise.breakdown.pooling import FEW_SITES, random_effects
from curvewise.breakdown.q_profile import Ends, mixture_ends
from curvewise.errors import CurvewiseError, Note, OptionError, UndefinedMetricError, note
from curvewise.inference.limits import expit
from curvewise.metric.log_odds import chance
from curvewise.results.estimate import Estimate
from curvewise.rows.category import category, named_columns
from curvewise.rows.checks import as_float, one_of, real
from curvewise.rows.reading import read_columns, real_numbers, refuse_unknown

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions

LEAST_SITES = 3
MOST_COUNT = 2**53  # counts are computed with as float64


def pool_rates(
    y: object = None,
    score: object = None,
    site: object = None,
    *,
    threshold: float | None = None,
    counts: object = None,
    method: RatesMethod = "binomial",
    level: float = 0.95,
    **rows: Unpack[RowOptions],
) -> PooledRates:
    """Pool sensitivity and specificity over sites, both at once, and say what to expect at a new site.

    Parameters
    ----------
    y, score, site
        `Rows` alone (with their site), or labels, scores and one name of a site per row. Rows without one are
        not pooled.
    threshold
        Where scores are cut: positive means score ≥ ``threshold``.
    counts
        Instead of rows: a dict or a frame with the columns ``tp``, ``fp``, ``fn``, ``tn`` (in any case), one
        row per site or study, and their names in ``site`` if there are any. Other columns are not read.
    method
        ``"binomial"`` (default): exact binomial counts, maximum likelihood. ``"normal"``: logits with known
        variances, restricted maximum likelihood (Reitsma et al. 2005), as R's ``mada::reitsma``; 0.5 is added
        to the counts of sites where one is 0.
    level
        The confidence level.
    **rows
        Options of `curvewise.sweep`. Sites are pooled by their counts of independent rows, so that clusters
        and sampling weights are refused.

    Returns
    -------
    PooledRates
        ``sensitivity``, ``specificity``, ``new_sensitivity``, ``new_specificity``, ``between_sd``,
        ``correlation``, ``hsroc``, ``region()``, ``curve()``, ``forest``.

    Raises
    ------
    UndefinedMetricError
        With fewer than three sites that have positives, or negatives; where every site has the same rate of
        0 or 1, whose logit is infinite.

    Notes
    -----
    The logits of sensitivity and specificity of a site are bivariate normal over sites; where sites use
    different thresholds, or read the same one differently, one rises as the other falls (``correlation`` < 0).
    The summary point is the rate of a typical site (the median), not the mean of rates.

    Intervals do not take the spread between sites as known. With ``"binomial"`` each rate's likelihood is
    integrated over its mean and spread τ, flat in the mean and with the weight 1/(1 + (τ/2)²) for τ; with
    ``"normal"`` they are those of `curvewise.random_effects`. Simulated with ten to twenty sites of 10 to 200
    positives, sensitivity and specificity 0.75 to 0.95 and standard deviations of 0.2 to 0.8 between sites,
    nominal 95% intervals held 93 to 99 in 100 for the summary and for a new site, regions 92 to 99; Wald
    intervals of the same model held 84 to 97, and its prediction ellipse 66 to 74.

    A threshold chosen on these rows makes both rates too good; choose it elsewhere.

    References
    ----------
    Reitsma et al. (2005) J. Clin. Epidemiol. 58:982-990. Chu & Cole (2006) J. Clin. Epidemiol. 59:1331-1332
    (exact counts). Harbord et al. (2007) Biostatistics 8:239-251 (summary curve). Rutter & Gatsonis (2001)
    Statist. Med. 20:2865-2884.

    Examples
    --------
    >>> import curvewise as cw
    >>> counts = {"tp": [47, 126, 19, 36, 130, 84], "fn": [9, 51, 10, 3, 19, 2],
    ...           "fp": [101, 272, 12, 78, 211, 68], "tn": [738, 1543, 192, 276, 959, 89]}
    >>> found = cw.pool_rates(counts=counts)
    >>> print(found.sensitivity.brief())
    0.8571 (0.6729 to 0.9567)
    >>> [round(end, 2) for end in found.new_sensitivity]
    [0.25, 0.99]
    >>> round(found.correlation, 2)
    -0.94
    """
    one_of("method", method, ("binomial", "normal"))
    level = real("level", level, 0, 1, closed=False)
    if counts is not None:
        if any(v is not None for v in (y, score, site, threshold)) or rows:
            raise OptionError.of("counts", "counts stand in the place of rows: pass nothing else but method and level.")
        sites, dropped, backend = *_from_counts(counts), None
    else:
        sites, dropped, backend = _from_rows(y, score, site, threshold, rows)
    return _pooled(sites, method, level, None if threshold is None else as_float(threshold), dropped, backend)


def _pooled(
    named: Sequence[SiteRates | Note],
    method: RatesMethod,
    level: float,
    threshold: float | None,
    dropped: int,
    backend: str | None,
) -> PooledRates:
    notes = [s for s in named if isinstance(s, Note)]
    sites = tuple(s for s in named if isinstance(s, SiteRates))
    hits = np.array([(s.tp, s.tn) for s in sites], dtype=np.float64).reshape(-1, 2)
    of = np.array([(s.positives, s.negatives) for s in sites], dtype=np.float64).reshape(-1, 2)
    if method == "normal":
        lacking = [s.name for s, n in zip(sites, of, strict=True) if not n.all()]
        if lacking:
            notes.append(note("rates_left_out", sites=listed(lacking)))
            hits, of = hits[of.all(axis=1)], of[of.all(axis=1)]
    for place, (rate, kind) in enumerate((("sensitivity", "positives"), ("specificity", "negatives"))):
        have = int(np.count_nonzero(of[:, place]))
        if have < LEAST_SITES:
            raise UndefinedMetricError(
                f"Pooling rates needs at least {LEAST_SITES} sites with {kind} (and both classes for method='normal'), "
                f"got {have}."
            )
        if hits[:, place].sum() in (0, of[:, place].sum()):
            value = int(hits[:, place].sum() > 0)
            raise UndefinedMetricError(
                f"The {rate} is {value} at every site, so that its logit is infinite: there is nothing to pool; "
                f"give the counts, or choose another threshold."
            )
    if method == "binomial":
        model = binomial_fit(hits, of)
        ends = [mean_and_new(*both, level) for both in zip(hits.T, of.T, strict=True)]
    else:
        model, ends = _normal(hits, of, level, notes)
    if len(hits) < FEW_SITES:
        notes.append(note("few_sites", sites=len(hits)))
    found, new = [], []
    how = "integrated binomial likelihood" if method == "binomial" else "q-profile"
    for metric, mean, (near, ahead) in zip(("sensitivity", "specificity"), model.mean, ends, strict=True):
        # the mean of the bivariate fit may, at low levels, lie outside of what the rate alone says
        low, high = min(near[0], mean), max(near[1], mean)
        found.append(Estimate(metric, expit(mean), expit(low), expit(high), level, how))
        new.append((expit(min(ahead[0], low)), expit(max(ahead[1], high))))
    asked = (level, method, threshold, dropped, tuple(notes), backend)
    return PooledRates(found[0], found[1], new[0], new[1], sites, model, *asked)


def _normal(hits: Floats, of: Floats, level: float, notes: list[Note]) -> tuple[Bivariate, list[tuple[Ends, Ends]]]:
    """Fit logits with known variances; counts with a 0 among them get 0.5 each."""
    missed = of - hits
    empty = ((hits == 0) | (missed == 0)).any(axis=1)
    if empty.any():
        notes.append(note("half_added", sites=int(empty.sum())))
    hits, missed = (v + 0.5 * empty[:, None] for v in (hits, missed))
    logits, variances = np.log(hits / missed), 1 / hits + 1 / missed
    each = [random_effects(one, error, level=level) for one, error in zip(logits.T, np.sqrt(variances).T, strict=True)]
    ends = [((p.low, p.high), (p.prediction_low, p.prediction_high)) for p in each]
    return normal_fit(logits, variances), ends


def _from_rows(
    y: object, score: object, site: object, threshold: float | None, options: RowOptions
) -> tuple[list[SiteRates | Note], int, str | None]:
    """Count each site's rows on both sides of the threshold."""
    refuse_unknown(options, ("site", "threshold", "counts", "method", "level"))
    if threshold is None:
        raise OptionError.of("threshold", "rates need a threshold; pass threshold=, or counts= in the place of rows.")
    read, where = read_sites(y, score, site, options)
    if not read.is_plain:
        raise CurvewiseError(
            "pool_rates counts independent rows: it takes neither clusters, nor strata, nor sampling weights; "
            "pass weight_kind='count' if weights are numbers of rows."
        )
    found: list[SiteRates | Note] = []
    for name, label, sweep in zip(
        where.names, where.labels, partition(read, ranked(read), where).sweeps(), strict=True
    ):
        at = sweep.at(threshold)
        if label is None:
            found.append(note("site_left_out", site=name, why=note("not_one_site")))
        else:
            found.append(SiteRates(name, *(int(getattr(at, k) or 0) for k in COUNTS)))
    return found, read.dropped, read.backend


def _from_counts(counts: object) -> tuple[list[SiteRates | Note], int]:
    """Read the four counts of each site, and its name if it has one."""
    given = {str(name).lower(): data for name, data in named_columns(counts, "counts").items()}
    lacking = [k for k in COUNTS if k not in given]
    if lacking:
        raise CurvewiseError(f"counts: expected the columns tp, fp, fn, tn, found no {', '.join(lacking)}.")
    beside = {"site": given["site"]} if given.get("site") is not None else {}
    columns, others, _ = read_columns({k: given[k] for k in COUNTS}, "raise", beside)
    values = {k: real_numbers(c) for k, c in columns.items()}
    for name, column in columns.items():
        v = values[name].astype(np.float64)
        bad = ~((v >= 0) & (v < MOST_COUNT) & (v == np.floor(v)))
        if bad.any():
            raise column.wrong(bad, "whole numbers of 0 or more")
    names = [str(k + 1) for k in range(len(values["tp"]))]
    if beside:
        sites = category("site", others["site"])
        names = [sites.names[code] for code in sites.code]
    rows = zip(names, *(values[k].tolist() for k in COUNTS), strict=True)
    return [SiteRates(name, *map(int, each)) for name, *each in rows], 0


# ---- A rate over sites from its exact counts: the mean of its logit and a new site, for every spread allowed ----
# Each site has x of n, binomial with a logit that is normal over sites: N(μ, τ²). The likelihood of (μ, τ) is
# integrated over a grid, flat in μ and with Cauchy's weight 1/(1 + (τ/2)²) for τ, which matters for few sites alone.

MEANS, SPREADS, ZOOMS = 61, 32, 8
LARGEST = 6.0  # τ: logits ± 12 are rates of 0 and 1
TYPICAL = 2.0  # τ at which its weight has fallen to one half
TINY = 1e-6  # a density below this share of the largest is left out  # mutants: rounding
FARTHEST = 15.0  # logits
STEPS, LONGEST = 8, 3.0  # of Newton's method
NODE, WEIGHT = np.polynomial.hermite_e.hermegauss(9)
LOG_WEIGHT = np.log(WEIGHT / math.sqrt(2 * math.pi))


def likelihood(x: Floats, n: Floats, mean: Floats, tau: Floats) -> Floats:
    """Return the log-likelihood at each τ and mean, by adaptive Gauss-Hermite quadrature over each site's logit."""
    m, t = mean[None, :, None], tau[:, None, None]
    wanted = 1 / t**2
    rate = (x + 0.5) / (n + 1)
    own = (n + 1) * rate * (1 - rate)
    b = (np.log(rate / (1 - rate)) * own + m * wanted) / (own + wanted)
    for _ in range(STEPS):
        p = chance(b)
        b = b + np.clip((x - n * p - (b - m) * wanted) / (n * p * (1 - p) + wanted), -LONGEST, LONGEST)
    p = chance(b)
    width = 1 / np.sqrt(n * p * (1 - p) + wanted)
    terms = []
    for z, share in zip(NODE, LOG_WEIGHT, strict=True):
        at = b + width * z
        terms.append(x * at - n * np.logaddexp(0, at) - ((at - m) / t) ** 2 / 2 + z * z / 2 + share)
    found = np.logaddexp.reduce(np.array(terms), axis=0) + np.log(width / t)
    return np.asarray(found.sum(axis=-1))


def mean_and_new(x: Floats, n: Floats, level: float) -> tuple[Ends, Ends]:
    """Return, as logits, the interval of the mean and that of a new site; a site with n = 0 says nothing."""
    x, n = x[n > 0], n[n > 0]
    logits = np.log((x + 0.5) / (n - x + 0.5))
    means = (max(float(logits.min()) - 3, -FARTHEST), min(float(logits.max()) + 3, FARTHEST))
    roots = (0.0, math.sqrt(LARGEST))  # of τ, so that small ones lie closer
    for _ in range(ZOOMS):
        mean: Floats = np.linspace(*means, MEANS)
        step = (roots[1] - roots[0]) / SPREADS
        root = np.asarray(roots[0] + step * (np.arange(SPREADS) + 0.5), dtype=np.float64)
        tau = root**2
        log = likelihood(x, n, mean, tau) + np.log(root / (1 + (tau / TYPICAL) ** 2))[:, None]
        density = np.exp(log - log.max())
        where = [_range(mean, density.sum(axis=0)), _range(root, density.sum(axis=1))]
        seen = [where[0], (max(where[1][0], 0.0), where[1][1])]
        if all(b - a > 0.6 * (d - c) for (a, b), (c, d) in zip(seen, (means, roots), strict=True)):
            break
        means, roots = (max(seen[0][0], -FARTHEST), min(seen[0][1], FARTHEST)), seen[1]
    share = density / density.sum()
    of_mean = share.sum(axis=0)
    below = np.cumsum(of_mean) - of_mean / 2
    low, high = np.interp([(1 - level) / 2, (1 + level) / 2], below, mean).tolist()
    # each cell of the grid is a normal as wide as the cell is
    spread = np.sqrt(tau**2 + (mean[1] - mean[0]) ** 2 / 12)
    centres, spreads = (v.ravel() for v in np.broadcast_arrays(mean[None], spread[:, None]))
    reach = 12 * float(spread.max())
    # mutants: search range
    new = mixture_ends(centres, spreads, share.ravel(), level, mean[0] - reach, mean[-1] + reach)
    return (low, high), new


def _range(at: Floats, density: Floats) -> Ends:
    """Return where a density is not negligible, and one cell more on each side."""
    kept = np.flatnonzero(density > TINY * density.max())
    cell = at[1] - at[0]
    return float(at[kept[0]] - cell), float(at[kept[-1]] + cell)

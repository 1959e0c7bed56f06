"""How far apart groups are, as estimates of differences and ratios, and tests that they are equal.

The interval of a difference or a ratio is recovered from the intervals of its two members (`pair_ends`). The
largest of all pairs is a choice made by looking at the data: its members' intervals are widened by the quantile of
the studentised range, so that all pairs hold at once, and the largest among them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from curvewise.breakdown.pair_ends import difference_ends, ratio_ends, widest_ends
from curvewise.breakdown.partition import without
from curvewise.core.resampling import at_one_threshold
from curvewise.core.threads import in_threads
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, note
from curvewise.inference.comparison import Comparison, Pair, holm
from curvewise.inference.limits import BOOTSTRAPS, critical_value, crossing
from curvewise.inference.methods import rate_of
from curvewise.results.estimate import Estimate, undefined
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from curvewise.breakdown.group_metrics import Group, Groups
    from curvewise.core.registry import Bound
    from curvewise.core.sweep import Sweep
    from curvewise.rows.rows import Rows

    Floats = NDArray[np.float64]
    Places = NDArray[np.intp]
    Ends = Sequence[Floats]
    Picked = tuple["Member", "Member", tuple[float, float]]

REST = "rest"
EXPECTED = 5  # fewer rows than this expected in a cell make a chi-square doubtful
MOST_PAIRED = 1000  # groups of which every pair is compared


@dataclass(frozen=True)
class Member:
    """One side of a comparison: an estimate, and its ends at the level that all comparisons need."""

    name: str
    estimate: Estimate
    ends: tuple[float, float]


def gap_of(found: Groups, target: Bound, column: str, reference: object, *, ratio: bool) -> Estimate:
    """Return the largest difference (or ratio) of groups, with an interval that knows it was picked."""
    groups, name = found.breakdowns[column], f"{'ratio' if ratio else 'gap'} of {target.name}"
    if len(groups) < 2:
        return undefined(name, found.level, note("only_one_group", column=column))
    to_rest = isinstance(reference, str) and reference == REST
    chosen = None if reference is None or to_rest else _find(groups, reference)
    # against the rest, two groups are one comparison: each is the other's rest
    pairs = len(groups) - 1 if chosen is not None or len(groups) == 2 else len(groups)
    level = range_level(len(groups), found.level) if reference is None else 1 - (1 - found.level) / pairs
    kept = [k for k in range(len(groups)) if k != chosen]
    members = _members(found, column, kept, target, level)
    others = _rest(found, target, column, level) if to_rest else []
    if chosen is not None:
        others = _members(found, column, [chosen], target, level)
    why = _undefined(target.name, members, others, ratio=ratio)
    if why is not None:
        return undefined(name, found.level, why)
    together = found.correlation(target.name, column, rest=to_rest)
    told = []
    if reference is None:
        first, second, ends = widest(members, together, ratio=ratio)
        method = ", studentised range" if len(members) > 2 else ""
        if len(members) > 2 and not ratio and not math.isnan(ends[0]):
            error = np.diff([m.ends for m in members])[:, 0] / 2 / critical_value(level)
            told = [note("chance_spread", groups=len(members), spread=expected_spread(error))]
    else:
        own = 0.0 if together is None else np.diag(together) if to_rest else together[kept, chosen]
        first, second, ends = _against(members, others, own, ratio=ratio)
        method = ", Bonferroni" if pairs > 1 else ""
        told = [note("farthest_of", groups=len(members))] if pairs > 1 else []
    a, b = first.estimate.value, second.estimate.value
    over = "group_over" if ratio else "group_minus"
    told.insert(0, note(over, first=first.name, first_value=a, second=second.name, second_value=b))
    small = [g.name for g in groups if g.is_small]
    told += [note("small_groups", groups=listed(small))] if small else []
    method = f"MOVER{'-R' if ratio else ''}{method}"
    gap = Estimate(name, a / b if ratio else a - b, *ends, found.level, method, notes=tuple(told))
    return gap if gap.has_interval else gap.without_interval(note("member_without_interval"))


@lru_cache(maxsize=256)
def range_level(groups: int, level: float) -> float:
    """Return the level of each estimate at which all pairs of ``groups`` estimates hold at ``level``.

    The quantile q of the range of independent standard normals (Tukey) takes the place of √2·z.
    """
    if groups <= 2:
        return level
    return math.erf(crossing(lambda width: level - _below(width, groups), 0.0, 20.0) / 2)


def expected_spread(errors: Floats) -> float:
    """Return how far the largest of equal groups would lie above the smallest by chance, on average."""
    from scipy.special import ndtr  # noqa: PLC0415 - slow to load

    errors = errors[errors > 0]
    if len(errors) < 2:
        return 0.0
    x = np.linspace(-8, 8, 1601) * errors.max()
    below = np.ones(len(x))
    each, times = np.unique(errors, return_counts=True)  # of rates of small groups, many are equal
    for some in np.array_split(np.arange(len(each)), -(-len(each) // 1000)):
        below *= np.prod(ndtr(x[:, None] / each[some]) ** times[some], axis=1)  # all are below x: the largest is
    # the mean of the largest; the smallest is its mirror image
    return float(2 * np.trapezoid(np.heaviside(x, 0.5) - below, x))


def _below(width: float, groups: int) -> float:
    """Return the chance that independent standard normals lie within ``width`` of each other."""
    from scipy.special import ndtr  # noqa: PLC0415 - slow to load

    x = np.linspace(-8, 8, 801)  # mutants: rounding
    density = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    return float(groups * np.trapezoid(density * (ndtr(x + width) - ndtr(x)) ** (groups - 1), x))


def because(reason: Note | None) -> Note:
    """Return a reason as it stands within a sentence that already says "undefined"."""
    if reason is None:
        return note("function_nan")
    return note("nothing_there", empty=reason.values["empty"]) if reason.code == "zero_over_zero" else reason


def _undefined(metric: str, members: list[Member], others: list[Member], *, ratio: bool) -> Note | None:
    """Say why there is no number: a member has none, or a ratio would divide by 0."""
    missing = [m for m in (*members, *others) if not m.estimate.is_defined]
    if missing:
        first, more = missing[0], len(missing) - 1
        values = {"metric": metric, "group": first.name, "why": because(first.estimate.reason)}
        return note("undefined_in_more", more=more, **values) if more else note("undefined_in", **values)
    if not ratio:
        return None
    if any(m.estimate.value < 0 for m in (*members, *others)):
        return note("ratio_needs_positive")
    zero = [m.name for m in others or members if m.estimate.value == 0]
    if others:
        return note("zero_in", metric=metric, group=zero[0]) if zero else None
    return note("zero_everywhere", metric=metric) if len(zero) == len(members) else None


def widest(members: list[Member], together: Floats | None, *, ratio: bool) -> Picked:
    """Take the largest and the smallest; all pairs hold at once, so the largest holds too."""
    value, low, high = _arrays(members)
    top, bottom = members[int(np.argmax(value))], members[len(value) - 1 - int(np.argmin(value[::-1]))]
    first, second = (bottom, top) if ratio else (top, bottom)
    if np.isnan([low, high]).any():
        return first, second, (math.nan, math.nan)
    ends = widest_ends(value, low, high, together, ratio=ratio)
    if ratio:
        return first, second, (ends[0], min(ends[1], 1.0))
    return first, second, (max(ends[0], 0.0), ends[1])


def _against(members: list[Member], others: list[Member], together: Floats | float, *, ratio: bool) -> Picked:
    """Take the member that is farthest from its reference."""
    a, *of_a = _arrays(members)
    b, *of_b = (np.broadcast_to(v, a.shape) for v in _arrays(others))
    low, high = (ratio_ends if ratio else difference_ends)(a, of_a, b, of_b, together)
    with np.errstate(divide="ignore"):
        k = int(np.argmax(np.abs(np.log(a / b) if ratio else a - b)))
    return members[k], others[k if len(others) > 1 else 0], (float(low[k]), float(high[k]))


def _arrays(members: Sequence[Member]) -> list[Floats]:
    return list(np.array([(m.estimate.value, *m.ends) for m in members]).T)


def _members(found: Groups, column: str, places: list[int], target: Bound, level: float) -> list[Member]:
    """Return some groups with their ends at a level."""
    some = [found.breakdowns[column][k] for k in places]
    many = found.side_by_side.get(column)
    if many is not None and many.formula(target):
        ends = zip(*(each[places].tolist() for each in many.ends(target, level)), strict=True)
        return [Member(g.name, g.estimates[target.name], own) for g, own in zip(some, ends, strict=True)]

    def member(which: int, group: Group) -> Member:
        estimate = group.estimates[target.name]
        rows = None if found.is_plain else found.partitions[column].rows_of(which)
        return Member(group.name, estimate, _ends(found, target, estimate, group.sweep, rows, level))

    return list(map(member, places, some))


def _ends(
    found: Groups, target: Bound, estimate: Estimate, sweep: Sweep, rows: Rows | None, level: float
) -> tuple[float, float]:
    """Return the ends of an interval at another level; of quantiles of resamples from the standard error."""
    quantiles = estimate.method in BOOTSTRAPS
    if not estimate.has_interval or (level == estimate.level and (not quantiles or level == found.level)):
        return estimate.low, estimate.high
    if not quantiles:
        other = found.estimate(target, sweep, rows, level)
        return other.low, other.high
    away = critical_value(level) * (estimate.standard_error or 0.0)
    return estimate.value - away, estimate.value + away


def _rest(found: Groups, target: Bound, column: str, level: float) -> list[Member]:
    """Return the estimate of all other rows, for each group; their sweeps are not kept."""
    groups, dealt = found.breakdowns[column], found.partitions[column]
    if any(g.name == REST for g in groups):
        raise CurvewiseError(
            f"reference: a group of {column} is itself called {REST!r}, so {REST!r} is unclear; rename it."
        )

    def seen(sweep: Sweep) -> Sweep:
        """Keep no more of a sweep than a metric at one threshold needs."""
        cut = target.threshold
        return sweep if cut is None or not found.is_plain else at_one_threshold(sweep, cut)

    whole = seen(found.overall.sweep)

    def one(k: int) -> Member:
        sweep = without(whole, seen(groups[k].sweep))
        rows = None if found.is_plain else dealt.rows_of_the_rest(k)
        estimate = found.estimate(target, sweep, rows, level)
        return Member(f"the rest of {column}", estimate, _ends(found, target, estimate, sweep, rows, level))

    return in_threads(one, range(len(groups)), len(whole.threshold) * len(groups))


def _find(groups: tuple[Group, ...], reference: object) -> int:
    for k, g in enumerate(groups):
        if g.name == reference or (isinstance(g.label, type(reference)) and g.label == reference):
            return k
    names = listed([g.name for g in groups], 8)
    raise CurvewiseError(
        f"reference: expected 'rest' or a group of {groups[0].column} ({names}), got {shown(reference)}."
    )


def listed(names: list[str], most: int = 5) -> str:
    """Write the first names of a list."""
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def compare_groups(found: Groups, target: Bound, column: str) -> Comparison:
    """Compare the groups of a column in one metric."""
    groups, name = found.breakdowns[column], target.name
    places = [k for k, g in enumerate(groups) if g.estimates[name].has_interval]
    kept = [groups[k] for k in places]
    why = [(g.name, g.why(name)) for g in groups]
    notes = [note("group_left_out", group=group, why=w) for group, w in why if w is not None]
    if len(kept) < 2:
        raise UndefinedMetricError(
            f"A test of equal {name} needs two groups that define it, got {len(kept)} of {column}."
        )
    value, low, high = np.array([(e.value, e.low, e.high) for e in (g.estimates[name] for g in kept)]).T
    i, j = np.triu_indices(len(kept) if len(kept) <= MOST_PAIRED else 1, 1)
    if len(kept) > MOST_PAIRED:
        notes.append(too_many_pairs(len(kept)))
    together = _correlation(found, target, column, places)
    joined = 0.0 if together is None else together[i, j]
    ends = difference_ends(value[i], (low[i], high[i]), value[j], (low[j], high[j]), joined)
    method, z, chi, doubtful = _statistics(found, target, column, places, i, j)
    if doubtful:
        notes.append(note("few_expected", rows=EXPECTED))
    from scipy.special import chdtrc, ndtr  # noqa: PLC0415 - slow to load

    def pair(i: int, j: int, low: float, high: float, z: float) -> Pair:
        gap = Estimate(f"difference of {name}", value[i] - value[j], low, high, found.level, "MOVER")
        return Pair(kept[i].name, kept[j].name, gap, z, 2 * float(ndtr(-abs(z))), math.nan)

    pairs = holm(list(map(pair, *(v.tolist() for v in (i, j, *ends, z)))))
    degrees = len(kept) - 1
    values = {g.name: float(v) for g, v in zip(kept, value, strict=True)}
    omnibus = (chi, float(degrees), float(chdtrc(degrees, chi)))
    return Comparison(name, method, values, pairs, omnibus, tuple(notes))


def p_equal(found: Groups, target: Bound, column: str) -> float:
    """Return the p-value of all groups being equal, NaN where a group does not define the metric."""
    groups = found.breakdowns[column]
    if len(groups) < 2 or not all(g.estimates[target.name].has_interval for g in groups):
        return math.nan
    from scipy.special import chdtrc  # noqa: PLC0415 - slow to load

    none = np.zeros(0, dtype=np.intp)
    try:
        chi = _statistics(found, target, column, range(len(groups)), none, none)[2]
    except UndefinedMetricError:
        return math.nan
    return float(chdtrc(len(groups) - 1, chi))


def _statistics(
    found: Groups, target: Bound, column: str, places: Sequence[int], first: Places, second: Places
) -> tuple[str, Floats, float, bool]:
    """Return the method, z of the pairs, chi-square of all, and whether cells are too small for it."""
    groups, dealt = found.breakdowns[column], found.partitions[column]

    def counts(k: int) -> tuple[float, float] | None:
        """Count a rate's rows: of clustered or weighted ones as many independent rows as they are worth."""
        if found.is_plain:
            return target.rate(groups[k].sweep)
        known = rate_of(target, dealt.rows_of(k), found.level)
        return known.value * known.trials, known.trials

    many = found.side_by_side.get(column)
    if target.metric.rate is not None and many is not None:
        return "chi-square", *of_rates(np.array(many.rate(target)).T[list(places)], first, second)
    if target.metric.rate is not None and dealt.is_independent:
        return "chi-square", *of_rates(np.array([counts(k) for k in places], dtype=np.float64), first, second)
    estimates = [groups[k].estimates[target.name] for k in places]
    together = _correlation(found, target, column, places)
    return "wald", *of_errors(estimates, together, first, second, found.level), False


def _correlation(found: Groups, target: Bound, column: str, places: Sequence[int]) -> Floats | None:
    """Return how the estimates of some groups go together, None where they are independent."""
    together = found.correlation(target.name, column)
    return None if together is None else together[np.ix_(places, places)]


def too_many_pairs(groups: int) -> Note:
    """Say that pairs of very many groups are left out."""
    return note("too_many_pairs", groups=groups, pairs=groups * (groups - 1) // 2, most=MOST_PAIRED)


def of_rates(counts: Floats, first: Places, second: Places) -> tuple[Floats, float, bool]:
    """Return z of each pair and the chi-square of all, each around the rate of those compared.

    Counts of clustered or weighted rows are those of the independent rows that tell as much (Rao & Scott
    1992).
    """
    part, whole = counts.T
    pooled = (part[first] + part[second]) / (whole[first] + whole[second])
    error = np.sqrt(pooled * (1 - pooled) * (1 / whole[first] + 1 / whole[second]))
    away = part[first] / whole[first] - part[second] / whole[second]
    z = np.divide(away, error, out=np.zeros_like(away), where=error > 0)
    common = part.sum() / whole.sum()
    within = whole * common * (1 - common)
    chi = float(np.sum((part - whole * common) ** 2 / within)) if 0 < common < 1 else 0.0
    return z, chi, bool((whole * min(common, 1 - common)).min() < EXPECTED) and 0 < common < 1


def of_errors(
    estimates: list[Estimate], together: Floats | None, first: Places, second: Places, level: float
) -> tuple[Floats, float]:
    """Return z of each pair and Cochran's Q; a standard error of 0 gives way to the interval's width.

    ``together`` is None where the estimates are independent.
    """
    reach = critical_value(level)
    value = np.array([e.value for e in estimates])
    error = np.array([e.standard_error or (e.high - e.low) / (2 * reach) for e in estimates])
    if not (error > 0).all():
        if (value == value[0]).all():
            return np.zeros(len(first)), 0.0
        raise UndefinedMetricError("A test of equality needs standard errors above 0: a group has none.")
    covariance = None if together is None else together * np.outer(error, error)
    apart = value[first] - value[second]
    shared = 0.0 if covariance is None else covariance[first, second]
    spread = np.sqrt(error[first] ** 2 + error[second] ** 2 - 2 * shared)
    z = np.divide(apart, spread, out=np.zeros_like(apart), where=spread > 0)
    if covariance is None:
        weight = 1 / error**2
        return z, float(np.sum(weight * (value - np.average(value, weights=weight)) ** 2))
    contrast = np.eye(len(value))[:-1] - np.eye(len(value))[1:]
    away, between = contrast @ value, contrast @ covariance @ contrast.T
    return z, float(away @ np.linalg.pinv(between) @ away)

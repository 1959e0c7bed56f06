"""How far apart groups are, as estimates of differences and ratios, and tests that they are equal.

The interval of a difference or a ratio is recovered from the intervals of its two members (`pair_ends`). The
largest of all pairs is a choice made by looking at the data: its members' intervals are widened by the quantile of
the studentised range, so that all pairs hold at once, and the largest among them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from curvewise.arrays import Floats
from curvewise.breakdown.pair_ends import difference_ends, farthest, ratio_ends, widest_ends
from curvewise.breakdown.partition import without
from curvewise.core.resampling import at_one_threshold
from curvewise.core.threads import in_threads
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, note
from curvewise.inference.comparison import LEAST_P, Comparison, Pair, holm
from curvewise.inference.limits import BOOTSTRAPS, critical_value, crossing
from curvewise.results.estimate import Estimate, undefined
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.breakdown.group_metrics import Group, Groups
    from curvewise.core.sweep import Sweep
    from curvewise.metric.registry import Bound
    from curvewise.rows.rows import Rows

    Ends = Sequence[Floats]
    Picked = tuple["Member", "Member", tuple[float, float]]

REST = "rest"
MOST_PAIRED = 1000  # groups of which every pair is compared
MOST_LEVELS = 20  # at which intervals are made to find a p-value
NEAREST, FARTHEST = 1e-3, 8.0  # deviates between which their levels differ from 0 and 1


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
    members = found.members(column, kept, target, level)
    others = found.members(column, kept, target, level, rest=True) if to_rest else []
    if chosen is not None:
        others = found.members(column, [chosen], target, level)
    why = found.incomparable(target.name, column) or _undefined(target.name, members, others, ratio=ratio)
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
    return math.erf(crossing(lambda reach: p_of_range(reach, groups) - (1 - level), 0.0, 14.0) / math.sqrt(2))


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


def members_of(found: Groups, column: str, places: Sequence[int], target: Bound, level: float) -> list[Member]:
    """Return some groups with their ends at a level."""
    some = [found.breakdowns[column][k] for k in places]
    many = found.side_by_side.get(column)
    columns = None if many is None else many.columns(target, level)
    if columns is not None:
        ends = zip(*(each[list(places)].tolist() for each in columns[1:3]), strict=True)
        return [Member(g.name, g.estimates[target.name], own) for g, own in zip(some, ends, strict=True)]

    def member(which: int, group: Group) -> Member:
        estimate = group.estimates[target.name]
        rows = None if found.is_plain else found.partitions[column].rows_of(which)
        return Member(group.name, estimate, _ends(found, target, estimate, group.sweep, rows, level))

    return list(map(member, places, some))


def _ends(
    found: Groups, target: Bound, estimate: Estimate, sweep: Sweep, rows: Rows | None, level: float
) -> tuple[float, float]:
    """Return the ends of an interval at another level; those of quantiles of resamples in proportion."""
    if not estimate.has_interval or level == estimate.level:
        return estimate.low, estimate.high
    if estimate.method not in BOOTSTRAPS:
        other = found.estimate(target, sweep, rows, level)
        return other.low, other.high
    times = critical_value(level) / critical_value(estimate.level)
    low, high = (estimate.value + times * (end - estimate.value) for end in (estimate.low, estimate.high))
    return low, high


def rest_of(found: Groups, column: str, places: Sequence[int], target: Bound, level: float) -> list[Member]:
    """Return the estimate of all other rows, for each of some groups; their sweeps are not kept."""
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

    return in_threads(one, places, len(whole.threshold) * len(places))


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
    if (why := found.incomparable(name, column)) is not None:
        raise UndefinedMetricError("{why}.", why=why)
    places = [k for k, g in enumerate(groups) if g.estimates[name].has_interval]
    kept = [groups[k] for k in places]
    reasons = [(g.name, g.why(name)) for g in groups]
    notes = [note("group_left_out", group=group, why=reason) for group, reason in reasons if reason is not None]
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
    reach = _deviate(found, target, column, places)
    omnibus = p_of_range(reach, len(kept))
    if len(kept) == 2:
        z = np.copysign(reach, value[i] - value[j])
    else:  # as many standard errors as the arm of its interval that is towards 0 has room for
        arms = np.where(value[i] > value[j], value[i] - value[j] - ends[0], ends[1] - value[i] + value[j])
        apart = value[i] - value[j]
        z = critical_value(found.level) * np.divide(apart, arms, out=np.zeros_like(apart), where=arms > 0)
    from scipy.special import chdtri, ndtr  # noqa: PLC0415 - slow to load

    def pair(i: int, j: int, low: float, high: float, z: float) -> Pair:
        gap = Estimate(f"difference of {name}", value[i] - value[j], low, high, found.level, "MOVER")
        return Pair(kept[i].name, kept[j].name, gap, z, max(2 * float(ndtr(-abs(z))), LEAST_P), math.nan)

    pairs = holm(list(map(pair, *(v.tolist() for v in (i, j, *ends, z)))))
    degrees = float(len(kept) - 1)
    values = {g.name: float(v) for g, v in zip(kept, value, strict=True)}
    return Comparison(name, "MOVER", values, pairs, (float(chdtri(degrees, omnibus)), degrees, omnibus), tuple(notes))


def p_equal(found: Groups, target: Bound, column: str) -> float:
    """Return the p-value of all groups being equal, NaN where a group does not define the metric."""
    groups = found.breakdowns[column]
    compared = len(groups) > 1 and found.incomparable(target.name, column) is None
    if not compared or not all(g.estimates[target.name].has_interval for g in groups):
        return math.nan
    try:
        return p_of_range(_deviate(found, target, column, range(len(groups))), len(groups))
    except UndefinedMetricError:
        return math.nan


def _deviate(found: Groups, target: Bound, column: str, places: Sequence[int]) -> float:
    """Return the normal deviate at which the interval of the widest gap ends at 0.

    The interval of each group is made anew at the level that is tried, except where it comes from resamples: its arms
    are then taken to grow as the deviate does, as they are beyond `FARTHEST`.
    """
    together, many = _correlation(found, target, column, places), found.side_by_side.get(column)
    drawn = any(found.breakdowns[column][k].estimates[target.name].replicates is not None for k in places)
    level, slope = range_level(len(places), found.level), -1.0
    reach, before = critical_value(level), (math.nan, math.nan)
    for _ in range(MOST_LEVELS):
        columns = None if many is None else many.columns(target, level)
        if columns is not None:
            value, low, high = (each[list(places)] for each in columns[:3])
        else:
            value, low, high = _arrays(found.members(column, places, target, level))
        times = farthest(value, low, high, together)
        if times == 0 or drawn:
            break
        here = math.log(reach), math.log(times)
        if here[0] != before[0] and not math.isnan(before[0]):
            slope = min(max((here[1] - before[1]) / (here[0] - before[0]), -3.0), -0.5)
        before, there = here, min(max(math.exp(here[0] - here[1] / slope), NEAREST), FARTHEST)
        if abs(there - reach) <= 1e-9 * reach:
            break
        reach, level = there, math.erf(there / math.sqrt(2))
    return reach * times


def p_of_range(reach: float, groups: int) -> float:
    """Return the chance that the range of independent standard normals exceeds √2 times this; never 0.

    The integral is that of what the range leaves out, so that small chances keep their digits.
    """
    from scipy.special import ndtr  # noqa: PLC0415 - slow to load

    if groups == 2:
        return max(2 * float(ndtr(-reach)), LEAST_P)
    width = math.sqrt(2) * reach
    x = np.linspace(-width / 2 - 9, 9, 2001)
    density, above = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi), ndtr(-x)
    beyond = np.minimum(ndtr(-x - width) / above, math.nextafter(1.0, 0.0))
    out = -np.expm1((groups - 1) * np.log1p(-beyond))
    return min(max(float(groups * np.trapezoid(density * above ** (groups - 1) * out, x)), LEAST_P), 1.0)


def _correlation(found: Groups, target: Bound, column: str, places: Sequence[int]) -> Floats | None:
    """Return how the estimates of some groups go together, None where they are independent."""
    together = found.correlation(target.name, column)
    return None if together is None else together[np.ix_(places, places)]


def too_many_pairs(groups: int) -> Note:
    """Say that pairs of very many groups are left out."""
    return note("too_many_pairs", groups=groups, pairs=groups * (groups - 1) // 2, most=MOST_PAIRED)

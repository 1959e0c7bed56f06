"""How far apart groups are: differences and ratios of two groups, or the largest of all, as estimates.

The interval of a difference or a ratio is recovered from the intervals of its two members (MOVER); for
proportions with Wilson's intervals that is Newcombe's hybrid score method. The largest of all pairs is a
choice made by looking at the data: its members' intervals are widened by the quantile of the studentised
range, so that all pairs hold at once, and the largest among them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from curvewise.breakdown.partition import independent, without
from curvewise.core.resampling import at_one_threshold
from curvewise.core.threads import in_threads
from curvewise.errors import CurvewiseError, Note, note
from curvewise.inference.limits import logit_wald
from curvewise.results.estimate import Estimate, undefined
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from curvewise.breakdown.group_metrics import Group, Groups
    from curvewise.core.registry import Bound
    from curvewise.core.sweep import Sweep
    from curvewise.rows.reading import Rows

    Floats = NDArray[np.float64]
    Ends = tuple[Floats, Floats]

REST = "rest"


@dataclass(frozen=True)
class Member:
    """One side of a comparison: an estimate, and its ends at the level that all comparisons need."""

    name: str
    estimate: Estimate
    ends: tuple[float, float]


def gap_of(found: Groups, target: Bound, column: str, reference: object, *, ratio: bool) -> Estimate:
    """Return the largest difference (or ratio) of groups, with an interval that knows it was picked."""
    groups = found.breakdowns[column]
    name = f"{'ratio' if ratio else 'gap'} of {target.name}"
    if len(groups) < 2:
        return undefined(name, found.level, note("only_one_group", column=column))
    to_rest = isinstance(reference, str) and reference == REST
    chosen = None if reference is None or to_rest else _find(groups, reference)
    # against the rest, two groups are one comparison: each is the other's rest
    pairs = len(groups) - 1 if chosen is not None or len(groups) == 2 else len(groups)
    level = range_level(len(groups), found.level) if reference is None else 1 - (1 - found.level) / pairs
    kept = [k for k, g in enumerate(groups) if g is not chosen]
    members = [_member(found, column, k, target, level) for k in kept]
    others: list[Member] = []
    if to_rest:
        others = _rest(found, target, column, groups, level)
    elif chosen is not None:
        others = [_member(found, column, groups.index(chosen), target, level)]
    why = _undefined(target.name, [*members, *others], ratio=ratio)
    if why is not None:
        return undefined(name, found.level, why)
    together = found.correlation(target.name, column, rest=to_rest)
    if reference is None:
        return _range(name, target, members, together, found.level, level, _notes(groups), ratio=ratio)
    own = np.diag(together) if to_rest else together[kept, -1 if chosen is None else groups.index(chosen)]
    return _against(name, target, members, others, own, found.level, pairs, _notes(groups), ratio=ratio)


def difference_ends(a: Floats, of_a: Ends, b: Floats, of_b: Ends, correlation: Floats | float = 0.0) -> Ends:
    """Return the interval of a - b (Zou & Donner 2008; Newcombe 1998 for proportions)."""
    low = a - b - _joined(a - of_a[0], of_b[1] - b, correlation)
    high = a - b + _joined(of_a[1] - a, b - of_b[0], correlation)
    return low, high


def ratio_ends(a: Floats, of_a: Ends, b: Floats, of_b: Ends, correlation: Floats | float = 0.0) -> Ends:
    """Return the interval of a / b for values of 0 or more (Donner & Zou 2012), infinite where b may be 0."""
    first = a * b - correlation * (a - of_a[0]) * (of_b[1] - b)
    second = a * b - correlation * (of_a[1] - a) * (b - of_b[0])
    for_low = np.maximum(first**2 - of_a[0] * of_b[1] * (2 * a - of_a[0]) * (2 * b - of_b[1]), 0)
    for_high = np.maximum(second**2 - of_a[1] * of_b[0] * (2 * a - of_a[1]) * (2 * b - of_b[0]), 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        # the lower end in the form that stays finite where 2b is its upper end
        low = of_a[0] * (2 * a - of_a[0]) / (first + np.sqrt(for_low))
        high = (second + np.sqrt(for_high)) / (of_b[0] * (2 * b - of_b[0]))
    return np.where(of_a[0] <= 0, 0.0, low), np.where(of_b[0] <= 0, np.inf, high)


def _joined(one: Floats, two: Floats, correlation: Floats | float) -> Floats:
    """Return the length of two arms of an interval together: √(x² + y² - 2rxy)."""
    if not np.any(correlation):
        return np.hypot(one, two)
    joined: Floats = np.sqrt(np.maximum(one**2 + two**2 - 2 * correlation * one * two, 0))
    return joined


@lru_cache(maxsize=256)
def range_level(groups: int, level: float) -> float:
    """Return the level of each estimate at which all pairs of ``groups`` estimates hold at ``level``.

    The quantile q of the range of independent standard normals (Tukey) takes the place of √2·z.
    """
    if groups <= 2:
        return level
    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _below(middle, groups) < level else (low, middle)
    return 2 * NormalDist().cdf(high / math.sqrt(2)) - 1


def expected_spread(errors: Floats) -> float:
    """Return how far the largest of equal groups would lie above the smallest by chance, on average."""
    from scipy.special import ndtr  # noqa: PLC0415 - slow to load

    errors = errors[errors > 0]
    if len(errors) < 2:
        return 0.0
    x = np.linspace(-8, 8, 1601) * errors.max()
    below = np.prod(ndtr(x[:, None] / errors), axis=1)  # all are below x: the largest is
    # the mean of the largest; the smallest is its mirror image
    return float(2 * np.trapezoid(np.heaviside(x, 0.5) - below, x))


def _below(width: float, groups: int) -> float:
    """Return the chance that independent standard normals lie within ``width`` of each other."""
    from scipy.special import ndtr  # noqa: PLC0415 - slow to load

    x = np.linspace(-8, 8, 801)
    density = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    return float(groups * np.trapezoid(density * (ndtr(x + width) - ndtr(x)) ** (groups - 1), x))


def because(reason: Note | None) -> Note:
    """Return a reason as it stands within a sentence that already says "undefined"."""
    if reason is None:
        return note("function_nan")
    return note("nothing_there", empty=reason.values["empty"]) if reason.code == "zero_over_zero" else reason


def _undefined(metric: str, members: list[Member], *, ratio: bool) -> Note | None:
    """Say why there is no number, if a member has none."""
    missing = [m for m in members if not m.estimate.is_defined]
    if missing:
        first, more = missing[0], len(missing) - 1
        values = {"metric": metric, "group": first.name, "why": because(first.estimate.reason)}
        return note("undefined_in_more", more=more, **values) if more else note("undefined_in", **values)
    if ratio and any(m.estimate.value < 0 for m in members):
        return note("ratio_needs_positive")
    return None


def _range(
    name: str,
    target: Bound,
    members: list[Member],
    together: Floats,
    level: float,
    wider: float,
    notes: list[Note],
    *,
    ratio: bool,
) -> Estimate:
    """Take the largest and the smallest; all pairs hold at once, so the largest holds too."""
    value, low, high = _arrays(members)
    top, bottom = int(np.argmax(value)), len(value) - 1 - int(np.argmin(value[::-1]))
    first, second = (bottom, top) if ratio else (top, bottom)
    if ratio and value[top] == 0:
        return undefined(name, level, note("zero_everywhere", metric=target.name))
    a, of_a = value[:, None], (low[:, None], high[:, None])
    b, of_b = value[None], (low[None], high[None])
    if ratio:
        lows, highs = ratio_ends(a, of_a, b, of_b, together)
        ends = _least(lows), min(_least(highs), 1.0)
        answer = float(value[bottom] / value[top])
    else:
        lows, highs = difference_ends(a, of_a, b, of_b, together)
        ends = max(_least(-lows) * -1, 0.0), _least(-highs) * -1
        answer = float(value[top] - value[bottom])
    told = [_pair(members[first], members[second], ratio=ratio)]
    method: str | None = (
        f"{'MOVER-R' if ratio else 'MOVER'}{', studentised range' if len(members) > 2 else ''}"
    )
    reason = None
    if np.isnan([low, high]).any():
        ends, method, reason = (math.nan, math.nan), None, note("member_without_interval")
    elif len(members) > 2 and not ratio:
        error = (high - low) / 2 / NormalDist().inv_cdf((1 + wider) / 2)
        told.append(note("chance_spread", groups=len(members), spread=expected_spread(error)))
    return Estimate(name, answer, *ends, level, method, notes=(*told, *notes), reason=reason)


def _against(
    name: str,
    target: Bound,
    members: list[Member],
    others: list[Member],
    together: Floats,
    level: float,
    pairs: int,
    notes: list[Note],
    *,
    ratio: bool,
) -> Estimate:
    """Take the member that is farthest from its reference."""
    a, *of_a = _arrays(members)
    b, *of_b = _arrays(others)
    b, lows, highs = (np.broadcast_to(v, a.shape) for v in (b, *of_b))
    if ratio and (b == 0).any():
        zero = others[int(np.argmin(b)) % len(others)].name
        return undefined(name, level, note("zero_in", metric=target.name, group=zero))
    if ratio:
        low, high = ratio_ends(a, (of_a[0], of_a[1]), b, (lows, highs), together)
        with np.errstate(divide="ignore"):
            away = np.abs(np.log(a / b))
        value = a / b
    else:
        low, high = difference_ends(a, (of_a[0], of_a[1]), b, (lows, highs), together)
        value = a - b
        away = np.abs(value)
    k = int(np.argmax(away))
    told = [_pair(members[k], others[k if len(others) > 1 else 0], ratio=ratio)]
    if pairs > 1:
        told.append(note("farthest_of", groups=len(members)))
    ends = float(low[k]), float(high[k])
    if math.isnan(ends[0]):
        why = note("member_without_interval")
        return Estimate(name, float(value[k]), *ends, level, None, notes=(*told, *notes), reason=why)
    method = f"{'MOVER-R' if ratio else 'MOVER'}{', Bonferroni' if pairs > 1 else ''}"
    return Estimate(name, float(value[k]), *ends, level, method, notes=(*told, *notes))


def _pair(first: Member, second: Member, *, ratio: bool) -> Note:
    """Say which two groups are compared."""
    return note(
        "group_over" if ratio else "group_minus",
        first=first.name,
        first_value=first.estimate.value,
        second=second.name,
        second_value=second.estimate.value,
    )


def _arrays(members: Sequence[Member]) -> tuple[Floats, Floats, Floats]:
    ends = np.array([m.ends for m in members])
    return np.array([m.estimate.value for m in members]), ends[:, 0], ends[:, 1]


def _member(found: Groups, column: str, which: int, target: Bound, level: float) -> Member:
    group = found.breakdowns[column][which]
    estimate = group.estimates[target.name]
    rows = None if found.is_plain else found.partitions[column].rows_of(which)
    return Member(group.name, estimate, _ends(found, target, estimate, group.sweep, rows, level))


def _ends(
    found: Groups, target: Bound, estimate: Estimate, sweep: Sweep, rows: Rows | None, level: float
) -> tuple[float, float]:
    """Return the ends of an interval at another level; of resampled metrics from the standard error."""
    formula = estimate.replicates is None
    if not estimate.has_interval or (level == estimate.level and (formula or level == found.level)):
        return estimate.low, estimate.high
    if formula:
        other = found.estimate(target, sweep, rows, level)
        return other.low, other.high
    error = estimate.standard_error or 0.0
    if target.metric.interval == "logit-percentile":
        return logit_wald(estimate.value, error, level, min(independent(rows, sweep)))
    away = NormalDist().inv_cdf((1 + level) / 2) * error
    return estimate.value - away, estimate.value + away


def _rest(found: Groups, target: Bound, column: str, groups: tuple[Group, ...], level: float) -> list[Member]:
    """Return the estimate of all other rows, for each group; their sweeps are not kept."""
    if any(g.name == REST for g in groups):
        raise CurvewiseError(
            f"reference: a group of {column} is itself called {REST!r}, so {REST!r} is unclear; rename it."
        )
    dealt = found.partitions[column]

    def seen(sweep: Sweep) -> Sweep:
        """Keep no more of a sweep than a metric at one threshold needs."""
        cut = target.threshold
        return sweep if cut is None or not found.is_plain else at_one_threshold(sweep, cut)

    whole = seen(found.overall.sweep)

    def one(k: int) -> Member:
        sweep = without(whole, seen(groups[k].sweep))
        rows = None if found.is_plain else dealt.rows_of_the_rest(k)
        estimate = found.estimate(target, sweep, rows, level)
        ends = _ends(found, target, estimate, sweep, rows, level)
        return Member(f"the rest of {column}", estimate, ends)

    return in_threads(one, range(len(groups)), len(whole.threshold) * len(groups))


def _find(groups: tuple[Group, ...], reference: object) -> Group:
    for g in groups:
        if g.name == reference or (isinstance(g.label, type(reference)) and g.label == reference):
            return g
    names = ", ".join(g.name for g in groups[:8]) + (", …" if len(groups) > 8 else "")
    raise CurvewiseError(
        f"reference: expected 'rest' or a group of {groups[0].column} ({names}), got {shown(reference)}."
    )


def _notes(groups: tuple[Group, ...]) -> list[Note]:
    small = [g.name for g in groups if g.is_small]
    return [note("small_groups", groups=listed(small))] if small else []


def listed(names: list[str], most: int = 5) -> str:
    """Write the first names of a list."""
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def _least(pairs: Floats) -> float:
    """Return the least number off the diagonal, which compares a group with itself."""
    return float(pairs[~np.eye(len(pairs), dtype=bool)].min())

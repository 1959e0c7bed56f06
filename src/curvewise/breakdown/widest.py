"""The widest gap or ratio among groups, or against a reference, as an estimate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from curvewise.breakdown.gaps import difference_ends, expected_spread, range_level, ratio_ends
from curvewise.breakdown.grouped import without
from curvewise.breakdown.measures import undefined
from curvewise.core.resampling import at_one_threshold
from curvewise.core.threads import in_threads
from curvewise.errors import CurvewiseError
from curvewise.results.estimate import Estimate
from curvewise.results.numbers import show
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from curvewise.breakdown.breakdown import Group, Groups
    from curvewise.breakdown.measures import Measure
    from curvewise.core.sweep import Sweep

    Floats = NDArray[np.float64]

REST = "rest"


@dataclass(frozen=True)
class Member:
    """One side of a comparison: an estimate, and its ends at the level that all comparisons need."""

    name: str
    estimate: Estimate
    ends: tuple[float, float]


def widest(found: Groups, measure: Measure, column: str, reference: object, *, ratio: bool) -> Estimate:
    """Return the widest difference (or ratio) of groups, with an interval that knows it was picked."""
    groups = found.breakdowns[column]
    name = f"{'ratio' if ratio else 'gap'} of {measure.name}"
    if len(groups) < 2:
        return undefined(name, found.level, f"{column} has only one group")
    to_rest = isinstance(reference, str) and reference == REST
    chosen = None if reference is None or to_rest else _find(groups, reference)
    # against the rest, two groups are one comparison: each is the other's rest
    pairs = len(groups) - 1 if chosen is not None or len(groups) == 2 else len(groups)
    level = range_level(len(groups), found.level) if reference is None else 1 - (1 - found.level) / pairs
    members = [_member(g, measure, level) for g in groups if g is not chosen]
    others: list[Member] = []
    if to_rest:
        others = _rest(found, measure, column, groups, level)
    elif chosen is not None:
        others = [_member(chosen, measure, level)]
    why = _undefined(measure.name, [*members, *others], ratio=ratio)
    if why is not None:
        return undefined(name, found.level, why)
    if reference is None:
        return _range(name, measure, members, found.level, level, _notes(groups), ratio=ratio)
    return _against(name, measure, members, others, found.level, pairs, _notes(groups), ratio=ratio)


def _undefined(metric: str, members: list[Member], *, ratio: bool) -> str | None:
    """Say why there is no number, if a member has none."""
    missing = [m for m in members if math.isnan(m.estimate.value)]
    if missing:
        more = f" (and in {len(missing) - 1} more)" if len(missing) > 1 else ""
        return f"{metric} is undefined in {missing[0].name}{more}: {'; '.join(missing[0].estimate.notes)}"
    if ratio and any(m.estimate.value < 0 for m in members):
        return "a ratio needs values of 0 or more"
    return None


def _range(
    name: str,
    measure: Measure,
    members: list[Member],
    level: float,
    wider: float,
    notes: list[str],
    *,
    ratio: bool,
) -> Estimate:
    """Take the largest and the smallest; all pairs hold at once, so the widest holds too."""
    value, low, high = _arrays(members)
    top, bottom = int(np.argmax(value)), int(np.argmin(value))
    first, second = (bottom, top) if ratio else (top, bottom)
    if ratio and value[top] == 0:
        return undefined(name, level, f"{measure.name} is 0 in every group")
    a, of_a = value[:, None], (low[:, None], high[:, None])
    b, of_b = value[None], (low[None], high[None])
    if ratio:
        lows, highs = ratio_ends(a, of_a, b, of_b)
        ends = _least(lows), min(_least(highs), 1.0)
        answer = float(value[bottom] / value[top])
    else:
        lows, highs = difference_ends(a, of_a, b, of_b)
        ends = max(_least(-lows) * -1, 0.0), _least(-highs) * -1
        answer = float(value[top] - value[bottom])
    word = "over" if ratio else "minus"
    told = [
        f"{members[first].name} {show(float(value[first]))} {word} {members[second].name} "
        + show(float(value[second]))
    ]
    if np.isnan([low, high]).any():
        ends = math.nan, math.nan
        told.append("a group has no interval, so neither has this")
    elif len(members) > 2 and not ratio:
        z = (high - low) / 2 / NormalDist().inv_cdf((1 + wider) / 2)
        told.append(
            f"if all {len(members)} groups were equal, chance alone would spread them by about "
            f"{show(expected_spread(z))}"
        )
    method = f"{'MOVER-R' if ratio else 'MOVER'}{', studentised range' if len(members) > 2 else ''}"
    return Estimate(name, answer, *ends, level, method, notes=(*told, *notes))


def _against(
    name: str,
    measure: Measure,
    members: list[Member],
    others: list[Member],
    level: float,
    pairs: int,
    notes: list[str],
    *,
    ratio: bool,
) -> Estimate:
    """Take the member that is farthest from its reference."""
    a, *of_a = _arrays(members)
    b, *of_b = _arrays(others)
    b, lows, highs = (np.broadcast_to(v, a.shape) for v in (b, *of_b))
    if ratio and (b == 0).any():
        return undefined(
            name, level, f"{measure.name} is 0 in {others[int(np.argmin(b)) % len(others)].name}"
        )
    if ratio:
        low, high = ratio_ends(a, (of_a[0], of_a[1]), b, (lows, highs))
        with np.errstate(divide="ignore"):
            away = np.abs(np.log(a / b))
        value = a / b
    else:
        low, high = difference_ends(a, (of_a[0], of_a[1]), b, (lows, highs))
        value = a - b
        away = np.abs(value)
    k = int(np.argmax(away))
    other = others[k if len(others) > 1 else 0]
    word = "over" if ratio else "minus"
    told = f"{members[k].name} {show(float(a[k]))} {word} {other.name} {show(float(b[k]))}"
    picked = [f"the farthest of {len(members)} groups"] if pairs > 1 else []
    method = f"{'MOVER-R' if ratio else 'MOVER'}{', Bonferroni' if pairs > 1 else ''}"
    return Estimate(
        name,
        float(value[k]),
        float(low[k]),
        float(high[k]),
        level,
        method,
        notes=(told, *picked, *notes),
    )


def _arrays(members: Sequence[Member]) -> tuple[Floats, Floats, Floats]:
    ends = np.array([m.ends for m in members])
    return np.array([m.estimate.value for m in members]), ends[:, 0], ends[:, 1]


def _member(group: Group, measure: Measure, level: float) -> Member:
    estimate = group.estimates[measure.name]
    return Member(group.name, estimate, measure.ends(estimate, group.sweep, level))


def _rest(
    found: Groups, measure: Measure, column: str, groups: tuple[Group, ...], level: float
) -> list[Member]:
    """Return the estimate of all other rows, for each group; their sweeps are not kept."""
    if any(g.name == REST for g in groups):
        raise CurvewiseError(
            f"reference: a group of {column} is itself called {REST!r}, so {REST!r} is unclear; rename it."
        )
    dealt = found.partitions[column]
    seed, replicates = found.resampling

    def seen(sweep: Sweep) -> Sweep:
        """Keep no more of a sweep than a metric at one threshold needs."""
        cut = measure.known.threshold
        return sweep if cut is None or sweep.tp.dtype.kind == "f" else at_one_threshold(sweep, cut)

    whole = seen(found.overall.sweep)

    def one(k: int) -> Member:
        sweep = without(whole, seen(groups[k].sweep))
        rows = dealt.rows_of_the_rest(k) if sweep.tp.dtype.kind == "f" else None
        rng = np.random.default_rng([seed, k, 1])
        estimate = measure.estimate(sweep, level, rows=rows, rng=rng, replicates=replicates)
        exact = estimate.replicates is None
        ends = (estimate.low, estimate.high) if exact else measure.ends(estimate, sweep, level)
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


def _notes(groups: tuple[Group, ...]) -> list[str]:
    small = [g.name for g in groups if g.is_small]
    return [f"small groups: {', '.join(small[:5])}{', …' if len(small) > 5 else ''}"] if small else []


def _least(pairs: Floats) -> float:
    """Return the least number off the diagonal, which compares a group with itself."""
    return float(pairs[~np.eye(len(pairs), dtype=bool)].min())

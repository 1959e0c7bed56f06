"""How well one score tells three ordered classes apart: the volume under the ROC surface."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.ranking import rank
from curvewise.core.strata import Strata, strata_of_columns
from curvewise.errors import CurvewiseError, Note, OptionError, UndefinedMetricError, note
from curvewise.inference.by_influence import pair_of_pivot
from curvewise.inference.comparison import Pair, holm
from curvewise.inference.influence import degrees_of_freedom, lonely_notes, spread_within
from curvewise.inference.limits import logit_wald
from curvewise.inference.pivots import Spread, WaldPivot
from curvewise.many_classes.reading_classes import class_codes, given_classes, listed, read_beside
from curvewise.results.estimate import Estimate
from curvewise.results.numbers import percent
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, real
from curvewise.rows.columns import Column, by_text, count
from curvewise.rows.labels import check_labels, classes_in
from curvewise.rows.reading import ONE, real_numbers, refuse_unknown, rounded

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions

    Counts = NDArray[Any]

NAME = "volume_under_surface"
CHANCE = 1 / 6
# A small class near perfect order may show no row out of order, and then hardly any variance: each class is taken to
# have this share of one more row, anywhere between 0 and 1. Without it 79% instead of 96% of the intervals held a
# volume of 0.97 with 10, 500 and 500 rows.
UNSEEN = 0.15
FEW = 10  # rows of a class below which any interval is unreliable


@dataclass(frozen=True, repr=False)
class VolumeUnderSurface(Result, schema="volume_under_surface"):
    """The volume under the ROC surface of one score or of several, and their differences.

    Made by `curvewise.volume_under_surface`. ``order`` are the classes from the lowest scores to the highest, ``rows``
    how many rows each has; ``pairs`` is empty for one score.
    """

    estimates: dict[str, Estimate]
    pairs: tuple[Pair, ...]
    order: tuple[Any, ...]
    rows: tuple[int, ...]
    level: float
    notes: tuple[Note, ...] = ()

    @property
    def estimate(self) -> Estimate:
        """The volume with its interval, where there is one score."""
        if len(self.estimates) != 1:
            raise CurvewiseError(
                f"There are {len(self.estimates)} scores ({', '.join(self.estimates)}): see estimates."
            )
        return next(iter(self.estimates.values()))

    def __float__(self) -> float:
        return float(self.estimate)

    @property
    def difference(self) -> Estimate:
        """The first score's volume minus the second's, where there are two."""
        if len(self.pairs) != 1:
            raise CurvewiseError(f"{len(self.estimates)} scores have {len(self.pairs)} differences: see pairs.")
        return self.pairs[0].difference

    @property
    def table(self) -> Table:
        """One row per score and per difference of two."""
        lines: list[tuple[str, Estimate, Pair | None]] = [(name, e, None) for name, e in self.estimates.items()]
        lines += [(f"{p.first} - {p.second}", p.difference, p) for p in self.pairs]
        columns: dict[str, list[Any]] = {"score": [name for name, _, _ in lines]}
        columns |= {key: [getattr(e, key) for _, e, _ in lines] for key in ("value", "low", "high")}
        if self.pairs:
            columns["p"] = [None if p is None else p.p_value for _, _, p in lines]
            columns["p_holm"] = [None if p is None else p.p_holm for _, _, p in lines]
        classes = " < ".join(f"{c} ({n})" for c, n in zip(self.order, self.rows, strict=True))
        how = f"chance 1/6, {percent(self.level)} intervals"
        return Table(f"Volume under the ROC surface: {classes} ({how})", columns)


def volume_under_surface(
    y: object,
    score: object,
    *,
    order: object = None,
    level: float = 0.95,
    **rows: Unpack[RowOptions],
) -> VolumeUnderSurface:
    """Return how often one score puts a row of each of three ordered classes in order.

    Parameters
    ----------
    y
        Labels of three classes.
    score
        One score per row, or a dict of scores by the name of the model: their differences are then tested.
    order
        The three classes, from the one that should have the lowest scores on. By default rising numbers; names need it.
    level
        The confidence level of the intervals.
    **rows
        Options of `curvewise.sweep`: ``weight=``, ``cluster=``, ``stratum=``, ``missing=``, ``round_to=``,
        ``higher_is="negative"`` (lower scores mean later classes).

    Returns
    -------
    VolumeUnderSurface
        ``estimate`` (or ``estimates`` by name), ``difference``, ``pairs``.

    Notes
    -----
    VUS = P(S₁ < S₂ < S₃) + ½P(S₁ = S₂ < S₃) + ½P(S₁ < S₂ = S₃) + ⅙P(S₁ = S₂ = S₃) for one row of each class: 1 is
    perfect order, **1/6 is chance** (one of six orders), so that 0.5 is far better than chance. It is counted exactly,
    after one sort. Its variance is that of the placements of the rows, class by class, as DeLong's of AUC; clusters
    add up theirs. The interval is on the logit scale, with a bound where all triples are in order, and a little wider
    than the standard error says where a class is small.

    A middle class that scores exactly like the lowest still has VUS 1/2 where the highest is far away: look at the AUC
    of neighbouring classes as well.

    References
    ----------
    Mossman (1999) Medical Decision Making 19:78-89. Dreiseitl, Ohno-Machado & Binder (2000) Medical Decision Making
    20:323-331. Nakas & Yiannoutsos (2004) Statistics in Medicine 23:3437-3449.

    Examples
    --------
    >>> import curvewise as cw
    >>> stage = ["healthy"] * 3 + ["early"] * 3 + ["late"] * 2
    >>> found = cw.volume_under_surface(stage, [1, 2, 4, 3, 4, 6, 5, 7], order=["healthy", "early", "late"])
    >>> round(found.estimate.value * 3 * 3 * 2, 6)  # triples in order, of 18
    12.0
    """
    level = real("level", level, 0, 1, closed=False)
    refuse_unknown(rows, ("order", "level"))
    if rows.get("positive") is not None:
        raise OptionError.of("positive", "three classes have an order, and none is positive; pass order=.")
    side = rows.get("higher_is", "positive")
    one_of("higher_is", side, ("positive", "negative"))
    models = by_text(score, "score") if isinstance(score, Mapping) else {ONE: score}
    if not models:
        raise CurvewiseError('score: expected one score per row, or a dict, as in {"a": scores_a, "b": scores_b}.')
    keys = {name: "score" if name == ONE else f"score {name!r}" for name in models}
    read, shared = read_beside({"y": y, **{keys[name]: v for name, v in models.items()}}, rows)
    classes = _order(read["y"], order)
    label = class_codes(read["y"], classes, texts=False)[0]
    values = {name: real_numbers(read[key]) for name, key in keys.items()}
    if shared["round_to"] is not None:
        values = {name: rounded(v, shared["round_to"]) for name, v in values.items()}
    number = [int(n) for n in np.bincount(label, minlength=CLASSES)]
    absent = [c for c, n in zip(classes, number, strict=True) if not n]
    if absent:
        raise UndefinedMetricError(f"The volume under the surface needs all three classes: no row is {listed(absent)}.")
    placed = {name: _placed(v, label, shared, rising=side == "positive") for name, v in values.items()}
    notes = [note("class_rows_dropped", rows=shared["dropped"])] if shared["dropped"] else []
    units = next(iter(placed.values()))[1].units()
    if (strata := next(iter(placed.values()))[1].strata) is not None:
        notes += lonely_notes(strata)
    if min(units) < FEW:
        notes.append(note("few_of_class", label=str(classes[int(np.argmin(units))]), rows=min(units)))
    estimates = {name: _estimate(volume, placements, level) for name, (volume, placements) in placed.items()}
    pairs = [_pair((i, j), placed[i], placed[j], level) for i, j in combinations(placed, 2)]
    return VolumeUnderSurface(estimates, holm(pairs), tuple(classes), tuple(number), level, tuple(notes))


def _order(y: Column, order: object) -> list[Any]:
    """Return the classes from lowest to highest; numbers have an order of their own, names have none."""
    if order is not None:
        classes = given_classes(order, "order", least=CLASSES)
        if len(classes) != CLASSES:
            raise OptionError.of("order", f"expected three classes, got {len(classes)} ({listed(classes)}).")
        return classes
    check_labels(y)
    classes = classes_in(y.values)
    if len(classes) != CLASSES or y.values.dtype.kind not in "iuf":
        there = f"{count(len(classes), 'class')} ({listed(classes)})"
        raise OptionError.of("order", f"name the three classes from the lowest scores to the highest; y has {there}.")
    return classes


def _placed(
    values: NDArray[Any], label: NDArray[np.intp], shared: dict[str, Any], *, rising: bool
) -> tuple[float, ThreeClassPlacements]:
    weight = shared["weight"]
    blocks = blocks_of(values, label, weight, rising=rising)
    counted = shared["weight_kind"] == "count"
    cluster, stratum = shared["cluster"], shared.get("stratum")
    strata = None
    if stratum is not None:
        strata = strata_of_columns(stratum, cluster, shared["sampled"], weight if counted and cluster is None else None)
    placements = ThreeClassPlacements(blocks.placements(label), label, weight, cluster, counted, strata)
    return blocks.volume(), placements


def _estimate(volume: float, placed: ThreeClassPlacements, level: float) -> Estimate:
    try:
        spread = placed.spread()
    except UndefinedMetricError as unknown:
        return Estimate(NAME, volume, math.nan, math.nan, level, None, reason=unknown.reason)
    error, units = math.sqrt(spread.variance), placed.units()
    unseen = sum(UNSEEN * volume * (1 - volume) / (u * (u - 1)) for u in units)
    low, high = logit_wald(volume, math.sqrt(spread.variance + unseen), level, min(units), spread.degrees)
    notes = (note("separated"),) if volume in (0, 1) else ()
    return Estimate(NAME, volume, low, high, level, "placements", error, notes=notes)


def _pair(
    names: tuple[str, str],
    first: tuple[float, ThreeClassPlacements],
    second: tuple[float, ThreeClassPlacements],
    level: float,
) -> Pair:
    """Test one difference; equal scores have z = 0 and p = 1."""
    pivot = WaldPivot(first[0] - second[0], replace(first[1].minus(second[1]).spread(), degrees=math.inf))
    return pair_of_pivot(pivot, pivot.spread, names, NAME, "placements", level, None, (0, 1))


# ---- Where each row stands among the rows of the two other classes, for three ordered classes, and what follows ----
# The volume under the ROC surface is the share of triples, one row of each class, that are in order. A row's placement
# is the share of such triples that it is part of; placements of a class average to the volume, and how they vary tells
# how it does.

MOST = 2**62  # sums of whole numbers up to here are exact in int64
CLASSES = 3


@dataclass(frozen=True)
class Blocks:
    """Rows of each class by blocks of equal score, the lowest first; ``block`` says where each row stands."""

    count: Counts  # one row per class
    block: NDArray[Any]

    @cached_property
    def before(self) -> Counts:
        """The rows of each class in lower blocks."""
        return np.cumsum(self.count, axis=1) - self.count

    @cached_property
    def after(self) -> Counts:
        """The rows of each class in higher blocks."""
        above: Counts = self.count.sum(axis=1, keepdims=True) - self.before - self.count
        return above

    def volume(self) -> float:
        """Return the share of triples in order: 1/2 for two rows tied in order, 1/6 for all three.

        Six times the number of triples is a whole number: Σ b (6 A C + 3 a C + 3 A c + a c), with a, b and c the
        rows of the block and A, C those below and above it. It is divided once.
        """
        a, b, c = self.count
        low, high = self.before[0], self.after[2]
        totals = [row.sum().item() for row in self.count]
        if self.count.dtype.kind == "i" and 6 * math.prod(totals) >= MOST:
            a, b, c, low, high = (values.astype(object) for values in (a, b, c, low, high))
        six = np.sum(b * (3 * low * (2 * high + c) + a * (3 * high + c)))
        return float(six / (6 * math.prod(totals)))

    def placements(self, label: NDArray[np.intp]) -> Floats:
        """Return the placement of each row: the share of its triples that are in order."""
        a, b, c = self.count.astype(np.float64)
        low, high = self.before[0].astype(np.float64), self.after[2].astype(np.float64)
        upward = b * (high + c / 2)  # pairs of a middle row of the block and a high row, in order
        downward = b * (low + a / 2)
        ordered = (
            np.cumsum(upward[::-1])[::-1] - upward + b * (high / 2 + c / 6),
            low * (high + c / 2) + a * (high / 2 + c / 6),
            np.cumsum(downward) - downward + b * (low / 2 + a / 6),
        )
        totals = a.sum(), b.sum(), c.sum()
        pairs = totals[1] * totals[2], totals[0] * totals[2], totals[0] * totals[1]
        each = np.stack([o / p for o, p in zip(ordered, pairs, strict=True)])
        placement: Floats = each[label, self.block]
        return placement


def blocks_of(score: NDArray[Any], label: NDArray[np.intp], weight: Counts | None, *, rising: bool) -> Blocks:
    """Count the rows of each class by blocks of equal score; the weight of a row is how often it counts."""
    ranking = rank(score, falling=not rising)
    block, number = ranking.block, len(ranking)
    rows = np.ones(len(label), dtype=np.int64) if weight is None else weight
    counted = [np.bincount(block[label == k], rows[label == k], number) for k in range(CLASSES)]
    return Blocks(np.stack(counted).astype(rows.dtype), block)


@dataclass(frozen=True)
class ThreeClassPlacements:
    """Placements of the same rows under one score (or the difference of two), and the variance of their mean."""

    value: Floats
    label: NDArray[np.intp]
    weight: Counts | None = None
    cluster: NDArray[np.intp] | None = None
    counted: bool = False
    strata: Strata | None = None

    def minus(self, other: ThreeClassPlacements) -> ThreeClassPlacements:
        """Return the differences row by row, whose variance is that of the difference of the volumes."""
        return replace(self, value=self.value - other.value)

    def spread(self) -> Spread:
        """Return the variance of the mean placement, and how well it is known.

        Rows of a class are independent of each other; with clusters, clusters are, whatever their classes; with
        strata, rows or clusters are compared within these, whatever their classes.
        """
        weight = np.ones(len(self.label)) if self.weight is None else self.weight.astype(np.float64)
        masks = [self.label == k for k in range(CLASSES)]
        away = np.zeros(len(self.label))
        for on in masks:
            away[on] = (self.value[on] - np.average(self.value[on], weights=weight[on])) / weight[on].sum()
        if self.cluster is not None:
            _need_two(min(self.units()), "clusters with each class")
        if self.strata is not None:
            _need_two(min(self.units()), "rows of each class")
            return spread_within(self.strata, self.strata.sums(away * weight))
        if self.cluster is not None:
            each = np.bincount(self.cluster, away * weight)
            squares = each**2
            variance = float(squares.sum()) * len(each) / (len(each) - 1)
            return Spread(variance, degrees_of_freedom(variance, [(squares, None, len(each))]))
        parts: list[tuple[NDArray[Any], NDArray[Any] | None, float]] = []
        variance = 0.0
        for on in masks:
            rows = float(weight[on].sum()) if self.counted else float(on.sum())
            _need_two(rows, "rows of each class")
            squares = away[on] ** 2 if self.counted else (away[on] * weight[on]) ** 2
            times = weight[on] if self.counted else np.ones(int(on.sum()))
            variance += float(squares @ times) * rows / (rows - 1)
            parts.append((squares, times, rows))
        return Spread(variance, degrees_of_freedom(variance, parts))

    def units(self) -> list[float]:
        """Count what is independent in each class: rows, or clusters."""
        masks = [self.label == k for k in range(CLASSES)]
        if self.cluster is not None:
            return [len(np.unique(self.cluster[on])) for on in masks]
        if self.counted and self.weight is not None:
            return [float(self.weight[on].sum()) for on in masks]
        return [float(on.sum()) for on in masks]


def _need_two(count: float, of: str) -> None:
    if count < 2:
        raise UndefinedMetricError(
            f"The variance of a volume under the surface needs at least two {of}, got {math.floor(count)}."
        )

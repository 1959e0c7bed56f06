"""What a rule is: a number to make as large as can be, perhaps within a limit."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.errors import UndefinedMetricError
from curvewise.results.numbers import show

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from curvewise.core.confusion import Confusion
    from curvewise.decisions.cuts import Cuts

    Measure = Callable[[Confusion], float]

TOLERANCE = 1e-12  # what differs by less than this share of its scale is equal


@dataclass(frozen=True)
class Limit:
    """A share, ``part`` of ``whole``, that must not go beyond a bound.

    Compared as counts, with a tolerance far below one row: 9 of 10 reach a recall of 0.9, whatever
    floating point makes of 0.9 · 10.
    """

    words: str  # what is asked for, in the message
    part: Callable[[Cuts], NDArray[Any]]
    whole: Callable[[Cuts], Any]
    bound: float
    at_most: bool = False

    def holds(self, cuts: Cuts) -> NDArray[np.bool_]:
        """Say which cuts keep within the limit."""
        part, whole = self.part(cuts), self.whole(cuts)
        if self.at_most:
            return np.asarray(part <= self.bound * (1 + TOLERANCE) * whole)
        return np.asarray(part >= self.bound * (1 - TOLERANCE) * whole)

    def nearest(self, cuts: Cuts, among: NDArray[np.bool_]) -> str:
        """Say what comes nearest, and where."""
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.where(among, self.part(cuts) / self.whole(cuts), np.nan)
        place = int(np.nanargmin(share) if self.at_most else np.nanargmax(share))
        where = "" if cuts.threshold is None else f", at the score {cuts.threshold[place - 1]}"
        return f"the nearest that can be reached is {show(float(share[place]))}{where}"


@dataclass(frozen=True)
class Rule:
    """A way to choose a threshold; made by the functions of `curvewise.rules`.

    Attributes
    ----------
    name, options
        What was asked for.
    prevalence
        The share of positives the choice is made for; None is that of the rows.
    nobody
        Whether flagging nobody may be the answer.
    quick
        Whether all cuts are judged at once; a function of a `Confusion` is called for each.
    """

    name: str
    options: dict[str, Any]
    prevalence: float | None
    key: Callable[[Cuts], NDArray[Any]] = field(compare=False)  # larger is better, NaN is out
    measures: Mapping[str, Measure] = field(compare=False)  # what it is judged by, the goal first
    limit: Limit | None = field(default=None, compare=False)
    nobody: bool = False
    quick: bool = True

    def __repr__(self) -> str:
        given = dict(self.options)
        if self.prevalence is not None:
            given["prevalence"] = self.prevalence
        return f"{self.name}({', '.join(f'{k}={_plain(v)}' for k, v in given.items())})"

    def best(self, cuts: Cuts) -> NDArray[np.intp]:
        """Return the places of all cuts that are equally best, the highest threshold first.

        Raises
        ------
        UndefinedMetricError
            If no cut keeps within the limit, or none has a value.
        """
        open_to = self._seen(cuts)
        if self.limit is not None:
            within = open_to & self.limit.holds(cuts)
            if not within.any():
                near = self.limit.nearest(cuts, open_to)
                raise UndefinedMetricError(f"{self!r}: no observed score has {self.limit.words}; {near}.")
            open_to = within
        key = self.key(cuts)
        if key.dtype.kind == "f":
            open_to = open_to & ~np.isnan(key)
        if not open_to.any():
            raise UndefinedMetricError(f"{self!r} has no value at any threshold of these rows.")
        return _largest(key, open_to)

    def _seen(self, cuts: Cuts) -> NDArray[np.bool_]:
        """Leave out the cuts that flag nobody, unless that may be the answer."""
        if self.nobody:
            return np.ones(len(cuts.tp), dtype=bool)
        return np.asarray((cuts.tp + cuts.fp) > 0)

    @property
    def goal(self) -> str:
        """What is made as good as can be."""
        return next(iter(self.measures))


def _largest(key: NDArray[Any], among: NDArray[np.bool_]) -> NDArray[np.intp]:
    if key.dtype.kind in "iu":
        best = key[among].max()
        return np.flatnonzero(among & (key == best))
    inside = key[among]
    best = inside.max()
    if math.isinf(best):
        return np.flatnonzero(among & (key == best))
    finite = np.abs(inside[np.isfinite(inside)])
    return np.flatnonzero(among & (key >= best - TOLERANCE * finite.max()))


def _plain(value: object) -> str:
    return getattr(value, "__name__", None) or f"{value!r}"

"""What every curve can do: unpack like scikit-learn's tuples, become a frame, be thinned, be drawn."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from curvewise.core.keys import slices
from curvewise.core.threads import in_threads
from curvewise.results.frames import to_frame
from curvewise.results.result import Result, Table
from curvewise.rows.checks import whole
from curvewise.rows.columns import EXACT_FLOAT, count

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

Floats = NDArray[np.float64]
Scores = NDArray[Any]
Places = NDArray[np.intp]
CLASSES = ("positives", "negatives")
CANDIDATES = 16  # cells per point kept: the coarse pass leaves this many times more than asked  # mutants: work


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Curve(Result):
    """Points in falling order of threshold; fields named in ``points`` are arrays, one value per point.

    ``positives``, ``negatives`` and ``higher_is`` say what the curve was read from. Areas and summary numbers
    are taken from the whole sweep, so thinning does not change them.
    """

    points: ClassVar[tuple[str, ...]]
    counts: ClassVar[tuple[str, ...]] = ()  # further arrays, one value per point, that do not unpack
    positives: float
    negatives: Any  # int or float; None where they were not counted
    higher_is: str = "positive"
    backend: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name in self.points + self.counts:
            getattr(self, name).flags.writeable = False

    def __len__(self) -> int:
        return len(getattr(self, self.points[0]))  # mutants: all alike

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return iter([getattr(self, name) for name in self.points])

    @property
    def table(self) -> Table:
        """The points, one row per point."""
        return Table(repr(self), {name: getattr(self, name).tolist() for name in self.points}, self.backend)

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the points as a frame (``"polars"``, ``"pandas"`` or ``"pyarrow"``)."""
        return to_frame({name: getattr(self, name) for name in self.points}, backend or self.backend)

    def axes(self) -> tuple[Floats, Floats]:
        """Return x and y as the curve is drawn."""
        return getattr(self, self.points[0]), getattr(self, self.points[1])

    def thin(self, max_points: int = 1000) -> Self:
        """Return the curve with at most ``max_points`` points and every corner that shows.

        Points on a straight line go first and change nothing; if that is not enough, those whose absence
        moves the drawn line least. Areas keep the value of the whole curve.
        """
        keep = kept_points(*self.axes(), whole("max_points", max_points, 2))
        return replace(self, **{name: getattr(self, name)[keep] for name in self.points + self.counts})

    def __str__(self) -> str:
        floats = {k: v for k, v in vars(self).items() if isinstance(v, float) and k not in CLASSES}
        numbers = (f"{name}={value:.6g}" for name, value in floats.items())
        return f"{type(self).__name__}({', '.join([count(len(self), 'point'), *numbers])})"


def origin(sweep: Sweep) -> dict[str, Any]:
    """Return the fields every curve takes over from its sweep."""
    return {name: getattr(sweep, name) for name in (*CLASSES, "higher_is", "backend")}


def from_zero(values: NDArray[Any], total: float, *, reuse: bool = False) -> Floats:
    """Return 0 and then every value as a share of the total; ``reuse`` where no one else holds the values."""
    room = _room(values) if reuse and values.dtype == np.int64 else None
    shares = np.empty(len(values) + 1) if room is None else room.view(np.float64)

    def divide(here: slice) -> None:
        np.divide(values[here], total, out=shares[1:][here])

    in_threads(divide, list(slices(len(values))), len(values))
    shares[0] = 0
    return shares


def thresholds_from_nothing(threshold: NDArray[Any], higher_is: str, *, reuse: bool = False) -> NDArray[Any]:
    """Return the thresholds behind the one that flags no row: infinite."""
    dtype: Any = threshold.dtype
    led = _room(threshold) if reuse and dtype.kind == "f" else None
    if led is None:
        if dtype.kind != "f":  # float64, or Python integers where that cannot hold them
            largest = max(abs(int(threshold[0])), abs(int(threshold[-1])))
            dtype = np.float64 if largest <= EXACT_FLOAT else object
        led = np.empty(len(threshold) + 1, dtype=dtype)
        led[1:] = threshold
    led[0] = np.inf if higher_is == "positive" else -np.inf
    return led


def _room(values: NDArray[Any]) -> NDArray[Any] | None:
    """Return the array that has these values and one free place before them, if the kernel left one."""
    base = values.base
    fits = isinstance(base, np.ndarray) and base.shape == (len(values) + 1,) and base.flags.writeable
    return base if fits else None  # mutants: work


def kept_points(x: Floats, y: Floats, most: int) -> Places:
    """Return the places of the points to keep, the first and the last always among them."""
    if len(x) <= 2:  # mutants: both are ends
        return np.arange(len(x))
    ends = np.array([0, len(x) - 1])
    drawn = np.flatnonzero(np.isfinite(x) & np.isfinite(y))  # what is not finite never shows
    x, y = x[drawn], y[drawn]
    moves = np.append(True, (np.diff(x) != 0) | (np.diff(y) != 0))[: len(x)]  # a point that repeats would hide a corner
    drawn, x, y = drawn[moves], _unit(x[moves]), _unit(y[moves])
    room = most - int(np.isin(ends, drawn, invert=True).sum())
    places = _corners(x, y)
    if len(places) > room:
        places = _extremes(x, y, places, CANDIDATES * most)
        places = places[_farthest(x[places], y[places], max(room, 2))]
    return np.union1d(ends, drawn[places]) if room >= 2 else ends


def _unit(values: Floats) -> Floats:
    """Scale to [0, 1], as a figure does."""
    low, high = values.min(initial=np.inf), values.max(initial=-np.inf)
    # mutants: only differences read
    return np.asarray((values - low) / (high - low)) if high > low else np.zeros(len(values))


def _corners(x: Floats, y: Floats) -> Places:
    """Drop points that lie on the straight line between their neighbours."""
    if len(x) <= 2:  # mutants: both are ends
        return np.arange(len(x))
    dx, dy = np.diff(x), np.diff(y)
    left, right = dx[:-1] * dy[1:], dx[1:] * dy[:-1]
    bends = np.abs(left - right) > 1e-9 * (np.abs(left) + np.abs(right))  # mutants: rounding
    # a line that turns back on itself has no area, but its tip shows
    bends |= (dx[:-1] * dx[1:] < 0) | (dy[:-1] * dy[1:] < 0)
    return np.concatenate([[0], np.flatnonzero(bends) + 1, [len(x) - 1]])


def _extremes(x: Floats, y: Floats, places: Places, most: int) -> Places:
    """Cut the line into pieces of equal length; keep both ends of each and its extreme points."""
    x, y = x[places], y[places]
    length = np.concatenate([[0], np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y)))])
    cell = np.minimum((length / length[-1] * (most // 4)).astype(np.intp), most // 4 - 1)
    starts = np.flatnonzero(np.diff(cell, prepend=-1))  # mutants: first cell is 0
    ends = np.append(starts[1:], len(x)) - 1
    chosen = [starts, ends]
    for deviation in (y - x, y + x):
        for best in (np.maximum, np.minimum):
            extreme = np.repeat(best.reduceat(deviation, starts), ends - starts + 1)
            hits = np.flatnonzero(deviation == extreme)
            chosen.append(hits[np.unique(cell[hits], return_index=True)[1]])
    return np.asarray(places[np.unique(np.concatenate(chosen))])


def _farthest(x: Floats, y: Floats, most: int) -> Places:
    """Add, one at a time, the point farthest from the line drawn so far (Ramer, Douglas, Peucker)."""
    kept = {0, len(x) - 1}
    heap: list[tuple[float, int, int, int]] = []

    def consider(first: int, last: int) -> None:
        if last - first >= 2:
            dx, dy = x[last] - x[first], y[last] - y[first]
            right, up = x[first + 1 : last] - x[first], y[first + 1 : last] - y[first]
            chord = float(np.hypot(dx, dy))
            away = np.abs(dx * up - dy * right) / chord if chord else np.hypot(right, up)
            far = int(np.argmax(away))
            heapq.heappush(heap, (-float(away[far]), first, far + first + 1, last))

    consider(0, len(x) - 1)
    while heap and len(kept) < most:
        _, first, place, last = heapq.heappop(heap)
        kept.add(place)
        consider(first, place)
        consider(place, last)
    return np.array(sorted(kept), dtype=np.intp)

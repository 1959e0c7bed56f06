"""Which points of a drawn line are needed: corners, and of too many corners those that show most."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Places = NDArray[np.intp]

CANDIDATES = 16  # cells per point kept: the coarse pass leaves this many times more than asked


def kept_points(x: Floats, y: Floats, most: int) -> Places:
    """Return the places of the points to keep, the first and the last always among them."""
    ends = np.array([0, len(x) - 1])
    drawn = np.flatnonzero(np.isfinite(x) & np.isfinite(y))  # what is not finite never shows
    x, y = _unit(x[drawn]), _unit(y[drawn])
    room = most - int(np.isin(ends, drawn, invert=True).sum())
    places = _corners(x, y)
    if len(places) > room:
        places = _extremes(x, y, places, CANDIDATES * most)
        places = places[_farthest(x[places], y[places], max(room, 2))]
    return np.union1d(ends, drawn[places]) if room >= 2 else ends


def _unit(values: Floats) -> Floats:
    """Scale to [0, 1], as a figure does."""
    if not len(values):
        return values
    low, high = values.min(), values.max()
    scaled: Floats = (values - low) / (high - low) if high > low else np.zeros(len(values))
    return scaled


def _corners(x: Floats, y: Floats) -> Places:
    """Drop points that lie on the straight line between their neighbours."""
    if len(x) <= 2:
        return np.arange(len(x))
    dx, dy = np.diff(x), np.diff(y)
    turn = dx[:-1] * dy[1:] - dx[1:] * dy[:-1]
    scale = np.abs(dx[:-1] * dy[1:]) + np.abs(dx[1:] * dy[:-1])
    bends = np.abs(turn) > 1e-9 * scale
    # a line that turns back on itself has no area, but its tip shows
    bends |= (dx[:-1] * dx[1:] < 0) | (dy[:-1] * dy[1:] < 0)
    return np.concatenate([[0], np.flatnonzero(bends) + 1, [len(x) - 1]])


def _extremes(x: Floats, y: Floats, places: Places, most: int) -> Places:
    """Cut the line into pieces of equal length; keep both ends of each and its extreme points."""
    x, y = x[places], y[places]
    length = np.concatenate([[0], np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y)))])
    cell = np.minimum((length / length[-1] * (most // 4)).astype(np.intp), most // 4 - 1)
    starts = np.flatnonzero(np.diff(cell, prepend=-1))
    ends = np.append(starts[1:], len(x)) - 1
    chosen = [starts, ends]
    for deviation in (y - x, y + x):
        for best in (np.maximum, np.minimum):
            extreme = np.repeat(best.reduceat(deviation, starts), ends - starts + 1)
            hits = np.flatnonzero(deviation == extreme)
            chosen.append(hits[np.unique(cell[hits], return_index=True)[1]])
    kept: Places = places[np.unique(np.concatenate(chosen))]
    return kept


def _farthest(x: Floats, y: Floats, most: int) -> Places:
    """Add, one at a time, the point farthest from the line drawn so far (Ramer, Douglas, Peucker)."""
    kept = {0, len(x) - 1}
    heap: list[tuple[float, int, int, int]] = []

    def consider(first: int, last: int) -> None:
        if last - first < 2:
            return
        middle = slice(first + 1, last)
        dx, dy = x[last] - x[first], y[last] - y[first]
        right, up = x[middle] - x[first], y[middle] - y[first]
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

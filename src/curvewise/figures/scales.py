"""Axes that are not linear: log odds of probabilities, and false positive rates by powers of ten."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.arrays import Floats
from curvewise.curves.base import kept_points
from curvewise.figures.style import look_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# ticks of log odds, the most wanted first; of two that would touch, the first is shown
WANTED = (
    *(0.01, 0.1, 0.5, 0.001, 0.9, 0.99, 1e-4, 0.999, 1e-5, 0.9999, 1e-6, 0.99999, 1 - 1e-6),
    *(0.05, 0.2, 0.02, 0.8, 0.95, 0.98, 0.005, 0.002, 5e-4, 2e-4, 0.3, 0.4, 0.6, 0.7),
)
LETTER = 0.66  # of its height, how wide a digit is
BESIDE = 45  # points: what stands beside axes in a column of a figure
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
STEPS = 60  # points per power of ten of a line that is straight on linear axes


def log_odds_axis(ax: Axes, low: float, high: float) -> None:
    """Show probabilities from ``low`` to ``high`` by their log odds, with ticks at probabilities."""
    ax.set_xscale("logit")
    ax.set_xlim(low, high)
    ticks = apart(ax, {tick: _decimal(tick) for tick in WANTED}, _log_odds, low, high)
    ax.set_xticks(list(ticks), list(ticks.values()))
    ax.minorticks_off()


def apart(
    ax: Axes, wanted: dict[float, str], scale: Callable[[float], float], low: float, high: float
) -> dict[float, str]:
    """Return the ticks within limits whose texts do not touch below the axes; of two, the first is shown."""
    start, stop = scale(low), scale(high)
    letters = _width(ax) / (LETTER * look_of(ax).small)  # that fit below the axes
    shown: dict[float, tuple[float, float]] = {}
    for tick, text in ((tick, text) for tick, text in wanted.items() if low <= tick <= high):
        middle, half = letters * (scale(tick) - start) / (stop - start), (len(text) + 1) / 2
        if all(middle + half <= left or right <= middle - half for left, right in shown.values()):
            shown[tick] = middle - half, middle + half
    return {tick: wanted[tick] for tick in sorted(shown)}


def _log_odds(p: float) -> float:
    return math.log(p / (1 - p))


def _decimal(p: float) -> str:
    return f"{p:.6f}".rstrip("0")


def _width(ax: Axes) -> float:
    """Return about how wide axes will be, in points."""
    grid = ax.get_subplotspec()
    columns = 1 if grid is None else grid.get_gridspec().ncols
    return ax.figure.figure.get_figwidth() * 72 / columns - BESIDE


def at_edges(values: Any, low: float, high: float) -> Floats:
    """Return probabilities with those beyond the axis, 0 and 1 among them, at its edges."""
    return np.clip(np.asarray(values, dtype=np.float64), low, high)


def power_axis(ax: Axes, low: float, high: float = 1.0) -> None:
    """Show rates from ``low`` to ``high`` by powers of ten."""
    ax.set_xscale("log")
    ax.set_xlim(low, high)
    powers = range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)
    ax.set_xticks([10.0**k for k in powers], [_power(k) for k in powers])
    ax.minorticks_off()


def _power(exponent: int) -> str:
    """Write a power of ten, without a formula.

    >>> _power(-2), _power(-5)
    ('0.01', '10⁻⁵')
    """
    return f"{10.0**exponent:g}" if exponent > -4 else "10" + str(exponent).translate(RAISED)


def by_powers(x: Any, y: Any, low: float, most: int) -> tuple[Floats, Floats]:
    """Return a line that is straight between points on linear axes, as it runs where x goes by powers of ten.

    It begins at ``low``: where x is 0 there is no place.
    """
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    first = int(np.searchsorted(x, low))  # x rises
    if first:
        share = (low - x[first - 1]) / (x[first] - x[first - 1])
        start = y[first - 1] + share * (y[first] - y[first - 1])
        x, y = np.append(low, x[first:]), np.append(start, y[first:])
    steps = np.maximum(np.ceil(np.diff(np.log10(x)) * STEPS), 1).astype(np.intp)
    steps[np.diff(y) == 0] = 1  # level lines stay straight
    block = np.repeat(np.arange(len(steps)), steps)
    share = (np.arange(len(block)) - np.repeat(np.cumsum(steps) - steps, steps) + 1) / steps[block]
    right = x[:-1][block] * (x[1:] / x[:-1])[block] ** share
    widths = np.diff(x)[block]
    part = np.divide(right - x[:-1][block], widths, out=share.copy(), where=widths > 0)
    up = y[:-1][block] + part * np.diff(y)[block]
    x, y = np.append(x[:1], right), np.append(y[:1], up)
    keep = kept_points(np.log10(x), y, most)
    return x[keep], y[keep]

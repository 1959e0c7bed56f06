"""A forest: an estimate and its interval on each line, with names and numbers beside them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curvewise.figures.legend import FigureWords, number
from curvewise.figures.style import INK, MUTED, canvas, guide, keep_room
from curvewise.results.numbers import show
from curvewise.results.text import shortened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

LINE = 0.19  # inches
TALLEST = 60  # rows
MOST = 24  # letters of a name
LETTER = 4.2  # points: the width of a digit of the numbers
BARS, HIGHEST = 30, 0.55  # of a distribution above its line, in lines


@dataclass(frozen=True)
class Row:
    """One line: ``kind`` is ``"row"``, ``"mean"`` (a diamond) or ``"range"`` (an interval alone)."""

    name: str
    value: float
    low: float
    high: float
    n: float | None = None
    weight: float | None = None
    kind: str = "row"
    colour: str = INK
    decimals: int = 2
    drawn: NDArray[np.float64] | None = None  # resamples, whose distribution stands on the line
    ideal: float | None = None  # marked on this line alone


def draw_forest(
    rows: Sequence[Row],
    *,
    ax: Axes | None,
    say: FigureWords,
    title: str,
    reference: float | None,
    style: Mapping[str, Any],
) -> Axes:
    """Draw the rows from top to bottom, with a vertical line at the reference.

    Of very many rows the first and all means are drawn, and how many are not is said.
    """
    rows, left = _fitting(rows)
    with canvas(ax, inches=0.75 + LINE * (len(rows) + 1)) as axes:
        if reference is not None and math.isfinite(reference):
            axes.axvline(reference, **guide(gid="reference"))
        shown = [n for r in rows if (n := r.n) is not None]
        room = LETTER * max((len(show(n)) for n in shown), default=0)
        keep_room(axes, [shortened(r.name, MOST) for r in rows])
        for y, row in enumerate(rows):
            _draw_row(axes, y, row, style)
            _beside(axes, y, row, room, say)
        if shown:
            _text(axes, (1, -1), (6 + room, 0), say["n"], "right", MUTED)
        if left:
            _text(axes, (0, -1), (-6, 0), say["more"].format(n=left), "right", MUTED)
        axes.set(ylim=(len(rows) - 0.4, -0.6), xlabel=title)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.margins(x=0.04)
        axes.locator_params(axis="x", nbins=3)
    return axes


def _fitting(rows: Sequence[Row]) -> tuple[list[Row], int]:
    last = [r for r in rows if r.kind != "row"]
    first = [r for r in rows if r.kind == "row"]
    return first[:TALLEST] + last, max(len(first) - TALLEST, 0)


def _draw_row(ax: Axes, y: int, row: Row, style: Mapping[str, Any]) -> None:
    line = {"color": row.colour, "linewidth": 1.1, "zorder": 3, **style}
    ends = math.isfinite(row.low) and math.isfinite(row.high)
    if row.drawn is not None:
        _draw_distribution(ax, y, row)
    if row.ideal is not None:
        ax.plot([row.ideal] * 2, [y - 0.4, y + 0.4], **guide(gid=f"ideal-{y}"))
    if row.kind == "mean" and ends:
        corners = ([row.low, row.value, row.high, row.value], [y, y - 0.28, y, y + 0.28])
        ax.fill(*corners, color=row.colour, linewidth=0, zorder=3, gid=f"row-{y}")
        return
    if ends:
        ax.plot([row.low, row.high], [y, y], gid=f"row-{y}", **line)
    if row.kind == "range" and ends:
        ax.plot([row.low, row.high], [y, y], **{**line, "linestyle": "none", "marker": "|", "markersize": 5})
    elif row.kind == "row" and math.isfinite(row.value):
        # the area of a square is the weight
        size = 4.0 if row.weight is None else 2.2 + 6 * math.sqrt(row.weight)
        square = {**line, "linestyle": "none", "marker": "s", "markersize": size}
        ax.plot([row.value], [y], gid=f"value-{y}", **square)


def _draw_distribution(ax: Axes, y: int, row: Row) -> None:
    """Fill the histogram of a row's resamples above its line."""
    import numpy as np  # noqa: PLC0415 - drawing alone needs it here

    heights, edges = np.histogram(np.asarray(row.drawn), bins=BARS)
    top = y - HIGHEST * heights / max(int(heights.max()), 1)
    ax.fill_between(
        edges,
        np.append(top, top[-1]),
        y,
        step="post",
        color=row.colour,
        alpha=0.2,
        linewidth=0,
        gid=f"drawn-{y}",
    )


def _beside(ax: Axes, y: int, row: Row, room: float, say: FigureWords) -> None:
    _text(ax, (0, y), (-6, 0), shortened(row.name, MOST), "right", INK)
    if row.n is not None:
        _text(ax, (1, y), (6 + room, 0), show(row.n), "right", MUTED)
    value, low, high = (number(v, row.decimals) for v in (row.value, row.low, row.high))
    ends = f"[{low}, {high}]" if math.isfinite(row.low) and math.isfinite(row.high) else ""
    if row.kind == "range":
        numbers = ends or say["undefined"]
    else:
        numbers = f"{value} {ends}".rstrip() if math.isfinite(row.value) else say["undefined"]
    _text(ax, (1, y), (14 + room if room else 6, 0), numbers, "left", INK)


def _text(
    ax: Axes, place: tuple[float, float], away: tuple[float, float], text: str, side: str, colour: str
) -> None:
    """Write beside the axes, at the height of a row."""
    height = ("axes fraction", "data")
    look: dict[str, Any] = {"ha": side, "va": "center", "size": "small", "color": colour}
    ax.annotate(text, place, away, xycoords=height, textcoords="offset points", annotation_clip=False, **look)

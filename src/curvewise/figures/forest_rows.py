"""Lines of a forest: a value, its interval and its numbers each; in one panel, or in several that share names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import CurvewiseError
from curvewise.figures.legend import number
from curvewise.figures.legend_box import add_legend
from curvewise.figures.style import (
    INK,
    MARKERS,
    MUTED,
    canvas,
    guide,
    is_alone,
    is_ours,
    keep_room,
    line_style,
    look_of,
    small,
    style_axes,
)
from curvewise.results.numbers import show
from curvewise.results.text import shortened, width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.figures.legend import Ax, FigureWords, Model

LINE = 0.027  # inches per point of the text
AXIS = 0.085  # inches per point: the axis below the lines and its name
TALLEST = 60  # rows
MOST = 24  # letters of a name
FEWEST = 8
NARROWEST = 64  # points of the axes beside which there are names and numbers
PANEL, LAST_PANEL = 46, 36  # points of one panel of several, of many
LETTER = 0.6  # of the text's size: the width of a digit
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
    parts: tuple[str, ...] = ()  # of a name that may stand on several lines
    marker: str = "s"
    whose: str = ""  # what the ids of a model begin with

    @property
    def key(self) -> tuple[str, str]:
        """What rows of several panels have in common."""
        return self.name, self.kind

    def numbers(self, say: FigureWords) -> str:
        """Write the value and its interval."""
        value, low, high = (number(v, self.decimals) for v in (self.value, self.low, self.high))
        ends = f"[{low}, {high}]" if math.isfinite(self.low) and math.isfinite(self.high) else ""
        if self.kind == "range":
            return ends or say["undefined"]
        return f"{value} {ends}".rstrip() if math.isfinite(self.value) else say["undefined"]


@dataclass(frozen=True)
class Panel:
    """Rows of one panel of several, with a title or the model that they belong to, and a line at the mark."""

    rows: list[Row]
    title: str = ""
    mark: float | None = None
    model: Model[Any] | None = None


def draw_rows(
    rows: list[Row],
    ax: Ax,
    say: FigureWords,
    title: str,
    style: dict[str, Any],
    mark: float | None = None,
    tallest: int = TALLEST,
) -> Axes:
    """Draw rows with a line at the mark; of very many the first and all means, and say how many are not."""
    rows, left = _first(rows, tallest)
    with canvas(ax) as axes:
        size, widest = look_of(axes).small, max(len(row.numbers(say)) for row in rows)
        room = _room_of_counts(axes, rows)
        names = _names(axes, rows, room + LETTER * size * widest + 20 + NARROWEST)
        places = _places(names)
        _set_height(axes, places[-1])
        _draw_panel(axes, dict(zip(places, rows, strict=False)), places[-1], style, mark)
        keep_room(axes, names)
        _beside(axes, axes, list(zip(places, names, rows, strict=False)), room, say, left)
        for y, row in zip(places, rows, strict=False):
            _text(axes, 1, y, 14 + room if room else 6, row.numbers(say), "left", INK)
        axes.set_xlabel(title)
        free = _free(axes, names, room + LETTER * size * widest + 20)
        _few_ticks(axes, free)
    return axes


def draw_panels(
    panels: Sequence[Panel],
    ax: Ax,
    say: FigureWords,
    title: str,
    style: dict[str, Any],
    tallest: int = TALLEST,
) -> Axes:
    """Draw panels side by side, whose rows of the same name stand on one line; return the axes of the first.

    They take the place of the axes given. Panels of models have one scale, and a legend.
    """
    rows, left = _first([row for panel in panels for row in panel.rows], tallest)
    rows = list({row.key: row for row in reversed(rows)}.values())[::-1]
    with canvas(ax) as host:
        alone, room = is_alone(host), _room_of_counts(host, rows)
        names = _names(host, rows, room + 12 + len(panels) * (PANEL if len(panels) < 4 else LAST_PANEL))
        places = _places(names)
        _set_height(host, places[-1])
        several, at = split(host, len(panels)), dict(zip([row.key for row in rows], places, strict=False))
        for axes, panel in zip(several, panels, strict=True):
            own = {at[row.key]: replace(row, **_belonging(panel.model)) for row in panel.rows if row.key in at}
            _draw_panel(axes, own, places[-1], style, panel.mark)
            if panel.title:
                axes.set_title(fill(panel.title, 12), fontsize=small(axes))
        first = several[0]
        keep_room(first, names)
        _beside(first, several[-1], list(zip(places, names, rows, strict=False)), room, say, left)
        several[(len(panels) - 1) // 2].set_xlabel(title)
        if panels[0].model is not None:  # one metric
            ends = np.array([axes.get_xlim() for axes in several])
            for axes in several:
                axes.set_xlim(ends[:, 0].min(), ends[:, 1].max())
        for axes in several:
            _few_ticks(axes, _free(axes, names, room + 12) / len(several) - 4)
        models = [panel.model for panel in panels if panel.model is not None]
        for model in models:
            key: dict[str, Any] = {**model.marker(), "markersize": 4, "linewidth": 1.1, "gid": model.id("line")}
            key["color"] = look_of(first).shade(model.colour)
            first.plot([], [], label=model.label(), **key)
        add_legend(first, models, whole=alone)
    return first


def _first(rows: list[Row], tallest: int) -> tuple[list[Row], int]:
    """Return the first rows and all means, and how many rows are left out."""
    names = list(dict.fromkeys(row.name for row in rows if row.kind == "row"))
    kept = set(names[:tallest])
    return [row for row in rows if row.kind != "row" or row.name in kept], len(names) - len(kept)


def _belonging(model: Model[Any] | None) -> dict[str, Any]:
    if model is None:
        return {}
    return {"colour": model.colour, "marker": MARKERS[model.place % len(MARKERS)], "whose": model.id("")}


def _names(ax: Axes, rows: list[Row], taken: float) -> list[str]:
    """Return names that leave so many points of the figure's width free, on two lines where that helps."""
    letters = MOST
    if is_ours(ax):
        grid = ax.get_subplotspec()
        columns = 1 if grid is None else grid.get_gridspec().ncols
        free = ax.figure.figure.get_figwidth() * 72 / columns - taken
        letters = min(MOST, max(FEWEST, int(free / (LETTER * look_of(ax).small))))
    broken = any(row.parts and width(row.name) > letters for row in rows)
    return ["\n".join(shortened(part, letters) for part in (broken and row.parts) or (row.name,)) for row in rows]


def _places(names: list[str]) -> list[float]:
    """Return where each row stands, and where the last one ends; a name of two lines takes more room."""
    heights = [1 + 0.7 * name.count("\n") for name in names]
    ends = np.cumsum(heights)
    return [*(end - height / 2 for end, height in zip(ends.tolist(), heights, strict=True)), float(ends[-1])]


def _set_height(ax: Axes, lines: float) -> None:
    if is_alone(ax):
        fig, size = ax.figure.figure, look_of(ax).small
        fig.set_size_inches(fig.get_figwidth(), size * (AXIS + LINE * (lines + 1)))


def split(host: Axes, count: int) -> list[Axes]:
    """Return axes side by side in the place of others."""
    grid, fig = host.get_subplotspec(), host.figure
    if grid is None:
        raise CurvewiseError("ax: expected axes of a grid, as of plt.subplots(), which several panels can divide.")
    parts, ours = grid.subgridspec(1, count, wspace=0.06), is_ours(host)
    host.remove()
    several = [fig.add_subplot(parts[k]) for k in range(count)]
    for axes in several if ours else ():
        style_axes(axes)
    return several


def _free(ax: Axes, names: list[str], taken: float) -> float:
    """Return how many points about are left for axes beside names and what else is taken."""
    letters = max(width(line) for name in names for line in name.splitlines())
    return ax.figure.figure.get_figwidth() * 72 - taken - LETTER * look_of(ax).small * letters


def _few_ticks(ax: Axes, points: float) -> None:
    """Show as many ticks as fit in so many points: several, or the outer two, or one."""
    low, high = ax.get_xlim()
    ticks: list[float] = []
    for bins in (3, 2, 1):
        ax.locator_params(axis="x", nbins=bins)
        ticks = [tick for tick in ax.get_xticks() if low <= tick <= high]
        widest = max(map(len, ax.xaxis.get_major_formatter().format_ticks(ticks)), default=0)
        needed = (widest + 1) * LETTER * look_of(ax).small * (high - low) / max(points, 1)
        fitting = [
            some for some in (ticks, ticks[:: len(ticks) - 1 or 1]) if len(some) > 1 and some[1] - some[0] > needed
        ]
        if fitting:
            ax.set_xticks(fitting[0])
            return
    ax.set_xticks([0] if 0 in ticks else ticks[-1:])


def _draw_panel(ax: Axes, rows: dict[float, Row], end: float, style: dict[str, Any], mark: float | None = None) -> None:
    if mark is not None and math.isfinite(mark):
        ax.axvline(mark, **guide(gid="reference"))
    for k, (y, row) in enumerate(rows.items()):
        _draw_row(ax, y, row, style, f"-{k}")
    ax.set_ylim(end, 0)
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    ax.margins(x=0.04)


def _room_of_counts(ax: Axes, rows: list[Row]) -> float:
    """Return how many points the numbers of rows take, 0 where there are none."""
    shown = [show(row.n) for row in rows if row.n is not None]
    return LETTER * look_of(ax).small * max(map(len, shown), default=0)


def _beside(
    left: Axes, right: Axes, rows: list[tuple[float, str, Row]], room: float, say: FigureWords, more: int
) -> None:
    """Write names at the left and numbers of rows at the right."""
    for y, name, row in rows:
        _text(left, 0, y, -6, name, "right", INK)
        if row.n is not None:
            _text(right, 1, y, 6 + room, show(row.n), "right", MUTED)
    if room:
        _text(right, 1, -0.4, 6 + room, say["n"], "right", MUTED)
    if more:
        _text(left, 0, -0.4, -6, say["more"].format(n=more), "right", MUTED)


def _draw_row(ax: Axes, y: float, row: Row, style: dict[str, Any], tail: str) -> None:
    colour = look_of(ax).shade(row.colour)
    line = {"color": colour, "linewidth": 1.1, "zorder": 3, **line_style(style)}
    ends = math.isfinite(row.low) and math.isfinite(row.high)
    if row.drawn is not None:
        heights, edges = np.histogram(np.asarray(row.drawn), bins=BARS)
        top = y - HIGHEST * heights / max(int(heights.max()), 1)
        look: dict[str, Any] = {"color": colour, "alpha": 0.2, "linewidth": 0, "gid": f"{row.whose}drawn{tail}"}
        ax.fill_between(edges, np.append(top, top[-1]), y, step="post", **look)
    if row.ideal is not None:
        ax.plot([row.ideal] * 2, [y - 0.4, y + 0.4], **guide(gid=f"ideal{tail}"))
    if row.kind == "mean" and ends:
        corners = ([row.low, row.value, row.high, row.value], [y, y - 0.28, y, y + 0.28])
        ax.fill(*corners, color=colour, linewidth=0, zorder=3, gid=f"{row.whose}row{tail}")
        return
    if ends:
        ax.plot([row.low, row.high], [y, y], gid=f"{row.whose}row{tail}", **line)
    if row.kind == "range" and ends:
        ax.plot([row.low, row.high], [y, y], **{**line, "linestyle": "none", "marker": "|", "markersize": 5})
    elif row.kind == "row" and math.isfinite(row.value):
        # the area of a square is the weight
        size = 4.0 if row.weight is None else 2.2 + 6 * math.sqrt(row.weight)
        square = {**line, "linestyle": "none", "marker": row.marker, "markersize": size}
        ax.plot([row.value], [y], gid=f"{row.whose}value{tail}", **square)


def _text(ax: Axes, x: float, y: float, away: float, text: str, side: str, colour: str) -> None:
    """Write beside the axes, at the height of a row."""
    look: dict[str, Any] = {"ha": side, "va": "center", "size": small(ax), "color": colour}
    look |= {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "annotation_clip": False}
    ax.annotate(text, (x, y), (away, 0), **look)

"""Many columns of scores: AUC over time with its band, a map of two axes, a volcano of all columns."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from curvewise.errors import OptionError
from curvewise.figures.legend import FigureWords, Model
from curvewise.figures.legend_box import add_legend
from curvewise.figures.registry import draws
from curvewise.figures.style import INK, MUTED, canvas, guide, look_of
from curvewise.rows.checks import one_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.breakdown.columns.by_column import Columns
    from curvewise.figures.legend import Ax, Labels
    from curvewise.words import Lang

MOST_LINES = 8  # of an axis that is drawn as lines; more are a map
LEAST_P = 1e-300
NAMED = 5  # columns of a volcano that are named


@draws("Columns")
def draw_columns(
    found: Columns,
    *,
    kind: Literal["lines", "map", "volcano"] | None = None,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw a metric of many columns; what is corrected for their number stands out.

    ``kind``: ``"lines"`` along the ordered axis (or the last), with bands, and bars below where runs, or columns, are
    beyond chance; ``"map"`` of two axes, with dots where columns are beyond chance; ``"volcano"``, p against the value.
    By default lines where an axis is ordered, or columns are numbers, and lines are few; a map of two axes; else a
    volcano. Other options as in `draw_roc`.
    """
    one_of("kind", kind, (None, "lines", "map", "volcano"))
    sizes = {name: len(names) for name, names in found.axes.items() if len(names) > 1}
    along = found.ordered or next(reversed(found.axes))
    lines = found.value.size // len(found.axes[along])
    numeric = all(isinstance(k, (int, float)) for k in found.axes[along])
    if kind is None:
        in_order = found.ordered is not None or (numeric and along != "column")
        kind = "lines" if in_order and lines <= MOST_LINES else "map" if len(sizes) == 2 else "volcano"
    if kind == "map" and len(sizes) != 2:
        raise OptionError.of("kind", f"a map has two axes, these columns {len(sizes)}; use 'volcano' or 'lines'.")
    if kind == "lines" and lines > MOST_LINES:
        raise OptionError.of("kind", f"lines are at most {MOST_LINES}, these would be {lines}; use 'map' or 'volcano'.")
    say = FigureWords(lang, labels)
    with canvas(ax, shape=0.75) as axes:
        if kind == "lines":
            _lines(axes, found, along, say, style)
        elif kind == "map":
            _map(axes, found, list(sizes), say, style)
        else:
            _volcano(axes, found, say, style)
    return axes


def _beyond(found: Columns) -> Any:
    """Return which columns are beyond chance among all."""
    p = found.p_holm if found.p_family is None else found.p_family
    return p < 1 - found.level


def _lines(ax: Axes, found: Columns, along: str, say: FigureWords, style: dict[str, Any]) -> None:
    place = list(found.axes).index(along)
    names = found.axes[along]
    x = np.array(names if all(isinstance(k, (int, float)) for k in names) else range(len(names)), dtype=float)
    value, low, high, beyond = (
        np.moveaxis(each, place, -1).reshape(-1, len(x))
        for each in (found.value, found.low, found.high, _beyond(found))
    )
    others = {name: labels for name, labels in found.axes.items() if name != along}
    half = float(np.min(np.diff(x), initial=np.inf)) / 2 if len(x) > 1 else 0.5
    for k, at in enumerate(product(*others.values())):
        model = Model(k, ", ".join(map(str, at)) or None, found, look_of(ax))
        ax.fill_between(x, low[k], high[k], **model.area())
        model.draw(ax, style, points=(x, value[k]))
        spans = [(j, j) for j in np.flatnonzero(beyond[k]).tolist()]
        if found.ordered == along:
            own = [run for run in found.runs if tuple(run[name] for name in others) == at]
            spans = [(names.index(r["first"]), names.index(r["last"])) for r in own if r["p"] < 1 - found.level]
        for first, last in spans:
            ends, y = (x[first] - half, x[last] + half), 0.02 + 0.025 * k
            below: dict[str, Any] = {"transform": ax.get_xaxis_transform(), "gid": model.id("span")}
            ax.plot(ends, (y, y), color=model.colour, linewidth=2, **below)
    if found.chance is not None:
        ax.axhline(found.chance, **guide(gid="chance"))
    ax.set(xlabel=say.metric(along), ylabel=say.metric(found.metric))
    if others:
        add_legend(ax)


def _map(ax: Axes, found: Columns, names: list[str], say: FigureWords, style: dict[str, Any]) -> None:
    value, beyond = np.squeeze(found.value), np.squeeze(_beyond(found))
    centre = np.nanmean(value) if found.chance is None else found.chance
    reach = float(np.nanmax(np.abs(value - centre))) or 1.0
    look = {"cmap": "gray" if look_of(ax).gray else "RdBu_r", "vmin": centre - reach, "vmax": centre + reach, **style}
    drawn = ax.imshow(value, aspect="auto", interpolation="nearest", gid="map", **look)
    down, across = np.nonzero(beyond)
    ax.scatter(across, down, s=2, color=INK, linewidth=0, gid="beyond")
    for axis, name, size in ((ax.yaxis, names[0], value.shape[0]), (ax.xaxis, names[1], value.shape[1])):
        ticks = range(0, size, max(-(-size // 6), 1))
        axis.set_ticks(ticks, [str(found.axes[name][k]) for k in ticks])
        axis.set_label_text(say.metric(name))
    ax.figure.colorbar(drawn, ax=ax, label=say.metric(found.metric), fraction=0.05, pad=0.02)


def _volcano(ax: Axes, found: Columns, say: FigureWords, style: dict[str, Any]) -> None:
    p = np.where(np.isnan(found.p), 1.0, found.p).ravel()
    value, height, beyond = found.value.ravel(), -np.log10(np.maximum(p, LEAST_P)), _beyond(found).ravel()
    colour = look_of(ax).colours[0]
    dots: dict[str, Any] = {"s": 6, "linewidth": 0, **style}
    ax.scatter(
        value[~beyond], height[~beyond], **{"color": MUTED, "alpha": 0.4, **dots}, gid="columns", rasterized=True
    )
    ax.scatter(value[beyond], height[beyond], **{"color": colour, **dots}, gid="beyond")
    names = [", ".join(map(str, at)) for at in product(*found.axes.values())]
    for k in np.argsort(p)[:NAMED]:
        if beyond[k]:
            ax.annotate(names[k], (value[k], height[k]), xytext=(3, 2), textcoords="offset points", fontsize="small")
    if found.chance is not None:
        ax.axvline(found.chance, **guide(gid="chance"))
    ax.set(xlabel=say.metric(found.metric), ylabel=say["minus_log_p"], ylim=(0, None))

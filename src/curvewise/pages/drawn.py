"""Figures drawn in rows, side by side as on a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from curvewise.errors import UndefinedMetricError
from curvewise.figures.export import Drawing, to_svg
from curvewise.figures.legend_box import equal_heights
from curvewise.figures.style import PAGE, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    Draw = Callable[..., Axes]  # all that is to be drawn, but for axes and language
    Row = dict[str, Draw]  # figures that stand side by side, by the keys that the page knows


def drawn_rows(rows: Iterable[Row], lang: str) -> dict[str, Drawing]:
    """Draw figures; those of a row, which stand side by side, are equally high."""
    found = {}
    for row in rows:
        drawn: dict[str, Figure] = {}
        for key, draw in row.items():
            fig = new_figure(PAGE)
            try:
                draw(ax=fig.add_subplot(), lang=lang)
            except UndefinedMetricError:
                continue
            drawn[key] = fig
        equal_heights(drawn.values())
        for key, fig in drawn.items():
            found[key] = to_svg(fig, prefix=key.replace(":", "-").replace("_", "-"))
    return found

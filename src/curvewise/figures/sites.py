"""The forest of sites: each site's AUC, the mean, and where a new site may lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.figures.forest import Row, draw_forest
from curvewise.figures.look import COLOURS
from curvewise.figures.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from curvewise.breakdown.sites import Sites

LAST = {"(pooled)": ("pooled", "mean"), "(prediction)": ("prediction", "range")}


def draw_sites(
    sites: Sites,
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    **style: Any,
) -> Axes:
    """Draw the AUC of every site with squares as large as its weight, the pooled one and a new site's.

    Parameters
    ----------
    sites
        The result of `curvewise.by_site`.
    ax, labels, **style
        As in `draw_roc`.
    """
    say = words(labels)
    ends = 0 if sites.pooled is None else len(LAST)
    table = sites.forest.rows()
    rows = []
    for place, row in enumerate(table):
        key, kind = LAST[row["site"]] if place >= len(table) - ends else (None, "row")
        name = row["site"] if key is None else say[key]
        numbers = (row["value"], row["low"], row["high"], row["n"], row["weight"])
        rows.append(Row(name, *numbers, kind=kind, colour=COLOURS[0 if key is None else 1]))
    mean = None if sites.pooled is None else sites.pooled.value
    return draw_forest(rows, ax=ax, say=say, title=say["auc"], reference=mean, style=style)

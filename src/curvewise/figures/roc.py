"""The ROC figure: curves with their bands, hulls, operating points and lines of equal cost."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from curvewise.figures.look import DOTTED, aside, canvas, unit_axes
from curvewise.figures.models import Model, key, models, refuse_shared, written
from curvewise.figures.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from matplotlib.axes import Axes

    from curvewise.core.confusion import Confusion
    from curvewise.curves.hull import RocHull
    from curvewise.curves.joint_hull import JointHull
    from curvewise.curves.roc import RocCurve
    from curvewise.decisions.point import OperatingPoint
    from curvewise.inference.bands import Band
    from curvewise.results.estimate import Estimate

    Point: TypeAlias = OperatingPoint | Confusion

MOST = 1000  # points of a line: more do not show


def draw_roc(
    curves: RocCurve | Mapping[str, RocCurve],
    *,
    band: Band | Mapping[str, Band] | None = None,
    hull: RocHull | Mapping[str, RocHull] | None = None,
    point: Point | Mapping[str, Point] | None = None,
    iso_cost: float | None = None,
    estimate: Estimate | Mapping[str, Estimate] | None = None,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    **style: Any,
) -> Axes:
    """Draw ROC curves.

    Parameters
    ----------
    curves
        One curve, or several by name of model.
    band, hull, point, estimate
        What goes with the curve, or with each by name: a `Band` of `curvewise.roc_band`, a hull, an
        operating point (or a `Confusion`), the AUC with its interval for the key.
    iso_cost
        The slope of the lines of equal cost (`curvewise.iso_cost_slope`), one drawn through each point.
    ax, labels
        Axes to draw on, and words other than English (see `curvewise.figures.words`).
    **style
        Of the curves' lines, as in matplotlib.

    Returns
    -------
    matplotlib.axes.Axes
    """
    several, say = models(curves), words(labels)
    refuse_shared(several, band=band, hull=hull, point=point, estimate=estimate)
    crowded = len(several) > 1 or estimate is not None  # a long key would cover the line of chance
    with canvas(ax, shape=1 + 0.05 * len(several) if crowded else 1) as axes:
        roc_axes(axes, say)
        for model in several:
            x, y = model.result.thin(MOST).axes()
            number = written(model.of(estimate) or model.result.auc)
            axes.plot(x, y, label=model.label(f"{say['auc']} {number}"), **model.line(style))
            if (around := model.of(band)) is not None:
                fill_band(axes, model, around)
            if (top := model.of(hull)) is not None:
                dash_hull(axes, model, top)
            if (chosen := model.of(point)) is not None:
                mark(axes, model, chosen, iso_cost, say)
        key(axes, "above" if crowded else "lower right")
    return axes


def roc_axes(ax: Axes, say: Mapping[str, str]) -> None:
    """Set up a unit square with the line of chance."""
    unit_axes(ax)
    ax.set(xlabel=say["fpr"], ylabel=say["tpr"], aspect="equal")
    ax.plot([0, 1], [0, 1], **aside(gid="chance"))


def fill_band(ax: Axes, model: Model[Any], band: Band) -> None:
    """Fill a band, whichever of its axes is the fixed one."""
    fill = ax.fill_betweenx if band.x_name == "tpr" else ax.fill_between
    fill(band.x, band.low, band.high, **model.area())


def dash_hull(ax: Axes, model: Model[Any], hull: RocHull | JointHull) -> None:
    """Draw a hull as a thin dashed line."""
    dashed = aside((0, (3, 2)), color=model.colour, zorder=2.5, gid=model.id("hull"))
    ax.plot(hull.fpr, hull.tpr, **dashed)


def mark(ax: Axes, model: Model[Any], point: Point, iso_cost: float | None, say: Mapping[str, str]) -> None:
    """Mark an operating point, with the line of equal cost through it."""
    counts: Any = getattr(point, "confusion", point)
    x, y = counts.fpr, counts.recall
    ax.plot([x], [y], **model.spot())
    if iso_cost is None:
        return
    steep = {"slope": iso_cost} if math.isfinite(iso_cost) else {"xy2": (x, y + 1)}
    told = {"label": say["iso_cost"]} if model.place == 0 else {}
    ax.axline((x, y), **aside(DOTTED, gid=model.id("cost"), **told, **steep))

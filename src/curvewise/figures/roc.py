"""ROC curves with their bands, hulls, operating points and lines of equal cost; hulls and bands alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from curvewise.figures.legend import FigureWords, Model, legend, models, refuse_shared, written
from curvewise.figures.style import DOTTED, canvas, guide, unit_axes

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from matplotlib.axes import Axes

    from curvewise.core.confusion import Confusion
    from curvewise.curves.hull import RocHull
    from curvewise.curves.joint_hull import JointHull
    from curvewise.curves.roc import RocCurve
    from curvewise.decisions.operating_point import OperatingPoint
    from curvewise.inference.bands import Band
    from curvewise.many_classes.mean_curves import MeanRocCurve
    from curvewise.metric.smooth_area import Smooth
    from curvewise.results.estimate import Estimate
    from curvewise.words import Lang

    AnyRoc: TypeAlias = RocCurve | MeanRocCurve
    Point: TypeAlias = OperatingPoint | Confusion

MOST = 1000  # points of a line: more do not show


def draw_roc(
    curves: AnyRoc | Mapping[str, AnyRoc],
    *,
    band: Band | Mapping[str, Band] | None = None,
    hull: RocHull | Mapping[str, RocHull] | None = None,
    point: Point | Mapping[str, Point] | None = None,
    iso_cost: float | None = None,
    estimate: Estimate | Mapping[str, Estimate] | None = None,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw ROC curves.

    Parameters
    ----------
    curves
        One curve, or several by name of model.
    band, hull, point, estimate
        What goes with the curve, or with each by name: a `Band` of `curvewise.roc_band`, a hull, an
        operating point (or a `Confusion`), the AUC with its interval for the legend.
    iso_cost
        The slope of the lines of equal cost (`curvewise.iso_cost_slope`), one drawn through each point.
    ax, labels, lang
        Axes to draw on; words of the caller by key (`curvewise.figures.figure_words` has all of them); the
        language of all other words, ``"en"`` or ``"zh"``.
    **style
        Of the curves' lines, as in matplotlib.

    Returns
    -------
    matplotlib.axes.Axes
    """
    several, say = models(curves), FigureWords(lang, labels)
    refuse_shared(several, band=band, hull=hull, point=point, estimate=estimate)
    crowded = len(several) > 1 or estimate is not None  # a long legend would cover the line of chance
    with canvas(ax, shape=1 + 0.05 * len(several) if crowded else 1) as axes:
        roc_axes(axes, say)
        for model in several:
            curve: Any = model.result
            x, y = curve.thin(MOST).axes()
            number = written(model.of(estimate) or curve.auc)
            axes.plot(x, y, label=model.label(f"{say['auc']} {number}"), **model.line(style))
            if (around := model.of(band)) is not None:
                fill_band(axes, model, around)
            if (top := model.of(hull)) is not None:
                dash_hull(axes, model, top)
            if (chosen := model.of(point)) is not None:
                mark(axes, model, chosen, iso_cost, say)
        legend(axes, "above" if crowded else "lower right")
    return axes


def roc_axes(ax: Axes, say: FigureWords) -> None:
    """Set up a unit square with the line of chance."""
    unit_axes(ax)
    ax.set(xlabel=say["fpr"], ylabel=say["tpr"], aspect="equal")
    ax.plot([0, 1], [0, 1], **guide(gid="chance"))


def fill_band(ax: Axes, model: Model[Any], band: Band) -> None:
    """Fill a band, whichever of its axes is the fixed one."""
    fill = ax.fill_betweenx if band.x_name == "tpr" else ax.fill_between
    fill(band.x, band.low, band.high, **model.area())


def dash_hull(ax: Axes, model: Model[Any], hull: RocHull | JointHull) -> None:
    """Draw a hull as a thin dashed line."""
    dashed = guide((0, (3, 2)), color=model.colour, zorder=2.5, gid=model.id("hull"))
    ax.plot(hull.fpr, hull.tpr, **dashed)


def mark(ax: Axes, model: Model[Any], point: Point, iso_cost: float | None, say: FigureWords) -> None:
    """Mark an operating point, with the line of equal cost through it."""
    counts: Any = getattr(point, "confusion", point)
    x, y = counts.fpr, counts.recall
    ax.plot([x], [y], **model.marker())
    if iso_cost is None:
        return
    steep = {"slope": iso_cost} if math.isfinite(iso_cost) else {"xy2": (x, y + 1)}
    told = {"label": say["iso_cost"]} if model.place == 0 else {}
    ax.axline((x, y), **guide(DOTTED, gid=model.id("cost"), **told, **steep))


def draw_hull(
    hulls: RocHull | JointHull | Mapping[str, RocHull | JointHull],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw ROC hulls with their vertices; options as in `draw_roc`."""
    several, say = models(hulls), FigureWords(lang, labels)
    with canvas(ax) as axes:
        roc_axes(axes, say)
        for model in several:
            hull: Any = model.result
            kind = say["joint_hull" if hasattr(hull, "models") else "hull"]
            line = {"marker": "o", "markersize": 3, **model.line(style)}
            axes.plot(
                hull.fpr, hull.tpr, label=model.label(f"{kind}: {say['auc']} {written(hull.auc)}"), **line
            )
        legend(axes)
    return axes


def draw_band(
    bands: Band | Mapping[str, Band],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw bands of ROC or PR curves, or of a rate at thresholds; options as in `draw_roc`.

    The axes are those of the curve: a band of FPR at fixed TPR runs upward.
    """
    several, say = models(bands), FigureWords(lang, labels)
    first = several[0].result
    with canvas(ax, shape=0.8 if first.x_name == "threshold" else 1) as axes:
        if first.value_name in ("fpr", "tpr") and first.x_name != "threshold":
            roc_axes(axes, say)
        else:
            if first.x_name != "threshold":
                unit_axes(axes)
            titles = [say.metric(name) for name in (first.x_name, first.value_name)]
            axes.set(xlabel=titles[0], ylabel=titles[1], ylim=(-0.015, 1.015))
        for model in several:
            band = model.result
            fill_band(axes, model, band)
            places = (band.value, band.x) if band.x_name == "tpr" else (band.x, band.value)
            axes.plot(*places, label=model.label(), **model.line(style))
        legend(axes)
    return axes


def draw_smooth_roc(
    curves: Smooth | Mapping[str, Smooth],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw ROC curves that are given by a formula; options as in `draw_roc`."""
    several, say = models(curves), FigureWords(lang, labels)
    with canvas(ax) as axes:
        roc_axes(axes, say)
        for model in several:
            x = [(k / MOST) ** 3 for k in range(MOST + 1)]  # dense at 0, where such a curve is steep
            text = model.label(f"{say['auc']} {written(model.result.auc)}")
            axes.plot(x, model.result.tpr(x), label=text, **model.line(style))
        legend(axes)
    return axes

"""ROC curves with their bands, hulls, operating points and lines of equal cost; hulls, bands, DET curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from curvewise.figures.legend import MOST, FigureWords, Model, models, panel, refuse_shared, written
from curvewise.figures.registry import draws
from curvewise.figures.scales import apart, by_powers, power_axis
from curvewise.figures.style import DOTTED, GRID, guide, square, unit_axes
from curvewise.rows.checks import one_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.curves.det import DetCurve
    from curvewise.curves.hull import RocHull
    from curvewise.curves.joint_hull import JointHull
    from curvewise.curves.roc import RocCurve
    from curvewise.figures.confusion import Point
    from curvewise.figures.legend import Ax, Labels, Many
    from curvewise.inference.bands import Band
    from curvewise.many_classes.mean_curves import MeanRocCurve
    from curvewise.metric.smooth_area import Smooth
    from curvewise.results.estimate import Estimate
    from curvewise.words import Lang

    AnyRoc: TypeAlias = RocCurve | MeanRocCurve
    AnyHull: TypeAlias = RocHull | JointHull

# of a DET curve, the most wanted first
TICKS = (0.01, 0.1, 0.5, 0.001, 0.99, 0.9, 1e-4, 1e-5, 0.05, 0.2, 0.8, 0.95, 0.02, 0.3)
LEAST = 1e-6  # where a rate of 0 goes on a DET curve: beyond the edge of the figure


@draws("RocCurve", "MeanRocCurve")
def draw_roc(
    curves: Many[AnyRoc],
    *,
    band: Many[Band] | None = None,
    hull: Many[RocHull] | None = None,
    point: Many[Point] | None = None,
    iso_cost: float | None = None,
    estimate: Many[Estimate] | None = None,
    xscale: Literal["linear", "log"] = "linear",
    ax: Ax = None,
    labels: Labels = None,
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
    xscale
        ``"log"`` shows false positive rates by powers of ten, from the lowest that a curve has above 0: where
        negatives are many, what happens at few false alarms.
    ax, labels, lang
        Axes to draw on; words of the caller by key (`curvewise.figures.figure_words` has all of them); the
        language of all other words, ``"en"`` or ``"zh"``.
    **style
        Of the curves' lines, as in matplotlib.

    Returns
    -------
    matplotlib.axes.Axes
    """
    one_of("xscale", xscale, ("linear", "log"))
    refuse_shared(curves, band=band, hull=hull, point=point, estimate=estimate)
    corner = None if estimate is not None else "lower right"  # a long text would cover the line of chance
    with panel(curves, ax, labels, lang, corner=corner) as (axes, found, say):
        low = _lowest_rate(found) if xscale == "log" else None
        roc_axes(axes, say, low)
        for model in found:
            curve: Any = model.result
            drawn = None if low is None else by_powers(curve.fpr, curve.tpr, low, model.most)
            model.draw(axes, style, f"{say['auc']} {written(model.of(estimate) or curve.auc)}", drawn)
            if model.is_listed and (around := model.of(band)) is not None:
                fill_band(axes, model, around)
            if model.is_listed and (top := model.of(hull)) is not None:
                dashed = guide((0, (3, 2)), color=model.colour, zorder=2.5, gid=model.id("hull"))
                axes.plot(*((top.fpr, top.tpr) if low is None else by_powers(top.fpr, top.tpr, low, MOST)), **dashed)
            if (chosen := model.of(point)) is not None:
                _mark(axes, model, chosen, iso_cost, say, low)
    return axes


def roc_axes(ax: Axes, say: FigureWords, low: float | None = None) -> None:
    """Set up a unit square with the line of chance; where a lowest rate is given, rates go by powers of ten."""
    unit_axes(ax, say["fpr"], say["tpr"])
    square(ax)
    chance: Any = ([0, 1], [0, 1])
    if low is not None:
        power_axis(ax, low)
        chance = by_powers([0, 1], [0, 1], low, MOST)
    ax.plot(*chance, **guide(gid="chance"))


def _lowest_rate(found: Sequence[Model[Any]]) -> float:
    """Return the lowest false positive rate above 0 of any curve, 0.1 at most, so that there is an axis."""
    rates = [model.result.fpr for model in found]
    return min([0.1, *(float(above.min()) for rate in rates if len(above := rate[rate > 0]))])


def fill_band(ax: Axes, model: Model[Any], band: Band) -> None:
    """Fill a band, whichever of its axes is the fixed one."""
    fill = ax.fill_betweenx if band.x_name == "tpr" else ax.fill_between
    fill(band.x, band.low, band.high, **model.area())


def _mark(
    ax: Axes, model: Model[Any], point: Point, iso_cost: float | None, say: FigureWords, low: float | None
) -> None:
    """Mark an operating point, with the line of equal cost through it."""
    counts: Any = getattr(point, "confusion", point)
    x, y = counts.fpr, counts.recall
    ax.plot([x if low is None else max(x, low)], [y], **model.marker())
    if iso_cost is None or not model.is_listed:
        return
    told = guide(DOTTED, gid=model.id("cost"), **({"label": say["iso_cost"]} if model.place == 0 else {}))
    if low is not None and math.isfinite(iso_cost):
        ax.plot(*by_powers([0, 1], [y - iso_cost * x, y + iso_cost * (1 - x)], low, MOST), **told)
        return
    steep = {"slope": iso_cost} if math.isfinite(iso_cost) else {"xy2": (x, y + 1)}
    ax.axline((x, y), **told, **steep)


@draws("RocHull", "JointHull")
def draw_hull(hulls: Many[AnyHull], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any) -> Axes:
    """Draw ROC hulls with their vertices; options as in `draw_roc`."""
    with panel(hulls, ax, labels, lang, corner="lower right") as (axes, several, say):
        roc_axes(axes, say)
        for model in several:
            hull: Any = model.result
            kind = say["joint_hull" if hasattr(hull, "models") else "hull"]
            number = f"{kind}: {say['auc']} {written(hull.auc)}"
            model.draw(axes, {"marker": "o", "markersize": 3, **style}, number, (hull.fpr, hull.tpr))
    return axes


@draws("Band")
def draw_band(bands: Many[Band], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any) -> Axes:
    """Draw bands of ROC or PR curves, or of a rate at thresholds; options as in `draw_roc`.

    The axes are those of the curve: a band of FPR at fixed TPR runs upward.
    """
    first = models(bands)[0].result
    unit = first.x_name != "threshold"
    with panel(bands, ax, labels, lang, 0.95 if unit else 0.8, "lower right") as (axes, several, say):
        if unit and first.value_name in ("fpr", "tpr"):
            roc_axes(axes, say)
        else:
            if unit:
                unit_axes(axes)
            titles = [say.metric(name) for name in (first.x_name, first.value_name)]
            axes.set(xlabel=titles[0], ylabel=titles[1], ylim=(-0.015, 1.015))
        for model in several:
            band = model.result
            fill_band(axes, model, band)
            points = (band.value, band.x) if band.x_name == "tpr" else (band.x, band.value)
            model.draw(axes, style, points=points)
    return axes


@draws("SmoothRoc")
def draw_smooth_roc(
    curves: Many[Smooth], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw ROC curves that are given by a formula; options as in `draw_roc`."""
    with panel(curves, ax, labels, lang, corner="lower right") as (axes, several, say):
        roc_axes(axes, say)
        x = [(k / MOST) ** 3 for k in range(MOST + 1)]  # dense at 0, where such a curve is steep
        for model in several:
            model.draw(axes, style, f"{say['auc']} {written(model.result.auc)}", (x, model.result.tpr(x)))
    return axes


@draws("DetCurve")
def draw_det(
    curves: Many[DetCurve],
    *,
    estimate: Many[Estimate] | None = None,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw DET curves with their equal error rates on normal-deviate axes; options as in `draw_roc`.

    The estimate is that of the equal error rate.

    Rates up to a half are shown, or up to 99% where a model is worse than chance. A rate of 0 lies beyond
    the edge.
    """
    from scipy.special import ndtr, ndtri  # noqa: PLC0415 - slow to load

    refuse_shared(curves, estimate=estimate)
    with panel(curves, ax, labels, lang) as (axes, several, say):
        axes.set_xscale("function", functions=(ndtri, ndtr))
        axes.set_yscale("function", functions=(ndtri, ndtr))
        low, high = _limits([m.result for m in several])
        axes.set(xlim=(low, high), ylim=(low, high), xlabel=say["fpr"], ylabel=say["fnr"])
        square(axes)
        ticks = apart(axes, {tick: f"{100 * tick:g}%" for tick in TICKS}, ndtri, low, high)
        axes.set_xticks(list(ticks), list(ticks.values()))
        axes.set_yticks(list(ticks), list(ticks.values()))
        axes.minorticks_off()
        axes.grid(visible=True, color=GRID, linewidth=0.5)
        axes.plot([low, high], [low, high], color=GRID, linewidth=0.8, zorder=1)
        for model in several:
            curve = model.result.thin(model.most)
            *points, rate = (np.clip(r, LEAST, 1 - LEAST) for r in (curve.fpr, curve.fnr, curve.eer))
            model.draw(axes, style, f"{say['eer']} {_percent(model.of(estimate) or curve.eer)}", points)
            axes.plot([rate], [rate], **model.marker())
    return axes


def _percent(rate: float | Estimate) -> str:
    if isinstance(rate, float):
        return f"{100 * rate:.3g}%"
    return f"{100 * rate.value:.3g}% [{100 * rate.low:.3g}%, {100 * rate.high:.3g}%]"


def _limits(curves: list[DetCurve]) -> tuple[float, float]:
    """Return limits that hold the part of the curves below the upper one."""
    high = 0.6 if max(c.eer for c in curves) < 0.5 else 0.99
    shown = [rate[(c.fpr <= high) & (c.fnr <= high)] for c in curves for rate in (c.fpr, c.fnr)]
    rates = np.concatenate(shown)
    return max(0.5 * float(rates[rates > 0].min(initial=0.04)), 5e-6), high

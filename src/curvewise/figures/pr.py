"""Precision-recall curves with the level of chance and lines of equal F, and precision-recall-gain curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.arrays import Floats
from curvewise.curves.base import kept_points
from curvewise.figures.legend import MOST, FigureWords, panel, refuse_shared, written
from curvewise.figures.registry import draws
from curvewise.figures.roc import fill_band
from curvewise.figures.style import GRID, MUTED, guide, look_of, small, square, unit_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.curves.pr import PrCurve
    from curvewise.curves.pr_gain import PrGainCurve
    from curvewise.figures.confusion import Point
    from curvewise.figures.legend import Ax, Labels, Many
    from curvewise.inference.bands import Band
    from curvewise.many_classes.mean_curves import MeanPrCurve
    from curvewise.results.estimate import Estimate
    from curvewise.words import Lang

STEPS = 200  # points a bent segment would have if it went from recall 0 to 1
EQUAL_F = (0.2, 0.4, 0.6, 0.8)
LOWEST = -0.5  # a precision gain below this is not shown: it has no bound


@draws("PrCurve")
def draw_pr(
    curves: Many[PrCurve],
    *,
    band: Many[Band] | None = None,
    point: Many[Point] | None = None,
    estimate: Many[Estimate] | None = None,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw precision-recall curves.

    Options as in `draw_roc`: the band is one of `curvewise.pr_band`, the estimate the average precision.

    Within a block of tied scores true and false positives grow in proportion, which is a bent line here.
    Straight lines between points would promise precision that no threshold has.
    """
    refuse_shared(curves, band=band, point=point, estimate=estimate)
    with panel(curves, ax, labels, lang) as (axes, several, say):
        pr_axes(axes, say)
        for model in several:
            number = written(model.of(estimate) or model.result.average_precision)
            model.draw(axes, style, f"{say['average_precision']} {number}", bent(model.result, model.most))
            if model.is_listed and (around := model.of(band)) is not None:
                fill_band(axes, model, around)
            if (chosen := model.of(point)) is not None:
                counts: Any = getattr(chosen, "confusion", chosen)
                axes.plot([counts.recall], [counts.precision], **model.marker())
        known = [model.result for model in several if model.result.negatives is not None]  # as in detection it is not
        levels = sorted({round(curve.chance, 12) for curve in known})
        for level in levels:
            text = f"{say['chance']} {level:.3g}" if level == levels[0] else None
            axes.axhline(level, **guide(label=text, gid=f"chance-{levels.index(level)}"))
    return axes


def pr_axes(ax: Axes, say: FigureWords) -> None:
    """Set up a unit square with lines of equal F."""
    unit_axes(ax, say["recall"], say["precision"])
    square(ax)
    _equal_f(ax, say)


def bent(curve: PrCurve, most: int = MOST) -> tuple[Floats, Floats]:
    """Return recall and precision of a line that joins the points by their counts, at most so many points.

    From nothing to the first block precision is constant; a block without positives is a vertical line.
    """
    tp, fp = (np.append(0.0, c) for c in (curve.tp, curve.fp))
    steps = np.maximum(np.ceil(np.diff(tp) / curve.positives * STEPS), 1).astype(np.intp)
    block = np.repeat(np.arange(len(steps)), steps)
    share = (np.arange(len(block)) - np.repeat(np.cumsum(steps) - steps, steps) + 1) / steps[block]
    t, f = (c[:-1][block] + share * np.diff(c)[block] for c in (tp, fp))
    recall, precision = t / curve.positives, t / (t + f)
    recall, precision = np.append(0.0, recall), np.append(curve.precision[0], precision)
    keep = kept_points(recall, precision, most)
    return recall[keep], precision[keep]


def _equal_f(ax: Axes, say: FigureWords) -> None:
    look: dict[str, Any] = {"va": "center", "size": small(ax), "color": MUTED, "annotation_clip": False}
    look["textcoords"] = "offset points"
    ax.annotate(say["f1"], (1.015, 1), (2, -look_of(ax).small), **look)
    for f in EQUAL_F:
        recall = np.linspace(f / (2 - f), 1, 60)
        ax.plot(recall, f * recall / (2 * recall - f), color=GRID, linewidth=0.8, zorder=0.5)
        ax.annotate(f"{f:g}", (1.015, f / (2 - f)), (2, 0), **look)


@draws("MeanPrCurve")
def draw_mean_pr(
    curves: Many[MeanPrCurve], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw the mean precision of many classes as steps, each held back to the recall before it."""
    with panel(curves, ax, labels, lang) as (axes, several, say):
        unit_axes(axes, say["recall"], say["precision"])
        square(axes)
        for model in several:
            x, y = model.result.thin(model.most).axes()
            points = np.append(0.0, x), np.append(y[:1], y)
            number = f"{say['average_precision']} {written(model.result.average_precision)}"
            model.draw(axes, {"drawstyle": "steps-pre", **style}, number, points)
    return axes


@draws("PrGainCurve")
def draw_pr_gain(
    curves: Many[PrGainCurve], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw precision-recall-gain curves over lines of equal F1; options as in `draw_roc`."""
    with panel(curves, ax, labels, lang) as (axes, several, say):
        unit_axes(axes, say["recall_gain"], say["precision_gain"])
        square(axes)
        for total in (0.5, 1.0, 1.5):  # F1 gain is the mean of both
            axes.axline((0, total), slope=-1, color=GRID, linewidth=0.8, zorder=0.5)
        axes.axhline(0, **guide(gid="chance"))
        lowest = 0.0
        for model in several:
            _, y = model.draw(axes, style, f"{say['pr_gain_area']} {written(model.result.area)}")
            lowest = min(lowest, float(y.min()))
        axes.set_ylim(max(lowest, LOWEST) - 0.015, 1.015)
    return axes

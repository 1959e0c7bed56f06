"""The precision-recall figure: counts joined as they grow, the level of chance, lines of equal F."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.curves.thinning import kept_points
from curvewise.figures.look import GRID, MUTED, aside, canvas, unit_axes
from curvewise.figures.models import key, models, refuse_shared, written
from curvewise.figures.roc import MOST, fill_band
from curvewise.figures.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from curvewise.curves.pr import PrCurve
    from curvewise.figures.roc import Point
    from curvewise.inference.bands import Band
    from curvewise.results.estimate import Estimate

    Floats = NDArray[np.float64]

STEPS = 200  # points a bent segment would have if it went from recall 0 to 1
EQUAL_F = (0.2, 0.4, 0.6, 0.8)


def draw_pr(
    curves: PrCurve | Mapping[str, PrCurve],
    *,
    band: Band | Mapping[str, Band] | None = None,
    point: Point | Mapping[str, Point] | None = None,
    estimate: Estimate | Mapping[str, Estimate] | None = None,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    **style: Any,
) -> Axes:
    """Draw precision-recall curves.

    Parameters
    ----------
    curves
        One curve, or several by name of model.
    band, point, estimate
        What goes with the curve, or with each by name: a `Band` of `curvewise.pr_band`, an operating
        point (or a `Confusion`), the average precision with its interval for the key.
    ax, labels, **style
        As in `draw_roc`.

    Notes
    -----
    Within a block of tied scores true and false positives grow in proportion, which is a bent line here.
    Straight lines between points would promise precision that no threshold has.
    """
    several, say = models(curves), words(labels)
    refuse_shared(several, band=band, point=point, estimate=estimate)
    with canvas(ax, shape=0.95) as axes:
        unit_axes(axes)
        axes.set(xlabel=say["recall"], ylabel=say["precision"])
        _equal_f(axes, say)
        for model in several:
            curve = model.result
            x, y = bent(curve)
            number = written(model.of(estimate) or curve.average_precision)
            axes.plot(x, y, label=model.label(f"{say['average_precision']} {number}"), **model.line(style))
            if (around := model.of(band)) is not None:
                fill_band(axes, model, around)
            if (chosen := model.of(point)) is not None:
                counts: Any = getattr(chosen, "confusion", chosen)
                axes.plot([counts.recall], [counts.precision], **model.spot())
        levels = sorted({round(model.result.chance, 12) for model in several})
        for level in levels:
            text = f"{say['chance']} {level:.3g}" if level == levels[0] else None
            axes.axhline(level, **aside(label=text, gid=f"chance-{levels.index(level)}"))
        key(axes, "above")
    return axes


def bent(curve: PrCurve) -> tuple[Floats, Floats]:
    """Return recall and precision of a line that joins the points by their counts.

    From nothing to the first block precision is constant; a block without positives is a vertical line.
    """
    tp, fp = (np.append(0.0, c) for c in (curve.tp, curve.fp))
    steps = np.maximum(np.ceil(np.diff(tp) / curve.positives * STEPS), 1).astype(np.intp)
    block = np.repeat(np.arange(len(steps)), steps)
    share = (np.arange(len(block)) - np.repeat(np.cumsum(steps) - steps, steps) + 1) / steps[block]
    t, f = (c[:-1][block] + share * np.diff(c)[block] for c in (tp, fp))
    recall, precision = t / curve.positives, t / (t + f)
    recall, precision = np.append(0.0, recall), np.append(curve.precision[0], precision)
    keep = kept_points(recall, precision, MOST)
    return recall[keep], precision[keep]


def _equal_f(ax: Axes, say: Mapping[str, str]) -> None:
    for f in EQUAL_F:
        recall = np.linspace(f / (2 - f), 1, 60)
        ax.plot(recall, f * recall / (2 * recall - f), color=GRID, linewidth=0.8, zorder=0.5)
        place: dict[str, Any] = {
            "textcoords": "offset points",
            "va": "center",
            "size": "x-small",
            "color": MUTED,
        }
        ax.annotate(f"{say['f1']} {f:g}", (1.015, f / (2 - f)), (2, 0), annotation_clip=False, **place)

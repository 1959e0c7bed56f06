"""Curves of a detector: precision and recall by class, F by threshold, recall against wrong boxes per image."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.arrays import Floats
from curvewise.curves.base import kept_points
from curvewise.curves.pr import PrCurve, pr_curve
from curvewise.detection.numbers.per_class import class_sweeps
from curvewise.figures.legend import FEW, MOST, PALE, FigureWords, number, panel
from curvewise.figures.legend_box import legend_above
from curvewise.figures.pr import bent
from curvewise.figures.registry import draws
from curvewise.figures.scales import power_axis
from curvewise.figures.style import COLOURS, DASHES, INK, MARKERS, canvas, guide, is_alone, look_of, square, unit_axes
from curvewise.results.text import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.detection.matching.matched import Matched
    from curvewise.detection.numbers.at_threshold import ClassAt
    from curvewise.detection.numbers.f_curve import FCurve
    from curvewise.detection.numbers.froc import Froc
    from curvewise.figures.legend import Ax, Labels, Many
    from curvewise.words import Lang

NAMED = len(COLOURS)  # classes with a colour and a name: those with the smallest area
NARROW = 17  # letters of a name in a legend of two columns


@draws("Matched")
def draw_matched(
    matched: Matched,
    *,
    iou: float = 0.5,
    threshold: float | None = None,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw precision against recall of each class at one IoU threshold, with its AP there; see `draw_class_curves`.

    ``threshold`` marks where the boxes with that score or more lie.
    """
    sweeps = class_sweeps(matched, iou)
    area = dict(zip(matched.classes, matched.class_ap(iou).tolist(), strict=True))
    curves = {str(name): pr_curve(sweep) for name, sweep in sweeps.items()}
    points = None if threshold is None else {str(name): sweep.at(threshold) for name, sweep in sweeps.items()}
    numbers = {str(name): area[name] for name in sweeps}
    called = dict(labels or {})
    if len(matched.iou) > 1:  # else AP is that at this overlap
        called.setdefault("ap", f"{FigureWords(lang, None)['ap']}{100 * iou:g}")
    return draw_class_curves(curves, numbers, point=points, ax=ax, labels=called, lang=lang, **style)


def draw_class_curves(
    curves: Mapping[str, PrCurve],
    ap: Mapping[str, float],
    *,
    point: Mapping[str, Any | ClassAt] | None = None,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw precision against recall of each class as it is, and thinner the envelope that AP is the area under.

    Of more than 6 classes those with the smallest AP are named, and the others are pale. ``point`` has precision and
    recall of each class at a threshold. Other options as in `draw_roc`.
    """
    say = FigureWords(lang, labels)
    worst = sorted(curves, key=lambda name: ap[name])[:NAMED]
    with canvas(ax, shape=0.95) as axes:
        unit_axes(axes, say["recall"], say["precision"])
        square(axes)
        ids = {name: f"class-{k}" for k, name in enumerate(curves)}
        pale = [name for name in curves if name not in worst]
        for name in pale:
            axes.plot(*_envelope(curves[name], FEW), gid=f"{ids[name]}-line", **PALE)
        (head,) = axes.plot([], [], linestyle="none", gid="ap")  # what the numbers behind the names are
        told = [(head, say["ap"])]
        for place, name in enumerate(worst):
            colour = look_of(axes).colours[place]
            thin: dict[str, Any] = {"color": colour, "linewidth": 0.6, "alpha": 0.7}
            axes.plot(*_envelope(curves[name], MOST), zorder=2.5, gid=f"{ids[name]}-envelope", **thin)
            look = {"color": colour, "linestyle": DASHES[place], "linewidth": 1.2, "zorder": 3, **style}
            (line,) = axes.plot(*_raw(curves[name]), gid=f"{ids[name]}-line", **look)
            told.append((line, f"{shortened(name, NARROW)}: {number(ap[name])}"))
            if point is not None:
                at = point[name]
                axes.plot([at.recall], [at.precision], marker=MARKERS[place], markersize=4.5, color=colour, zorder=5)
        if pale:
            (key,) = axes.plot([], [], gid="others-line", **PALE)
            told.append((key, say["other_classes"].format(n=len(pale))))
        _legend(axes, told)
    return axes


def _raw(curve: PrCurve) -> tuple[Floats, Floats]:
    """Return the curve by its counts; a class without any detection has one point, recall 0."""
    return bent(curve, MOST) if len(curve) else (np.zeros(1), np.zeros(1))


def _envelope(curve: PrCurve, most: int) -> tuple[Floats, Floats]:
    """Return the greatest precision at each recall or any greater one, as steps back to the recall before."""
    if not len(curve):
        return np.zeros(1), np.zeros(1)
    best = np.maximum.accumulate(curve.precision[::-1])[::-1]
    x, y = np.append(0.0, np.repeat(curve.recall, 2)[:-1]), np.repeat(best, 2)
    keep = kept_points(x, y, most)
    return x[keep], y[keep]


def _legend(ax: Axes, told: Sequence[tuple[Any, str]]) -> None:
    handles, texts = map(list, zip(*told, strict=True))
    made = legend_above(ax, handles, texts, alone=is_alone(ax))
    for text, shown, handle in zip(made.get_texts(), made.legend_handles, handles, strict=True):
        text.set_parse_math(False)
        if shown is not None:  # a copy may not carry the id of the line itself
            shown.set_gid(f"{handle.get_gid()}-key")


@draws("Froc")
def draw_froc(
    curves: Many[Froc],
    *,
    point: Many[Any] | None = None,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw recall against wrong boxes per image, which go by powers of ten; options as in `draw_roc`.

    Recall holds until the next threshold; thresholds without a wrong box lie at the left edge. ``point`` has recall
    and wrong boxes per image at a threshold (``m.at(...).pooled``).
    """
    with panel(curves, ax, labels, lang, 0.9) as (axes, several, say):
        rates = [np.asarray(model.result.false_positives_per_image) for model in several]
        low, high = _powers(rates)
        for model in several:
            x = np.clip(model.result.false_positives_per_image, low, high)
            y = np.asarray(model.result.recall)
            x, y = np.append(low, x), np.append(0.0, y)
            x, y = np.append(x, high), np.append(y, y[-1])
            steps = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
            keep = kept_points(np.log10(steps[0]), steps[1], model.most)
            model.draw(axes, style, points=(steps[0][keep], steps[1][keep]))
            if (at := model.of(point)) is not None:
                axes.plot([max(at.false_positives_per_image, low)], [at.recall], **model.marker())
        axes.set(ylim=(-0.015, 1.015), xlabel=say["false_positives_per_image"], ylabel=say["recall"])
        power_axis(axes, low, high)
    return axes


def _powers(rates: Sequence[Floats]) -> tuple[float, float]:
    """Return powers of ten that hold all rates above 0."""
    every = np.concatenate([*rates, np.zeros(0)])
    above = every[every > 0]
    if not len(above):
        return 0.01, 1.0
    low, high = math.floor(math.log10(above.min()) + 1e-9), math.ceil(math.log10(above.max()) - 1e-9)
    return 10.0**low, 10.0 ** max(high, low + 1)


@draws("FCurve")
def draw_f_curve(
    curves: Many[FCurve], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw F against the threshold and mark the best; of one detector precision and recall too. See `draw_roc`.

    Each value is constant from one score to the next.
    """
    with panel(curves, ax, labels, lang, 0.85) as (axes, several, say):
        for model in several:
            curve = model.result
            name = say["f1"] if curve.beta == 1 else f"F{curve.beta:g}"
            if not len(curve.threshold):
                continue
            best = curve.best
            values = {"f": number(curve.f[best]), "threshold": f"{curve.threshold[best]:.3g}", "name": name}
            model.draw(axes, style, say["best_f"].format(**values), _held(curve.threshold, curve.f, model.most))
            axes.plot([curve.threshold[best]], [curve.f[best]], **model.marker())
            if len(several) == 1:
                for rate, dash in (("precision", DASHES[1]), ("recall", DASHES[2])):
                    x, y = _held(curve.threshold, getattr(curve, rate), model.most)
                    look = guide(dash, color=INK, linewidth=0.9)
                    axes.plot(x, y, label=say[rate], gid=model.id(rate), **look)
        axes.set(ylim=(-0.015, 1.015), xlabel=say["threshold"], ylabel=say["value"])
        axes.margins(x=0.02)
    return axes


def _held(threshold: Any, value: Any, most: int) -> tuple[Floats, Floats]:
    """Return a line that is constant from one score down to the next."""
    x, y = np.repeat(np.asarray(threshold, dtype=np.float64), 2)[1:], np.repeat(np.asarray(value), 2)[:-1]
    there = np.isfinite(x) & np.isfinite(y)
    keep = kept_points(x[there], y[there], most)
    return x[there][keep], y[there][keep]

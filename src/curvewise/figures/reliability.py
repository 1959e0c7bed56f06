"""The reliability figure: how often it happened when p was said, and how often p was said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from curvewise.core.sweep import Sweep
from curvewise.curves.histogram import ScoreHistogram, score_histogram
from curvewise.figures.legend import FigureWords, Model, models, panel, refuse_shared
from curvewise.figures.registry import draws
from curvewise.figures.style import MARKERS, guide, is_ours, square, style_axes, unit_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.figures.legend import Ax, Labels, Many
    from curvewise.probabilities.calibration_belt import CalibrationBelt
    from curvewise.probabilities.isotonic import Isotonic
    from curvewise.probabilities.reliability import Reliability
    from curvewise.words import Lang

    Histogram: TypeAlias = ScoreHistogram | Sweep
    Bars: TypeAlias = tuple[Model[Reliability], Any, Any]  # with counts and edges


@draws("Reliability")
def draw_reliability(
    curves: Many[Reliability],
    *,
    histogram: Many[Histogram] | None = None,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw reliability curves with their bands, and below them how often each probability was said.

    Bins are points with intervals, others lines with bands: a consistency band lies around the diagonal, a
    confidence band around the curve. ``histogram``, how often each probability was said, is the result of
    `curvewise.score_histogram` or the sweep of the probabilities, for one model or for each by name; a curve
    of bins has its own. Other options as in `draw_roc`.
    """
    refuse_shared(curves, histogram=histogram)
    shape = 1.22 if histogram is not None or models(curves)[0].result.start is not None else 0.95
    with panel(curves, ax, labels, lang, shape, "upper left") as (axes, several, say):
        unit_axes(axes, say["probability"], say["observed"])
        square(axes)
        axes.plot([0, 1], [0, 1], **guide(gid="ideal"))
        for model in several:
            _curve(axes, model, style)
        if bars := [b for model in several if (b := _bars(model, model.of(histogram))) is not None]:
            _histogram(axes, bars, say)
    return axes


@draws("CalibrationBelt")
def draw_belt(
    belts: Many[CalibrationBelt], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw calibration belts, the darker the lower the level, with the fitted curve; options as in `draw_roc`."""
    with panel(belts, ax, labels, lang, corner="upper left") as (axes, several, say):
        unit_axes(axes, say["probability"], say["observed"])
        square(axes)
        axes.plot([0, 1], [0, 1], **guide(gid="ideal"))
        for model in several:
            belt = model.result
            for place in reversed(range(len(belt.levels))):  # the widest first
                look = {**model.area(), "gid": model.id(f"band-{place}")}
                axes.fill_between(belt.p, belt.low[place], belt.high[place], **look)
            model.draw(axes, style, points=(belt.p, belt.observed))
    return axes


@draws("Isotonic")
def draw_isotonic(
    fits: Many[Isotonic], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw isotonic fits: the share of positives, block by block of scores; options as in `draw_roc`."""
    with panel(fits, ax, labels, lang, 0.8, "upper left") as (axes, several, say):
        for model in several:
            ends = np.stack([model.result.low, model.result.high], axis=1).ravel()
            model.draw(axes, style, points=(ends, np.repeat(model.result.value, 2)))
        axes.set(xlabel=say["score"], ylabel=say["observed"], ylim=(-0.015, 1.015))
    return axes


def _curve(ax: Axes, model: Model[Reliability], style: Mapping[str, Any]) -> None:
    curve, binned = model.result, model.result.start is not None
    if model.is_listed and curve.low is not None and curve.high is not None:
        if binned:
            ax.vlines(curve.p, curve.low, curve.high, color=model.colour, linewidth=0.9, gid=model.id("band"))
        else:
            ax.fill_between(curve.p, curve.low, curve.high, **model.area())
    dots = {"linestyle": "none", "marker": MARKERS[model.place % len(MARKERS)], "markersize": 3.5} if binned else {}
    model.draw(ax, {**style, **dots}, points=(curve.p, curve.observed))


def _bars(model: Model[Reliability], histogram: Histogram | None) -> Bars | None:
    """Return the counts and edges of a histogram, if there is anything to count."""
    curve = model.result
    if histogram is None:
        if curve.start is None or curve.stop is None:
            return None
        return model, curve.n, np.stack([curve.start, curve.stop])
    found = score_histogram(histogram, limits=(0, 1)) if isinstance(histogram, Sweep) else histogram
    return model, found.rows, found.edges


def _histogram(ax: Axes, bars: list[Bars], say: FigureWords) -> None:
    """Draw rows by probability below the curve, on axes set under the others."""
    below = ax.inset_axes((0, -0.38, 1, 0.18), sharex=ax)
    if is_ours(ax):
        style_axes(below)
    for model, counts, edges in bars:
        look: Any = {"color": model.colour, "alpha": 0.6, "linewidth": 0, "gid": model.id("bars")}
        if len(bars) > 1 and edges.ndim == 1:  # lines, since bars would hide each other
            below.stairs(counts, edges, **{**model.line({"linewidth": 0.9}), "gid": model.id("bars")})
        elif edges.ndim == 1:
            below.stairs(counts, edges, fill=True, **look)
        else:  # bins may leave gaps
            look["alpha"] /= len(bars)
            below.bar(edges[0], counts, edges[1] - edges[0], align="edge", **look)
    below.set_ylim(bottom=0)
    below.set_ylabel(say["rows"])
    below.tick_params(labelbottom=False, bottom=False)
    below.locator_params(axis="y", nbins=3)

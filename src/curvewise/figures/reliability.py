"""The reliability figure: how often it happened when p was said, and how often p was said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.sweep import Sweep
from curvewise.curves.histogram import score_histogram
from curvewise.figures.legend import FigureWords, Model, legend, models, refuse_shared
from curvewise.figures.style import FAINT, canvas, guide, is_ours, style_axes, unit_axes

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from matplotlib.axes import Axes

    from curvewise.curves.histogram import ScoreHistogram
    from curvewise.probabilities.isotonic import Isotonic
    from curvewise.probabilities.reliability import Reliability
    from curvewise.words import Lang

    Histogram: TypeAlias = ScoreHistogram | Sweep


def draw_reliability(
    curves: Reliability | Mapping[str, Reliability],
    *,
    histogram: Histogram | Mapping[str, Histogram] | None = None,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw reliability curves with their bands, and below them how often each probability was said.

    Parameters
    ----------
    curves
        One curve, or several by name of model. Bins are points with intervals, others lines with bands. A
        consistency band lies around the diagonal, a confidence band around the curve.
    histogram
        How often each probability was said: the result of `curvewise.score_histogram`, or the sweep of the
        probabilities, for one model or for each by name. A curve of bins has its own.
    ax, labels, lang, **style
        As in `draw_roc`.
    """
    several, say = models(curves), FigureWords(lang, labels)
    refuse_shared(several, histogram=histogram)
    with canvas(
        ax, shape=1.29 if histogram is not None or several[0].result.start is not None else 1
    ) as axes:
        unit_axes(axes)
        axes.set(xlabel=say["probability"], ylabel=say["observed"], aspect="equal")
        axes.plot([0, 1], [0, 1], **guide(gid="ideal"))
        for model in several:
            _curve(axes, model, style)
        legend(axes, "upper left")
        bars = [b for model in several if (b := _bars(model, model.of(histogram))) is not None]
        if bars:
            _histogram(axes, bars, say)
    return axes


def draw_isotonic(
    fits: Isotonic | Mapping[str, Isotonic],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw isotonic fits: the share of positives, block by block of scores; options as in `draw_roc`."""
    several, say = models(fits), FigureWords(lang, labels)
    with canvas(ax, shape=0.8) as axes:
        for model in several:
            ends = np.stack([model.result.low, model.result.high], axis=1).ravel()
            line = {"label": model.label(), **model.line(style)}
            axes.plot(ends, np.repeat(model.result.value, 2), **line)
        axes.set(xlabel=say["score"], ylabel=say["observed"], ylim=(-0.015, 1.015))
        legend(axes, "upper left")
    return axes


def _curve(ax: Axes, model: Model[Reliability], style: Mapping[str, Any]) -> None:
    curve = model.result
    line = {**model.line(style), "label": model.label()}
    if curve.start is not None:
        line = {**line, "linestyle": "none", "marker": "o", "markersize": 3.5}
        if curve.low is not None and curve.high is not None:
            ax.vlines(curve.p, curve.low, curve.high, color=model.colour, linewidth=0.9, gid=model.id("band"))
    elif curve.low is not None and curve.high is not None:
        ax.fill_between(curve.p, curve.low, curve.high, **model.area())
    ax.plot(curve.p, curve.observed, **line)


def _bars(
    model: Model[Reliability], histogram: Histogram | None
) -> tuple[Model[Reliability], Any, Any] | None:
    """Return the counts and edges of a histogram, if there is anything to count."""
    curve = model.result
    if histogram is not None:
        found = score_histogram(histogram, limits=(0, 1)) if isinstance(histogram, Sweep) else histogram
        return model, found.rows, found.edges
    if curve.start is not None and curve.stop is not None:
        return model, curve.n, np.stack([curve.start, curve.stop])
    return None


def _histogram(ax: Axes, bars: list[tuple[Model[Reliability], Any, Any]], say: FigureWords) -> None:
    """Draw rows by probability below the curve, on axes set under the others."""
    below = ax.inset_axes((0, -0.38, 1, 0.18), sharex=ax)
    if is_ours(ax):
        style_axes(below)
    for model, counts, edges in bars:
        look: dict[str, Any] = {
            "alpha": 0.6 if len(bars) == 1 else 2 * FAINT,
            "linewidth": 0,
            "gid": model.id("bars"),
        }
        if edges.ndim == 1:
            below.stairs(counts, edges, fill=True, color=model.colour, **look)
        else:  # bins may leave gaps
            below.bar(edges[0], counts, edges[1] - edges[0], align="edge", color=model.colour, **look)
    below.set_ylim(bottom=0)
    below.set_ylabel(say["rows"])
    below.tick_params(labelbottom=False, bottom=False)
    below.locator_params(axis="y", nbins=3)

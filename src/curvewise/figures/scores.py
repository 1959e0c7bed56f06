"""The scores of each class, and every rate against the threshold."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.sweep import Sweep
from curvewise.curves.base import kept_points
from curvewise.curves.histogram import score_histogram
from curvewise.curves.threshold_rates import threshold_rates
from curvewise.figures.legend import FigureWords, legend
from curvewise.figures.style import COLOURS, DASHES, INK, NEGATIVE, POSITIVE, canvas, guide
from curvewise.results.numbers import show

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.curves.histogram import ScoreHistogram
    from curvewise.curves.threshold_rates import ThresholdRates
    from curvewise.figures.legend import Ax, Labels
    from curvewise.words import Lang

MOST = 400  # points of a line: there are four
# a line of its own for each, so that they differ without colour too
LINES = ("-", DASHES[1], DASHES[2], (0, (4, 1.2, 1, 1.2)))


def draw_distribution(
    scores: ScoreHistogram | Sweep,
    *,
    threshold: float | None = None,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw how the scores of each class are spread, as shares of the class: positives up, negatives down.

    Of a `Sweep` scores are counted in 40 bins; a vertical line goes to ``threshold``; other options as in
    `draw_roc`, ``style`` of the bars.
    """
    say = FigureWords(lang, labels)
    found = score_histogram(scores) if isinstance(scores, Sweep) else scores
    corner: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points", "size": "small"}
    sides: tuple[tuple[str, int, str, dict[str, Any]], ...] = (
        ("positives", 1, POSITIVE, {"xy": (0, 1), "xytext": (4, -2), "va": "top"}),
        ("negatives", -1, NEGATIVE, {"xy": (1, 0), "xytext": (-2, 3), "va": "bottom", "ha": "right"}),
    )
    highest = 0.001
    with canvas(ax, shape=0.7) as axes:
        for name, sign, colour, place in sides:
            counts, total = getattr(found, name), getattr(found, f"total_{name}")
            share = counts / total if total else np.zeros(len(counts))
            highest = max(highest, float(share.max()))
            bar = {"color": colour, "alpha": 0.75, "linewidth": 0, "gid": name, **style}
            axes.stairs(sign * share, found.edges, fill=True, **bar)
            axes.annotate(f"{say[name]} ({say['n']} = {show(total)})", color=colour, **place, **corner)
        axes.axhline(0, color=INK, linewidth=0.6)
        top = 1.18 * highest
        axes.set(xlim=(found.edges[0], found.edges[-1]), ylim=(-top, top))
        axes.set(xlabel=say["score"], ylabel=say["share_of_class"])
        axes.yaxis.set_major_formatter(lambda v, _: f"{100 * abs(v):.3g}%")
        if threshold is not None and math.isfinite(threshold):
            axes.axvline(threshold, **guide(color=INK, zorder=4, gid="threshold"))
    return axes


def draw_thresholds(
    rates: ThresholdRates | Sweep,
    *,
    threshold: float | None = None,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw recall, specificity, precision and F1 at every threshold.

    Each rate is constant from one score to the next; one that a missing class leaves undefined is left out.
    A vertical line goes to ``threshold``; other options as in `draw_roc`.
    """
    say = FigureWords(lang, labels)
    found = threshold_rates(rates) if isinstance(rates, Sweep) else rates
    places = np.asarray(found.threshold, dtype=np.float64)
    finite = np.isfinite(places)
    with canvas(ax, shape=0.8) as axes:
        for k, name in enumerate(found.points[1:]):
            rate = getattr(found, name)
            if np.isnan(rate).all() or not finite.any():
                continue
            # what a score flags, every cut down to the next score flags too
            x, y = np.repeat(places[finite], 2)[1:], np.repeat(rate[finite], 2)[:-1]
            keep = kept_points(x, y, MOST)
            line = {"color": COLOURS[k], "linestyle": LINES[k], "linewidth": 1.2, "gid": name, **style}
            axes.plot(x[keep], y[keep], label=say[name], **line)
        axes.set(ylim=(-0.015, 1.015), xlabel=say["threshold"], ylabel=say["rate"])
        axes.margins(x=0.01)
        if threshold is not None and math.isfinite(threshold):
            axes.axvline(threshold, **guide(color=INK, gid="threshold"))
        legend(axes, "above")
    return axes

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
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from curvewise.curves.histogram import ScoreHistogram
    from curvewise.curves.threshold_rates import ThresholdRates
    from curvewise.words import Lang

    Floats = NDArray[np.float64]

MOST = 400  # points of a line: there are four
# a line of its own for each, so that they differ without colour too
LINES = ("-", DASHES[1], DASHES[2], (0, (4, 1.2, 1, 1.2)))


def draw_distribution(
    scores: ScoreHistogram | Sweep,
    *,
    threshold: float | None = None,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw how the scores of each class are spread, as shares of the class: positives up, negatives down.

    Parameters
    ----------
    scores
        The result of `curvewise.score_histogram`, or a `Sweep`, whose scores are then counted in 40 bins.
    threshold
        Where a vertical line goes.
    ax, labels, lang
        As in `draw_roc`.
    **style
        Of the bars.
    """
    say = FigureWords(lang, labels)
    found = score_histogram(scores) if isinstance(scores, Sweep) else scores
    totals = (found.total_positives, found.total_negatives)
    with canvas(ax, shape=0.7) as axes:
        shares = [_share(c, n) for c, n in zip((found.positives, found.negatives), totals, strict=True)]
        for name, sign, colour, share in zip(
            ("positives", "negatives"), (1, -1), (POSITIVE, NEGATIVE), shares, strict=True
        ):
            bar = {"color": colour, "alpha": 0.75, "linewidth": 0, "gid": name, **style}
            axes.stairs(sign * share, found.edges, fill=True, **bar)
        axes.axhline(0, color=INK, linewidth=0.6)
        top = 1.18 * max(0.001, float(shares[0].max()), float(shares[1].max()))
        axes.set(xlim=(found.edges[0], found.edges[-1]), ylim=(-top, top))
        axes.set(xlabel=say["score"], ylabel=say["share_of_class"])
        axes.yaxis.set_major_formatter(lambda v, _: f"{100 * abs(v):.3g}%")
        corner: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points", "size": "small"}
        names = [
            f"{say[k]} ({say['n']} = {show(n)})"
            for k, n in zip(("positives", "negatives"), totals, strict=True)
        ]
        axes.annotate(names[0], (0, 1), (4, -2), va="top", color=POSITIVE, **corner)
        axes.annotate(names[1], (1, 0), (-2, 3), va="bottom", ha="right", color=NEGATIVE, **corner)
        if threshold is not None and math.isfinite(threshold):
            axes.axvline(threshold, **guide(color=INK, zorder=4, gid="threshold"))
    return axes


def draw_thresholds(
    rates: ThresholdRates | Sweep,
    *,
    threshold: float | None = None,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw recall, specificity, precision and F1 at every threshold.

    Parameters
    ----------
    rates
        The result of `curvewise.threshold_rates`, or a `Sweep`. Each rate is constant from one score to the
        next. A rate that a missing class leaves undefined is left out.
    threshold
        Where a vertical line goes.
    ax, labels, lang, **style
        As in `draw_roc`.
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
            x, y = _stairs(places[finite], rate[finite])
            keep = kept_points(x, y, MOST)
            line = {"color": COLOURS[k], "linestyle": LINES[k], "linewidth": 1.2, "gid": name, **style}
            axes.plot(x[keep], y[keep], label=say[name], **line)
        axes.set(ylim=(-0.015, 1.015), xlabel=say["threshold"], ylabel=say["rate"])
        axes.margins(x=0.01)
        if threshold is not None and math.isfinite(threshold):
            axes.axvline(threshold, **guide(color=INK, gid="threshold"))
        legend(axes, "above")
    return axes


def _share(counts: Floats, total: float) -> Floats:
    return counts / total if total else np.zeros(len(counts))


def _stairs(threshold: Floats, rate: Floats) -> tuple[Floats, Floats]:
    """Return the corners: what a score flags, every cut down to the next score flags too."""
    return np.repeat(threshold, 2)[1:], np.repeat(rate, 2)[:-1]

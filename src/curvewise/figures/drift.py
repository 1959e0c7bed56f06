"""The scores of each class then and now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.figures.legend import FigureWords
from curvewise.figures.legend_box import add_legend
from curvewise.figures.style import INK, MUTED, canvas, look_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.curves.histogram import ScoreHistogram
    from curvewise.figures.legend import Ax, Labels
    from curvewise.words import Lang


def draw_drift(
    then: ScoreHistogram,
    now: ScoreHistogram,
    *,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw how the scores of each class were spread and are: now filled, then outlined; positives up, negatives down.

    Both histograms should have the same bins; other options as in `draw_roc`, ``style`` of the bars.
    """
    say = FigureWords(lang, labels)
    highest = 0.001
    with canvas(ax, shape=0.8) as axes:
        look = look_of(axes)
        for name, sign, colour in (("positives", 1, look.positive), ("negatives", -1, look.negative)):
            before, after = (_shares(h, name) for h in (then, now))
            highest = max(highest, float(before.max()), float(after.max()))
            bar = {"color": colour, "alpha": 0.6, "linewidth": 0, "gid": f"{name}-now", **style}
            axes.stairs(sign * after, now.edges, fill=True, label=f"{say[name]} ({say['now']})", **bar)
            line: dict[str, Any] = {"color": INK, "linewidth": 1.0, "gid": f"{name}-then"}
            axes.stairs(sign * before, then.edges, **line, label=say["then"] if sign > 0 else None)
        axes.axhline(0, color=MUTED, linewidth=0.6)
        top = 1.08 * highest
        axes.set(xlim=(then.edges[0], then.edges[-1]), ylim=(-top, top))
        axes.set(xlabel=say["score"], ylabel=say["share_of_class"])
        axes.yaxis.set_major_formatter(lambda v, _: f"{100 * abs(v):.3g}%")
        add_legend(axes)
    return axes


def _shares(found: ScoreHistogram, name: str) -> np.ndarray[Any, Any]:
    counts, total = getattr(found, name), getattr(found, f"total_{name}")
    return np.asarray(counts / total if total else np.zeros(len(counts)))

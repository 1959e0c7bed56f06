"""The figure of score distributions: positives above the line, negatives below."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.figures.look import INK, NEGATIVE, POSITIVE, aside, canvas
from curvewise.figures.words import words
from curvewise.results.numbers import show

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep

    Floats = NDArray[np.float64]

BARS = 40


def draw_distribution(
    scores: Sweep | Mapping[str, Any],
    *,
    threshold: float | None = None,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    **style: Any,
) -> Axes:
    """Draw how the scores of each class are spread, as shares of the class.

    Parameters
    ----------
    scores
        A `Sweep`, drawn as 40 bars; or bars already counted: ``edges``, ``positives``, ``negatives``.
        Infinite scores are in no bar, but in the total.
    threshold
        Where a vertical line goes.
    ax, labels
        As in `draw_roc`.
    **style
        Of the bars.
    """
    say = words(labels)
    edges, positives, negatives, totals = _bars(scores)
    with canvas(ax, shape=0.7) as axes:
        shares = [_share(c, n) for c, n in zip((positives, negatives), totals, strict=True)]
        for name, sign, colour, share in zip(
            ("positives", "negatives"), (1, -1), (POSITIVE, NEGATIVE), shares, strict=True
        ):
            bar = {"color": colour, "alpha": 0.75, "linewidth": 0, "gid": name, **style}
            axes.stairs(sign * share, edges, fill=True, **bar)
        axes.axhline(0, color=INK, linewidth=0.6)
        top = 1.18 * max(0.001, float(shares[0].max()), float(shares[1].max()))
        axes.set(xlim=(edges[0], edges[-1]), ylim=(-top, top))
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
            axes.axvline(threshold, **aside(color=INK, zorder=4, gid="threshold"))
    return axes


def _bars(scores: Sweep | Mapping[str, Any]) -> tuple[Floats, Floats, Floats, tuple[float, float]]:
    if isinstance(scores, Mapping):
        edges, positives, negatives = (
            np.asarray(scores[k], float) for k in ("edges", "positives", "negatives")
        )
        return edges, positives, negatives, (positives.sum().item(), negatives.sum().item())
    threshold = np.asarray(scores.threshold, dtype=np.float64)
    finite = np.isfinite(threshold)
    here = threshold[finite]
    low, high = (here.min(), here.max()) if len(here) else (0.0, 1.0)
    edges = np.linspace(low, high if high > low else low + 1, BARS + 1)
    each = (np.diff(c, prepend=0)[finite] for c in (scores.tp, scores.fp))
    positives, negatives = (np.histogram(here, edges, weights=c)[0] for c in each)
    return edges, positives, negatives, (scores.positives, scores.negatives)


def _share(counts: Floats, total: float) -> Floats:
    return counts / total if total else np.zeros(len(counts))

"""The threshold figure: every rate against the threshold."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.curves.thinning import kept_points
from curvewise.figures.look import COLOURS, DASHES, INK, aside, canvas
from curvewise.figures.models import key
from curvewise.figures.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep

    Floats = NDArray[np.float64]

MOST = 400  # points of a line: there are four
# a line of its own for each, so that they differ without colour too
LINES = ("-", DASHES[1], DASHES[2], (0, (4, 1.2, 1, 1.2)))


def draw_thresholds(
    sweep: Sweep,
    *,
    threshold: float | None = None,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    **style: Any,
) -> Axes:
    """Draw recall, specificity, precision and F1 at every threshold.

    Parameters
    ----------
    sweep
        The sweep; each rate is constant from one score to the next. A rate that a missing class leaves
        undefined is left out.
    threshold
        Where a vertical line goes.
    ax, labels, **style
        As in `draw_roc`.
    """
    say = words(labels)
    finite = np.isfinite(np.asarray(sweep.threshold, dtype=np.float64))
    with canvas(ax, shape=0.8) as axes:
        for k, (name, rate) in enumerate(_rates(sweep).items() if finite.any() else ()):
            x, y = _stairs(sweep.threshold[finite].astype(np.float64), rate[finite])
            keep = kept_points(x, y, MOST)
            line = {"color": COLOURS[k], "linestyle": LINES[k], "linewidth": 1.2, "gid": name, **style}
            axes.plot(x[keep], y[keep], label=say[name], **line)
        axes.set(ylim=(-0.015, 1.015), xlabel=say["threshold"], ylabel=say["rate"])
        axes.margins(x=0.01)
        if threshold is not None and math.isfinite(threshold):
            axes.axvline(threshold, **aside(color=INK, gid="threshold"))
        key(axes, "above")
    return axes


def _rates(sweep: Sweep) -> dict[str, Floats]:
    tp, fp = sweep.tp, sweep.fp
    found = {
        "recall": (tp, sweep.positives),
        "specificity": (sweep.negatives - fp, sweep.negatives),
        "precision": (tp, tp + fp),
        "f1": (2 * tp, tp + fp + sweep.positives),
    }
    return {name: part / whole for name, (part, whole) in found.items() if np.all(whole)}


def _stairs(threshold: Floats, rate: Floats) -> tuple[Floats, Floats]:
    """Return the corners: what a score flags, every cut down to the next score flags too."""
    return np.repeat(threshold, 2)[1:], np.repeat(rate, 2)[:-1]

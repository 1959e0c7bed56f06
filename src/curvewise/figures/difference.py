"""The figure of a comparison: every difference with its interval, against nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.figures.forest import Row, draw_forest
from curvewise.figures.look import COLOURS
from curvewise.figures.names import literal
from curvewise.figures.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from curvewise.inference.comparison import Comparison


def draw_difference(
    comparison: Comparison,
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    **style: Any,
) -> Axes:
    """Draw the differences of all pairs of models, first minus second, with a line at 0.

    Above a difference that was resampled stands the distribution of its resamples.

    Parameters
    ----------
    comparison
        The result of `curvewise.compare`.
    ax, labels, **style
        As in `draw_roc`.
    """
    say = words(labels)
    rows = []
    for pair in comparison.pairs:
        name = f"{literal(pair.first, 10)} − {literal(pair.second, 10)}"
        e = pair.difference
        rows.append(Row(name, e.value, e.low, e.high, colour=COLOURS[0], decimals=3, drawn=pair.drawn))
    metric = say.get(comparison.metric, comparison.metric.replace("_", " "))
    title = say["difference"].format(metric=metric)
    return draw_forest(rows, ax=ax, say=say, title=title, reference=0.0, style=style)

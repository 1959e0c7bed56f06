"""The forest of groups: one metric in every group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.figures.forest import Row, draw_forest
from curvewise.figures.look import COLOURS
from curvewise.figures.words import words
from curvewise.rows.checks import one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from curvewise.breakdown.breakdown import Groups


def draw_groups(
    groups: Groups,
    metric: str | None = None,
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    **style: Any,
) -> Axes:
    """Draw one metric in every group, with all rows last and as a vertical line.

    Parameters
    ----------
    groups
        The result of `curvewise.by_group`.
    metric
        One of its metrics; the first by default.
    ax, labels, **style
        As in `draw_roc`.
    """
    say = words(labels)
    name = groups.metrics[0] if metric is None else metric
    one_of("metric", name, groups.metrics)
    rows = []
    for place, (column, found) in enumerate(groups.breakdowns.items()):
        for group in found:
            e = group.estimates[name]
            told = len(groups.breakdowns) == 1 or isinstance(
                group.label, tuple
            )  # a combination names its columns
            text = group.name if told else f"{column}={group.name}"
            colour = COLOURS[place % len(COLOURS)]
            rows.append(Row(text, e.value, e.low, e.high, group.sweep.n, colour=colour))
    whole = groups.overall.estimates[name]
    all_rows = groups.overall.sweep.n
    rows.append(Row(say["overall"], whole.value, whole.low, whole.high, all_rows, kind="mean"))
    title = say.get(name, name.replace("_", " "))
    return draw_forest(rows, ax=ax, say=say, title=title, reference=whole.value, style=style)

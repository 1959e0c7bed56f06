"""Confusion tables of two and of many classes: counts and shares, in shades that print in grey."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.figures.legend import FigureWords
from curvewise.figures.style import COLOURS, GRID, INK, canvas
from curvewise.results.numbers import show
from curvewise.results.text import shortened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from curvewise.core.confusion import Confusion
    from curvewise.decisions.operating_point import OperatingPoint
    from curvewise.many_classes.confusion_matrix import ConfusionMatrix
    from curvewise.words import Lang

MOST = 12  # classes whose counts are written
PALEST, DEEPEST = 0.06, 0.5  # opacity: text in ink stays readable on every cell


def draw_confusion(
    confusion: Confusion | OperatingPoint,
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw a confusion table: actual classes in rows, each cell with its share of the row.

    The deeper a cell, the larger its share; right answers have one hue, mistakes another.

    Parameters
    ----------
    confusion
        The counts, or an operating point, which has them.
    ax, labels, lang
        As in `draw_roc`.
    **style
        Of the counts' text.
    """
    from matplotlib.patches import Rectangle  # noqa: PLC0415 - slow to load, and an extra

    say = FigureWords(lang, labels)
    c: Any = getattr(confusion, "confusion", confusion)
    cells = {(0, 0): ("tp", c.positives), (1, 0): ("fn", c.positives)}
    negatives = 0 if c.tn is None else c.negatives
    cells |= {(0, 1): ("fp", negatives), (1, 1): ("tn", negatives)}
    with canvas(ax, shape=0.72) as axes:
        for (column, row), (name, total) in cells.items():
            count = getattr(c, name)
            share = count / total if total and count else 0.0
            hue = COLOURS[0] if name in ("tp", "tn") else COLOURS[1]
            shade: dict[str, Any] = {
                "facecolor": hue,
                "alpha": PALEST + (DEEPEST - PALEST) * share,
                "linewidth": 0,
            }
            axes.add_patch(Rectangle((column, row), 1, 1, gid=f"{name}-cell", **shade))
            middle = (column + 0.5, row + 0.5)
            centred: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "color": INK}
            axes.annotate(
                say["unknown"] if count is None else show(count),
                middle,
                (0, 0),
                va="bottom",
                gid=name,
                **{"size": "x-large", **style},
                **centred,
            )
            below = say["of_row"].format(share=f"{100 * share:.1f}%") if total else say["undefined"]
            axes.annotate(below, middle, (0, -3), va="top", size="small", gid=f"{name}-share", **centred)
            axes.annotate(
                name.upper(),
                (column, row),
                (4, -3),
                va="top",
                size="small",
                color=INK,
                textcoords="offset points",
            )
        axes.axhline(1, color=GRID, linewidth=0.8)
        axes.axvline(1, color=GRID, linewidth=0.8)
        axes.set(xlim=(0, 2), ylim=(2, 0), xlabel=say["predicted"], ylabel=say["actual"])
        axes.set_xticks([0.5, 1.5], [say["positive"], say["negative"]])
        axes.set_yticks([0.5, 1.5], [say["positive"], say["negative"]], rotation=90, va="center")
        axes.xaxis.set_label_position("top")
        axes.tick_params(length=0, labeltop=True, labelbottom=False)
        axes.spines[:].set_visible(False)
    return axes


def draw_confusion_matrix(
    matrix: ConfusionMatrix,
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw the confusion matrix of many classes: the deeper a cell, the larger its share of the true class.

    Counts are written where there are 12 classes or fewer; options as in `draw_roc`, ``style`` of the counts.
    """
    from matplotlib.patches import Rectangle  # noqa: PLC0415 - slow to load, and an extra

    say, names = FigureWords(lang, labels), [shortened(c, 12) for c in matrix.classes]
    places = [k + 0.5 for k in range(len(names))]
    with canvas(ax) as axes:
        for i, (counts, total) in enumerate(
            zip(matrix.counts.tolist(), matrix.support.tolist(), strict=True)
        ):
            for j, count in enumerate(counts):
                depth = PALEST + (DEEPEST - PALEST) * count / total if total else 0.0
                shade: dict[str, Any] = {
                    "facecolor": COLOURS[0 if i == j else 1],
                    "alpha": depth,
                    "linewidth": 0,
                }
                axes.add_patch(Rectangle((j, i), 1, 1, gid=f"cell-{i}-{j}", **shade))
                if len(names) <= MOST:
                    text = {"ha": "center", "va": "center", "size": "small", "color": INK, **style}
                    axes.text(j + 0.5, i + 0.5, show(count), **text)
        axes.set(xlim=(0, len(names)), ylim=(len(names), 0), xlabel=say["predicted"], ylabel=say["actual"])
        axes.set_xticks(places, names, rotation=90 if len(names) > MOST // 2 else 0)
        axes.set_yticks(places, names)
        axes.xaxis.set_label_position("top")
        axes.tick_params(length=0, labeltop=True, labelbottom=False)
        axes.spines[:].set_visible(False)
    return axes

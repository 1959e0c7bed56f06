"""The confusion table of two classes: counts and shares, in shades that print in grey."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from curvewise.figures.legend import FigureWords
from curvewise.figures.registry import draws
from curvewise.figures.style import DOTTED, GRID, INK, MUTED, canvas, guide, small, text_style
from curvewise.results.numbers import show

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.core.confusion import Confusion
    from curvewise.decisions.operating_point import OperatingPoint
    from curvewise.figures.legend import Ax, Labels
    from curvewise.words import Lang

    Point: TypeAlias = OperatingPoint | Confusion

PALEST, DEEPEST = 0.06, 0.5  # opacity: text in ink stays readable on every cell


@draws("Confusion", "OperatingPoint")
def draw_confusion(
    confusion: Point,
    *,
    shares: bool = False,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw a confusion table: actual classes in rows, each cell with its share of the row.

    The deeper a cell, the larger its share; mistakes have a dashed frame. An operating point is drawn by its
    counts, with ``shares`` by the shares of all rows, where counts are sums of weights. Options as in `draw_roc`,
    ``style`` of the counts' text.
    """
    say = FigureWords(lang, labels)
    c: Any = getattr(confusion, "confusion", confusion)
    negatives = 0 if c.tn is None else c.negatives
    cells = (
        ("tp", 0, 0, c.positives),
        ("fn", 1, 0, c.positives),
        ("fp", 0, 1, negatives),
        ("tn", 1, 1, negatives),
    )
    with canvas(ax, shape=0.72) as axes:
        wanted = text_style(style)
        for name, column, row, total in cells:
            count = getattr(c, name)
            if row != column:
                _mistake(axes, column, row, f"{name}-frame")
            share = count / total if total and count else 0.0
            _cell(axes, column, row, PALEST + (DEEPEST - PALEST) * share, f"{name}-cell")
            at: dict[str, Any] = {
                "xy": (column + 0.5, row + 0.5),
                "textcoords": "offset points",
                "color": INK,
            }
            told = f"{100 * count / c.n:.1f}%" if shares and count is not None else show(count)
            text = say["unknown"] if count is None else told
            axes.annotate(
                text, xytext=(0, 0), ha="center", va="bottom", gid=name, **{"size": "x-large", **at, **wanted}
            )
            text = say["of_row"].format(share=f"{100 * share:.1f}%") if total else say["undefined"]
            at["size"] = small(axes)
            axes.annotate(text, xytext=(0, -3), ha="center", va="top", gid=f"{name}-share", **at)
            axes.annotate(name.upper(), xytext=(4, -3), va="top", **{**at, "xy": (column, row)})
        axes.axhline(1, color=GRID, linewidth=0.8)
        axes.axvline(1, color=GRID, linewidth=0.8)
        _frame(axes, [say["positive"], say["negative"]], say, rotation=90, va="center")
    return axes


def _cell(ax: Axes, column: int, row: int, depth: float, gid: str) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415 - slow to load, and an extra

    ax.add_patch(Rectangle((column, row), 1, 1, gid=gid, facecolor=INK, alpha=depth, linewidth=0))


def _mistake(ax: Axes, column: int, row: int, gid: str) -> None:
    """Mark a cell of mistakes without colour, which belongs to models and classes."""
    near, far = 0.02, 0.98
    x, y = [near, far, far, near, near], [near, near, far, far, near]
    look = guide(DOTTED, color=MUTED, linewidth=0.9, gid=gid)
    ax.plot([column + v for v in x], [row + v for v in y], **look)


def _frame(ax: Axes, names: list[str], say: FigureWords, **y: Any) -> None:
    """Name predicted classes above and actual ones beside the cells, without lines."""
    places, end = [k + 0.5 for k in range(len(names))], len(names)
    ax.set(xlim=(0, end), ylim=(end, 0), xlabel=say["predicted"], ylabel=say["actual"])
    ax.set_xticks(places, names)
    ax.set_yticks(places, names, **y)
    ax.xaxis.set_label_position("top")
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)

"""Many classes: confusion matrix, and the curves of each class against the rest with their mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.figures.legend import MOST, PALE, FigureWords, number
from curvewise.figures.legend_box import legend_above
from curvewise.figures.pr import bent
from curvewise.figures.registry import draws
from curvewise.figures.roc import roc_axes
from curvewise.figures.style import (
    INK,
    MUTED,
    WIDTHS,
    canvas,
    guide,
    is_alone,
    look_of,
    several_axes,
    small,
    square,
    unit_axes,
)
from curvewise.results.numbers import show
from curvewise.results.text import shortened, width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.curves.pr import PrCurve
    from curvewise.curves.roc import RocCurve
    from curvewise.figures.legend import Ax, Labels
    from curvewise.many_classes.confusion_matrix import ConfusionMatrix
    from curvewise.many_classes.mean_curves import MeanPrCurve, MeanRocCurve
    from curvewise.many_classes.multiclass import Multiclass
    from curvewise.many_classes.multilabel import Multilabel
    from curvewise.probabilities.reliability import Reliability
    from curvewise.words import Lang

MOST_WRITTEN, MOST_SIGNED = 12, 8  # classes whose counts are written, and whose shares have room for their sign
MOST_NAMED = 10  # classes that a legend names
PALEST, DEEPEST = 0.03, 0.4  # opacity: text in ink stays readable on every cell
CELLS, DIGIT, LINE = 196.0, 5.3, 12.0  # points: the cells of a row together, a digit, a line of text
NAME, NARROW = 11, 17  # letters of a name beside the matrix, and in a legend of two columns
# 3 and 10 share no divisor: 30 classes differ in colour or in dashes, neighbours in both
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)))


@draws("ConfusionMatrix")
def draw_confusion_matrix(
    matrix: ConfusionMatrix, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw the confusion matrix of many classes: the deeper a cell, the larger its share of the true class.

    Counts and their shares of the row are written where there are 12 classes or fewer; right answers have a frame.
    Options as in `draw_roc`, ``style`` of the text in the cells.
    """
    say, number_of = FigureWords(lang, labels), len(matrix.classes)
    names = [shortened(str(c), NAME) for c in matrix.classes]
    high = max(CELLS / number_of, 2.2 * LINE) if number_of <= MOST_WRITTEN else CELLS / number_of
    level = max(map(width, names)) * 0.9 * DIGIT <= CELLS / number_of  # names fit above their columns
    above = LINE if level else max(map(width, names)) * DIGIT
    with canvas(ax, inches=(number_of * high + above + 3 * LINE) / 72) as axes:
        for i, (counts, total) in enumerate(zip(matrix.counts.tolist(), matrix.support.tolist(), strict=True)):
            for j, count in enumerate(counts):
                share = count / total if total else 0.0
                draw_cell(axes, j, i, PALEST + (DEEPEST - PALEST) * share, f"cell-{i}-{j}", right=i == j)
                if number_of <= MOST_WRITTEN:
                    said = row_percent(share, number_of) if count else ""
                    write_cell(axes, j, i, fitting(count, number_of), said, style)
        actual = say["actual"] if number_of <= MOST_SIGNED else say["row_percent"]
        if number_of > MOST_WRITTEN:
            actual = f"{say['actual']} ({say['shares_alone']})"
        frame_matrix(axes, names, say["predicted"], actual, turned=not level)
    return axes


def fitting(count: float, classes: int) -> str:
    """Write a count in full, or in thousands where a cell is too narrow for it."""
    text, room = show(count), CELLS / classes / DIGIT
    if len(text) <= room:
        return text
    return f"{count / 1e3:.0f}k" if count < 1e6 else f"{count / 1e6:.0f}M"


def row_percent(share: float, classes: int) -> str:
    """Write a share as a per cent, which cells of many classes have no room to say."""
    text = f"{100 * share:.0f}"
    if text in ("0", "100") and share not in (0, 1):
        text = "<1" if text == "0" else ">99"
    return text if classes > MOST_SIGNED else f"{text}%"


def write_cell(ax: Axes, column: int, row: int, count: str, share: str, style: Mapping[str, Any]) -> None:
    """Write the count above its share; a cell without rows needs no share."""
    colour = INK if share else MUTED
    look: dict[str, Any] = {"ha": "center", "size": small(ax), "color": colour, "textcoords": "offset points", **style}
    at = (column + 0.5, row + 0.5)
    up: dict[str, Any] = {"xytext": (0, 0.8), "va": "bottom"} if share else {"xytext": (0, 0), "va": "center"}
    ax.annotate(count, at, gid=f"count-{row}-{column}", **up, **look)
    if share:
        ax.annotate(share, at, (0, -1.2), va="top", gid=f"share-{row}-{column}", **look)


def draw_cell(ax: Axes, column: int, row: int, depth: float, gid: str, *, right: bool) -> None:
    """Draw a cell by its depth; one of right answers has a frame."""
    from matplotlib.patches import Rectangle  # noqa: PLC0415 - slow to load, and an extra

    ax.add_patch(Rectangle((column, row), 1, 1, gid=gid, facecolor=INK, alpha=depth, linewidth=0))
    if right:
        inner = Rectangle((column + 0.03, row + 0.03), 0.94, 0.94, gid=f"right-{row}", fill=False)
        inner.set(edgecolor=INK, linewidth=0.9)
        ax.add_patch(inner)


def frame_matrix(ax: Axes, names: list[str], predicted: str, actual: str, *, turned: bool) -> None:
    """Name predicted classes above and actual ones beside the cells, without lines."""
    end = len(names)
    step = math.ceil(end * DIGIT * 1.6 / CELLS)  # of very many classes, every other or third is named
    places = [k + 0.5 for k in range(0, end, step)]
    ax.set(xlim=(0, end), ylim=(end, 0), xlabel=predicted, ylabel=actual)
    ax.set_xticks(places, names[::step], rotation=90 if turned else 0)
    ax.set_yticks(places, names[::step])
    ax.xaxis.set_label_position("top")
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)


@dataclass(frozen=True)
class _Line:
    """One class, or their mean: its name, its place, what is drawn and the number for the legend."""

    name: str
    place: int | None  # None: the mean
    curve: Any
    value: float | None

    def look(self, colours: tuple[str, ...], *, named: bool) -> dict[str, Any]:
        """Return how its line is drawn: a class by colour and dashes, the mean in ink."""
        if self.place is None:
            return {"color": INK, "linewidth": 1.9, "zorder": 4, "gid": "mean-line"}
        gid = f"class-{self.place}-line"
        if not named:
            return {**PALE, "gid": gid}
        colour, dash = colours[self.place % len(colours)], DASHES[self.place % len(DASHES)]
        return {"color": colour, "linestyle": dash, "linewidth": 1.4, "zorder": 3, "gid": gid}


def draw_class_roc(
    curves: Mapping[str, RocCurve | MeanRocCurve],
    *,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw the ROC curve of each class against the rest, and their mean as a thick line; options as in `draw_roc`.

    Of more than 10 classes the ten with the smallest areas are named; the others are pale.
    """
    say = FigureWords(lang, labels)

    def points(curve: Any) -> Any:
        return curve.thin(MOST).axes()

    lines = _lines(curves, lambda curve: float(curve.auc))
    with canvas(ax) as axes:
        roc_axes(axes, say)
        _draw(axes, lines, points, say, say["auc"], style)
    return axes


def draw_class_pr(
    curves: Mapping[str, PrCurve | MeanPrCurve],
    *,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw the precision-recall curve of each class against the rest, as `draw_class_roc` does."""
    say = FigureWords(lang, labels)

    def points(curve: Any) -> Any:
        if hasattr(curve, "tp"):
            return bent(curve)
        x, y = curve.thin(MOST).axes()
        return np.append(0.0, np.repeat(x, 2)[:-1]), np.repeat(y, 2)  # precision holds back to the recall before

    lines = _lines(curves, lambda curve: float(curve.average_precision))
    with canvas(ax) as axes:
        unit_axes(axes, say["recall"], say["precision"])
        square(axes)
        _draw(axes, lines, points, say, say["average_precision"], style)
    return axes


def draw_class_reliability(
    curves: Mapping[str, Reliability], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw the reliability curve of each class; options as in `draw_roc`. Of more than 10 the first ten are named."""
    say = FigureWords(lang, labels)
    lines = [_Line(name, k, curve, None) for k, (name, curve) in enumerate(curves.items())]
    with canvas(ax) as axes:
        unit_axes(axes, say["probability"], say["observed"])
        square(axes)
        axes.plot([0, 1], [0, 1], **guide(gid="ideal"))
        _draw(axes, lines, lambda curve: (curve.p, curve.observed), say, "", style)
    return axes


@draws("Multiclass", "Multilabel")
def draw_classes(
    rows: Multiclass | Multilabel, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw ROC curves of all classes or labels with their mean, and beside them the confusion matrix.

    On axes of the caller the curves stand alone; without scores, the matrix does. Options as in `draw_roc`,
    ``style`` of the curves' lines.
    """
    words: dict[str, Any] = {"labels": labels, "lang": lang}
    matrix: Any = getattr(rows, "matrix", None)  # several labels have none
    if rows.ready is None:
        return draw_confusion_matrix(matrix, ax=ax, **words, **style)
    if ax is not None or matrix is None:
        return draw_class_roc(rows.roc_curves(), ax=ax, **words, **style)
    left, right = several_axes(2, inches=(2.1 * WIDTHS["column"], 1.15 * WIDTHS["column"]))
    draw_confusion_matrix(matrix, ax=right, **words)
    return draw_class_roc(rows.roc_curves(), ax=left, **words, **style)


def _lines(curves: Mapping[str, Any], value: Callable[[Any], float]) -> list[_Line]:
    """Return the classes in order, and their mean last."""
    found = []
    for place, (name, curve) in enumerate(curves.items()):
        is_mean = type(curve).__name__.startswith("Mean")
        found.append(_Line(name, None if is_mean else place, curve, value(curve)))
    return found


def _named(lines: list[_Line]) -> set[int]:
    """Return the places of the classes that the legend names: the lowest numbers of many."""
    classes = [line for line in lines if line.place is not None]
    if len(classes) > MOST_NAMED and classes[0].value is not None:
        classes.sort(key=lambda line: line.value or 0.0)
    return {line.place for line in classes[:MOST_NAMED] if line.place is not None}


def _draw(
    ax: Axes,
    lines: list[_Line],
    points: Callable[[Any], Any],
    say: FigureWords,
    metric: str,
    style: Mapping[str, Any],
) -> None:
    """Draw every line, and the legend above the axes: a class by its name and number, the mean by its metric."""
    named, told, colours = _named(lines), [], look_of(ax).colours
    for line in lines:
        is_named = line.place is None or line.place in named
        (drawn,) = ax.plot(*points(line.curve), **{**line.look(colours, named=is_named), **style})
        if is_named:
            mean = say["mean_of_classes"].format(metric=metric)
            name = mean if line.place is None else shortened(line.name, NARROW)
            told.append((drawn, name if line.value is None else f"{name}: {number(line.value)}"))
    others = sum(line.place is not None for line in lines) - len(named)
    if others:
        (key,) = ax.plot([], [], gid="others-line", **PALE)
        told.append((key, say["other_classes"].format(n=others)))
    handles, texts = map(list, zip(*told, strict=True))
    made = legend_above(ax, handles, texts, alone=is_alone(ax))
    for text, shown, handle in zip(made.get_texts(), made.legend_handles, handles, strict=True):
        text.set_parse_math(False)
        own = str(handle.get_gid()).removesuffix("line")
        text.set_gid(f"{own}label")
        if shown is not None:  # a copy may not carry the id of the line itself
            shown.set_gid(f"{own}key")

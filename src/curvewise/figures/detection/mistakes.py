"""What goes wrong in detection: types of errors, and which class is taken for which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.figures.classes import (
    CELLS,
    DEEPEST,
    DIGIT,
    LINE,
    MOST_SIGNED,
    NAME,
    PALEST,
    draw_cell,
    fitting,
    frame_matrix,
    row_percent,
    write_cell,
)
from curvewise.figures.forest_rows import split
from curvewise.figures.legend import FigureWords, models, number
from curvewise.figures.legend_box import add_legend
from curvewise.figures.registry import draws
from curvewise.figures.style import INK, canvas, is_alone, keep_room, look_of, small
from curvewise.results.numbers import show
from curvewise.results.text import shortened, width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.detection.mistakes.class_confusion import DetectionConfusion
    from curvewise.detection.mistakes.error_types import DetectionErrors
    from curvewise.figures.legend import Ax, Labels, Many, Model
    from curvewise.words import Lang

TYPES = ("localisation", "class", "both", "duplicate", "background", "missed")
BAR, GAP, BELOW = 10.0, 6.0, 34.0  # points: the bar of a detector, the room between types, the axis below
ROOM = 1.45  # of the longest bar: its number stands behind it
MOST_CLASSES = 9  # of a matrix; the others are put together


@draws("DetectionErrors")
def draw_detection_errors(
    errors: Many[DetectionErrors], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw how many errors there are of each type, and how much AP would rise without them; see `draw_roc`.

    The two panels take the place of the axes given; those of the first are returned.
    """
    say = FigureWords(lang, labels)
    names = [say[f"error_{kind}"] for kind in TYPES]
    several = models(errors)
    step = BAR * len(several) + GAP
    with canvas(ax, inches=(step * len(TYPES) + BELOW) / 72) as host:
        alone, several = is_alone(host), models(errors, look_of(host))
        left, right = split(host, 2)
        for axes, part, title in ((left, "counts", say["errors"]), (right, "delta_ap", say["delta_ap"])):
            for k, model in enumerate(several):
                _bars(axes, model, part, k, step, style)
            axes.set(ylim=(step * len(TYPES) - GAP / 2, -GAP / 2), xlabel=title)
            axes.spines["left"].set_visible(False)
            axes.tick_params(left=False, labelleft=False)
            low, high = axes.dataLim.x0, max(axes.dataLim.x1, 1e-9)
            axes.set_xlim(min(low, 0.0) * ROOM, high * ROOM)
            axes.axvline(0, color=INK, linewidth=0.6)
            axes.locator_params(axis="x", nbins=3)
        left.set_yticks([step * k + (step - GAP) / 2 for k in range(len(TYPES))], names)
        left.tick_params(labelleft=True)
        keep_room(left, names)
        if several[0].name is not None:
            for model in several:
                left.plot([], [], label=model.label(), color=model.colour, linewidth=4, gid=model.id("line"))
            add_legend(left, several, whole=alone)
    return left


def _bars(ax: Axes, model: Model[Any], part: str, k: int, step: float, style: dict[str, Any]) -> None:
    """Draw the bars of a detector, with their numbers behind them."""
    values = [float(getattr(model.result, part)[kind]) for kind in TYPES]
    places = [step * place + BAR * (k + 0.5) for place in range(len(TYPES))]
    look: dict[str, Any] = {
        "height": 0.8 * BAR,
        "color": model.colour,
        "linewidth": 0,
        "gid": model.id("bars"),
        **style,
    }
    bars = ax.barh(places, values, **look)
    for bar, kind in zip(bars, TYPES, strict=True):
        bar.set_gid(model.id(f"{part}-{kind}"))
    for kind, value, place in zip(TYPES, values, places, strict=True):
        text = show(int(value)) if part == "counts" else number(value)
        side, away = ("left", 3) if value >= 0 else ("right", -3)
        at: dict[str, Any] = {"va": "center", "ha": side, "size": small(ax), "textcoords": "offset points"}
        ax.annotate(text, (value, place), (away, 0), annotation_clip=False, gid=model.id(f"{part}-{kind}-text"), **at)


@draws("DetectionConfusion")
def draw_detection_confusion(
    confusion: DetectionConfusion, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw which class is detected as which, with objects that are missed and boxes without an object.

    Of more than 9 classes those that are most often confused with another are shown, the rest together. The deeper a
    cell, the larger its share of its row. Options as in `draw_roc`, ``style`` of the text in the cells.
    """
    say = FigureWords(lang, labels)
    shown, counts = _most_confused(confusion, say["other_classes"])
    together = len(shown) < len(confusion.classes)  # the others: right answers and mistakes among them
    names = [shortened(name, NAME) for name in shown]
    rows, columns = [*names, say["background"]], [*names, say["missed"]]
    size = len(rows)
    high = max(CELLS / size, 2.2 * LINE)
    level = max(map(width, columns)) * 0.9 * DIGIT <= CELLS / size
    above = LINE if level else max(map(width, columns)) * DIGIT
    actual = say["annotated_as" if size <= MOST_SIGNED else "annotated_percent"]
    with canvas(ax, inches=(size * high + above + 3 * LINE) / 72) as axes:
        for i, line in enumerate(counts.tolist()):
            total = sum(line)
            for j, count in enumerate(line):
                if i == j == size - 1:  # no box where there is no object: not counted
                    continue
                share = count / total if total else 0.0
                right = i == j and not (together and i == size - 2)
                draw_cell(axes, j, i, PALEST + (DEEPEST - PALEST) * share, f"cell-{i}-{j}", right=right)
                write_cell(axes, j, i, fitting(count, size), row_percent(share, size) if count else "", style)
        frame_matrix(axes, columns, say["detected_as"], actual, turned=not level)
        axes.set_yticks(axes.get_yticks(), rows)
        axes.xaxis.labelpad = LINE / 2  # a reader's font may be wider than the one measured
    return axes


def _most_confused(confusion: DetectionConfusion, others: str) -> tuple[list[str], NDArray[Any]]:
    """Return names and counts; of many classes the most confused ones, in their order, and the others together."""
    matrix, names = np.asarray(confusion.matrix), [str(c) for c in confusion.classes]
    if len(names) <= MOST_CLASSES:
        return names, matrix
    inner = matrix[:-1, :-1] * ~np.eye(len(names), dtype=bool)
    mixed = inner.sum(axis=0) + inner.sum(axis=1)
    kept = sorted(np.argsort(-mixed, kind="stable")[: MOST_CLASSES - 1].tolist())
    rest = [k for k in range(len(names)) if k not in kept]
    parts = [[k] for k in kept] + [rest, [len(names)]]
    together = np.array([[matrix[np.ix_(rows, columns)].sum() for columns in parts] for rows in parts])
    return [*(names[k] for k in kept), others.format(n=len(rest))], together

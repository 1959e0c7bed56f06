"""Where a legend stands, how long its names may be, and how high the figure is for it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from curvewise.figures.fonts import missing_letters_unreported
from curvewise.figures.style import is_alone, is_ours, look_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

    from curvewise.figures.legend import Model

OTHERS = "others"  # the id of the line that stands for all models without a name in the legend
SHORTEST = 6  # letters of a name in a legend
COLUMNS = 3
GAP = 0.04  # inches
BESIDE = 40  # points: what stands at the left of axes
HANDLE = 3.9  # in letters' heights: the line before a text, and the room around both


def add_legend(
    ax: Axes, several: Sequence[Model[Any]] = (), corner: str | None = None, *, whole: bool | None = None
) -> None:
    """Add the legend above the axes, or in a corner of them, models first, if there is anything to tell.

    A figure of ours that holds these axes alone, or whose ``whole`` they are a part of, becomes higher by the
    legend, which then begins at its left edge; names that are too long for it lose more of their middle.
    """
    found = sorted(zip(*ax.get_legend_handles_labels(), strict=True), key=lambda pair: _order(pair[0]))
    guides = {text: handle for handle, text in reversed(found) if not _place(handle)}
    found = [(h, text) for h, text in found if _place(h) or guides[text] is h]  # told once, however many models draw it
    if not found:
        return
    handles, texts = map(list, zip(*found, strict=True))
    if corner is None:
        made = legend_above(ax, handles, texts, several, alone=is_alone(ax) if whole is None else whole)
    else:
        place: dict[str, Any] = {"loc": corner}
        made = ax.legend(handles, texts, **place)
    for text, shown, handle in zip(made.get_texts(), made.legend_handles, handles, strict=True):
        text.set_parse_math(False)
        model = _place(handle)
        text.set_gid(f"{model}label" if model else None)
        if shown is not None:  # a copy may not carry the id of the line itself
            shown.set_gid(f"{model}key" if model else None)


def legend_above(
    ax: Axes, handles: list[Any], texts: list[str], several: Sequence[Model[Any]] = (), *, alone: bool
) -> Legend:
    """Add a legend above the axes; ``alone`` makes the figure higher by it."""
    place: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1.01)}
    if not is_ours(ax):
        return ax.legend(handles, texts, **place)
    fig, handle = ax.figure.figure, HANDLE * look_of(ax).small
    if alone:
        place = {"loc": "upper left", "bbox_to_anchor": (0, 1), "bbox_transform": fig.transFigure}
    grid = ax.get_subplotspec()
    columns = 1 if grid is None or alone else grid.get_gridspec().ncols
    room = fig.get_figwidth() * 72 / columns - (0 if alone else BESIDE)
    named = {model.id(""): model for model in several}
    made = ax.legend(handles, texts, **place)
    widths = [
        _fit(text, named.get(_place(h)), room - handle) for text, h in zip(made.get_texts(), handles, strict=True)
    ]
    across = min(COLUMNS, int(room // (max(widths) + handle)), len(widths))
    if across > 1:
        across = math.ceil(len(widths) / math.ceil(len(widths) / across))  # columns of equal length
        made = ax.legend(handles, [text.get_text() for text in made.get_texts()], ncols=across, **place)
    if alone:
        made.set_in_layout(False)
        set_height(fig, fig.get_figheight() + _inches(made))
    return made


def _fit(text: Any, model: Model[Any] | None, room: float) -> float:
    """Shorten a model's name until its text fits; return the width of the text, in points."""
    longest = None if model is None or model.name is None else len(model.name)
    text.set_parse_math(False)
    while (found := _points(text)) > room and longest is not None and longest > SHORTEST:
        longest = min(longest, 26) - 1
        text.set_text(model.label(longest))  # type: ignore[union-attr]
    return found


@missing_letters_unreported()
def _points(text: Any) -> float:
    return float(text.get_window_extent().width * 72 / text.figure.figure.dpi)


@missing_letters_unreported()
def _inches(made: Legend) -> float:
    """Return how high a legend is, with a gap below it."""
    return GAP + float(made.get_window_extent().height / made.figure.figure.dpi)


def set_height(fig: Figure, inches: float) -> None:
    """Make a figure of ours so high; the part for legends at its top stays as high as they are."""
    fig.set_size_inches(fig.get_figwidth(), inches)
    legends = [made for ax in fig.axes if (made := ax.get_legend()) is not None and not made.get_in_layout()]
    engine: Any = fig.get_layout_engine()
    if legends and engine is not None:
        left, _, across, _ = engine.get()["rect"]
        engine.set(rect=(left, 0, across, 1 - max(map(_inches, legends)) / inches))


def equal_heights(figs: Iterable[Figure]) -> None:
    """Make figures that stand side by side as high as the highest."""
    found = list(figs)
    highest = max((fig.get_figheight() for fig in found), default=0.0)
    for fig in found:
        set_height(fig, highest)


def _order(handle: Any) -> int:
    """Models come first, then those without a name, then lines to compare with."""
    return 0 if _place(handle) else 1 if handle.get_gid() == OTHERS else 2


def _place(handle: Any) -> str:
    """Return what the ids of a model begin with, if the handle is its line."""
    gid = handle.get_gid() or ""
    return gid.removesuffix("line") if gid.startswith("model-") and gid.endswith("-line") else ""

"""How every figure looks: colours that colour-blind eyes tell apart, small type, thin lines."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from curvewise.errors import MissingExtraError
from curvewise.results.text import width as letters
from curvewise.rows.checks import one_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Width = Literal["column", "page"]
WIDTHS = {"column": 3.5, "page": 5.2}  # inches: one column of a journal, the text of a page

# Okabe and Ito's palette, without black (the ink) and yellow (too pale on white)
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)))  # when colours are used up
INK, GRID, MUTED = "#222222", "#dddddd", "#757575"
POSITIVE, NEGATIVE = "#c4500c", "#3a6ea5"  # differ from every model's, so that an SVG can tell them apart
FAINT = 0.18  # the opacity of a band
DASHED, DOTTED = (0, (4, 3)), (0, (1, 1.5))

CHINESE_FONTS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Microsoft YaHei", "PingFang SC", "Heiti SC"),
    *("Source Han Sans SC", "WenQuanYi Micro Hei", "SimHei", "Noto Serif CJK SC"),
)
STYLE: dict[str, Any] = {
    **dict.fromkeys(("font.size", "axes.titlesize", "axes.labelsize"), 8),
    **dict.fromkeys(("xtick.labelsize", "ytick.labelsize", "legend.fontsize"), 7),
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor"), INK),
    **dict.fromkeys(("axes.linewidth", "patch.linewidth"), 0.6),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right", "legend.frameon"), False),
    **dict.fromkeys(("legend.borderpad", "legend.borderaxespad"), 0.2),
    **dict.fromkeys(("figure.constrained_layout.h_pad", "figure.constrained_layout.w_pad"), 0.03),
    "axes.axisbelow": True,
    "axes.facecolor": "none",  # the page's own background shows through
    "grid.color": GRID,
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.4,
    "path.simplify": False,  # curves are thinned before, without moving a corner that shows
    "lines.solid_joinstyle": "miter",
    "legend.handlelength": 1.6,
    "legend.labelspacing": 0.3,
    "figure.dpi": 150,
}
LITERAL: dict[str, Any] = {"text.parse_math": False, "text.usetex": False}  # a name is never a formula
OURS = "curvewise"  # marks the figures whose style is decided here


def matplotlib() -> Any:
    """Return matplotlib, which only figures need."""
    try:
        import matplotlib as found  # noqa: PLC0415 - slow to load, and an extra
    except ImportError:
        raise MissingExtraError("figures need matplotlib: pip install 'curvewise[cli]'") from None
    return found


def figure(width: Width = "column") -> Figure:
    """Return an empty figure in curvewise's style, as wide as a journal's column (3.5 in) or page (5.2 in).

    The height follows from what is drawn. The figure belongs to no window and needs no closing.
    """
    one_of("width", width, tuple(WIDTHS))
    matplotlib()
    from matplotlib.figure import Figure  # noqa: PLC0415

    with own_style():
        return _square(Figure, width)


def _square(make: Callable[..., Figure], width: Width) -> Figure:
    made = make(figsize=(WIDTHS[width],) * 2, layout="constrained")
    made.set_gid(OURS)
    return made


@contextmanager
def own_style() -> Iterator[None]:
    """Set matplotlib's defaults and ours, whatever the user's settings are, and give those back."""
    mpl = matplotlib()
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update({**STYLE, **LITERAL, "font.family": _families()})
        yield


@contextmanager
def canvas(ax: Axes | None, *, shape: float = 1.0, inches: float | None = None) -> Iterator[Axes]:
    """Give axes to draw on: those given, or the only ones of a new figure that a notebook shows.

    A figure of ours that holds these axes alone gets the height that suits the drawing: ``shape`` times its
    width, or ``inches``. The user's own axes keep their size, fonts and lines.
    """
    mpl = matplotlib()
    if ax is not None and not is_ours(ax):
        with mpl.rc_context(LITERAL):
            yield ax
        return
    with own_style():
        if ax is None:
            from matplotlib import pyplot  # noqa: PLC0415 - only where a window may be wanted

            ax = _square(pyplot.figure, "column").add_subplot()
        root = ax.figure.figure
        if root.axes == [ax]:
            across = root.get_figwidth()
            root.set_size_inches(across, shape * across if inches is None else inches)
        style_axes(ax)
        yield ax


def two_axes() -> Any:
    """Return the two axes of a new figure that a notebook shows: a figure of curves, and a matrix beside it."""
    from matplotlib import pyplot  # noqa: PLC0415 - only where a window may be wanted

    with own_style():
        made = _square(pyplot.figure, "column")
        made.set_size_inches(2 * WIDTHS["column"], 1.2 * WIDTHS["column"])
        return made.subplots(1, 2)


def is_ours(ax: Axes) -> bool:
    """Say whether axes lie in a figure of ours."""
    return ax.figure.figure.get_gid() == OURS


def style_axes(ax: Axes) -> None:
    """Say on the axes themselves what ticks look like: matplotlib makes them later, by other settings."""
    text: dict[str, Any] = {"labelsize": STYLE["xtick.labelsize"], "labelfontfamily": _families()}
    ax.tick_params(color=INK, labelcolor=INK, width=0.6, length=2.5, pad=2, **text)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(INK)
    ax.spines[["left", "bottom"]].set_linewidth(0.6)
    ax.set_facecolor("none")
    for axis in (ax.xaxis, ax.yaxis):
        axis.label.set(color=INK, fontfamily=_families(), fontsize=STYLE["axes.labelsize"])
        axis.labelpad = 2


def keep_room(ax: Axes, names: list[str]) -> None:
    """Keep room at the left for Chinese names where no font here has them: the reader's will be wider."""
    engine: Any = ax.figure.figure.get_layout_engine()
    if len(_families()) > 1 or engine is None or not is_ours(ax):
        return
    unseen = max(letters(name) - len(name) for name in names)  # letters that take two places
    share = 0.4 * STYLE["xtick.labelsize"] * unseen / 72 / ax.figure.figure.get_figwidth()
    engine.set(rect=(share, 0, 1 - share, 1))


def guide(dash: Any = DASHED, **more: Any) -> dict[str, Any]:
    """Return how a line is drawn that is only there to compare with."""
    return {"color": MUTED, "linewidth": 0.8, "linestyle": dash, "zorder": 1, **more}


def unit_axes(ax: Axes, x: str = "", y: str = "", ylim: tuple[float, float] | None = None) -> None:
    """Name both axes and make them run from 0 to 1, y unless limited, with room for a line at the edge."""
    ax.set(xlim=(-0.015, 1.015), ylim=ylim or (-0.015, 1.015), xlabel=x, ylabel=y)
    if ylim is None:
        ax.set(xticks=(0, 0.2, 0.4, 0.6, 0.8, 1), yticks=(0, 0.2, 0.4, 0.6, 0.8, 1))


@cache
def _families() -> list[str]:
    """Return the first font of each kind that is there: matplotlib complains of every other.

    Both are named, since it looks for a letter in the next font only if that is named.
    """
    from matplotlib.font_manager import get_font_names  # noqa: PLC0415

    there = set(get_font_names())
    return ["DejaVu Sans", *[name for name in CHINESE_FONTS if name in there][:1]]

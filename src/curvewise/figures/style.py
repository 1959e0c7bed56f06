"""How every figure looks: colours that colour-blind eyes tell apart, small type, thin lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import signature
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

from curvewise.errors import CurvewiseError, MissingExtraError, OptionError, SourceError, unknown_option
from curvewise.figures.fonts import chinese_font, families, known_font, missing_letters_unreported
from curvewise.results.text import width as letters
from curvewise.rows.checks import one_of, real
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Width = Literal["column", "page"]
WIDTHS = {"column": 3.5, "page": 5.2}  # inches: one column of a journal, the text of a page
MILLIMETRES = 25.4  # of an inch

# Okabe and Ito's palette, without black (the ink) and yellow (too pale on white); then four of Paul Tol's that differ
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#332288", "#882255", "#999933", "#aa7755")
GRAYS = ("#000000", "#777777", "#3a3a3a", "#8f8f8f", "#5a5a5a", "#a6a6a6", "#1d1d1d", "#686868", "#4a4a4a", "#999999")
# one per colour, so that models differ without colour too
DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1.2, 1.2)),
    (0, (5, 1.4, 1.2, 1.4)),
    (0, (9, 2)),
    (0, (5, 1.2, 1.2, 1.2, 1.2, 1.2)),
    (0, (2.5, 1)),
    (0, (9, 1.4, 1.2, 1.4)),
    (0, (3, 1.2, 3, 1.2, 1.2, 1.2)),
    (0, (1.2, 2.4)),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p")
INK, GRID, MUTED = "#222222", "#dddddd", "#757575"
POSITIVE, NEGATIVE = "#c4500c", "#3a6ea5"  # differ from every model's, so that an SVG can tell them apart
FAINT = 0.18  # the opacity of a band
DASHED, DOTTED = (0, (4, 3)), (0, (1, 1.5))


@dataclass(frozen=True)
class Look:
    """What a figure may differ in: the font, the size of labels and of smaller text, points; grey alone."""

    font: str | None = None
    size: float = 8.0
    small: float = 7.0
    gray: bool = False

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of models."""
        return GRAYS if self.gray else COLOURS

    def shade(self, colour: str) -> str:
        """Return a colour of a model as this look has it; any other as it is."""
        return self.colours[COLOURS.index(colour)] if colour in COLOURS else colour

    @property
    def positive(self) -> str:
        """The colour of the positive class."""
        return GRAYS[2] if self.gray else POSITIVE

    @property
    def negative(self) -> str:
        """The colour of the negative class."""
        return GRAYS[1] if self.gray else NEGATIVE


USUAL = Look()
# a page shows a column's width on 345 pixels or more: its smallest text is then 11 pixels high
PAGE = Look(size=8.25, small=8.25)
STYLE: dict[str, Any] = {
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
    "legend.handlelength": 2.4,  # shows which dashes a line has
    "legend.handletextpad": 0.5,
    "legend.columnspacing": 1.2,
    "legend.labelspacing": 0.3,
    "figure.dpi": 150,
}
LITERAL: dict[str, Any] = {"text.parse_math": False, "text.usetex": False}  # a name is never a formula
LOOKS: WeakKeyDictionary[Figure, Look] = WeakKeyDictionary()  # the figures whose style is decided here


def matplotlib() -> Any:
    """Return matplotlib, which only figures need."""
    try:
        import matplotlib as found  # noqa: PLC0415 - slow to load, and an extra
    except ImportError:
        raise MissingExtraError("figures need matplotlib: pip install 'curvewise[cli]'") from None
    except ValueError as error:  # a setting of the environment that matplotlib reads when it is loaded
        why = str(error).partition(";")[0]
        raise SourceError(f"matplotlib cannot be loaded ({why}); correct or unset MPLBACKEND.") from None
    return found


def figure(
    width: Width | float = "column", *, font: str | None = None, font_size: float = USUAL.size, gray: bool = False
) -> Figure:
    """Return an empty figure in curvewise's style.

    The height follows from what is drawn. The figure belongs to no window and needs no closing.

    Parameters
    ----------
    width
        As wide as a journal's ``"column"`` (3.5 in, 89 mm) or ``"page"`` (5.2 in), or a number of millimetres.
    font
        A font that is installed here; None takes matplotlib's own.
    font_size
        The size of the axes' names, in points; ticks and legends are an eighth smaller.
    gray
        Whether to do without colour: models then differ by dashes and shades of grey.
    """
    matplotlib()
    inches = WIDTHS.get(width) if isinstance(width, str) else real("width", width, 30, 500) / MILLIMETRES
    if inches is None:
        one_of("width", width, tuple(WIDTHS))
    size = real("font_size", font_size, 4, 40)
    look = Look(None if font is None else known_font(font), size, size * USUAL.small / USUAL.size, gray)
    return new_figure(look, inches or 0.0)


def new_figure(look: Look = USUAL, inches: float = WIDTHS["column"]) -> Figure:
    """Return an empty figure of some look and width, that belongs to no window."""
    matplotlib()
    from matplotlib.figure import Figure  # noqa: PLC0415

    with own_style(look):
        return _square(Figure, look, inches)


def _square(make: Callable[..., Figure], look: Look = USUAL, inches: float = WIDTHS["column"]) -> Figure:
    made = make(figsize=(inches, inches), layout="constrained")
    LOOKS[made] = look
    return made


def several_axes(count: int, *, inches: tuple[float, float], look: Look = USUAL) -> list[Axes]:
    """Return axes side by side in a new figure of some width and height that a notebook shows."""
    from matplotlib import pyplot  # noqa: PLC0415 - only where a window may be wanted

    with own_style(look):
        made = _square(pyplot.figure, look)
        made.set_size_inches(*inches)
        return list(made.subplots(1, count, squeeze=False)[0])


@contextmanager
def own_style(look: Look = USUAL) -> Iterator[None]:
    """Set matplotlib's defaults and ours, whatever the user's settings are, and give those back.

    A notebook's backend, which may be loaded here, says once that figures are shown: that stays as it is said.
    """
    mpl = matplotlib()
    sizes = {
        **dict.fromkeys(("font.size", "axes.titlesize", "axes.labelsize"), look.size),
        **dict.fromkeys(("xtick.labelsize", "ytick.labelsize", "legend.fontsize"), look.small),
    }
    interactive = mpl.is_interactive()
    try:
        with missing_letters_unreported(), mpl.rc_context():
            mpl.rcdefaults()
            mpl.rcParams.update({**STYLE, **sizes, **LITERAL, "font.family": families(look.font)})
            try:
                yield
            finally:
                interactive = mpl.is_interactive()
    finally:
        mpl.interactive(interactive)


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
    with own_style(USUAL if ax is None else look_of(ax)):
        if ax is None:
            from matplotlib import pyplot  # noqa: PLC0415 - only where a window may be wanted

            ax = _square(pyplot.figure).add_subplot()
        if is_alone(ax):
            root = ax.figure.figure
            across = root.get_figwidth()
            root.set_size_inches(across, shape * across if inches is None else inches)
        style_axes(ax)
        yield ax


def is_ours(ax: Axes) -> bool:
    """Say whether axes lie in a figure of ours."""
    return ax.figure.figure in LOOKS


def is_alone(ax: Axes) -> bool:
    """Say whether axes are the only ones of a figure of ours, whose size is then ours to choose."""
    return is_ours(ax) and ax.figure.figure.axes == [ax]


def look_of(ax: Axes) -> Look:
    """Return how the figure of some axes looks; the usual look where it is the user's."""
    return LOOKS.get(ax.figure.figure, USUAL)


def small(ax: Axes) -> Any:
    """Return the size of text smaller than the axes' names."""
    return look_of(ax).small if is_ours(ax) else "small"


def style_axes(ax: Axes) -> None:
    """Say on the axes themselves what ticks look like: matplotlib makes them later, by other settings."""
    from matplotlib.text import Text  # noqa: PLC0415 - slow to load

    look = look_of(ax)
    for words in ax.findobj(Text):  # what the user's settings may have made before: a name is never a formula
        words.set(usetex=LITERAL["text.usetex"], parse_math=LITERAL["text.parse_math"])
    text: dict[str, Any] = {"labelsize": look.small, "labelfontfamily": families(look.font)}
    ax.tick_params(color=INK, labelcolor=INK, width=0.6, length=2.5, pad=2, **text)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(INK)
    ax.spines[["left", "bottom"]].set_linewidth(0.6)
    ax.set_facecolor("none")
    for axis in (ax.xaxis, ax.yaxis):
        axis.label.set(color=INK, fontfamily=families(look.font), fontsize=look.size)
        axis.labelpad = 2


def keep_room(ax: Axes, names: list[str]) -> None:
    """Keep room at the left for Chinese names where no font here has them: the reader's will be wider."""
    engine: Any = ax.figure.figure.get_layout_engine()
    look = look_of(ax)
    if chinese_font() or engine is None or not is_ours(ax):
        return
    unseen = max(letters(name) - len(name) for name in names)  # letters that take two places
    share = 0.4 * look.small * unseen / 72 / ax.figure.figure.get_figwidth()
    engine.set(rect=(share, 0, 1 - share, 1))


def guide(dash: Any = DASHED, **more: Any) -> dict[str, Any]:
    """Return how a line is drawn that is only there to compare with."""
    return {"color": MUTED, "linewidth": 0.8, "linestyle": dash, "zorder": 1, **more}


@contextmanager
def refusals(drawer: Callable[..., Any], style: Mapping[str, Any]) -> Iterator[None]:
    """Say in one sentence what matplotlib, which is given what a drawing function does not know, says of a style."""
    if not isinstance(labels := style.get("labels"), (Mapping, NoneType)):
        raise OptionError.of("labels", f"expected a dict of words by name, got {shown(labels)}.")
    of_lines = [name for name in style if name not in signature(drawer).parameters]
    try:
        yield
    except (AttributeError, TypeError, ValueError) as error:
        if isinstance(error, CurvewiseError) or not of_lines:
            raise
        raise OptionError.of(", ".join(of_lines), f"matplotlib cannot draw this ({shown(error, 120)}).") from None


def line_style(style: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a caller wants of a line by matplotlib's full names; refuse what no line has."""
    matplotlib()
    from matplotlib.lines import Line2D  # noqa: PLC0415 - slow to load

    return _full_names(style, Line2D, ("color", "linestyle", "linewidth", "alpha", "marker", "label", "zorder"))


def text_style(style: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a caller wants of text by matplotlib's names; refuse what no text has."""
    matplotlib()
    from matplotlib.text import Text  # noqa: PLC0415 - slow to load

    return {
        "size" if k == "fontsize" else k: v for k, v in _full_names(style, Text, ("color", "size", "alpha")).items()
    }


def bar_style(style: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a caller wants of bars by matplotlib's full names; refuse what no bar has."""
    matplotlib()
    from matplotlib.patches import StepPatch  # noqa: PLC0415 - slow to load

    return _full_names(style, StepPatch, ("color", "edgecolor", "linestyle", "linewidth", "alpha"))


def _full_names(style: Mapping[str, Any], kind: Any, usual: Sequence[str]) -> dict[str, Any]:
    """Refuse what a kind of mark does not have; the message lists what is ``usual``, not all that there is."""
    from matplotlib.cbook import normalize_kwargs  # noqa: PLC0415 - slow to load

    try:
        found: dict[str, Any] = normalize_kwargs(dict(style), kind)
    except TypeError as error:  # two names of one thing
        raise OptionError(f"{error}.") from None
    known = [name.removeprefix("set_") for name in dir(kind) if name.startswith("set_")]
    for name in found:
        if name not in known:
            raise unknown_option(name, ["ax", "labels", "lang", *usual], "this figure")
    return found


def unit_axes(ax: Axes, x: str = "", y: str = "", ylim: tuple[float, float] | None = None) -> None:
    """Name both axes and make them run from 0 to 1, y unless limited, with room for a line at the edge."""
    ax.set(xlim=(-0.015, 1.015), ylim=ylim or (-0.015, 1.015), xlabel=x, ylabel=y)
    if ylim is None:
        ax.set(xticks=(0, 0.2, 0.4, 0.6, 0.8, 1), yticks=(0, 0.2, 0.4, 0.6, 0.8, 1))


def square(ax: Axes) -> None:
    """Make axes square; of a figure that is higher than it need be, they keep to the bottom."""
    ax.set_box_aspect(1)
    ax.set_anchor("S")
